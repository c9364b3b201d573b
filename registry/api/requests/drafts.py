"""The draft of a request, for its writers' programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from registry import queries, rules
from registry.api.requests.door import Door, etag, find, refusals_told, refuse_unseen
from registry.api.requests.problems import InTheWay, refusals, refuse_invalid
from registry.api.requests.said import DraftSaid
from registry.api.requests.seen import RemarkSerializer, TemplateSerializer, TextFindingSerializer
from registry.api.requests.views import IF_MATCH, REFERENCE, WRITING, heard
from registry.choices import WRITABLE
from registry.forms.editor import form_field, is_typed
from registry.forms.facts import FactsForm
from registry.models import Remark, Round
from registry.reviewing.remarks import as_answered
from registry.template import field
from registry.workflow import drafting


class ToAnswerSerializer(RemarkSerializer):
    """An open remark, with the answer that is prepared for it."""

    prepared = serializers.SerializerMethodField()

    class Meta(RemarkSerializer.Meta):
        fields = [*RemarkSerializer.Meta.fields, "draft_settlement", "draft_answer", "prepared"]
        read_only_fields = fields

    def get_prepared(self, remark: Remark) -> str:
        """Return what a new answer has to say that it saw."""
        return as_answered(remark)


class DraftSerializer(serializers.ModelSerializer[Round]):
    """The round that is being written, with what the checks say of it now."""

    template = TemplateSerializer()
    facts = serializers.DictField(help_text="Of a change of facts: what shall hold.")
    findings = serializers.SerializerMethodField()
    remarks = serializers.SerializerMethodField()

    class Meta:
        model = Round
        fields = ["number", "edition", "saved_at", "template", "facts", "findings", "remarks"]
        read_only_fields = fields

    @extend_schema_field(TextFindingSerializer(many=True))
    def get_findings(self, draft: Round) -> Any:
        """Return what the checks say, by the same code as on the pages."""
        found = queries.findings(draft.registration_request, draft.template, facts=draft.facts)
        return TextFindingSerializer([asdict(each) for each in found], many=True).data

    @extend_schema_field(ToAnswerSerializer(many=True))
    def get_remarks(self, draft: Round) -> Any:
        """Return the open remarks, which wait for an answer with this round."""
        still_open = draft.registration_request.remarks.open()
        people = still_open.select_related("round", "author", "answered_by", "answered_in")
        return ToAnswerSerializer(people, many=True).data


class DraftView(Door):
    """The text in preparation; to others than its writers it is not there."""

    @extend_schema(
        operation_id="draft",
        parameters=[REFERENCE],
        responses={200: DraftSerializer, **refusals(401, 404, 409)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read the draft; its ETag is the edition, which submit asks for."""
        return told(draft_of(request, reference))

    @extend_schema(
        operation_id="draft_write",
        parameters=[REFERENCE, IF_MATCH],
        request=DraftSaid,
        responses={200: DraftSerializer, **refusals(*WRITING, 412, 428)},
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
    return Response(DraftSerializer(draft).data, headers={"ETag": etag(draft.edition)})


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
