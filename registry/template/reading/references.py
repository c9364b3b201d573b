"""References in fields: to sections of the same document, or of others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from registry.template.fields import field
from registry.template.reading.labels import find_mark, find_table_of_contents
from registry.template.reading.lines import FoundReference, ReadField, TextLine, trim_lines

MAX_REFERENCES: Final = 60
"""How many references are followed; templates have far fewer."""

_NUMBER: Final = r"[0-9]{1,3}(?:\.[0-9]{1,3}){0,4}|[A-Z](?:\.[0-9]{1,3}){0,4}"
_DOCUMENT: Final = r"\[?(?P<{0}>RFC[ -]?[0-9]{{1,5}}|draft-[a-z0-9-]{{1,80}})\]?"
_SECTION: Final = re.compile(
    rf"(?:{_DOCUMENT.format('before')},? )?\b(?P<kind>Section|Appendix)\s(?P<number>{_NUMBER})\b"
    rf"(?:,? (?:of|in) (?:this (?:document|memo|RFC|specification|draft)"
    rf"|(?:the )?{_DOCUMENT.format('after')}))?",
    re.I,
)
_ANCHOR: Final = re.compile(
    r"(?:(?:section|appendix) )?\{\{(?P<name>[A-Za-z_][\w.:-]{0,80})\}\}"
    r"|(?:(?:section|appendix) )?<xref target=[\"'](?P<target>[\w.:-]{1,80})[\"'] ?/>",
    re.I,
)
_CITED: Final = re.compile(r"(?:RFC|I-D\.|BCP|STD|draft-)", re.I)
_OWN_NUMBER: Final = re.compile(
    r"^(?:Request for Comments: {1,4}|RFC:? )(?P<number>[0-9]{1,5})\b"
    r"|^docname: (?P<name>draft-\S+)",
    re.I | re.M,
)
_ANCHOR_OF_TITLE: Final = re.compile(r"\{#([\w.:-]{1,80})\}")
_NOT_IN_SLUG: Final = re.compile(r"[^a-z0-9]+")
_FILLER: Final = re.compile(
    r"\b(?:please|see|refer|refers|to|as|described|defined|specified|given|in|of|also|the|and|is"
    r"|are|this|document|memo|section|appendix|rfc)\b|[\W_]",
    re.I,
)
_HEAD: Final = 8_000
# What precedes the first section (RFC 7322, section 4).
_FRONT: Final = re.compile(
    r"abstract|status of this memo|copyright notice|table of contents|contents|foreword"
    r"|editorial note.*|note to .*|about this document|discussion venues",
    re.I,
)
_Head: TypeAlias = tuple[int, int, str, tuple[str, ...], str]
"""Position, depth, number, anchors and title of a section."""


class DocumentSection(NamedTuple):
    """A section of a document: its number, its anchors, its title and its lines."""

    number: str
    anchors: tuple[str, ...]
    title: str
    places: range


def find_sections(lines: Sequence[TextLine]) -> list[DocumentSection]:
    """The sections of a document, each including those within it."""
    contents = find_table_of_contents(lines)
    heads: list[_Head] = []
    for at, line in enumerate(lines):
        if at in contents or not line.text or (at and lines[at - 1].text):
            continue
        if line.indent or not (line.text[0].isalnum() or line.text[0] == "#"):
            continue
        mark = find_mark(lines, at)
        if mark is None or mark.value or mark.style not in ("number", "heading"):
            continue
        anchor = _ANCHOR_OF_TITLE.findall(line.text)
        slug = _NOT_IN_SLUG.sub("-", mark.title.lower()).strip("-")
        number = _read_number(line.text)
        depth = mark.level if mark.style == "heading" else number.count(".") + 1
        heads.append((at, depth, number, (*anchor, slug), mark.title))
    if not any(number for _at, _depth, number, *_ in heads):
        heads = list(_count_heads(heads))
    return [
        DocumentSection(number, anchors, title, range(at, _find_end(heads, place, len(lines))))
        for place, (at, _depth, number, anchors, title) in enumerate(heads)
    ]


def _count_heads(heads: Sequence[_Head]) -> Iterator[_Head]:
    """The sections with the numbers that a program gives them, where no author wrote any."""
    titles = [head for head in heads if head[1] == 1]
    # A title above everything is no section.
    top = 2 if len(heads) > 1 and titles == [heads[0]] else 1
    counted: list[int] = []
    for at, level, _number, anchors, title in heads:
        depth = level - top + 1
        if depth < 1 or (depth == 1 and _FRONT.fullmatch(title.strip())):
            yield at, level, "", anchors, title
            continue
        counted = [*counted[:depth], *[0] * (depth - len(counted))]
        counted[depth - 1] += 1
        yield at, level, ".".join(map(str, counted)), anchors, title


def _read_number(text: str) -> str:
    found = re.match(rf"[# ]*(?:Appendix )?({_NUMBER})(?:\.|(?<=[0-9]) (?=\w))", text)
    return found[1] if found else ""


def _find_end(heads: Sequence[_Head], place: int, end: int) -> int:
    depth = heads[place][1]
    return next((at for at, other, *_ in heads[place + 1 :] if other <= depth), end)


def follow_references(
    fields: Sequence[ReadField], lines: Sequence[TextLine], text: str
) -> tuple[FoundReference, ...]:
    """The sections that the fields refer to, with the text of those in the same document."""
    asked = [
        (each, found)
        for each in fields
        for found in _list_references(" ".join(each.value.split())[:_HEAD])
    ][:MAX_REFERENCES]
    if not asked:
        return ()
    named = _OWN_NUMBER.search(text[:_HEAD])
    own = _name_document(named[0]) if named else ""
    sections = find_sections(lines)
    return tuple(_follow(each, found, own, sections, lines) for each, found in asked)


class _Reference(NamedTuple):
    wording: str
    number: str
    anchor: str
    document: str


def _list_references(value: str) -> Iterator[_Reference]:
    seen = set()
    for match in _SECTION.finditer(value):
        document = _name_document(match["after"] or match["before"] or "")
        found = _Reference(match[0].strip(), match["number"], "", document)
        if (found.number, document) not in seen:
            seen.add((found.number, document))
            yield found
    for match in _ANCHOR.finditer(value):
        anchor = match["name"] or match["target"]
        if not _CITED.match(anchor) and (anchor, "") not in seen:
            seen.add((anchor, ""))
            yield _Reference(match[0], "", anchor, "")


def _name_document(written: str) -> str:
    number = re.search(r"[0-9]{1,5}\b(?!-)", written)
    if written.lower().startswith(("rfc", "request")) and number:
        return f"RFC {int(number[0])}"
    return written.split()[-1].lower() if written else ""


def _follow(
    asked: ReadField,
    found: _Reference,
    own: str,
    sections: Sequence[DocumentSection],
    lines: Sequence[TextLine],
) -> FoundReference:
    target = found.number and f"Section {found.number}"
    if found.number[:1].isalpha():
        target = f"Appendix {found.number}"
    document = "" if found.document in ("", own) else found.document
    value = " ".join(asked.value.split()).replace(found.wording, " ", 1)
    reference = FoundReference(
        asked.name,
        found.wording,
        target or found.anchor,
        document,
        is_whole=not _FILLER.sub("", _drop_numbers(value, own)),
    )
    if document:
        return reference
    for section in sections:
        same = (
            section.number == found.number.upper()
            if found.number
            else found.anchor in section.anchors
        )
        if same:
            return _add_section(reference, section, lines)
    return reference


def _drop_numbers(value: str, own: str) -> str:
    return value.replace(own, " ").replace(own.replace(" ", ""), " ") if own else value


def _add_section(
    reference: FoundReference, section: DocumentSection, lines: Sequence[TextLine]
) -> FoundReference:
    head = lines[section.places.start]
    body = trim_lines([lines[at] for at in section.places[1:]])
    margin = min((line.indent for line in body if line.text), default=0)
    text = "\n".join(
        " " * max(0, line.indent - margin) + line.text if line.text else "" for line in body
    )
    last = body[-1].last_number if body else head.last_number
    return FoundReference(
        reference.field,
        reference.wording,
        reference.target,
        "",
        section.title,
        text,
        head.number,
        last,
        reference.is_whole,
    )


def list_reference_remarks(references: Sequence[FoundReference]) -> Iterator[str]:
    """What fields only say by reference: one sentence for each document referred to."""
    others: dict[str, list[str]] = {}
    missing: list[str] = []
    for each in references:
        if not each.is_whole:
            continue
        if each.document:
            others.setdefault(each.document, []).append(field(each.field).label)
        elif not each.text:
            missing.append(each.wording)
    for document, labels in others.items():
        named = _join_words(list(dict.fromkeys(labels)))
        verb = "refers" if len(set(labels)) == 1 else "refer"
        yield f"{named} {verb} to sections of {document}, which is not part of this text."
    if missing:
        quoted = _join_words([f"“{each}”" for each in dict.fromkeys(missing)])
        yield f"The text has no section for {quoted}."


def _join_words(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
