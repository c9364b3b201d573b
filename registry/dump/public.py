"""What of the registry everybody may read: of which tables which rows, and what they say.

Whoever loads it has what pages show to strangers, and a journal whose chain can be followed:
lines that are not for everybody stand in it by their digests, as the API tells them. Digests
speak of accounts by their keys, so that accounts are there, with a name and no way to sign in.
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Mapping
from typing import Final

from django.db.models import F, Q

from registry import journal, queries
from registry.choices import Delivery
from registry.dump.part import Part, always, only_if
from registry.dump.readable import (
    every,
    messages,
    name_in_public,
    of_requests,
    people,
    requests,
    rounds,
)
from registry.models import (
    Assignment,
    Counter,
    Event,
    Message,
    Namespace,
    Provenance,
    QueryKeyword,
    Registration,
    RegistrationRequest,
    Remark,
    ReservedName,
    ResolutionService,
    ServiceDesignator,
    Sighting,
)
from registry.queries.events import every_line

NEVER: Final = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
NOBODYS: Final = "restored.invalid"
"""Mail to this domain reaches nobody (RFC 6761, section 6.4)."""
NO_PASSWORD: Final = "!"


PUBLIC: Final[Mapping[str, Part]] = {
    "registry.organization": Part(queries.public_organizations),
    "registry.user": Part(
        people,
        {"name": name_in_public()},
        {
            "email": lambda key: f"account-{key}@{NOBODYS}",
            "password": always(NO_PASSWORD),
            "organization_id": always(None),
            "delivery": always(Delivery.AT_ONCE),
            "has_shortcuts": always(True),
            "queue_seen_at": always(None),
            "last_login": always(None),
            "date_joined": always(NEVER),
            "is_active": always(False),
            "is_staff": always(False),
            "is_superuser": always(False),
        },
    ),
    "registry.namespace": Part(every(Namespace)),
    "registry.provenance": Part(every(Provenance)),
    "registry.registrationrequest": Part(
        requests,
        only_if(RegistrationRequest, Q(reopens__in=requests()), reopens_id=None),
        {"start_key": lambda key: uuid.UUID(int=key)},
    ),
    "registry.round": Part(rounds, {"saved_at": F("submitted_at")}, {"edition": always(0)}),
    "registry.registration": Part(every(Registration)),
    "registry.event": Part(
        every_line,
        only_if(
            Event,
            Q(is_open=True),
            at=NEVER,
            actor_id=None,
            actor_name="",
            verb=journal.WITHHELD,
            subject="",
            registration_request_id=None,
            namespace_id=None,
            source="",
            target="",
            comment="",
            data={},
            rows={},
        ),
    ),
    "registry.remark": Part(
        of_requests(Remark),
        kept_back={"draft_settlement": always(""), "draft_answer": always("")},
    ),
    "registry.message": Part(
        messages,
        only_if(Message, Q(hidden_at=None), text=""),
        {"message_id": lambda key: f"<message-{key}@{NOBODYS}>", "key": always(None)},
    ),
    "registry.assignment": Part(
        of_requests(Assignment), kept_back={"due_on": always(None), "reason": always("")}
    ),
    "registry.recognition": Part(queries.public_recognitions),
    "registry.sighting": Part(
        every(Sighting),
        only_if(Sighting, Q(claimed_by__in=requests()), claimed_by_id=None),
        {"address": always("")},
    ),
    "registry.reservedname": Part(every(ReservedName)),
    "registry.servicedesignator": Part(every(ServiceDesignator)),
    "registry.querykeyword": Part(every(QueryKeyword)),
    "registry.resolutionservice": Part(every(ResolutionService)),
    "registry.counter": Part(every(Counter)),
}

NOT_PUBLIC: Final = {
    "auth.group": "Made by `migrate`.",
    "auth.group_permissions": "Nobody of a public dump may do anything.",
    "registry.user_groups": "Nobody of a public dump may do anything.",
    "registry.user_user_permissions": "Nobody of a public dump may do anything.",
    "account.emailaddress": "Mail addresses of people are their own.",
    "account.emailconfirmation": "Mail addresses of people are their own.",
    "registry.organization_delegates": "Who acts for whom is told to nobody.",
    "registry.proof": "Who acts for whom is told to nobody.",
    "registry.registrationrequest_co_editors": "Who writes what is told to nobody.",
    "registry.invitation": "Who writes what is told to nobody.",
    "registry.absence": "For the experts and their lead.",
    "registry.conflict": "The journal has what was declared.",
    "registry.checklistanswer": "The journal has them once a decision was made.",
    "registry.visit": "What somebody has read is their own.",
    "registry.watch": "What somebody follows is their own.",
    "registry.letter": "Letters are for those who got them.",
    "registry.nudge": "Tells of drafts; the journal has what became public.",
    "registry.locatortable": "The tables of organizations are theirs.",
    "registry.locator": "The tables of organizations are theirs; one name is looked up at a time.",
    "registry.token": "A secret of its owner.",
    "registry.answered": "What a program was answered is its owner's.",
    "registry.hook": "A secret of its owner.",
    "registry.hookdelivery": "For the owner of the hook.",
    "registry.hookattempt": "For the owner of the hook.",
    "admin.logentry": "For administrators.",
}
