"""Requests to add or change a namespace, the rounds of their text, and invitations to write."""

from __future__ import annotations

import datetime
import hashlib
import json
import secrets

from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from registry.enums import (
    LIVE_STATES,
    REVIEW_STATES,
    SMALL_CHANGES,
    ChangeKind,
    RequestPath,
    State,
)
from registry.licences import MAX_LICENCE_LENGTH, Licence, find_licence
from registry.models.dates import Calendar, load_calendar
from registry.models.organization import Organization
from registry.models.template import TemplateColumns
from registry.template import write
from registry.validators import validate_no_control_characters


class RequestQuerySet(models.QuerySet["RegistrationRequest"]):
    def live(self) -> RequestQuerySet:
        """Return those that have not ended."""
        return self.filter(state__in=LIVE_STATES)

    def public(self) -> RequestQuerySet:
        """Return those with a first round: from then on everyone may read them."""
        sent = Round.objects.filter(registration_request=models.OuterRef("pk")).sent()
        return self.filter(models.Exists(sent))

    def concerning(self, organization: Organization) -> RequestQuerySet:
        """Return those that an organization asks for, or that would change what it holds."""
        held = organization.namespaces.values("pk")
        return self.filter(models.Q(organization=organization) | models.Q(namespace__in=held))

    def for_lists(self) -> RequestQuerySet:
        """Return them with what a list shows, in one query."""
        return self.select_related("organization", "namespace").annotate(
            rounds_sent=models.Count(
                "rounds", filter=models.Q(rounds__submitted_at__isnull=False), distinct=True
            ),
            last_sent_at=models.Max("rounds__submitted_at"),
        )


