"""Who speaks for a namespace: consents to confirm, changes that wait, searches for a holder."""

from __future__ import annotations

import datetime
import secrets
from typing import Final

from django.db import models
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _

from registry.enums import DelegateChangeKind, DelegateChangeOutcome, SearchOutcome
from registry.validators import validate_no_control_characters

CONFIRMATION_ALPHABET: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so that no words result, and nothing that looks like a digit."""


def make_confirmation_code() -> str:
    """Return a new code for a letter, short enough to type."""
    return get_random_string(8, CONFIRMATION_ALPHABET)


def is_same_code(code: str, typed: str) -> bool:
    """Whether `typed` is the code, ignoring case and spaces."""
    said = "".join(typed.split()).upper().encode("utf-8", "replace")
    return bool(code) and secrets.compare_digest(code.encode(), said)


class WordConfirmation(models.Model):
    """A person's consent to a round must be confirmed with a code from a letter.

    Only a transfer and a change of status require it. The consent takes effect some days later.
    """

    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="word_confirmations",
        on_delete=models.PROTECT,
    )
    person = models.ForeignKey(
        "registry.User",
        verbose_name=_("person"),
        related_name="word_confirmations",
        on_delete=models.PROTECT,
    )
    sha256 = models.CharField(_("SHA-256 of the text"), max_length=64)
    code = models.CharField(max_length=16, default=make_confirmation_code, editable=False)
    asked_at = models.DateTimeField(_("asked"))
    attempts = models.PositiveSmallIntegerField(_("typed wrongly"), default=0)
    letters = models.PositiveSmallIntegerField(_("letters written"), default=1)
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)

    class Meta:
        ordering = ["asked_at"]
        verbose_name = _("confirmation of a word")
        verbose_name_plural = _("confirmations of words")
        constraints = [
            models.UniqueConstraint(
                fields=["registration_request", "person", "sha256"], name="word_confirmed_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.person} on {self.registration_request}"


class DelegateChangeQuerySet(models.QuerySet["DelegateChange"]):
    def pending(self) -> DelegateChangeQuerySet:
        """Return those that were neither applied nor stopped."""
        return self.filter(ended_at__isnull=True)


class DelegateChange(models.Model):
    """Somebody is about to act, or to stop acting, for a holder of a namespace, after a delay.

    A claim is based on a proof. The first claim on a body for which nobody acts also waits until
    the registrar has confirmed, with a source, that the domain has long been the body's.
    """

    organization = models.ForeignKey(
        "registry.Organization",
        verbose_name=_("organization"),
        related_name="delegate_changes",
        on_delete=models.PROTECT,
    )
    person = models.ForeignKey(
        "registry.User",
        verbose_name=_("person"),
        related_name="delegate_changes",
        on_delete=models.PROTECT,
    )
    kind = models.CharField(_("what"), max_length=8, choices=DelegateChangeKind)
    asked_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("asked by"),
        related_name="delegate_changes_asked",
        on_delete=models.PROTECT,
    )
    asked_at = models.DateTimeField(_("asked"))
    proof = models.OneToOneField(
        "registry.Proof",
        verbose_name=_("proof"),
        related_name="delegate_change",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    is_first = models.BooleanField(
        _("first claim"), default=False, help_text=_("Nobody acted for the body when it was made.")
    )
    code = models.CharField(max_length=16, default=make_confirmation_code, editable=False)
    attempts = models.PositiveSmallIntegerField(_("typed wrongly"), default=0)
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)
    takes_effect_at = models.DateTimeField(_("takes effect"), null=True, blank=True)
    source = models.TextField(
        _("since when the domain is the body’s, and where that is known from"),
        blank=True,
        validators=[validate_no_control_characters],
    )
    source_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("said by"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    reminded_at = models.DateTimeField(_("last reminder"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    outcome = models.CharField(
        _("outcome"), max_length=8, choices=DelegateChangeOutcome, blank=True
    )
    stopped_by = models.CharField(_("stopped by"), max_length=300, blank=True)
    reason = models.TextField(_("why it was stopped"), blank=True)

    objects = DelegateChangeQuerySet.as_manager()

    class Meta:
        ordering = ["-asked_at", "-pk"]
        verbose_name = _("change of delegates")
        verbose_name_plural = _("changes of delegates")
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "person"],
                condition=models.Q(ended_at__isnull=True, proof__isnull=True),
                name="delegate_change_one_pending",
            ),
            models.CheckConstraint(
                name="delegate_change_ended_has_outcome",
                condition=models.Q(ended_at__isnull=True, outcome="")
                | (models.Q(ended_at__isnull=False) & ~models.Q(outcome="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.organization}"

    def get_absolute_url(self) -> str:
        return reverse("organizations:change", args=[self.organization_id, self.pk])

    @property
    def needs_code(self) -> bool:
        """Whether the code from the letter is still missing."""
        return self.confirmed_at is None

    @property
    def needs_source(self) -> bool:
        """Whether the registrar has yet to confirm whose the domain is."""
        return self.is_first and not self.source

    def is_ripe(self, now: datetime.datetime) -> bool:
        """Whether it takes effect: nobody stopped it, and the waiting time is over."""
        return (
            self.ended_at is None
            and self.takes_effect_at is not None
            and self.takes_effect_at <= now
            and not self.needs_source
        )


class HolderSearchQuerySet(models.QuerySet["HolderSearch"]):
    def under_way(self) -> HolderSearchQuerySet:
        """Return those that have not ended."""
        return self.filter(ended_at__isnull=True)


class HolderSearch(models.Model):
    """The registrar searches for the holder of a namespace because nobody on record answers.

    Two letters, then a public notice, then the standards body's finding and its consequences, which
    take effect later and can be appealed. Any sign of the holder ends it at once.
    """

    namespace = models.ForeignKey(
        "registry.Namespace",
        verbose_name=_("namespace"),
        related_name="holder_searches",
        on_delete=models.PROTECT,
    )
    begun_by = models.ForeignKey(
        "registry.User", verbose_name=_("begun by"), related_name="+", on_delete=models.PROTECT
    )
    begun_at = models.DateTimeField(_("first letters"))
    addresses = models.JSONField(_("addresses on record"), default=list, blank=True)
    second_letters_at = models.DateTimeField(_("second letters"), null=True, blank=True)
    opened_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("opened by"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    opened_at = models.DateTimeField(_("opened"), null=True, blank=True)
    notice_until = models.DateTimeField(_("public notice until"), null=True, blank=True)
    decided_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("decided by"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    evidence = models.TextField(_("evidence"), blank=True)
    speaker = models.ForeignKey(
        "registry.User",
        verbose_name=_("who speaks for the namespace"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    round = models.ForeignKey(
        "registry.Round",
        verbose_name=_("the one text that may be published"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    takes_effect_at = models.DateTimeField(_("takes effect"), null=True, blank=True)
    appealed_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("appealed by"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    appealed_at = models.DateTimeField(_("appealed"), null=True, blank=True)
    appeal = models.TextField(_("the appeal"), blank=True)
    appeal_answered_at = models.DateTimeField(_("appeal answered"), null=True, blank=True)
    reminded_at = models.DateTimeField(_("last reminder"), null=True, blank=True)
    answered_by = models.CharField(_("address that answered"), max_length=254, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    outcome = models.CharField(_("outcome"), max_length=9, choices=SearchOutcome, blank=True)

    objects = HolderSearchQuerySet.as_manager()

    class Meta:
        ordering = ["-begun_at", "-pk"]
        verbose_name = _("search for a holder")
        verbose_name_plural = _("searches for holders")
        constraints = [
            models.UniqueConstraint(
                fields=["namespace"],
                condition=models.Q(ended_at__isnull=True),
                name="holder_search_one_under_way",
            ),
            models.CheckConstraint(
                name="holder_search_ended_has_outcome",
                condition=models.Q(ended_at__isnull=True, outcome="")
                | (models.Q(ended_at__isnull=False) & ~models.Q(outcome="")),
            ),
            models.CheckConstraint(
                name="holder_search_decided_says_what",
                condition=models.Q(decided_at__isnull=True)
                | (
                    ~models.Q(evidence="")
                    & (
                        models.Q(speaker__isnull=False, round__isnull=True)
                        | models.Q(speaker__isnull=True, round__isnull=False)
                    )
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"search for the holder of {self.namespace}"

    @property
    def is_stayed(self) -> bool:
        """Whether an appeal is waiting for its answer."""
        return self.appealed_at is not None and self.appeal_answered_at is None
