"""URI templates (RFC 6570) that lead from a name to an address, and their variables."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from uritemplate import URITemplate

from registry.errors import RegistryError
from registry.namespace_rules import find_namespace_rule as rule_of
from registry.resolution.gs1 import build_digital_link
from registry.safe_http import FetchError
from registry.safe_http.targets import parse_fetch_target
from registry.urn import URN
from registry.urn.equivalence import fold_percent_octets
from registry.urn.syntax import NID

Value = str | list[str]
MAX_NUMBERED_PARTS: Final = 9


@dataclass(frozen=True, slots=True)
class TemplateSubject:
    """A name as one service sees it: `rest` is what follows the prefix."""

    urn: URN
    rest: str
    component: str = ""

    @property
    def nss(self) -> str:
        """The NSS in its form for comparison: equivalent names lead to one address."""
        return fold_percent_octets(self.urn.nss)

    @property
    def preferred(self) -> str:
        """The NSS in the form that the namespace prefers, if known."""
        rule = rule_of(self.urn.nid)
        form = rule.check(self.urn).preferred if rule and rule.preferred_form else ""
        return form.split(":", 2)[2] if form else self.nss


@dataclass(frozen=True, slots=True)
class TemplateVariable:
    """One variable: what it is, in words, and how it is computed."""

    words: str | Promise
    of: Callable[[TemplateSubject], Value | None]


def make_part_variable(number: int) -> TemplateVariable:
    """Return the variable for one of the parts between colons."""

    def part(subject: TemplateSubject) -> str | None:
        parts = subject.rest.split(":")
        return parts[number - 1] if len(parts) >= number else None

    return TemplateVariable("", part)


def find_tail(subject: TemplateSubject) -> str | None:
    """Return what follows the first colon, None if there is no colon."""
    _first, colon, behind = subject.rest.partition(":")
    return behind if colon else None


TEMPLATE_VARIABLES: Final[Mapping[str, TemplateVariable]] = {
    "urn": TemplateVariable(
        gettext_lazy(
            "the URN in its canonical form (RFC 8141, section 3.1); an r-component goes with it "
            "where it ends the address or is a value in the query (2.3.1)"
        ),
        lambda on: on.urn.assigned_name,
    ),
    "nid": TemplateVariable(gettext_lazy("the NID in lower case"), lambda on: on.urn.nid.lower()),
    "nss": TemplateVariable(gettext_lazy("the NSS"), lambda on: on.nss),
    "rest": TemplateVariable(
        gettext_lazy(
            "the rest of the NSS after the prefix that the service is for; the whole "
            "NSS if there is no prefix"
        ),
        lambda on: on.rest,
    ),
    "tail": TemplateVariable(gettext_lazy("the part of rest after its first colon"), find_tail),
    "preferred": TemplateVariable(
        gettext_lazy(
            "the NSS in the form that its namespace prefers, such as an ISBN of 13 digits"
        ),
        lambda on: on.preferred,
    ),
    "compact": TemplateVariable(
        gettext_lazy("the same without hyphens"), lambda on: on.preferred.replace("-", "")
    ),
    "parts": TemplateVariable(
        gettext_lazy("the parts of rest between colons, as a list"), lambda on: on.rest.split(":")
    ),
    "segments": TemplateVariable(
        gettext_lazy("the parts of rest between slashes, as a list"), lambda on: on.rest.split("/")
    ),
    "gs1": TemplateVariable(
        gettext_lazy("the key of an EPC as the path of a GS1 Digital Link, check digit included"),
        lambda on: build_digital_link(on.nss),
    ),
    **{f"part{number}": make_part_variable(number) for number in range(1, MAX_NUMBERED_PARTS + 1)},
    "r": TemplateVariable(
        gettext_lazy("the r-component, for the resolver (2.3.1)"), lambda on: on.urn.r_component
    ),
    "q": TemplateVariable(
        gettext_lazy("the q-component, for the resource (2.3.2)"), lambda on: on.urn.q_component
    ),
    "f": TemplateVariable(
        gettext_lazy("the f-component, for the client (2.3.3)"), lambda on: on.urn.f_component
    ),
    "c": TemplateVariable(
        gettext_lazy("the component that the directive c= asks for (draft -03, section 2.3.2)"),
        lambda on: on.component or None,
    ),
}

VARIABLE_DESCRIPTIONS: Final[Mapping[str, str | Promise]] = {
    **{name: each.words for name, each in TEMPLATE_VARIABLES.items() if each.words},
    f"part1 … part{MAX_NUMBERED_PARTS}": gettext_lazy("each of the parts of rest between colons"),
}
"""The variables, for people who write templates."""

LIST_VARIABLES: Final = frozenset({"parts", "segments"})
OPTIONAL_VARIABLES: Final = frozenset("rqfc")
"""What a URN can lack."""


def compute_variables(names: Iterable[str], subject: TemplateSubject) -> dict[str, Value]:
    """Return the requested variables that exist."""
    made = ((name, require_complete(TEMPLATE_VARIABLES[name].of(subject))) for name in names)
    return {name: value for name, value in made if value is not None}


def require_complete(value: Value | None) -> Value | None:
    """Return a value; None for a list with an empty part, which is incomplete."""
    return None if isinstance(value, list) and not all(value) else value


# The server is written out in the template, so that nobody can choose it by inventing a name.

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
    """A text that is not a template, or may not be used; `position` says where it stops."""

    status = HTTPStatus.BAD_REQUEST

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.position = position


@dataclass(frozen=True, slots=True)
class UriExpression:
    """One expression: its operator, the names in it, and its position."""

    operator: str
    variables: tuple[str, ...]
    start: int
    end: int

    @property
    def names(self) -> tuple[str, ...]:
        """The variables without modifiers."""
        return tuple(re.split("[*:]", each)[0] for each in self.variables)


class ResolverComponentPlace(enum.Enum):
    """Where a service that takes whole URNs gets the r-component (RFC 8141, section 2.3.1)."""

    END = enum.auto()
    """The URN ends the address, which continues as the URN does: `?+`, then the component."""
    QUERY_VALUE = enum.auto()
    """The URN is a value in the query, and all of it percent-encoded."""


@dataclass(frozen=True, slots=True)
class UriTemplate:
    """A usable template. Without all of `needs` it leads nowhere.

    `r_place` says where the r-component goes with a whole URN, None if the template has a place of
    its own for it, or takes the URN where nothing can follow it.
    """

    text: str
    expressions: tuple[UriExpression, ...]
    names: frozenset[str]
    needs: frozenset[str]
    parsed: URITemplate
    r_place: ResolverComponentPlace | None = None

    @property
    def is_alias(self) -> bool:
        """Whether it makes URNs."""
        return self.text.startswith("urn:")

    @property
    def literal_beginning(self) -> str:
        """The beginning that all its addresses share."""
        return self.text[: self.expressions[0].start] if self.expressions else self.text

    def expand(
        self, values: Mapping[str, str | list[str]], r_component: str | None = None
    ) -> str | None:
        """Return the address with `values`, None if a required one is empty or missing.

        A whole URN takes `r_component` with it, if the template has a place for that.

        None also if a part of the name would be a dot segment of the path, such as `..`: clients
        remove those before they ask (RFC 3986, section 5.2.4), and would request another address.
        """
        if not all(values.get(name) for name in self.needs):
            return None
        address = self._expand_with_r_component(values, r_component)
        return None if not self.is_alias and has_dot_segments(address) else address

    def _expand_with_r_component(
        self, values: Mapping[str, str | list[str]], r_component: str | None
    ) -> str:
        if r_component is None or self.r_place is None:
            return self.parsed.expand(dict(values))
        component = f"?+{r_component}"
        if self.r_place is ResolverComponentPlace.END:
            return self.parsed.expand(dict(values)) + component
        (taking,) = find_expressions_with_urn(self.expressions)
        if taking.operator == "+":
            # This operator leaves reserved characters as they are, and what is encoded already.
            component = quote(component, safe="")
        whole = f"{values['urn']}{component}"
        return self.parsed.expand({**dict(values), "urn": whole})


def find_expressions_with_urn(expressions: Iterable[UriExpression]) -> list[UriExpression]:
    """Return the expressions that take the whole URN."""
    return [each for each in expressions if {"urn", "urn*"} & set(each.variables)]


def find_r_component_place(
    text: str, expressions: Iterable[UriExpression], names: Collection[str]
) -> ResolverComponentPlace | None:
    """Return where a service gets the r-component with the whole URN, None if it does not.

    Fragments never reach a service, and what follows a URN within a path would end up after the
    component's `?`. A URN that is there twice is left as it is.
    """
    taking = find_expressions_with_urn(expressions)
    if len(taking) != 1 or "r" in names:
        return None
    (only,) = taking
    before = text[: only.start]
    if "#" in before or only.operator == "#":
        return None
    query = before.partition("?")[2]
    if only.operator in {"?", "&"} or (query and only.operator in {"", "+"}):
        return ResolverComponentPlace.QUERY_VALUE
    ends = only.end == len(text) and len(only.variables) == 1
    return ResolverComponentPlace.END if ends and only.operator in {"", "+", "/"} else None


@lru_cache(maxsize=4096)
def parse_uri_template(text: str) -> UriTemplate:
    """Parse `text` as a template for web addresses; raise `UriTemplateError` otherwise."""
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
    """Parse `text` as a template for URNs of one other namespace (RFC 2483, I2N)."""
    found = tuple(iterate_expressions(text))
    if not NAMESPACE_PATTERN.match(text):
        raise UriTemplateError(
            _("It has to begin with “urn:”, an identifier and a colon: it makes URNs.")
        )
    return build_uri_template(text, found)


def build_uri_template(text: str, found: tuple[UriExpression, ...]) -> UriTemplate:
    names = {name for expression in found for name in expression.names}
    needs = {
        name
        for expression in found
        if expression.operator not in OPTIONAL_OPERATORS
        for name in expression.names
    }
    return UriTemplate(
        text,
        found,
        frozenset(names),
        frozenset(needs - OPTIONAL_VARIABLES),
        URITemplate(text),
        find_r_component_place(text, found, names),
    )


OPTIONAL_OPERATORS: Final = frozenset(";?&#")
"""Operators whose expressions leave out missing variables, including the name."""


def iterate_expressions(text: str) -> Iterator[UriExpression]:
    """Yield the expressions of a template, all of which must obey RFC 6570, section 2."""
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
        "“%(character)s” (character %(number)d) is not allowed in a template; percent-encode it."
    ) % {"character": at, "number": position + 1}


def check_template_variable(expression: UriExpression, variable: str, name: str) -> None:
    """Raise `UriTemplateError` for an unknown variable, or a modifier without effect."""
    if name not in TEMPLATE_VARIABLES:
        raise UriTemplateError(
            _("There is no variable “%(name)s”. See the list of variables.") % {"name": name},
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
