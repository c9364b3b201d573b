"""The registrar's page of differences from IANA's list."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from registry.enums import State
from registry.exchange.iana import list_differences, synchronize
from registry.models import Event, IANASnapshot, Namespace, RegistrationRequest, User
from tests.exchange.iana.lists import CONFLICTING
from tests.records import make_imported_namespace
from tests.web.pages import rows_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def snapshot() -> IANASnapshot:
    """A list in which oakum has another registrant, and rope is missing."""
    make_imported_namespace("oakum", "Otto Oakum")
    make_imported_namespace("rope", "RFC9991")
    return synchronize(apply=False, octets=CONFLICTING).snapshot


@pytest.fixture
def office(registrar: User, sign_in: Callable[[User], Client]) -> Client:
    return sign_in(registrar)


def key_of(snapshot: IANASnapshot, nid: str) -> str:
    """Return the key by which the form names a difference."""
    [found] = [each for each in list_differences(snapshot) if each.nid == nid]
    return f"{nid}:{found.digest}"


def test_iana_page_shows_what_differs_and_why_it_waits(
    office: Client, snapshot: IANASnapshot
) -> None:
    page = office.get("/publish/iana/")

    oakum, rope = page.context["undecided"]
    assert "3 June" in text_of(page)
    assert (oakum.nid, oakum.kind, rope.nid, rope.kind) == ("oakum", "changed", "rope", "gone")
    change = oakum.changes[0]
    assert (change.field, change.here, change.there) == ("references", "Otto Oakum", "Hilda Hemp")
    ((choice, *of_oakum), of_rope) = rows_of(page)[:2]
    assert choice != "–"
    assert (of_oakum[0], of_oakum[1], of_oakum[3]) == ("oakum", "changed", oakum.waits_for)
    assert "Here: Otto Oakum There: Hilda Hemp" in of_oakum[2]
    assert of_rope == ["–", "rope", "gone", "–", rope.waits_for]
    assert page.context["coming"] != []
    assert 'aria-labelledby="next-title"' in page.content.decode()


def test_iana_page_without_a_reading_offers_to_read_it(office: Client) -> None:
    page = office.get("/publish/iana/")

    assert page.context["snapshot"] is None
    assert "IANA’s list was not read yet" in text_of(page)


def test_iana_page_is_for_the_registrar(
    client: Client, expert: User, sign_in: Callable[[User], Client]
) -> None:
    assert client.get("/publish/iana/").status_code == 302
    assert sign_in(expert).get("/publish/iana/").status_code == 403
    assert sign_in(expert).get("/api/v1/iana/").status_code == 403
    assert client.get("/api/v1/iana/").status_code in (401, 403)


def test_chosen_differences_are_taken_over_by_the_registrar(
    office: Client, snapshot: IANASnapshot, sent: RegistrationRequest, registrar: User
) -> None:
    chosen = [key_of(snapshot, "oakum"), key_of(snapshot, "seedbank")]

    office.post("/publish/iana/", {"act": "enter", "chosen": chosen})

    sent.refresh_from_db()
    assert Namespace.objects.get(nid="oakum").references == ["Hilda Hemp"]
    assert Namespace.objects.get(nid="oakum").registrant is None
    assert Namespace.objects.get(nid="seedbank").references == ["RFC9995"]
    assert sent.state == State.CHANGES_REQUESTED
    assert {each.actor for each in Event.objects.filter(verb="sync_iana")} == {registrar}


def test_stale_choice_and_names_that_are_gone_are_not_taken_over(
    office: Client, snapshot: IANASnapshot
) -> None:
    stale = key_of(snapshot, "oakum")
    Namespace.objects.filter(nid="oakum").update(references=["Somebody_Else"])

    page = office.get("/publish/iana/").content.decode()
    answer = office.post("/publish/iana/", {"act": "enter", "chosen": stale}, follow=True)

    assert f'value="{key_of(snapshot, "oakum")}"' in page
    assert f'value="{key_of(snapshot, "rope")}"' not in page
    assert [each.level_tag for each in answer.context["messages"]] == ["error"]
    assert not Event.objects.filter(verb="sync_iana").exists()
    assert Namespace.objects.get(nid="oakum").references == ["Somebody_Else"]


def test_difference_is_set_aside_with_a_public_reason(
    office: Client, snapshot: IANASnapshot, registrar: User
) -> None:
    digest = key_of(snapshot, "rope").partition(":")[2]
    said = {"act": "set-aside", "nid": "rope", "digest": digest}

    office.post("/publish/iana/", said)
    assert not Event.objects.filter(verb="set_iana_aside").exists()
    office.post("/publish/iana/", {**said, "reason": "A known slip."})

    event = Event.objects.get(verb="set_iana_aside")
    assert (event.actor, event.comment) == (registrar, "A known slip.")
    assert "rope gone" not in text_of(office.get("/publish/iana/"))


def test_api_takes_over_and_sets_aside_for_the_registrar(
    office: Client, snapshot: IANASnapshot
) -> None:
    [oakum] = [each for each in office.get("/api/v1/iana/").json() if each["nid"] == "oakum"]
    [difference] = [each for each in list_differences(snapshot) if each.nid == "oakum"]
    said = {"nid": "oakum", "digest": oakum["digest"]}
    rope = {"nid": "rope", "digest": key_of(snapshot, "rope").partition(":")[2]}

    entered = office.post("/api/v1/iana/enter/", said, content_type="application/json")
    again = office.post("/api/v1/iana/enter/", said, content_type="application/json")
    gone = office.post("/api/v1/iana/enter/", rope, content_type="application/json")
    aside = office.post(
        "/api/v1/iana/set-aside/", {**rope, "reason": "A slip."}, content_type="application/json"
    )

    assert oakum["waits_for"] == difference.waits_for != ""
    assert oakum["changes"][0] == {
        "field": "references",
        "here": "Otto Oakum",
        "there": "Hilda Hemp",
    }
    assert "oakum" not in {each["nid"] for each in entered.json()}
    assert (again.status_code, gone.status_code) == (412, 409)
    assert "rope" not in {each["nid"] for each in aside.json()}
