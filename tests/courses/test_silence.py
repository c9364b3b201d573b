"""Somebody falls silent or leaves: everyone who can act is reminded until somebody does."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from registry.enums import RequestPath, Role
from registry.models import Organization, User
from tests.courses.story import Story, deliver, found, last_letter, letters, link_in, named, state
from tests.courses.window import Window
from tests.factories import (
    OrganizationFactory,
    UserFactory,
    let_speak_for,
)
from tests.template.samples import FORMAL
from tools.sign_in import give_factor

pytestmark = pytest.mark.django_db

TEXT = named(FORMAL, "manifestmark")


def ask(story: Story, author: User, **answers: str) -> str:
    """Send a request, and return its reference."""
    reference = story.start(author, nid="manifestmark", **answers)
    story.write(author, reference, TEXT)
    story.send(author, reference)
    return reference


def test_request_that_the_registrar_leaves_is_published_by_the_standards_body(
    story: Story,
    registrant: User,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
) -> None:
    reference = ask(story, registrant)
    story.take(expert, reference)
    story.decide(expert, reference, "approve", "Sound.")

    story.pass_days(28, step=7)
    page = Window().go(f"/requests/{reference}/").text
    assert "Who can act today: Rafe Registrar. Promised by 12 January. 21 days late." in page
    assert not Window(standards_body).go(f"/publish/{reference}/").offers("Register and publish")
    story.pass_days(7, step=7)
    page = Window().go(f"/requests/{reference}/").text
    assert "Who can act today: Stine Standards, Rafe Registrar." in page
    story.publish(standards_body, reference, "manifestmark")

    heard = letters()
    assert heard["Runa Registrant"].count("reminder-") == 3
    assert "reminder-3" in heard["Stine Standards"]
    assert heard["Rafe Registrar"].count("reminder-") == 3


def test_standards_body_whose_only_member_is_gone_is_the_administrators_turn(
    story: Story,
    registrant: User,
    expert: User,
    standards_body: User,
    administrator: User,
    outsider: User,
) -> None:
    reference = ask(story, registrant, standards_action="yes")
    story.take(expert, reference)
    story.decide(expert, reference, "report", "Sound.")
    assert "Stine Standards" in Window().go(f"/requests/{reference}/").text
    standards_body.groups.clear()

    page = Window().go(f"/requests/{reference}/").text
    assert "Who can act today: Ada Administrator." in page
    role = str(Group.objects.get(name=Role.STANDARDS_BODY).pk)
    Window(administrator).go(f"/admin/registry/user/{outsider.pk}/change/").press(
        "Save", groups=[role]
    )
    story.pass_days(2)
    give_factor(outsider)

    assert "Who can act today: Olaf Outsider." in Window().go(f"/requests/{reference}/").text


def test_applicant_who_vanished_lets_it_lapse_and_comes_back(
    story: Story,
    registrant: User,
    outsider: User,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
) -> None:
    reference = ask(story, registrant)
    story.take(expert, reference)
    story.decide(expert, reference, "request_changes", "Say who assigns names.")

    story.pass_days(175, step=5)
    assert state(reference) == "changes_requested"
    story.pass_days(5)
    page = Window().go(f"/requests/{reference}/").text
    assert "This request ended on 4 July 2026: it was expired." in page
    assert "The registry sent a reminder: the request has waited for 150 days." in page
    story.pass_days(40, step=20)

    story.act(registrant, reference, "reopen", "Reopen")
    again = found(reference).reopened_as.get().slug
    story.write(registrant, again, TEXT.replace(assignment=f"{TEXT.assignment}\n\nBy one desk."))
    story.send(registrant, again)
    assert state(again) == "in_review"
    heard = letters()
    assert heard["Runa Registrant"].startswith("request_changes reminder-1 reminder-2")
    assert heard["Runa Registrant"].endswith("reminder-3-again-4 expire")
    assert heard["the list"] == "submit request_changes expire reopen submit"


@pytest.fixture
def union(registrant: User) -> Organization:
    """A body that is recognised for the fast track."""
    body: Organization = OrganizationFactory.create(
        name="Recognised Union", recognised_on=timezone.localdate(), recognition_source="Minutes"
    )
    let_speak_for(body, registrant)
    return body


def test_body_that_vanished_gives_up_its_name_after_three_letters_and_hears_of_it(
    story: Story,
    union: Organization,
    registrant: User,
    outsider: User,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
) -> None:
    reference = ask(story, registrant, path=RequestPath.FAST_TRACK, organization=union.name)
    story.take(expert, reference)
    Window(expert).go(f"/requests/{reference}/comment/?mark=advice").press(
        "Send the comment", text="One name would be enough."
    )

    story.pass_days(175, step=5)
    assert state(reference) == "advisory"
    story.pass_days(35, step=5)
    assert state(reference) == "expired"
    page = Window().go(f"/requests/{reference}/").text
    assert "The identifier can be asked for again." in page
    assert "The registry remind." not in page
    heard = letters()
    assert heard["Runa Registrant"].endswith("reminder-3-again-4 expire")
    assert heard["urn@northlight.example"].startswith("reminder-1 reminder-2 reminder-3 ")
    assert heard["urn@northlight.example"].endswith(" expire")

    other = ask(story, outsider, organization="Marks of Origin")
    assert "ask for the same identifier" not in Window().go(f"/requests/{other}/").text


def test_silent_body_keeps_its_request_by_one_button_on_the_page_of_the_letter(
    story: Story, union: Organization, registrant: User, expert: User, lead: User, registrar: User
) -> None:
    reference = ask(story, registrant, path=RequestPath.FAST_TRACK, organization=union.name)
    story.take(expert, reference)
    story.pass_days(95, step=5)
    page = Window().go(link_in(last_letter("urn@northlight.example")))
    assert state(reference) == "advisory"

    page.press("Keep the request open")
    story.pass_days(160, step=5)

    assert state(reference) == "advisory"
    assert "keep" in letters()["Ede Expert"]


def test_expert_who_left_the_team_is_replaced_and_nobody_waits_for_them(
    story: Story,
    registrant: User,
    expert: User,
    lead: User,
    administrator: User,
    registrar: User,
) -> None:
    UserFactory.create(name="Hild Heir", roles=[Role.EXPERT])
    heir = User.objects.get(name="Hild Heir")
    reference = ask(story, registrant)
    story.take(expert, reference)
    story.pass_days(5)
    page = Window().go(f"/requests/{reference}/").text
    assert "Waiting for the designated expert Ede Expert" in page

    Window(administrator).go(f"/admin/registry/user/{expert.pk}/change/").press("Save", groups=[])
    story.pass_days(2)
    deliver()
    assert not Group.objects.filter(user=expert).exists()
    page = Window().go(f"/requests/{reference}/").text
    assert "Who can act today: Lova Lead." in page
    assert "the designated expert Ede Expert" not in page
    story.pass_days(1)
    Window(lead).go(f"/review/{reference}/assign/").press("Assign the next expert on the rota")
    assert Window(expert).go(f"/review/{reference}/").response.status_code == 403
    story.pass_days(8)
    story.decide(heir, reference, "approve", "Sound.")
    story.publish(registrar, reference, "manifestmark")

    heard = letters()
    assert "expert-lost" in heard["Ede Expert"]
    assert "expert-lost" in heard["Lova Lead"]


def test_temporary_expert_is_assigned_when_all_experts_are_conflicted(
    story: Story,
    registrant: User,
    expert: User,
    lead: User,
    outsider: User,
    registrar: User,
    standards_body: User,
) -> None:
    reference = ask(story, registrant)
    body = found(reference).organization
    for person in (expert, lead):
        window = Window(person).go("/review/conflicts/")
        window.press("Declare the conflict", organization=body.pk, reason="I founded it.")
    page = Window().go(f"/requests/{reference}/").text
    assert "None of the experts can review it." in page
    assert "Who can act today: Stine Standards." in page
    story.pass_days(8)
    Window(standards_body).go(f"/review/{reference}/assign/").press(
        "Assign", expert=outsider.email, comment="He has judged such names before."
    )
    rests = "Your role is inactive until your account has a second factor."
    assert rests in Window(outsider).go(f"/requests/{reference}/").text
    give_factor(outsider)
    story.decide(outsider, reference, "approve", "Sound.")
    assert state(reference) == "approved"
    story.publish(registrar, reference, "manifestmark")

    other = story.start(registrant, nid="originmark")
    story.write(registrant, other, named(FORMAL, "originmark"))
    story.send(registrant, other)
    for place in (other, reference):
        assert Window(outsider).go(f"/review/{place}/").response.status_code == 403
    assert letters() == {
        "Lova Lead": "submit",
        "Olaf Outsider": "assign",
        "Rafe Registrar": "approve submit",
        "Runa Registrant": "reminder-1 approve register",
        "Stine Standards": "reminder-1",
        "the list": "submit approve register submit",
        "urn@northlight.example": "submit",  # Its name is used again.
    }
