"""Who speaks for a body or a namespace, as pages and the API show it."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from registry.enums import SpeakerBasis, SpeakerState
from registry.forms.speakers import (
    SPEAKER_ACT_FORMS,
    SUBJECT_ACT_FORMS,
    SpeakerActForm,
    SubjectActForm,
)
from registry.models import Namespace, Speaker, User
from registry.permissions import Person
from registry.selectors.speakers import (
    Subject,
    find_effect_time,
    find_officers,
    list_speakers,
    waiting_for_officers,
)


@dataclass(frozen=True, slots=True)
class SpeakerNotice:
    """That somebody is to speak for the holder of a namespace, or is stopped; names nobody."""

    state: SpeakerState
    basis: SpeakerBasis
    days: int
    takes_effect_at: datetime.datetime | None
    objection: str


def list_speaker_notices(namespace: Namespace) -> list[SpeakerNotice]:
    """Return what everybody may know of who is about to speak for the holder of a namespace."""
    rows = list_speakers(namespace).filter(state__in=[SpeakerState.WAITING, SpeakerState.STOPPED])
    return [
        SpeakerNotice(
            SpeakerState(row.state),
            SpeakerBasis(row.basis),
            row.waiting_days or 0,
            find_effect_time(row),
            row.objection,
        )
        for row in rows
    ]


def build_holder_context(namespace: Namespace) -> dict[str, Any]:
    """Return what the page of a namespace's holder shows, except its forms."""
    return {
        "namespace": namespace,
        "registrant": namespace.registrant,
        "count": list_speakers(namespace).in_effect().filter(person__is_active=True).count(),
        "notices": list_speaker_notices(namespace),
    }


def build_subject_forms(
    person: Person, subject: Subject, posted: Any = None
) -> list[SubjectActForm]:
    """Return the forms open to `person`, the posted one filled in."""
    act = posted.get("act") if posted else None
    return [
        form(
            posted if name == act else None,
            subject=subject,
            initial={"references": "\n".join(getattr(subject, "references", ()))},
        )
        for name, form in SUBJECT_ACT_FORMS.items()
        if form.is_open(person, subject)
    ]


def build_speaker_forms(person: User, speaker: Speaker, posted: Any = None) -> list[SpeakerActForm]:
    """Return the forms open to `person` for a row, the posted one filled in."""
    act = posted.get("act") if posted else None
    return [
        form(posted if name == act else None, speaker=speaker)
        for name, form in SPEAKER_ACT_FORMS.items()
        if form.is_open(person, speaker)
    ]


def build_context(speaker: Speaker, forms: Sequence[SpeakerActForm]) -> dict[str, Any]:
    """Return what the page of a row shows."""
    is_waiting = waiting_for_officers().filter(pk=speaker.pk).exists()
    turn, officers = find_officers(speaker) if is_waiting else (None, [])
    others = list_speakers(speaker.subject).in_effect().exclude(pk=speaker.pk)
    return {
        "speaker": speaker,
        "takes_effect_at": find_effect_time(speaker),
        "turn": turn,
        "officers": officers,
        "is_last": speaker.state == SpeakerState.IN_EFFECT and not others.exists(),
        "forms": forms,
    }
