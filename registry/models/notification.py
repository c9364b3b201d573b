"""What is sent to people and their programs: follows, letters, reminders, webhooks."""

from __future__ import annotations

import base64
import datetime
import secrets
from collections.abc import Mapping
from typing import ClassVar, Self, TypeVar

from django.db import models
from django.db.models import F
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from registry.enums import LetterDelivery, WebhookTopic
from registry.models.sealed_field import SealedField
from registry.validators import validate_no_control_characters

M = TypeVar("M", bound=models.Model)


class OutboxQuerySet(models.QuerySet[M]):
    """Queries on rows that workers claim: `attempts`, `not_before`, and an end.

    `ends` are the columns that mark a row as finished once one of them is set.
    """

    ends: ClassVar[tuple[str, ...]]

    def waiting(self) -> Self:
        """Return those that are not finished."""
        return self.filter(**{f"{name}__isnull": True for name in self.ends})

    def ripe(self, now: datetime.datetime) -> Self:
        """Return waiting rows that can be tried now: not claimed, and after any pause."""
        may_be_tried = models.Q(not_before__isnull=True) | models.Q(not_before__lte=now)
        return self.waiting().filter(may_be_tried)

    def take(self, pk: int, now: datetime.datetime, until: datetime.datetime) -> bool:
        """Claim a row for this worker until then; return whether it was available."""
        taken = self.ripe(now).filter(pk=pk)
        return bool(taken.update(attempts=F("attempts") + 1, not_before=until))


def make_follow_key() -> str:
    """Return a new random key."""
    return secrets.token_urlsafe(24)


