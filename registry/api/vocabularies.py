"""The two registries of draft -03, section 9.2: read by everyone, kept by the registrar."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from registry.actions import resolution_services
from registry.actions.resolution_services import (
    DESIGNATOR_VOCABULARY,
    KEYWORD_VOCABULARY,
    Entry,
    ServiceVocabulary,
)
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import FreeTextField, InputSerializer, LinesField, clean_form
from registry.api.openapi import IF_MATCH_PARAMETER, make_path_parameter
from registry.api.permissions import MayManageVocabularies
from registry.api.query_parameters import ListQuerySerializer
from registry.api.views import require_person, validate_input
from registry.api.viewsets import RegistryViewSet
from registry.enums import DesignatorStatus, KeywordScope
from registry.forms.resolution import DesignatorForm, KeywordForm
from registry.serializers.base import SparseSerializer
from registry.serializers.resolution import DesignatorSerializer, KeywordSerializer


class BaseKeywordInputSerializer(InputSerializer):
    """The fields of an entry."""

    purpose = FreeTextField()
    scope = serializers.ChoiceField(KeywordScope.choices, required=False)
    reference = FreeTextField(help_text="The document on which the entry rests.")
    supported_by = LinesField(required=False, help_text="Each a NID, a blank, and a reference.")


class KeywordInputSerializer(BaseKeywordInputSerializer):
    """Changes to an entry; fields left out stay as they are."""

    ground = FreeTextField(help_text="The document on which the change rests.")


class NewKeywordInputSerializer(BaseKeywordInputSerializer):
    """A new entry."""

    keyword = FreeTextField()


class BaseDesignatorInputSerializer(InputSerializer):
    """The fields of an entry."""

    purpose = FreeTextField()
    status = serializers.ChoiceField(DesignatorStatus.choices, required=False)
    reference = FreeTextField(help_text="The document on which the entry rests.")


class DesignatorInputSerializer(BaseDesignatorInputSerializer):
    """Changes to an entry; fields left out stay as they are."""

    ground = FreeTextField(help_text="The document on which the change rests.")


class NewDesignatorInputSerializer(BaseDesignatorInputSerializer):
    """A new entry."""

    name = FreeTextField()


class VocabularyViewSet(ListModelMixin, RegistryViewSet):
    """One of the registries, and the actions on it."""

    vocabulary: ClassVar[ServiceVocabulary]
    serializer_class: type[SparseSerializer[Any]]
    form: ClassVar[type[KeywordForm] | type[DesignatorForm]]
    input_serializer_class: ClassVar[type[InputSerializer]]
    new_input_serializer_class: ClassVar[type[InputSerializer]]
    permission_classes = [IsAuthenticatedOrReadOnly, MayManageVocabularies]
    lookup_url_kwarg = "word"
    lookup_value_converter = "str"
    path_parameters = (make_path_parameter("word", "The entry.", OpenApiTypes.STR, "s"),)
    query_serializers = {"list": ListQuerySerializer}
    sort = "usual"
    not_found = _("There is no such entry.")

    def get_queryset(self) -> QuerySet[Any]:
        """Return the entries."""
        return self.vocabulary.model._default_manager.all()

    def create(self, request: Request) -> Response:
        """Enter a word."""
        form = self.form(validate_input(self.new_input_serializer_class, request))
        clean_form(form)
        resolution_services.add_entry(
            self.vocabulary, actor=require_person(request), key=form.word, **form.said
        )
        return self.respond(self.get_queryset().get(pk=form.word), 201)

    def retrieve(self, request: Request, word: str) -> Response:
        """Read a word."""
        return self.respond(self.get_object())

    def partial_update(self, request: Request, word: str) -> Response:
        """Change an entry; the word itself stays."""
        said = validate_input(self.input_serializer_class, request)
        entry = self.get_object()
        seen = resolution_services.mark_entry_edition(self.vocabulary, entry)
        require_if_match(request, seen)
        form = self.form({**self.read_as_typed(entry), **said}, key=word)
        ground = clean_form(form)["ground"]
        resolution_services.change_entry(
            self.vocabulary,
            entry,
            actor=require_person(request),
            seen=seen,
            ground=ground,
            **form.said,
        )
        return self.respond(self.get_object())

    def read_as_typed(self, entry: Entry) -> dict[str, Any]:
        """Return an entry as people type it."""
        told = resolution_services.read_entry(self.vocabulary, entry)
        pairs = told.get("supported_by", [])
        return told | {"supported_by": "\n".join(" ".join(pair) for pair in pairs)}

    def respond(self, entry: Entry, status: int = 200) -> Response:
        """Return an entry, with the mark that changes when it does."""
        mark = resolution_services.mark_entry_edition(self.vocabulary, entry)
        members = self.serializer_class(entry).data
        return Response(members, status, headers={"ETag": make_etag(mark)})


@extend_schema_view(
    list=extend_schema(
        operation_id="query_keywords",
        description="List the keywords of directives in a query (draft -03, section 9.2.1).",
        responses=KeywordSerializer(many=True),
    ),
    create=extend_schema(
        operation_id="query_keyword_enter",
        description="Enter a keyword, as the registrar.",
        request=NewKeywordInputSerializer,
        responses=KeywordSerializer,
    ),
    retrieve=extend_schema(
        operation_id="query_keyword",
        description="Read a keyword.",
        responses=KeywordSerializer,
    ),
    partial_update=extend_schema(
        operation_id="query_keyword_change",
        description="Change what is said of a keyword, as the registrar.",
        parameters=[IF_MATCH_PARAMETER],
        request=KeywordInputSerializer,
        responses=KeywordSerializer,
    ),
)
class KeywordViewSet(VocabularyViewSet):
    """The registry of query keywords."""

    vocabulary = KEYWORD_VOCABULARY
    form = KeywordForm
    serializer_class = KeywordSerializer
    input_serializer_class = KeywordInputSerializer
    new_input_serializer_class = NewKeywordInputSerializer
    sort_orders = {"usual": ("keyword",)}


@extend_schema_view(
    list=extend_schema(
        operation_id="service_designators",
        description="List the designators of resolution services (draft -03, section 9.2.2).",
        responses=DesignatorSerializer(many=True),
    ),
    create=extend_schema(
        operation_id="service_designator_enter",
        description="Enter a designator, as the registrar.",
        request=NewDesignatorInputSerializer,
        responses=DesignatorSerializer,
    ),
    retrieve=extend_schema(
        operation_id="service_designator",
        description="Read a designator.",
        responses=DesignatorSerializer,
    ),
    partial_update=extend_schema(
        operation_id="service_designator_change",
        description="Change what is said of a designator, as the registrar.",
        parameters=[IF_MATCH_PARAMETER],
        request=DesignatorInputSerializer,
        responses=DesignatorSerializer,
    ),
)
class DesignatorViewSet(VocabularyViewSet):
    """The registry of resolution service designators."""

    vocabulary = DESIGNATOR_VOCABULARY
    form = DesignatorForm
    serializer_class = DesignatorSerializer
    input_serializer_class = DesignatorInputSerializer
    new_input_serializer_class = NewDesignatorInputSerializer
    sort_orders = {"usual": ("position", "name")}
