"""What to see of the experts' queue, and in what order."""

from __future__ import annotations

from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.utils.translation import gettext_lazy as _

from registry.choices import Change, Path
from registry.validators import validate_no_control_characters

KINDS = (
    ("", _("Every kind")),
    (Path.COMMUNITY, _("Formal")),
    (Path.FAST_TRACK, _("Fast track")),
    (Path.INFORMAL, _("Informal")),
    (Change.REVISION, _("Revision")),
)
ORDERS = (
    ("turn", _("By turn and age")),
    ("due", _("Due first")),
    ("oldest", _("Oldest first")),
    ("latest", _("Latest first")),
)


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
