"""Registrant bodies, their recognition, and consents to their requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from registry.enums import EvidenceKind, SpeakerState
from registry.validators import validate_name, validate_no_control_characters

if TYPE_CHECKING:
    from registry.models.account import User


class OrganizationManager(models.Manager["Organization"]):
    """Finds bodies by name, ignoring case."""

    def spoken_for_by(self, person: User | models.Value) -> models.QuerySet[Organization]:
        """Return the organizations whose delegate `person` is."""
        return self.filter(speakers__person=person, speakers__state=SpeakerState.IN_EFFECT)

    def named(self, name: str) -> Organization:
        """Return the organization called `name`, created now if it is not known yet.

        If several people name the same new one at once, they all get the one that was created
        first.
        """
        name = " ".join(name.split())
        known = self.filter(name__iexact=name).first()
        return known or self.get_or_create(name__iexact=name, defaults={"name": name})[0]


class Organization(models.Model):
    """A registrant body, and whether it is recognised for the fast track (section 6.3)."""

    name = models.CharField(_("name"), max_length=200, validators=[validate_name])
    website = models.URLField(_("website"), blank=True)
    website_source = models.CharField(
        _("where the website is known from"), max_length=300, blank=True
    )
    evidence = models.JSONField(
        _("evidence"),
        default=list,
        blank=True,
        help_text=_(
            "Other names, public identifiers and bodies that it is not, each with `kind`, `value`, "
            "`source` and, while a second officer has to confirm it, `recorded_by`."
        ),
    )
    recognised_on = models.DateField(
        _("recognised on"),
        null=True,
        blank=True,
        help_text=_("When a standards body recognised it for the fast track."),
    )
    recognition_source = models.CharField(
        _("where the recognition is recorded"), max_length=300, blank=True
    )

    objects = OrganizationManager()

    public_fields = (
        "id",
        "name",
        "website",
        "website_source",
        "evidence",
        "recognised_on",
        "recognition_source",
    )

    class Meta:
        ordering = ["name"]
        verbose_name = _("organization")
        verbose_name_plural = _("organizations")
        constraints = [
            models.UniqueConstraint(Lower("name"), name="organization_name_unique"),
            models.CheckConstraint(
                name="organization_recognition_says_where",
                condition=models.Q(recognised_on__isnull=True) | ~models.Q(recognition_source=""),
                violation_error_message=_("Say where the recognition is recorded."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("organizations:detail", args=[self.pk])

    @property
    def names(self) -> list[str]:
        """Its name, then its former names and aliases."""
        return [self.name, *self.former_names, *self.aliases]

    @property
    def former_names(self) -> list[str]:
        return self.list_evidence(EvidenceKind.FORMER_NAME)

    @property
    def aliases(self) -> list[str]:
        return self.list_evidence(EvidenceKind.ALIAS)

    @property
    def public_ids(self) -> list[str]:
        """The addresses of its public identifiers, such as ROR's."""
        return self.list_evidence(EvidenceKind.PUBLIC_ID)

    def list_evidence(self, kind: EvidenceKind) -> list[str]:
        """Return what is recorded and confirmed of one kind, in the order it was recorded."""
        return [
            entry["value"]
            for entry in self.evidence
            if entry["kind"] == kind and not entry.get("recorded_by")
        ]

    @property
    def is_recognised(self) -> bool:
        """Whether it may ask for registrations on the fast track."""
        return self.recognised_on is not None


class Recognition(models.Model):
    """A body's request to be recognised for the fast track, and the decision (section 6.3)."""

    organization = models.ForeignKey(
        Organization,
        verbose_name=_("organization"),
        related_name="recognitions",
        on_delete=models.PROTECT,
    )
    asked_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("asked by"),
        related_name="recognitions",
        on_delete=models.PROTECT,
    )
    asked_at = models.DateTimeField(_("asked"))
    statement = models.TextField(
        _("what kind of body it is"),
        validators=[validate_no_control_characters],
        help_text=_("Which standards organization, scientific society or similar body."),
    )
    is_granted = models.BooleanField(_("granted"), null=True, blank=True)
    decided_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("decided by"),
        related_name="decided_recognitions",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    reasons = models.TextField(_("reasons, or where it is recorded"), blank=True)

    public_fields = (
        "id",
        "organization",
        "asked_by",
        "asked_at",
        "statement",
        "is_granted",
        "decided_by",
        "decided_at",
        "reasons",
    )

    class Meta:
        ordering = ["asked_at"]
        verbose_name = _("recognition asked for")
        verbose_name_plural = _("recognitions asked for")
        constraints = [
            models.UniqueConstraint(
                fields=["organization"],
                condition=models.Q(is_granted__isnull=True),
                name="recognition_one_pending",
            ),
            models.CheckConstraint(
                name="recognition_decided_says_why",
                condition=models.Q(is_granted__isnull=True, decided_at__isnull=True)
                | (
                    models.Q(is_granted__isnull=False, decided_at__isnull=False)
                    & ~models.Q(reasons="")
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"recognition of {self.organization}"
