"""What has a course of its own, and is read-only here for everybody, superusers included."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.models import Group

from registry.admin.rows import SECRETS, Readable
from registry.admin.site import site
from registry.models import (
    Absence,
    Assignment,
    ChecklistAnswer,
    Conflict,
    Counter,
    Event,
    Invitation,
    Letter,
    Message,
    Namespace,
    Nudge,
    Proof,
    Provenance,
    Recognition,
    Registration,
    RegistrationRequest,
    Remark,
    Round,
    Sighting,
    Token,
    Visit,
    Watch,
)


@admin.register(RegistrationRequest, site=site)
class RequestAdmin(Readable):
    """Requests."""

    list_display = ("reference", "nid", "organization", "change", "path", "state", "state_since")
    list_filter = ("state", "path", "change", "standards_action")
    list_select_related = ("organization",)
    search_fields = ("reference", "nid", "summary", "organization__name", "author__name")


@admin.register(Round, site=site)
class RoundAdmin(Readable):
    """Rounds of requests."""

    list_display = ("registration_request", "number", "submitted_at", "sha256")
    list_filter = (("submitted_at", admin.EmptyFieldListFilter), "number")
    list_select_related = ("registration_request",)
    search_fields = ("registration_request__reference", "nid", "sha256")


@admin.register(Namespace, site=site)
class NamespaceAdmin(Readable):
    """Registered namespaces."""

    list_display = ("nid", "kind", "status", "registrant", "registered_on")
    list_filter = ("kind", "status")
    list_select_related = ("registrant",)
    search_fields = ("nid", "summary", "registrant__name")


@admin.register(Registration, site=site)
class RegistrationAdmin(Readable):
    """Published versions."""

    list_display = ("namespace", "number", "registered_on", "registration_request")
    list_filter = ("registered_on", "number")
    list_select_related = ("namespace", "registration_request")
    search_fields = ("namespace__nid", "registration_request__reference", "sha256")


@admin.register(Provenance, site=site)
class ProvenanceAdmin(Readable):
    """Where imported facts came from."""

    list_display = ("namespace", "source", "is_verified", "registered_source")
    list_filter = ("is_verified", "registered_source", "template_generation")
    list_select_related = ("namespace",)
    search_fields = ("namespace__nid", "source", "note")


@admin.register(Assignment, site=site)
class AssignmentAdmin(Readable):
    """Experts on requests."""

    list_display = ("registration_request", "expert", "assigned_at", "recused_at")
    list_filter = (("recused_at", admin.EmptyFieldListFilter), "assigned_at")
    list_select_related = ("registration_request", "expert")
    search_fields = ("registration_request__reference", "expert__name", "expert__email")


@admin.register(Absence, site=site)
class AbsenceAdmin(Readable):
    """When experts are away."""

    list_display = ("expert", "first_day", "last_day")
    list_filter = ("first_day",)
    list_select_related = ("expert",)
    search_fields = ("expert__name", "expert__email")


@admin.register(Conflict, site=site)
class ConflictAdmin(Readable):
    """Declared conflicts of interest."""

    list_display = ("expert", "organization", "declared_at")
    list_filter = ("declared_at",)
    list_select_related = ("expert", "organization")
    search_fields = ("expert__name", "organization__name", "reason")


@admin.register(ChecklistAnswer, site=site)
class ChecklistAnswerAdmin(Readable):
    """Answers to the checklist."""

    list_display = ("round", "expert", "question", "answer")
    list_filter = ("answer", "question")
    list_select_related = ("round__registration_request", "expert")
    search_fields = ("round__registration_request__reference", "expert__name")


@admin.register(Visit, site=site)
class VisitAdmin(Readable):
    """When experts looked at requests last."""

    list_display = ("person", "registration_request", "at")
    list_filter = ("at",)
    list_select_related = ("person", "registration_request")
    search_fields = ("person__name", "registration_request__reference")


@admin.register(Remark, site=site)
class RemarkAdmin(Readable):
    """Remarks on passages."""

    list_display = ("registration_request", "number", "author", "weight", "settlement")
    list_filter = ("weight", "settlement")
    list_select_related = ("registration_request", "author")
    search_fields = ("registration_request__reference", "text", "answer")


@admin.register(Message, site=site)
class MessageAdmin(Readable):
    """Messages of discussions."""

    list_display = ("registration_request", "number", "author_name", "posted_at", "audience")
    list_filter = ("audience", "channel", ("hidden_at", admin.EmptyFieldListFilter))
    list_select_related = ("registration_request",)
    search_fields = ("registration_request__reference", "author_name", "text", "message_id")


@admin.register(Watch, site=site)
class WatchAdmin(Readable):
    """Who follows what."""

    list_display = ("person", "registration_request", "nid", "since")
    list_filter = ("since",)
    list_select_related = ("person", "registration_request")
    search_fields = ("person__email", "nid", "registration_request__reference")


@admin.register(Letter, site=site)
class LetterAdmin(Readable):
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
        if each.name not in SECRETS | {"text", "html", "headers"}
    )


@admin.register(Nudge, site=site)
class NudgeAdmin(Readable):
    """Reminders and escalations that were given."""

    list_display = ("registration_request", "kind", "since", "at")
    list_filter = ("kind",)
    list_select_related = ("registration_request",)
    search_fields = ("registration_request__reference", "kind")


@admin.register(Recognition, site=site)
class RecognitionAdmin(Readable):
    """Recognitions asked for, and what was decided."""

    list_display = ("organization", "asked_at", "is_granted", "decided_at")
    list_filter = ("is_granted",)
    list_select_related = ("organization",)
    search_fields = ("organization__name", "statement", "reasons")


@admin.register(Proof, site=site)
class ProofAdmin(Readable):
    """Proofs of acting for an organization."""

    list_display = ("organization", "person", "method", "domain", "proved_at")
    list_filter = ("method", ("proved_at", admin.EmptyFieldListFilter))
    list_select_related = ("organization", "person")
    search_fields = ("organization__name", "person__email", "domain", "evidence")


@admin.register(Invitation, site=site)
class InvitationAdmin(Readable):
    """Who was invited to co-edit a request."""

    list_display = ("registration_request", "invited_by", "invited_at", "joined_by", "closed_at")
    list_filter = (("joined_by", admin.EmptyFieldListFilter), "invited_at")
    list_select_related = ("registration_request", "invited_by", "joined_by")
    search_fields = ("registration_request__reference", "address")


@admin.register(Sighting, site=site)
class SightingAdmin(Readable):
    """NIDs seen in use without registration."""

    list_display = ("nid", "user_of_it", "noted_at", "claimed_by")
    list_filter = ("noted_at", ("claimed_by", admin.EmptyFieldListFilter))
    list_select_related = ("claimed_by",)
    search_fields = ("nid", "evidence", "user_of_it")


@admin.register(Event, site=site)
class EventAdmin(Readable):
    """The journal."""

    list_display = ("number", "at", "actor_name", "verb", "subject")
    list_filter = ("verb", "at")
    search_fields = ("subject", "actor_name", "comment", "digest")


@admin.register(Counter, site=site)
class CounterAdmin(Readable):
    """The last number given in each series."""

    list_display = ("name", "value")
    list_filter = ("name",)
    search_fields = ("name",)


@admin.register(Token, site=site)
class TokenAdmin(Readable):
    """Tokens of people's programs, without what is kept to know one by."""

    fields = ("user", "name", "created", "expiry")
    list_display = ("user", "name", "created", "expiry")
    list_filter = ("created", "expiry")
    list_select_related = ("user",)
    search_fields = ("user__name", "user__email", "name")


@admin.register(Group, site=site)
class RoleAdmin(Readable):
    """Roles; who holds one is said by the account."""

    fields = ("name",)
    list_display = ("name",)
    list_filter = ("name",)
    search_fields = ("name",)


@admin.register(EmailAddress, site=site)
class EmailAddressAdmin(Readable):
    """Mail addresses and whether they were confirmed."""

    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    list_select_related = ("user",)
    search_fields = ("email", "user__name")
