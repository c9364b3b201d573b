"""What everyone may read: which rows of which tables, and what they contain."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
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
from registry.journal.openness import journal_lines
from registry.models import (
    Assignment,
    Counter,
    Dispute,
    Enquiry,
    EntryComment,
    EntryRequest,
    Event,
    HeldNid,
    IANASnapshot,
    ImportedRecord,
    LogOrigin,
    Message,
    Namespace,
    Provenance,
    QueryKeyword,
    Recognition,
    Registration,
    RegistrationRequest,
    Remark,
    ReservedName,
    ResolutionService,
    Round,
    ServiceDesignator,
    Sighting,
    SourceDocument,
    User,
)
from registry.selectors.events import public_journal_lines
from registry.selectors.organizations import public_recognitions
from registry.transparency.entries import WITHHELD_MOMENT


@dataclass(frozen=True, slots=True)
class PublicPart:
    """What is public of one table.

    `instead` has expressions that replace columns; `kept_back` has the columns that are left out,
    and their values in a loaded row, by its key. `reword` changes a row, by column name, after it
    was read.
    """

    rows: Callable[[], QuerySet[Any]]
    instead: Mapping[str, Combinable] = field(default_factory=dict)
    kept_back: Mapping[str, Callable[[int], object]] = field(default_factory=dict)
    reword: Callable[[dict[str, Any]], None] | None = None


def make_constant_column(value: object) -> Callable[[int], object]:
    """Return an expression with `value` for every row."""
    return lambda _key: value


def make_conditional_columns(
    model: type[Model], condition: Q, **otherwise: object
) -> dict[str, Combinable]:
    """Return expressions for columns: their value where `condition` holds, else the given one."""
    return {
        name: Case(
            When(condition, then=F(name)),
            default=Value(value, find_plain_field(model, name)),
            output_field=find_plain_field(model, name),
        )
        for name, value in otherwise.items()
    }


def find_plain_field(model: type[Model], name: str) -> Field[Any, Any] | None:
    """Return the kind of a column, or None if it refers to another row."""
    column = model._meta.get_field(name)
    return column if isinstance(column, Field) and not column.is_relation else None


def all_rows_of(model: type[Model]) -> Callable[[], QuerySet[Any]]:
    """Return a function that gives all rows of a table."""
    return model._default_manager.all


def filter_public_requests() -> QuerySet[RegistrationRequest]:
    """Return the public requests."""
    return RegistrationRequest.objects.public()


def rows_of_public_requests(model: type[Model]) -> Callable[[], QuerySet[Any]]:
    """Return a function that gives a table's rows of public requests."""
    return lambda: model._default_manager.filter(registration_request__in=filter_public_requests())


def filter_sent_rounds() -> QuerySet[Round]:
    """Return the texts that were sent."""
    return Round.objects.sent()


def filter_public_messages() -> QuerySet[Message]:
    """Return public messages; one hidden by a moderator keeps its place."""
    return Message.objects.public().filter(registration_request__in=filter_public_requests())


def filter_public_enquiries() -> QuerySet[Enquiry]:
    """Return the enquiries that were answered in public, as requested."""
    return Enquiry.objects.public()


def filter_public_people() -> QuerySet[User]:
    """Return the people who did something in public, or have it to do."""
    judging = Assignment.objects.filter(registration_request__in=filter_public_requests())
    return User.objects.filter(
        is_shown_by_current_name()
        | Q(pk__in=public_journal_lines().values("actor"))
        | Q(pk__in=filter_public_messages().values("author"))
        | Q(pk__in=judging.values("expert"))
        | Q(pk__in=public_recognitions().values("asked_by"))
    )


def is_shown_by_current_name() -> Q:
    """Return the condition for people whose current name is shown on pages."""
    remarks = Remark.objects.filter(registration_request__in=filter_public_requests())
    return (
        is_named_beside_our_words()
        | Q(pk__in=remarks.values("author"))
        | Q(pk__in=remarks.values("answered_by"))
        | Q(pk__in=filter_public_messages().values("hidden_by"))
        | Q(pk__in=filter_public_enquiries().values("asked_by"))
        | Q(pk__in=filter_public_enquiries().values("answered_by"))
        | Q(pk__in=EntryRequest.objects.values("asked_by"))
        | Q(pk__in=EntryRequest.objects.values("decided_by"))
        | Q(pk__in=EntryComment.objects.values("author"))
        | Q(pk__in=ImportedRecord.objects.values("corrected_by"))
    )


def is_named_beside_our_words() -> Q:
    """Return the same condition within the tables of a dump of `OURS`."""
    return (
        Q(pk__in=filter_public_requests().values("author"))
        | Q(pk__in=Sighting.objects.values("noted_by"))
        | Q(pk__in=HeldNid.objects.values("held_by"))
        | Q(pk__in=HeldNid.objects.values("appealed_by"))
        | Q(pk__in=Dispute.objects.values("recorded_by"))
        | Q(pk__in=public_recognitions().values("decided_by"))
    )


