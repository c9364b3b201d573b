"""A table of locators, sent from a page."""

from __future__ import annotations

from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms
from django.utils.translation import gettext_lazy as _

from registry.models import LocatorTable


class LocatorsForm(forms.Form):
    """The file, and which table was in use when the person chose it."""

    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "CSV, or JSON lines with “name” and “locator”; one name on each line, in full or as "
            "what stands behind the NID. In UTF-8."
        ),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.jsonl,.ndjson,.json"}),
        error_messages={
            "required": _("Choose the file."),
            "missing": _("Choose the file."),
            "empty": _("The file is empty. Choose another."),
            "max_length": _("The name of the file is too long. Rename it."),
            "invalid": _("No file came with the form. Choose it again."),
        },
    )
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, current: LocatorTable | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = current.pk if current else None
        words = _("Load it in place of the table in use") if current else _("Load it")
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "file", "seen", StrictButton(words, type="submit", css_class="btn-primary")
        )
