"""The registrar's decisions on differences between IANA's list and this registry."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from registry.forms.fields import PlainTextField


class EnterDifferencesForm(forms.Form):
    """Which differences to adopt, as they were seen: `nid:digest`."""

    chosen = forms.MultipleChoiceField(
        error_messages={
            "required": _("Choose what to take over."),
            "invalid_choice": _(
                "What you chose has changed since you saw it. Look at the list again."
            ),
        }
    )

    def __init__(self, *args: object, keys: list[str], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        field = self.fields["chosen"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(key, key) for key in keys]


class SetAsideForm(forms.Form):
    """Why a difference is left as it is."""

    nid = forms.CharField(max_length=32)
    digest = forms.CharField(max_length=64)
    reason = PlainTextField(
        most=1_000,
        label=_("Why is it set aside?"),
        error_messages={"required": _("Say why it is set aside; it is public.")},
    )