def filter_people_of_ours() -> QuerySet[User]:
    """Return the people who did, or have to do, anything in a dump of `OURS`."""
    judging = Assignment.objects.filter(registration_request__in=filter_public_requests())
    return User.objects.filter(
        is_named_beside_our_words()
        | Q(pk__in=public_journal_lines().values("actor"))
        | Q(pk__in=judging.values("expert"))
        | Q(pk__in=public_recognitions().values("asked_by"))
    )


def make_name_expression_of_ours() -> Expression:
    """Return the name of an account as a dump of `OURS` has it."""
    acts = public_journal_lines().filter(actor=OuterRef("pk")).order_by("-number")
    last = Coalesce(Subquery(acts.values("actor_name")[:1]), F("name"))
    return Case(When(is_named_beside_our_words(), then=F("name")), default=last)


def make_public_name_expression() -> Expression:
    """Return the public name of an account, which may have a new one by now."""
    acts = public_journal_lines().filter(actor=OuterRef("pk")).order_by("-number")
    words = filter_public_messages().filter(author=OuterRef("pk")).order_by("-pk")
    last = Coalesce(
        Subquery(acts.values("actor_name")[:1]),
        Subquery(words.values("author_name")[:1]),
        F("name"),
    )
    return Case(When(is_shown_by_current_name(), then=F("name")), default=last)


# A loaded dump shows what pages show to strangers, and has a journal that can be checked against
# the log: private events are there as their log entries, as in the API. Entries refer to accounts
# by key, so the accounts are there too, with a name and no way to sign in.

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
            "session_epoch": make_constant_column(0),
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
    "registry.sourcedocument": PublicPart(all_rows_of(SourceDocument)),
    "registry.importedrecord": PublicPart(all_rows_of(ImportedRecord)),
    "registry.ianasnapshot": PublicPart(all_rows_of(IANASnapshot)),
    "registry.logorigin": PublicPart(all_rows_of(LogOrigin)),
    "registry.event": PublicPart(
        journal_lines,
        make_conditional_columns(
            Event,
            Q(is_open=True),
            at=WITHHELD_MOMENT,
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
            statement="",
            actor_salt="",
            details_salt="",
            seal_salt="",
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
            "sender_digest": make_constant_column(""),
            "message_id": lambda key: f"<message-{key}@{PLACEHOLDER_MAIL_DOMAIN}>",
            "key": make_constant_column(None),
        },
    ),
    "registry.assignment": PublicPart(
        rows_of_public_requests(Assignment),
        kept_back={
            "due_on": make_constant_column(None),
            "unable_since": make_constant_column(None),
            "reason": make_constant_column(""),
        },
    ),
    "registry.recognition": PublicPart(selectors.public_recognitions),
    "registry.sighting": PublicPart(
        all_rows_of(Sighting),
        make_conditional_columns(
            Sighting, Q(claimed_by__in=filter_public_requests()), claimed_by_id=None
        ),
        {"address": make_constant_column("")},
    ),
    "registry.heldnid": PublicPart(all_rows_of(HeldNid)),
    "registry.dispute": PublicPart(all_rows_of(Dispute)),
    "registry.enquiry": PublicPart(filter_public_enquiries),
    "registry.entryrequest": PublicPart(all_rows_of(EntryRequest)),
    "registry.entrycomment": PublicPart(all_rows_of(EntryComment)),
    "registry.reservedname": PublicPart(all_rows_of(ReservedName)),
    "registry.servicedesignator": PublicPart(all_rows_of(ServiceDesignator)),
    "registry.querykeyword": PublicPart(all_rows_of(QueryKeyword)),
    "registry.resolutionservice": PublicPart(all_rows_of(ResolutionService)),
    "registry.counter": PublicPart(all_rows_of(Counter)),
}

WITHHELD_WORDS: Final = "Left out: these words are not ours to give away."
"""Replaces what a person wrote, where a row without it would mean something else."""


def withhold_words(
    model: type[Model], *names: str, besides: Q | None = None
) -> dict[str, Combinable]:
    """Return columns that only say that something was written, `besides` in some rows."""
    return {
        name: Case(
            When(Q(**{name: ""}) | besides if besides else Q(**{name: ""}), then=F(name)),
            default=Value(WITHHELD_WORDS),
            output_field=find_plain_field(model, name),
        )
        for name in names
    }


PLAIN_DETAILS: Final = frozenset(
    {
        "channel",
        "claim",
        "day",
        "days",
        "document",
        "enquiry",
        "entry_request",
        "kind",
        "lines",
        "message",
        "nid",
        "number",
        "organization",
        "organization_id",
        "path_before",
        "recognition",
        "record",
        "registrant",
        "remark",
        "round",
        "service",
        "sha256",
        "standards_action_before",
        "status",
        "until",
        "version",
        "vocabulary",
        "weight",
    }
)
"""Event details that are numbers, names, digests and words of a vocabulary."""
NESTED_DETAILS: Final = frozenset({"before", "after"})
"""Details that contain details."""


def withhold_words_of_line(line: dict[str, Any]) -> None:
    """Remove a person's words from an event; its log entry stays as it is.

    Without the salt nobody can tell what the entry commits to, and a verifier treats the event as
    one whose details were withdrawn. An event without such words keeps its salt.
    """
    kept = keep_plain_details(line["data"])
    if line["comment"] or kept != line["data"]:
        line |= {"comment": "", "data": kept, "details_salt": ""}


