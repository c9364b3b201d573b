"""Who was asked to co-edit a request."""

from __future__ import annotations

import secrets

from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _


class Invitation(models.Model):
    """Somebody at a mail address was invited to write one request; open until joined or closed.

    Nobody becomes a co-editor without having said yes: a co-editor is party to the request,
    and could not be kept from judging it by being made one.
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
