"""Registrant bodies."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from registry.validators import validate_no_control_characters


class OrganizationManager(models.Manager["Organization"]):
    """Finds bodies by name, whatever the case."""

    def named(self, name: str) -> Organization:
        """Return the organization called `name`, made now if it is not known yet."""
        name = " ".join(name.split())
        known = self.filter(name__iexact=name).first()
        return known or self.create(name=name)


class Organization(models.Model):
    """A registrant body, and whether it was recognised for the fast track (section 6.3)."""

    name = models.CharField(_("name"), max_length=200, validators=[validate_no_control_characters])
    website = models.URLField(_("website"), blank=True)
    delegates = models.ManyToManyField(
        "registry.User",
        verbose_name=_("delegates"),
        related_name="delegated_by",
        blank=True,
        help_text=_("People who may write and send requests in its name."),
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

    @property
    def is_recognised(self) -> bool:
        """Whether it may ask for registrations on the fast track."""
        return self.recognised_on is not None
