"""Requests for entries in the two registries of draft -03, section 9.2."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import entry_requests
from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    LinesField,
    ReasonInputSerializer,
    YesNoField,
    clean_form,
)
from registry.api.openapi import make_path_parameter
from registry.api.problems import describe_problems
from registry.api.query_parameters import FieldsQuerySerializer, ListQuerySerializer
from registry.api.views import get_site_url, require_person, validate_input
from registry.api.viewsets import RegistryViewSet
from registry.enums import DesignatorStatus, KeywordScope, VocabularyName
from registry.forms.entry_requests import (
    ENTRY_REQUEST_FORMS,
    EntryCommentForm,
    EntryDecisionForm,
    EntryWithdrawalForm,
)
from registry.models import EntryRequest
from registry.serializers.base import build_url
from registry.serializers.resolution import EntryRequestSerializer


class EntryRequestInputSerializer(InputSerializer):
    """A requested entry: keywords have `scope` and `supported_by`, services `status`."""

    vocabulary = serializers.ChoiceField(VocabularyName.choices)
    word = FreeTextField()
    purpose = FreeTextField()
    reference = FreeTextField(help_text="The document on which the entry rests; needed.")
    scope = serializers.ChoiceField(KeywordScope.choices, required=False)
    supported_by = LinesField(required=False, help_text="Each a NID, a blank, and a reference.")
    status = serializers.ChoiceField(DesignatorStatus.choices, required=False)
    reasons = FreeTextField(help_text="Why it is needed; public.")


class EntryCommentInputSerializer(InputSerializer):
    """A comment on a request."""

    text = FreeTextField()


class EntryDecisionInputSerializer(InputSerializer):
    """The registrar's decision."""

    enters = YesNoField(help_text="Whether the word is entered.")
    reasons = FreeTextField(help_text="Public.")


@extend_schema_view(
    list=extend_schema(
        operation_id="entry_requests",
        description="List the requests for words of the two registries of words, newest first.",
        responses=EntryRequestSerializer(many=True),
    )
)
class EntryRequestViewSet(ListModelMixin, RegistryViewSet):
    """Requests for entries."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    path_parameters = (make_path_parameter("id", "The id of the request for a word."),)
    query_serializers = {"list": ListQuerySerializer, "retrieve": FieldsQuerySerializer}
    serializer_class = EntryRequestSerializer
    sort_orders = {"-asked": ("-asked_at", "-pk")}
    sort = "-asked"
    not_found = gettext_lazy("There is no word request with that id.")

    def get_queryset(self) -> QuerySet[EntryRequest]:
        """Return the requests with their comments."""
        found = EntryRequest.objects.select_related("asked_by", "decided_by")
        return found.prefetch_related("comments")

    @extend_schema(
        operation_id="entry_request_ask",
        request=EntryRequestInputSerializer,
        responses=EntryRequestSerializer,
    )
    def create(self, request: Request) -> Response:
        """Request an entry, citing the document it is based on."""
        actor, said = require_person(request), validate_input(EntryRequestInputSerializer, request)
        name = VocabularyName(said.pop("vocabulary"))
        of = ENTRY_REQUEST_FORMS[name]
        form = of({**said, of.vocabulary.key: said.get("word", "")})
        clean_form(form)
        asked = entry_requests.request_entry(name, form.word, actor=actor, **form.proposed)
        where = build_url(get_site_url(request), "api:entry-request-detail", asked.pk)
        return self.respond(asked.pk, 201, {"Location": where})

    @extend_schema(operation_id="entry_request", responses=EntryRequestSerializer)
    def retrieve(self, request: Request, pk: int) -> Response:
        """Read a request with its comments."""
        return self.respond(self.get_object().pk)

    @extend_schema(
        operation_id="entry_request_comment",
        request=EntryCommentInputSerializer,
        responses={200: EntryRequestSerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"])
    def comment(self, request: Request, pk: int) -> Response:
        """Comment on a request; an expert's comment is advice, unless the request is their own."""
        actor, asked = require_person(request), self.get_object()
        said = clean_form(EntryCommentForm(validate_input(EntryCommentInputSerializer, request)))
        entry_requests.comment_on_entry(asked, actor=actor, **said)
        return self.respond(asked.pk)

    @extend_schema(
        operation_id="entry_request_decide",
        request=EntryDecisionInputSerializer,
        responses={200: EntryRequestSerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"])
    def decide(self, request: Request, pk: int) -> Response:
        """Enter the word or decline it, as the registrar."""
        actor, asked = require_person(request), self.get_object()
        if not permissions.may_manage_vocabularies(actor):
            raise PermissionDenied(_("Only the registrar can change these registries."))
        said = clean_form(EntryDecisionForm(validate_input(EntryDecisionInputSerializer, request)))
        entry_requests.decide_entry_request(asked, actor=actor, **said)
        return self.respond(asked.pk)

    @extend_schema(
        operation_id="entry_request_withdraw",
        request=ReasonInputSerializer,
        responses={200: EntryRequestSerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, pk: int) -> Response:
        """Withdraw your own request."""
        actor, asked = require_person(request), self.get_object()
        if asked.asked_by != actor:
            raise PermissionDenied(
                _("Only the person who asked for the word can withdraw the request.")
            )
        reason = validate_input(ReasonInputSerializer, request).get("reason", "")
        said = clean_form(EntryWithdrawalForm({"reasons": reason}))
        entry_requests.withdraw_entry_request(asked, actor=actor, **said)
        return self.respond(asked.pk)

    def respond(
        self, pk: int, status: int = 200, headers: dict[str, Any] | None = None
    ) -> Response:
        """Return a request as it is now."""
        asked = self.get_queryset().get(pk=pk)
        return Response(self.get_serializer(asked).data, status, headers=headers)