class Follow(models.Model):
    """A person follows one request, one NID, or everything (if both are empty)."""

    person = models.ForeignKey(
        "registry.User",
        verbose_name=_("person"),
        related_name="follows",
        on_delete=models.CASCADE,
    )
    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="follows",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
    )
    nid = models.CharField(_("NID"), max_length=200, blank=True, help_text=_("In lower case."))
    since = models.DateTimeField(_("since"))
    key = models.CharField(
        max_length=64,
        unique=True,
        default=make_follow_key,
        editable=False,
        help_text=_("Whoever has it may end the following, without signing in (RFC 8058)."),
    )

    class Meta:
        ordering = ["since"]
        verbose_name = _("follow")
        verbose_name_plural = _("follows")
        constraints = [
            models.UniqueConstraint(
                fields=["person", "registration_request"], name="follow_request_once"
            ),
            models.UniqueConstraint(
                fields=["person", "nid"],
                condition=models.Q(registration_request__isnull=True),
                name="follow_nid_once",
            ),
            models.CheckConstraint(
                name="follow_of_one_thing",
                condition=models.Q(registration_request__isnull=True) | models.Q(nid=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.registration_request or self.nid or 'everything'}"


class LetterQuerySet(OutboxQuerySet["Letter"]):
    ends = ("sent_at", "dropped_at")


class Letter(models.Model):
    """One letter to one address about one event: the outbox.

    Written in the transaction of the step it is about, so that it exists if and only if the step
    does. `key` identifies its subject and recipient, so that nobody gets the same twice.
    """

    key = models.CharField(max_length=200, unique=True)
    recipient = models.ForeignKey(
        "registry.User",
        verbose_name=_("recipient"),
        related_name="letters",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        help_text=_("Empty for the mailing list, and for addresses without an account."),
    )
    address = models.EmailField(_("mail address"))
    reason = models.CharField(
        _("why to them"),
        max_length=20,
        help_text=_("What the recipient was to the request when the letter was written."),
    )
    event = models.ForeignKey(
        "registry.Event",
        related_name="letters",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
    )
    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        related_name="letters",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
    )
    round = models.ForeignKey(
        "registry.Round",
        verbose_name=_("round"),
        related_name="letters",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        help_text=_("Whose whole text it carries to the discussion list."),
    )
    follow = models.ForeignKey(
        Follow, related_name="letters", on_delete=models.SET_NULL, null=True, blank=True
    )
    delivery = models.CharField(
        max_length=7, choices=LetterDelivery, default=LetterDelivery.AT_ONCE
    )
    subject = models.CharField(_("subject"), max_length=250)
    text = models.TextField(_("text"))
    html = models.TextField(_("HTML"), blank=True)
    headers = models.JSONField(_("headers"), default=dict)
    written_at = models.DateTimeField(_("written"))
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    dropped_at = models.DateTimeField(
        _("dropped"),
        null=True,
        blank=True,
        help_text=_("The account was switched off, or no longer followed it, by then."),
    )
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    not_before = models.DateTimeField(
        _("not before"),
        null=True,
        blank=True,
        help_text=_("Until then a worker has it in hand, or the mail server is given a rest."),
    )
    last_error = models.TextField(_("last error"), blank=True)

    objects = LetterQuerySet.as_manager()

    class Meta:
        ordering = ["written_at", "pk"]
        verbose_name = _("letter")
        verbose_name_plural = _("letters")
        constraints = [
            models.UniqueConstraint(
                fields=["round"],
                condition=models.Q(dropped_at__isnull=True),
                name="letter_of_round_once",
            )
        ]
        indexes = [
            models.Index(
                fields=["written_at"],
                name="letter_waiting",
                condition=models.Q(sent_at__isnull=True, dropped_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return self.subject


class Reminder(models.Model):
    """A reminder or an escalation that the scheduler sent, so that it is not repeated.

    It is about a request, or about a pending recognition. `since` is the beginning of the wait it
    is about: a new wait may be reminded of again.
    """

    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        related_name="reminders",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
    )
    recognition = models.ForeignKey(
        "registry.Recognition",
        related_name="reminders",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
    )
    kind = models.CharField(max_length=40)
    since = models.DateTimeField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["at"]
        constraints = [
            models.UniqueConstraint(
                fields=["registration_request", "kind", "since"], name="reminder_once"
            ),
            models.UniqueConstraint(
                fields=["recognition", "kind", "since"], name="reminder_of_recognition_once"
            ),
            models.CheckConstraint(
                name="reminder_about_one_thing",
                condition=models.Q(registration_request__isnull=True)
                ^ models.Q(recognition__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.registration_request or self.recognition}"


class RequestCheckManager(models.Manager["RequestCheck"]):
    """Sets when the scheduler looks at requests."""

    def schedule(self, due: Mapping[int, datetime.datetime]) -> None:
        """Make the scheduler look at requests, by key, at these times and not before."""
        self.bulk_create(
            (self.model(registration_request_id=key, due_at=at) for key, at in due.items()),
            update_conflicts=True,
            unique_fields=["registration_request"],
            update_fields=["due_at"],
        )


class RequestCheck(models.Model):
    """When the scheduler looks at a live request again, unless an event comes first."""

    registration_request = models.OneToOneField(
        "registry.RegistrationRequest",
        related_name="+",
        on_delete=models.CASCADE,
        primary_key=True,
    )
    due_at = models.DateTimeField(db_index=True)

    objects = RequestCheckManager()

    def __str__(self) -> str:
        return f"{self.registration_request}: {self.due_at}"


class ClockPosition(models.Model):
    """The last event for which the scheduler has looked at requests; there is at most one row.

    `settings_sha256` is of the dates used to compute when to look again.
    """

    last_line = models.PositiveIntegerField()
    settings_sha256 = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"line {self.last_line}"


def make_webhook_secret() -> str:
    """Return a new signing key in the format of Standard Webhooks."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode("ascii")


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def in_use(self) -> WebhookQuerySet:
        """Return those that get deliveries: not stopped, and of an active account."""
        return self.filter(stopped_at__isnull=True, owner__is_active=True)


class Webhook(models.Model):
    """An address that receives what the feed of one topic contains."""

    owner = models.ForeignKey(
        "registry.User", verbose_name=_("owner"), related_name="hooks", on_delete=models.CASCADE
    )
    name = models.CharField(
        _("what it is for"), max_length=80, validators=[validate_no_control_characters]
    )
    url = models.URLField(_("address"), max_length=500)
    topic = models.CharField(_("about"), max_length=10, choices=WebhookTopic)
    subject = models.CharField(
        _("which NID or request"),
        max_length=200,
        blank=True,
        help_text=_("A NID in lower case or a reference, where it is about one only."),
    )
    secret = SealedField(default=make_webhook_secret, editable=False)
    previous_secret = SealedField(
        blank=True,
        editable=False,
        help_text=_("Signs as well until `previous_until`, so that a receiver can change over."),
    )
    previous_until = models.DateTimeField(null=True, blank=True, editable=False)
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    stopped_at = models.DateTimeField(
        _("stopped"), null=True, blank=True, help_text=_("By its owner, or after long silence.")
    )
    form_key = models.UUIDField(editable=False)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at"]
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = [
            models.UniqueConstraint(fields=["owner", "form_key"], name="webhook_made_once")
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("hooks:detail", args=[self.pk])


class WebhookDeliveryQuerySet(OutboxQuerySet["WebhookDelivery"]):
    ends = ("delivered_at", "given_up_at")

    def settled(self) -> WebhookDeliveryQuerySet:
        """Return those delivered or given up."""
        return self.filter(
            models.Q(delivered_at__isnull=False) | models.Q(given_up_at__isnull=False)
        )


class WebhookDelivery(models.Model):
    """One event to deliver to one hook: the outbox. Written in the transaction of the action.

    Without an event it is a test, which its owner asked for.
    """

    hook = models.ForeignKey(Webhook, related_name="deliveries", on_delete=models.CASCADE)
    event = models.ForeignKey(
        "registry.Event", related_name="+", on_delete=models.PROTECT, null=True, blank=True
    )
    written_at = models.DateTimeField(_("written"))
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    not_before = models.DateTimeField(_("not before"), null=True, blank=True)
    delivered_at = models.DateTimeField(_("delivered"), null=True, blank=True)
    given_up_at = models.DateTimeField(_("given up"), null=True, blank=True)

    objects = WebhookDeliveryQuerySet.as_manager()

    class Meta:
        ordering = ["-written_at", "-pk"]
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        constraints = [
            models.UniqueConstraint(fields=["hook", "event"], name="webhook_delivery_once")
        ]
        indexes = [
            models.Index(
                fields=["written_at"],
                name="webhook_delivery_waiting",
                condition=models.Q(delivered_at__isnull=True, given_up_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.event or 'trial'} to {self.hook}"


class WebhookAttempt(models.Model):
    """One attempt of a delivery: the log that people read."""

    delivery = models.ForeignKey(WebhookDelivery, related_name="tries", on_delete=models.CASCADE)
    at = models.DateTimeField(_("when"))
    status = models.PositiveSmallIntegerField(_("status"), null=True, blank=True)
    milliseconds = models.PositiveIntegerField(_("milliseconds"), default=0)
    note = models.CharField(_("what it said"), max_length=300, blank=True)

    class Meta:
        ordering = ["at", "pk"]
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}: {self.status or self.note}"
