"""Sub-namespaces such as nbn:fi: who assigns their names, and where these resolve."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from registry.exchange import seed
from registry.models import Namespace, ResolutionService, User
from tests.factories import NamespaceFactory
from tests.web.pages import error_codes, rows_of, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
TYPED = {
    "service": "I2L",
    "begins": "fi:",
    "assigner": "National Library of Finland",
    "template": "https://names.example/{+nss}",
    "priority": "10",
    "operator": "Names Office",
    "source": "Its handbook",
}


@pytest.fixture
def nbn(db: None) -> Namespace:
    seed.load_vocabularies()
    return NamespaceFactory.create(nid="nbn")


def test_sub_namespace_is_in_a_table_and_used_by_inspection_and_resolution(
    nbn: Namespace, sign_in: SignIn, registrar: User, client: Client
) -> None:
    browser = sign_in(registrar)
    nowhere = browser.post("/namespaces/nbn/services/add/", {**TYPED, "begins": ""})
    browser.post("/namespaces/nbn/services/add/", TYPED)

    assert error_codes(nowhere, "begins") == ["no_prefix"]
    assert ResolutionService.objects.get().assigner == TYPED["assigner"]
    assert f"urn:nbn:fi: {TYPED['assigner']}" in text_of(client.get("/namespaces/nbn/services/"))
    told = f"{TYPED['assigner']} assigns names that begin with fi:"
    assert told in text_of(client.get("/inspect/?urn=urn:nbn:fi:a1"))
    assert TYPED["assigner"] not in text_of(client.get("/inspect/?urn=urn:nbn:de:a1"))
    listed = client.get("/api/v1/services/?nid=nbn").json()["results"]
    assert [each["assigner"] for each in listed] == [TYPED["assigner"]]


def test_readers_see_the_prefixes_of_one_operator_in_one_row(
    nbn: Namespace, sign_in: SignIn, registrar: User, client: Client
) -> None:
    browser, page = sign_in(registrar), "/namespaces/nbn/services/"
    for prefix in ("fi-", "fi:"):
        browser.post(f"{page}add/", {**TYPED, "begins": prefix})

    (row,) = rows_of(client.get(page))

    assert row[0] == "urn:nbn:fi-, urn:nbn:fi:"
    assert TYPED["template"] in row[2]
    assert client.get(page).context["services"] == []
    assert len(browser.get(page).context["services"]) == 2
