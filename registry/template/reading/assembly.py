"""From what stands under each label to the fields of RFC 8141, each change said in words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from registry.template.fields import ORDER, field
from registry.template.reading import beside
from registry.template.reading.edition import date, edition, version
from registry.template.reading.identifier import identifier
from registry.template.reading.label import EDITION, Label
from registry.template.reading.result import Passage, ReadField, Source
from registry.template.reading.sections import Section

_AT: Final = re.compile(r"\b([\w.+-]{1,64})&((?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,20})\b")
_REMARKS: Final = {
    "old": "“{old}” is a field of the older template; RFC 8141 has its content under {label}.",
    "neither": "“{old}” is no field of the template; its content was put under {label}.",
}


class Part(NamedTuple):
    """One piece of a field, and where it comes from."""

    name: str
    value: str
    source: Source
    remarks: tuple[str, ...] = ()
    lead: str = ""
    place: int = 0


def fields(
    sections: Sequence[Section], text: str
) -> tuple[tuple[ReadField, ...], tuple[Passage, ...]]:
    """The fields in reading order, and what they leave over."""
    parts: defaultdict[str, list[Part]] = defaultdict(list)
    left: list[Passage] = []
    for section in sections:
        found, over = _parts(section, text)
        for part in found:
            parts[part.name].append(part)
        if over:
            left.append(_passage(section))
    joined = {name: _joined(name, parts[name]) for name in ORDER if name in parts}
    if "syntax" in joined:
        joined |= _beside_syntax(joined["syntax"])
    return tuple(joined[name] for name in ORDER if name in joined), tuple(left)


def _parts(section: Section, text: str) -> tuple[list[Part], bool]:
    label = section.mark.label
    assert label, "every section begins with a label"
    source = _source(section, label)
    value = section.value
    if label.field == "nid":
        named = identifier(value, text)
        return [Part("nid", named.nid, source, named.remarks)], named.left
    if label.field in (EDITION, "version", "date"):
        return _edition(label.field, value, source)
    if label.field == "registrant":
        value, remarks = _with_at(value)
        return [_part(label, value, source, remarks)], False
    return [_part(label, value, source)], False


def _edition(name: str, value: str, source: Source) -> tuple[list[Part], bool]:
    read = {EDITION: edition, "version": version, "date": date}[name](value)
    both = (
        Part("version", read.version, source, read.of_version),
        Part("date", read.date, source, read.of_date),
    )
    return [part for part in both if name in (EDITION, part.name)], read.left


def _part(label: Label, value: str, source: Source, remarks: tuple[str, ...] = ()) -> Part:
    if label.kind in _REMARKS:
        moved = _REMARKS[label.kind].format(old=label.name, label=field(label.field).label)
        remarks = (moved, *remarks)
    return Part(label.field, value, source, remarks, label.lead, label.place)


def _source(section: Section, label: Label) -> Source:
    old = label.name if label.kind in _REMARKS else ""
    return Source(section.mark.title, old, section.mark.number, section.last)


def _with_at(value: str) -> tuple[str, tuple[str, ...]]:
    """Mail addresses that were written with another sign against those who collect them."""
    read, count = _AT.subn(r"\1@\2", value)
    return read, ("“&” was read as “@” in a mail address.",) if count else ()


def _joined(name: str, parts: Iterable[Part]) -> ReadField:
    ordered = sorted(parts, key=lambda part: part.place)
    texts = [text for part in ordered if (text := _introduced(part))]
    return ReadField(
        name,
        "\n\n".join(texts),
        tuple(part.source for part in ordered),
        tuple(remark for part in ordered for remark in part.remarks),
    )


def _introduced(part: Part) -> str:
    if not part.lead or not part.value.strip():
        return part.value
    if "\n" in part.value.strip():
        return f"{part.lead}:\n\n{part.value}"
    # A list of one entry needs no mark behind its lead.
    return f"{part.lead}: {part.value.strip().removeprefix('- ')}"


def _beside_syntax(syntax: ReadField) -> dict[str, ReadField]:
    parts = beside.split(syntax.value)
    remark = f"This was taken from the end of {field('syntax').label}."
    return {
        name: ReadField(
            name, value, syntax.sources, syntax.remarks if name == "syntax" else (remark,)
        )
        for name, value in parts.items()
    }


def _passage(section: Section) -> Passage:
    return Passage(section.value, section.mark.number, section.last, section.mark.title)
