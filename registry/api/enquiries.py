"""Enquiries: asked, answered, and read by those they are for."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import enquiries
from registry.api.input_serializers import FreeTextField, InputSerializer, YesNoField, clean_form
from registry.api.openapi import make_path_parameter
from registry.api.problems import describe_problems
from registry.api.query_parameters import FieldsQuerySerializer, ListQuerySerializer
from registry.api.views import get_site_url, require_person, validate_input
from registry.api.viewsets import RegistryViewSet
from registry.forms.enquiries import EnquiryAnswerForm, EnquiryForm
from registry.models import Enquiry
from registry.selectors.enquiries import enquiries_visible_to
from registry.serializers.base import build_url
from registry.serializers.office import EnquirySerializer


class EnquiryInputSerializer(InputSerializer):
    """A question."""

    question = FreeTextField()
    is_public = YesNoField(help_text="Whether everybody may read it with its answer.")


class EnquiryAnswerInputSerializer(InputSerializer):
    """The answer."""

    answer = FreeTextField()


@extend_schema_view(
    list=extend_schema(
        operation_id="enquiries",
        description="List the enquiries answered in public, and those that you may read beside.",
        responses=EnquirySerializer(many=True),
    )
)
class EnquiryViewSet(ListModelMixin, RegistryViewSet):
    """Enquiries to the experts and the registrar."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    path_parameters = (make_path_parameter("id", "The id of the enquiry."),)
    query_serializers = {"list": ListQuerySerializer, "retrieve": FieldsQuerySerializer}
    serializer_class = EnquirySerializer
    sort_orders = {"-asked": ("-asked_at", "-pk")}
    sort = "-asked"
    not_found = gettext_lazy("There is no enquiry with that id, or you may not read it.")

    def get_queryset(self) -> QuerySet[Enquiry]:
        return enquiries_visible_to(self.request.user)

    @extend_schema(
        operation_id="enquiry_ask", request=EnquiryInputSerializer, responses=EnquirySerializer
    )
    def create(self, request: Request) -> Response:
        """Ask the experts and the registrar something before you write a draft."""
        actor = require_person(request)
        said = clean_form(EnquiryForm(validate_input(EnquiryInputSerializer, request)))
        asked = enquiries.ask_enquiry(actor=actor, **said)
        where = build_url(get_site_url(request), "api:enquiry-detail", asked.pk)
        return Response(self.get_serializer(asked).data, 201, headers={"Location": where})

    @extend_schema(operation_id="enquiry", responses=EnquirySerializer)
    def retrieve(self, request: Request, pk: int) -> Response:
        """Read an enquiry."""
        return Response(self.get_serializer(self.get_object()).data)

    @extend_schema(
        operation_id="enquiry_answer",
        request=EnquiryAnswerInputSerializer,
        responses={200: EnquirySerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"])
    def answer(self, request: Request, pk: int) -> Response:
        """Answer an enquiry as an expert or the registrar, in public or in private as asked."""
        actor, enquiry = require_person(request), self.get_object()
        if not permissions.may_answer_enquiries(actor):
            raise PermissionDenied(
                _("Only designated experts and the registrar can answer enquiries.")
            )
        said = clean_form(EnquiryAnswerForm(validate_input(EnquiryAnswerInputSerializer, request)))
        enquiries.answer_enquiry(enquiry, actor=actor, **said)
        return Response(self.get_serializer(self.get_object()).data)