class RegistrationRequest(models.Model):
    """An application to add or change a namespace. Only `registry.workflow` writes `state`.

    `nid` is the requested NID, in lower case, as in the current round; empty on the informal path,
    where the registry assigns one.
    """

    reference = models.CharField(_("reference"), max_length=14, unique=True, editable=False)
    change = models.CharField(
        _("change"), max_length=10, choices=ChangeKind, default=ChangeKind.NEW
    )
    path = models.CharField(
        _("path"), max_length=10, choices=RequestPath, default=RequestPath.COMMUNITY
    )
    standards_action = models.BooleanField(
        _("to become part of a standard"),
        default=False,
        help_text=_("RFC 8141, section 6.4.1, item 7: a standards body then decides."),
    )
    state = models.CharField(
        _("state"), max_length=20, choices=State, default=State.DRAFT, editable=False
    )
    state_since = models.DateTimeField(_("in this state since"), editable=False)
    extended_to = models.DateField(
        _("promise extended to"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("Set by the lead expert; void as soon as the state changes."),
    )
    paused_since = models.DateTimeField(
        _("days stand still since"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("While only consent or recognition is missing."),
    )
    paused_until = models.DateTimeField(
        _("days stood still until"), null=True, blank=True, editable=False
    )
    revision = models.PositiveIntegerField(_("revision"), default=0, editable=False)
    nid = models.CharField(_("NID asked for"), max_length=200, blank=True, db_index=True)
    summary = models.CharField(
        _("what the names will name"),
        max_length=200,
        validators=[validate_no_control_characters],
        help_text=_("In a few words, as lists will show it."),
    )
    organization = models.ForeignKey(
        "registry.Organization",
        verbose_name=_("organization"),
        related_name="requests",
        on_delete=models.PROTECT,
    )
    author = models.ForeignKey(
        "registry.User",
        verbose_name=_("author"),
        related_name="requests",
        on_delete=models.PROTECT,
    )
    co_editors = models.ManyToManyField(
        "registry.User",
        verbose_name=_("co-editors"),
        related_name="co_edited_requests",
        blank=True,
    )
    namespace = models.ForeignKey(
        "registry.Namespace",
        verbose_name=_("namespace"),
        related_name="requests",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    reopens = models.ForeignKey(
        "self",
        verbose_name=_("goes on from"),
        related_name="reopened_as",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        help_text=_("The request that was withdrawn or expired, and that this one takes up."),
    )
    created_at = models.DateTimeField(_("started"), editable=False)
    start_key = models.UUIDField(
        editable=False,
        help_text=_("Made with the form that started the request: a second click finds it again."),
    )

    objects = RequestQuerySet.as_manager()

    public_fields = (
        "id",
        "reference",
        "change",
        "path",
        "standards_action",
        "state",
        "state_since",
        "extended_to",
        "paused_since",
        "paused_until",
        "revision",
        "nid",
        "summary",
        "organization",
        "author",
        "namespace",
        "reopens",
        "created_at",
    )

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = _("request")
        verbose_name_plural = _("requests")
        indexes = [
            models.Index(fields=["-state_since", "-id"], name="request_moved_last"),
            # Which namespaces are being revised, among all requests that registered one.
            models.Index(
                fields=["state"],
                condition=models.Q(namespace__isnull=False),
                name="request_of_namespace",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["author", "start_key"], name="request_started_once"),
            models.CheckConstraint(name="request_nid_lower", condition=models.Q(nid=Lower("nid"))),
            models.CheckConstraint(
                name="request_state_known", condition=models.Q(state__in=State.values)
            ),
            models.CheckConstraint(
                name="request_change_of_a_namespace",
                condition=models.Q(change__in=(ChangeKind.NEW, ChangeKind.RENAME))
                | models.Q(namespace__isnull=False),
            ),
            models.CheckConstraint(
                name="request_registered_has_namespace",
                condition=~models.Q(state=State.REGISTERED)
                | models.Q(change=ChangeKind.RENAME)
                | models.Q(namespace__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reference} ({self.nid})" if self.nid else self.reference

    def get_absolute_url(self) -> str:
        return reverse("requests:detail", args=[self.slug])

    # Django's own methods translate the labels of all choices to find one of them, each time.

    def get_change_display(self) -> str:  # type: ignore[no-redef]
        return str(ChangeKind(self.change).label)

    def get_path_display(self) -> str:  # type: ignore[no-redef]
        return (
            gettext("No expert review") if self.changes_facts else str(RequestPath(self.path).label)
        )

    def get_state_display(self) -> str:  # type: ignore[no-redef]
        return str(State(self.state).label)

    @property
    def slug(self) -> str:
        """The reference as written in addresses."""
        return self.reference.lower()

    @property
    def changes_facts(self) -> bool:
        """Whether it changes only facts: no experts, no new version (docs/process.md, States)."""
        return self.change in SMALL_CHANGES

    @property
    def needs_holder_consent(self) -> bool:
        """Whether it changes a registered namespace, which needs its holder's consent."""
        return self.change != ChangeKind.NEW

    @property
    def deciding_body(self) -> Organization:
        """Whom the fast track requires to be recognised (RFC 8141, section 6.3).

        For a registered namespace that is its holder, not the organization making the request.
        """
        holder = self.namespace.registrant if self.namespace else None
        return holder or self.organization

    @property
    def lacks_recognition(self) -> bool:
        """Whether it is on the fast track, of a body that is not recognised for it."""
        is_fast = self.path == RequestPath.FAST_TRACK and not self.changes_facts
        return is_fast and not self.deciding_body.is_recognised

    @property
    def is_informal(self) -> bool:
        """Whether the registry will assign the NID (RFC 8141, section 5.2)."""
        return self.path == RequestPath.INFORMAL

    @property
    def draft(self) -> Round | None:
        """The round still being written, or None while others have the text."""
        return self.rounds.filter(submitted_at__isnull=True).first()

    @property
    def last_round(self) -> Round | None:
        """The last round that was sent."""
        return self.rounds.sent().last()

    @property
    def promised_by(self) -> datetime.date | None:
        """By when the registry promised to act; None if it is not the registry's turn."""
        return self.find_promised_day(load_calendar())

    def find_promised_day(self, calendar: Calendar) -> datetime.date | None:
        """Return by when the registry promised to act, without queries."""
        since = max(self.state_since, self.resumed_at or self.state_since)
        if self.extended_to and self.extended_to >= since.date():
            return self.extended_to
        if self.state == State.APPROVED:
            return calendar.add_days(since, calendar.dates.first_reminder_days).date()
        if self.state in {State.IN_REVIEW, State.REPORTED, State.APPEALED}:
            return calendar.add_days(since, calendar.dates.decision_days).date()
        return None

    def has_waited_for_registrar(self, calendar: Calendar) -> bool:
        """Whether it was approved so long ago that the standards body registers it as well."""
        if self.state != State.APPROVED or self.paused_since:
            return False
        since = max(self.state_since, self.paused_until or self.state_since)
        return calendar.add_days(since, calendar.dates.third_reminder_days) <= timezone.now()

    @property
    def resumed_at(self) -> datetime.datetime | None:
        """When the registry's deadlines resumed; the current time while they are paused."""
        return timezone.now() if self.paused_since else self.paused_until

    @property
    def comments_until(self) -> datetime.date | None:
        """Until when comments on the last round are invited; None when it is not open."""
        last = self.last_round
        if last is None or self.state not in REVIEW_STATES:
            return None
        return last.comments_until


class RoundQuerySet(models.QuerySet["Round"]):
    def sent(self) -> RoundQuerySet:
        """Return those that were sent, and are frozen."""
        return self.filter(submitted_at__isnull=False)


class Round(TemplateColumns):
    """One text of a request. Once sent it is frozen; the one not yet sent is the draft.

    The round number is ours; the Version is the registry's: never the same thing. `edition` counts
    the saves of a draft, so that the second of two authors is warned.
    """

    registration_request = models.ForeignKey(
        RegistrationRequest,
        verbose_name=_("request"),
        related_name="rounds",
        on_delete=models.PROTECT,
    )
    number = models.PositiveIntegerField(_("round"))
    edition = models.PositiveIntegerField(default=0, editable=False)
    saved_at = models.DateTimeField(_("saved"), default=timezone.now)
    base = models.ForeignKey(
        "registry.Registration",
        verbose_name=_("written from version"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
    )
    based_at = models.DateTimeField(
        _("begun from it, or brought up to date"), default=timezone.now, editable=False
    )
    submitted_at = models.DateTimeField(_("sent"), null=True, blank=True)
    comments_since = models.DateTimeField(
        _("comments invited since"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("Earlier than it was sent if it only brings a text up to date."),
    )
    sha256 = models.CharField(_("SHA-256 of the text"), max_length=64, blank=True)
    findings = models.JSONField(_("findings as they were"), default=list, blank=True)
    facts = models.JSONField(
        _("facts asked for"),
        default=dict,
        blank=True,
        help_text=_("Of a change of contact, reference, registrant or status: what shall hold."),
    )
    text_licence = models.CharField(
        _("licence of the text"),
        max_length=MAX_LICENCE_LENGTH,
        blank=True,
        help_text=_("By its SPDX identifier, as whoever sent it agreed; empty where nobody did."),
    )

    objects = RoundQuerySet.as_manager()

    public_fields = (
        "id",
        *TemplateColumns.template_fields,
        "registration_request",
        "number",
        "base",
        "based_at",
        "submitted_at",
        "comments_since",
        "sha256",
        "findings",
        "facts",
        "text_licence",
    )

    class Meta:
        ordering = ["registration_request", "number"]
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        indexes = [
            models.Index(fields=["comments_since"], name="round_open_for_comment"),
            # Whether a request is public is queried for all of them, and rows of rounds are long.
            models.Index(
                fields=["registration_request"],
                condition=models.Q(submitted_at__isnull=False),
                name="round_sent",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["registration_request", "number"], name="round_once"),
            models.UniqueConstraint(
                fields=["registration_request"],
                condition=models.Q(submitted_at__isnull=True),
                name="round_one_draft",
            ),
            models.CheckConstraint(
                name="round_sent_has_hash",
                condition=models.Q(submitted_at__isnull=True) | ~models.Q(sha256=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.registration_request.reference} round {self.number}"

    @property
    def licence(self) -> Licence | None:
        """The licence under which everyone may use the text, or None if nobody agreed to any."""
        return find_licence(self.text_licence)

    @property
    def canonical_sha256(self) -> str:
        """SHA-256, in hexadecimal, of the canonical text and of the requested facts, if any."""
        if not self.facts:
            return super().canonical_sha256
        facts = json.dumps(self.facts, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(f"{write(self.template)}\n{facts}\n".encode()).hexdigest()

    @property
    def comments_until(self) -> datetime.date | None:
        """Until when comments on this round are invited."""
        if self.comments_since is None:
            return None
        calendar = load_calendar()
        return calendar.add_days(self.comments_since, calendar.dates.comment_days).date()

    @property
    def comments_awaited_until(self) -> datetime.date | None:
        """The same day while it is still to come."""
        until = self.comments_until
        return until if until and timezone.localdate() < until else None


class Invitation(models.Model):
    """An invitation to write one request, sent to a mail address; open until accepted or closed.

    Nobody becomes a co-editor without accepting: a co-editor is party to the request, and making
    somebody one must not be a way to stop them from judging it.
    """

    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="invitations",
        on_delete=models.CASCADE,
    )
    address = models.EmailField(_("mail address"), help_text=_("In lower case."))
    invited_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("invited by"),
        related_name="invitations_made",
        on_delete=models.PROTECT,
    )
    invited_at = models.DateTimeField(_("invited"))
    key = models.CharField(
        max_length=64, unique=True, default=secrets.token_urlsafe, editable=False
    )
    joined_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("joined by"),
        related_name="invitations_followed",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    closed_at = models.DateTimeField(
        _("closed"), null=True, blank=True, help_text=_("When it was followed, or taken back.")
    )

    class Meta:
        ordering = ["invited_at"]
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [
            models.UniqueConstraint(
                fields=["registration_request", "address"],
                condition=models.Q(closed_at__isnull=True),
                name="invitation_open_once",
            ),
            models.CheckConstraint(
                name="invitation_address_lower", condition=models.Q(address=Lower("address"))
            ),
            models.CheckConstraint(
                name="invitation_joined_is_closed",
                condition=models.Q(joined_by__isnull=True) | models.Q(closed_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"invitation to {self.registration_request.reference}"


class MailedTemplate(models.Model):
    """A template that came by mail, until the sender confirms it.

    Nothing of it is public before. Once it has become a draft, or the sender has disowned it,
    neither text nor address is stored; for a draft the Message-ID remains, which begins the thread
    on the discussion list.
    """

    message_id = models.CharField(_("Message-ID"), max_length=250, unique=True)
    is_from_list = models.BooleanField(_("came by the discussion list"), default=False)
    address = models.EmailField(
        _("mail address"), blank=True, help_text=_("Which the letter claims; asked by a letter.")
    )
    subject = models.CharField(_("subject"), max_length=250, blank=True)
    text = models.TextField(_("text"), blank=True)
    received_at = models.DateTimeField(_("received"))
    key = models.CharField(
        max_length=64, unique=True, default=secrets.token_urlsafe, editable=False
    )
    registration_request = models.OneToOneField(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="mailed_template",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        help_text=_("Whose draft was made of it."),
    )

    class Meta:
        ordering = ["received_at"]
        verbose_name = _("mailed template")
        verbose_name_plural = _("mailed templates")
        constraints = [
            models.CheckConstraint(
                name="mailed_template_taken_is_not_held",
                condition=models.Q(registration_request__isnull=True)
                | models.Q(text="", address="", subject=""),
            ),
        ]

    def __str__(self) -> str:
        return f"template in {self.message_id}"
