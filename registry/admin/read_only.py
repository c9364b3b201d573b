"""What is read-only in the admin for everyone, superusers included."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.models import Group

from registry.admin.base import SECRET_COLUMNS, ReadOnlyAdmin, site
from registry.models import (
    Absence,
    AccountEvent,
    Appointment,
    Assignment,
    BuiltExport,
    ChecklistAnswer,
    ClockPosition,
    ConflictOfInterest,
    ContactConfirmation,
    Counter,
    DelegateChange,
    DismissedFinding,
    Dispute,
    DocumentSource,
    Enquiry,
    EntryLink,
    Event,
    FactorReset,
    Follow,
    HeldNid,
    HolderSearch,
    IANASnapshot,
    IdempotencyRecord,
    ImportedRecord,
    Invitation,
    Letter,
    LocatorTable,
    LogOrigin,
    MailedTemplate,
    Message,
    Namespace,
    NamespaceSpeaker,
    PendingComment,
    Proof,
    Provenance,
    QueryKeyword,
    RateLimit,
    ReadMarker,
    Recognition,
    RecordContact,
    Registration,
    RegistrationRequest,
    Remark,
    Reminder,
    Report,
    RequestCheck,
    ResolutionService,
    Round,
    SearchDocument,
    SearchWord,
    ServiceDesignator,
    Sighting,
    SignInSource,
    SourceDocument,
    Token,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
    WordConfirmation,
)


@admin.register(RegistrationRequest, site=site)
class RequestAdmin(ReadOnlyAdmin):
    list_display = ("reference", "nid", "organization", "change", "path", "state", "state_since")
    list_filter = ("state", "path", "change", "standards_action")
    list_select_related = ("organization",)
    search_fields = ("reference", "nid", "summary", "organization__name", "author__name")


@admin.register(Round, site=site)
class RoundAdmin(ReadOnlyAdmin):
    list_display = ("registration_request", "number", "submitted_at", "sha256")
    list_filter = (("submitted_at", admin.EmptyFieldListFilter), "number")
    list_select_related = ("registration_request",)
    search_fields = ("registration_request__reference", "nid", "sha256")


@admin.register(Namespace, site=site)
class NamespaceAdmin(ReadOnlyAdmin):
    """Registered namespaces."""

    list_display = ("nid", "kind", "status", "registrant", "registered_on")
    list_filter = ("kind", "status")
    list_select_related = ("registrant",)
    search_fields = ("nid", "summary", "registrant__name")


@admin.register(Registration, site=site)
class RegistrationAdmin(ReadOnlyAdmin):
    """Published versions."""

    list_display = ("namespace", "number", "registered_on", "registration_request")
    list_filter = ("registered_on", "number")
    list_select_related = ("namespace", "registration_request")
    search_fields = ("namespace__nid", "registration_request__reference", "sha256")


@admin.register(Provenance, site=site)
class ProvenanceAdmin(ReadOnlyAdmin):
    """Where imported facts came from."""

    list_display = ("namespace", "source", "is_verified", "registered_source")
    list_filter = ("is_verified", "registered_source", "template_generation")
    list_select_related = ("namespace",)
    search_fields = ("namespace__nid", "source", "note")


@admin.register(SourceDocument, site=site)
class SourceDocumentAdmin(ReadOnlyAdmin):
    """Documents of record, as they were found."""

    list_display = ("name", "read_from", "read_at", "sha256")
    list_filter = ("read_at",)
    search_fields = ("name", "address", "sha256")


@admin.register(DocumentSource, site=site)
class DocumentSourceAdmin(ReadOnlyAdmin):
    """Where documents of record are fetched from, and the responses."""

    list_display = ("name", "asked_from", "asked_at", "problem")
    list_filter = ("asked_at", ("problem", admin.EmptyFieldListFilter))
    search_fields = ("name", "asked_from", "problem")


@admin.register(ImportedRecord, site=site)
class ImportedRecordAdmin(ReadOnlyAdmin):
    """What was read from documents of record."""

    list_display = ("namespace", "number", "document", "version", "read_at")
    list_filter = ("generation", "is_update", "read_at")
    list_select_related = ("namespace", "document")
    search_fields = ("namespace__nid", "document__name", "sha256")


@admin.register(RecordContact, site=site)
class RecordContactAdmin(ReadOnlyAdmin):
    """Addresses in documents of record that the registrar confirmed."""

    list_display = ("namespace", "address", "confirmed_by", "confirmed_at")
    list_filter = ("confirmed_at",)
    list_select_related = ("namespace", "confirmed_by")
    search_fields = ("namespace__nid", "address")


@admin.register(IANASnapshot, site=site)
class IANASnapshotAdmin(ReadOnlyAdmin):
    """Readings of IANA's list."""

    list_display = ("address", "updated_on", "read_at", "sha256")
    list_filter = ("read_at",)
    search_fields = ("address", "sha256")


