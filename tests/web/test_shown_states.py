"""Which state of a request readers are told, and that every door tells the same."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from django.test import Client
from django.utils.html import escape

from registry import workflow
from registry.actions import discussion
from registry.enums import ChangeKind, State, UnapprovedState
from registry.models import Letter, Namespace, Organization, RegistrationRequest, User
from registry.selectors.case import open_case
from registry.selectors.shown_states import find_shown_state
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_speak_for,
)
from tests.small_changes import send
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

ASKED = "asked by Olaf Outsider; not confirmed by Northlight Seed Vault Federation"
SAID = f"Waiting for the holder ({ASKED})"


@pytest.fixture
def isbn(organization: Organization) -> Namespace:
    """A namespace whose holder has a delegate."""
    let_speak_for(organization, UserFactory.create())
    return NamespaceFactory.create(
        nid="isbn", registrant=organization, last_known_version="1", contact="desk@vault.example"
    )


@pytest.fixture
def by_stranger(isbn: Namespace, outsider: User) -> RegistrationRequest:
    """A change of contact that somebody without a tie to the holder has just sent."""
    body = OrganizationFactory.create(name="Mallory Ltd")
    asked = send(isbn, ChangeKind.CONTACT, outsider, body)
    assert asked.state == State.APPROVED
    return asked


def test_change_of_a_stranger_waits_for_the_holder(by_stranger: RegistrationRequest) -> None:
    shown = find_shown_state(open_case(by_stranger))

    assert shown.value == UnapprovedState.WAITING_FOR_HOLDER
    assert shown.words == SAID


def test_change_of_the_holder_is_with_the_registrar(
    isbn: Namespace, organization: Organization
) -> None:
    delegate = User.objects.speaking_for(organization).get()

    shown = find_shown_state(open_case(send(isbn, ChangeKind.CONTACT, delegate, organization)))

    assert (shown.value, shown.words) == (UnapprovedState.WITH_REGISTRAR, "With the registrar")


def test_new_namespace_that_experts_approved_is_approved(approved: RegistrationRequest) -> None:
    shown = find_shown_state(open_case(approved))

    assert (shown.value, shown.words) == (State.APPROVED, "Approved")


def test_pages_show_the_change_of_a_stranger_in_amber_and_who_asks(
    by_stranger: RegistrationRequest, isbn: Namespace, client: Client
) -> None:
    page = client.get(by_stranger.get_absolute_url())
    history = client.get(f"{by_stranger.get_absolute_url()}history/")
    lists = [
        client.get(path)
        for path in ("/requests/", isbn.get_absolute_url(), by_stranger.get_absolute_url())
    ]

    assert [b"status--waiting_for_holder is-warn" in each.content for each in lists] == [True] * 3
    assert "Asked by Mallory Ltd" in text_of(page)
    # The list of requests has a filter of that name.
    for each in (*lists[1:], history):
        assert "Approved" not in text_of(each)
        assert "status--approved" not in each.content.decode()


def test_messages_do_not_call_a_stranger_registrant(
    by_stranger: RegistrationRequest, outsider: User, client: Client
) -> None:
    discussion.add_comment(by_stranger, author=outsider, text="Soon.", key=by_stranger.start_key)

    page = client.get(by_stranger.get_absolute_url()).content.decode()

    assert '<span class="status">Asked for it</span>' in page
    assert '<span class="status">Registrant</span>' not in page


@pytest.mark.parametrize("ending", ["json", "xml", "csv", "txt", "ttl", "jsonld"])
def test_files_say_that_a_change_is_not_by_the_holder(
    by_stranger: RegistrationRequest, client: Client, ending: str
) -> None:
    path = by_stranger.get_absolute_url().rstrip("/")

    text = client.get(f"{path}.{ending}").content.decode()

    assert "not confirmed by" in text.lower()
    assert "state-approved" not in text


@pytest.mark.parametrize("ending", ["csv", "txt"])
def test_lists_as_files_say_that_a_change_is_not_by_the_holder(
    by_stranger: RegistrationRequest, client: Client, ending: str
) -> None:
    answer = client.get(f"/requests.{ending}")

    assert SAID in answer.getvalue().decode()


def test_csv_has_the_state_in_words(by_stranger: RegistrationRequest, client: Client) -> None:
    text = client.get(f"{by_stranger.get_absolute_url().rstrip('/')}.csv").content.decode()

    (row,) = csv.DictReader(StringIO(text))

    assert (row["state"], row["state_word"]) == ("approved", SAID)


def test_programs_read_that_a_change_is_not_by_the_holder(
    by_stranger: RegistrationRequest, client: Client
) -> None:
    one = client.get(f"/api/v1/requests/{by_stranger.slug}/").json()
    (listed,) = client.get("/api/v1/requests/").json()["results"]

    assert (one["state_word"], listed["state_word"]) == (SAID, SAID)
    (act,) = (each for each in one["events"] if each["target"] == "approved")
    events = client.get("/api/v1/events/", {"request": by_stranger.reference}).json()["results"]
    assert act["target_word"] == "With the registrar"
    assert "With the registrar" in {each["target_word"] for each in events}


def test_text_and_graph_have_the_state_as_word_and_as_code(
    by_stranger: RegistrationRequest, client: Client
) -> None:
    path = by_stranger.get_absolute_url().rstrip("/")

    text = client.get(f"{path}.txt").content.decode()
    graph = client.get(f"{path}.ttl").content.decode()

    assert "State code: waiting_for_holder" in text
    assert "Waiting for the holder" in text
    assert 'reg:stateWord "Waiting for the holder"' in graph
    assert "reg:state-waiting_for_holder" in graph


def test_letters_and_feeds_do_not_say_that_it_is_approved(
    by_stranger: RegistrationRequest, client: Client
) -> None:
    letters = Letter.objects.filter(event__registration_request=by_stranger)
    feed = client.get(f"{by_stranger.get_absolute_url().rstrip('/')}.atom").content.decode()

    assert letters.filter(text__contains="State: Waiting for the holder").exists()
    assert not letters.filter(text__contains="State: Approved").exists()
    assert escape("State: Approved") not in feed


def test_refusal_of_a_step_names_the_state_as_pages_do(
    by_stranger: RegistrationRequest, expert: User
) -> None:
    with pytest.raises(workflow.ActionRefused, match="in the state “Waiting for the holder”"):
        workflow.perform(by_stranger, "assign", actor=expert)
