"""What was understood of a pasted template, beside what the draft says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from registry import selectors
from registry.enums import (
    ChangeKind,
    GrammarKind,
    RequestPath,
)
from registry.forms.draft import is_typed_by_registrant
from registry.forms.paths import REVISION_CHOICE
from registry.models import RegistrationRequest, Round
from registry.template import FIELDS, Field, Template, field
from registry.template.reading import ReadField, Reading, parse_registrant
from registry.urn import nid as nids


@dataclass(frozen=True, slots=True)
class FieldReading:
    """One field that was found: what was read, what the draft says now, and why it is not taken.

    `barred` is empty where the field can be taken.
    """

    definition: Field
    read: ReadField
    now: str
    barred: str = ""

    @property
    def name(self) -> str:
        """The name of the field."""
        return self.definition.name

    @property
    def value(self) -> str:
        """What was read, as people see it."""
        return format_field_value(self.name, self.read.value)

    @property
    def now_shown(self) -> str:
        """What the draft says, as people see it."""
        return format_field_value(self.name, self.now)

    @property
    def is_same(self) -> bool:
        """Whether the draft says so already."""
        return self.read.value == self.now

    @property
    def replaces(self) -> bool:
        """Whether taking it puts something else out of the draft."""
        return bool(self.now) and not self.is_same

    @property
    def is_offered(self) -> bool:
        """Whether people are asked for this field."""
        return not self.barred and bool(self.read.value) and not self.is_same


def format_field_value(name: str, value: str) -> str:
    """Return a value of a field, the kind of grammar in words."""
    return str(GrammarKind(value).label) if name == "grammar_kind" and value else value


def list_field_readings(reading: Reading, draft: Round) -> list[FieldReading]:
    """Return each field that was found, in reading order."""
    registration_request, template = draft.registration_request, draft.template
    context = selectors.build_check_context(registration_request)
    values = reading.template
    return [
        FieldReading(
            definition,
            ReadField(each.name, values[each.name], each.sources, each.remarks),
            template[each.name],
            ""
            if is_typed_by_registrant(definition, context)
            else explain_barred_field(each.name, registration_request),
        )
        for each in reading.fields
        for definition in [field(each.name)]
    ]


def explain_barred_field(name: str, registration_request: RegistrationRequest) -> str:
    """Say why a field is not taken from a text."""
    if name == "nid" and registration_request.change == ChangeKind.REVISION:
        return _("A namespace keeps its identifier.")
    if name == "nid":
        return _("The registry gives the number.")
    return _("The registry fills this in.")


def collect_template_changes(
    reading: Reading, draft: Template, taken: Iterable[str], *, with_rest: bool
) -> dict[str, Any]:
    """Return what is written into the draft when the fields `taken` are, and perhaps the rest."""
    values = reading.template
    written: dict[str, Any] = {name: values[name] for name in taken}
    rest = collect_leftover_text(reading)
    if with_rest and rest:
        before = written.get("additional_information", draft.additional_information)
        heading = _("From the pasted text, in no field:")
        written["additional_information"] = "\n\n".join(filter(None, (before, heading, rest)))
    return written


def collect_leftover_text(reading: Reading) -> str:
    """Return the text that belongs to no field."""
    return "\n\n".join(passage.text for passage in reading.left_over)


def count_recognised_fields(reading: Reading) -> tuple[int, int]:
    """Return how many of the fields of the template were found, and how many there are."""
    names = {each.name for each in FIELDS}
    found = {each.name for each in reading.fields if reading.template[each.name]}
    return len(found & names), len(names)


def derive_start_answers(reading: Reading, registered: Iterable[str]) -> Mapping[str, str]:
    """Return what the text answers of the questions that are asked before a template."""
    nid = reading.template.nid
    organization = parse_registrant(reading.template.registrant).organization
    given = {"organization": organization} if organization else {}
    if nid and nids.canonical(nid) in set(registered):
        return {**given, "path": REVISION_CHOICE, "namespace": nids.canonical(nid)}
    if nids.kind(nid) == "informal" or nid == nids.PLACEHOLDER:
        return {**given, "path": RequestPath.INFORMAL.value}
    return {**given, "nid": nid} if nid else given
