"""Registered namespaces, the published versions of their templates, and other known NIDs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.apps import apps
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, gettext_lazy as _

from registry.enums import (
    UNSUCCESSFUL_STATES,
    NamespaceKind,
    NamespaceStatus,
    ReservedList,
)
from registry.licences import MAX_LICENCE_LENGTH, Licence, find_licence
from registry.models.template import TemplateColumns
from registry.urn.syntax import NID
from registry.validators import validate_no_control_characters, validate_partial_date

if TYPE_CHECKING:
    from registry.models.request import RegistrationRequest

MAX_IANA_REFERENCE_LENGTH: Final = 300


class NamespaceQuerySet(models.QuerySet["Namespace"]):
    def for_lists(self) -> NamespaceQuerySet:
        """Return them with what a list shows, in one query."""
        return self.select_related("registrant", "provenance", "replaced_by")

    def search(self, words: str) -> NamespaceQuerySet:
        """Return those whose facts or imported Purpose contain every one of `words`."""
        found, records = self, apps.get_model("registry.ImportedRecord")._default_manager
        for word in words.split():
            told = records.filter(purpose__icontains=word)
            found = found.filter(
                models.Q(nid__icontains=word)
                | models.Q(summary__icontains=word)
                | models.Q(registrant__name__icontains=word)
                | models.Q(references__icontains=word)
                | models.Q(pk__in=told.values("namespace"))
            )
        return found


@dataclass(frozen=True, slots=True)
class VersionSource:
    """What one source gives as the last version of a namespace: the number, and in words."""

    number: int
    words: str
    is_ours: bool = False


def find_next_number(sources: Iterable[VersionSource]) -> int | None:
    """Return the number after the highest of all sources; None if no source has one."""
    numbers = [each.number for each in sources]
    return max(numbers) + 1 if numbers else None


def read_whole_version(text: str) -> int | None:
    """Return the integer that a version begins with, 2 for “2.1”; None if it has none."""
    whole = re.match(r"[0-9]{1,9}", text)
    return int(whole.group()) if whole else None


class Namespace(models.Model):
    """One registered NID. Never deleted, its NID never freed (RFC 8141, section 5.1).

    An imported namespace has facts and perhaps a `last_known_version`, but no Registration until
    its first revision here.
    """

    nid = models.CharField(
        _("NID"),
        max_length=32,
        unique=True,
        validators=[RegexValidator(rf"\A{NID}\Z")],
        help_text=_("In lower case, as it is compared."),
    )
    nid_as_registered = models.CharField(_("spelling as registered"), max_length=32)
    kind = models.CharField(_("kind"), max_length=8, choices=NamespaceKind)
    informal_number = models.PositiveIntegerField(
        _("informal number"), unique=True, null=True, blank=True
    )
    status = models.CharField(
        _("status"), max_length=10, choices=NamespaceStatus, default=NamespaceStatus.ACTIVE
    )
    notice = models.TextField(
        _("notice"),
        blank=True,
        help_text=_("Why it is deprecated or obsolete, and what to use instead."),
    )
    replaced_by = models.ForeignKey(
        "self",
        verbose_name=_("replaced by"),
        related_name="replaces",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        help_text=_("What to use instead of a deprecated or obsolete one; nobody is redirected."),
    )
    summary = models.CharField(
        _("what its names name"), max_length=200, blank=True, help_text=_("A few words for lists.")
    )
    background = models.CharField(
        _("background"),
        max_length=200,
        blank=True,
        help_text=_("What to know of its documents, such as that the first is Historic."),
    )
    registrant = models.ForeignKey(
        "registry.Organization",
        verbose_name=_("registrant"),
        related_name="namespaces",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    contact = models.TextField(_("contact"), blank=True)
    references = models.JSONField(_("documents of record"), default=list, blank=True)
    registered_on = models.CharField(
        _("registered on"),
        max_length=10,
        blank=True,
        validators=[validate_partial_date],
        help_text=_("2026-11-20, 2026-11 or empty: as precise as it is known."),
    )
    last_known_version = models.CharField(
        _("last known version"),
        max_length=20,
        blank=True,
        help_text=_("Of an imported namespace, as its template said it."),
    )
    iana_reference = models.CharField(
        _("IANA reference"),
        max_length=MAX_IANA_REFERENCE_LENGTH,
        blank=True,
        validators=[validate_no_control_characters],
        help_text=_("By what IANA knows the entry: a ticket such as IANA #1234567, or an address."),
    )
    contact_confirmed_on = models.DateField(
        _("contact confirmed on"),
        null=True,
        blank=True,
        help_text=_("When somebody last said that the contact is right; a letter asks each year."),
    )
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    objects = NamespaceQuerySet.as_manager()

    public_fields = (
        "id",
        "nid",
        "nid_as_registered",
        "kind",
        "informal_number",
        "status",
        "notice",
        "replaced_by",
        "summary",
        "background",
        "registrant",
        "contact",
        "references",
        "registered_on",
        "last_known_version",
        "iana_reference",
        "contact_confirmed_on",
        "updated_at",
    )

    class Meta:
        ordering = ["nid"]
        verbose_name = _("namespace")
        verbose_name_plural = _("namespaces")
        constraints = [
            models.CheckConstraint(
                name="namespace_nid_lower", condition=models.Q(nid=Lower("nid"))
            ),
            models.CheckConstraint(
                name="namespace_spelling_is_the_nid",
                condition=models.Q(nid=Lower("nid_as_registered")),
            ),
            models.CheckConstraint(
                name="namespace_informal_has_number",
                condition=models.Q(kind=NamespaceKind.FORMAL, informal_number__isnull=True)
                | models.Q(
                    kind=NamespaceKind.INFORMAL,
                    informal_number__isnull=False,
                    informal_number__gte=1,
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.nid

    def get_absolute_url(self) -> str:
        return reverse("namespaces:detail", args=[self.nid])

    @property
    def current(self) -> Registration | None:
        """The version in force, or None if we do not hold the template's text."""
        return self.registrations.order_by("-number").first()

    @property
    def is_reference_verified(self) -> bool:
        """Whether its document of record was checked; our own registrations were."""
        return not hasattr(self, "provenance") or self.provenance.is_verified

    @property
    def version_sources(self) -> list[VersionSource]:
        """What each source gives as the last version; silent sources are left out.

        Of the imported records the one with the highest version counts: the others are its earlier
        versions, and do not contradict it.
        """
        imported = self.imported_records.values_list("document__name", "version")
        return self.weigh_version_sources(self.current, imported)

    def weigh_version_sources(
        self, current: Registration | None, imported: Iterable[tuple[str, str]]
    ) -> list[VersionSource]:
        """Return `version_sources`, given the version in force and the imported documents.

        `imported` are the documents, each with its version.
        """
        on_record = read_whole_version(self.last_known_version)
        sources = []
        if current:
            words = gettext("version %(version)s was registered here") % {"version": current.number}
            sources.append(VersionSource(current.number, words, is_ours=True))
        if on_record is not None:
            words = gettext("the facts on record have version %(version)s")
            words %= {"version": self.last_known_version}
            sources.append(VersionSource(on_record, words))
        numbered = [
            (number, document, written)
            for document, written in imported
            if (number := read_whole_version(written)) is not None
        ]
        if numbered:
            number, document, written = max(numbered)
            words = gettext("%(document)s has version %(version)s")
            words %= {"document": document, "version": written}
            sources.append(VersionSource(number, words))
        return sources

    @property
    def next_version(self) -> int | None:
        """The number after the highest of all sources; None if no source has one."""
        return find_next_number(self.version_sources)

    @property
    def disagreeing_version_sources(self) -> list[VersionSource]:
        """The sources, if they disagree on the last version; else none.

        A version registered here follows all those of others, unless one of them is higher.
        """
        sources = self.version_sources
        ours = max((each.number for each in sources if each.is_ours), default=0)
        others = {each.number for each in sources if not each.is_ours}
        agree = ours >= max(others, default=0) if ours else len(others) <= 1
        return [] if agree else sources


