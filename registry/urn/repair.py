"""Spellings to try instead of a text that is not a URN."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final
from urllib.parse import unquote

from .characters import fold_lookalikes, remove_invisible
from .errors import require_text
from .spec import DRAFT_12, read_by
from .syntax import ALPHANUM, HEXDIGS, NID, PCHAR_SET, WHOLE_URN, split_components
from .uri.schemes import KNOWN_SCHEMES
from .urn import percent_encode

_MAX_LENGTH: Final = 2000
_MAX_REPAIRS: Final = 4
_WRAPPINGS: Final = (
    *("<>", '""', "''", "“”", "„“", "””", "‘’", "‚‘", "’’", "«»", "»«", "‹›", "「」", "『』"),
    *("()", "[]", "{}", "``", "**", "__", "||", "‖‖"),
)
# What ends a sentence after a closing mark, or before a quotation mark.
_SENTENCE_ENDS: Final = ".,;:!?…。，；"
# Words that people put before a URN, and before its scheme.
_LABEL: Final = re.compile(
    r"(?:(?:ur[iln]|id|identifier|href|xmlns(?::\w+)?)[\s=:]*+|web\+|[=@'’]\s*+|\\(?:url|href)\s*+)"
    r"(?=[\"'<{(“]?(?:urn|URN)\b|[\"'<{(“]\S)"
    r"|ur[il]\s*:\s*",
    re.IGNORECASE,
)
_ENCODED_WHOLE: Final = re.compile(r"(?:web(?:\+|%2B))?(?:ur[il]%(?:25)*3A)?urn%(?:25)*3A", re.I)
_ENTITY: Final = re.compile(r"&(?:[a-z]+|#[0-9]+|#x[0-9a-f]+);", re.IGNORECASE)
SCHEME_ADDED: Final = "“urn:” added"
SPACE_REMOVED: Final = "space removed"
PERCENT_ENCODED: Final = "percent-encoded"
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])|\\u([0-9A-Fa-f]{4})|=\r?\n")
_LIGATURES: Final = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)
# The hyphen may be the typesetter's.
_BROKEN_AT_HYPHEN: Final = re.compile("[-\u00ad\u2010][ \t]*[\r\n]\\s*")
_DOTTED_NID: Final = re.compile(rf"([Uu][Rr][Nn]:)([{ALPHANUM}]+(?:[._]+[{ALPHANUM}-]+)+)(?=:)")
# Before “//” in a URN stands a web address, which no encoding turns into a name.
_WEB_ADDRESS: Final = re.compile("[Uu][Rr][Nn]:[^:]*+:\\s*+//")
_MARKS: Final = {"nid": "", "nss": ":", "r": "?+", "q": "?=", "f": "#"}
_SPACE: Final = re.compile(r"\s+")
_BARE_QUESTION: Final = re.compile(r"\?(?![+=])")
_BARE_PERCENT: Final = re.compile(f"%(?!{HEXDIGS})")
# A lone surrogate has no UTF-8, so a text with one is left alone and never proposed.
_BAD: Final = re.compile(f"[^{PCHAR_SET}/?%\ud800-\udfff]+")
# Up to the second colon, in full width or not.
_SCHEME_AND_NID: Final = re.compile("[^:\uff1a]*+[:\uff1a][^:\uff1a]*+[:\uff1a]")
_LACKS_SCHEME: Final = re.compile(f"{NID}:")


@dataclass(frozen=True, slots=True)
class Repair:
    """A URN to try instead of what was typed, and the changes that led to it."""

    text: str
    changes: tuple[str, ...]


def repairs(text: str) -> tuple[Repair, ...]:
    """URNs that `text` may have been meant for, likeliest first; `()` for a URN itself.

    Proposals to a person, never applied automatically: only the author knows which name was meant.
    None for a text of more than 2,000 characters.
    """
    require_text(text)
    if len(text) > _MAX_LENGTH or WHOLE_URN.fullmatch(text):
        return ()
    found: dict[str, Repair] = {}
    for candidate in _find_candidates(text):
        if WHOLE_URN.fullmatch(candidate.text):
            found.setdefault(candidate.text, candidate)
    return tuple(found.values())[:_MAX_REPAIRS]


def _find_candidates(text: str) -> Iterator[Repair]:
    visible = _remove_invisible(Repair(text, ()))
    wrapped = _replace_dots(_remove_wrapping(_decode_whole(visible)))
    if WHOLE_URN.fullmatch(wrapped.text):
        yield wrapped
        return
    if _WEB_ADDRESS.match(wrapped.text):
        return
    for is_folded, is_space_removed, is_query in product((True, False), repeat=3):
        alike = _fold_lookalikes(wrapped) if is_folded else wrapped
        begun = _replace_dots(_add_scheme(alike))
        spaced = _remove_space(begun) if is_space_removed else begun
        asked = _repair_question_marks(spaced) if is_query else spaced
        yield _encode_components(asked)
    joined = _BROKEN_AT_HYPHEN.sub("", text)
    if joined != text:
        for candidate in _find_candidates(joined):
            change = "hyphen at the end of a line removed"
            yield Repair(candidate.text, (change, *candidate.changes))


def _decode_whole(repair: Repair) -> Repair:
    """Decode a name that was percent-encoded as a whole, once or several times, and entities."""
    text, change = repair.text, "percent-encoding of the whole removed"
    while _ENCODED_WHOLE.match(text.lstrip(" <\"'(")):
        text = unquote(text, errors="surrogateescape")
    decoded = _record_change(repair, text, change)
    if not _ENTITY.search(text):
        return decoded
    return _record_change(decoded, html.unescape(text), "HTML’s references replaced")


def _replace_dots(repair: Repair) -> Repair:
    """Write hyphens for the dots of a domain in the NID."""
    hyphened = _DOTTED_NID.sub(
        lambda match: match[1] + re.sub("[._]+", "-", match[2]), repair.text, count=1
    )
    return _record_change(repair, hyphened, "dots in the NID read as hyphens")


def _remove_invisible(repair: Repair) -> Repair:
    return _record_change(
        repair, remove_invisible(repair.text), "characters that cannot be seen removed"
    )


def _fold_lookalikes(repair: Repair) -> Repair:
    """Replace ligatures; and ASCII lookalikes where no other letters stand beside them."""
    text = repair.text.translate(_LIGATURES)
    written = _SCHEME_AND_NID.match(text)
    end = written.end() if written else 0
    parts = text[:end], text[end:]
    folded = "".join(
        alike if (alike := fold_lookalikes(part)).isascii() else part for part in parts
    )
    return _record_change(repair, folded, "characters that only look like ASCII replaced")


def _remove_wrapping(repair: Repair) -> Repair:
    text = strip_surroundings(remove_escapes(repair.text))
    return _record_change(repair, text, "what stood around it removed")


def remove_escapes(text: str) -> str:
    """`text` without escapes of Markdown, LaTeX and JSON, and line breaks of quoted-printable."""
    return _ESCAPE.sub(lambda match: chr(int(match[2], 16)) if match[2] else match[1] or "", text)


def strip_surroundings(text: str) -> str:
    """`text` without brackets, quotation marks, labels and the end of a sentence around it."""
    text, before = text.strip(), ""
    while text != before:
        before = text
        ended = text.rstrip(_SENTENCE_ENDS).rstrip()
        for opening, closing in _WRAPPINGS:
            if len(ended) > 1 and ended[0] == opening and ended[-1] == closing:
                inner = ended[1:-1].strip()
                text = inner if opening in "<([{" else inner.rstrip(",.")
                break
        label = _LABEL.match(text)
        if label:
            text = text[label.end() :].strip()
    return text


def _add_scheme(repair: Repair) -> Repair:
    """Put `urn:` before what may be a NID, but not before a URI of another scheme."""
    text = repair.text
    if text[:4].lower() == "urn:" or not _LACKS_SCHEME.match(text):
        return repair
    first, _, behind = text.partition(":")
    if first.lower() in KNOWN_SCHEMES or behind.startswith("//"):
        return repair
    return _record_change(repair, f"urn:{text}", SCHEME_ADDED)


def _remove_space(repair: Repair) -> Repair:
    return _record_change(repair, _SPACE.sub("", repair.text), SPACE_REMOVED)


def _repair_question_marks(repair: Repair) -> Repair:
    name, hash_sign, fragment = repair.text.partition("#")
    draft = read_by(repair.text, DRAFT_12)
    if draft.is_valid and "r" in draft.parts:
        parts = {**draft.parts, "nid": f"{repair.text[:4]}{draft.parts['nid']}"}
        moved = "".join(mark + parts[part] for part, mark in _MARKS.items() if part in parts)
        return _record_change(repair, moved, "“??” read as “?+”, as a draft of RFC 8141 had it")
    if "?=" in name or "?+" in name:
        return repair
    asked = _BARE_QUESTION.sub("?=", name, count=1)
    return _record_change(repair, f"{asked}{hash_sign}{fragment}", "“?” read as “?=”")


def _encode_components(repair: Repair) -> Repair:
    """Percent-encode invalid characters, and leave out empty components."""
    parts = [(part, repair.text[start:end]) for part, start, end in split_components(repair.text)]
    kept = [(part, written) for part, written in parts if written or part == "f"]
    fewer = "".join(["urn:", *(_MARKS[part] + written for part, written in kept)])
    lesser = (
        _record_change(repair, fewer, "empty component removed")
        if len(kept) < len(parts)
        else repair
    )
    whole = "".join(
        [repair.text[:4], *(_MARKS[p] + _encode_part(p, written) for p, written in kept)]
    )
    return _record_change(lesser, whole, PERCENT_ENCODED) if whole != fewer else lesser


def _encode_part(part: str, written: str) -> str:
    if part == "nid":
        return written
    if part == "nss":
        written = _BARE_QUESTION.sub("%3F", written)
    if part != "f" and written[0] in "/?":
        written = percent_encode(written[0]) + written[1:]
    mended = _BARE_PERCENT.sub("%25", written)
    return _BAD.sub(lambda match: percent_encode(match.group()), mended)


def _record_change(repair: Repair, text: str, change: str) -> Repair:
    return repair if text == repair.text else Repair(text, (*repair.changes, change))
