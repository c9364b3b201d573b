"""What programs say, as JSON; it is read by the same forms as what people type."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from rest_framework import serializers

from registry.api.problems import refuse_invalid


class YesOrNo(serializers.BooleanField):
    """True or false, as the radios of a page say it."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the choice."""
        return "yes" if super().to_internal_value(data) else "no"


class Lines(serializers.ListField):
    """A list of texts, as people type it: one entry a line."""

    child = serializers.CharField()

    def to_internal_value(self, data: Any) -> Any:
        """Return the lines."""
        return "\n".join(super().to_internal_value(data))


class Text(serializers.CharField):
    """Text that may be empty; the forms judge it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, allow_blank=True, trim_whitespace=False, **kwargs)


class Said(serializers.Serializer[Any]):
    """What a program says; a name that is not known is pointed at, not passed over."""

    def to_internal_value(self, data: Any) -> Any:
        """Return what is said, as typed."""
        unknown = data.keys() - self.fields.keys() if isinstance(data, dict) else ()
        if unknown:
            words = _("Nothing of this name is asked for.")
            raise serializers.ValidationError({name: [words] for name in sorted(unknown)})
        return super().to_internal_value(data)


class ReasonSaid(Said):
    """Why a step is taken; public."""

    comment = Text()


class WhySaid(Said):
    """Why something is done; public."""

    reason = Text()


def typed(form: forms.Form) -> dict[str, Any]:
    """Return what a form of the pages makes of what was said; raise what it refuses."""
    refuse_invalid(form)
    return dict(form.cleaned_data)