@admin.register(BuiltExport, site=site)
class BuiltExportAdmin(ReadOnlyAdmin):
    """Files of the registry as they were built."""

    list_display = ("name", "built_at", "size", "seconds", "sha256")
    list_filter = ("name",)
    search_fields = ("name", "sha256")


@admin.register(Assignment, site=site)
class AssignmentAdmin(ReadOnlyAdmin):
    """Experts on requests."""

    list_display = ("registration_request", "expert", "assigned_at", "recused_at")
    list_filter = (("recused_at", admin.EmptyFieldListFilter), "assigned_at")
    list_select_related = ("registration_request", "expert")
    search_fields = ("registration_request__reference", "expert__name", "expert__email")


@admin.register(Appointment, site=site)
class AppointmentAdmin(ReadOnlyAdmin):
    """Temporary experts."""

    list_display = ("registration_request", "person", "appointed_at", "accepted_at", "declined_at")
    list_filter = ("appointed_at",)
    list_select_related = ("registration_request", "person")
    search_fields = ("registration_request__reference", "person__name", "person__email")


@admin.register(Absence, site=site)
class AbsenceAdmin(ReadOnlyAdmin):
    list_display = ("expert", "first_day", "last_day")
    list_filter = ("first_day",)
    list_select_related = ("expert",)
    search_fields = ("expert__name", "expert__email")


@admin.register(ConflictOfInterest, site=site)
class ConflictAdmin(ReadOnlyAdmin):
    list_display = ("expert", "organization", "declared_at")
    list_filter = ("declared_at",)
    list_select_related = ("expert", "organization")
    search_fields = ("expert__name", "organization__name", "reason")


@admin.register(ChecklistAnswer, site=site)
class ChecklistAnswerAdmin(ReadOnlyAdmin):
    list_display = ("round", "expert", "question", "answer")
    list_filter = ("answer", "question")
    list_select_related = ("round__registration_request", "expert")
    search_fields = ("round__registration_request__reference", "expert__name")


@admin.register(ReadMarker, site=site)
class ReadMarkerAdmin(ReadOnlyAdmin):
    """When experts last looked at requests."""

    list_display = ("person", "registration_request", "at")
    list_filter = ("at",)
    list_select_related = ("person", "registration_request")
    search_fields = ("person__name", "registration_request__reference")


@admin.register(Remark, site=site)
class RemarkAdmin(ReadOnlyAdmin):
    list_display = ("registration_request", "number", "author", "weight", "settlement")
    list_filter = ("weight", "settlement")
    list_select_related = ("registration_request", "author")
    search_fields = ("registration_request__reference", "text", "answer")


@admin.register(Message, site=site)
class MessageAdmin(ReadOnlyAdmin):
    list_display = ("registration_request", "number", "author_name", "posted_at", "audience")
    list_filter = ("audience", "channel", ("hidden_at", admin.EmptyFieldListFilter))
    list_select_related = ("registration_request",)
    search_fields = ("registration_request__reference", "author_name", "text", "message_id")


@admin.register(Follow, site=site)
class FollowAdmin(ReadOnlyAdmin):
    list_display = ("person", "registration_request", "nid", "since")
    list_filter = ("since",)
    list_select_related = ("person", "registration_request")
    search_fields = ("person__email", "nid", "registration_request__reference")


@admin.register(Letter, site=site)
class LetterAdmin(ReadOnlyAdmin):
    """Letters, sent and waiting, without their texts: some contain keys that act for the reader."""

    list_display = ("written_at", "address", "subject", "reason", "sent_at", "attempts")
    list_filter = (
        ("sent_at", admin.EmptyFieldListFilter),
        ("dropped_at", admin.EmptyFieldListFilter),
        "reason",
        "delivery",
    )
    search_fields = ("address", "subject")
    fields = tuple(
        each.name
        for each in Letter._meta.fields
        if each.name not in SECRET_COLUMNS | {"text", "html", "headers"}
    )


@admin.register(MailedTemplate, site=site)
class MailedTemplateAdmin(ReadOnlyAdmin):
    """Templates that came by mail and wait for their sender, without their texts."""

    list_display = ("received_at", "address", "subject", "registration_request")
    list_filter = (("registration_request", admin.EmptyFieldListFilter), "is_from_list")
    list_select_related = ("registration_request",)
    search_fields = ("address", "subject", "message_id")
    fields = tuple(
        each.name
        for each in MailedTemplate._meta.fields
        if each.name not in SECRET_COLUMNS | {"text"}
    )


