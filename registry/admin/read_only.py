"""What is read-only in the admin for everybody, superusers included."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.models import Group

from registry.admin.base import SECRET_COLUMNS, ReadOnlyAdmin, site
from registry.models import (
    Absence,
    Assignment,
    ChecklistAnswer,
    ConflictOfInterest,
    Counter,
    Event,
    Follow,
    IdempotencyRecord,
    Invitation,
    Letter,
    LocatorTable,
    Message,
    Namespace,
    Proof,
    Provenance,
    QueryKeyword,
    RateLimit,
    ReadMarker,
    Recognition,
    Registration,
    RegistrationRequest,
    Remark,
    Reminder,
    ResolutionService,
    Round,
    ServiceDesignator,
    Sighting,
    SignInSource,
    Token,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
)


@admin.register(RegistrationRequest, site=site)
class RequestAdmin(ReadOnlyAdmin):
    """Requests."""

    list_display = ("reference", "nid", "organization", "change", "path", "state", "state_since")
    list_filter = ("state", "path", "change", "standards_action")
    list_select_related = ("organization",)
    search_fields = ("reference", "nid", "summary", "organization__name", "author__name")


@admin.register(Round, site=site)
class RoundAdmin(ReadOnlyAdmin):
    """Rounds of requests."""

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


@admin.register(Assignment, site=site)
class AssignmentAdmin(ReadOnlyAdmin):
    """Experts on requests."""

    list_display = ("registration_request", "expert", "assigned_at", "recused_at")
    list_filter = (("recused_at", admin.EmptyFieldListFilter), "assigned_at")
    list_select_related = ("registration_request", "expert")
    search_fields = ("registration_request__reference", "expert__name", "expert__email")


@admin.register(Absence, site=site)
class AbsenceAdmin(ReadOnlyAdmin):
    """When experts are away."""

    list_display = ("expert", "first_day", "last_day")
    list_filter = ("first_day",)
    list_select_related = ("expert",)
    search_fields = ("expert__name", "expert__email")


@admin.register(ConflictOfInterest, site=site)
class ConflictAdmin(ReadOnlyAdmin):
    """Declared conflicts of interest."""

    list_display = ("expert", "organization", "declared_at")
    list_filter = ("declared_at",)
    list_select_related = ("expert", "organization")
    search_fields = ("expert__name", "organization__name", "reason")


@admin.register(ChecklistAnswer, site=site)
class ChecklistAnswerAdmin(ReadOnlyAdmin):
    """Answers to the checklist."""

    list_display = ("round", "expert", "question", "answer")
    list_filter = ("answer", "question")
    list_select_related = ("round__registration_request", "expert")
    search_fields = ("round__registration_request__reference", "expert__name")


@admin.register(ReadMarker, site=site)
class ReadMarkerAdmin(ReadOnlyAdmin):
    """When experts looked at requests last."""

    list_display = ("person", "registration_request", "at")
    list_filter = ("at",)
    list_select_related = ("person", "registration_request")
    search_fields = ("person__name", "registration_request__reference")


@admin.register(Remark, site=site)
class RemarkAdmin(ReadOnlyAdmin):
    """Remarks on passages."""

    list_display = ("registration_request", "number", "author", "weight", "settlement")
    list_filter = ("weight", "settlement")
    list_select_related = ("registration_request", "author")
    search_fields = ("registration_request__reference", "text", "answer")


@admin.register(Message, site=site)
class MessageAdmin(ReadOnlyAdmin):
    """Messages of discussions."""

    list_display = ("registration_request", "number", "author_name", "posted_at", "audience")
    list_filter = ("audience", "channel", ("hidden_at", admin.EmptyFieldListFilter))
    list_select_related = ("registration_request",)
    search_fields = ("registration_request__reference", "author_name", "text", "message_id")


@admin.register(Follow, site=site)
class FollowAdmin(ReadOnlyAdmin):
    """Who follows what."""

    list_display = ("person", "registration_request", "nid", "since")
    list_filter = ("since",)
    list_select_related = ("person", "registration_request")
    search_fields = ("person__email", "nid", "registration_request__reference")


@admin.register(Letter, site=site)
class LetterAdmin(ReadOnlyAdmin):
    """Letters, sent and waiting, without their texts: some carry keys that act for the reader."""

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


@admin.register(Reminder, site=site)
class ReminderAdmin(ReadOnlyAdmin):
    """Reminders and escalations that were given."""

    list_display = ("registration_request", "kind", "since", "at")
    list_filter = ("kind",)
    list_select_related = ("registration_request",)
    search_fields = ("registration_request__reference", "kind")


@admin.register(Recognition, site=site)
class RecognitionAdmin(ReadOnlyAdmin):
    """Recognitions asked for, and what was decided."""

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


@admin.register(Invitation, site=site)
class InvitationAdmin(ReadOnlyAdmin):
    """Who was invited to co-edit a request."""

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
    """The journal."""

    list_display = ("number", "at", "actor_name", "verb", "subject")
    list_filter = ("verb", "at")
    search_fields = ("subject", "actor_name", "comment", "digest")


@admin.register(Counter, site=site)
class CounterAdmin(ReadOnlyAdmin):
    """The last number given in each series."""

    list_display = ("name", "value")
    list_filter = ("name",)
    search_fields = ("name",)


@admin.register(Token, site=site)
class TokenAdmin(ReadOnlyAdmin):
    """Tokens of people's programs, without what is kept to know one by."""

    fields = ("user", "name", "created", "expiry")
    list_display = ("user", "name", "created", "expiry")
    list_filter = ("created", "expiry")
    list_select_related = ("user",)
    search_fields = ("user__name", "user__email", "name")


