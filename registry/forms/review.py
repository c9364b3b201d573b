"""What experts type: what to see of the queue, and what they decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout, Submit
from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.choices import Change, Path
from registry.forms.act import StepForm, comment_field
from registry.forms.layout import Option, OptionSelect
from registry.models import RegistrationRequest
from registry.validators import validate_no_control_characters
from registry.workflow import Transition

KINDS = (
    ("", _("Every kind")),
    (Path.COMMUNITY, _("Formal")),
    (Path.FAST_TRACK, _("Fast track")),
    (Path.INFORMAL, _("Informal")),
    (Change.REVISION, _("Revision")),
)
ORDERS = (("due", _("Due first")), ("oldest", _("Oldest first")), ("latest", _("Latest first")))


class QueueForm(forms.Form):
    """Which requests of a tab to show, and in what order."""

    optional_unmarked = True

    tab = forms.CharField(required=False, widget=forms.HiddenInput)
    words = forms.CharField(
        label=_("Words"),
        required=False,
        max_length=100,
        validators=[validate_no_control_characters],
        widget=forms.TextInput(attrs={"placeholder": _("Identifier or registrant")}),
    )
    path = forms.ChoiceField(label=_("Kind"), required=False, choices=KINDS)
    sort = forms.ChoiceField(label=_("Sort"), required=False, choices=ORDERS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_method = "get"
        self.helper.form_class = "cluster align-items-start"
        self.helper.label_class = "visually-hidden"
        self.helper.attrs = {"aria-label": _("Filter")}
        self.helper.layout = Layout(
            "tab",
            Field("words", css_class="form-control-sm"),
            Field("path", css_class="form-select-sm"),
            Field("sort", css_class="form-select-sm"),
            StrictButton(_("Apply"), type="submit", css_class="btn-sm btn-outline-secondary"),
        )


class DecisionForm(forms.Form):
    """What an expert decides on a round, why, and which revision they had before them.

    `offers` are the transitions to choose from, each with what stands in its way, if anything.
    """

    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        registration_request: RegistrationRequest,
        offers: Sequence[tuple[Transition, str | Promise]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = registration_request.revision
        self.fields["verb"] = forms.ChoiceField(
            label=_("What you decide"),
            choices=[(each.verb, option(each, barred)) for each, barred in offers],
            widget=OptionSelect,
            error_messages={"required": _("Choose what you decide.")},
        )
        if len(offers) == 1:
            self.fields["verb"].initial = offers[0][0].verb
        self.explaining = {each.verb for each, _barred in offers if each.explains}
        self.fields["comment"] = comment_field(offers[0][0])
        self.fields["comment"].required = False  # Which verb was chosen decides; see clean.
        if len(offers) > 1:
            self.fields["comment"].label = _("Reasons, public")
        self.helper = FormHelper()
        self.helper.form_class = "decision"
        self.helper.attrs = {"id": "decide"}
        self.helper.layout = Layout(
            "seen",
            Field("verb", template="components/choice.html"),
            "comment",
            Submit("decide", _("Record decision")),
        )

    def clean(self) -> dict[str, Any]:
        """Ask for the reasons that the chosen decision needs, beside the field."""
        answers = super().clean() or {}
        chosen, comment = answers.get("verb"), str(answers.get("comment", ""))
        if chosen in self.explaining and not comment.strip() and "comment" not in self.errors:
            self.add_error("comment", self.fields["comment"].error_messages["required"])
        return answers


def option(transition: Transition, barred: str | Promise) -> Option:
    """Return a transition as a choice: what it does, and why it cannot be taken now."""
    return Option(transition.label, hint=transition.consequence, barred=barred)


class RecuseForm(StepForm):
    """Stepping back, with a reason or without."""

    def __init__(self, *args: Any, action: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["comment"].widget.attrs["rows"] = 2
        self.helper = FormHelper()
        self.helper.form_action = action
        self.helper.layout = Layout(
            "seen",
            "comment",
            StrictButton(_("Recuse yourself"), type="submit", css_class="btn-outline-secondary"),
        )
