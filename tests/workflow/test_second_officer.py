"""Transfers and changes of status: two officers, and never the same person twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from registry import selectors, workflow
from registry.enums import ChangeKind, Role, State, Turn
from registry.models import Letter, Namespace, Organization, RegistrationRequest, User
from registry.selectors.consent import list_unconfirmed_changes
from registry.workflow import ActionRefused, drafts
from tests.api.clients import Program
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal
from tests.small_changes import countersign, send
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
NEEDED = "A second officer has to confirm this change first"
CHECKED = "I read the minutes of the holder."


@pytest.fixture
def namespace(organization: Organization, registrant: User) -> Namespace:
    let_speak_for(organization, registrant)
    return NamespaceFactory.create(nid="seedbank", registrant=organization, contact="Old desk")


@pytest.fixture
def status(namespace: Namespace, registrant: User) -> RegistrationRequest:
    """A change of status that a delegate sent."""
    return send(namespace, ChangeKind.STATUS, registrant)


@pytest.fixture
def second(db: None) -> User:
    return UserFactory.create(name="Sanna Second", roles=[Role.REGISTRAR])


def confirm(asked: RegistrationRequest, officer: User) -> None:
    workflow.perform(asked, "countersign", actor=officer, comment=CHECKED)


def publishing(asked: RegistrationRequest) -> dict[str, object]:
    return {
        "verb": "register",
        "seen": asked.revision,
        "confirmation": "seedbank",
    }


@pytest.mark.parametrize("change", [ChangeKind.TRANSFER, ChangeKind.STATUS, ChangeKind.RENAME])
def test_one_officer_alone_changes_neither_holder_nor_status(
    change: ChangeKind, namespace: Namespace, registrant: User, registrar: User, second: User
) -> None:
    heir = OrganizationFactory.create(name="Southlight Seed Trust")
    let_speak_for(heir, registrant)
    asked = send(namespace, change, registrant, heir if change == ChangeKind.TRANSFER else None)
    with expect_refusal("second_officer_confirmed"):
        workflow.perform(asked, "register", actor=registrar)

    confirm(asked, second)
    workflow.perform(asked, "register", actor=registrar)

    assert asked.state == State.REGISTERED


@pytest.mark.parametrize("change", [ChangeKind.CONTACT, ChangeKind.REFERENCE])
def test_other_changes_need_no_second_officer(
    change: ChangeKind, namespace: Namespace, registrant: User, registrar: User, second: User
) -> None:
    asked = send(namespace, change, registrant)
    with expect_refusal("role"):
        confirm(asked, second)

    workflow.perform(asked, "register", actor=registrar)

    assert asked.state == State.REGISTERED


def test_same_person_never_does_both_whoever_else_confirmed(
    status: RegistrationRequest, registrar: User, second: User
) -> None:
    UserFactory.create(name="Theo Third", roles=[Role.REGISTRAR])
    confirm(status, registrar)
    with expect_refusal("confirmed_by_another"):
        workflow.perform(status, "register", actor=registrar)

    confirm(status, second)
    with expect_refusal("confirmed_by_another"):
        workflow.perform(status, "register", actor=registrar)

    assert status.state == State.APPROVED


def test_confirmation_ends_with_the_office_of_who_gave_it(
    status: RegistrationRequest, registrar: User, second: User
) -> None:
    confirm(status, second)
    second.groups.clear()

    with expect_refusal("second_officer_confirmed"):
        workflow.perform(status, "register", actor=registrar)

    second.is_active = False
    second.save()
    with expect_refusal("second_officer_confirmed"):
        workflow.perform(status, "register", actor=registrar)


def test_confirmation_ends_with_the_round(
    status: RegistrationRequest, registrant: User, registrar: User, second: User
) -> None:
    confirm(status, second)
    workflow.perform(status, "request_changes", actor=registrar, comment="Say what to use.")
    draft = status.draft
    assert draft is not None
    draft.facts = {**draft.facts, "notice": "Use urn:accession."}
    draft.save()
    workflow.perform(status, "submit", actor=registrant)

    with expect_refusal("second_officer_confirmed"):
        workflow.perform(status, "register", actor=registrar)


@pytest.mark.parametrize("who", ["registrant", "expert", "lead", "outsider", "administrator"])
def test_nobody_else_confirms(
    who: str, status: RegistrationRequest, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(ActionRefused):
        confirm(status, request.getfixturevalue(who))


def test_officer_who_is_party_confirms_nothing(status: RegistrationRequest, second: User) -> None:
    status.organization.people.add(second)

    with pytest.raises(ActionRefused):
        confirm(status, second)


@pytest.mark.pages
def test_standards_body_is_told_and_confirms_where_there_is_one_registrar(
    namespace: Namespace,
    registrant: User,
    registrar: User,
    standards_body: User,
    sign_in: SignIn,
) -> None:
    asked = send(namespace, ChangeKind.STATUS, registrant)
    letter = Letter.objects.get(recipient=standards_body)
    waiting = sign_in(standards_body).get("/direction/").context["unconfirmed"]
    confirm(asked, standards_body)

    workflow.perform(asked, "register", actor=registrar)

    assert letter.event == asked.events.get(verb="submit")
    assert [each.registration_request for each in waiting] == [asked]
    assert sign_in(standards_body).get("/direction/").context["unconfirmed"] == []
    assert asked.state == State.REGISTERED


@pytest.mark.pages
def test_no_other_change_waits_for_a_second_officer(
    namespace: Namespace, registrant: User, standards_body: User, sign_in: SignIn
) -> None:
    send(namespace, ChangeKind.CONTACT, registrant)
    asked = send(namespace, ChangeKind.STATUS, registrant)

    waiting = sign_in(standards_body).get("/direction/").context["unconfirmed"]

    assert [each.registration_request for each in waiting] == [asked]


def test_only_registrar_confirms_nothing_since_nobody_could_publish_it_then(
    status: RegistrationRequest, registrar: User, standards_body: User
) -> None:
    with expect_refusal("somebody_else_can_publish"):
        confirm(status, registrar)

    confirm(status, standards_body)
    workflow.perform(status, "register", actor=registrar)

    assert status.state == State.REGISTERED


def test_last_registrar_who_can_publish_does_not_confirm_too(
    status: RegistrationRequest, registrar: User, second: User
) -> None:
    confirm(status, second)

    with expect_refusal("somebody_else_can_publish"):
        confirm(status, registrar)


def find_turn(asked: RegistrationRequest) -> tuple[Turn, set[str]]:
    waiting = selectors.find_current_turn(RegistrationRequest.objects.get(pk=asked.pk))
    return waiting.turn, set(waiting.people)


@pytest.mark.pages
def test_page_names_the_standards_body_first_with_one_registrar(
    status: RegistrationRequest, registrar: User, standards_body: User, client: Client
) -> None:
    before = find_turn(status)
    page = text_of(client.get(status.get_absolute_url()))
    confirm(status, standards_body)

    assert before == (Turn.STANDARDS_BODY, {standards_body.name})
    assert standards_body.name in page
    assert find_turn(status) == (Turn.REGISTRAR, {registrar.name})


def test_page_names_either_of_two_registrars_and_then_the_other(
    status: RegistrationRequest, registrar: User, second: User, standards_body: User
) -> None:
    before = find_turn(status)
    confirm(status, registrar)

    assert before == (Turn.REGISTRAR, {registrar.name, second.name})
    assert find_turn(status) == (Turn.REGISTRAR, {second.name})


def test_administrator_is_named_where_one_officer_is_all_there_is(
    status: RegistrationRequest, registrar: User, administrator: User
) -> None:
    assert find_turn(status) == (Turn.ADMINISTRATOR, {administrator.name})


def test_officer_left_alone_after_confirming_is_not_named(
    status: RegistrationRequest, registrar: User, second: User, administrator: User
) -> None:
    confirm(status, registrar)
    second.groups.clear()

    assert find_turn(status) == (Turn.ADMINISTRATOR, {administrator.name})


def test_standards_body_gets_no_letter_with_two_registrars(
    registrar: User, second: User, standards_body: User, status: RegistrationRequest
) -> None:
    assert Letter.objects.filter(recipient=registrar).exists()
    assert not Letter.objects.filter(recipient=standards_body).exists()


@pytest.mark.pages
def test_page_says_what_is_missing_and_leads_to_the_button(
    status: RegistrationRequest, registrar: User, second: User, sign_in: SignIn
) -> None:
    address, browser = f"/publish/{status.slug}/", sign_in(registrar)
    before = browser.get(address)
    refused = browser.post(address, publishing(status))
    act = f"/requests/{status.slug}/act/countersign/"

    assert act in before.content.decode()
    assert NEEDED in text_of(refused)
    said = {"seen": status.revision, "comment": CHECKED}
    sign_in(second).post(act, said)
    status.refresh_from_db()
    assert "Sanna Second" in text_of(browser.get(address))
    own = text_of(sign_in(second).get(address))
    assert "You confirmed this" in own
    browser.post(address, publishing(status))
    status.refresh_from_db()
    assert status.state == State.REGISTERED


@pytest.mark.pages
def test_programs_confirm_too_and_the_journal_says_so_in_public(
    status: RegistrationRequest, registrar: User, second: User, client: Client
) -> None:
    answer = Program.of(second).take(status.slug, "countersign", comment=CHECKED)

    assert answer.status_code == 200
    history = client.get(f"/api/v1/requests/{status.slug}/").json()["events"]
    assert history[-1]["verb"] == "countersign"
    assert history[-1]["actor"] == "Sanna Second"


def test_officer_confirms_a_round_once(status: RegistrationRequest, registrar: User) -> None:
    officer = countersign(status)

    with expect_refusal("not_countersigned_before"):
        confirm(status, officer)


def test_confirmation_of_an_earlier_round_takes_nothing_off_the_list(
    status: RegistrationRequest, registrant: User, registrar: User, second: User
) -> None:
    confirm(status, second)
    before = list_unconfirmed_changes()
    workflow.perform(status, "request_changes", actor=registrar, comment="Say what to use.")
    draft = status.draft
    assert draft is not None
    drafts.save_draft_facts(
        draft, {**draft.facts, "notice": "Use urn:accession."}, seen=draft.edition
    )
    workflow.perform(status, "submit", actor=registrant)

    assert (before, list_unconfirmed_changes()) == ([], [status])
