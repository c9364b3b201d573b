"""A column of URNs for Django; importing this module needs Django.

Nothing else in the library imports it, and nothing else needs more than the standard library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import models

from .errors import URNSyntaxError
from .urn import URN, parse

if TYPE_CHECKING:
    _TextColumn = models.CharField[URN | str, URN]
else:
    _TextColumn = models.CharField


class URNField(_TextColumn):
    """A column that holds a URN as it is written, and is a `URN` in Python.

    Other texts raise `ValidationError` with a sentence that says why, in forms and in `full_clean`.
    With `assigned_names`, the assigned name is stored (RFC 8141, section 3.1), so that a `unique`
    column holds equivalent URNs once.
    """

    description = "URN (up to %(max_length)s characters)"

    def __init__(self, *args: Any, assigned_names: bool = False, **kwargs: Any) -> None:
        self.assigned_names = assigned_names
        kwargs.setdefault("max_length", 255)
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Any:
        """What recreates the field, for migrations."""
        name, path, args, kwargs = super().deconstruct()
        if self.assigned_names:
            kwargs["assigned_names"] = True
        return name, path, args, kwargs

    def to_python(self, value: Any) -> Any:
        """The URN that was typed or read; raises `ValidationError` for anything else."""
        if value is None or value == "":
            return value
        try:
            urn = value if isinstance(value, URN) else parse(value)
        except URNSyntaxError as error:
            reason = {"reason": str(error), "value": value}
            raise ValidationError("%(reason)s", code="invalid", params=reason) from None
        return parse(urn.assigned_name) if self.assigned_names else urn

    def from_db_value(self, value: Any, *_: object) -> Any:
        """The stored URN."""
        return parse(value) if value else value

    def get_prep_value(self, value: Any) -> Any:
        """The text to store, and to query for."""
        urn = self.to_python(value)
        return urn.text if isinstance(urn, URN) else urn

    def value_to_string(self, obj: models.Model) -> str:
        """The text for Django's serializers."""
        value: URN | str | None = self.value_from_object(obj)
        return "" if value is None else str(value)

    def run_validators(self, value: Any) -> None:
        """Run validators, such as that of the length, on the text."""
        super().run_validators(value.text if isinstance(value, URN) else value)
