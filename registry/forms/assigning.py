"""What is said with putting an expert on a request, with handing it over and stepping back."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from registry.forms.act import StepForm
from registry.forms.layout import Choices, Option, OptionSelect
from registry.models import User


class RecuseForm(StepForm):
    """Stepping back, with a reason or without, from one request or all of its organization."""

    for_good = forms.BooleanField(required=False)

    def __init__(self, *args: Any, action: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["for_good"].label = gettext(
            "Also for every other request of %(organization)s"
        ) % {"organization": kwargs["registration_request"].organization}
        self.fields["comment"].widget.attrs["rows"] = 2
        self.helper = FormHelper()
        self.helper.form_action = action
        self.helper.layout = Layout(
            "seen",
            "comment",
            "for_good",
            StrictButton(_("Recuse yourself"), type="submit", css_class="btn-outline-secondary"),
        )


class ExpertForm(StepForm):
    """Which expert is put on a request; those who cannot judge it are shown with the reason."""

    button = _("Put on the request")

    def __init__(self, *args: Any, experts: Sequence[tuple[User, Option]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        by_key = {str(expert.pk): expert for expert, _option in experts}
        self.fields["expert"] = forms.TypedChoiceField(
            label=_("Who judges it"),
            choices=[(expert.pk, option) for expert, option in experts],
            coerce=by_key.__getitem__,
            empty_value=None,
            widget=OptionSelect,
            error_messages={"required": _("Choose an expert.")},
        )
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "seen", *self.rows(), StrictButton(self.button, type="submit", css_class="btn-primary")
        )

    def rows(self) -> tuple[Any, ...]:
        """Return the fields in their order."""
        return (Choices("expert"),)


class HandOverForm(ExpertForm):
    """Who leaves a request, who comes to it, and why."""

    button = _("Hand over")

    def __init__(self, *args: Any, leavers: Sequence[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        by_key = {str(leaver.pk): leaver for leaver in leavers}
        self.fields["leaver"] = forms.TypedChoiceField(
            label=_("Who leaves it"),
            choices=[(leaver.pk, str(leaver)) for leaver in leavers],
            coerce=by_key.__getitem__,
            empty_value=None,
        )
        self.fields["expert"].label = _("Who comes to it")

    def rows(self) -> tuple[Any, ...]:
        """Return the fields in their order."""
        return (Field("leaver", css_class="narrow--30"), Choices("expert"), "comment")


class ExtendForm(StepForm):
    """Until when a decision is put off, and why."""

    due_on = forms.DateField(
        label=_("New date"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": _("Name the new date.")},
    )

    def __init__(self, *args: Any, promised_by: datetime.date | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["due_on"].help_text = (
            gettext("Promised so far: %(day)s.") % {"day": f"{promised_by:%-d %B %Y}"}
            if promised_by
            else ""
        )
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "seen",
            Field("due_on", css_class="narrow--16"),
            "comment",
            StrictButton(_("Extend the date"), type="submit", css_class="btn-primary"),
        )
