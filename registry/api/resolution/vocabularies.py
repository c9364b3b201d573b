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

from registry import rules
from registry.api.asked import ListAsked, asked_with
from registry.api.door import Door, heard, person, refusals_told
from registry.api.listing import Key, Orders, listed, part_of
from registry.api.parameters import EDITING, IF_MATCH, KEY, READING, WRITING, in_path
from registry.api.problems import refusals
from registry.api.said import Lines, Said, Text, typed
from registry.api.seen import etag, refuse_unseen
from registry.api.shapes.namespaces import DesignatorShape, KeywordShape
from registry.api.shapes.shape import list_of
from registry.choices import DesignatorStatus, KeywordScope
from registry.forms.vocabularies import DesignatorForm, KeywordForm
from registry.models import User
from registry.pages.told.services import designator_told, keyword_told
from registry.services import vocabularies
from registry.services.vocabularies import DESIGNATORS, KEYWORDS, Entry, Vocabulary

WORD: Final = in_path("word", "The entry.", OpenApiTypes.STR, "s")


class KeywordWords(Said):
    """What an entry says."""

    purpose = Text()
    scope = serializers.ChoiceField(KeywordScope.choices, required=False)
    reference = Text(help_text="The document on which the entry rests.")
    supported_by = Lines(required=False, help_text="Each a NID, a blank, and a reference.")


class KeywordSaid(KeywordWords):
    """What an entry shall say; what is left out stays as it is."""

    ground = Text(help_text="The document on which the change rests.")


class NewKeywordSaid(KeywordWords):
    """A new entry."""

    keyword = Text()


class DesignatorWords(Said):
    """What an entry says."""

    purpose = Text()
    status = serializers.ChoiceField(DesignatorStatus.choices, required=False)
    reference = Text(help_text="The document on which the entry rests.")


class DesignatorSaid(DesignatorWords):
    """What an entry shall say; what is left out stays as it is."""

    ground = Text(help_text="The document on which the change rests.")


class NewDesignatorSaid(DesignatorWords):
    """A new entry."""

    name = Text()


class Kept(Door):
    """One of the registries, and what is done in it."""

    vocabulary: ClassVar[Vocabulary]
    form: ClassVar[type[KeywordForm] | type[DesignatorForm]]
    shape: ClassVar[Any]
    orders: ClassVar[Orders]
    told: ClassVar[staticmethod[[Any], dict[str, Any]]]

    def every(self, request: Request) -> Response:
        """Return the entries, in their order."""
        asked = asked_with(ListAsked, request)
        rows: QuerySet[Any] = self.vocabulary.model._default_manager.all()
        return listed(request, part_of(rows, self.orders, asked, "usual"), self.told, self.shape)

    def one(self, word: str, status: int = 200) -> Response:
        """Return one entry."""
        entry = self.entry(word)
        mark = vocabularies.edition(self.vocabulary, entry)
        return Response(self.told(entry), status, headers={"ETag": etag(mark)})

    def entry(self, word: str) -> Entry:
        """Return the entry of that name."""
        found: Entry | None = self.vocabulary.model._default_manager.filter(pk=word).first()
        if found is None:
            raise Http404(_("There is no such entry."))
        return found

    def enter(self, actor: User, said: dict[str, Any]) -> Response:
        """Enter a word."""
        form = self.form(said)
        typed(form)
        with refusals_told():
            vocabularies.enter(self.vocabulary, actor=actor, key=form.word, **form.said)
        return self.one(form.word, 201)

    def change(self, request: Request, word: str, said: dict[str, Any]) -> Response:
        """Change what is said of a word; the word itself stays."""
        actor, entry = keeper(request), self.entry(word)
        seen = vocabularies.edition(self.vocabulary, entry)
        refuse_unseen(request, seen)
        form = self.form({**self.stays(entry), **said}, key=word)
        ground = typed(form)["ground"]
        with refusals_told():
            vocabularies.change(
                self.vocabulary, entry, actor=actor, seen=seen, ground=ground, **form.said
            )
        return self.one(word)

    def stays(self, entry: Entry) -> dict[str, Any]:
        """Return what an entry says, as it is typed."""
        told = vocabularies.told(self.vocabulary, entry)
        pairs = told.get("supported_by", [])
        return told | {"supported_by": "\n".join(" ".join(pair) for pair in pairs)}