def keep_plain_details(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details that no person worded."""
    plain = {
        name: value
        for name, value in data.items()
        if name in PLAIN_DETAILS and not isinstance(value, dict | list)
    }
    nested = {
        name: keep_plain_details(value)
        for name, value in data.items()
        if name in NESTED_DETAILS and isinstance(value, dict)
    }
    return plain | nested


TABLES_OF_OTHERS: Final[Mapping[str, str]] = {
    "registry.sourcedocument": "Texts of documents, on the terms of who published each: of RFCs, "
    "those of the IETF Trust (https://trustee.ietf.org/license-info/).",
    "registry.importedrecord": "Templates read out of these documents, on the same terms.",
    "registry.message": "Messages belong to those who wrote them.",
    "registry.remark": "Remarks and answers belong to those who wrote them.",
    "registry.enquiry": "Questions and answers belong to those who wrote them.",
    "registry.entryrequest": "Reasons belong to those who gave them; what was granted stands in "
    "registry.querykeyword and registry.servicedesignator.",
    "registry.entrycomment": "Comments belong to those who wrote them.",
}
"""Tables with texts that we may not license, and the terms on which they can be read here."""

WORDS_OF_OTHERS: Final[Mapping[str, str]] = {
    "registry.event": "Comments and details of the journal, as far as a person worded them.",
    "registry.heldnid": "Reasons, appeals and answers.",
    "registry.dispute": "What the parties said.",
    "registry.recognition": "Statements and reasons.",
    "registry.sighting": "What somebody noted here as evidence.",
}
"""Tables with our own facts next to people's words, and what those words are."""

PARTS_OF_OURS: Final[Mapping[str, PublicPart]] = {
    "registry.user": replace(
        PUBLIC_TABLES["registry.user"],
        rows=filter_people_of_ours,
        instead={"name": make_name_expression_of_ours()},
    ),
    "registry.event": replace(PUBLIC_TABLES["registry.event"], reword=withhold_words_of_line),
    "registry.heldnid": PublicPart(
        all_rows_of(HeldNid),
        withhold_words(HeldNid, "reasons", "source", "appeal", "appeal_answer", "ending"),
    ),
    "registry.dispute": PublicPart(
        all_rows_of(Dispute), withhold_words(Dispute, "parties", "text", "source", "ending")
    ),
    "registry.recognition": PublicPart(
        selectors.public_recognitions, withhold_words(Recognition, "statement", "reasons")
    ),
    "registry.sighting": replace(
        PUBLIC_TABLES["registry.sighting"],
        instead={
            **PUBLIC_TABLES["registry.sighting"].instead,
            **withhold_words(Sighting, "evidence", "user_of_it", besides=Q(noted_by=None)),
        },
    ),
}
"""What a dump of `OURS` has of tables with words of others."""

PRIVATE_TABLES: Final = {
    "auth.group": "Made by `migrate`.",
    "auth.group_permissions": "Nobody of a public dump may do anything.",
    "registry.user_groups": "Nobody of a public dump may do anything.",
    "registry.user_user_permissions": "Nobody of a public dump may do anything.",
    "account.emailaddress": "Email addresses of people are their own.",
    "account.emailconfirmation": "Email addresses of people are their own.",
    "mfa.authenticator": "A secret of its owner.",
    "socialaccount.socialapp": "How this site is known to others.",
    "socialaccount.socialaccount": "Which account elsewhere is whose is their own.",
    "registry.organization_delegates": "Who acts for whom is told to nobody.",
    "registry.proof": "Who acts for whom is told to nobody.",
    "registry.documentsource": "When servers of others were asked, and what they answered.",
    "registry.recordcontact": "Email addresses are told to nobody.",
    "registry.wordconfirmation": "Who acts for whom is told to nobody; it holds codes.",
    "registry.delegatechange": "Who acts for whom is told to nobody; it holds codes.",
    "registry.holdersearch": "It holds addresses; the journal has what was said in public.",
    "registry.namespacespeaker": "Who acts for whom is told to nobody.",
    "registry.registrationrequest_co_editors": "Who writes what is told to nobody.",
    "registry.invitation": "Who writes what is told to nobody.",
    "registry.mailedtemplate": "Nobody has said yet that it is theirs.",
    "registry.dismissedfinding": "Part of a draft until the next round is sent.",
    "registry.pendingcomment": "Not public yet, and maybe never.",
    "registry.absence": "For the experts and their lead.",
    "registry.report": "For the registrar, with the addresses of those who wrote.",
    "registry.conflictofinterest": "The journal has what was declared.",
    "registry.checklistanswer": "The journal has them once a decision was made.",
    "registry.appointment": "The journal has who was appointed, and what they answered.",
    "registry.readmarker": "What somebody has read is their own.",
    "registry.follow": "What somebody follows is their own.",
    "registry.contactconfirmation": "Addresses written to, and secrets of letters.",
    "registry.entrylink": "What other servers said when the registrar had them asked.",
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
