"""The letters of a request that nobody has anything against, and how many they are."""

from __future__ import annotations

from collections import Counter

import pytest
from django.utils import timezone

from registry import workflow
from registry.models import Letter, RegistrationRequest, User

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mailing_list")]


def test_smooth_request_takes_at_most_seven_letters(
    draft: RegistrationRequest, registrant: User, expert: User, lead: User, registrar: User
) -> None:
    workflow.perform(draft, "submit", actor=registrant)
    workflow.perform(draft, "assign", actor=expert)
    workflow.perform(draft, "approve", actor=expert, comment="Sound.")
    Letter.objects.update(sent_at=timezone.now())
    workflow.perform(draft, "register", actor=registrar)

    reasons = Counter(letter.reason for letter in Letter.objects.all())
    assert reasons == {"list": 3, "registrant": 2, "lead": 1, "registrar": 1}
