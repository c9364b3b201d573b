"""What is read of a namespace stays in memory for one version of the registry, and no longer."""

from __future__ import annotations

import pytest
from django.db import transaction
from pytest_django import DjangoAssertNumQueries

from registry.exchange.exports.entries import find_entry
from registry.models import Namespace
from registry.resolution import find_resolvable_namespace
from registry.selectors import VersionMemory, raise_registry_version
from tests.factories import NamespaceFactory, ServiceFactory

pytestmark = pytest.mark.django_db(transaction=True)


def read_summary(nid: str) -> str | None:
    return Namespace.objects.filter(nid=nid).values_list("summary", flat=True).first()


@pytest.fixture
def sample() -> Namespace:
    namespace = NamespaceFactory.create(nid="sample", summary="Seeds")
    ServiceFactory.create(namespace=namespace, template="https://names.example/{nss}")
    return namespace


def test_namespace_is_read_once_for_a_version_and_anew_for_the_next(
    sample: Namespace, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    memory = VersionMemory(read_summary)
    first = memory("sample")
    Namespace.objects.update(summary="Seeds and more")

    with django_assert_num_queries(1):
        again = memory("sample")
    raise_registry_version()
    later = memory("sample")

    assert (first, again, later) == ("Seeds", "Seeds", "Seeds and more")


def test_unregistered_nids_take_no_memory(sample: Namespace) -> None:
    memory = VersionMemory(read_summary)

    summaries = [memory(nid) for nid in ("sample", "other", "another")]

    assert summaries == ["Seeds", None, None]
    assert list(memory.memory[1]) == ["sample"]


def test_memory_keeps_nothing_that_may_be_rolled_back(sample: Namespace) -> None:
    memory = VersionMemory(read_summary)

    with transaction.atomic():
        raise_registry_version()
        Namespace.objects.update(summary="Nobody decided this")
        within = memory("sample")
        transaction.set_rollback(True)
    raise_registry_version()

    assert (within, memory("sample")) == ("Nobody decided this", "Seeds")


def test_memory_of_another_version_is_not_answered_from(sample: Namespace) -> None:
    memory = VersionMemory(read_summary)
    memory("sample", 7)
    Namespace.objects.update(summary="Seeds and more")

    assert (memory("sample", 8), memory("sample", 7)) == ("Seeds and more", "Seeds and more")


@pytest.mark.parametrize("find", [find_entry, find_resolvable_namespace])
def test_each_memory_of_namespaces_answers_with_one_query(
    find: VersionMemory[object],
    sample: Namespace,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    find("sample")

    with django_assert_num_queries(1):
        remembered = find("sample")

    assert getattr(remembered, "nid", None) == "sample"
