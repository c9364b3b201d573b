"""Publishing several requests of one document together."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import joint_publication
from registry.api.input_serializers import FreeTextField, InputSerializer, LinesField, clean_form
from registry.api.problems import describe_problems
from registry.api.views import (
    RegistryAPIView,
    get_site_url,
    require_person,
    validate_input,
)
from registry.exchange.exports.entries import make_entry
from registry.forms.joint_publication import JointPublicationForm
from registry.models import Namespace
from registry.serializers.namespaces import NamespaceDetailSerializer


class ChosenRequestInputSerializer(InputSerializer):
    """A request to publish, as it was seen."""

    reference = serializers.CharField(max_length=14)
    revision = serializers.IntegerField(min_value=0, help_text="The one that you read.")


class JointPublicationInputSerializer(InputSerializer):
    """The requests that one document registers."""

    requests = ChosenRequestInputSerializer(many=True)
    references = LinesField(help_text="Documents of record, of all of them.")
    iana_reference = FreeTextField(help_text="By what IANA knows the entries.")
    confirmation = FreeTextField(
        help_text="The NID of each, or its reference where it has none yet, with blanks between."
    )


class JointPublicationView(RegistryAPIView):
    """Several publications in one action."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(
        operation_id="publish_together",
        request=JointPublicationInputSerializer,
        responses={201: NamespaceDetailSerializer(many=True), **describe_problems(412)},
    )
    def post(self, request: Request) -> Response:
        """Publish several requests of one document, all of them or none, as the registrar."""
        actor = require_person(request)
        if not permissions.is_registrar(actor):
            raise PermissionDenied(
                _("Only the registrar can register. Your account does not have that role.")
            )
        said = validate_input(JointPublicationInputSerializer, request)
        chosen = [f"{each['reference'].lower()}.{each['revision']}" for each in said["requests"]]
        form = JointPublicationForm({**said, "chosen": chosen}, person=actor)
        cleaned = clean_form(form)
        events = joint_publication.publish_together(
            form.selected,
            actor=actor,
            references=cleaned["references"],
            iana_reference=cleaned["iana_reference"],
        )
        published = Namespace.objects.filter(events__in=events).distinct().order_by("nid")
        context = {"site": get_site_url(request), "reader": actor}
        told = NamespaceDetailSerializer.serialize_each(map(make_entry, published), **context)
        return Response(list(told), 201)
