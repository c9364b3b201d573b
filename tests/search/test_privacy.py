"""Search reveals nothing that an anonymous reader may not read, not even to those who may."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from registry import workflow
from registry.actions.discussion import add_note
from registry.actions.speakers import create_row
from registry.enums import SpeakerBasis
from registry.models import (
    ConflictOfInterest,
    Invitation,
    Letter,
    Organization,
    Recognition,
    RegistrationRequest,
    SearchDocument,
    SearchWord,
    Sighting,
    User,
    Webhook,
)
from registry.search import rebuild_index
from registry.workflow import drafts

pytestmark = pytest.mark.django_db

ROLES = (
    "nobody",
    "registrant",
    "expert",
    "lead",
    "registrar",
    "standards_body",
    "administrator",
    "outsider",
)
PRIVATE_WORDS = (
    "privatepurpose",
    "privatesummary",
    "privatebody",
    "privatenid",
    "privateround",
    "privatenote",
    "privateconflict",
    "privateletter",
    "privatestatement",
    "privatedomain",
    "privateaddress",
    "privatewitness",
    "privatehook",
    "privateperson",
)


@pytest.fixture
def secrets(
    in_review: RegistrationRequest,
    registrant: User,
    expert: User,
    outsider: User,
) -> None:
    """A registry with a private word in every place."""
    now = timezone.now()
    body = Organization.objects.create(
        name="Privatebody Union", website="https://privatebody.example/"
    )
    started = drafts.start_request(
        author=registrant,
        path=in_review.path,  # type: ignore[arg-type]
        organization=body,
        summary="privatesummary of things",
        nid="privatenid",
    )
    assert started.draft is not None
    drafts.save_draft(started.draft, {"purpose": "privatepurpose"}, seen=started.draft.edition)
    add_note(in_review, author=expert, text="privatenote", key=uuid.uuid4())
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say more.")
    assert in_review.draft is not None
    drafts.save_draft(in_review.draft, {"purpose": "privateround"}, seen=in_review.draft.edition)
    about: dict[str, Any] = {"organization": body, "asked_at": now}
    Recognition.objects.create(asked_by=registrant, statement="privatestatement", **about)
    create_row(body, registrant, SpeakerBasis.DNS, domain="privatedomain.example")
    conflicted = Organization.objects.create(name="Privateconflict Club")
    ConflictOfInterest.objects.create(expert=expert, organization=conflicted, declared_at=now)
    Letter.objects.create(key="one", address="a@b.example", subject="privateletter", written_at=now)
    Invitation.objects.create(
        address="privateaddress@people.example",
        invited_by=registrant,
        invited_at=now,
        registration_request=in_review,
    )
    Sighting.objects.create(
        nid="seen",
        evidence="A page.",
        address="privatewitness@a.example",
        noted_by=outsider,
        noted_at=now,
    )
    Webhook.objects.create(
        owner=registrant, url="https://privatehook.example/", form_key=uuid.uuid4()
    )
    outsider.name = "Privateperson"
    outsider.save()


@pytest.mark.whole
@pytest.mark.parametrize("is_made_anew", [False, True], ids=["as kept", "made anew"])
def test_no_private_word_finds_anything_for_anybody(
    is_made_anew: bool,
    secrets: None,
    in_review: RegistrationRequest,
    request: pytest.FixtureRequest,
    sign_in: Callable[[User], Client],
) -> None:
    if is_made_anew:
        rebuild_index()

    assert SearchDocument.objects.filter(key=in_review.reference).exists()
    for role in ROLES:
        client = Client() if role == "nobody" else sign_in(request.getfixturevalue(role))
        for word in PRIVATE_WORDS:
            page = client.get("/find/", {"q": word}).content.decode()
            offered = client.get("/find/suggestions/", {"q": word[:-1]}).content.decode()
            assert f"No results for “{word}”" in page, (role, word)
            assert "option" not in offered, (role, word)


def test_no_private_word_is_among_the_words_by_which_typing_mistakes_are_mended(
    secrets: None,
) -> None:
    rebuild_index()

    known = set(SearchWord.objects.values_list("word", flat=True))
    assert {word for word in known if word.startswith("private")} == set()
    assert "seeds" in known or "seed" in known
