"""Templates of ours in which a variable that does not exist fails the test.

Django writes nothing in its place, so that a mistyped name goes unnoticed. Its own setting for
that, `string_if_invalid`, also replaces objects that do not exist, in conditions too, and holds for
the templates of others. Here as there, conditions, loops and `firstof` may name what is missing.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest import mock

import pytest
from django.conf import settings
from django.template import Context, Engine, VariableDoesNotExist
from django.template.base import FilterExpression, Parser

FOLDER: Final = f"{settings.BASE_DIR / 'templates'}/"


class StrictExpression(FilterExpression):
    """A variable with its filters, or a constant, in the template `name`."""

    def __init__(self, token: str, parser: Parser, name: str) -> None:
        super().__init__(token, parser)
        self.name = name

    def resolve(self, context: Context, ignore_failures: bool = False) -> Any:
        if ignore_failures or not self.is_var:
            return super().resolve(context, ignore_failures)
        resolved = copy.copy(self)
        try:
            resolved.var, resolved.is_var = self.var.resolve(context), False
        except VariableDoesNotExist:
            pytest.fail(f"{self.name}: there is no {self.var}")
        return resolved.resolve(context)


class MissingInSentence(str):
    """What Django writes for a variable that is missing in a translated sentence, if not empty.

    As an empty text it changes nothing else.
    """

    __slots__ = ()

    def __contains__(self, part: object) -> bool:
        return part == "%s"

    def __mod__(self, name: Any) -> str:
        pytest.fail(f"There is no {name} for a sentence of blocktranslate.")


@contextmanager
def failing_for_missing_variables() -> Iterator[None]:
    """Have templates that are first read in the block fail the test for a missing variable."""

    def compile_filter(parser: Parser, token: str) -> FilterExpression:
        path = parser.origin.name if parser.origin else ""
        if not path.startswith(FOLDER):
            return FilterExpression(token, parser)
        return StrictExpression(token, parser, path.removeprefix(FOLDER))

    engine = Engine.get_default()
    with (
        mock.patch.object(Parser, "compile_filter", compile_filter),
        mock.patch.object(engine, "string_if_invalid", MissingInSentence()),
    ):
        yield
