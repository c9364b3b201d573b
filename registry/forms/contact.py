"""Reports to the registrar, and the registrar's answers."""

from __future__ import annotations

from typing import Final

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.utils.translation import gettext_lazy as _

from registry.forms.fields import PlainTextField

MAX_REPORT_LENGTH: Final = 5_000


class ContactForm(forms.Form):
    """A report: what is wrong, where, and optionally how to reach the author."""

    is_refused = False
    summary_above = True

    text = PlainTextField(
        most=MAX_REPORT_LENGTH,
        label=_("What is wrong, or what do you want to know?"),
        widget=forms.Textarea(attrs={"rows": 8}),
        error_messages={"required": _("Write what is wrong, or what you want to know.")},
    )
    page = forms.CharField(
        required=False,
        max_length=500,
        label=_("Which page is it about?"),
        help_text=_("Its address, if it is about one."),
    )
    name = PlainTextField(most=200, required=False, label=_("Your name"), widget=forms.TextInput)
    address = forms.EmailField(
        required=False,
        label=_("Your email address"),
        help_text=_("Only if you want an answer. Only the registrar sees it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={
            "invalid": _("Enter an email address with an @, like name@northlight.example")
        },
    )

    def clean_page(self) -> str:
        """Return the path of the page, however its address was typed."""
        page: str = self.cleaned_data["page"].strip()
        return "".join(character for character in page if character.isprintable())

    @property
    def helper(self) -> FormHelper:
        """The layout: fields only, since the page draws the form around them."""
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        helper.layout = Layout(*(Field(name) for name in self.fields))
        return helper


class ReportAnswerForm(forms.Form):
    """The answer to a report; without one it is closed silently."""

    answer = PlainTextField(
        most=MAX_REPORT_LENGTH,
        required=False,
        label=_("Your answer"),
        help_text=_("Sent to the address they left. Leave it empty to close without an answer."),
        widget=forms.Textarea(attrs={"rows": 8}),
    )

    @property
    def helper(self) -> FormHelper:
        """The layout: the field only, since the page draws the form around it."""
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        return helper
