"""Names as pages show them: parts told apart, and the place where a text stops being a name."""

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

SCHEME: Final = "urn:"
_NAME_ONLY: Final = re.compile(rf"([Uu][Rr][Nn]:)?({NID})")
_BEGINNING: Final = re.compile(rf"([Uu][Rr][Nn]:)({NID})(:)")
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
_PICTURES: Final = 0x2400


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a name: its text, the class it is coloured by, and the word under it."""

    text: str
    style: str = ""
    label: str = ""


def urn(text: str) -> SafeString:
    """`text`, a URN or a bare NID, in the mono face with its parts told apart.

    What is neither is shown as it is, in the same face.
    """
    return format_html('<span class="urn">{}</span>', coloured(running_parts(str(text))))


def coloured(parts: list[Part]) -> SafeString:
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


def running_parts(text: str) -> list[Part]:
    """The parts of a name in running text, separators kept with what they introduce."""
    if name := _NAME_ONLY.fullmatch(text):
        return [Part(name[1] or SCHEME, "s"), Part(name[2], "n")]
    try:
        parsed = parse(text)
    except URNSyntaxError:
        return [Part(text)]
    return [
        Part(text[: len(SCHEME)], "s"),
        Part(parsed.nid, "n"),
        Part(":", "s"),
        Part(parsed.nss),
        *(Part(mark + value, style) for mark, value, style, _label in _components(parsed)),
    ]


def specimen_parts(text: str, nss_label: str = "") -> list[Part]:
    """The parts of a name with a word under each; separators stand alone, without one."""
    if name := _NAME_ONLY.fullmatch(text):
        return _scheme_and_nid((name[1] or SCHEME)[:-1], name[2])
    try:
        parsed = parse(text)
    except URNSyntaxError:
        return [Part(text, label=_("not a URN"))]
    parts = _scheme_and_nid(text[: len(SCHEME) - 1], parsed.nid)
    parts += [Part(":"), Part(parsed.nss, label=nss_label or _("NSS"))]
    for mark, value, style, label in _components(parsed):
        parts += [Part(mark), Part(value, style, label)]
    return parts


def _scheme_and_nid(scheme: str, nid: str) -> list[Part]:
    return [Part(scheme, "s", _("scheme")), Part(":"), Part(nid, "n", _("NID"))]


def _components(parsed: URN) -> list[tuple[str, str, str, str]]:
    """Mark, value, style and label of each component that is there; an empty f is (2.3.3)."""
    components = (
        ("?+", parsed.r_component, "r", _("r-component")),
        ("?=", parsed.q_component, "q", _("q-component")),
        ("#", parsed.f_component, "f", _("f-component")),
    )
    return [
        (mark, value, style, label) for mark, value, style, label in components if value is not None
    ]


def beginning_parts(text: str) -> list[Part]:
    """The sound beginning of a text that stops being a URN further on."""
    begun = _BEGINNING.match(text)
    if not begun:
        return [Part(visible(text))]
    return [
        Part(begun[1], "s"),
        Part(begun[2], "n"),
        Part(begun[3], "s"),
        Part(visible(text[begun.end() :])),
    ]


def visible(text: str) -> str:
    """`text` with a sign for each character that cannot be seen, or would move others."""
    return "".join(map(_sign, text))


def _sign(character: str) -> str:
    if character == " ":
        return "␣"
    if character < " ":
        return chr(_PICTURES + ord(character))
    category = unicodedata.category(character)
    if category in _UNSEEN:
        return f"‹U+{ord(character):04X}›"
    return f"◌{character}" if category.startswith("M") else character
