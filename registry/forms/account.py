"""What people type about themselves."""

from __future__ import annotations

from typing import Any

from crispy_forms.helper import FormHelper
from django import forms
from django.utils.translation import gettext_lazy as _

from registry.choices import Delivery
from registry.forms.text import Name
from registry.validators import validate_name_of_person


class ProfileForm(forms.Form):
    """What a person may change about themselves; roles are the administrator's."""

    name = Name(
        most=120,
        check=validate_name_of_person,
        label=_("Your name"),
        help_text=_(
            "Shown beside what you write and decide from now on. What was done stays under the "
            "name it was done under."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": _("Type the name under which you act.")},
    )

    delivery = forms.ChoiceField(
        label=_("Letters about what you follow"),
        help_text=_("Letters about your own requests and tasks always come at once."),
        choices=Delivery,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose when you want to read them.")},
    )
    has_shortcuts = forms.BooleanField(
        label=_("Single-key shortcuts"),
        required=False,
        help_text=_("The keys j and k lead to the next and the previous request of the queue."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
