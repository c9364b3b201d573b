"""Who speaks for an organization or a namespace, and confirmed statements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied
from rest_framework.mixins import RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
)
from registry.api.namespaces import get_namespace_or_404
from registry.api.openapi import make_path_parameter
from registry.api.organizations import ORGANIZATION_ID_PARAMETER, get_organization_or_404
from registry.api.problems import describe_problems, refuse_invalid_form
from registry.api.views import (
    RegistryAPIView,
    require_person,
    validate_input,
)
from registry.api.viewsets import RegistryViewSet
from registry.forms.speakers import SPEAKER_ACT_FORMS, SUBJECT_ACT_FORMS
from registry.models import Namespace, Organization, Speaker
from registry.selectors.speakers import Subject, speakers_visible_to
from registry.serializers.speakers import NamespaceHolderSerializer, SpeakerSerializer


def list_act_choices(forms: Mapping[str, type[Any]]) -> list[tuple[str, str]]:
    """Return the names of acts, each with its label."""
    return [(act, str(form.label)) for act, form in forms.items()]


class SubjectActInputSerializer(InputSerializer):
    """An act, and what is said with it."""

    act = serializers.ChoiceField(list_act_choices(SUBJECT_ACT_FORMS))
    address = serializers.EmailField(
        required=False, help_text="Of the account of the person: name, record."
    )
    comment = FreeTextField(help_text="Evidence or reasons: record, rule.")
    speaking = serializers.ListField(
        child=serializers.CharField(max_length=20),
        required=False,
        help_text="The ids of the speakers who speak for it: rule.",
    )


def perform_subject_act(request: Request, subject: Subject) -> None:
    """Do what a program asks for about who speaks for something."""
    person = require_person(request)
    answers = validate_input(SubjectActInputSerializer, request)
    make = SUBJECT_ACT_FORMS[answers.pop("act")]
    if not make.is_open(person, subject):
        raise PermissionDenied(_("This is not open to you now."))
    form = make(answers, subject=subject)
    refuse_invalid_form(form)
    form.perform(person)


class NamespaceHolderView(RegistryAPIView):
    """Who holds a namespace."""

    @extend_schema(
        operation_id="namespace_holder",
        responses=NamespaceHolderSerializer,
    )
    def get(self, request: Request, nid: str) -> Response:
        """Read who holds a namespace, and what is about to change about who speaks for it."""
        return make_holder_response(request, get_namespace_or_404(nid))

    @extend_schema(
        operation_id="namespace_holder_act",
        request=SubjectActInputSerializer,
        responses=NamespaceHolderSerializer,
    )
    def post(self, request: Request, nid: str) -> Response:
        """Do one of `acts`: the namespace lists the ones open to you."""
        perform_subject_act(request, get_namespace_or_404(nid))
        return make_holder_response(request, get_namespace_or_404(nid))


def make_holder_response(request: Request, namespace: Namespace) -> Response:
    """Return who holds a namespace, as far as the caller may see."""
    return Response(NamespaceHolderSerializer(namespace, context={"reader": request.user}).data)


class OrganizationSpeakersView(RegistryAPIView):
    """Who speaks for an organization."""

    path_parameters = (ORGANIZATION_ID_PARAMETER,)

    @extend_schema(
        operation_id="speakers",
        responses={200: SpeakerSerializer(many=True), **describe_problems(403)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read who speaks for an organization, as one of them or as an officer."""
        return make_speakers_response(request, get_organization_or_404(request, pk))

    @extend_schema(
        operation_id="speakers_act",
        request=SubjectActInputSerializer,
        responses=SpeakerSerializer(many=True),
    )
    def post(self, request: Request, pk: int) -> Response:
        """Name a delegate as one of them, record evidence as the registrar, or rule."""
        organization = get_organization_or_404(request, pk)
        perform_subject_act(request, organization)
        return make_speakers_response(request, organization)


def make_speakers_response(request: Request, organization: Organization) -> Response:
    """Return who speaks for an organization, to those who may see it."""
    person = require_person(request)
    if not permissions.may_see_speakers(person, organization):
        words = _("Only its delegates and officers can see who acts for %(organization)s.")
        raise PermissionDenied(words % {"organization": organization})
    rows = speakers_visible_to(person).about(organization).open()
    context = {"reader": person}
    return Response([SpeakerSerializer(row, context=context).data for row in rows])


class SpeakerActInputSerializer(InputSerializer):
    """An act, and what is said with it."""

    act = serializers.ChoiceField(list_act_choices(SPEAKER_ACT_FORMS))
    comment = FreeTextField(help_text="Why: object.")


@extend_schema_view(
    retrieve=extend_schema(
        operation_id="speaker",
        description="Read whether somebody speaks for something, as far as you may know.",
        responses=SpeakerSerializer,
    )
)
class SpeakerViewSet(RetrieveModelMixin, RegistryViewSet):
    """Who speaks for organizations and namespaces."""

    lookup_url_kwarg = "number"
    path_parameters = (make_path_parameter("number", "The id of the speaker."),)
    serializer_class = SpeakerSerializer
    not_found = gettext_lazy("There is no speaker with that id, or you may not see it.")

    def get_queryset(self) -> QuerySet[Speaker]:
        return speakers_visible_to(require_person(self.request))

    def get_serializer_context(self) -> dict[str, Any]:
        return super().get_serializer_context() | {"reader": self.request.user}

    @extend_schema(
        operation_id="speaker_act", request=SpeakerActInputSerializer, responses=SpeakerSerializer
    )
    @action(detail=True, methods=["post"])
    def act(self, request: Request, number: int) -> Response:
        """Do one of `acts`: countersign, object, take an objection back, or end it."""
        person, speaker = require_person(request), self.get_object()
        answers = validate_input(SpeakerActInputSerializer, request)
        make = SPEAKER_ACT_FORMS[answers.pop("act")]
        if not make.is_open(person, speaker):
            raise PermissionDenied(_("This is not open to you now."))
        form = make(answers, speaker=speaker)
        refuse_invalid_form(form)
        form.perform(person)
        return Response(self.get_serializer(self.get_object()).data)
