"""What reading is asked with, in the address; a name that is not known is pointed at."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

MOST: Final = 1_000
USUAL: Final = 100


class Asked(serializers.Serializer[Any]):
    """The parameters of an address; each list has its own."""


class FieldsAsked(Asked):
    """Which members of the answer are wanted."""

    def get_fields(self) -> dict[str, Any]:
        """Return the parameter, whose name is a word of the framework's own."""
        words = "Names of members, with commas between: the answer has no others."
        return {
            **super().get_fields(),
            "fields": serializers.CharField(required=False, help_text=words, max_length=500),
        }


class ListAsked(FieldsAsked):
    """What every list can be asked with."""

    page_size = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST, help_text=f"How many at once; {USUAL} usually."
    )
    cursor = serializers.CharField(
        required=False, help_text="Where to go on: taken from `next` or `previous`, never made."
    )


def asked_with(of: type[Asked], request: Request) -> dict[str, Any]:
    """Return the parameters; raise `ValidationError` for what makes no sense."""
    asked = of(data=request.query_params)
    unknown = request.query_params.keys() - asked.fields.keys()
    if unknown:
        words = _("There is no parameter of this name.")
        raise ValidationError({name: [words] for name in sorted(unknown)})
    asked.is_valid(raise_exception=True)
    return dict(asked.validated_data)
