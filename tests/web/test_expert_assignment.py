"""Taking a request as its expert, and stepping back from it."""

from __future__ import annotations

import pytest

from registry import workflow
from registry.enums import Role
from registry.models import RegistrationRequest, User
from registry.workflow import VERBS
from tests.factories import UserFactory
from tests.web.experts import (
    SignIn,
    address,
    give_stake,
    verbs,
)
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


def test_party_to_a_request_cannot_take_it_by_a_forged_post(
    sent: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    give_stake("delegate", sent, expert)

    response = sign_in(expert).post(address(sent, "take"), {"seen": sent.revision})

    assert response.status_code == 403
    assert not sent.assignments.exists()


def test_expert_takes_a_request_after_reading_what_that_declares(
    sent: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    page = client.get(address(sent))

    response = client.post(address(sent, "take"), {"seen": sent.revision}, follow=True)

    assert str(VERBS["assign"].consequence) in text_of(page)
    assert page.context["form"] is None
    assert list(response.context["form"].fields["verb"].choices) != []
    assert [each.expert for each in sent.assignments.active()] == [expert]


def test_second_of_two_who_take_from_the_same_page_is_told(
    sent: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    seen = {"seen": sent.revision}
    sign_in(expert).post(address(sent, "take"), seen)

    response = sign_in(lead).post(address(sent, "take"), seen)

    assert response.status_code == 409
    assert address(sent) in response.content.decode()
    assert [each.expert for each in sent.assignments.all()] == [expert]


def test_expert_takes_a_request_once(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)

    response = client.post(address(in_review, "take"), {"seen": in_review.revision}, follow=True)

    assert [each.level_tag for each in response.context["messages"]] == ["error"]
    assert in_review.assignments.count() == 1


def test_expert_steps_back_with_a_reason_and_cannot_return(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    form = {"seen": str(in_review.revision), "comment": "I advised the federation last year."}

    page = client.post(address(in_review, "recuse"), form, follow=True)

    assignment = in_review.assignments.get()
    assert assignment.recused_at is not None
    assert assignment.reason == form["comment"]
    assert page.context["why_not"] in text_of(page)
    assert (page.context["form"], page.context["row"].may_take) == (None, False)


@pytest.mark.parametrize(("name", "status"), [("take", 405), ("recuse", 403)])
def test_get_neither_takes_nor_recuses(
    name: str, status: int, sent: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    response = sign_in(expert).get(address(sent, name))

    assert response.status_code == status
    assert verbs(sent) == ["start", "submit"]


def test_post_without_the_revision_seen_takes_nothing(
    sent: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    sign_in(expert).post(address(sent, "take"))

    assert not sent.assignments.exists()


def test_lead_counts_as_an_expert(sent: RegistrationRequest, sign_in: SignIn) -> None:
    both = UserFactory.create(roles=[Role.LEAD])

    sign_in(both).post(address(sent, "take"), {"seen": sent.revision})

    assert [each.expert for each in sent.assignments.all()] == [both]


# Assigned by somebody else: the first act declares


@pytest.fixture
def put_on(sent: RegistrationRequest, expert: User, lead: User) -> RegistrationRequest:
    """A request that the lead assigned to the expert, who has done nothing on it yet."""
    workflow.perform(sent, "assign", actor=lead, expert=expert)
    return sent


def test_first_act_of_an_expert_who_was_put_on_it_declares_no_conflict(
    put_on: RegistrationRequest, expert: User, registrant: User, sign_in: SignIn
) -> None:
    for person in (expert, registrant):
        person.email = f"{person.pk}@vault.example"
        person.save()
    client = sign_in(expert)
    before = text_of(client.get(address(put_on)))
    remark = {"section": "assignment", "weight": "advice", "text": "Sound.", "round_number": "1"}
    client.post(address(put_on, "remark"), remark)
    after = text_of(client.get(address(put_on)))
    put_on.refresh_from_db()
    workflow.perform(put_on, "decline", actor=expert, comment="No.")

    declaring = [each.verb for each in put_on.events.filter(data__declares=True)]
    hint = "you declare that you have no conflict of interest"
    assert (hint in before, "uses the mail domain vault.example" in before) == (True, True)
    assert hint not in after
    assert declaring == ["remark"]
    assert put_on.assignments.get().declared_at


def test_expert_recuses_from_every_request_of_the_organization(
    put_on: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    form = {"seen": put_on.revision, "comment": "A relative.", "for_good": "on"}

    page = sign_in(expert).post(address(put_on, "recuse"), form, follow=True)

    assert expert.conflicts.get().organization == put_on.organization
    assert put_on.assignments.get().reason == "A relative."
    assert verbs(put_on).count("recuse") == 1
    assert [each.level_tag for each in page.context["messages"]] == ["success"]
