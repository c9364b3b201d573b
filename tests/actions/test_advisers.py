"""The lead invites somebody by mail address, whose messages are marked from then on."""

from __future__ import annotations

import uuid

import pytest
from django.urls import reverse

from registry.actions import discussion
from registry.actions.advisers import invite_adviser
from registry.enums import MessageMark
from registry.models import Letter, RegistrationRequest, User
from registry.workflow import ActionRefused
from tests.factories import UserFactory
from tests.web.experts import SignIn

pytestmark = pytest.mark.django_db


def comment(registration_request: RegistrationRequest, author: User) -> str:
    message = discussion.add_comment(
        registration_request, author=author, text="Two names would do.", key=uuid.uuid4()
    )
    return message.mark


@pytest.mark.pages
def test_lead_invites_somebody_without_an_account_whose_messages_are_marked(
    in_review: RegistrationRequest, lead: User, outsider: User, sign_in: SignIn
) -> None:
    page = reverse("review:invite", args=[in_review.slug])
    address = "Botanist@gardens.example"
    sign_in(lead).post(page, {"address": address, "comment": "Are seeds named so?"})
    letter = Letter.objects.get(address=address)
    event = in_review.events.latest("number")

    botanist = UserFactory.create(email="botanist@gardens.example")
    marks = [comment(in_review, person) for person in (botanist, outsider)]

    assert in_review.get_absolute_url() in letter.text
    assert (event.verb, event.comment) == ("invite_adviser", "Are seeds named so?")
    assert address not in str(event.data)
    assert marks == [MessageMark.INVITED, ""]


def test_address_is_invited_once_and_by_the_lead_alone(
    in_review: RegistrationRequest, lead: User, expert: User
) -> None:
    address = "botanist@gardens.example"
    with pytest.raises(ActionRefused):
        invite_adviser(in_review, address=address, comment="Why?", lead=expert)
    invite_adviser(in_review, address=address, comment="Why?", lead=lead)
    with pytest.raises(ActionRefused):
        invite_adviser(in_review, address=address, comment="Why?", lead=lead)

    assert Letter.objects.filter(address=address).count() == 1
