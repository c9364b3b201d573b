"""Webhooks: people's programs that are told of public acts."""

from __future__ import annotations

import base64
import secrets

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from registry.choices import Topic
from registry.models.outbox import Outbox
from registry.validators import validate_no_control_characters


def secret() -> str:
    """Return a fresh key for signatures, as Standard Webhooks writes one."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode("ascii")


class HookQuerySet(models.QuerySet["Hook"]):
    """Sentences about webhooks."""

    def in_use(self) -> HookQuerySet:
        """Return those that are told: not stopped, and of an account in use."""
        return self.filter(stopped_at__isnull=True, owner__is_active=True)


class Hook(models.Model):
    """An address that is told of what the feeds of one topic tell."""

    owner = models.ForeignKey(
        "registry.User", verbose_name=_("owner"), related_name="hooks", on_delete=models.CASCADE
    )
    name = models.CharField(
        _("what it is for"), max_length=80, validators=[validate_no_control_characters]
    )
    url = models.URLField(_("address"), max_length=500)
    topic = models.CharField(_("about"), max_length=10, choices=Topic)
    subject = models.CharField(
        _("which NID or request"),
        max_length=200,
        blank=True,
        help_text=_("A NID in lower case or a reference, where it is about one only."),
    )
    secret = models.CharField(max_length=64, default=secret, editable=False)
    previous_secret = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text=_("Signs as well until `previous_until`, so that a receiver can change over."),
    )
    previous_until = models.DateTimeField(null=True, blank=True, editable=False)
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    stopped_at = models.DateTimeField(
        _("stopped"), null=True, blank=True, help_text=_("By its owner, or after long silence.")
    )
    form_key = models.UUIDField(unique=True, editable=False)

    objects = HookQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at"]
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("hooks:detail", args=[self.pk])


class DeliveryQuerySet(Outbox["HookDelivery"]):
    """Sentences about deliveries."""

    ends = ("delivered_at", "given_up_at")

    def settled(self) -> DeliveryQuerySet:
        """Return those delivered or given up."""
        return self.filter(
            models.Q(delivered_at__isnull=False) | models.Q(given_up_at__isnull=False)
        )


class HookDelivery(models.Model):
    """One act to be told to one hook: the outbox. Written in the transaction of the act.

    Without an event it is a trial, which its owner asked for.
    """

    hook = models.ForeignKey(Hook, related_name="deliveries", on_delete=models.CASCADE)
    event = models.ForeignKey(
        "registry.Event", related_name="+", on_delete=models.PROTECT, null=True, blank=True
    )
    written_at = models.DateTimeField(_("written"))
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    not_before = models.DateTimeField(_("not before"), null=True, blank=True)
    delivered_at = models.DateTimeField(_("delivered"), null=True, blank=True)
    given_up_at = models.DateTimeField(_("given up"), null=True, blank=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        ordering = ["-written_at", "-pk"]
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        constraints = [models.UniqueConstraint(fields=["hook", "event"], name="hook_delivery_once")]
        indexes = [
            models.Index(
                fields=["written_at"],
                name="hook_delivery_waiting",
                condition=models.Q(delivered_at__isnull=True, given_up_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.event or 'trial'} to {self.hook}"


class HookAttempt(models.Model):
    """One try of a delivery: the log that a person reads."""

    delivery = models.ForeignKey(HookDelivery, related_name="tries", on_delete=models.CASCADE)
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
