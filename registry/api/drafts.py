"""The draft of a request, for its authors' programs, and reading an existing template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions, selectors
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import (
    DraftInputSerializer,
    FreeTextField,
    InputSerializer,
    clean_form,
)
from registry.api.openapi import IF_MATCH_PARAMETER
from registry.api.problems import Conflict, describe_problems, refuse_invalid_form
from registry.api.urns import PublicAPIView
from registry.api.views import RegistryAPIView, get_request_or_404, validate_input
from registry.enums import WRITABLE_STATES
from registry.forms.draft import FactsForm, build_template_field, is_typed_by_registrant
from registry.forms.template_upload import TemplateUploadForm
from registry.models import Round
from registry.selectors.base_versions import find_newer_version
from registry.selectors.case import open_case
from registry.selectors.shown_states import find_shown_state
from registry.serializers.requests import DraftSerializer
from registry.serializers.templates import ReadTemplateSerializer
from registry.template import field
from registry.template.reading import read
from registry.workflow import drafts


class DraftView(RegistryAPIView):
    """The text being written; everyone but its authors gets 404."""

    @extend_schema(
        operation_id="draft",
        responses={200: DraftSerializer, **describe_problems(409)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read the draft; its ETag is the edition, which `submit` requires."""
        return make_draft_response(request, get_draft_or_404(request, reference))

    @extend_schema(
        operation_id="draft_write",
        parameters=[IF_MATCH_PARAMETER],
        request=DraftInputSerializer,
        examples=[
            OpenApiExample(
                "One field", {"template": {"purpose": "To name seeds."}}, request_only=True
            )
        ],
        responses=DraftSerializer,
    )
    def patch(self, request: Request, reference: str) -> Response:
        """Change fields of the edition you saw; the answer is the updated draft."""
        draft = get_draft_or_404(request, reference)
        require_if_match(request, draft.edition)
        said = validate_input(DraftInputSerializer, request)
        return make_draft_response(request, write_draft(draft, said))


def get_draft_or_404(request: Request, reference: str) -> Round:
    """Return the draft that the caller may write; 404 for others, 409 if there is none."""
    registration_request = get_request_or_404(request, reference)
    if not permissions.may_write(request.user, registration_request):
        raise Http404(_("There is no draft with that reference, or you may not see it."))
    draft = registration_request.draft
    if draft is None or registration_request.state not in WRITABLE_STATES:
        state = find_shown_state(open_case(registration_request))
        words = _("It cannot be changed now: the request is in the state “%(state)s”.")
        raise Conflict(words % {"state": state})
    draft.registration_request = registration_request
    return draft


def make_draft_response(request: Request, draft: Round) -> Response:
    serializer = DraftSerializer(draft, context={"reader": request.user})
    return Response(serializer.data, headers={"ETag": make_etag(draft.edition)})


def write_draft(draft: Round, said: Mapping[str, Any]) -> Round:
    """Write the input into the draft: a text, or facts."""
    changes_facts = draft.registration_request.changes_facts
    if said.get("template" if changes_facts else "facts"):
        words = {
            True: _("A change of facts leaves the text as it was published."),
            False: _("This request asks for a text, and not for a change of facts."),
        }
        raise ValidationError(words[changes_facts])
    if changes_facts:
        return write_draft_facts(draft, said.get("facts", {}))
    return write_draft_text(draft, said.get("template", {}), said.get("base"))


def write_draft_text(draft: Round, said: Mapping[str, Any], base: int | None) -> Round:
    """Write fields of the template, each parsed by its field of the editor.

    With `base`, the number of the version in force, the text is brought up to date.
    """
    context = selectors.build_check_context(draft.registration_request)
    filled_in = [name for name in said if not is_typed_by_registrant(field(name), context)]
    if filled_in:
        words = _("The registry fills this in.")
        raise ValidationError({"template": {name: [words] for name in filled_in}})
    form = forms.Form(dict(said))
    for name in said:
        form.fields[name] = build_template_field(field(name), context)
    refuse_invalid_form(form)
    if base is not None:
        newer = find_newer_version(draft.registration_request, draft)
        if newer is None or newer.number != base:
            raise ValidationError({"base": [_("This is no newer version in force.")]})
        return drafts.bring_draft_up_to_date(draft, newer, form.cleaned_data, seen=draft.edition)
    if draft.template.replace(**form.cleaned_data) == draft.template:
        return draft
    return drafts.save_draft(draft, form.cleaned_data, seen=draft.edition)


def write_draft_facts(draft: Round, said: Mapping[str, Any]) -> Round:
    """Write facts with the form of their page; facts left out stay as they are."""
    form = FactsForm(draft=draft)
    unasked = said.keys() - form.fields.keys()
    if unasked:
        words = _("This change does not ask for it.")
        raise ValidationError({"facts": {name: [words] for name in sorted(unasked)}})
    stays = {name: convert_fact_to_text(draft.facts.get(name, "")) for name in form.fields}
    form = FactsForm({**stays, **said, "seen": draft.edition}, draft=draft)
    refuse_invalid_form(form)
    return form.save()


def convert_fact_to_text(fact: Any) -> str:
    """Return a fact as people type it: a list has one entry per line."""
    return "\n".join(fact) if isinstance(fact, list) else str(fact)


class TemplateTextInputSerializer(InputSerializer):
    """The text of a template, by RFC 8141 or the RFCs before it."""

    text = FreeTextField()


class TemplateReadView(PublicAPIView):
    """Reading a template."""

    @extend_schema(
        operation_id="template_read",
        request=TemplateTextInputSerializer,
        responses=ReadTemplateSerializer,
    )
    def post(self, request: Request) -> Response:
        """Read the text of a template into fields, as the upload page does."""
        form = TemplateUploadForm(validate_input(TemplateTextInputSerializer, request))
        clean_form(form)
        return Response(ReadTemplateSerializer(read(form.given)).data)
