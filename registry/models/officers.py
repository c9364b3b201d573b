"""Changes of who may decide, which wait a day so that somebody can stop them."""

from __future__ import annotations

import secrets

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

from registry.enums import OfficerChangeKind, Role
from registry.validators import validate_no_control_characters


class OfficerChangeQuerySet(models.QuerySet["OfficerChange"]):
    def pending(self) -> OfficerChangeQuerySet:
        """Return those that are neither in effect nor dropped."""
        return self.filter(ended_at__isnull=True)

    def waiting(self) -> OfficerChangeQuerySet:
        """Return those that take effect unless somebody stops them."""
        return self.pending().filter(stopped_at__isnull=True)


class OfficerChange(models.Model):
    """A change of who may decide: public, and in effect after a day unless an officer stops it.

    Once it is stopped, a member of the standards body decides, or two administrators who agree.
    """

    person = models.ForeignKey(
        "registry.User",
        verbose_name=_("whose account"),
        related_name="officer_changes",
        on_delete=models.CASCADE,
    )
    kind = models.CharField(_("what"), max_length=20, choices=OfficerChangeKind)
    role = models.CharField(_("role"), max_length=20, choices=Role, blank=True)
    address = models.EmailField(_("new mail address"), blank=True)
    reason = models.TextField(_("reason"), blank=True, validators=[validate_no_control_characters])
    key = models.CharField(
        max_length=64, unique=True, default=secrets.token_urlsafe, editable=False
    )
    asked_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("asked by"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        help_text=_("Empty where it was the operator, by a command."),
    )
    asked_at = models.DateTimeField(_("asked"))
    stopped_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("stopped by"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        help_text=_("Empty where it was the operator."),
    )
    stopped_at = models.DateTimeField(_("stopped"), null=True, blank=True)
    objection = models.TextField(_("why it was stopped"), blank=True)
    first_decided_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("first of two administrators"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    first_decision = models.BooleanField(_("what they decided"), null=True, blank=True)
    decided_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("decided by"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    decision = models.TextField(_("reasons of the decision"), blank=True)
    ended_at = models.DateTimeField(_("at an end"), null=True, blank=True)
    is_in_effect = models.BooleanField(_("in effect"), default=False)

    objects = OfficerChangeQuerySet.as_manager()

    class Meta:
        ordering = ["-asked_at", "-pk"]
        verbose_name = _("change of officers")
        verbose_name_plural = _("changes of officers")
        constraints = [
            models.UniqueConstraint(
                fields=["person", "kind", "role"],
                condition=models.Q(ended_at__isnull=True),
                name="officer_change_one_pending",
            ),
            models.CheckConstraint(
                name="officer_change_stopped_says_why",
                condition=models.Q(stopped_at__isnull=True) | ~models.Q(objection=""),
            ),
        ]

    def __str__(self) -> str:
        words = {
            OfficerChangeKind.GIVE_ROLE: gettext("%(person)s gets the role “%(role)s”"),
            OfficerChangeKind.TAKE_ROLE: gettext("%(person)s loses the role “%(role)s”"),
            OfficerChangeKind.CLOSE_ACCOUNT: gettext("The account of %(person)s is closed"),
            OfficerChangeKind.CHANGE_ADDRESS: gettext("%(person)s gets another mail address"),
            OfficerChangeKind.RESET_FACTOR: gettext("%(person)s loses the second factor"),
        }[OfficerChangeKind(self.kind)]
        return words % {"person": self.person, "role": self.role}

    def get_absolute_url(self) -> str:
        return reverse("officers:index") + f"#c{self.pk}"

    @property
    def is_stopped(self) -> bool:
        """Whether somebody has stopped it, and it waits for a decision."""
        return self.stopped_at is not None and self.ended_at is None
