"""What reading is asked with, in the address; a name that is not known is pointed at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from registry.queries.past import Moment, NoSuchMoment, moment_of

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


class DatedAsked(Asked):
    """Of which time is asked."""

    as_of = serializers.CharField(
        required=False,
        max_length=40,
        help_text="A day, month or year, which means its end in UTC, or a moment such as "
        "2026-11-20T12:00:00Z: the registry as it stood then.",
    )


def moment_asked(asked: Mapping[str, Any], *with_it: str) -> Moment | None:
    """Return the moment that is asked about, none where it is now.

    `with_it` are the parameters that go with it; others are refused, for they look at today.
    """
    if "as_of" not in asked:
        return None
    words = _("This cannot be asked of another time: leave it out, or leave as_of out.")
    wrong = [name for name in asked if name not in {"as_of", "fields", *with_it} and asked[name]]
    if wrong:
        raise ValidationError({name: [words] for name in wrong})
    try:
        return moment_of(asked["as_of"])
    except NoSuchMoment as error:
        raise ValidationError({"as_of": [str(error)]}) from None


def asked_with(of: type[Asked], request: Request) -> dict[str, Any]:
    """Return the parameters; raise `ValidationError` for what makes no sense."""
    asked = of(data=request.query_params)
    unknown = request.query_params.keys() - asked.fields.keys()
    if unknown:
        words = _("There is no parameter of this name.")
        raise ValidationError({name: [words] for name in sorted(unknown)})
    asked.is_valid(raise_exception=True)
    return dict(asked.validated_data)
