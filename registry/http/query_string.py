"""URIs in a query string, read in the same way by every page and every address of the API.

A query string is divided at `&` and `=`, and forms write a space as `+`. All three can occur in a
URN (RFC 8141, section 2), so an address composed by hand may say another name than was meant. If it
does not clearly say one name, we do not guess.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Set
from dataclasses import dataclass
from http import HTTPStatus
from itertools import takewhile
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from django.utils.translation import gettext as _

from registry.errors import RegistryError

# What forms leave unencoded (URL Standard, section 1.3), and the tilde that Python's encoder
# leaves.
_FORM_ENCODED: Final = re.compile(rb"(?:[A-Za-z0-9*\-._~+]|%[0-9A-Fa-f]{2})*")
MAX_READINGS: Final = 4
_TRIPLET: Final = re.compile(rb"%[0-9A-Fa-f]{2}")


@dataclass(frozen=True, slots=True)
class QueryReading:
    """One of the URIs that a query string may mean, and a query string that means only this."""

    text: str
    query: str


class QueryStringError(RegistryError):
    """A query string does not say one text for each of its parameters.

    `parameter` is the one at fault, and `readings` what may have been meant, the likeliest first.
    """

    status = HTTPStatus.BAD_REQUEST

    def __init__(
        self, parameter: str, message: str, readings: tuple[QueryReading, ...] = ()
    ) -> None:
        super().__init__(message)
        self.parameter = parameter
        self.readings = readings


class NotUTF8(QueryStringError):
    """Some octets are not text; `position` counts in the parameter as sent."""

    def __init__(self, parameter: str, octet: int, position: int) -> None:
        message = _(
            "The byte %(octet)s at character %(place)d of %(where)s is not UTF-8. Write text as "
            "UTF-8 and percent-encode it; if the URN itself contains %(octet)s, write its “%%” "
            "as %%25."
        ) % {
            "octet": f"%{octet:02X}",
            "place": position + 1,
            "where": f"“{parameter}”" if parameter else _("what was asked for"),
        }
        super().__init__(parameter, message)
        self.position = position


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter as sent: its `name` decoded, and all of its octets."""

    name: str
    octets: bytes

    @property
    def value(self) -> bytes:
        """What follows the first `=`, as sent."""
        return self.octets.partition(b"=")[2]


def split_query(query: str) -> list[Parameter]:
    """Return the parameters in order, including empty ones."""
    sent = encode_raw_query(query).split(b"&") if query else []
    return [Parameter(_name_of(octets), octets) for octets in sent]


def encode_raw_query(query: str) -> bytes:
    """Return a query as sent: WSGI passes each octet as a character."""
    try:
        return query.encode("latin-1")
    except UnicodeEncodeError:
        return query.encode(errors="surrogateescape")


def read_query(
    query: str, uris: Set[str], others: Set[str] = frozenset(), *, is_strict: bool = False
) -> dict[str, str]:
    """Return what a query string says under the names `uris` and `others`.

    A `+` in a URI is a plus, unless the whole value is encoded as forms encode it, including the
    colon after `urn`; then it is a space. In `others` it is always a space.

    Raises `QueryStringError` for what is not UTF-8, for a URI that occurs more than once, and for a
    parameter with an unknown name that may be the rest of the URI before it: after one that
    contains a `?`, or without a `=`. With `is_strict`, no other names and no repetitions are
    allowed.
    """
    parameters = split_query(query)
    known = {*uris, *others}
    for index, parameter in enumerate(parameters):
        if parameter.name in uris:
            _refuse_repetition(parameters, index, known)
            _refuse_rest(parameters, index, known, is_strict=is_strict)
    said: dict[str, str] = {}
    for parameter in parameters:
        name = parameter.name
        if name in known:
            if name in said and is_strict:
                raise QueryStringError(name, _repeated(name))
            said[name] = _decode(parameter.value, name, is_form=name not in uris)
        elif is_strict and parameter.octets:
            raise QueryStringError(name, _("There is no parameter “%s” here.") % name)
    return said


def decode_octets(octets: bytes, offset: int = 0) -> str:
    """Return the text of octets that were sent as they are.

    Raises `NotUTF8` if they are not text, with the position counted from `offset`.
    """
    try:
        return octets.decode()
    except UnicodeDecodeError as error:
        raise NotUTF8("", octets[error.start], offset + error.start) from None


def _name_of(octets: bytes) -> str:
    name = octets.partition(b"=")[0].replace(b"+", b" ")
    return unquote_to_bytes(name).decode("utf-8", "backslashreplace")


