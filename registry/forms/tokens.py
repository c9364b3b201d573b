"""What a person says of a token for one of their programs."""

from __future__ import annotations

import datetime
from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.utils.translation import gettext_lazy as _

from registry.forms.programs import ProgramForm
from registry.forms.text import PlainText

DAYS: Final = (
    ("1", _("One day")),
    ("30", _("30 days")),
    ("90", _("90 days")),
    ("365", _("One year")),
)


class TokenForm(ProgramForm):
    """What the token is for, and for how long it opens something."""

    name = PlainText(
        most=80,
        label=_("What is it for?"),
        help_text=_("Such as the program or the computer that will use it."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Say what the token is for.")},
    )
    days = forms.TypedChoiceField(
        label=_("For how long?"),
        choices=DAYS,
        coerce=int,
        initial="90",
        error_messages={"required": _("Choose for how long.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "key",
            Field("name", css_class="narrow--34"),
            Field("days", css_class="narrow--16"),
            StrictButton(_("Make the token"), type="submit", css_class="btn-primary"),
        )

    @property
    def lifetime(self) -> datetime.timedelta:
        """For how long the token of the valid form opens something."""
        return datetime.timedelta(self.cleaned_data["days"])
