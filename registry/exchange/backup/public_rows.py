"""Which rows everyone may read; which of their columns, each model's `public_fields` says.

A loaded public dump shows what pages show to strangers, and has a journal that can be checked
against the log: private events are there as their log entries, as in the API. Entries refer to
accounts by key, so the accounts are there too, with a name and no way to sign in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from registry.journal.openness import journal_lines
from registry.models import (
    Assignment,
    Counter,
    Dispute,
    Enquiry,
    Erratum,
    Event,
    HeldNid,
    IANASnapshot,
    ImportedRecord,
    LogOrigin,
    Message,
    Namespace,
    Organization,
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


def filter_public_messages() -> QuerySet[Message]:
    """Return public messages; one hidden by a moderator keeps its place."""
    requests = RegistrationRequest.objects.public()
    return Message.objects.public().filter(registration_request__in=requests)


def filter_public_remarks() -> QuerySet[Remark]:
    return Remark.objects.filter(registration_request__in=RegistrationRequest.objects.public())


def filter_public_assignments() -> QuerySet[Assignment]:
    return Assignment.objects.filter(registration_request__in=RegistrationRequest.objects.public())


def filter_public_people() -> QuerySet[User]:
    """Return the people who did something in public, or have it to do."""
    return User.objects.filter(
        is_shown_by_current_name()
        | Q(pk__in=public_journal_lines().values("actor"))
        | Q(pk__in=filter_public_messages().values("author"))
        | Q(pk__in=filter_public_assignments().values("expert"))
        | Q(pk__in=public_recognitions().values("asked_by"))
    )


def is_shown_by_current_name() -> Q:
    """Return the condition for people whose current name is shown on pages."""
    enquiries = Enquiry.objects.public()
    return (
        Q(pk__in=RegistrationRequest.objects.public().values("author"))
        | Q(pk__in=filter_public_remarks().values("author"))
        | Q(pk__in=filter_public_remarks().values("answered_by"))
        | Q(pk__in=filter_public_messages().values("hidden_by"))
        | Q(pk__in=enquiries.values("asked_by"))
        | Q(pk__in=enquiries.values("answered_by"))
        | Q(pk__in=public_recognitions().values("decided_by"))
        | Q(pk__in=ImportedRecord.objects.values("corrected_by"))
        | Q(pk__in=Sighting.objects.values("noted_by"))
        | Q(pk__in=HeldNid.objects.values("held_by"))
        | Q(pk__in=HeldNid.objects.values("appealed_by"))
        | Q(pk__in=Dispute.objects.values("recorded_by"))
    )


def make_public_name_expression() -> Expression:
    """Return the public name of an account, which may have a new one by now."""
    acts = public_journal_lines().filter(actor=OuterRef("pk")).order_by("-number")
    messages = filter_public_messages().filter(author=OuterRef("pk")).order_by("-pk")
    last = Coalesce(
        Subquery(acts.values("actor_name")[:1]),
        Subquery(messages.values("author_name")[:1]),
        F("name"),
    )
    return Case(When(is_shown_by_current_name(), then=F("name")), default=last)


def replace_unless(
    condition: Q, model: type[Model], **replacements: object
) -> dict[str, Combinable]:
    """Return expressions for columns: their value where `condition` holds, else the given one."""
    return {
        name: Case(
            When(condition, then=F(name)),
            default=Value(value, output_field=find_plain_field(model, name)),
            output_field=find_plain_field(model, name),
        )
        for name, value in replacements.items()
    }


def find_plain_field(model: type[Model], name: str) -> Field[Any, Any] | None:
    """Return the kind of a column, or None if it refers to another row."""
    column = model._meta.get_field(name)
    return column if isinstance(column, Field) and not column.is_relation else None


PUBLIC_ROWS: Final[Mapping[type[Model], Callable[[], QuerySet[Any]]]] = {
    Organization: selectors.public_organizations,
    User: filter_public_people,
    Namespace: Namespace.objects.all,
    Provenance: Provenance.objects.all,
    RegistrationRequest: RegistrationRequest.objects.public,
    Round: Round.objects.sent,
    Registration: Registration.objects.all,
    SourceDocument: SourceDocument.objects.all,
    ImportedRecord: ImportedRecord.objects.all,
    IANASnapshot: IANASnapshot.objects.all,
    LogOrigin: LogOrigin.objects.all,
    Event: journal_lines,
    Remark: filter_public_remarks,
    Message: filter_public_messages,
    Assignment: filter_public_assignments,
    Recognition: public_recognitions,
    Sighting: Sighting.objects.all,
    HeldNid: HeldNid.objects.all,
    Dispute: Dispute.objects.all,
    Erratum: lambda: Erratum.objects.filter(is_shown=True),
    Enquiry: Enquiry.objects.public,
    ReservedName: ReservedName.objects.all,
    ServiceDesignator: ServiceDesignator.objects.all,
    QueryKeyword: QueryKeyword.objects.all,
    ResolutionService: ResolutionService.objects.all,
    Counter: Counter.objects.all,
}

REPLACED_COLUMNS: Final[Mapping[type[Model], Mapping[str, Combinable]]] = {
    User: {"name": make_public_name_expression()},
    Message: replace_unless(Q(hidden_at=None), Message, text=""),
    Event: replace_unless(
        Q(is_open=True),
        Event,
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
}
"""Expressions for public columns that not every public row shows as they are.

A reference to a row that is not public is null by itself.
"""
