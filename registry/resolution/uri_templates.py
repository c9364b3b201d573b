"""URI templates (RFC 6570) that lead from a name to an address, refused where they could mislead.

The server is written out in the template, so that whoever makes up a name never chooses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Final

from django.utils.translation import gettext as _
from uritemplate import URITemplate

from registry.errors import RegistryError
from registry.resolution.template_variables import (
    LIST_VARIABLES,
    OPTIONAL_VARIABLES,
    TEMPLATE_VARIABLES,
)
from registry.safe_http import FetchError
from registry.safe_http.targets import parse_fetch_target
from registry.urn.syntax import NID

# RFC 6570, section 2.1, in ASCII; other characters are written as %-encoded UTF-8.
LITERAL_PATTERN: Final = re.compile(r"(?:[!#$&()*+,\-./0-9:;=?@A-Z\[\]_a-z~]|%[0-9A-Fa-f]{2})+")
VARIABLE_PATTERN: Final = r"[A-Za-z0-9_]+(?:\*|:[1-9][0-9]{0,3})?"
EXPRESSION_PATTERN: Final = re.compile(
    rf"\{{([+#./;?&]?)({VARIABLE_PATTERN}(?:,{VARIABLE_PATTERN})*)\}}"
)
SERVER_PATTERN: Final = re.compile(r"https?://[^/?#{]+(?=[/?#]|\{[/?#]|\Z)")
NAMESPACE_PATTERN: Final = re.compile(rf"urn:{NID}:")
DOT_SEGMENTS: Final = frozenset({".", ".."})


class UriTemplateError(RegistryError):
    """A text that is no template, or none that may lead anywhere; `position` says where it ends."""

    status = HTTPStatus.BAD_REQUEST

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.position = position


@dataclass(frozen=True, slots=True)
class UriExpression:
    """One expression: its operator, the names in it, and where it stands."""

    operator: str
    variables: tuple[str, ...]
    start: int
    end: int

    @property
    def names(self) -> tuple[str, ...]:
        """The variables without what modifies them."""
        return tuple(re.split("[*:]", each)[0] for each in self.variables)


@dataclass(frozen=True, slots=True)
class UriTemplate:
    """A template that may be used. Without all of `needs` it leads nowhere."""

    text: str
    expressions: tuple[UriExpression, ...]
    names: frozenset[str]
    needs: frozenset[str]
    parsed: URITemplate

    @property
    def is_alias(self) -> bool:
        """Whether it makes URNs."""
        return self.text.startswith("urn:")

    @property
    def literal_beginning(self) -> str:
        """What every address that it makes begins with."""
        return self.text[: self.expressions[0].start] if self.expressions else self.text

    def expand(self, values: Mapping[str, str | list[str]]) -> str | None:
        """Return the address with `values`, none where one that is needed is empty or missing.

        Nor where a part of the name would be a step within the path, as `..` is: clients take
        such steps before they ask (RFC 3986, section 5.2.4), and would ask for another address.
        """
        if not all(values.get(name) for name in self.needs):
            return None
        address = self.parsed.expand(dict(values))
        return None if not self.is_alias and has_dot_segments(address) else address


@lru_cache(maxsize=4096)
def parse_uri_template(text: str) -> UriTemplate:
    """Return `text` as a template for addresses in the web; raise `UriTemplateError` else."""
    found = tuple(iterate_expressions(text))
    server = SERVER_PATTERN.match(text)
    if server is None:
        raise UriTemplateError(
            _(
                "It has to begin with https:// or http:// and the whole name of a server, with"
                " nothing of the URN in it."
            )
        )
    try:
        parse_fetch_target(server.group())
    except FetchError as error:
        raise UriTemplateError(str(error)) from None
    return build_uri_template(text, found)


@lru_cache(maxsize=512)
def parse_alias_template(text: str) -> UriTemplate:
    """Return `text` as a template for URNs of one other namespace (RFC 2483, I2N)."""
    found = tuple(iterate_expressions(text))
    if not NAMESPACE_PATTERN.match(text):
        raise UriTemplateError(
            _("It has to begin with “urn:”, an identifier and a colon: it makes URNs.")
        )
    return build_uri_template(text, found)


def build_uri_template(text: str, found: tuple[UriExpression, ...]) -> UriTemplate:
    """Put a template together."""
    names = {name for expression in found for name in expression.names}
    needs = {
        name
        for expression in found
        if expression.operator not in OPTIONAL_OPERATORS
        for name in expression.names
    }
    return UriTemplate(
        text, found, frozenset(names), frozenset(needs - OPTIONAL_VARIABLES), URITemplate(text)
    )


OPTIONAL_OPERATORS: Final = frozenset(";?&#")
"""Expressions from which what is not there is left out, name and all."""


def iterate_expressions(text: str) -> Iterator[UriExpression]:
    """Yield the expressions of a template, all of which has to obey RFC 6570, section 2."""
    position = 0
    while position < len(text):
        if literal := LITERAL_PATTERN.match(text, position):
            position = literal.end()
            continue
        match = EXPRESSION_PATTERN.match(text, position)
        if match is None:
            raise UriTemplateError(explain_stray_text(text, position), position)
        variables = tuple(match[2].split(","))
        found = UriExpression(match[1], variables, position, match.end())
        for variable, name in zip(found.variables, found.names, strict=True):
            check_template_variable(found, variable, name)
        yield found
        position = match.end()


def explain_stray_text(text: str, position: int) -> str:
    """Say what is wrong where a text stops being a template."""
    at = text[position]
    if at == "{":
        return _("The expression that begins at character %(number)d is none of RFC 6570.") % {
            "number": position + 1
        }
    return _(
        "“%(character)s” (character %(number)d) cannot stand in a template; write it"
        " percent-encoded."
    ) % {"character": at, "number": position + 1}


def check_template_variable(expression: UriExpression, variable: str, name: str) -> None:
    """Raise `UriTemplateError` for a variable that there is not, or that is modified in vain."""
    if name not in TEMPLATE_VARIABLES:
        raise UriTemplateError(
            _("There is no variable “%(name)s”. See the list of those that there are.")
            % {"name": name},
            expression.start,
        )
    if ":" in variable and (expression.operator in {"+", "#"} or name in LIST_VARIABLES):
        # RFC 6570, section 2.4.1: a triplet such as %2C must not be cut in two.
        raise UriTemplateError(
            _("“%(variable)s” cannot be shortened here: it might be cut within an encoding.")
            % {"variable": variable},
            expression.start,
        )


def has_dot_segments(address: str) -> bool:
    """Whether the path of an address has a segment `.` or `..`, encoded or not."""
    path = re.split("[?#]", address, maxsplit=1)[0]
    if "." not in path and "%2" not in path:
        return False
    return any(segment.lower().replace("%2e", ".") in DOT_SEGMENTS for segment in path.split("/"))
