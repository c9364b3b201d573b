"""What was understood of a pasted template, next to the draft."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from registry import selectors
from registry.enums import (
    TEMPLATE_CHOICES,
    ChangeKind,
    GrammarKind,
    RequestPath,
)
from registry.forms.draft import is_typed_by_registrant
from registry.forms.paths import REVISION_CHOICE
from registry.models import RegistrationRequest, Round
from registry.template import FIELDS, ORDER, Field, Template, field
from registry.template.reading import (
    FoundGrammar,
    FoundReference,
    ReadField,
    Reading,
    parse_registrant,
    take_out_grammar,
)
from registry.urn import nid as nids

HEADERS_OF_A_LETTER: Final = re.compile(r"^[> ]*(From|Subject): ", re.M | re.I)
"""Header fields of RFC 5322, sections 3.6.2 and 3.6.5: most letters have one, no template does."""


@dataclass(frozen=True, slots=True)
class FieldReading:
    """One field that was found: what was read, the draft's text, and why it is not taken.

    `barred` is empty if the field can be taken. `section` is one of the same document that the
    field only refers to.
    """

    definition: Field
    read: ReadField
    now: str
    barred: str = ""
    section: FoundReference | None = None

    @property
    def name(self) -> str:
        return self.definition.name

    @property
    def value(self) -> str:
        """What was read, as people see it."""
        return format_field_value(self.name, self.read.value)

    @property
    def now_shown(self) -> str:
        """The draft's text, as people see it."""
        return format_field_value(self.name, self.now)

    @property
    def is_same(self) -> bool:
        """Whether the draft already says so."""
        return self.read.value == self.now

    @property
    def replaces(self) -> bool:
        """Whether taking it replaces something in the draft."""
        return bool(self.now) and not self.is_same

    @property
    def is_offered(self) -> bool:
        """Whether people are asked about this field."""
        return not self.barred and bool(self.read.value) and not self.is_same


def format_field_value(name: str, value: str) -> str:
    """Return a value of a field, a choice in words."""
    return str(TEMPLATE_CHOICES[name](value).label) if name in TEMPLATE_CHOICES and value else value


def list_field_readings(reading: Reading, draft: Round) -> list[FieldReading]:
    """Return each field that was found, in reading order."""
    registration_request, template = draft.registration_request, draft.template
    context = selectors.build_check_context(registration_request)
    values = reading.template
    sections = {each.field: each for each in reading.references if each.is_whole and each.text}
    found = [
        *(
            ReadField(each.name, values[each.name], each.sources, each.remarks)
            for each in reading.fields
        ),
        *list_found_in_syntax(reading),
    ]
    return [
        FieldReading(
            definition,
            each,
            template[each.name],
            ""
            if is_typed_by_registrant(definition, context)
            else explain_barred_field(each.name, registration_request),
            sections.get(each.name),
        )
        for each in sorted(found, key=lambda each: ORDER.index(each.name))
        for definition in [field(each.name)]
    ]


def find_readable_grammar(reading: Reading) -> FoundGrammar | None:
    """Return the grammar that can be moved out of the text of Syntax, if there is one."""
    return next((each for each in reading.grammars if each.kind), None)


def list_found_in_syntax(reading: Reading) -> Iterator[ReadField]:
    """Yield the fields next to Syntax whose content was found in another text."""
    syntax = reading.found("syntax")
    sources = syntax.sources if syntax else ()
    grammar = find_readable_grammar(reading)
    if grammar:
        kind = GrammarKind(grammar.kind).label
        remark = _("This was found in the text and can be moved here (%(kind)s).") % {"kind": kind}
        yield ReadField("grammar", grammar.grammar, sources, (remark, *grammar.all_remarks))
    if reading.examples:
        remark = _("These names were found in the text.")
        yield ReadField("examples", "\n".join(reading.examples), sources, (remark,))


def explain_barred_field(name: str, registration_request: RegistrationRequest) -> str:
    """Say why a field is not taken from a text."""
    if name == "nid" and registration_request.change == ChangeKind.REVISION:
        return _("A namespace keeps its identifier.")
    if name == "nid":
        return _("The registry gives the number.")
    return _("The registry fills this in.")


def collect_template_changes(
    reading: Reading,
    draft: Template,
    taken: Iterable[str],
    *,
    with_rest: bool,
    followed: Iterable[str] = (),
) -> dict[str, Any]:
    """Return what is written into the draft when the fields `taken` are, and perhaps the rest.

    For those in `followed` it is the text of the section that they refer to.
    """
    taken = set(taken)
    found = {each.name: each.value for each in list_found_in_syntax(reading)}
    written: dict[str, Any] = {
        name: found.get(name) or reading.template[name] for name in ORDER if name in taken
    }
    grammar = find_readable_grammar(reading)
    if grammar and "grammar" in taken:
        written["grammar_kind"] = grammar.kind
        if "syntax" in taken:
            written["syntax"] = take_out_grammar(written["syntax"], grammar)
    for reference in reading.references:
        if reference.field in followed and reference.is_whole and reference.text:
            written[reference.field] = reference.text
    rest = collect_leftover_text(reading)
    if with_rest and rest:
        before = written.get("additional_information", draft.additional_information)
        heading = _("From the pasted text, in no field:")
        written["additional_information"] = "\n\n".join(filter(None, (before, heading, rest)))
    return written


def collect_leftover_text(reading: Reading) -> str:
    """Return the text that belongs to no field."""
    return "\n\n".join(passage.text for passage in reading.left_over)


def holds_letter(reading: Reading) -> bool:
    """Return whether there was a letter around the template, with private addresses and greetings.

    Its words are shown with what belongs to no field, and kept in the draft only on request.
    """
    found = HEADERS_OF_A_LETTER.findall(collect_leftover_text(reading))
    return {name.lower() for name in found} == {"from", "subject"}


def count_recognised_fields(reading: Reading) -> tuple[int, int]:
    """Return how many of the template's fields were found, and how many there are."""
    names = {each.name for each in FIELDS}
    found = {each.name for each in reading.fields if reading.template[each.name]}
    return len(found & names), len(names)


def derive_start_answers(reading: Reading, registered: Container[str]) -> Mapping[str, str]:
    """Return what the text answers of the questions that are asked before a template."""
    nid = reading.template.nid
    organization = parse_registrant(reading.template.registrant).organization
    given = {"organization": organization} if organization else {}
    if nid and nids.canonical(nid) in registered:
        return {**given, "path": REVISION_CHOICE, "namespace": nids.canonical(nid)}
    if nids.kind(nid) == "informal" or nid == nids.PLACEHOLDER:
        return {**given, "path": RequestPath.INFORMAL.value}
    return {**given, "nid": nid} if nid else given