def _is_form_encoded(value: bytes) -> bool:
    return _FORM_ENCODED.fullmatch(value) is not None


def _decode(value: bytes, name: str, *, is_form: bool) -> str:
    """Decode a value once; with `is_form` every `+` is a space."""
    if is_form or _is_form_encoded(value):
        value = value.replace(b"+", b" ")
    octets = unquote_to_bytes(value)
    try:
        return octets.decode()
    except UnicodeDecodeError as error:
        position = _position_as_sent(value, error.start)
        raise NotUTF8(name, octets[error.start], position) from None


def _position_as_sent(value: bytes, decoded: int) -> int:
    """Return the position in the value as sent of the octet that is at `decoded` after decoding."""
    position = 0
    for _octet in range(decoded):
        position += 3 if _TRIPLET.match(value, position) else 1
    return position


def _refuse_repetition(parameters: list[Parameter], index: int, known: Set[str]) -> None:
    """Raise `QueryStringError` if the URI at `index` occurs again after it."""
    name = parameters[index].name
    again = [each for each in range(index, len(parameters)) if parameters[each].name == name]
    if len(again) == 1:
        return
    single = {each: _rest_of(parameters, each, known) for each in again}
    readings = []
    if "?" in _text_of(parameters[index]):
        behind = _rest_of(parameters, index, known - {name})
        readings.append(_reading(parameters, index, behind, without=behind))
    for each in again[:MAX_READINGS]:
        others = [one for other in again if other != each for one in (other, *single[other])]
        readings.append(_reading(parameters, each, without=others))
    raise QueryStringError(name, _repeated(name), tuple(readings))


def _repeated(name: str) -> str:
    return _(
        "The address has “%(name)s=” more than once. Say it once; if “&%(name)s=” belongs to the"
        " text, write its “&” as %%26."
    ) % {"name": name}


def _refuse_rest(
    parameters: list[Parameter], index: int, known: Set[str], *, is_strict: bool
) -> None:
    """Raise `QueryStringError` if what follows the URI at `index` may be its rest."""
    first, rest = parameters[index], _rest_of(parameters, index, known)
    if not (rest and first.value) or not (
        is_strict or _may_be_cut(first, [parameters[each] for each in rest])
    ):
        return
    whole = _reading(parameters, index, rest, without=rest)
    cut = _reading(parameters, index, without=rest)
    message = _(
        "“%(rest)s” is not a parameter of this address. If it belongs to what “%(name)s” says, "
        "percent-encode all of that: ?%(query)s. If not, leave it out."
    ) % {"rest": whole.text[len(cut.text) :], "name": first.name, "query": whole.query}
    raise QueryStringError(parameters[rest[0]].name, message, (whole, cut))


def _rest_of(parameters: list[Parameter], index: int, known: Set[str]) -> list[int]:
    """Return the positions of the parameters with unknown names that follow the one at `index`."""
    behind = range(index + 1, len(parameters))
    rest = list(takewhile(lambda each: parameters[each].name not in known, behind))
    # Encoding as forms do would have encoded a "&" as well: one at the end is nothing.
    is_blank = not any(parameters[each].octets for each in rest)
    return [] if is_blank and _is_form_encoded(parameters[index].value) else rest


def _may_be_cut(first: Parameter, rest: list[Parameter]) -> bool:
    """Whether a URI may continue after its parameter: it has a query, or they have no `=`."""
    is_bare = any(each.octets and b"=" not in each.octets for each in rest)
    return "?" in _text_of(first) or is_bare


def _text_of(parameter: Parameter) -> str:
    return _decode(parameter.value, parameter.name, is_form=False)


def _reading(
    parameters: list[Parameter], index: int, rest: Iterable[int] = (), *, without: Iterable[int]
) -> QueryReading:
    """Return the URI at `index` with its `rest`, and the query that says exactly that."""
    first, left_out = parameters[index], set(without)
    is_form = _is_form_encoded(first.value)
    tails = (_decode(parameters[each].octets, first.name, is_form=is_form) for each in rest)
    text = "".join([_text_of(first), *(f"&{tail}" for tail in tails)])
    pieces = [
        f"{quote(first.name)}={quote(text, safe='')}" if at == index else _quoted(each)
        for at, each in enumerate(parameters)
        if at not in left_out
    ]
    return QueryReading(text, "&".join(pieces))


def _quoted(parameter: Parameter) -> str:
    return quote(parameter.octets, safe=string.punctuation)
