"""What is said with coming to a request as its expert, and with stepping back."""

from __future__ import annotations

from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django.utils.translation import gettext_lazy as _

from registry.forms.act import StepForm


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