@admin.register(DismissedFinding, site=site)
class DismissedFindingAdmin(ReadOnlyAdmin):
    """Findings that registrants dismissed."""

    list_display = ("registration_request", "check_name", "section", "person", "at")
    list_filter = ("check_name",)
    list_select_related = ("registration_request", "person")
    search_fields = ("registration_request__reference", "check_name", "word")


@admin.register(PendingComment, site=site)
class PendingCommentAdmin(ReadOnlyAdmin):
    """Comments that are sent and not public yet, without their texts."""

    list_display = ("written_at", "registration_request", "author", "publish_at")
    list_filter = (("refusal", admin.EmptyFieldListFilter),)
    list_select_related = ("registration_request", "author")
    search_fields = ("registration_request__reference", "author__name")
    fields = tuple(
        each.name
        for each in PendingComment._meta.fields
        if each.name not in SECRET_COLUMNS | {"text"}
    )


@admin.register(Reminder, site=site)
class ReminderAdmin(ReadOnlyAdmin):
    """Reminders and escalations that were sent."""

    list_display = ("registration_request", "recognition", "kind", "since", "at")
    list_filter = ("kind",)
    list_select_related = ("registration_request", "recognition__organization")
    search_fields = ("registration_request__reference", "kind")


@admin.register(Recognition, site=site)
class RecognitionAdmin(ReadOnlyAdmin):
    """Requests for recognition, and the decisions."""

    list_display = ("organization", "asked_at", "is_granted", "decided_at")
    list_filter = ("is_granted",)
    list_select_related = ("organization",)
    search_fields = ("organization__name", "statement", "reasons")


@admin.register(Proof, site=site)
class ProofAdmin(ReadOnlyAdmin):
    """Proofs of acting for an organization."""

    list_display = ("organization", "person", "method", "domain", "proved_at")
    list_filter = ("method", ("proved_at", admin.EmptyFieldListFilter))
    list_select_related = ("organization", "person")
    search_fields = ("organization__name", "person__email", "domain", "evidence")


@admin.register(WordConfirmation, site=site)
class WordConfirmationAdmin(ReadOnlyAdmin):
    """Consents of holders that are confirmed with a code."""

    list_display = ("registration_request", "person", "asked_at", "confirmed_at")
    list_filter = (("confirmed_at", admin.EmptyFieldListFilter), "asked_at")
    list_select_related = ("registration_request", "person")
    search_fields = ("registration_request__reference", "person__email")


@admin.register(DelegateChange, site=site)
class DelegateChangeAdmin(ReadOnlyAdmin):
    """Changes to who acts for holders of namespaces."""

    list_display = ("organization", "person", "kind", "asked_at", "takes_effect_at", "outcome")
    list_filter = ("kind", "outcome", ("ended_at", admin.EmptyFieldListFilter))
    list_select_related = ("organization", "person")
    search_fields = ("organization__name", "person__email")


@admin.register(HolderSearch, site=site)
class HolderSearchAdmin(ReadOnlyAdmin):
    """Searches for the holder of a namespace."""

    list_display = ("namespace", "begun_at", "opened_at", "decided_at", "outcome")
    list_filter = ("outcome", ("ended_at", admin.EmptyFieldListFilter))
    list_select_related = ("namespace",)
    search_fields = ("namespace__nid", "evidence")


@admin.register(NamespaceSpeaker, site=site)
class NamespaceSpeakerAdmin(ReadOnlyAdmin):
    """People who speak for one namespace only."""

    list_display = ("namespace", "person", "since")
    list_filter = ("since",)
    list_select_related = ("namespace", "person")
    search_fields = ("namespace__nid", "person__email")


@admin.register(Invitation, site=site)
class InvitationAdmin(ReadOnlyAdmin):
    """Invitations to co-edit a request."""

    list_display = ("registration_request", "invited_by", "invited_at", "joined_by", "closed_at")
    list_filter = (("joined_by", admin.EmptyFieldListFilter), "invited_at")
    list_select_related = ("registration_request", "invited_by", "joined_by")
    search_fields = ("registration_request__reference", "address")


@admin.register(Sighting, site=site)
class SightingAdmin(ReadOnlyAdmin):
    """NIDs seen in use without registration."""

    list_display = ("nid", "user_of_it", "noted_at", "claimed_by")
    list_filter = ("noted_at", ("claimed_by", admin.EmptyFieldListFilter))
    list_select_related = ("claimed_by",)
    search_fields = ("nid", "evidence", "user_of_it")


