"""Who speaks for a namespace: links in letters, for tests that look at their pages."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from registry.actions.speakers import begin_speaking, create_row
from registry.enums import SpeakerBasis
from registry.models import RegistrationRequest, User
from registry.models.dates import Dates
from registry.notifications.holder_links import (
    OBJECTION_PURPOSE,
    SPEAKER_PURPOSE,
    sign_holder_address,
)

DESK = "desk@northlight.example"


def keep_holder_links(
    people: Mapping[str, User], requests: Mapping[str, RegistrationRequest]
) -> dict[str, str]:
    """Have a delegate named, who waits; return the keys, and the letters' link words."""
    revision = requests["open-revision"]
    registrant = people["registrant"]
    # Nothing waits in the scene but this.
    Dates().save()
    with transaction.atomic():
        speaker = create_row(
            revision.organization, people["outsider"], SpeakerBasis.NAMED, recorded_by=registrant
        )
        begin_speaking(speaker, actor=registrant)
    Dates(waiting_days=0, long_waiting_days=0).save()
    return {
        "speaker": str(speaker.pk),
        "speaker-word": sign_holder_address(SPEAKER_PURPOSE, speaker.pk, DESK),
        "objection-word": sign_holder_address(OBJECTION_PURPOSE, revision.pk, DESK),
    }
