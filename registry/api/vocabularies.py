"""The two registries of draft -03, section 9.2: read by everybody, kept by the registrar."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import vocabularies
from registry.actions.vocabularies import (
    DESIGNATOR_VOCABULARY,
    KEYWORD_VOCABULARY,
    Entry,
    ServiceVocabulary,
)
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    LinesField,
    clean_form,
)
from registry.api.openapi import (
    EDITING_PROBLEMS,
    IDEMPOTENCY_KEY_PARAMETER,
    IF_MATCH_PARAMETER,
    READING_PROBLEMS,
    WRITING_PROBLEMS,
    make_path_parameter,
)
from registry.api.pagination import (
    SortKey,
    SortOrders,
    make_list_serializer,
    make_page_response,
    paginate_queryset,
)
from registry.api.problems import describe_problems
from registry.api.query_parameters import ListQuerySerializer, validate_query
from registry.api.views import (
    RegistryAPIView,
    require_person,
    validate_input,
)
from registry.enums import DesignatorStatus, KeywordScope
from registry.forms.resolution import DesignatorForm, KeywordForm
from registry.models import User
from registry.serializers.base import SparseSerializer
from registry.serializers.resolution import DesignatorSerializer, KeywordSerializer

WORD_PARAMETER: Final = make_path_parameter("word", "The entry.", OpenApiTypes.STR, "s")


class BaseKeywordInputSerializer(InputSerializer):
    """What an entry says."""

    purpose = FreeTextField()
    scope = serializers.ChoiceField(KeywordScope.choices, required=False)
    reference = FreeTextField(help_text="The document on which the entry rests.")
    supported_by = LinesField(required=False, help_text="Each a NID, a blank, and a reference.")


class KeywordInputSerializer(BaseKeywordInputSerializer):
    """What an entry shall say; what is left out stays as it is."""

    ground = FreeTextField(help_text="The document on which the change rests.")


class NewKeywordInputSerializer(BaseKeywordInputSerializer):
    """A new entry."""

    keyword = FreeTextField()


class BaseDesignatorInputSerializer(InputSerializer):
    """What an entry says."""

    purpose = FreeTextField()
    status = serializers.ChoiceField(DesignatorStatus.choices, required=False)
    reference = FreeTextField(help_text="The document on which the entry rests.")


class DesignatorInputSerializer(BaseDesignatorInputSerializer):
    """What an entry shall say; what is left out stays as it is."""

    ground = FreeTextField(help_text="The document on which the change rests.")


class NewDesignatorInputSerializer(BaseDesignatorInputSerializer):
    """A new entry."""

    name = FreeTextField()


class VocabularyAPIView(RegistryAPIView):
    """One of the registries, and what is done in it."""

    vocabulary: ClassVar[ServiceVocabulary]
    form: ClassVar[type[KeywordForm] | type[DesignatorForm]]
    serializer_class: ClassVar[type[SparseSerializer[Any]]]
    orders: ClassVar[SortOrders]

    def every(self, request: Request) -> Response:
        """Return the entries, in their order."""
        asked = validate_query(ListQuerySerializer, request)
        rows: QuerySet[Any] = self.vocabulary.model._default_manager.all()
        return make_page_response(
            request, paginate_queryset(rows, self.orders, asked, "usual"), self.serializer_class
        )

    def one(self, word: str, status: int = 200) -> Response:
        """Return one entry."""
        entry = self.entry(word)
        mark = vocabularies.mark_entry_edition(self.vocabulary, entry)
        members = self.serializer_class(entry).data
        return Response(members, status, headers={"ETag": make_etag(mark)})

    def entry(self, word: str) -> Entry:
        """Return the entry of that name."""
        found: Entry | None = self.vocabulary.model._default_manager.filter(pk=word).first()
        if found is None:
            raise Http404(_("There is no such entry."))
        return found

    def enter(self, actor: User, said: dict[str, Any]) -> Response:
        """Enter a word."""
        form = self.form(said)
        clean_form(form)
        vocabularies.add_entry(self.vocabulary, actor=actor, key=form.word, **form.said)
        return self.one(form.word, 201)

    def change(self, request: Request, word: str, said: dict[str, Any]) -> Response:
        """Change what is said of a word; the word itself stays."""
        actor, entry = require_may_edit_vocabularies(request), self.entry(word)
        seen = vocabularies.mark_entry_edition(self.vocabulary, entry)
        require_if_match(request, seen)
        form = self.form({**self.stays(entry), **said}, key=word)
        ground = clean_form(form)["ground"]
        vocabularies.change_entry(
            self.vocabulary, entry, actor=actor, seen=seen, ground=ground, **form.said
        )
        return self.one(word)

    def stays(self, entry: Entry) -> dict[str, Any]:
        """Return what an entry says, as it is typed."""
        told = vocabularies.read_entry(self.vocabulary, entry)
        pairs = told.get("supported_by", [])
        return told | {"supported_by": "\n".join(" ".join(pair) for pair in pairs)}


class KeywordAPIView(VocabularyAPIView):
    """The registry of query keywords."""

    vocabulary = KEYWORD_VOCABULARY
    form = KeywordForm
    serializer_class = KeywordSerializer
    orders: ClassVar[SortOrders] = {"usual": (SortKey("keyword"),)}


class DesignatorAPIView(VocabularyAPIView):
    """The registry of resolution service designators."""

    vocabulary = DESIGNATOR_VOCABULARY
    form = DesignatorForm
    serializer_class = DesignatorSerializer
    orders: ClassVar[SortOrders] = {"usual": (SortKey("position"), SortKey("name"))}


class KeywordsView(KeywordAPIView):
    """Every query keyword."""

    @extend_schema(
        operation_id="query_keywords",
        parameters=[ListQuerySerializer],
        responses={200: make_list_serializer(KeywordSerializer), **describe_problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List the keywords of directives in a query (draft -03, section 9.2.1)."""
        return self.every(request)

    @extend_schema(
        operation_id="query_keyword_enter",
        parameters=[IDEMPOTENCY_KEY_PARAMETER],
        request=NewKeywordInputSerializer,
        responses={201: KeywordSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request) -> Response:
        """Enter a keyword, as the registrar."""
        return self.enter(
            require_may_edit_vocabularies(request),
            validate_input(NewKeywordInputSerializer, request),
        )


class KeywordView(KeywordAPIView):
    """One query keyword."""

    @extend_schema(
        operation_id="query_keyword",
        parameters=[WORD_PARAMETER],
        responses={200: KeywordSerializer, **describe_problems(*READING_PROBLEMS)},
    )
    def get(self, request: Request, word: str) -> Response:
        """Read a keyword."""
        return self.one(word)

    @extend_schema(
        operation_id="query_keyword_change",
        parameters=[WORD_PARAMETER, IF_MATCH_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=KeywordInputSerializer,
        responses={200: KeywordSerializer, **describe_problems(*EDITING_PROBLEMS)},
    )
    def patch(self, request: Request, word: str) -> Response:
        """Change what is said of a keyword, as the registrar."""
        return self.change(request, word, validate_input(KeywordInputSerializer, request))


class DesignatorsView(DesignatorAPIView):
    """Every designator."""

    @extend_schema(
        operation_id="service_designators",
        parameters=[ListQuerySerializer],
        responses={200: make_list_serializer(DesignatorSerializer), **describe_problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List the designators of resolution services (draft -03, section 9.2.2)."""
        return self.every(request)

    @extend_schema(
        operation_id="service_designator_enter",
        parameters=[IDEMPOTENCY_KEY_PARAMETER],
        request=NewDesignatorInputSerializer,
        responses={201: DesignatorSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request) -> Response:
        """Enter a designator, as the registrar."""
        return self.enter(
            require_may_edit_vocabularies(request),
            validate_input(NewDesignatorInputSerializer, request),
        )


class DesignatorView(DesignatorAPIView):
    """One designator."""

    @extend_schema(
        operation_id="service_designator",
        parameters=[WORD_PARAMETER],
        responses={200: DesignatorSerializer, **describe_problems(*READING_PROBLEMS)},
    )
    def get(self, request: Request, word: str) -> Response:
        """Read a designator."""
        return self.one(word)

    @extend_schema(
        operation_id="service_designator_change",
        parameters=[WORD_PARAMETER, IF_MATCH_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=DesignatorInputSerializer,
        responses={200: DesignatorSerializer, **describe_problems(*EDITING_PROBLEMS)},
    )
    def patch(self, request: Request, word: str) -> Response:
        """Change what is said of a designator, as the registrar."""
        return self.change(request, word, validate_input(DesignatorInputSerializer, request))


def require_may_edit_vocabularies(request: Request) -> User:
    """Return who asks, if they keep these registries."""
    actor = require_person(request)
    if not permissions.may_manage_vocabularies(actor):
        raise PermissionDenied(_("These registries are kept by the registrar."))
    return actor