@admin.register(Event, site=site)
class EventAdmin(ReadOnlyAdmin):
    list_display = ("number", "at", "actor_name", "verb", "subject")
    list_filter = ("verb", "at")
    search_fields = ("subject", "actor_name", "comment", "digest")


@admin.register(Counter, site=site)
class CounterAdmin(ReadOnlyAdmin):
    """The last number given in each series."""

    list_display = ("name", "value")
    list_filter = ("name",)
    search_fields = ("name",)


@admin.register(RequestCheck, site=site)
class RequestCheckAdmin(ReadOnlyAdmin):
    """When the scheduler looks at each live request again."""

    list_display = ("registration_request", "due_at")
    list_filter = ("due_at",)
    list_select_related = ("registration_request",)
    search_fields = ("registration_request__reference",)


@admin.register(ClockPosition, site=site)
class ClockPositionAdmin(ReadOnlyAdmin):
    """The last journal event that the scheduler has looked at."""

    list_display = ("last_line", "settings_sha256")
    list_filter = ("last_line",)
    search_fields = ("settings_sha256",)


@admin.register(LogOrigin, site=site)
class LogOriginAdmin(ReadOnlyAdmin):
    """All logs so far, each with its entry 0."""

    list_display = ("origin", "begun_at")
    list_filter = ("begun_at",)
    search_fields = ("origin",)


@admin.register(Token, site=site)
class TokenAdmin(ReadOnlyAdmin):
    """Tokens of people's programs, without the digests that identify them."""

    fields = ("user", "name", "created", "expiry")
    list_display = ("user", "name", "created", "expiry")
    list_filter = ("created", "expiry")
    list_select_related = ("user",)
    search_fields = ("user__name", "user__email", "name")


@admin.register(Group, site=site)
class RoleAdmin(ReadOnlyAdmin):
    """Roles; each account shows who holds them."""

    fields = ("name",)
    list_display = ("name",)
    list_filter = ("name",)
    search_fields = ("name",)


@admin.register(EmailAddress, site=site)
class EmailAddressAdmin(ReadOnlyAdmin):
    """Mail addresses and whether they are confirmed."""

    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    list_select_related = ("user",)
    search_fields = ("email", "user__name")


@admin.register(ResolutionService, site=site)
class ServiceAdmin(ReadOnlyAdmin):
    """Resolution services of namespaces."""

    list_display = ("namespace", "service", "template", "priority", "operator", "probe")
    list_filter = ("service", "probe", ("withdrawn_at", admin.EmptyFieldListFilter))
    list_select_related = ("namespace", "service")
    search_fields = ("namespace__nid", "template", "operator")


@admin.register(ServiceDesignator, site=site)
class DesignatorAdmin(ReadOnlyAdmin):
    """Kinds of resolution services."""

    list_display = ("name", "purpose", "status", "reference")
    list_filter = ("status",)
    search_fields = ("name", "purpose", "reference")


@admin.register(QueryKeyword, site=site)
class KeywordAdmin(ReadOnlyAdmin):
    """Keywords of queries."""

    list_display = ("keyword", "purpose", "scope", "reference")
    list_filter = ("scope",)
    search_fields = ("keyword", "purpose", "reference")


@admin.register(LocatorTable, site=site)
class LocatorTableAdmin(ReadOnlyAdmin):
    """Locator tables that organizations loaded."""

    list_display = ("namespace", "file_name", "state", "rows", "refused", "started_at")
    list_filter = ("state", "started_at")
    list_select_related = ("namespace",)
    search_fields = ("namespace__nid", "file_name", "sha256")


@admin.register(Webhook, site=site)
class WebhookAdmin(ReadOnlyAdmin):
    list_display = ("name", "owner", "url", "topic", "subject", "stopped_at")
    list_filter = ("topic", ("stopped_at", admin.EmptyFieldListFilter))
    list_select_related = ("owner",)
    search_fields = ("name", "url", "subject", "owner__email")


@admin.register(WebhookDelivery, site=site)
class WebhookDeliveryAdmin(ReadOnlyAdmin):
    list_display = ("hook", "event", "written_at", "attempts", "delivered_at", "given_up_at")
    list_filter = (("delivered_at", admin.EmptyFieldListFilter), "written_at")
    list_select_related = ("hook", "event")
    search_fields = ("hook__name", "event__subject")