class Keywords(Kept):
    """The registry of query keywords."""

    vocabulary = KEYWORDS
    form = KeywordForm
    shape = KeywordShape
    orders: ClassVar[Orders] = {"usual": (Key("keyword"),)}
    told = staticmethod(keyword_told)


class Designators(Kept):
    """The registry of resolution service designators."""

    vocabulary = DESIGNATORS
    form = DesignatorForm
    shape = DesignatorShape
    orders: ClassVar[Orders] = {"usual": (Key("position"), Key("name"))}
    told = staticmethod(designator_told)


class KeywordsView(Keywords):
    """Every query keyword."""

    @extend_schema(
        operation_id="query_keywords",
        parameters=[ListAsked],
        responses={200: list_of(KeywordShape), **refusals(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List the keywords of directives in a query (draft -03, section 9.2.1)."""
        return self.every(request)

    @extend_schema(
        operation_id="query_keyword_enter",
        parameters=[KEY],
        request=NewKeywordSaid,
        responses={201: KeywordShape, **refusals(*WRITING)},
    )
    def post(self, request: Request) -> Response:
        """Enter a keyword, as the registrar."""
        return self.enter(keeper(request), heard(NewKeywordSaid, request))


class KeywordView(Keywords):
    """One query keyword."""

    @extend_schema(
        operation_id="query_keyword",
        parameters=[WORD],
        responses={200: KeywordShape, **refusals(*READING)},
    )
    def get(self, request: Request, word: str) -> Response:
        """Read a keyword."""
        return self.one(word)

    @extend_schema(
        operation_id="query_keyword_change",
        parameters=[WORD, IF_MATCH, KEY],
        request=KeywordSaid,
        responses={200: KeywordShape, **refusals(*EDITING)},
    )
    def patch(self, request: Request, word: str) -> Response:
        """Change what is said of a keyword, as the registrar."""
        return self.change(request, word, heard(KeywordSaid, request))


class DesignatorsView(Designators):
    """Every designator."""

    @extend_schema(
        operation_id="service_designators",
        parameters=[ListAsked],
        responses={200: list_of(DesignatorShape), **refusals(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List the designators of resolution services (draft -03, section 9.2.2)."""
        return self.every(request)

    @extend_schema(
        operation_id="service_designator_enter",
        parameters=[KEY],
        request=NewDesignatorSaid,
        responses={201: DesignatorShape, **refusals(*WRITING)},
    )
    def post(self, request: Request) -> Response:
        """Enter a designator, as the registrar."""
        return self.enter(keeper(request), heard(NewDesignatorSaid, request))


class DesignatorView(Designators):
    """One designator."""

    @extend_schema(
        operation_id="service_designator",
        parameters=[WORD],
        responses={200: DesignatorShape, **refusals(*READING)},
    )
    def get(self, request: Request, word: str) -> Response:
        """Read a designator."""
        return self.one(word)

    @extend_schema(
        operation_id="service_designator_change",
        parameters=[WORD, IF_MATCH, KEY],
        request=DesignatorSaid,
        responses={200: DesignatorShape, **refusals(*EDITING)},
    )
    def patch(self, request: Request, word: str) -> Response:
        """Change what is said of a designator, as the registrar."""
        return self.change(request, word, heard(DesignatorSaid, request))


def keeper(request: Request) -> User:
    """Return who asks, if they keep these registries."""
    actor = person(request)
    if not rules.may_keep_vocabularies(actor):
        raise PermissionDenied(_("These registries are kept by the registrar."))
    return actor
