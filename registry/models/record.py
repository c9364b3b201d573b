"""What is read from elsewhere: documents of record, the templates in them, IANA's own list.

None of it is published by us: a Registration is. The texts stay as they were found, and a newer
reading is added next to the older one.
"""

from __future__ import annotations

from typing import Any

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _, ngettext

from registry.licences import Terms, find_terms
from registry.models.template import TemplateColumns


class SourceDocument(models.Model):
    """One document of record as it was found. Immutable: the database refuses updates.

    If a document changes where it is published, it gets another row, with another digest.
    """

    name = models.CharField(
        _("document"), max_length=300, help_text=_("RFC 8458, urn-formal/nbn or an address.")
    )
    address = models.CharField(_("where it is published"), max_length=500)
    read_from = models.CharField(
        _("where it was read"),
        max_length=500,
        help_text=_("The address that answered in the end, or the name of a file."),
    )
    sha256 = models.CharField(_("SHA-256 of its octets"), max_length=64)
    text = models.TextField(_("text"))
    read_at = models.DateTimeField(_("read"))

    public_fields = ("id", "name", "address", "read_from", "sha256", "text", "read_at")

    class Meta:
        ordering = ["name", "read_at"]
        verbose_name = _("source document")
        verbose_name_plural = _("source documents")
        constraints = [
            models.UniqueConstraint(fields=["name", "sha256"], name="source_document_once")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def terms(self) -> Terms:
        """The terms on which its text can be read here."""
        return find_terms(self.address)


class DocumentSource(models.Model):
    """Where a document is fetched from, and the last response.

    `problem` says why it could not be read, and is empty if it was read or had not changed.
    """

    name = models.CharField(_("document"), max_length=300, primary_key=True)
    document = models.ForeignKey(
        SourceDocument,
        verbose_name=_("as read last"),
        related_name="+",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    etag = models.CharField(_("entity tag"), max_length=200, blank=True)
    last_modified = models.CharField(_("last modified"), max_length=60, blank=True)
    asked_from = models.CharField(_("asked from"), max_length=500)
    asked_at = models.DateTimeField(_("asked"))
    problem = models.CharField(_("why it could not be read"), max_length=300, blank=True)

    class Meta:
        ordering = ["name"]
        verbose_name = _("source of a document")
        verbose_name_plural = _("sources of documents")

    def __str__(self) -> str:
        return self.name


class ImportedRecord(TemplateColumns):
    """The template of a namespace as a document of record prints it, and as it was understood.

    Immutable: the database refuses updates. `text` is the part of the document with the template,
    untouched; the columns of the template are what was understood of it. A reading that the
    registrar corrected is a separate record, with `corrected_fields`.
    """

    namespace = models.ForeignKey(
        "registry.Namespace",
        verbose_name=_("namespace"),
        related_name="imported_records",
        on_delete=models.PROTECT,
    )
    number = models.PositiveIntegerField(
        _("number"), help_text=_("Of the record among those of its namespace; not a version.")
    )
    document = models.ForeignKey(
        SourceDocument,
        verbose_name=_("document"),
        related_name="records",
        on_delete=models.PROTECT,
    )
    read_at = models.DateTimeField(_("read"))
    reader = models.CharField(_("version of the reader"), max_length=40)
    first_line = models.PositiveIntegerField(_("first line"))
    last_line = models.PositiveIntegerField(_("last line"))
    first_page = models.PositiveIntegerField(_("first page"))
    last_page = models.PositiveIntegerField(_("last page"))
    text = models.TextField(_("text as found"))
    sha256 = models.CharField(_("SHA-256 of the text as found"), max_length=64)
    generation = models.CharField(_("generation of the template"), max_length=8, blank=True)
    is_update = models.BooleanField(
        _("replaces single fields"),
        default=False,
        help_text=_("The document has no whole template: the rest stands in another one."),
    )
    field_sources = models.JSONField(
        _("where the fields stand"),
        default=dict,
        blank=True,
        help_text=_("By field: the labels, the lines, and what people should know of it."),
    )
    left_over = models.JSONField(
        _("what was not understood"),
        default=list,
        blank=True,
        help_text=_("Passages within the template that belong to no field."),
    )
    remarks = models.JSONField(_("remarks of the reader"), default=list, blank=True)
    doubts = models.JSONField(
        _("doubts"), default=list, blank=True, help_text=_("What a person should look at.")
    )
    grammar_start = models.CharField(_("rule that describes a name"), max_length=200, blank=True)
    corrected_fields = models.JSONField(_("fields corrected by a person"), default=list, blank=True)
    corrected_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("corrected by"),
        related_name="corrected_records",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    correction_reason = models.TextField(_("why it was corrected"), blank=True)

    public_fields = (
        "id",
        *TemplateColumns.template_fields,
        "namespace",
        "number",
        "document",
        "read_at",
        "reader",
        "first_line",
        "last_line",
        "first_page",
        "last_page",
        "text",
        "sha256",
        "generation",
        "is_update",
        "field_sources",
        "left_over",
        "remarks",
        "doubts",
        "corrected_fields",
        "corrected_by",
        "correction_reason",
    )

    class Meta:
        ordering = ["namespace", "-number"]
        verbose_name = _("imported record")
        verbose_name_plural = _("imported records")
        constraints = [
            models.UniqueConstraint(fields=["namespace", "number"], name="imported_record_once"),
            models.CheckConstraint(
                name="imported_record_number_positive", condition=models.Q(number__gte=1)
            ),
            models.CheckConstraint(
                name="imported_record_lines_in_order",
                condition=models.Q(last_line__gte=models.F("first_line")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.namespace} in {self.document}"

    def get_absolute_url(self) -> str:
        return reverse("namespaces:record", args=[self.namespace.nid, self.number])

    @property
    def key(self) -> str:
        """Its name in addresses of comparisons: `r3`, where a version is `3`."""
        return f"r{self.number}"

    @property
    def field_places(self) -> list[dict[str, Any]]:
        """Each place of the document where a field was found: its label, first and last line."""
        return [
            {
                "field": name,
                "label": part["label"],
                "first": part["first"],
                "last": part["last"],
            }
            for name, said in self.field_sources.items()
            for part in said["parts"]
        ]

    @property
    def lines(self) -> str:
        """The lines of the document with the template, as people write them."""
        return join_span(self.first_line, self.last_line)

    @property
    def pages(self) -> str:
        """The pages of the document with the template."""
        return join_span(self.first_page, self.last_page)

    @property
    def place(self) -> str:
        """Where in the document the template is: pages and lines, in words."""
        pages = ngettext("page %s", "pages %s", self.last_page - self.first_page + 1)
        lines = ngettext("line %s", "lines %s", self.last_line - self.first_line + 1)
        return f"{pages % self.pages}, {lines % self.lines}"


def join_span(first: int, last: int) -> str:
    """Return two numbers as a range, or one if they are the same."""
    return str(first) if first == last else f"{first}–{last}"


class RecordContact(models.Model):
    """A mail address from a document of record, confirmed by the registrar.

    It is notified of requests that would change the namespace, and proves nothing. An unconfirmed
    address has no row: the registrar reads it in the record.
    """

    namespace = models.ForeignKey(
        "registry.Namespace",
        verbose_name=_("namespace"),
        related_name="record_contacts",
        on_delete=models.PROTECT,
    )
    address = models.EmailField(_("mail address"))
    record = models.ForeignKey(
        ImportedRecord,
        verbose_name=_("record that gives it"),
        related_name="+",
        on_delete=models.PROTECT,
    )
    source = models.CharField(_("how it was confirmed"), max_length=300)
    confirmed_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("confirmed by"),
        related_name="confirmed_contacts",
        on_delete=models.PROTECT,
    )
    confirmed_at = models.DateTimeField(_("confirmed"))

    class Meta:
        ordering = ["namespace", "address"]
        verbose_name = _("confirmed contact")
        verbose_name_plural = _("confirmed contacts")
        constraints = [
            models.UniqueConstraint(fields=["namespace", "address"], name="record_contact_once")
        ]

    def __str__(self) -> str:
        return f"{self.address} of {self.namespace}"


class IANASnapshot(models.Model):
    """IANA's list as it was read: the octets, with their digest. Immutable, as documents are."""

    sha256 = models.CharField(_("SHA-256 of the octets"), max_length=64, unique=True)
    address = models.CharField(_("where it was read"), max_length=500)
    content = models.BinaryField(_("octets"))
    updated_on = models.CharField(_("its own date"), max_length=10, blank=True)
    changes = models.PositiveIntegerField(
        _("how many entries differed when it was read"), default=0
    )
    read_at = models.DateTimeField(_("read"))

    public_fields = ("id", "sha256", "address", "content", "updated_on", "changes", "read_at")

    class Meta:
        ordering = ["-read_at", "-pk"]
        verbose_name = _("reading of IANA's list")
        verbose_name_plural = _("readings of IANA's list")

    def __str__(self) -> str:
        return f"{self.address}, {self.updated_on or self.read_at.date()}"
