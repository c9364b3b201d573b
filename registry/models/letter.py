"""Letters we send, and who asked for them."""

from __future__ import annotations

import secrets

from django.db import models
from django.utils.translation import gettext_lazy as _

from registry.choices import Delivery
from registry.models.outbox import Outbox


def token() -> str:
    """Return a fresh key that nobody can guess."""
    return secrets.token_urlsafe(24)


class Watch(models.Model):
    """A person follows one request, one NID, or everything (where both are empty)."""

    person = models.ForeignKey(
        "registry.User",
        verbose_name=_("person"),
        related_name="watches",
        on_delete=models.CASCADE,
    )
    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="watches",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
    )
    nid = models.CharField(_("NID"), max_length=200, blank=True, help_text=_("In lower case."))
    since = models.DateTimeField(_("since"))
    key = models.CharField(
        max_length=64,
        unique=True,
        default=token,
        editable=False,
        help_text=_("Whoever has it may end the watching, without signing in (RFC 8058)."),
    )

    class Meta:
        ordering = ["since"]
        verbose_name = _("watch")
        verbose_name_plural = _("watches")
        constraints = [
            models.UniqueConstraint(
                fields=["person", "registration_request"], name="watch_request_once"
            ),
            models.UniqueConstraint(
                fields=["person", "nid"],
                condition=models.Q(registration_request__isnull=True),
                name="watch_nid_once",
            ),
            models.CheckConstraint(
                name="watch_of_one_thing",
                condition=models.Q(registration_request__isnull=True) | models.Q(nid=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.registration_request or self.nid or 'everything'}"


class LetterQuerySet(Outbox["Letter"]):
    """Sentences about letters."""

    ends = ("sent_at", "dropped_at")


class Letter(models.Model):
    """One letter to one address about one event: the outbox.

    Written in the transaction of the step it tells of, so that it is there if and only if the
    step is. `key` says what it is about and for whom, so that nobody gets the same twice.
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
        help_text=_("What the recipient is to the request; asked again before it is sent."),
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
    watch = models.ForeignKey(
        Watch, related_name="letters", on_delete=models.SET_NULL, null=True, blank=True
    )
    delivery = models.CharField(max_length=7, choices=Delivery, default=Delivery.AT_ONCE)
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
        help_text=_("The recipient had left the role, or switched the account off, by then."),
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
        indexes = [
            models.Index(
                fields=["written_at"],
                name="letter_waiting",
                condition=models.Q(sent_at__isnull=True, dropped_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return self.subject


class Nudge(models.Model):
    """A reminder or an escalation that the clock has given, so that it gives none twice.

    `since` is when the waiting began that it is about: a new wait may be nudged anew.
    """

    registration_request = models.ForeignKey(
        "registry.RegistrationRequest", related_name="nudges", on_delete=models.CASCADE
    )
    kind = models.CharField(max_length=40)
    since = models.DateTimeField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["at"]
        constraints = [
            models.UniqueConstraint(
                fields=["registration_request", "kind", "since"], name="nudge_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.registration_request}"
