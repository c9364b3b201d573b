"""Where names lead: resolution services, the two vocabularies about them, locators."""

from __future__ import annotations

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from registry.enums import (
    DesignatorStatus,
    KeywordScope,
    ProbeResult,
    TableState,
)
from registry.validators import validate_no_control_characters


class ServiceDesignator(models.Model):
    """A kind of resolution service, such as `I2L` (draft -03, section 9.2.2; RFC 2483)."""

    name = models.CharField(_("name"), max_length=20, primary_key=True)
    purpose = models.CharField(_("purpose"), max_length=120)
    status = models.CharField(
        _("status"),
        max_length=12,
        choices=DesignatorStatus,
        default=DesignatorStatus.PROVISIONAL,
    )
    reference = models.CharField(_("reference"), max_length=200)
    position = models.PositiveSmallIntegerField(_("position"), default=0)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    public_fields = ("name", "purpose", "status", "reference", "position", "updated_at")

    class Meta:
        ordering = ["position", "name"]
        verbose_name = _("resolution service designator")
        verbose_name_plural = _("resolution service designators")

    def __str__(self) -> str:
        return self.name


class QueryKeyword(models.Model):
    """A keyword of directives in a query, such as `s` (draft -03, section 9.2.1)."""

    keyword = models.CharField(_("keyword"), max_length=40, primary_key=True)
    purpose = models.CharField(_("purpose"), max_length=120)
    scope = models.CharField(
        _("scope"), max_length=8, choices=KeywordScope, default=KeywordScope.GLOBAL
    )
    reference = models.CharField(_("defining document"), max_length=200)
    supported_by = models.JSONField(
        _("supported by"),
        default=list,
        blank=True,
        help_text=_("Pairs of a NID and a reference."),
    )
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    public_fields = ("keyword", "purpose", "scope", "reference", "supported_by", "updated_at")

    class Meta:
        ordering = ["keyword"]
        verbose_name = _("query keyword")
        verbose_name_plural = _("query keywords")

    def __str__(self) -> str:
        return self.keyword


class ServiceQuerySet(models.QuerySet["ResolutionService"]):
    def in_use(self) -> ServiceQuerySet:
        """Return those that were not withdrawn."""
        return self.filter(withdrawn_at__isnull=True)


