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
    decision,
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


@pytest.mark.parametrize("name", ["take", "recuse"])
def test_get_neither_takes_nor_recuses(
    name: str, sent: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    response = sign_in(expert).get(address(sent, name))

    assert response.status_code == 405
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


# Assigned by somebody else: declaring


@pytest.fixture
def put_on(sent: RegistrationRequest, expert: User, lead: User) -> RegistrationRequest:
    """A request that the lead assigned to the expert, who has not declared yet."""
    workflow.perform(sent, "assign", actor=lead, expert=expert)
    return sent


def test_text_stays_closed_until_the_expert_has_declared(
    put_on: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    passage = "URNs of this namespace identify accessions"
    client = sign_in(expert)

    before = client.get(address(put_on))
    client.post(address(put_on, "declare"), {"seen": put_on.revision})
    after = client.get(address(put_on))

    words = text_of(before)
    assert passage not in words
    assert all(
        known in words
        for known in (
            put_on.reference,
            "urn:seedbank",
            put_on.organization.name,
            "Formal, expert review",
            "Runa Registrant",
        )
    )
    assert passage in text_of(after)
    assert after.context["form"] is not None
    assert passage in text_of(sign_in(lead).get(address(put_on)))


def test_undeclared_expert_decides_nothing(
    put_on: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    response = sign_in(expert).post(address(put_on), decision(put_on, "approve"))

    assert response.status_code == 403
    assert f'action="{address(put_on, "declare")}"' in response.content.decode()
    assert verbs(put_on) == ["start", "submit", "assign"]


def test_shared_domain_is_named_before_declaring(
    put_on: RegistrationRequest, expert: User, registrant: User, sign_in: SignIn
) -> None:
    for person in (expert, registrant):
        person.email = f"{person.pk}@vault.example"
        person.save()

    page = sign_in(expert).get(address(put_on))

    (warning,) = page.context["warnings"]
    assert "Runa Registrant" in warning
    assert "vault.example" in warning
    assert warning in text_of(page)
    assert f'action="{address(put_on, "declare")}"' in page.content.decode()


def test_expert_declares_once(put_on: RegistrationRequest, expert: User, sign_in: SignIn) -> None:
    form, client = {"seen": put_on.revision}, sign_in(expert)

    answers = [client.post(address(put_on, "declare"), form).headers["Location"] for _ in range(2)]

    assert answers == [address(put_on)] * 2
    assert verbs(put_on).count("declare") == 1


def test_expert_recuses_from_every_request_of_the_organization(
    put_on: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    form = {"seen": put_on.revision, "comment": "A relative.", "for_good": "on"}

    page = sign_in(expert).post(address(put_on, "recuse"), form, follow=True)

    assert expert.conflicts.get().organization == put_on.organization
    assert put_on.assignments.get().reason == "A relative."
    assert verbs(put_on).count("recuse") == 1
    assert [each.level_tag for each in page.context["messages"]] == ["success"]


def test_expert_who_became_party_is_not_asked_to_declare(
    put_on: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    give_stake("delegate", put_on, expert)
    client = sign_in(expert)

    page = client.get(address(put_on))
    client.post(address(put_on, "declare"), {"seen": put_on.revision})

    assert f'action="{address(put_on, "declare")}"' not in page.content.decode()
    assert page.context["why_not"] in text_of(page)
    assert verbs(put_on) == ["start", "submit", "assign"]
