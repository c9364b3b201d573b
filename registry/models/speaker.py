"""Who speaks for an organization, or for one namespace: now, soon, or once."""

from __future__ import annotations

import secrets
from typing import Final

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from registry.enums import SpeakerBasis, SpeakerEnd, SpeakerState
from registry.models.account import User
from registry.models.namespace import Namespace
from registry.models.organization import Organization
from registry.validators import validate_no_control_characters

DOMAIN_BASES: Final = frozenset({SpeakerBasis.DNS, SpeakerBasis.FILE, SpeakerBasis.MAIL})
AWAITS_COUNTERSIGN: Final = models.Q(state=SpeakerState.ASKED) & ~models.Q(evidence="")


class SpeakerQuerySet(models.QuerySet["Speaker"]):
    def in_effect(self) -> SpeakerQuerySet:
        """Return those by which somebody can act today."""
        return self.filter(state=SpeakerState.IN_EFFECT)

    def open(self) -> SpeakerQuerySet:
        """Return those in effect, and those that may come into effect."""
        return self.exclude(state=SpeakerState.ENDED)

    def pending(self) -> SpeakerQuerySet:
        """Return those about which something waits: to begin, to end, or for a ruling."""
        return self.filter(
            models.Q(state__in=[SpeakerState.WAITING, SpeakerState.STOPPED])
            | AWAITS_COUNTERSIGN
            | models.Q(state=SpeakerState.IN_EFFECT, removal_asked_by__isnull=False)
        )

    def put_in_effect(
        self,
        person: User,
        basis: SpeakerBasis,
        *,
        organization: Organization | None = None,
        namespace: Namespace | None = None,
        recorded_by: User | None = None,
    ) -> Speaker:
        """Return a new row that waits for nothing."""
        now = timezone.now()
        return self.create(
            person=person,
            organization=organization,
            namespace=namespace,
            basis=basis,
            state=SpeakerState.IN_EFFECT,
            state_since=now,
            asked_at=now,
            effective_at=now,
            confirmed_at=now,
            recorded_by=recorded_by,
        )

    def about(self, organization: Organization) -> SpeakerQuerySet:
        """Return those for an organization, and for one of the namespaces that it holds."""
        return self.filter(
            models.Q(organization=organization) | models.Q(namespace__registrant=organization)
        )


class Speaker(models.Model):
    """That a person speaks for an organization, or for one namespace alone.

    Only a row *in effect* lets anybody act. While `removal_asked_by` is set it is in effect, and
    ends once the waiting period is over. Rows stay when they end.
    """

    person = models.ForeignKey(
        "registry.User", verbose_name=_("person"), related_name="speaking", on_delete=models.PROTECT
    )
    organization = models.ForeignKey(
        Organization,
        verbose_name=_("organization"),
        related_name="speakers",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    namespace = models.ForeignKey(
        Namespace,
        verbose_name=_("namespace"),
        related_name="speakers",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    basis = models.CharField(_("known by"), max_length=8, choices=SpeakerBasis)
    state = models.CharField(_("state"), max_length=9, choices=SpeakerState)
    state_since = models.DateTimeField(_("in this state since"))
    asked_at = models.DateTimeField(_("asked"))
    recorded_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("named or recorded by"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    evidence = models.TextField(
        _("what was seen, and where it is recorded"),
        blank=True,
        validators=[validate_no_control_characters],
    )
    countersigned_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("countersigned by"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )

    # A proof by domain, until it is given.
    domain = models.CharField(_("domain"), max_length=253, blank=True)
    address = models.EmailField(_("address written to"), blank=True)
    secret = models.CharField(max_length=64, default=secrets.token_urlsafe, editable=False)
    attempts = models.PositiveSmallIntegerField(_("looked for"), default=0)
    looked_at = models.DateTimeField(_("last looked for"), null=True, blank=True)
    finding = models.TextField(_("what was found instead"), blank=True)

    # The waiting period: of its beginning, or of its removal.
    waiting_days = models.PositiveSmallIntegerField(_("days to wait"), null=True, blank=True)
    waiting_since = models.DateTimeField(
        _("its letters have left"),
        null=True,
        blank=True,
        help_text=_("The waiting period starts then."),
    )
    removal_asked_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("removal asked for by"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    objection = models.TextField(_("the objection"), blank=True)
    objected_by = models.CharField(_("objected by"), max_length=300, blank=True)
    reminded_at = models.DateTimeField(_("last reminder"), null=True, blank=True)

    effective_at = models.DateTimeField(_("took effect"), null=True, blank=True)
    confirmed_at = models.DateTimeField(
        _("yearly letter answered"), null=True, blank=True, help_text=_("Or took effect.")
    )
    yearly_letters = models.PositiveSmallIntegerField(_("yearly letters unanswered"), default=0)
    end = models.CharField(_("why it ended"), max_length=10, choices=SpeakerEnd, blank=True)

    objects = SpeakerQuerySet.as_manager()

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("speaker")
        verbose_name_plural = _("speakers")
        constraints = [
            models.CheckConstraint(
                name="speaker_for_one_thing",
                condition=models.Q(organization__isnull=False, namespace__isnull=True)
                | models.Q(organization__isnull=True, namespace__isnull=False),
            ),
            models.CheckConstraint(
                name="speaker_ended_says_why",
                condition=models.Q(state=SpeakerState.ENDED) & ~models.Q(end="")
                | ~models.Q(state=SpeakerState.ENDED) & models.Q(end=""),
            ),
            models.CheckConstraint(
                name="speaker_in_effect_since",
                condition=~models.Q(state=SpeakerState.IN_EFFECT)
                | models.Q(effective_at__isnull=False),
            ),
            *(
                models.UniqueConstraint(
                    fields=[subject, "person"],
                    condition=~models.Q(state__in=[SpeakerState.ASKED, SpeakerState.ENDED]),
                    name=f"speaker_{subject}_once",
                )
                for subject in ("organization", "namespace")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} for {self.subject}"

    def get_absolute_url(self) -> str:
        return reverse("organizations:speaker", args=[self.pk])

    def enter(self, state: SpeakerState) -> None:
        """Save the row in a new state."""
        self.state, self.state_since, self.reminded_at = state, timezone.now(), None
        if state == SpeakerState.IN_EFFECT:
            self.effective_at = self.effective_at or self.state_since
            self.confirmed_at = self.confirmed_at or self.state_since
        self.save()

    def finish(self, end: SpeakerEnd) -> None:
        """Record that it ended, or never came into effect."""
        self.end = end
        self.enter(SpeakerState.ENDED)

    @property
    def is_claim(self) -> bool:
        """Whether somebody from outside claims it: the people on record did not name them."""
        return self.basis in {*DOMAIN_BASES, SpeakerBasis.EVIDENCE}

    @property
    def is_by_domain(self) -> bool:
        """Whether it rests on a domain, and is to be proved by what only its owner can do."""
        return self.basis in DOMAIN_BASES

    @property
    def awaits_countersign(self) -> bool:
        """Whether there is evidence, which an officer has to countersign."""
        return self.state == SpeakerState.ASKED and bool(self.evidence)

    @property
    def subject(self) -> Organization | Namespace:
        """The organization, or the one namespace, that is spoken for."""
        subject = self.organization or self.namespace
        assert subject is not None
        return subject

    @property
    def body(self) -> Organization | None:
        """The organization that is spoken for, or that holds the namespace, if that is known."""
        return self.organization or (self.namespace.registrant if self.namespace else None)
