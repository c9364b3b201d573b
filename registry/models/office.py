"""What the registrar keeps besides namespaces: NIDs held back, disputes, contacts, enquiries."""

from __future__ import annotations

import datetime
import secrets
from typing import Final

from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from registry.enums import DisputeKind, HoldGround, ProbeResult
from registry.urn.syntax import NID
from registry.validators import validate_no_control_characters

MAX_SOURCE_LENGTH: Final = 300


class HeldNidQuerySet(models.QuerySet["HeldNid"]):
    def not_ended(self) -> HeldNidQuerySet:
        """Return those that nobody ended, whether or not their time is over."""
        return self.filter(ended_at__isnull=True)

    def in_force(self, today: datetime.date | None = None) -> HeldNidQuerySet:
        """Return those that block a NID now."""
        return self.not_ended().filter(until__gte=today or timezone.localdate())


class HeldNid(models.Model):
    """A NID that nobody can have for a time, by a court order or a standards body's direction.

    It is public, names its source, ends automatically, and can be appealed.
    """

    nid = models.CharField(
        _("NID"),
        max_length=32,
        validators=[RegexValidator(rf"\A{NID}\Z")],
        help_text=_("In lower case."),
    )
    ground = models.CharField(_("ground"), max_length=10, choices=HoldGround)
    reasons = models.TextField(_("reasons"), validators=[validate_no_control_characters])
    source = models.CharField(
        _("where it is recorded"),
        max_length=MAX_SOURCE_LENGTH,
        validators=[validate_no_control_characters],
    )
    until = models.DateField(_("until"), help_text=_("The last day on which it is held back."))
    held_by = models.ForeignKey(
        "registry.User", verbose_name=_("held by"), related_name="+", on_delete=models.PROTECT
    )
    held_at = models.DateTimeField(_("held since"))
    appeal = models.TextField(_("appeal"), blank=True)
    appealed_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("appealed by"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    appealed_at = models.DateTimeField(_("appealed"), null=True, blank=True)
    appeal_answer = models.TextField(_("answer to the appeal"), blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    ending = models.TextField(_("why it ended"), blank=True)

    objects = HeldNidQuerySet.as_manager()

    public_fields = (
        "id",
        "nid",
        "ground",
        "reasons",
        "source",
        "until",
        "held_by",
        "held_at",
        "appeal",
        "appealed_by",
        "appealed_at",
        "appeal_answer",
        "ended_at",
        "ending",
    )

    class Meta:
        ordering = ["nid", "-held_at", "-pk"]
        verbose_name = _("NID held back")
        verbose_name_plural = _("NIDs held back")
        constraints = [
            models.CheckConstraint(name="held_nid_lower", condition=models.Q(nid=Lower("nid"))),
            models.CheckConstraint(
                name="held_nid_says_where", condition=~models.Q(source="") & ~models.Q(reasons="")
            ),
            models.UniqueConstraint(
                fields=["nid"],
                condition=models.Q(ended_at__isnull=True),
                name="held_nid_one_at_a_time",
            ),
            models.CheckConstraint(
                name="held_nid_ended_says_why",
                condition=models.Q(ended_at__isnull=True) | ~models.Q(ending=""),
            ),
        ]

    def __str__(self) -> str:
        return f"hold on {self.nid}"

    def get_absolute_url(self) -> str:
        return reverse("held:index") + f"#h{self.pk}"

    @property
    def is_in_force(self) -> bool:
        """Whether it blocks the NID now."""
        return self.ended_at is None and self.until >= timezone.localdate()

    @property
    def awaits_appeal(self) -> bool:
        """Whether it was appealed, and the standards body has not answered."""
        return self.appealed_at is not None and not self.appeal_answer


class Dispute(models.Model):
    """A dispute about a namespace, or an agreement, as the parties reported it to the registry.

    Recorded, never judged, and it blocks nothing (RFC 8141, section 5.1).
    """

    namespace = models.ForeignKey(
        "registry.Namespace",
        verbose_name=_("namespace"),
        related_name="disputes",
        on_delete=models.PROTECT,
    )
    kind = models.CharField(_("kind"), max_length=10, choices=DisputeKind)
    parties = models.CharField(
        _("between whom"),
        max_length=300,
        validators=[validate_no_control_characters],
    )
    text = models.TextField(_("what it is about"), validators=[validate_no_control_characters])
    source = models.CharField(
        _("where it is recorded"),
        max_length=MAX_SOURCE_LENGTH,
        validators=[validate_no_control_characters],
    )
    recorded_by = models.ForeignKey(
        "registry.User", verbose_name=_("recorded by"), related_name="+", on_delete=models.PROTECT
    )
    recorded_at = models.DateTimeField(_("recorded"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    ending = models.TextField(_("how it ended"), blank=True)

    public_fields = (
        "id",
        "namespace",
        "kind",
        "parties",
        "text",
        "source",
        "recorded_by",
        "recorded_at",
        "ended_at",
        "ending",
    )

    class Meta:
        ordering = ["-recorded_at", "-pk"]
        verbose_name = _("dispute or agreement")
        verbose_name_plural = _("disputes and agreements")
        constraints = [
            models.CheckConstraint(
                name="dispute_ended_says_how",
                condition=models.Q(ended_at__isnull=True) | ~models.Q(ending=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} about {self.namespace}"

    def get_absolute_url(self) -> str:
        return f"{self.namespace.get_absolute_url()}#dispute-{self.pk}"


class ContactConfirmation(models.Model):
    """A yearly letter to one address of a namespace, and the answer to it."""

    namespace = models.ForeignKey(
        "registry.Namespace",
        verbose_name=_("namespace"),
        related_name="contact_confirmations",
        on_delete=models.PROTECT,
    )
    address = models.EmailField(_("written to"))
    contact = models.TextField(
        _("contact as it was"), blank=True, help_text=_("An answer speaks of this contact alone.")
    )
    secret = models.CharField(
        max_length=64, unique=True, default=secrets.token_urlsafe, editable=False
    )
    asked_at = models.DateTimeField(_("asked"))
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)

    class Meta:
        ordering = ["-asked_at", "-pk"]
        verbose_name = _("confirmation of a contact")
        verbose_name_plural = _("confirmations of contacts")

    def __str__(self) -> str:
        return f"confirmation of the contact of {self.namespace}"


class EntryLink(models.Model):
    """An address linked from an entry, and its last check."""

    namespace = models.ForeignKey(
        "registry.Namespace",
        verbose_name=_("namespace"),
        related_name="links",
        on_delete=models.PROTECT,
    )
    url = models.TextField(_("address"))
    result = models.CharField(_("what came of it"), max_length=12, choices=ProbeResult)
    note = models.CharField(_("what it said"), max_length=300, blank=True)
    checked_at = models.DateTimeField(_("asked"))

    class Meta:
        ordering = ["namespace", "url"]
        verbose_name = _("link of an entry")
        verbose_name_plural = _("links of entries")
        constraints = [
            models.UniqueConstraint(fields=["namespace", "url"], name="entry_link_once"),
        ]

    def __str__(self) -> str:
        return self.url


class EnquiryQuerySet(models.QuerySet["Enquiry"]):
    def public(self) -> EnquiryQuerySet:
        """Return those that everyone can read: asked to be public, and answered."""
        return self.filter(is_public=True, answered_at__isnull=False)

    def waiting(self) -> EnquiryQuerySet:
        """Return those that nobody has answered."""
        return self.filter(answered_at__isnull=True)


class Enquiry(models.Model):
    """A question to the experts and the registrar, mostly before a draft, and its answer."""

    question = models.TextField(_("question"), validators=[validate_no_control_characters])
    is_public = models.BooleanField(
        _("to be answered in public"), help_text=_("As whoever asked chose.")
    )
    asked_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("asked by"),
        related_name="enquiries",
        on_delete=models.PROTECT,
    )
    asked_at = models.DateTimeField(_("asked"))
    answer = models.TextField(_("answer"), blank=True, validators=[validate_no_control_characters])
    answered_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("answered by"),
        related_name="answered_enquiries",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)

    objects = EnquiryQuerySet.as_manager()

    public_fields = (
        "id",
        "question",
        "is_public",
        "asked_by",
        "asked_at",
        "answer",
        "answered_by",
        "answered_at",
    )

    class Meta:
        ordering = ["-asked_at", "-pk"]
        verbose_name = _("enquiry")
        verbose_name_plural = _("enquiries")
        constraints = [
            models.CheckConstraint(
                name="enquiry_answered_or_not",
                condition=models.Q(answered_at__isnull=True, answered_by__isnull=True, answer="")
                | (
                    models.Q(answered_at__isnull=False, answered_by__isnull=False)
                    & ~models.Q(answer="")
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"enquiry {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("enquiries:detail", args=[self.pk])
