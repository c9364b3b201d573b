"""The columns that hold a registration template."""

from __future__ import annotations

from dataclasses import fields

from django.db import models
from django.utils.translation import gettext_lazy as _

from registry.enums import GrammarKind, KnownIssues, ResolutionIntention
from registry.template import Template, sha256


class TemplateColumns(models.Model):
    """The thirteen fields of RFC 8141, Appendix A, and their subfields.

    The columns have the names and labels of `registry.template.FIELDS`; `template` reads and writes
    them together, as one value.
    """

    nid = models.TextField("Namespace Identifier", blank=True, default="")
    version = models.TextField("Version", blank=True, default="")
    date = models.TextField("Date", blank=True, default="")
    registrant = models.TextField("Registrant", blank=True, default="")
    purpose = models.TextField("Purpose", blank=True, default="")
    syntax = models.TextField("Syntax", blank=True, default="")
    assignment = models.TextField("Assignment", blank=True, default="")
    security_privacy = models.TextField("Security and Privacy", blank=True, default="")
    interoperability = models.TextField("Interoperability", blank=True, default="")
    resolution = models.TextField("Resolution", blank=True, default="")
    documentation = models.TextField("Documentation", blank=True, default="")
    additional_information = models.TextField("Additional Information", blank=True, default="")
    revision_information = models.TextField("Revision Information", blank=True, default="")

    grammar_kind = models.CharField(
        _("structure given as"), max_length=12, choices=GrammarKind, blank=True
    )
    grammar = models.TextField(_("formal grammar"), blank=True)
    grammar_start = models.CharField(
        _("rule that describes a name"), max_length=200, blank=True, default=""
    )
    examples = models.JSONField(_("examples"), default=list, blank=True)
    counter_examples = models.JSONField(_("counter-examples"), default=list, blank=True)
    equivalence = models.JSONField(
        _("when two names are the same"),
        default=list,
        blank=True,
        help_text=_("Statements, one an entry; nothing is declared where there is none."),
    )
    prior_use = models.TextField(_("prior unregistered use"), blank=True)
    known_issues = models.CharField(
        _("interoperability issues known"), max_length=4, choices=KnownIssues, blank=True
    )
    resolution_intended = models.CharField(
        _("resolution intended"), max_length=9, choices=ResolutionIntention, blank=True
    )
    resolution_operator = models.TextField(
        _("operator of the resolution service"), blank=True, default=""
    )

    template_fields = tuple(each.name for each in fields(Template))

    class Meta:
        abstract = True

    @property
    def template(self) -> Template:
        """The text of this row, as a value."""
        return Template.from_dict(
            {each.name: getattr(self, each.name) for each in fields(Template)}
        )

    @template.setter
    def template(self, template: Template) -> None:
        for name, value in template.to_dict().items():
            setattr(self, name, value)

    @property
    def canonical_sha256(self) -> str:
        """SHA-256 of the current canonical text, in hexadecimal."""
        return sha256(self.template)
