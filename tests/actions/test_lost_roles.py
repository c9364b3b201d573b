"""People who lost a role, or their part, after opening a page cannot act on it any more."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.utils import timezone

from registry.actions import (
    contact_confirmations,
    discussion,
    namespace_records,
    recognition,
    remarks,
    reports,
    resolution_services,
    speakers,
)
from registry.enums import RemarkWeight
from registry.models import (
    Event,
    Namespace,
    Organization,
    RegistrationRequest,
    Report,
    User,
)
from registry.workflow import ActionRefused
from tests.actions.test_resolution_services import said
from tests.factories import (
    NamespaceFactory,
    UserFactory,
    end_speaking_for,
    let_speak_for,
)
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def namespace(organization: Organization) -> Namespace:
    return NamespaceFactory.create(nid="accession", registrant=organization, contact="Desk")


def grant(namespace: Namespace, asked: RegistrationRequest, actor: User) -> None:
    body = asked.organization
    pending = recognition.request_recognition(body, asked.author, "A society of vaults.")
    recognition.grant_recognition(
        pending, actor=actor, recognised_on=timezone.localdate(), source="Minutes"
    )


def remark(namespace: Namespace, asked: RegistrationRequest, actor: User) -> None:
    remarks.add_remark(
        asked,
        actor=actor,
        round_number=1,
        section="purpose",
        weight=RemarkWeight.ADVICE,
        text="Say who they are.",
    )


def hide(namespace: Namespace, asked: RegistrationRequest, actor: User) -> None:
    said = discussion.add_comment(asked, author=asked.author, text="Buy seeds.", key=uuid.uuid4())
    discussion.hide_message(said, moderator=actor, reason="Advertising.")


def close_report(namespace: Namespace, asked: RegistrationRequest, actor: User) -> None:
    found = Report.objects.create(text="A link is dead.", page="/", sent_at=timezone.now())
    reports.close_report(found, actor=actor, answer="")


Act = Callable[[Namespace, RegistrationRequest, User], Any]
ACTS: Final[dict[str, tuple[str, Act]]] = {
    "recognise a body": ("standards_body", grant),
    "enter IANA's reference": (
        "registrar",
        lambda namespace, _asked, actor: namespace_records.set_iana_reference(
            namespace, "A-7", actor=actor, seen=""
        ),
    ),
    "add a service": (
        "registrar",
        lambda namespace, _asked, actor: resolution_services.add_service(
            namespace, actor=actor, **said()
        ),
    ),
    "record who speaks for a body": (
        "registrar",
        lambda _namespace, asked, actor: speakers.record_speaker(
            asked.organization, UserFactory.create().email, "A letter", actor=actor
        ),
    ),
    "remark on a text": ("expert", remark),
    "write to the experts": (
        "expert",
        lambda _namespace, asked, actor: discussion.add_note(
            asked, author=actor, text="See RFC 8141.", key=uuid.uuid4()
        ),
    ),
    "hide a message": ("lead", hide),
    "close a report": ("registrar", close_report),
}


@pytest.mark.parametrize("name", ACTS)
def test_lost_role_after_the_page_was_drawn_bars_acting(
    request: pytest.FixtureRequest, name: str, namespace: Namespace, in_review: RegistrationRequest
) -> None:
    office, act = ACTS[name]
    officer = request.getfixturevalue(office)
    assert officer.roles, "as the page was drawn"
    User.objects.get(pk=officer.pk).groups.clear()

    with pytest.raises(ActionRefused):
        act(namespace, in_review, officer)

    assert not Event.objects.filter(actor=officer).exclude(verb="assign").exists()


def test_delegate_who_was_taken_off_meanwhile_confirms_no_contact(
    namespace: Namespace, registrant: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = namespace.registrant
    assert body
    let_speak_for(body, registrant)
    lock = contact_confirmations.lock_namespace

    def lock_later(held: Namespace) -> Namespace:
        end_speaking_for(body, registrant)
        return lock(held)

    monkeypatch.setattr(contact_confirmations, "lock_namespace", lock_later)

    with expect_refusal("not_delegate"):
        contact_confirmations.confirm_contact(namespace, actor=registrant, seen="Desk")
