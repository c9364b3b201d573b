"""What a person says with a step of the workflow."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from registry.models import RegistrationRequest
from registry.validators import validate_no_control_characters
from registry.workflow import Transition

COMMENT_LENGTH = 20_000


class StepForm(forms.Form):
    """The words for one transition, and the revision of the request that the person saw."""

    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        registration_request: RegistrationRequest,
        transition: Transition,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = registration_request.revision
        if transition.comment:
            self.fields["comment"] = comment_field(transition)


def comment_field(transition: Transition) -> forms.CharField:
    """Return the field that asks for what `transition` wants to be told."""
    return forms.CharField(
        label=str(transition.comment),
        required=transition.explains,
        max_length=COMMENT_LENGTH,
        validators=[validate_no_control_characters],
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": _("Give your reasons; they are public.")},
    )
