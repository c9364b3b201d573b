"""When a person reads letters about what they follow."""

from __future__ import annotations

from typing import Any

from crispy_forms.helper import FormHelper
from django import forms
from django.utils.translation import gettext_lazy as _

from registry.choices import Delivery


class DeliveryForm(forms.Form):
    """At once or once a day. Letters that ask somebody to act always go at once."""

    delivery = forms.ChoiceField(
        label=_("When to write to you"),
        help_text=_("Letters that ask you to act are always sent at once."),
        choices=Delivery.choices,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
