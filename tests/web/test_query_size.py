"""How many rows public pages read: as many as they show, however many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db.models import Model
from django.db.models.signals import post_init
from django.test import Client
from django.utils import timezone

from registry.enums import State
from registry.models import Namespace, Registration
from registry.presenters import namespace_table
from registry.web.home import views
from registry.web.home.views import PublicPageSitemap
from tests.factories import NamespaceFactory, OrganizationFactory, RequestFactory

pytestmark = pytest.mark.django_db

MANY = 60


@contextmanager
def counting_rows() -> Iterator[Counter[str]]:
    """Count the rows of each model that are read meanwhile."""
    read: Counter[str] = Counter()

    def count(sender: type[Model], **kwargs: Any) -> None:
        read[sender.__name__] += 1

    post_init.connect(count)
    try:
        yield read
    finally:
        post_init.disconnect(count)


@pytest.fixture
def many() -> None:
    """A registry of many versions, each of another namespace, and of many other namespaces."""
    body = OrganizationFactory.create()
    for number in range(MANY):
        namespace = NamespaceFactory.create(registrant=body)
        asked = RequestFactory.create(
            state=State.REGISTERED, organization=body, namespace=namespace
        )
        Registration.objects.create(
            namespace=namespace,
            number=1,
            registered_on=timezone.localdate(),
            registration_request=asked,
            sha256=f"{number:064}",
        )
    for _number in range(MANY):
        NamespaceFactory.create(registered_on="2020-01-01", registrant=body)


def test_home_reads_no_more_versions_than_it_may_show(client: Client, many: None) -> None:
    with counting_rows() as read:
        response = client.get("/")

    assert response.status_code == 200
    assert Registration.objects.count() == MANY
    assert read["Registration"] == views.MAX_LATEST_CHANGES
    assert read["Namespace"] <= 2 * views.MAX_LATEST_CHANGES + 1


def test_the_list_of_all_namespaces_has_pages_where_there_are_very_many(
    client: Client, many: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(namespace_table, "MAX_TABLE_ROWS", MANY)

    with counting_rows() as read:
        response = client.get("/namespaces/?show=all&page=2")

    assert Namespace.objects.count() == 2 * MANY
    assert response.context["page"].number == 2
    assert len(response.context["page"]) == MANY
    assert read["Namespace"] == MANY


def test_the_map_of_the_site_has_no_more_addresses_than_a_sitemap_may_have(
    client: Client, many: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_addresses = client.get("/sitemap.xml").text.count("<loc>")
    monkeypatch.setattr(PublicPageSitemap, "limit", MANY)

    bounded = client.get("/sitemap.xml").text.count("<loc>")
    following = client.get("/sitemap.xml?p=2").text.count("<loc>")

    assert all_addresses > 2 * MANY
    assert (bounded, following) == (MANY, MANY)
