"""Names as pages show them: with coloured parts, and the place where a text stops being a name."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from registry.urn import URN, URNSyntaxError, parse
from registry.urn.syntax import NID

URN_SCHEME: Final = "urn:"
_BARE_NAME_PATTERN: Final = re.compile(rf"([Uu][Rr][Nn]:)?({NID})")
_BEGINNING_PATTERN: Final = re.compile(rf"([Uu][Rr][Nn]:)({NID})(:)")
_INVISIBLE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
_CONTROL_PICTURES: Final = 0x2400


@dataclass(frozen=True, slots=True)
class NameSegment:
    """A stretch of a name: its text, its colour class, and the word under it."""

    text: str
    style: str = ""
    label: str = ""


def urn(text: str) -> SafeString:
    """`text`, a URN or a bare NID, in monospace with coloured parts.

    Anything else is shown unchanged in monospace.
    """
    return format_html('<span class="urn">{}</span>', colour_parts(split_running_name(str(text))))


def colour_parts(parts: list[NameSegment]) -> SafeString:
    """The parts, each that has a style in a span of that class."""
    return format_html_join(
        "",
        "{}",
        (
            (format_html('<span class="{}">{}</span>', part.style, part.text),)
            if part.style
            else (part.text,)
            for part in parts
        ),
    )


def split_running_name(text: str) -> list[NameSegment]:
    """The parts of a name in running text, separators joined with what they introduce."""
    if name := _BARE_NAME_PATTERN.fullmatch(text):
        return [NameSegment(name[1] or URN_SCHEME, "s"), NameSegment(name[2], "n")]
    try:
        parsed = parse(text)
    except URNSyntaxError:
        return [NameSegment(text)]
    return [
        NameSegment(text[: len(URN_SCHEME)], "s"),
        NameSegment(parsed.nid, "n"),
        NameSegment(":", "s"),
        NameSegment(parsed.nss),
        *(
            NameSegment(mark + value, style)
            for mark, value, style, _label in _list_components(parsed)
        ),
    ]


def split_specimen(text: str, nss_label: str = "") -> list[NameSegment]:
    """The parts of a name with a word under each; separators are separate, without one."""
    if name := _BARE_NAME_PATTERN.fullmatch(text):
        return _split_scheme_and_nid((name[1] or URN_SCHEME)[:-1], name[2])
    try:
        parsed = parse(text)
    except URNSyntaxError:
        return [NameSegment(text, label=_("not a URN"))]
    parts = _split_scheme_and_nid(text[: len(URN_SCHEME) - 1], parsed.nid)
    parts += [NameSegment(":"), NameSegment(parsed.nss, label=nss_label or _("NSS"))]
    for mark, value, style, label in _list_components(parsed):
        parts += [NameSegment(mark), NameSegment(value, style, label)]
    return parts


def _split_scheme_and_nid(scheme: str, nid: str) -> list[NameSegment]:
    return [
        NameSegment(scheme, "s", _("scheme")),
        NameSegment(":"),
        NameSegment(nid, "n", _("NID")),
    ]


def _list_components(parsed: URN) -> list[tuple[str, str, str, str]]:
    """Prefix, value, style and label of each component present; an empty f is (2.3.3)."""
    components = (
        ("?+", parsed.r_component, "r", _("r-component")),
        ("?=", parsed.q_component, "q", _("q-component")),
        ("#", parsed.f_component, "f", _("f-component")),
    )
    return [
        (mark, value, style, label) for mark, value, style, label in components if value is not None
    ]


def split_beginning(text: str) -> list[NameSegment]:
    """The valid beginning of a text that stops being a URN further on."""
    begun = _BEGINNING_PATTERN.match(text)
    if not begun:
        return [NameSegment(visible(text))]
    return [
        NameSegment(begun[1], "s"),
        NameSegment(begun[2], "n"),
        NameSegment(begun[3], "s"),
        NameSegment(visible(text[begun.end() :])),
    ]


def visible(text: str) -> str:
    """`text` with a sign for each character that is invisible or would move others."""
    return "".join(map(_show_character, text))


def _show_character(character: str) -> str:
    if character == " ":
        return "␣"
    if character < " ":
        return chr(_CONTROL_PICTURES + ord(character))
    category = unicodedata.category(character)
    if category in _INVISIBLE_CATEGORIES:
        return f"‹U+{ord(character):04X}›"
    return f"◌{character}" if category.startswith("M") else character