@admin.register(Group, site=site)
class RoleAdmin(ReadOnlyAdmin):
    """Roles; who holds one is said by the account."""

    fields = ("name",)
    list_display = ("name",)
    list_filter = ("name",)
    search_fields = ("name",)


@admin.register(EmailAddress, site=site)
class EmailAddressAdmin(ReadOnlyAdmin):
    """Mail addresses and whether they were confirmed."""

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
    """Tables of locators that organizations loaded."""

    list_display = ("namespace", "file_name", "state", "rows", "refused", "started_at")
    list_filter = ("state", "started_at")
    list_select_related = ("namespace",)
    search_fields = ("namespace__nid", "file_name", "sha256")


@admin.register(Webhook, site=site)
class WebhookAdmin(ReadOnlyAdmin):
    """Webhooks."""

    list_display = ("name", "owner", "url", "topic", "subject", "stopped_at")
    list_filter = ("topic", ("stopped_at", admin.EmptyFieldListFilter))
    list_select_related = ("owner",)
    search_fields = ("name", "url", "subject", "owner__email")


@admin.register(WebhookDelivery, site=site)
class WebhookDeliveryAdmin(ReadOnlyAdmin):
    """What webhooks are told."""

    list_display = ("hook", "event", "written_at", "attempts", "delivered_at", "given_up_at")
    list_filter = (("delivered_at", admin.EmptyFieldListFilter), "written_at")
    list_select_related = ("hook", "event")
    search_fields = ("hook__name", "event__subject")


@admin.register(WebhookAttempt, site=site)
class WebhookAttemptAdmin(ReadOnlyAdmin):
    """Tries to tell them."""

    list_display = ("delivery", "at", "status", "milliseconds", "note")
    list_filter = ("status", "at")
    list_select_related = ("delivery__hook", "delivery__event")
    search_fields = ("delivery__hook__name", "note")


@admin.register(IdempotencyRecord, site=site)
class IdempotencyRecordAdmin(ReadOnlyAdmin):
    """Answers that programs may ask for again."""

    list_display = ("person", "status", "at")
    list_filter = ("status", "at")
    list_select_related = ("person",)
    search_fields = ("person__email",)


@admin.register(RateLimit, site=site)
class RateLimitAdmin(ReadOnlyAdmin):
    """How much is used up of limits."""

    list_display = ("key", "used", "expires_at")
    list_filter = ("expires_at",)
    search_fields = ("key",)


@admin.register(SignInSource, site=site)
class SignInSourceAdmin(ReadOnlyAdmin):
    """That accounts were used from several networks and browsers, and when."""

    list_display = ("user", "used_at")
    list_filter = ("used_at",)
    list_select_related = ("user",)
    search_fields = ("user__email",)
