"""Co-editors are invited by mail, accept, and are party to the request from then on."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.utils import timezone

from registry import (
    permissions,
    selectors,
    workflow,
)
from registry.actions import co_editors
from registry.enums import Role
from registry.models import Invitation, Letter, RegistrationRequest, User
from registry.selectors import experts, review_queue
from registry.workflow import ActionRefused
from tests.actions.conftest import last_letter, link_in
from tests.factories import (
    UserFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def invitation(draft: RegistrationRequest, registrant: User, outsider: User) -> Invitation:
    """An invitation of the outsider to a draft."""
    return co_editors.invite_co_editor(draft, "Outsider@People.example", actor=registrant)


def verbs(registration_request: RegistrationRequest) -> list[str]:
    """Return the verbs of a request's events after it was started."""
    return [event.verb for event in registration_request.events.all()][1:]


def test_invitation_goes_out_as_a_letter_whether_there_is_an_account_or_not(
    draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    for address in ("outsider@people.example", "nobody@people.example"):
        invitation = co_editors.invite_co_editor(draft, address, actor=registrant)

        assert last_letter().address == address
        assert link_in(last_letter()) == f"/account/invitations/{invitation.key}/"

    assert list(draft.co_editors.all()) == []


def test_invited_person_who_accepts_writes_the_draft(
    invitation: Invitation, draft: RegistrationRequest, outsider: User
) -> None:
    assert not selectors.requests_visible_to(outsider).filter(pk=draft.pk).exists()

    co_editors.accept_invitation(invitation, actor=outsider)

    assert list(draft.co_editors.all()) == [outsider]
    assert selectors.requests_visible_to(outsider).filter(pk=draft.pk).exists()
    assert permissions.may_edit(outsider, draft)
    assert verbs(draft) == ["invite", "join"]
    assert draft.events.latest("number").actor == outsider


def test_co_editor_does_not_send(
    invitation: Invitation, draft: RegistrationRequest, outsider: User
) -> None:
    co_editors.accept_invitation(invitation, actor=outsider)

    with expect_refusal("role"):
        workflow.perform(draft, "submit", actor=outsider)


def test_nobody_but_the_invited_reader_joins(
    invitation: Invitation, draft: RegistrationRequest, expert: User
) -> None:
    with pytest.raises(ActionRefused, match="went to another email address"):
        co_editors.accept_invitation(invitation, actor=expert)

    assert list(draft.co_editors.all()) == []


def test_unconfirmed_address_is_nobodys(draft: RegistrationRequest, registrant: User) -> None:
    newcomer = UserFactory.create(email="newcomer@people.example", confirmed=False)
    newcomer.emailaddress_set.create(email="newcomer@people.example", verified=False)
    invitation = co_editors.invite_co_editor(draft, "newcomer@people.example", actor=registrant)

    with pytest.raises(ActionRefused, match="went to another email address"):
        co_editors.accept_invitation(invitation, actor=newcomer)


def test_invited_reader_who_signs_up_later_joins(
    draft: RegistrationRequest, registrant: User
) -> None:
    invitation = co_editors.invite_co_editor(draft, "late@people.example", actor=registrant)

    late = UserFactory.create(email="late@people.example")

    assert list(co_editors.invitations_open_to(late)) == [invitation]
    co_editors.accept_invitation(invitation, actor=late)
    assert list(co_editors.invitations_open_to(late)) == []


def test_inviting_and_joining_twice_does_it_once(
    invitation: Invitation, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    assert co_editors.invite_co_editor(draft, outsider.email, actor=registrant) == invitation

    for _click in range(2):
        co_editors.accept_invitation(invitation, actor=outsider)

    assert verbs(draft) == ["invite", "join"]
    assert Letter.objects.filter(address=outsider.email).count() == 1


def test_invitation_has_its_time_and_can_be_written_anew(
    invitation: Invitation, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    with time_machine.travel(timezone.now() + datetime.timedelta(days=15)):
        with pytest.raises(ActionRefused, match="too old"):
            co_editors.accept_invitation(invitation, actor=outsider)
        anew = co_editors.invite_co_editor(draft, outsider.email, actor=registrant)
        co_editors.accept_invitation(anew, actor=outsider)

    assert anew != invitation
    assert list(draft.co_editors.all()) == [outsider]


def test_invitation_taken_back_leads_nowhere(
    invitation: Invitation, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    co_editors.revoke_invitation(invitation, actor=registrant)

    with pytest.raises(ActionRefused, match="used or withdrawn"):
        co_editors.accept_invitation(invitation, actor=outsider)
    assert verbs(draft) == ["invite", "take_invitation_back"]


def test_request_that_has_ended_takes_nobody(
    invitation: Invitation, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    workflow.perform(draft, "withdraw", actor=registrant)

    with pytest.raises(ActionRefused, match="is closed"):
        co_editors.accept_invitation(Invitation.objects.get(pk=invitation.pk), actor=outsider)
    with expect_refusal("not_registrant"):
        co_editors.invite_co_editor(draft, "more@people.example", actor=registrant)


def test_only_the_registrant_invites_and_takes_off(
    invitation: Invitation, draft: RegistrationRequest, outsider: User, expert: User
) -> None:
    co_editors.accept_invitation(invitation, actor=outsider)

    for person in (outsider, expert):
        with expect_refusal("not_registrant"):
            co_editors.invite_co_editor(draft, "more@people.example", actor=person)
    with expect_refusal("not_registrant"):
        co_editors.remove_co_editor(draft, outsider, actor=expert)

    assert list(draft.co_editors.all()) == [outsider]


def test_delegate_invites(draft: RegistrationRequest, expert: User) -> None:
    let_speak_for(draft.organization, expert)

    assert (
        co_editors.invite_co_editor(draft, "more@people.example", actor=expert).invited_by == expert
    )


@pytest.mark.parametrize("who", ["author", "delegate", "co-editor"])
def test_co_editors_are_not_invited_again(
    who: str, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    if who == "delegate":
        let_speak_for(draft.organization, outsider)
    elif who == "co-editor":
        draft.co_editors.add(outsider)
    address = registrant.email if who == "author" else outsider.email

    with expect_refusal("already_editor"):
        co_editors.invite_co_editor(draft, address, actor=registrant)


def test_nobody_has_many_letters_written(draft: RegistrationRequest, registrant: User) -> None:
    for number in range(co_editors.MAX_INVITATIONS_PER_DAY):
        co_editors.invite_co_editor(draft, f"reader{number}@people.example", actor=registrant)

    with expect_refusal("limit_reached"):
        co_editors.invite_co_editor(draft, "last@people.example", actor=registrant)


def test_registrant_takes_a_co_editor_off_and_a_co_editor_leaves(
    invitation: Invitation, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    co_editors.accept_invitation(invitation, actor=outsider)
    for _click in range(2):
        co_editors.remove_co_editor(draft, outsider, actor=registrant)
    again = co_editors.invite_co_editor(draft, outsider.email, actor=registrant)
    co_editors.accept_invitation(again, actor=outsider)

    co_editors.remove_co_editor(draft, outsider, actor=outsider)

    assert list(draft.co_editors.all()) == []
    assert not selectors.requests_visible_to(outsider).filter(pk=draft.pk).exists()
    assert verbs(draft) == ["invite", "join", "remove_co_editor"] * 2


def test_expert_who_co_edited_never_judges_even_after_leaving(
    draft: RegistrationRequest, registrant: User
) -> None:
    expert = UserFactory.create(email="judge@people.example", roles=[Role.EXPERT])
    assert permissions.may_take(expert, draft)
    invitation = co_editors.invite_co_editor(draft, expert.email, actor=registrant)
    assert permissions.may_take(expert, draft)

    co_editors.accept_invitation(invitation, actor=expert)
    assert not permissions.may_take(expert, draft)
    co_editors.remove_co_editor(draft, expert, actor=expert)

    assert not permissions.may_take(expert, draft)
    asked = RegistrationRequest.objects.filter(pk=draft.pk)
    assert vars(review_queue.annotate_stake(expert, asked).get())["stake"] == "co_editor"
    people = User.objects.annotate(barrier=experts.build_barrier(draft))
    assert people.get(pk=expert.pk).barrier == "co_editor"


def test_expert_at_work_steps_back_before_co_editing(
    in_review: RegistrationRequest, registrant: User, expert: User
) -> None:
    invitation = co_editors.invite_co_editor(in_review, expert.email, actor=registrant)

    with pytest.raises(ActionRefused, match="Recuse yourself first"):
        co_editors.accept_invitation(invitation, actor=expert)


def test_co_editing_is_no_news_for_the_list(
    in_review: RegistrationRequest, registrant: User, outsider: User
) -> None:
    invitation = co_editors.invite_co_editor(in_review, outsider.email, actor=registrant)
    co_editors.accept_invitation(invitation, actor=outsider)

    told = Letter.objects.filter(event__verb="join").values_list("address", flat=True)
    assert list(told) == [registrant.email]
