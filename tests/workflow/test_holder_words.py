"""A consent to a transfer or a status is confirmed by a code, announced, and holds a week later."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry import workflow
from registry.actions import organization_proofs
from registry.enums import ChangeKind, State
from registry.models import (
    Letter,
    Namespace,
    Organization,
    RegistrationRequest,
    User,
    WordConfirmation,
)
from registry.rate_limits import MAX_CODE_ATTEMPTS
from registry.selectors import holder_consent
from registry.selectors.holder_consent import NOT_BY_HOLDER, NOT_IN_EFFECT, OBJECTED
from registry.workflow import drafts, holder_words
from tests.api.clients import Program
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    end_speaking_for,
    let_speak_for,
)
from tests.refusals import expect_refusal, list_obstacle_labels
from tests.small_changes import begin, bring_second_officer
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
WEEK = datetime.timedelta(7, minutes=1)


@pytest.fixture(autouse=True)
def a_week(settings: Settings) -> None:
    settings.REGISTRY_WORD_DAYS = 7


@pytest.fixture
def agency(db: None) -> Organization:
    return OrganizationFactory.create(name="Book Number Agency")


@pytest.fixture
def delegate(agency: Organization) -> User:
    person: User = UserFactory.create(name="Dag Delegate", email="dag@people.example")
    let_speak_for(agency, person, UserFactory.create(email="odd@people.example"))
    return person


@pytest.fixture
def namespace(agency: Organization) -> Namespace:
    return NamespaceFactory.create(nid="isbn", registrant=agency, contact="desk@books.example")


def asked_for(namespace: Namespace, change: ChangeKind, author: User) -> RegistrationRequest:
    """Return a change sent by `author`; a transfer is for another body."""
    body = OrganizationFactory.create() if change == ChangeKind.TRANSFER else None
    sent = begin(namespace, change, author, body)
    workflow.perform(sent, "submit", actor=author)
    return sent


def register(asked: RegistrationRequest, registrar: User) -> None:
    bring_second_officer(asked)
    workflow.perform(asked, "register", actor=registrar, proof="A deed")


def code_of(asked: RegistrationRequest) -> str:
    return str(asked.word_confirmations.get().code)


@pytest.mark.parametrize("change", [ChangeKind.TRANSFER, ChangeKind.STATUS])
def test_word_holds_seven_days_after_the_code_was_given(
    change: ChangeKind, namespace: Namespace, delegate: User, registrar: User
) -> None:
    asked = asked_for(namespace, change, delegate)
    with expect_refusal("may_be_published"):
        register(asked, registrar)
    assert list_obstacle_labels(asked) == [NOT_BY_HOLDER]

    holder_words.confirm_word(asked, delegate, code_of(asked))
    with expect_refusal("may_be_published"):
        register(asked, registrar)
    assert list_obstacle_labels(asked) == [NOT_IN_EFFECT]
    with time_machine.travel(timezone.now() + WEEK, tick=False):
        register(asked, registrar)

    assert asked.state == State.REGISTERED


@pytest.mark.parametrize("change", [ChangeKind.CONTACT, ChangeKind.REFERENCE])
def test_other_changes_ask_for_no_code(
    change: ChangeKind, namespace: Namespace, delegate: User, registrar: User
) -> None:
    asked = asked_for(namespace, change, delegate)

    register(asked, registrar)

    assert asked.state == State.REGISTERED
    assert not WordConfirmation.objects.exists()


def test_code_goes_to_whoever_gives_the_word_and_to_nobody_else(
    namespace: Namespace, delegate: User
) -> None:
    asked = asked_for(namespace, ChangeKind.STATUS, delegate)

    code = code_of(asked)
    told = [each.address for each in Letter.objects.all() if code in each.text + each.html]
    assert told == ["dag@people.example"]


def test_every_delegate_and_the_contact_hear_when_it_is_confirmed(
    namespace: Namespace, delegate: User
) -> None:
    asked = asked_for(namespace, ChangeKind.STATUS, delegate)

    holder_words.confirm_word(asked, delegate, code_of(asked).lower())

    told = set(Letter.objects.filter(event__verb="confirm_word").values_list("address", flat=True))
    assert told >= {"odd@people.example", "desk@books.example"}


def test_objection_within_the_week_stops_it(
    namespace: Namespace, delegate: User, registrar: User, agency: Organization
) -> None:
    asked = asked_for(namespace, ChangeKind.TRANSFER, delegate)
    holder_words.confirm_word(asked, delegate, code_of(asked))
    other = User.objects.speaking_for(agency).exclude(pk=delegate.pk).get()
    workflow.perform(asked, "object", actor=other, comment="Not agreed.")

    with (
        time_machine.travel(timezone.now() + WEEK, tick=False),
        expect_refusal("may_be_published"),
    ):
        register(asked, registrar)
    assert list_obstacle_labels(asked) == [OBJECTED]

    assert asked.state == State.APPROVED


def test_wrong_code_is_refused_and_the_right_one_too_after_some(
    namespace: Namespace, delegate: User
) -> None:
    asked = asked_for(namespace, ChangeKind.STATUS, delegate)
    for _try in range(MAX_CODE_ATTEMPTS):
        with expect_refusal("wrong_code"):
            holder_words.confirm_word(asked, delegate, "WRONGONE")

    with expect_refusal("too_many_attempts"):
        holder_words.confirm_word(asked, delegate, code_of(asked))
    holder_words.request_word_code(asked, delegate)
    holder_words.confirm_word(asked, delegate, code_of(asked))

    assert holder_consent.find_holder_consent(asked) is not None
    assert WordConfirmation.objects.get().confirmed_at


def test_code_of_one_person_is_of_no_use_to_another(
    namespace: Namespace, delegate: User, outsider: User
) -> None:
    asked = asked_for(namespace, ChangeKind.STATUS, delegate)

    with expect_refusal("nothing_to_confirm"):
        holder_words.confirm_word(asked, outsider, code_of(asked))

    assert WordConfirmation.objects.get().confirmed_at is None


def test_lost_part_meanwhile_bars_confirming(
    namespace: Namespace, delegate: User, agency: Organization
) -> None:
    asked = asked_for(namespace, ChangeKind.STATUS, delegate)
    end_speaking_for(agency, delegate)

    with expect_refusal("not_representative"):
        holder_words.confirm_word(asked, delegate, code_of(asked))


def test_confirmed_word_ends_with_the_next_round(
    namespace: Namespace, delegate: User, registrar: User
) -> None:
    asked = asked_for(namespace, ChangeKind.STATUS, delegate)
    holder_words.confirm_word(asked, delegate, code_of(asked))
    workflow.perform(asked, "request_changes", actor=registrar, comment="A slip.")
    draft = asked.draft
    assert draft is not None
    drafts.save_draft_facts(draft, {"notice": "Use another."}, seen=draft.edition)
    workflow.perform(asked, "submit", actor=delegate)

    with (
        time_machine.travel(timezone.now() + WEEK, tick=False),
        expect_refusal("may_be_published"),
    ):
        register(asked, registrar)
    assert list_obstacle_labels(asked) == [NOT_BY_HOLDER]

    assert asked.word_confirmations.count() == 2


def test_word_that_the_registrar_verified_waits_the_week_too(
    namespace: Namespace, agency: Organization, outsider: User, registrar: User
) -> None:
    asked = asked_for(namespace, ChangeKind.STATUS, outsider)
    workflow.perform(asked, "verify_holder", actor=registrar, comment="A signed letter.")

    with expect_refusal("may_be_published"):
        register(asked, registrar)
    assert list_obstacle_labels(asked) == [NOT_IN_EFFECT]
    with time_machine.travel(timezone.now() + WEEK, tick=False):
        register(asked, registrar)

    assert asked.state == State.REGISTERED


def test_turn_is_the_delegates_until_the_code_is_given(
    namespace: Namespace, delegate: User
) -> None:
    asked = asked_for(namespace, ChangeKind.STATUS, delegate)
    before = holder_consent.list_people_who_can_give_word(asked)

    holder_words.confirm_word(asked, delegate, code_of(asked))

    assert before == [delegate]
    assert holder_consent.list_people_who_can_give_word(asked) == []


@pytest.mark.pages
def test_word_is_confirmed_on_its_page(
    namespace: Namespace, delegate: User, outsider: User, agency: Organization, sign_in: SignIn
) -> None:
    asked = asked_for(namespace, ChangeKind.STATUS, outsider)
    browser = sign_in(delegate)
    prove = f"/organizations/{agency.pk}/prove/?request={asked.slug}"

    answer = browser.post(prove, {"agree": "1"})
    path = f"/requests/{asked.slug}/word/"
    wrong = browser.post(path, {"code": "WRONGONE"})
    between = text_of(browser.get(f"/requests/{asked.slug}/"))
    browser.post(path, {"code": code_of(asked)})
    after = text_of(browser.get(f"/requests/{asked.slug}/"))

    assert answer.headers["location"] == path
    assert "form" in wrong.context
    assert list(wrong.context["form"].errors) == ["code"]
    assert str(NOT_BY_HOLDER) in between
    assert str(NOT_IN_EFFECT) in after
    assert str(NOT_BY_HOLDER) not in after


@pytest.mark.pages
def test_programs_confirm_the_word(namespace: Namespace, delegate: User) -> None:
    asked = asked_for(namespace, ChangeKind.STATUS, delegate)
    program = Program.of(delegate)

    letters = Letter.objects.filter(key__startswith="word:").count()
    again = program.post(f"{asked.slug}/word/")
    wrong = program.post(f"{asked.slug}/word/", {"code": "WRONGONE"})
    done = program.post(f"{asked.slug}/word/", {"code": code_of(asked)})

    assert [again.status_code, wrong.status_code, done.status_code] == [204, 409, 204]
    assert Letter.objects.filter(key__startswith="word:").count() == letters + 1
    told = program.get(f"{asked.slug}/").json()["missing_holder_word"]
    assert "takes effect on" in told


def test_standing_behind_it_twice_asks_for_one_code(
    namespace: Namespace, delegate: User, outsider: User, agency: Organization
) -> None:
    asked = asked_for(namespace, ChangeKind.STATUS, outsider)

    for _click in range(2):
        organization_proofs.give_consent(agency, asked, actor=delegate)

    assert WordConfirmation.objects.count() == 1
