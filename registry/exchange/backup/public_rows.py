"""What of the registry everybody may read: of which tables which rows, and what they say."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import (
    Case,
    Expression,
    F,
    Field,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from registry import journal, selectors
from registry.enums import LetterDelivery
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
    Round,
    ServiceDesignator,
    Sighting,
    User,
)
from registry.selectors.events import journal_lines, public_journal_lines
from registry.selectors.organizations import public_recognitions


@dataclass(frozen=True, slots=True)
class PublicPart:
    """What is public of one table.

    `instead` has what is said in the place of columns; `kept_back` has the columns that are not
    said at all, and what a loaded row has there, by its key.
    """

    rows: Callable[[], QuerySet[Any]]
    instead: Mapping[str, Combinable] = field(default_factory=dict)
    kept_back: Mapping[str, Callable[[int], object]] = field(default_factory=dict)


def make_constant_column(value: object) -> Callable[[int], object]:
    """Return what has `value` for every row."""
    return lambda _key: value


def make_conditional_columns(
    model: type[Model], condition: Q, **otherwise: object
) -> dict[str, Combinable]:
    """Return columns that are said where `condition` holds, and what is said where it does not."""
    return {
        name: Case(
            When(condition, then=F(name)),
            default=Value(value, find_plain_field(model, name)),
            output_field=find_plain_field(model, name),
        )
        for name, value in otherwise.items()
    }


def find_plain_field(model: type[Model], name: str) -> Field[Any, Any] | None:
    """Return of which kind a column is, none where it refers to another row."""
    column = model._meta.get_field(name)
    return column if isinstance(column, Field) and not column.is_relation else None


def all_rows_of(model: type[Model]) -> Callable[[], QuerySet[Any]]:
    """Return what gives all rows of a table."""
    return model._default_manager.all


def filter_public_requests() -> QuerySet[RegistrationRequest]:
    """Return the requests that everybody may read."""
    return RegistrationRequest.objects.public()


def rows_of_public_requests(model: type[Model]) -> Callable[[], QuerySet[Any]]:
    """Return what gives the rows of a table that belong to public requests."""
    return lambda: model._default_manager.filter(registration_request__in=filter_public_requests())


def filter_sent_rounds() -> QuerySet[Round]:
    """Return the texts that were sent."""
    return Round.objects.sent()


def filter_public_messages() -> QuerySet[Message]:
    """Return what was said for everybody; what a moderator hid keeps its place."""
    return Message.objects.public().filter(registration_request__in=filter_public_requests())


def filter_public_people() -> QuerySet[User]:
    """Return who did anything in public, or has it to do."""
    judging = Assignment.objects.filter(registration_request__in=filter_public_requests())
    return User.objects.filter(
        is_shown_by_current_name()
        | Q(pk__in=public_journal_lines().values("actor"))
        | Q(pk__in=filter_public_messages().values("author"))
        | Q(pk__in=judging.values("expert"))
        | Q(pk__in=public_recognitions().values("asked_by"))
    )


def is_shown_by_current_name() -> Q:
    """Return for whom pages show the name that they have now."""
    remarks = Remark.objects.filter(registration_request__in=filter_public_requests())
    return (
        Q(pk__in=filter_public_requests().values("author"))
        | Q(pk__in=remarks.values("author"))
        | Q(pk__in=remarks.values("answered_by"))
        | Q(pk__in=filter_public_messages().values("hidden_by"))
        | Q(pk__in=Sighting.objects.values("noted_by"))
        | Q(pk__in=public_recognitions().values("decided_by"))
    )


def make_public_name_expression() -> Expression:
    """Return the name of an account that everybody knows: it may have another by now."""
    acts = public_journal_lines().filter(actor=OuterRef("pk")).order_by("-number")
    words = filter_public_messages().filter(author=OuterRef("pk")).order_by("-pk")
    last = Coalesce(
        Subquery(acts.values("actor_name")[:1]),
        Subquery(words.values("author_name")[:1]),
        F("name"),
    )
    return Case(When(is_shown_by_current_name(), then=F("name")), default=last)


# Whoever loads it has what pages show to strangers, and a journal whose chain can be followed:
# lines that are not for everybody stand in it by their digests, as the API tells them. Digests
# speak of accounts by their keys, so that accounts are there, with a name and no way to sign in.

EARLIEST_MOMENT: Final = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
PLACEHOLDER_MAIL_DOMAIN: Final = "restored.invalid"
"""Mail to this domain reaches nobody (RFC 6761, section 6.4)."""
UNUSABLE_PASSWORD: Final = "!"


PUBLIC_TABLES: Final[Mapping[str, PublicPart]] = {
    "registry.organization": PublicPart(selectors.public_organizations),
    "registry.user": PublicPart(
        filter_public_people,
        {"name": make_public_name_expression()},
        {
            "email": lambda key: f"account-{key}@{PLACEHOLDER_MAIL_DOMAIN}",
            "password": make_constant_column(UNUSABLE_PASSWORD),
            "organization_id": make_constant_column(None),
            "delivery": make_constant_column(LetterDelivery.AT_ONCE),
            "has_shortcuts": make_constant_column(True),
            "queue_seen_at": make_constant_column(None),
            "last_login": make_constant_column(None),
            "date_joined": make_constant_column(EARLIEST_MOMENT),
            "is_active": make_constant_column(False),
            "is_staff": make_constant_column(False),
            "is_superuser": make_constant_column(False),
        },
    ),
    "registry.namespace": PublicPart(all_rows_of(Namespace)),
    "registry.provenance": PublicPart(all_rows_of(Provenance)),
    "registry.registrationrequest": PublicPart(
        filter_public_requests,
        make_conditional_columns(
            RegistrationRequest, Q(reopens__in=filter_public_requests()), reopens_id=None
        ),
        {"start_key": lambda key: uuid.UUID(int=key)},
    ),
    "registry.round": PublicPart(
        filter_sent_rounds, {"saved_at": F("submitted_at")}, {"edition": make_constant_column(0)}
    ),
    "registry.registration": PublicPart(all_rows_of(Registration)),
    "registry.event": PublicPart(
        journal_lines,
        make_conditional_columns(
            Event,
            Q(is_open=True),
            at=EARLIEST_MOMENT,
            actor_id=None,
            actor_name="",
            verb=journal.WITHHELD_VERB,
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
    "registry.remark": PublicPart(
        rows_of_public_requests(Remark),
        kept_back={
            "draft_settlement": make_constant_column(""),
            "draft_answer": make_constant_column(""),
        },
    ),
    "registry.message": PublicPart(
        filter_public_messages,
        make_conditional_columns(Message, Q(hidden_at=None), text=""),
        {
            "message_id": lambda key: f"<message-{key}@{PLACEHOLDER_MAIL_DOMAIN}>",
            "key": make_constant_column(None),
        },
    ),
    "registry.assignment": PublicPart(
        rows_of_public_requests(Assignment),
        kept_back={"due_on": make_constant_column(None), "reason": make_constant_column("")},
    ),
    "registry.recognition": PublicPart(selectors.public_recognitions),
    "registry.sighting": PublicPart(
        all_rows_of(Sighting),
        make_conditional_columns(
            Sighting, Q(claimed_by__in=filter_public_requests()), claimed_by_id=None
        ),
        {"address": make_constant_column("")},
    ),
    "registry.reservedname": PublicPart(all_rows_of(ReservedName)),
    "registry.servicedesignator": PublicPart(all_rows_of(ServiceDesignator)),
    "registry.querykeyword": PublicPart(all_rows_of(QueryKeyword)),
    "registry.resolutionservice": PublicPart(all_rows_of(ResolutionService)),
    "registry.counter": PublicPart(all_rows_of(Counter)),
}

PRIVATE_TABLES: Final = {
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
    "registry.conflictofinterest": "The journal has what was declared.",
    "registry.checklistanswer": "The journal has them once a decision was made.",
    "registry.readmarker": "What somebody has read is their own.",
    "registry.follow": "What somebody follows is their own.",
    "registry.letter": "Letters are for those who got them.",
    "registry.reminder": "Tells of drafts; the journal has what became public.",
    "registry.locatortable": "The tables of organizations are theirs.",
    "registry.locator": "The tables of organizations are theirs; one name is looked up at a time.",
    "registry.token": "A secret of its owner.",
    "registry.idempotencyrecord": "What a program was answered is its owner's.",
    "registry.webhook": "A secret of its owner.",
    "registry.webhookdelivery": "For the owner of the hook.",
    "registry.webhookattempt": "For the owner of the hook.",
    "admin.logentry": "For administrators.",
}
