"""What experts decide of a round, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Field, Layout, Submit
from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.forms.act import comment_field
from registry.forms.layout import Option, OptionSelect
from registry.models import RegistrationRequest
from registry.workflow import Transition


class DecisionForm(forms.Form):
    """What an expert decides on a round, why, and which revision they had before them.

    `offers` are the transitions to choose from, each with what stands in its way, if anything;
    `points` what to weigh before each, by verb.
    """

    optional_unmarked = True

    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        registration_request: RegistrationRequest,
        offers: Sequence[tuple[Transition, str | Promise]],
        points: Mapping[str, tuple[str | Promise, ...]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = registration_request.revision
        self.fields["verb"] = forms.ChoiceField(
            label=_("What you decide"),
            choices=[
                (each.verb, option(each, barred, points.get(each.verb, ())))
                for each, barred in offers
            ],
            widget=OptionSelect,
            error_messages={"required": _("Choose what you decide.")},
        )
        only = offers[0][0] if len(offers) == 1 else None
        if only:
            self.fields["verb"].initial = only.verb
        self.explaining = {each.verb for each, _barred in offers if each.explains}
        self.fields["comment"] = comment_field(offers[0][0])
        self.fields["comment"].required = False  # Which verb was chosen decides; see clean.
        if not only:
            self.fields["comment"].label = _("Reasons, public")
        self.helper = FormHelper()
        self.helper.form_class = "decision"
        self.helper.attrs = {"id": "decide"}
        self.helper.layout = Layout(
            "seen",
            Field("verb", template="components/choice.html"),
            "comment",
            Div(
                Submit("decide", str(only.label) if only else _("Record decision")),
                StrictButton(
                    _("Save for later"),
                    type="submit",
                    name="later",
                    value="1",
                    formnovalidate=True,
                    css_class="btn-outline-secondary",
                ),
                css_class="cluster",
            ),
        )

    def clean(self) -> dict[str, Any]:
        """Ask for the reasons that the chosen decision needs, beside the field."""
        answers = super().clean() or {}
        chosen, comment = answers.get("verb"), str(answers.get("comment", ""))
        if chosen in self.explaining and not comment.strip() and "comment" not in self.errors:
            self.add_error("comment", self.fields["comment"].error_messages["required"])
        return answers


def option(
    transition: Transition, barred: str | Promise, points: tuple[str | Promise, ...]
) -> Option:
    """Return a transition as a choice: what it does, what to weigh, and why it cannot be taken."""
    shown = () if barred else points
    return Option(transition.label, hint=transition.consequence, points=shown, barred=barred)
