"""The JSON of experts' work: checklists, absences, and standing conflicts of interest."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from registry.enums import ChecklistChoice
from registry.models import Absence, ConflictOfInterest, Round
from registry.selectors.checklist import list_questions, read_checklist_answers
from registry.selectors.experts import ExpertTerm
from registry.serializers.base import (
    JSONObject,
    OutputSerializer,
    SparseSerializer,
    integer_field,
    nullable_text_field,
    text_field,
)


class QuestionSerializer(OutputSerializer[JSONObject]):
    """A question of the checklist, and the expert's answer so far."""

    question = text_field("Its name.")
    text = text_field()
    answer = serializers.ChoiceField(ChecklistChoice.choices, allow_null=True)


class ChecklistSerializer(OutputSerializer[Round]):
    """An expert's answers about a round; private until they decide."""

    round = integer_field(source="number")
    questions = serializers.SerializerMethodField()

    @extend_schema_field(QuestionSerializer(many=True))
    def get_questions(self, judged: Round) -> list[JSONObject]:
        """Return the questions, with the reader's answers."""
        answers = read_checklist_answers(judged, self.context["reader"])
        questions = (
            {"question": each.slug, "text": each.text, "answer": answers.get(each.slug)}
            for each in list_questions(judged.registration_request)
        )
        return list(QuestionSerializer.serialize_each(questions))


class AbsenceSerializer(OutputSerializer[Absence]):
    """Days on which an expert is away, both included."""

    id = integer_field()
    first_day = serializers.DateField()
    last_day = serializers.DateField()


class ConflictSerializer(OutputSerializer[ConflictOfInterest]):
    """A standing conflict of interest."""

    id = integer_field()
    organization = text_field(source="organization.name")
    organization_id = integer_field()
    reason = nullable_text_field()
    declared_at = serializers.DateTimeField()


class ExpertSerializer(SparseSerializer[ExpertTerm]):
    """A current designated expert; `since` is null if it was not recorded."""

    name = text_field("The name under which they act.")
    is_lead = serializers.BooleanField()
    since = serializers.DateField(allow_null=True)
