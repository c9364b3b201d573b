"""The JSON of templates, of findings on one, and of one that was read."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from registry.serializers.base import (
    JSONObject,
    OutputSerializer,
    integer_field,
    nullable_text_field,
    text_field,
    text_list_field,
)
from registry.template import Template, field
from registry.template.reading import (
    FoundGrammar,
    FoundReference,
    Passage,
    ReadField,
    Reading,
)
from registry.template.template import LIST_FIELDS


class TemplateSerializer(OutputSerializer[Template]):
    """The text of a template by field, from its one definition; empty fields are null."""

    def get_fields(self) -> dict[str, Any]:
        """Return a member for each field of the definition, in reading order."""
        return {
            name: text_list_field(field(name).label)
            if name in LIST_FIELDS
            else nullable_text_field(field(name).label)
            for name in Template.blank().to_dict()
        }


class TextFindingSerializer(OutputSerializer[JSONObject]):
    """A finding on a text."""

    check = text_field("Stable id such as nid.registered.")
    severity = text_field("block, warn or note; only block stops anybody.")
    message = text_field("What was found.")
    source_ = nullable_text_field("The rule, such as RFC 8141, section 5.1.")
    mend = nullable_text_field("How to put it right.")
    section = nullable_text_field("The field it speaks of; null for all.")

    def to_representation(self, instance: JSONObject) -> JSONObject:
        """Return the members; findings of earlier years may lack some."""
        return {name: str(instance.get(name) or "") or None for name, _ in self.member_writers}


class FoundFieldSerializer(OutputSerializer[ReadField]):
    """A field that was found, with notes on it."""

    name = text_field()
    first = serializers.SerializerMethodField(
        help_text="The first line it stood on, counted from 1."
    )
    last = serializers.SerializerMethodField(help_text="The last line it stood on.")
    remarks = text_list_field()

    def get_first(self, found: ReadField) -> int:
        """Return the first line of the field."""
        return min((each.first for each in found.sources), default=0)

    def get_last(self, found: ReadField) -> int:
        """Return the last line of the field."""
        return max((each.last for each in found.sources), default=0)


class PassageSerializer(OutputSerializer[Passage]):
    """Lines of the text that belong to no field."""

    text = text_field()
    first = integer_field()
    last = integer_field()


class FoundGrammarSerializer(OutputSerializer[FoundGrammar]):
    """A grammar found in the text of Syntax."""

    kind = nullable_text_field("abnf or regex; null where it cannot be read.")
    grammar = nullable_text_field("As `grammar` of a draft takes it.")
    start = nullable_text_field("The rule that describes a name.")
    written = text_field("The lines as they stand in the text.")
    problem = nullable_text_field("Why it cannot be read.")
    remarks = text_list_field("Also what was left out, with its lines.", source="all_remarks")


class FoundReferenceSerializer(OutputSerializer[FoundReference]):
    """A section that a field refers to."""

    field = text_field()
    wording = text_field("The reference as the field has it.")
    document = nullable_text_field("Another document; null for the text itself.")
    target = nullable_text_field("The section by number, or its anchor.")
    title = nullable_text_field()
    text = nullable_text_field("The section, where the text has it.")
    first = integer_field()
    last = integer_field()


class ReadTemplateSerializer(OutputSerializer[Reading]):
    """What was understood of a text, and what was not."""

    generation = nullable_text_field("8141, 3406, 2611 or mixed; null where it has no labels.")
    template = TemplateSerializer(help_text="As a draft takes it, with `draft_write`.")
    found = FoundFieldSerializer(many=True, source="fields")
    left_over = PassageSerializer(many=True)
    remarks = text_list_field()
    grammars = FoundGrammarSerializer(many=True)
    examples = text_list_field("Names of the namespace in the text.")
    references = FoundReferenceSerializer(many=True)
