"""Columns for the registration template, made from its one definition."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from registry.choices import GrammarKind
from registry.template import FIELDS, Template, sha256


class TemplateColumns(models.Model):
    """The thirteen fields of Appendix A, and what is kept beside the Syntax text.

    One column a field of `registry.template.FIELDS`, by its name; read and written together
    as the value `template`.
    """

    grammar_kind = models.CharField(
        _("structure given as"), max_length=12, choices=GrammarKind, blank=True
    )
    grammar = models.TextField(_("formal grammar"), blank=True)
    examples = models.JSONField(_("examples"), default=list, blank=True)
    counter_examples = models.JSONField(_("counter-examples"), default=list, blank=True)
    prior_use = models.TextField(_("prior unregistered use"), blank=True)

    class Meta:
        abstract = True

    @property
    def template(self) -> Template:
        """The text of this row, as a value."""
        names = Template.blank().to_dict()
        return Template.from_dict({name: getattr(self, name) for name in names})

    @template.setter
    def template(self, template: Template) -> None:
        for name, value in template.to_dict().items():
            setattr(self, name, value)

    @property
    def canonical_sha256(self) -> str:
        """SHA-256 of the canonical text as it stands now, in hexadecimal."""
        return sha256(self.template)


for _field in FIELDS:
    models.TextField(_field.label, blank=True, default="").contribute_to_class(
        TemplateColumns, _field.name
    )
