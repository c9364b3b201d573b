"""The journal's events, the logs they are entries of, and counters without gaps or duplicates."""

from __future__ import annotations

from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from registry import enums
from registry.enums import VerbKind


class EventQuerySet(models.QuerySet["Event"]):
    def of_kind(self, *kinds: VerbKind) -> EventQuerySet:
        """Return the steps that are of one of these kinds."""
        return self.filter(verb__in=enums.list_verbs_of_kind(*kinds))

    def in_force(self) -> EventQuerySet:
        """Return the steps that their actor has not taken back since."""
        later = Event.objects.of_kind(VerbKind.RECONSIDERS).filter(
            registration_request=models.OuterRef("registration_request"),
            actor=models.OuterRef("actor"),
            number__gt=models.OuterRef("number"),
        )
        return self.exclude(models.Exists(later))


class Event(models.Model):
    """Who did what to what, when and why. Only `registry.journal` writes it; never edited.

    Event n is entry n of the transparency log. `entry` is what is published there, and never
    changes; the salts open what it commits to, and can be deleted together with what they opened.
    The database itself refuses every other change, and deletion (see the migrations).
    """

    number = models.PositiveIntegerField(_("number"), unique=True)
    at = models.DateTimeField(_("when"))
    actor = models.ForeignKey(
        "registry.User",
        verbose_name=_("who"),
        related_name="events",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    actor_name = models.CharField(_("name at that time"), max_length=120)
    verb = models.CharField(_("what"), max_length=40)
    subject = models.CharField(_("to what"), max_length=200)
    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="events",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    namespace = models.ForeignKey(
        "registry.Namespace",
        verbose_name=_("namespace"),
        related_name="events",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    source = models.CharField(_("from state"), max_length=20, blank=True)
    target = models.CharField(_("to state"), max_length=20, blank=True)
    comment = models.TextField(_("why"), blank=True)
    data = models.JSONField(_("details"), default=dict, blank=True)
    rows = models.JSONField(
        _("digests of rows"),
        default=dict,
        blank=True,
        help_text=_("By table and key, what the row said before the act and after it."),
    )
    entry = models.TextField(_("entry of the log"), help_text=_("Canonical JSON (RFC 8785)."))
    statement = models.TextField(
        _("what is sealed"),
        blank=True,
        help_text=_("Where the entry is sealed, what it commits to."),
    )
    actor_salt = models.CharField(_("salt of the name"), max_length=32, blank=True)
    details_salt = models.CharField(_("salt of the details"), max_length=32, blank=True)
    seal_salt = models.CharField(_("salt of the seal"), max_length=32, blank=True)
    digest = models.CharField(
        _("digest"),
        max_length=64,
        unique=True,
        help_text=_("The hash of the entry as a leaf of the log (RFC 9162, section 2.1.1)."),
    )

    objects = EventQuerySet.as_manager()

    public_fields = (
        "id",
        "number",
        "at",
        "actor",
        "actor_name",
        "verb",
        "subject",
        "registration_request",
        "namespace",
        "source",
        "target",
        "comment",
        "data",
        "rows",
        "entry",
        "statement",
        "actor_salt",
        "details_salt",
        "seal_salt",
        "digest",
    )

    class Meta:
        ordering = ["number"]
        verbose_name = _("event")
        verbose_name_plural = _("events")
        indexes = [
            # What happened to namespaces, among many events that did not.
            models.Index(
                fields=["verb", "number"],
                condition=models.Q(namespace__isnull=False),
                name="event_on_namespace",
            ),
            models.Index(
                fields=["number"],
                condition=models.Q(registration_request__isnull=True),
                name="event_on_no_request",
            ),
            # Approvals, among everything an expert did.
            models.Index(fields=["actor", "verb"], name="event_by_actor"),
            models.Index(fields=["at"], name="event_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.verb} {self.subject}"


class LogOrigin(models.Model):
    """The beginning of a log: its name, and its entry 0. The last one is the current log."""

    origin = models.CharField(_("name of the log"), max_length=200, unique=True)
    entry = models.TextField(_("entry 0"), help_text=_("Canonical JSON (RFC 8785)."))
    begun_at = models.DateTimeField(_("begun"))

    public_fields = ("id", "origin", "entry", "begun_at")

    class Meta:
        ordering = ["pk"]
        verbose_name = _("log")
        verbose_name_plural = _("logs")

    def __str__(self) -> str:
        return self.origin


class CounterManager(models.Manager["Counter"]):
    def take(self, name: str, count: int = 1) -> int:
        """Return the next number of the counter `name`; call it inside a transaction.

        If several numbers are taken it is the last; those before it are the caller's too. The row
        stays locked until the transaction ends, so a number is used or returned with the change
        that needed it. A database sequence would leave gaps.
        """
        row = self.filter(name=name)
        if not row.update(value=F("value") + count):
            self.get_or_create(name=name)
            row.update(value=F("value") + count)
        return self.get(name=name).value

    def expected(self, name: str) -> int:
        """Return the number that `take` would return now, without locking."""
        return 1 + (self.filter(name=name).values_list("value", flat=True).first() or 0)

    def raise_to(self, name: str, value: int) -> None:
        """Let the counter `name` continue after `value`, without ever lowering it."""
        self.get_or_create(name=name)
        self.filter(name=name, value__lt=value).update(value=value)


class Counter(models.Model):
    """The last number given in one series, such as `informal` or `request-2026`."""

    INFORMAL = "informal"
    EVENT = "event"
    SHOWN = "shown"

    name = models.CharField(max_length=40, primary_key=True)
    value = models.PositiveIntegerField(default=0)

    objects = CounterManager()

    public_fields = ("name", "value")

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"


class RateLimit(models.Model):
    """How much of one limit is used up in the current period."""

    key = models.CharField(
        max_length=200, primary_key=True, help_text=_("What is limited, and for whom.")
    )
    used = models.PositiveIntegerField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.key
