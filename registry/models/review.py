"""Experts on requests: who judges what, what prevents them, and their answers."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from registry.enums import ChecklistChoice


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    """Queries on who is on a request, and who stepped back."""

    def active(self) -> AssignmentQuerySet:
        """Return the assignments whose expert has not stepped back."""
        return self.filter(recused_at__isnull=True)

    def stepped_back(self) -> AssignmentQuerySet:
        """Return those whose expert has stepped back."""
        return self.filter(recused_at__isnull=False)


class Assignment(models.Model):
    """An expert on a request: declared free of conflict, or recused; since when, due when.

    A temporary expert has no role, and judges this one request until it ends (RFC 8126, 5.2).
    """

    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="assignments",
        on_delete=models.PROTECT,
    )
    expert = models.ForeignKey(
        "registry.User",
        verbose_name=_("expert"),
        related_name="assignments",
        on_delete=models.PROTECT,
    )
    assigned_at = models.DateTimeField(_("since"))
    declared_at = models.DateTimeField(
        _("declared free of conflict"),
        null=True,
        blank=True,
        help_text=_("By taking it, or by the first act of an expert who was put on it."),
    )
    is_temporary = models.BooleanField(
        _("for this request alone"),
        default=False,
        help_text=_("Put on it by the standards body, because no designated expert can judge it."),
    )
    due_on = models.DateField(_("due on"), null=True, blank=True)
    unable_since = models.DateTimeField(
        _("cannot judge it since"),
        null=True,
        blank=True,
        help_text=_("Noted by the clock, and taken back by it once the expert can again."),
    )
    recused_at = models.DateTimeField(_("stepped back"), null=True, blank=True)
    reason = models.TextField(_("reason for stepping back"), blank=True)

    objects = AssignmentQuerySet.as_manager()

    public_fields = (
        "id",
        "registration_request",
        "expert",
        "assigned_at",
        "declared_at",
        "is_temporary",
        "recused_at",
    )

    class Meta:
        ordering = ["assigned_at"]
        verbose_name = _("assignment")
        verbose_name_plural = _("assignments")
        constraints = [
            models.UniqueConstraint(
                fields=["registration_request", "expert"], name="assignment_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.expert} on {self.registration_request}"


class Absence(models.Model):
    """Days on which an expert is away: the rota skips them."""

    expert = models.ForeignKey(
        "registry.User",
        verbose_name=_("expert"),
        related_name="absences",
        on_delete=models.CASCADE,
    )
    first_day = models.DateField(_("first day away"))
    last_day = models.DateField(_("last day away"))

    class Meta:
        ordering = ["first_day"]
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        constraints = [
            models.CheckConstraint(
                name="absence_ends_after_it_begins",
                condition=models.Q(last_day__gte=models.F("first_day")),
                violation_error_message=_("The last day is before the first."),
            )
        ]

    def __str__(self) -> str:
        return f"{self.expert}, {self.first_day} to {self.last_day}"


class ConflictOfInterest(models.Model):
    """A declared conflict of interest: this expert judges nothing of that organization."""

    expert = models.ForeignKey(
        "registry.User",
        verbose_name=_("expert"),
        related_name="conflicts",
        on_delete=models.PROTECT,
    )
    organization = models.ForeignKey(
        "registry.Organization",
        verbose_name=_("organization"),
        related_name="conflicts",
        on_delete=models.PROTECT,
    )
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    declared_at = models.DateTimeField(_("declared"))

    class Meta:
        ordering = ["declared_at"]
        verbose_name = _("declared conflict")
        verbose_name_plural = _("declared conflicts")
        constraints = [
            models.UniqueConstraint(
                fields=["expert", "organization"], name="conflict_of_interest_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.expert}: {self.organization}"


class ChecklistAnswer(models.Model):
    """An expert's answer to one question of the checklist about one round.

    Private until the decision, whose event then has a public copy.
    """

    round = models.ForeignKey(
        "registry.Round",
        verbose_name=_("round"),
        related_name="checklist_answers",
        on_delete=models.PROTECT,
    )
    expert = models.ForeignKey(
        "registry.User",
        verbose_name=_("expert"),
        related_name="checklist_answers",
        on_delete=models.PROTECT,
    )
    question = models.CharField(_("question"), max_length=40)
    answer = models.CharField(_("answer"), max_length=6, choices=ChecklistChoice)

    class Meta:
        ordering = ["round", "question"]
        verbose_name = _("answer to the checklist")
        verbose_name_plural = _("answers to the checklist")
        constraints = [
            models.UniqueConstraint(
                fields=["round", "expert", "question"], name="checklist_answer_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.question}: {self.answer}"


class DismissedFinding(models.Model):
    """A finding that the registrant's side considers wrong, and why.

    It stays dismissed for the request, whatever the text says later. Experts see this from the
    round that was being written then.
    """

    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="dismissed_findings",
        on_delete=models.CASCADE,
    )
    check_name = models.CharField(_("check"), max_length=80)
    section = models.CharField(_("section"), max_length=40, blank=True)
    word = models.CharField(_("why"), max_length=300)
    person = models.ForeignKey(
        "registry.User",
        verbose_name=_("dismissed by"),
        related_name="dismissed_findings",
        on_delete=models.PROTECT,
    )
    at = models.DateTimeField(_("dismissed"))
    round_number = models.PositiveIntegerField(_("public with round"))

    class Meta:
        ordering = ["at"]
        verbose_name = _("dismissed note")
        verbose_name_plural = _("dismissed notes")
        constraints = [
            models.UniqueConstraint(
                fields=["registration_request", "check_name", "section"],
                name="dismissed_finding_once",
            ),
            models.CheckConstraint(name="dismissed_finding_says_why", condition=~models.Q(word="")),
        ]

    def __str__(self) -> str:
        return f"{self.registration_request.reference}: {self.check_name}"

    @property
    def key(self) -> tuple[str, str]:
        """What it dismisses: the check, and the section."""
        return self.check_name, self.section


class ReadMarker(models.Model):
    """The last event of a request that an expert has seen, and when."""

    person = models.ForeignKey(
        "registry.User", related_name="read_markers", on_delete=models.CASCADE
    )
    registration_request = models.ForeignKey(
        "registry.RegistrationRequest", related_name="read_markers", on_delete=models.CASCADE
    )
    at = models.DateTimeField()
    last_event = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person", "registration_request"], name="read_marker_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.person} at {self.registration_request}"
