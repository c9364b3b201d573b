"""A locator is found by every spelling of the name, by no other name, in one query."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from registry.enums import TableState
from registry.models import Locator, LocatorTable, Namespace, User
from registry.resolution.sources import (
    build_locator_key,
    find_compared_name,
    find_locator,
    has_locators,
)
from registry.selectors.name_rules import find_equivalence, find_equivalence_of_namespace
from registry.urn import parse
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db

HERE = "https://library.example/found"
Keep = Callable[..., LocatorTable]


@pytest.fixture
def keep(registrar: User) -> Keep:
    """A function that stores a table with one name."""

    def kept(
        namespace: Namespace, name: str, state: TableState = TableState.CURRENT, locator: str = HERE
    ) -> LocatorTable:
        now = timezone.now()
        table = LocatorTable.objects.create(
            namespace=namespace, loaded_by=registrar, state=state, started_at=now, moved_at=now
        )
        urn = parse(name)
        equivalence = find_equivalence_of_namespace(namespace)
        of_name = build_locator_key(find_compared_name(urn, equivalence))
        Locator.objects.create(table=table, key=of_name, name=urn.nss, locator=locator)
        return table

    return kept


@pytest.mark.parametrize(
    ("loaded", "asked"),
    [
        pytest.param("urn:sample:a%2Cb", "URN:Sample:a%2cb", id="RFC 8141, section 3.1"),
        pytest.param("urn:sample:a", "urn:sample:a?+r?=q#f", id="components, section 3.1"),
        pytest.param("urn:isbn:978-0-395-36341-6", "urn:isbn:0395363411", id="isbn, 10 and 13"),
        pytest.param("urn:issn:0028-0836", "urn:issn:00280836", id="issn, hyphens"),
        pytest.param("urn:nbn:de:101:1-abc", "urn:nbn:DE:101:1-abc", id="nbn, case of the prefix"),
        pytest.param(
            "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
            "urn:uuid:F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
            id="uuid, case",
        ),
    ],
)
def test_every_spelling_of_a_name_finds_its_locator(loaded: str, asked: str, keep: Keep) -> None:
    namespace = NamespaceFactory.create(nid=parse(loaded).nid)
    keep(namespace, loaded)

    assert find_locator(namespace, parse(asked)) == HERE


@pytest.mark.parametrize(
    ("loaded", "asked"),
    [
        pytest.param("urn:sample:a%2Cb", "urn:sample:a,b", id="nothing is decoded, section 3.1"),
        pytest.param("urn:sample:a", "urn:sample:A", id="case counts, section 3.1"),
        pytest.param("urn:sample:a", "urn:sample:a/", id="a slash counts"),
        pytest.param("urn:nbn:de:101:1-abc", "urn:nbn:de:101:1-ABC", id="nbn, case of the rest"),
        pytest.param("urn:issn:0028-0836", "urn:issn:0-028-0836", id="issn, against the rule"),
    ],
)
def test_another_name_finds_nothing(loaded: str, asked: str, keep: Keep) -> None:
    namespace = NamespaceFactory.create(nid=parse(loaded).nid)
    keep(namespace, loaded)
    assert find_locator(namespace, parse(loaded)) == HERE

    assert find_locator(namespace, parse(asked)) is None


@pytest.mark.parametrize("state", sorted(set(TableState) - {TableState.CURRENT}))
def test_only_the_table_in_use_answers(state: TableState, keep: Keep) -> None:
    namespace = NamespaceFactory.create(nid="sample")
    table = keep(namespace, "urn:sample:a", state)

    before = (has_locators(namespace), find_locator(namespace, parse("urn:sample:a")))
    LocatorTable.objects.filter(pk=table.pk).update(state=TableState.CURRENT)
    after = (has_locators(namespace), find_locator(namespace, parse("urn:sample:a")))

    assert (before, after) == ((False, None), (True, HERE))


def test_namespaces_do_not_answer_for_one_another(keep: Keep) -> None:
    one, other = NamespaceFactory.create(nid="one"), NamespaceFactory.create(nid="other")
    keep(one, "urn:one:a", locator="https://one.example/")
    keep(other, "urn:other:a", locator="https://other.example/")

    found = [find_locator(one, parse("urn:one:a")), find_locator(other, parse("urn:other:a"))]

    assert found == ["https://one.example/", "https://other.example/"]


def test_looking_up_takes_one_query(
    keep: Keep, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    namespace = NamespaceFactory.create(nid="sample")
    table = keep(namespace, "urn:sample:a")

    equivalence = find_equivalence("isbn", None)

    with django_assert_num_queries(1):
        assert find_locator(namespace, parse("urn:sample:a"), equivalence, table.pk) == HERE


def test_table_that_came_into_use_meanwhile_answers(keep: Keep) -> None:
    namespace = NamespaceFactory.create(nid="sample")
    before = keep(namespace, "urn:sample:a", locator="https://old.example/")
    LocatorTable.objects.filter(pk=before.pk).update(state=TableState.REPLACED)
    keep(namespace, "urn:sample:a")

    assert find_locator(namespace, parse("urn:sample:a"), None, before.pk) == HERE
