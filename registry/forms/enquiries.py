"""An enquiry and its answer."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from registry.forms.fields import PlainTextField
from registry.forms.organizations import BareForm


class EnquiryForm(BareForm):
    """A question, and whether everyone may read the answer."""

    question = PlainTextField(
        most=5_000,
        label=_("What do you want to know?"),
        help_text=_(
            "Say what you want to name and who would give the names. For example: do I need a "
            "namespace of my own, or is there one for this?"
        ),
        widget=forms.Textarea(attrs={"rows": 6}),
        error_messages={"required": _("Write your question.")},
    )
    is_public = forms.TypedChoiceField(
        label=_("How should it be answered?"),
        choices=[
            ("yes", _("In public: others learn from it. Your name is shown with the question")),
            ("no", _("In private: only you, the experts and the registrar read it")),
        ],
        coerce=lambda answer: answer == "yes",
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose how it should be answered.")},
    )


class EnquiryAnswerForm(BareForm):
    answer = PlainTextField(
        most=10_000,
        label=_("Answer"),
        widget=forms.Textarea(attrs={"rows": 6}),
        error_messages={"required": _("Write the answer.")},
    )
