"""What the parts of a request look like to programs: rounds, remarks, messages, the journal."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from registry.choices import Turn
from registry.discussion.moderation import may_read
from registry.models import Event, Message, Remark, Round
from registry.queries import Waiting
from registry.queries.waiting import Dated
from registry.telling import what
from registry.template import Template, field
from registry.template.template import LISTS


class TemplateSerializer(serializers.Serializer[Template]):
    """The text of a template by field, from its one definition; what is empty is null."""

    def get_fields(self) -> dict[str, Any]:
        """Return one field for each of the definition, in the order of reading."""
        return {
            name: serializers.ListField(child=serializers.CharField(), help_text=field(name).label)
            if name in LISTS
            else serializers.CharField(allow_null=True, help_text=field(name).label)
            for name in Template.blank().to_dict()
        }

    def to_representation(self, instance: Template) -> dict[str, Any]:
        """Return the text field by field."""
        return {
            name: value if name in LISTS else value or None
            for name, value in instance.to_dict().items()
        }


class TextFindingSerializer(serializers.Serializer[Any]):
    """What the machine has to say of a text."""

    def get_fields(self) -> dict[str, Any]:
        """Return what there is to say of it."""
        told = {
            "check": "Stable id such as nid.registered.",
            "severity": "block, warn or note; only block stops anybody.",
            "message": "What was found.",
            "source": "The rule, such as RFC 8141, section 5.1.",
            "mend": "How to put it right.",
            "section": "The field it speaks of, empty for all.",
        }
        return {name: serializers.CharField(help_text=words) for name, words in told.items()}


class RoundSerializer(serializers.ModelSerializer[Round]):
    """A text that was sent, and is frozen since."""

    template = TemplateSerializer()
    findings = TextFindingSerializer(many=True)
    facts = serializers.DictField(help_text="Of a change of facts: what shall hold.")

    class Meta:
        model = Round
        fields = ["number", "submitted_at", "sha256", "template", "facts", "findings"]
        read_only_fields = fields


class RemarkSerializer(serializers.ModelSerializer[Remark]):
    """What an expert remarked on a passage, and what has become of it."""

    round = serializers.IntegerField(source="round.number")
    author = serializers.CharField(source="author.name")
    answered_by = serializers.CharField(source="answered_by.name", default=None, allow_null=True)
    answered_in = serializers.IntegerField(
        source="answered_in.number", default=None, allow_null=True
    )

    class Meta:
        model = Remark
        fields = [
            "number",
            "round",
            "section",
            "quote",
            "start",
            "weight",
            "text",
            "author",
            "made_at",
            "settlement",
            "answer",
            "answered_by",
            "answered_in",
        ]
        read_only_fields = fields


class MessageSerializer(serializers.ModelSerializer[Message]):
    """A public message; of one that a moderator hid the text is for them and its author."""

    text = serializers.SerializerMethodField()
    answers = serializers.IntegerField(source="answers.number", default=None, allow_null=True)
    hidden_by = serializers.CharField(source="hidden_by.name", default=None, allow_null=True)

    class Meta:
        model = Message
        fields = [
            "number",
            "author_name",
            "posted_at",
            "channel",
            "section",
            "answers",
            "text",
            "hidden_at",
            "hidden_by",
            "hidden_reason",
        ]
        read_only_fields = fields

    def get_text(self, message: Message) -> str | None:
        """Return the text to whoever may read it."""
        return message.text if may_read(self.context["request"].user, message) else None


class EventSerializer(serializers.ModelSerializer[Event]):
    """A line of the journal."""

    actor = serializers.CharField(source="actor_name")
    what = serializers.SerializerMethodField(help_text="In words, after the name.")
    round = serializers.IntegerField(source="data.round", default=None, allow_null=True)
    sha256 = serializers.CharField(
        source="data.sha256", default=None, allow_null=True, help_text="Of the text it speaks of."
    )
    checklist = serializers.DictField(
        source="data.checklist", default=dict, help_text="What an expert answered, by question."
    )

    class Meta:
        model = Event
        fields = [
            "number",
            "at",
            "actor",
            "verb",
            "what",
            "source",
            "target",
            "comment",
            "round",
            "sha256",
            "checklist",
            "digest",
        ]
        read_only_fields = fields

    def get_what(self, event: Event) -> str:
        """Return what was done."""
        return what(event)


class DatedSerializer(serializers.Serializer[Dated]):
    """What happens on a day if nobody acts before."""

    words = serializers.SerializerMethodField()
    day = serializers.DateField()

    def get_words(self, dated: Dated) -> str:
        """Return the sentence with its day."""
        return str(dated.words) % {"day": dated.day.isoformat()}


class WaitingSerializer(serializers.Serializer[Waiting]):
    """For whom a request waits, since when, promised by when, and what happens then."""

    turn = serializers.ChoiceField(Turn.choices)
    who = serializers.CharField()
    since = serializers.DateTimeField()
    promised_by = serializers.DateField(allow_null=True)
    days_late = serializers.IntegerField()
    late = serializers.CharField(help_text="How late it is, in words; empty where it is not.")
    then = serializers.CharField(help_text="What happens next.")
    otherwise = DatedSerializer(many=True, help_text="What happens if it does not.")
    alarm = serializers.CharField(help_text="What should never have come to be; mostly empty.")
