"""The steps of reading, from the text to the fields of RFC 8141."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from registry.template.fields import FIELDS, ORDER, SUBFIELDS, Required, field
from registry.template.reading import field_values
from registry.template.reading.field_values import (
    parse_date,
    parse_edition,
    parse_identifier,
    parse_version,
)
from registry.template.reading.grammar_search import find_examples, find_grammars
from registry.template.reading.label_names import EDITION_LABEL, Label, normalize_label
from registry.template.reading.labels import find_labels, unwrap_fences
from registry.template.reading.lines import (
    FoundGrammar,
    Generation,
    Passage,
    ReadField,
    Reading,
    Source,
    SplitText,
    TextLine,
    build_passages,
    remove_page_breaks,
    split_lines,
)
from registry.template.reading.references import (
    find_sections,
    follow_references,
    list_reference_remarks,
)
from registry.template.reading.sections import (
    LabelLayout,
    LabelledSection,
    iterate_layouts,
    split_sections,
)
from registry.template.reading.written_rules import TYPOGRAPHIC
from registry.template.template import WORD_FIELDS, Template
from registry.template.text import TEXT_INDENT, write
from registry.urn import nid as nids

_LABELS: Final = {each.label: each.name for each in FIELDS}
_LABEL: Final = re.compile(rf"({'|'.join(map(re.escape, _LABELS))}):(?: (.+))?")
_MARGIN: Final = " " * TEXT_INDENT
_SECTIONS: Final = {
    each.name: section for section, subfields in SUBFIELDS.items() for each in subfields
}


def read_canonical_text(text: str) -> tuple[ReadField, ...] | None:
    """The fields of the template whose canonical text this is; None if there is none."""
    text = text.replace("\r\n", "\n").strip("\n") + "\n"
    found = _collect_values(text)
    if not found:
        return None
    values, sources = found
    for parts in field_values.iterate_splits(values):
        template = Template.from_dict(parts)
        if write(template) == text:
            return tuple(
                ReadField(name, template[name], (sources[_SECTIONS.get(name, name)],))
                for name in template.to_dict()
                if name in sources or template[name]
            )
    return None


def _collect_values(text: str) -> tuple[dict[str, str], dict[str, Source]] | None:
    """The text below and after each label; None if anything else is at the margin."""
    values: dict[str, list[str]] = {}
    sources: dict[str, Source] = {}
    name = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith(_MARGIN) and name:
            values[name].append(line[TEXT_INDENT:])
            sources[name] = _extend_source(sources[name], number)
        elif not line and name:
            values[name].append("")
        else:
            label = _LABEL.fullmatch(line)
            if label is None or _LABELS[label[1]] in values:
                return None
            name = _LABELS[label[1]]
            values[name] = [label[2] or ""]
            sources[name] = Source(label[1], "", number, number)
    return {name: "\n".join(lines).strip("\n") for name, lines in values.items()}, sources


def _extend_source(source: Source, number: int) -> Source:
    return Source(source.label, source.old_field, source.first, number)


_AT: Final = re.compile(r"\b([\w.+-]{1,64})&((?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,20})\b")
_MISPLACED: Final = "“{old}” is no field of the template; its content was put under {label}."


class FieldPart(NamedTuple):
    """One piece of a field, and its source."""

    name: str
    value: str
    source: Source
    remarks: tuple[str, ...] = ()
    lead: str = ""
    place: int = 0


def assemble_fields(
    sections: Sequence[LabelledSection], text: str
) -> tuple[tuple[ReadField, ...], tuple[Passage, ...]]:
    """The fields in reading order, and what they leave over."""
    parts: defaultdict[str, list[FieldPart]] = defaultdict(list)
    left: list[Passage] = []
    for section in sections:
        found, over = _split_parts(section, text)
        for part in found:
            parts[part.name].append(part)
        if over:
            left.append(_build_passage(section))
    joined = {name: _join_parts(name, parts[name]) for name in ORDER if name in parts}
    for name in SUBFIELDS.keys() & joined.keys():
        joined |= _split_section(joined[name])
    return tuple(joined[name] for name in ORDER if name in joined), tuple(left)


def _split_parts(section: LabelledSection, text: str) -> tuple[list[FieldPart], bool]:
    label = section.mark.label
    assert label, "every section begins with a label"
    source = _build_source(section, label)
    value = section.value
    if label.field == "nid":
        named = parse_identifier(value, text)
        return [FieldPart("nid", named.nid, source, named.remarks)], named.left
    if label.field in (EDITION_LABEL, "version", "date"):
        return _read_edition(label.field, value, source)
    if label.field == "registrant":
        value, remarks = _restore_at_signs(value)
        return [_build_part(label, value, source, remarks)], False
    return [_build_part(label, value, source)], False


def _read_edition(name: str, value: str, source: Source) -> tuple[list[FieldPart], bool]:
    read = {EDITION_LABEL: parse_edition, "version": parse_version, "date": parse_date}[name](value)
    both = (
        FieldPart("version", read.version, source, read.of_version),
        FieldPart("date", read.date, source, read.of_date),
    )
    # Some write the date after the version, on one line.
    return [part for part in both if name in (EDITION_LABEL, part.name) or part.value], read.left


def _build_part(
    label: Label, value: str, source: Source, remarks: tuple[str, ...] = ()
) -> FieldPart:
    if label.kind == "neither":
        moved = _MISPLACED.format(old=label.name, label=field(label.field).label)
        remarks = (moved, *remarks)
    return FieldPart(label.field, value, source, remarks, label.lead, label.place)


def _build_source(section: LabelledSection, label: Label) -> Source:
    old = label.name if label.kind in {"old", "neither"} else ""
    return Source(section.mark.title, old, section.mark.number, section.last)


def _restore_at_signs(value: str) -> tuple[str, tuple[str, ...]]:
    """Mail addresses with the @ restored that was replaced against address harvesters."""
    read, count = _AT.subn(r"\1@\2", value)
    return read, ("“&” was read as “@” in an email address.",) if count else ()


def _join_parts(name: str, parts: Iterable[FieldPart]) -> ReadField:
    ordered = sorted(parts, key=lambda part: part.place)
    texts = list(dict.fromkeys(text for part in ordered if (text := _introduce_part(part))))
    remarks = list(dict.fromkeys(remark for part in ordered for remark in part.remarks))
    if name in WORD_FIELDS and len(texts) > 1:
        others = " and ".join(f"“{quote}”" for quote in texts[1:])
        remarks.append(f"The text also says {others}; “{texts[0]}” stands first and was taken.")
        texts = texts[:1]
    sources = tuple(replace(part.source, value=part.value) for part in ordered)
    return ReadField(name, "\n\n".join(texts), sources, tuple(remarks))


def _introduce_part(part: FieldPart) -> str:
    if not part.lead or not part.value.strip():
        return part.value
    if "\n" in part.value.strip():
        return f"{part.lead}:\n\n{part.value}"
    # A list of one entry needs no mark after its lead.
    return f"{part.lead}: {part.value.strip().removeprefix('- ')}"


def _split_section(section: ReadField) -> dict[str, ReadField]:
    parts = field_values.split_section(section.name, section.value)
    remark = f"This was taken from the end of {field(section.name).label}."
    return {
        name: ReadField(
            name, value, section.sources, section.remarks if name == section.name else (remark,)
        )
        for name, value in parts.items()
    }


def _build_passage(section: LabelledSection) -> Passage:
    return Passage(section.value, section.mark.number, section.last, section.mark.title)


MAX_READ_LENGTH: Final = 500_000
"""How many characters are read; the rest is left over."""

READER_VERSION: Final = "2026-11-28"
"""Increased when the reader changes how it understands texts; records say which one read them."""

_REQUIRED_FIELDS: Final = tuple(each.name for each in FIELDS if each.required is Required.ALWAYS)
_FIRST_OF_TWO: Final = normalize_label("Declaration of structure")
_GENERATION_REMARKS: Final = {
    "8141": "The text follows the template of RFC 8141.",
    "3406": "The text follows the older template of RFC 3406. What it says was put where RFC 8141"
    " asks for it.",
    "2611": "The text follows the oldest template, that of RFC 2611. What it says was put where"
    " RFC 8141 asks for it.",
    "mixed": "The text has fields of RFC 8141 and of the older template. What belongs together"
    " was put together.",
    "": "No template was recognized in the text.",
}


def read(text: str) -> Reading:
    """The reading of `text` as a registration template; any text can be read.

    A text from `write` gives the same template again. If a text has several templates, it is the
    first.
    """
    canonical_text = _read_written(text)
    return canonical_text or next(_understand_templates(text, ""))


MAX_TEMPLATES: Final = 40


def read_document(text: str, nid: str | None = None) -> tuple[Reading, ...]:
    """The reading of each template in a document, which may be long and have several.

    With `nid` only the templates of that namespace, or those that name none. Lines are counted in
    the document. A document without a template gives nothing.
    """
    written = _read_written(text)
    wanted = nids.canonical(nid) if nid else ""
    readings = (written,) if written else islice(_understand_templates(text, wanted), MAX_TEMPLATES)
    found = tuple(each for each in readings if each.fields)
    if not wanted:
        return found
    return tuple(each for each in found if nids.canonical(each.template.nid or wanted) == wanted)


def _read_written(text: str) -> Reading | None:
    """The reading of a text from `write`; None for any other."""
    fields = read_canonical_text(text)
    if fields is None:
        return None
    reading = Reading(
        template=_build_template(fields),
        generation="8141",
        fields=fields,
        remarks=(_GENERATION_REMARKS["8141"], *_list_missing(fields)),
    )
    return _add_findings(reading, split_lines(text[:MAX_READ_LENGTH]).lines, text, "")


def _understand_templates(text: str, nid: str) -> Iterator[Reading]:
    """Each template of a text, at least one, which may be empty."""
    text, beyond = text[:MAX_READ_LENGTH], text[MAX_READ_LENGTH:]
    split = split_lines(text)
    readings = _read_templates(split, text, beyond, nid)
    first = next(readings)
    if _count_filled(first) < _MANY:
        unusual = split_lines(text, is_unusual=True)
        others = _read_templates(unusual, text, beyond, nid)
        other = next(others) if unusual.lines != split.lines else first
        if _count_filled(other) >= max(_FEW, _count_filled(first) + 2):
            first, readings = other, others
    yield first
    yield from readings


_FEW: Final = 5
_MANY: Final = 11


def _count_filled(reading: Reading) -> int:
    return sum(bool(reading.template[each.name].strip()) for each in FIELDS)


def _read_templates(split: SplitText, text: str, beyond: str, nid: str) -> Iterator[Reading]:
    lines, breaks = remove_page_breaks(split.lines)
    labels = find_labels(lines)
    lines, fences = unwrap_fences(lines, labels)
    taken = sorted([*breaks, *split.marks, *([each] for each in fences)])
    asides = tuple(passage for each in split.asides for passage in build_passages([each]))
    for plan in iterate_layouts(lines, labels):
        found, rest = split_sections(lines, plan)
        fields, left = assemble_fields(found, text)
        generation = _find_generation(found)
        reading = Reading(
            template=_build_template(fields),
            generation=generation,
            fields=fields,
            left_over=(
                *sorted((*rest, *left, *asides), key=_get_first_line),
                *_collect_beyond(text, beyond),
            ),
            taken_out=tuple(passage for each in taken for passage in build_passages(each)),
            remarks=(
                *_describe_result(generation, fields, text),
                *_list_missing(fields),
                *_list_circumstances(plan, len(breaks), beyond),
            ),
        )
        yield _add_findings(reading, lines, text, nid)


_GRAMMAR_TITLE: Final = re.compile(r"\b(?:syntax|grammar|abnf|bnf|regular expression)\b", re.I)
_EXAMPLES_TITLE: Final = re.compile(r"(?:informative |some )?examples?\b", re.I)


def _add_findings(reading: Reading, lines: Sequence[TextLine], text: str, nid: str) -> Reading:
    """The reading with what could be moved to fields of its own, and the references in fields."""
    if not reading.fields:
        return reading
    references = follow_references(reading.fields, lines, text)
    template = reading.template
    followed = [each.text for each in references if each.field == "syntax" and each.text]
    sections = [
        (section.title, [lines[at] for at in section.places[1:]])
        for section in find_sections(lines)
        if _GRAMMAR_TITLE.search(section.title) or _EXAMPLES_TITLE.match(section.title)
    ]
    titled = [(each.label, each.text) for each in reading.left_over if each.label]
    titled += [
        (title, passage.text) for title, body in sections for passage in build_passages(body)
    ]
    shown = [words for title, words in titled if _EXAMPLES_TITLE.match(title)]
    examples = (
        find_examples(template.nid or nid, (template.syntax, *followed), shown)
        if not template.examples
        else ()
    )
    has_grammar = template.grammar or template.grammar_kind
    grammars = (
        find_grammars(
            template.syntax,
            (*followed, *(words for title, words in titled if _GRAMMAR_TITLE.search(title))),
            template.nid or nid,
            examples or template.examples,
        )
        if not has_grammar
        else ()
    )
    return replace(
        reading,
        references=references,
        examples=examples,
        grammars=tuple(_count_lines(each, lines, reading.found("syntax")) for each in grammars),
        remarks=(*reading.remarks, *list_reference_remarks(references)),
    )


def _build_template(fields: Sequence[ReadField]) -> Template:
    return Template.from_dict({each.name: each.value for each in fields})


def _get_first_line(passage: Passage) -> int:
    return passage.first


def _count_lines(
    grammar: FoundGrammar, lines: Sequence[TextLine], syntax: ReadField | None
) -> FoundGrammar:
    """The grammar with the lines of what was left out counted in the whole text."""
    first = min((source.first for source in syntax.sources), default=0) if syntax else 0
    # Those of Syntax count first; a grammar in another section is elsewhere.
    ordered = sorted(lines, key=lambda line: line.number < first)
    numbers: dict[str, int] = {}
    for line in ordered:
        numbers.setdefault(line.text.translate(TYPOGRAPHIC), line.number)
    left_out = []
    for rule in grammar.left_out:
        number = numbers.get(rule.text.partition("\n")[0].strip(), rule.first)
        left_out.append(replace(rule, first=number, last=number + rule.last - rule.first))
    return replace(grammar, left_out=tuple(left_out))


def _collect_beyond(text: str, beyond: str) -> Iterator[Passage]:
    if beyond.strip():
        first = text.count("\n") + 1
        yield Passage(beyond, first, first + beyond.count("\n"))


def _find_generation(found: Sequence[LabelledSection]) -> Generation:
    """Which RFC the labels are from; labels in both do not count."""
    named = [label for section in found if (label := section.mark.label)]
    old = any(label.kind == "old" for label in named)
    new = any(label.kind == "new" for label in named)
    if old and new:
        return "mixed"
    if not old:
        return "8141" if new else ""
    first = any(normalize_label(section.mark.title) == _FIRST_OF_TWO for section in found)
    return "2611" if first else "3406"


_ENCODED: Final = re.compile(r"(?:^[A-Za-z0-9+/]{60,76}\n){3}", re.M)
_SOURCES: Final = (("{\\rtf", "RTF"), ("%PDF", "PDF"), ("PK\x03\x04", "a word processor"))
_MIN_LABELS: Final = 3


def _describe_result(
    generation: Generation, found: Sequence[ReadField], text: str
) -> Iterator[str]:
    """Which template the text follows; if hardly any field was read, why and what helps."""
    filled = [each for each in found if each.name in _LABEL_NAMES and each.value.strip()]
    if generation != "8141" and found:
        yield _GENERATION_REMARKS[generation]
        return
    if len(filled) >= _FEW:
        yield _GENERATION_REMARKS[generation]
        return
    if filled:
        labels = _join_labels([field(each.name).label for each in filled])
        yield f"Only {len(filled)} of {len(FIELDS)} fields were recognized: {labels}."
    else:
        yield _GENERATION_REMARKS[""]
    source = next((name for start, name in _SOURCES if text.lstrip().startswith(start)), "")
    names = {each.name for each in found}
    inside = [each.label for each in FIELDS if each.name not in names]
    inside = [label for label in inside if re.search(rf"\b{re.escape(label)}\b", text)]
    if source:
        yield f"This is the file of {source}, and not its text. Save it as plain text."
    elif _ENCODED.search(text):
        yield "Lines of it are encoded (base64), as an attachment is. Take the text of that itself."
    elif filled or len(inside) >= _MIN_LABELS:
        if inside:
            quoted = _join_labels([f"“{label}”" for label in inside])
            yield f"The text has {quoted}, but not where a field begins."
        yield (
            "Put the label of each field at the beginning of a line, with a colon and the value"
            " behind it, as in RFC 8141, Appendix A. Plain text, RFCXML, HTML, Markdown and tables"
            " can be read."
        )


_LABEL_NAMES: Final = frozenset(_LABELS.values())


def _list_missing(found: Sequence[ReadField]) -> Iterator[str]:
    filled = {each.name for each in found if each.value.strip()}
    missing = [field(name).label for name in _REQUIRED_FIELDS if name not in filled]
    if found and missing:
        yield f"Nothing was found for {_join_labels(missing)}."


def _list_circumstances(plan: LabelLayout, breaks: int, beyond: str) -> Iterator[str]:
    if breaks:
        times = "A page break was" if breaks == 1 else f"{breaks:,} page breaks were"
        yield f"{times} taken out of the text."
    if plan.end is not None:
        yield "A second template begins further down. It was left as it is; read it by itself."
    if beyond:
        yield f"Only the first {MAX_READ_LENGTH:,} characters were read."


def _join_labels(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