@admin.register(WebhookAttempt, site=site)
class WebhookAttemptAdmin(ReadOnlyAdmin):
    """Attempts to deliver to webhooks."""

    list_display = ("delivery", "at", "status", "milliseconds", "note")
    list_filter = ("status", "at")
    list_select_related = ("delivery__hook", "delivery__event")
    search_fields = ("delivery__hook__name", "note")


@admin.register(IdempotencyRecord, site=site)
class IdempotencyRecordAdmin(ReadOnlyAdmin):
    """Responses that programs may ask for again."""

    list_display = ("person", "status", "at")
    list_filter = ("status", "at")
    list_select_related = ("person",)
    search_fields = ("person__email",)


@admin.register(RateLimit, site=site)
class RateLimitAdmin(ReadOnlyAdmin):
    """How much of each limit is used up."""

    list_display = ("key", "used", "expires_at")
    list_filter = ("expires_at",)
    search_fields = ("key",)


@admin.register(SignInSource, site=site)
class SignInSourceAdmin(ReadOnlyAdmin):
    """From which networks and browsers accounts were used, and when."""

    list_display = ("user", "used_at")
    list_filter = ("used_at",)
    list_select_related = ("user",)
    search_fields = ("user__email",)


@admin.register(SearchDocument, site=site)
class SearchDocumentAdmin(ReadOnlyAdmin):
    """What search finds; built from other tables."""

    list_display = ("kind", "key", "title")
    list_filter = ("kind",)
    search_fields = ("key", "title")


@admin.register(SearchWord, site=site)
class SearchWordAdmin(ReadOnlyAdmin):
    """The words that search knows."""

    list_display = ("word", "stem", "documents")
    list_filter = ("documents",)
    search_fields = ("word",)


@admin.register(Report, site=site)
class ReportAdmin(ReadOnlyAdmin):
    """Readers' reports to the registrar."""

    list_display = ("sent_at", "page", "closed_at", "closed_by")
    list_filter = ("closed_at",)
    list_select_related = ("closed_by",)
    search_fields = ("page", "text")


@admin.register(HeldNid, site=site)
class HeldNidAdmin(ReadOnlyAdmin):
    """NIDs held back."""

    list_display = ("nid", "ground", "source", "until", "ended_at")
    list_filter = ("ground", ("ended_at", admin.EmptyFieldListFilter))
    search_fields = ("nid", "reasons", "source")


@admin.register(Dispute, site=site)
class DisputeAdmin(ReadOnlyAdmin):
    """Disputes and agreements about namespaces."""

    list_display = ("namespace", "kind", "parties", "recorded_at", "ended_at")
    list_filter = ("kind", ("ended_at", admin.EmptyFieldListFilter))
    list_select_related = ("namespace",)
    search_fields = ("namespace__nid", "parties", "text")


@admin.register(ContactConfirmation, site=site)
class ContactConfirmationAdmin(ReadOnlyAdmin):
    """Yearly letters about contacts."""

    list_display = ("namespace", "address", "asked_at", "answered_at")
    list_filter = (("answered_at", admin.EmptyFieldListFilter), "asked_at")
    list_select_related = ("namespace",)
    search_fields = ("namespace__nid", "address")


@admin.register(EntryLink, site=site)
class EntryLinkAdmin(ReadOnlyAdmin):
    """Links in entries."""

    list_display = ("namespace", "url", "result", "note", "checked_at")
    list_filter = ("result", "checked_at")
    list_select_related = ("namespace",)
    search_fields = ("namespace__nid", "url", "note")


@admin.register(Enquiry, site=site)
class EnquiryAdmin(ReadOnlyAdmin):
    """Enquiries before a draft."""

    list_display = ("pk", "asked_by", "asked_at", "is_public", "answered_by")
    list_filter = ("is_public", ("answered_at", admin.EmptyFieldListFilter))
    list_select_related = ("asked_by", "answered_by")
    search_fields = ("question", "answer", "asked_by__name")


@admin.register(AccountEvent, site=site)
class AccountEventAdmin(ReadOnlyAdmin):
    """The account log."""

    list_display = ("at", "user", "kind", "detail", "network", "actor")
    list_filter = ("kind", "at")
    list_select_related = ("user", "actor")
    search_fields = ("user__email", "user__name", "detail")


@admin.register(FactorReset, site=site)
class FactorResetAdmin(ReadOnlyAdmin):
    """Second factors about to be removed; announced by `manage.py reset_factor`."""

    list_display = ("user", "announced_at", "due_at")
    list_filter = ("due_at",)
    list_select_related = ("user",)
    search_fields = ("user__email",)
