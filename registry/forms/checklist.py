"""The checklist of an expert."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _

from registry.choices import Answer
from registry.forms.layout import Tri
from registry.models import Round
from registry.template.checklist import Question


class ChecklistForm(forms.Form):
    """Yes, No or Unsure to each question; what is left out is answered later, or never."""

    round_number = forms.IntegerField(widget=forms.HiddenInput)

    optional_unmarked = True

    def __init__(
        self,
        *args: Any,
        shown: Round,
        questions: Sequence[Question],
        answers: Mapping[str, str],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **{"auto_id": "check_%s", **kwargs})
        self.fields["round_number"].initial = shown.number
        for question in questions:
            self.fields[question.slug] = forms.ChoiceField(
                label=question.text,
                choices=Answer,
                required=False,
                initial=answers.get(question.slug),
                widget=forms.RadioSelect,
            )
        self.helper = FormHelper()
        action = reverse("review:checklist", args=[shown.registration_request.slug])
        self.helper.form_action = action
        self.helper.attrs = {
            "id": "checklist-form",
            "data-send-again": "",
            "hx-post": action,
            "hx-trigger": "change, submit",
            "hx-swap": "none",
            "hx-sync": "this:queue last",
        }
        self.helper.layout = Layout(
            "round_number",
            *(Tri(question.slug) for question in questions),
            StrictButton(
                _("Keep the answers"), type="submit", css_class="btn-sm btn-outline-secondary mt-3"
            ),
        )

    def clean(self) -> dict[str, Any]:
        """Return the round that was read, and what is answered, by question."""
        cleaned = super().clean() or {}
        number = cleaned.pop("round_number", None)
        return {
            "round_number": number,
            "answers": {slug: given for slug, given in cleaned.items() if given},
        }
