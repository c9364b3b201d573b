"""Requests that are withdrawn, and come back or do not."""

from __future__ import annotations

import pytest
from django.utils import timezone

from registry.models import Namespace, Organization, User
from tests.courses.story import Story, letters, list_verbs, named, state
from tests.courses.window import Window
from tests.factories import OrganizationFactory, UserFactory, let_speak_for
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db

TEXT = named(FORMAL, "gadget")
BODY = "Gadget Union"


@pytest.fixture
def union(db: None) -> Organization:
    """A body that is recognised, so that the registry knows it."""
    body: Organization = OrganizationFactory.create(
        name=BODY, recognised_on=timezone.localdate(), recognition_source="Minutes"
    )
    return body


def test_withdrawal_that_another_of_the_side_undoes_costs_nothing(
    story: Story,
    union: Organization,
    registrant: User,
    outsider: User,
    expert: User,
    registrar: User,
) -> None:
    colleague = UserFactory.create(name="Kaja Colleague", email="kaja@people.example")
    let_speak_for(union, registrant, colleague)
    reference = story.start(registrant, nid="gadget", organization=BODY)
    story.write(registrant, reference, TEXT)
    story.send(registrant, reference)
    rival = story.start(outsider, nid="gadget", organization="Gadget Makers")
    story.write(outsider, rival, TEXT)
    story.send(outsider, rival)
    story.take(expert, rival)
    story.act(colleague, reference, "withdraw", "Withdraw", comment="We merge.")
    assert state(reference) == "withdrawn"
    story.decide(expert, rival, "approve", "It is the only one now.")
    story.pass_days(3)
    page = Window(registrar).go(f"/publish/{rival}/")
    assert "was withdrawn, and that can be undone until" in page.text
    assert not page.offers("Register and publish")

    story.act(registrant, reference, "reopen", "Reopen", comment="We do not merge.")

    assert state(reference) == "in_review"
    assert list_verbs(reference)[-2:] == ["withdraw", "reopen"]
    assert not Namespace.objects.filter(nid="gadget").exists()
    told = letters()
    assert told["Kaja Colleague"].split()[-1] == "reopen"
    assert "withdraw" in told["Runa Registrant"].split()


def test_body_withdraws_for_good_what_a_stranger_asked_in_its_name(
    story: Story, union: Organization, registrant: User, outsider: User, lead: User
) -> None:
    let_speak_for(union, registrant)
    reference = story.start(outsider, nid="gadget", organization=BODY)
    story.write(outsider, reference, TEXT)
    story.send(outsider, reference)

    story.act(registrant, reference, "withdraw", "Withdraw", comment="Nobody of us asked for it.")
    story.act(outsider, reference, "reopen", "Reopen", comment="But I want it.")

    assert state(reference) == "withdrawn"
