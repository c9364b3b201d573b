"""The draft of a request, for its writers' programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from registry import queries, rules
from registry.api.door import Door, find, heard, refusals_told
from registry.api.parameters import EDITING, IF_MATCH, KEY, REFERENCE
from registry.api.problems import InTheWay, refusals, refuse_invalid
from registry.api.requests.said import DraftSaid
from registry.api.seen import etag, refuse_unseen
from registry.api.shapes.requests import RemarkShape, TextFindingShape
from registry.api.shapes.shape import Shape, TemplateShape, line, whole
from registry.choices import WRITABLE, Settlement
from registry.forms.editor import form_field, is_typed
from registry.forms.facts import FactsForm
from registry.models import Remark, Round
from registry.pages.told.parts import finding_told, remark_told
from registry.pages.told.requests import PEOPLE
from registry.pages.told.written import moment, template_told
from registry.reviewing.remarks import as_answered
from registry.template import field
from registry.workflow import drafting


class ToAnswerShape(RemarkShape):
    """An open remark, with the answer that is prepared for it."""

    draft_settlement = serializers.ChoiceField(Settlement.choices, allow_blank=True)
    draft_answer = line()
    prepared = line("What a new answer has to say that it saw.")


class DraftShape(Shape):
    """The round that is being written, with what the checks say of it now."""

    number = whole()
    edition = whole("What `If-Match` names; each saving advances it.")
    saved_at = serializers.DateTimeField()
    template = TemplateShape()
    facts = serializers.DictField(help_text="Of a change of facts: what shall hold.")
    findings = TextFindingShape(many=True)
    remarks = ToAnswerShape(many=True, help_text="What waits for an answer with this round.")


class DraftView(Door):
    """The text in preparation; to others than its writers it is not there."""

    @extend_schema(
        operation_id="draft",
        parameters=[REFERENCE],
        responses={200: DraftShape, **refusals(401, 404, 409)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read the draft; its ETag is the edition, which submit asks for."""
        return told(draft_of(request, reference))

    @extend_schema(
        operation_id="draft_write",
        parameters=[REFERENCE, IF_MATCH, KEY],
        request=DraftSaid,
        examples=[
            OpenApiExample(
                "One field", {"template": {"purpose": "To name seeds."}}, request_only=True
            )
        ],
        responses={200: DraftShape, **refusals(*EDITING)},
    )
    def patch(self, request: Request, reference: str) -> Response:
        """Change fields of the edition you saw; the answer is the draft as it is then."""
        draft = draft_of(request, reference)
        refuse_unseen(request, draft.edition)
        said = heard(DraftSaid, request)
        with refusals_told():
            return told(write(draft, said))


def draft_of(request: Request, reference: str) -> Round:
    """Return the draft that whoever asks may write; 404 for others, 409 while there is none."""
    registration_request = find(request, reference)
    if not rules.may_write(request.user, registration_request):
        raise Http404(_("There is no draft with that reference, or you may not see it."))
    draft = registration_request.draft
    if draft is None or registration_request.state not in WRITABLE:
        state = registration_request.get_state_display()
        words = _("Nothing can be changed in it now: the request is in the state “%(state)s”.")
        raise InTheWay(words % {"state": state})
    draft.registration_request = registration_request
    return draft


def told(draft: Round) -> Response:
    """Return the draft as it is now."""
    registration_request = draft.registration_request
    found = queries.findings(registration_request, draft.template, facts=draft.facts)
    still_open = registration_request.remarks.open().select_related(*PEOPLE)
    data = {
        "number": draft.number,
        "edition": draft.edition,
        "saved_at": moment(draft.saved_at),
        "template": template_told(draft.template),
        "facts": dict(draft.facts),
        "findings": [finding_told(asdict(each)) for each in found],
        "remarks": [to_answer_told(each) for each in still_open],
    }
    return Response(data, headers={"ETag": etag(draft.edition)})


def to_answer_told(remark: Remark) -> dict[str, Any]:
    """Return a remark with the answer that is prepared for it."""
    return {
        **remark_told(remark),
        "draft_settlement": remark.draft_settlement,
        "draft_answer": remark.draft_answer,
        "prepared": as_answered(remark),
    }


def write(draft: Round, said: Mapping[str, Any]) -> Round:
    """Write what was said into the draft: a text, or facts."""
    changes_facts = draft.registration_request.changes_facts
    if said.get("template" if changes_facts else "facts"):
        words = {
            True: _("A change of facts leaves the text as it was published."),
            False: _("This request asks for a text, and not for a change of facts."),
        }
        raise ValidationError(words[changes_facts])
    if changes_facts:
        return write_facts(draft, said.get("facts", {}))
    return write_text(draft, said.get("template", {}))


def write_text(draft: Round, said: Mapping[str, Any]) -> Round:
    """Write fields of the template, each read by its field of the editor."""
    context = queries.context(draft.registration_request)
    filled_in = [name for name in said if not is_typed(field(name), context)]
    if filled_in:
        words = _("The registry fills this in.")
        raise ValidationError({"template": {name: [words] for name in filled_in}})
    form = forms.Form(dict(said))
    for name in said:
        form.fields[name] = form_field(field(name), context)
    refuse_invalid(form)
    if draft.template.replace(**form.cleaned_data) == draft.template:
        return draft
    return drafting.save(draft, form.cleaned_data, seen=draft.edition)


def write_facts(draft: Round, said: Mapping[str, Any]) -> Round:
    """Write facts by the form of their page; what is left out stays as it is."""
    form = FactsForm(draft=draft)
    unasked = said.keys() - form.fields.keys()
    if unasked:
        words = _("This change does not ask for it.")
        raise ValidationError({"facts": {name: [words] for name in sorted(unasked)}})
    stays = {name: as_typed(draft.facts.get(name, "")) for name in form.fields}
    form = FactsForm({**stays, **said, "seen": draft.edition}, draft=draft)
    refuse_invalid(form)
    return form.save()


def as_typed(fact: Any) -> str:
    """Return a fact as it is typed: a list one entry a line."""
    return "\n".join(fact) if isinstance(fact, list) else str(fact)