class ResolutionService(models.Model):
    """A service that knows names of a namespace (RFC 2483).

    A row with service `I2N` or `I2Ns` is an alias: its template makes URNs of another namespace.
    Rows are withdrawn, never deleted: the journal refers to them.
    """

    namespace = models.ForeignKey(
        "registry.Namespace",
        verbose_name=_("namespace"),
        related_name="services",
        on_delete=models.PROTECT,
    )
    service = models.ForeignKey(
        ServiceDesignator,
        verbose_name=_("service"),
        related_name="services",
        on_delete=models.PROTECT,
    )
    prefix = models.CharField(
        _("only for names that begin with"),
        max_length=200,
        blank=True,
        validators=[validate_no_control_characters],
        help_text=_("The beginning of the NSS, such as de: of urn:nbn:de:…; empty for all names."),
    )
    assigner = models.CharField(
        _("who assigns names that begin so"),
        max_length=200,
        blank=True,
        validators=[validate_no_control_characters],
        help_text=_("Of a sub-namespace, such as nbn:fi."),
    )
    template = models.CharField(
        _("address as a URI template"),
        max_length=1000,
        validators=[validate_no_control_characters],
        help_text=_("RFC 6570, over the parts of the name."),
    )
    next_template = models.CharField(
        _("address that takes its place"), max_length=1000, blank=True, editable=False
    )
    next_since = models.DateTimeField(
        _("when that was entered"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("It takes effect after the waiting period."),
    )
    media_type = models.CharField(_("media type"), max_length=100, blank=True)
    language = models.CharField(_("language"), max_length=35, blank=True)
    priority = models.PositiveSmallIntegerField(
        _("priority"), default=10, help_text=_("The smaller comes first.")
    )
    operator = models.CharField(
        _("who runs it"), max_length=200, validators=[validate_no_control_characters]
    )
    source = models.CharField(
        _("where that is known from"),
        max_length=300,
        validators=[validate_no_control_characters],
    )
    withdrawn_at = models.DateTimeField(_("taken away"), null=True, blank=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)
    probe = models.CharField(
        _("last probe"),
        max_length=12,
        choices=ProbeResult,
        default=ProbeResult.NOT_CHECKED,
        editable=False,
    )
    probed_at = models.DateTimeField(_("probed"), null=True, blank=True, editable=False)
    probe_note = models.CharField(_("what it said"), max_length=300, blank=True, editable=False)

    objects = ServiceQuerySet.as_manager()

    public_fields = (
        "id",
        "namespace",
        "service",
        "prefix",
        "assigner",
        "template",
        "next_template",
        "next_since",
        "media_type",
        "language",
        "priority",
        "operator",
        "source",
        "withdrawn_at",
        "updated_at",
        "probe",
        "probed_at",
        "probe_note",
    )

    class Meta:
        ordering = ["namespace", "priority", "pk"]
        verbose_name = _("resolution service")
        verbose_name_plural = _("resolution services")
        constraints = [
            models.UniqueConstraint(
                fields=["namespace", "service", "prefix", "template"],
                condition=models.Q(withdrawn_at__isnull=True),
                name="resolution_service_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.service_id} of {self.namespace}: {self.template}"[:200]

    def get_absolute_url(self) -> str:
        return reverse("namespaces:detail", args=[self.namespace.nid]) + "#services"


class LocatorTable(models.Model):
    """A table of names and locators that an organization loads for its namespace.

    Nobody sees its rows until the whole table is there: then it replaces the previous one, in one
    step.
    """

    namespace = models.ForeignKey(
        "registry.Namespace",
        verbose_name=_("namespace"),
        related_name="locator_tables",
        on_delete=models.PROTECT,
    )
    loaded_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("loaded by"),
        related_name="locator_tables",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        help_text=_("Empty where whoever runs the registry loaded it."),
    )
    file_name = models.CharField(_("file"), max_length=200)
    state = models.CharField(_("state"), max_length=8, choices=TableState)
    sha256 = models.CharField(_("SHA-256 of the file"), max_length=64, blank=True)
    locators_sha256 = models.CharField(
        _("SHA-256 of the locators"), max_length=64, blank=True, default="", db_default=""
    )
    bytes_given = models.PositiveBigIntegerField(_("bytes"), null=True, blank=True)
    bytes_read = models.PositiveBigIntegerField(_("bytes read"), default=0)
    rows_read = models.PositiveBigIntegerField(_("rows read"), default=0)
    rows = models.PositiveBigIntegerField(_("rows"), default=0)
    refused = models.PositiveBigIntegerField(_("refused lines"), default=0)
    report = models.JSONField(_("report of refused lines"), default=list)
    compared_by = models.CharField(
        _("digest of what names were compared by"),
        max_length=64,
        blank=True,
        default="",
        help_text=_("Empty where nothing is added to RFC 8141, section 3.1."),
    )
    started_at = models.DateTimeField(_("started"))
    moved_at = models.DateTimeField(_("last progress"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        ordering = ["-started_at"]
        verbose_name = _("locator table")
        verbose_name_plural = _("locator tables")
        constraints = [
            models.UniqueConstraint(
                fields=["namespace"],
                condition=models.Q(state=TableState.CURRENT),
                name="locator_table_one_current",
            )
        ]

    def __str__(self) -> str:
        return f"{self.file_name} of {self.namespace}"


class Locator(models.Model):
    """One row: the location of what a name names.

    `key` is a digest of the name in its form for comparison: it finds a row equally fast whatever
    the length of names, and rows in its order are written one after the other. `name` is the NSS as
    the organization wrote it.
    """

    pk = models.CompositePrimaryKey("table", "key")
    table = models.ForeignKey(
        LocatorTable, related_name="locators", on_delete=models.CASCADE, db_index=False
    )
    key = models.BinaryField(max_length=16)
    name = models.CharField(_("name"), max_length=2000)
    locator = models.CharField(_("locator"), max_length=2000)

    class Meta:
        verbose_name = _("locator")
        verbose_name_plural = _("locators")

    def __str__(self) -> str:
        return self.name
