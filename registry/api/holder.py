"""Who speaks for a namespace: claims, searches for the holder, and confirmed statements."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry.actions.delegate_changes import changes_visible_to
from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    LinesField,
)
from registry.api.namespaces import get_namespace_or_404
from registry.api.openapi import make_path_parameter
from registry.api.organizations import ORGANIZATION_ID_PARAMETER, get_organization_or_404
from registry.api.problems import refuse_invalid_form
from registry.api.views import (
    RegistryAPIView,
    get_request_or_404,
    require_person,
    validate_input,
)
from registry.api.viewsets import RegistryViewSet
from registry.forms.holder import CHANGE_ACT_FORMS, HOLDER_ACT_FORMS
from registry.models import DelegateChange, Namespace
from registry.serializers.holder import DelegateChangeSerializer, NamespaceHolderSerializer
from registry.workflow import holder_words

HOLDER_ACTS: Final = [(act, str(form.label)) for act, form in HOLDER_ACT_FORMS.items()]
CHANGE_ACTS: Final = [(act, str(form.label)) for act, form in CHANGE_ACT_FORMS.items()]
APPEAL_OUTCOMES: Final = [("uphold", "The finding is upheld"), ("drop", "It is dropped")]


class HolderActInputSerializer(InputSerializer):
    """An action, and what is said with it."""

    act = serializers.ChoiceField(HOLDER_ACTS)
    comment = FreeTextField(help_text="Reasons, evidence, a source or what was answered; public.")
    addresses = LinesField(
        required=False, help_text="Where to write to besides those on record: begin_search."
    )
    speaker = serializers.EmailField(
        required=False, help_text=("Email address of who speaks for the namespace: decide_search.")
    )
    reference = FreeTextField(
        help_text="The request whose last round may be published instead: decide_search."
    )
    outcome = serializers.ChoiceField(
        APPEAL_OUTCOMES, required=False, help_text="Of the appeal: rule_search."
    )
    references = LinesField(required=False, help_text="Documents of record: enter_reference.")
    rfc = FreeTextField(help_text="Which RFC changes them: enter_reference.")
    section = FreeTextField(help_text="In which of its sections: enter_reference.")


class NamespaceHolderView(RegistryAPIView):
    """Who holds a namespace."""

    @extend_schema(
        operation_id="namespace_holder",
        responses=NamespaceHolderSerializer,
    )
    def get(self, request: Request, nid: str) -> Response:
        """Read who holds a namespace, who claims it, and whether its holder is being searched."""
        return make_holder_response(request, get_namespace_or_404(nid))

    @extend_schema(
        operation_id="namespace_holder_act",
        request=HolderActInputSerializer,
        responses=NamespaceHolderSerializer,
    )
    def post(self, request: Request, nid: str) -> Response:
        """Do one of `acts`: the namespace lists the ones open to you."""
        person, namespace = require_person(request), get_namespace_or_404(nid)
        said = validate_input(HolderActInputSerializer, request)
        make = HOLDER_ACT_FORMS[said.pop("act")]
        if not make.is_open(person, namespace):
            raise PermissionDenied(_("This is not open to you now."))
        form = make(said, namespace=namespace)
        refuse_invalid_form(form)
        form.perform(person)
        return make_holder_response(request, get_namespace_or_404(nid))


def make_holder_response(request: Request, namespace: Namespace) -> Response:
    """Return who holds a namespace, as far as the caller may see."""
    return Response(NamespaceHolderSerializer(namespace, context={"reader": request.user}).data)


class WordInputSerializer(InputSerializer):
    """The code from the letter."""

    code = FreeTextField(help_text="Without one, another letter is written.")


class WordView(RegistryAPIView):
    """Confirming the holder's statement."""

    @extend_schema(operation_id="word_confirm", request=WordInputSerializer, responses={204: None})
    def post(self, request: Request, reference: str) -> Response:
        """Confirm with the code from a letter that you support a transfer or a status."""
        person, asked = require_person(request), get_request_or_404(request, reference)
        code = validate_input(WordInputSerializer, request).get("code", "")
        if code:
            holder_words.confirm_word(asked, person, code)
        else:
            holder_words.request_word_code(asked, person)
        return Response(status=204)


class ChangeActInputSerializer(InputSerializer):
    """An action on a change, and what is said with it."""

    act = serializers.ChoiceField(CHANGE_ACTS)
    code = FreeTextField(help_text="From the letter: confirm.")
    comment = FreeTextField(help_text="Why, or where it is known from: stop, confirm_source.")


class DelegateChangeViewSet(RegistryViewSet):
    """Changes to who acts for a body, before they take effect."""

    pagination_class = None
    lookup_url_kwarg = "number"
    path_parameters = (
        ORGANIZATION_ID_PARAMETER,
        make_path_parameter("number", "The id of the change."),
    )
    serializer_class = DelegateChangeSerializer
    not_found = gettext_lazy("There is no change with that id, or you may not see it.")

    def get_queryset(self) -> QuerySet[DelegateChange]:
        visible = changes_visible_to(require_person(self.request))
        return visible.filter(organization=self.kwargs["pk"])

    @extend_schema(operation_id="delegate_changes", responses=DelegateChangeSerializer(many=True))
    def list(self, request: Request, pk: int) -> Response:
        """Read the changes you may see: as a delegate, as the person concerned, or as registrar."""
        get_organization_or_404(request, pk)
        return Response(list(DelegateChangeSerializer.serialize_each(self.get_queryset())))

    @extend_schema(
        operation_id="delegate_change_act",
        request=ChangeActInputSerializer,
        responses=DelegateChangeSerializer,
    )
    @action(detail=True, methods=["post"])
    def act(self, request: Request, pk: int, number: int) -> Response:
        """Confirm a change with the code from a letter, stop it, or confirm a claim's domain."""
        person, change = require_person(request), self.get_object()
        said = validate_input(ChangeActInputSerializer, request)
        make = CHANGE_ACT_FORMS[said.pop("act")]
        if not make.is_open(person, change):
            raise PermissionDenied(_("This is not open to you now."))
        form = make(said, change=change)
        refuse_invalid_form(form)
        form.perform(person)
        return Response(DelegateChangeSerializer(self.get_object()).data)
