"""How many rows public pages read: as many as they show, however many there are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import Model
from django.db.models.signals import post_init
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.enums import State
from registry.models import Namespace, Registration, User
from registry.presenters import namespace_table
from registry.selectors.registry_version import VERSION_SQL
from registry.web.home import views
from registry.web.home.views import PublicPageSitemap
from tests.factories import NamespaceFactory, OrganizationFactory, RequestFactory

pytestmark = pytest.mark.django_db

MANY = 60


@contextmanager
def counting_rows() -> Iterator[Counter[str]]:
    """Count the rows of each model that are read in the block."""
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


def test_list_of_very_many_namespaces_has_pages(
    client: Client, many: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(namespace_table, "MAX_TABLE_ROWS", MANY)

    with counting_rows() as read:
        response = client.get("/namespaces/?show=all&page=2")

    assert Namespace.objects.count() == 2 * MANY
    assert response.context["page"].number == 2
    assert len(response.context["page"]) == MANY
    assert read["Namespace"] == MANY


def test_sitemap_of_a_large_site_has_parts_with_every_page_once(
    client: Client, many: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = list_addresses(client, "/sitemap.xml")
    monkeypatch.setattr(PublicPageSitemap, "limit", MANY)

    parts = list_addresses(client, "/sitemap.xml")
    found = [list_addresses(client, urlsplit(part).path) for part in parts]

    assert parts == [f"{settings.SITE}/sitemap-{n}.xml" for n in range(1, len(parts) + 1)]
    assert [len(part) for part in found[:-1]] == [MANY] * (len(parts) - 1)
    assert [each for part in found for each in part] == whole
    assert len(set(whole)) == len(whole) > 3 * MANY
    assert client.get(f"/sitemap-{len(parts) + 1}.xml").status_code == 404


def test_part_of_the_sitemap_reads_the_rows_that_it_names(
    client: Client, many: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PublicPageSitemap, "limit", MANY)

    with CaptureQueriesContext(connection) as of_index:
        index = client.get("/sitemap.xml")
    with CaptureQueriesContext(connection) as of_part:
        part = client.get("/sitemap-2.xml")

    assert (index.status_code, part.status_code) == (200, 200)
    asked = [each["sql"] for each in (*of_index, *of_part) if "COUNT(" not in each["sql"]]
    # The version of the registry is a row or two of its own table.
    asked = [sql for sql in asked if not sql.startswith(VERSION_SQL.partition("%s")[0])]
    assert asked
    assert [sql for sql in asked if "LIMIT" not in sql] == []


def list_addresses(client: Client, path: str) -> list[str]:
    """Return the addresses in a part of the sitemap."""
    return re.findall("<loc>(.*?)</loc>", client.get(path).text)


def test_my_requests_makes_no_more_queries_for_more_requests(
    registrant: User, sign_in: Callable[[User], Client]
) -> None:
    client, counts = sign_in(registrant), []
    for more in (2, 20):
        RequestFactory.create_batch(more, author=registrant, state=State.CHANGES_REQUESTED)
        with CaptureQueriesContext(connection) as queries:
            client.get("/account/requests/")
        counts.append(len(queries))

    assert counts[0] == counts[1]