class Provenance(models.Model):
    """Where the facts of an imported namespace come from, and how certain they are."""

    NOT_READ = ("rfc-month-memory", "none", "")

    namespace = models.OneToOneField(
        Namespace, related_name="provenance", on_delete=models.CASCADE, primary_key=True
    )
    source = models.CharField(_("source"), max_length=200)
    is_verified = models.BooleanField(_("reference checked"), default=False)
    registered_source = models.CharField(_("source of the date"), max_length=20, blank=True)
    template_url = models.URLField(_("address of the template at IANA"), blank=True)
    template_date = models.CharField(
        _("date in the template"), max_length=10, blank=True, validators=[validate_partial_date]
    )
    template_generation = models.CharField(
        _("generation of the template"), max_length=40, blank=True
    )

    public_fields = (
        "namespace",
        "source",
        "is_verified",
        "registered_source",
        "template_url",
        "template_date",
        "template_generation",
    )

    class Meta:
        verbose_name = _("provenance")
        verbose_name_plural = _("provenances")

    def __str__(self) -> str:
        return f"{self.namespace}: {self.source}"

    @property
    def is_date_verified(self) -> bool:
        """Whether the date of registration was read somewhere and not recalled from memory."""
        return self.registered_source not in self.NOT_READ


class Registration(TemplateColumns):
    """One published version of a namespace's template. Immutable: the database refuses updates.

    `number` is the Version of Appendix A; `registered_on` the day of registration, while the
    template's own Date says when registration was requested.
    """

    namespace = models.ForeignKey(
        Namespace,
        verbose_name=_("namespace"),
        related_name="registrations",
        on_delete=models.PROTECT,
    )
    number = models.PositiveIntegerField(_("version"))
    number_source = models.CharField(
        _("where the last version is known from"), max_length=300, blank=True
    )
    registered_on = models.DateField(_("registered on"))
    registration_request = models.OneToOneField(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="registration",
        on_delete=models.PROTECT,
    )
    sha256 = models.CharField(_("SHA-256 of the text"), max_length=64)
    text_licence = models.CharField(
        _("licence of the text"),
        max_length=MAX_LICENCE_LENGTH,
        blank=True,
        help_text=_("By its SPDX identifier, as the round says that was published."),
    )

    public_fields = (
        "id",
        *TemplateColumns.template_fields,
        "namespace",
        "number",
        "number_source",
        "registered_on",
        "registration_request",
        "sha256",
        "text_licence",
    )

    class Meta:
        ordering = ["namespace", "-number"]
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")
        indexes = [
            models.Index(fields=["-registered_on", "-id"], name="registration_newest"),
            # Whether a namespace has a grammar is queried for all of them, and rows with texts are
            # long.
            models.Index(
                fields=["namespace", "number", "grammar_kind"],
                condition=~models.Q(grammar=""),
                name="registration_with_grammar",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["namespace", "number"], name="registration_once"),
            models.CheckConstraint(
                name="registration_version_positive", condition=models.Q(number__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.namespace} version {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("namespaces:version", args=[self.namespace.nid, self.number])

    @property
    def licence(self) -> Licence | None:
        """The licence under which everyone may use the text, or None if nobody agreed to any."""
        return find_licence(self.text_licence)


class ReservedName(models.Model):
    """One entry of a reserved list: similarity to it is to be considered, but never blocks.

    RFC 8141, section 5.1 asks applicants and reviewers to watch for such strings.
    """

    list = models.CharField(_("list"), max_length=12, choices=ReservedList)
    name = models.CharField(_("name"), max_length=63, help_text=_("In lower case."))
    note = models.CharField(_("what it stands for"), max_length=200, blank=True)

    public_fields = ("id", "list", "name", "note")

    class Meta:
        ordering = ["name", "list"]
        verbose_name = _("reserved name")
        verbose_name_plural = _("reserved names")
        constraints = [
            models.UniqueConstraint(fields=["list", "name"], name="reserved_name_unique"),
            models.CheckConstraint(
                name="reserved_name_lower",
                condition=models.Q(name=models.functions.Lower("name")),
                violation_error_message=_("Write the name in lower case."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.get_list_display()})"


class SightingQuerySet(models.QuerySet["Sighting"]):
    def for_lists(self) -> SightingQuerySet:
        """Return them with what a list shows, in one query."""
        return self.select_related("noted_by", "claimed_by")


class Sighting(models.Model):
    """A NID seen in use without registration, with evidence; a request can claim it."""

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
        null=True,
        blank=True,
        help_text=_("Nobody where it came with the data that the registry ships."),
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

    objects = SightingQuerySet.as_manager()

    public_fields = (
        "id",
        "nid",
        "evidence",
        "user_of_it",
        "noted_by",
        "noted_at",
        "notice_sent_at",
        "claimed_by",
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

    @property
    def edition(self) -> str:
        """A mark of its content, by which an outdated page is recognized.

        The mark is public and the mail address is not: it is keyed, so that addresses cannot be
        guessed.
        """
        content = json.dumps([self.evidence, self.user_of_it, self.address])
        return salted_hmac("registry.sightings", content, algorithm="sha256").hexdigest()

    @property
    def claim(self) -> RegistrationRequest | None:
        """The request that claims it, unless that failed."""
        claim = self.claimed_by
        return None if claim is None or claim.state in UNSUCCESSFUL_STATES else claim
