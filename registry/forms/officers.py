"""Input about changes of who may decide."""

from __future__ import annotations

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy as _

from registry.forms.fields import make_reason_field
from registry.forms.organizations import BareForm


class ObjectionForm(BareForm):
    """Why a change is stopped; public."""

    reason = make_reason_field(_("Why should it not take effect?"), _("Public."), rows=2)


class DecisionForm(BareForm):
    """The decision about a stopped change, and its reasons; public."""

    TAKES_EFFECT: Final = "effect"

    decision = forms.ChoiceField(
        label=_("Decision"),
        choices=[
            (TAKES_EFFECT, _("It takes effect now")),
            ("drop", _("It is dropped")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose one.")},
    )
    reason = make_reason_field(_("Reasons"), _("Public."))
