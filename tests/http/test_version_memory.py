"""Data about a namespace comes from memory, without the cache of answers, until it changes."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from registry.models import Namespace
from registry.selectors import raise_registry_version
from tests.factories import NamespaceFactory, ServiceFactory

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESSES = (
    "/namespaces/sample.json",
    "/api/v1/namespaces/sample/",
    "/api/v1/urn/parse/?urn=urn:sample:1",
)


@pytest.fixture
def sample() -> Namespace:
    namespace = NamespaceFactory.create(nid="sample", summary="Seeds")
    ServiceFactory.create(namespace=namespace, template="https://names.example/{nss}")
    return namespace


@pytest.mark.parametrize("address", ADDRESSES)
def test_namespace_as_data_is_answered_from_memory_until_it_changes(
    address: str, sample: Namespace, client: Client
) -> None:
    first = client.get(address)
    Namespace.objects.update(status="obsolete", notice="Use another.")
    with CaptureQueriesContext(connection) as queries:
        again = client.get(address)
    raise_registry_version()
    later = client.get(address)

    assert first.json() == again.json()
    assert [each["sql"] for each in queries if "registry_namespace" in each["sql"]] == []
    assert "obsolete" not in first.text
    assert "obsolete" in later.text


def test_redirect_asks_for_the_version_alone_until_a_service_changes(
    sample: Namespace, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get("/resolve/urn:sample:1")

    with django_assert_num_queries(1):
        response = client.get("/resolve/urn:sample:2")

    assert response["Location"] == "https://names.example/2"
