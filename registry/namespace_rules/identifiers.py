"""The shapes of identifiers as people write them without `urn:`, and their NSSs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final
from urllib.parse import quote, unquote

_AROUND_DIGITS: Final = re.compile(r"[\s-]+")
_SUFFIX_SAFE: Final = "!$&'()*+,;=:@-._~"


# Qualifiers, prices and the rest of a record.
_BEHIND: Final = r"(?:\s*[(\[:;,}\"'>]|\s+/).*"


def close_up(text: str) -> str:
    """`text` without spaces and hyphens."""
    return _AROUND_DIGITS.sub("", text)


@dataclass(frozen=True, slots=True)
class Shape:
    """How the identifiers of one system are recognised, whatever is put before and behind them.

    `label` are the words before them, which are `required` where other numbers look the same;
    `body` is the identifier, and `build` makes its NSS of it. A rule decides whether it is valid.
    Where `telling` occurs in the text, hardly anything else has this shape, and a wrong check digit
    is a slip.
    """

    label: str
    body: str
    build: Callable[[str], str] = close_up
    is_label_required: bool = False
    telling: str = "(?!)"
    behind: str = rf"(?:{_BEHIND})?"

    def read(self, text: str) -> str | None:
        """The NSS that `text` stands for, None if it has another shape."""
        match = _compile_shape(self).fullmatch(text)
        if match is None or (self.is_label_required and not match["label"]):
            return None
        return self.build(match["body"])

    def is_telling(self, text: str) -> bool:
        """Whether a text of this shape is hardly anything else, but for a check digit."""
        return re.search(self.telling, text, re.IGNORECASE) is not None


@cache
def _compile_shape(shape: Shape) -> re.Pattern[str]:
    label = rf"(?P<label>(?:urn[\s:.]*)?(?:{shape.label})[\s:=#./|{{\"'-]*)?"
    return re.compile(
        rf"{label}(?P<body>{shape.body}){shape.behind}", re.IGNORECASE | re.ASCII | re.DOTALL
    )


_SPACED: Final = r"[\s-]*"


def _build_issn(body: str) -> str:
    digits = close_up(body)
    return f"{digits[:4]}-{digits[4:]}"


def _build_uuid(body: str) -> str:
    digits = re.sub("[^0-9a-f]", "", body.lower().replace("0x", ""))
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _build_doi(body: str) -> str:
    prefix, _, suffix = re.sub(r"\s", "", unquote(body)).partition("/")
    return f"{prefix}:{quote(suffix, safe=_SUFFIX_SAFE)}"


def _build_eidr(body: str) -> str:
    return re.sub(r"\s", "", body).replace("/", ":", 1)


def _build_oid(body: str) -> str:
    named = re.findall(r"\(\s*([0-9]+)\s*\)", body)
    return ".".join(named or re.findall("[0-9]+", body))


def _build_ietf(body: str) -> str:
    series, number = body[:3].lower(), body[3:].strip(" -.:")
    return f"{series}:{int(number)}"


SHAPES: Final = MappingProxyType[str, Shape](
    {
        "isbn": Shape(
            r"(?:[ep]-?|online |print )?isbn(?:[ -]?1[03](?=[\s:=-]))?(?:\s*\([a-z0-9. ]+\))?",
            r"97[89][\s.-]*(?:[0-9][\s.-]*){9}[0-9X]"
            rf"|(?:[0-9](?(label)[\s.-]*|{_SPACED})){{9}}[0-9X]"
            # Dates and telephone numbers do not end in a group of one digit.
            r"(?(label)|(?:(?<=[\s-][0-9X])|(?<=[0-9]{9}[0-9X])))",
            lambda body: re.sub(r"[\s.-]+", "", body),
            telling=r"isbn|^97[89]|(?:[0-9]+[\s-]+){3}[0-9X]",
            behind=rf"(?:\.0)?(?:{_BEHIND}|\s+[a-z].*)?",
        ),
        "issn": Shape(
            r"(?:[epl]-?|online |print |linking )?issn(?:-?l)?(?:\s*\([a-z. ]+\))?",
            # Years alone are no number of a journal.
            r"(?(label)|(?!(?:1[5-9][0-9]|20[0-2])[0-9]\s?-\s?(?:1[5-9][0-9]|20[0-2])[0-9]))"
            r"[0-9]{4}(?(label)\s?-?\s?|\s?-\s?)[0-9]{3}[0-9X]",
            _build_issn,
            telling="issn",
            behind=rf"(?:{_BEHIND}|\s+[a-z.]+)?",
        ),
        "uuid": Shape(
            "uuid|guid",
            rf"[{{(]?(?:0x)?[0-9a-f]{{8}}(?:{_SPACED}[0-9a-f]{{4}}){{3}}{_SPACED}[0-9a-f]{{12}}[}})]?",
            _build_uuid,
        ),
        "isni": Shape(
            r"isni|https?://(?:www\.)?isni\.org/(?:isni/)?",
            rf"(?:[0-9]{{4}}{_SPACED}){{3}}[0-9]{{3}}[0-9X]",
        ),
        "lei": Shape(
            r"lei|https?://(?:lei\.info|search\.gleif\.org/#/record)/",
            r"[0-9A-Z](?:\s?[0-9A-Z]){17}(?:\s?[0-9]){2}",
        ),
        "eic": Shape("eic", r"[0-9]{2}[A-Z][0-9A-Z-]{12}[0-9A-Z]", str.strip),
        "eidr": Shape(
            r"eidr|doi|(?:doi:\s*)?https?://(?:dx\.|www\.)?doi\.org/",
            r"10\.5240/(?:[0-9A-F]{4}-){5}[0-9A-Z]",
            _build_eidr,
        ),
        "doi": Shape(
            r"doi|info:doi/|(?:doi:?\s*)?(?P<address>(?:https?://)?"
            r"(?:(?:dx\.|www\.)?doi(?:-org)?\.[^/\s]+/(?:doi:)?|[^\s?#]+/doi/(?:[a-z]+/)?))",
            r"10\.[0-9]{4,9}(?:\.[0-9]+)*(?:/|%2F)(?(address)[^\s?#}\"]+|[^\s}\"]+)",
            _build_doi,
            behind=r"(?:[?#}\"].*|[,;]\s.*)?",
        ),
        "oid": Shape(
            r"oid|object identifier|https?://(?:www\.)?oid-(?:info|base)\.com/get/",
            # Four numbers alone are an address or a version, except below arcs that most are in.
            r"\.?[012](?:\.[0-9]+){4,}|\.?(?:1\.2\.840\.[0-9]+|1\.3\.6\.1)"
            r"|(?(label)[012](?:\.[0-9]+){3}|(?!))|(?(label)[012](?:\s+[0-9]+){3,}|(?!))"
            r"|\{?(?:\s*[a-z][a-z0-9-]*\s*\([0-9]+\)){3,}\s*\}?",
            _build_oid,
        ),
        "ietf": Shape(
            r"https?://(?:www\.)?(?:rfc-editor|datatracker\.ietf|tools\.ietf)\.org"
            r"(?:/(?:rfc|info|doc|html|std|bcp|fyi|pdf))*/",
            r"(?:rfc|std|bcp|fyi)[\s.:-]?[0-9]{1,5}",
            _build_ietf,
            behind=r"(?:\.(?:txt|html|xml|pdf))?(?:\s*[/#,;(].*)?",
        ),
        "isan": Shape(
            "isan",
            r"(?:[0-9A-F]{4}-){4}[0-9A-Z](?:-(?:[0-9A-F]{4}-){2}[0-9A-Z])?",
            str.strip,
            is_label_required=True,
        ),
    }
)
"""By namespace; a text that has several is a name of the first whose rule accepts it."""
