"""NIDs seen in use without registration."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from registry.validators import validate_no_control_characters


class Sighting(models.Model):
    """A NID seen in use without registration, with evidence; claimable by a request."""

    nid = models.CharField(_("NID"), max_length=200, help_text=_("In lower case."), db_index=True)
    evidence = models.TextField(
        _("evidence"),
        validators=[validate_no_control_characters],
        help_text=_("Where it was seen: addresses, documents, names in full."),
    )
    user_of_it = models.CharField(
        _("who uses it"), max_length=200, blank=True, validators=[validate_no_control_characters]
    )
    address = models.EmailField(
        _("mail address"), blank=True, help_text=_("Of those who use it, for the notice.")
    )
    noted_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("noted by"),
        related_name="sightings",
        on_delete=models.PROTECT,
    )
    noted_at = models.DateTimeField(_("noted"))
    notice_sent_at = models.DateTimeField(_("notice sent"), null=True, blank=True)
    claimed_by = models.ForeignKey(
        "registry.RegistrationRequest",
        verbose_name=_("claimed by"),
        related_name="claimed_sightings",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )

    class Meta:
        ordering = ["-noted_at", "-pk"]
        verbose_name = _("sighting")
        verbose_name_plural = _("sightings")
        constraints = [
            models.CheckConstraint(name="sighting_nid_lower", condition=models.Q(nid=Lower("nid")))
        ]

    def __str__(self) -> str:
        return f"sighting of {self.nid}"

    def get_absolute_url(self) -> str:
        return reverse("sightings:index") + f"#s{self.pk}"
