"""Messages and their moderation, notes among experts, remarks, and answers to them."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django.urls import register_converter
from django.urls.converters import StringConverter
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import discussion, pending_comments, remarks
from registry.api.drafts import get_draft_or_404
from registry.api.input_serializers import (
    AnswerInputSerializer,
    CommentInputSerializer,
    FreeTextField,
    InputSerializer,
    MessageInputSerializer,
    ReasonInputSerializer,
    RemarkInputSerializer,
    clean_form,
)
from registry.api.openapi import make_path_parameter
from registry.api.problems import describe_problems, refuse_invalid_form
from registry.api.query_parameters import ListQuerySerializer
from registry.api.views import (
    get_request_or_404,
    get_serializer_context,
    require_person,
    validate_input,
)
from registry.api.viewsets import RegistryViewSet
from registry.enums import MessageAudience
from registry.forms.remarks import (
    AnswerForm,
    CommentForm,
    HideMessageForm,
    NoteForm,
    RemarkForm,
    SettlementReasonForm,
    ShowMessageForm,
)
from registry.models import Message, PendingComment, RegistrationRequest, Remark
from registry.serializers.requests import (
    REMARK_RELATIONS,
    MessageSerializer,
    PendingCommentSerializer,
    RemarkSerializer,
    ToAnswerSerializer,
)

MESSAGE_ACTS: Final[dict[str, Any]] = {
    "hide": (HideMessageForm, discussion.hide_message),
    "show": (ShowMessageForm, discussion.unhide_message),
}
REMARK_ACTS: Final[dict[str, Any]] = {
    "drop": remarks.drop_remark,
    "reopen": remarks.reopen_remark,
}


def make_act_parameter(acts: dict[str, Any]) -> OpenApiParameter:
    """Describe the last part of an address that names the action to take."""
    return OpenApiParameter("act", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(acts))


class MessageActConverter(StringConverter):
    """The part of an address that names what to do with a message."""

    regex = "|".join(MESSAGE_ACTS)


class RemarkActConverter(StringConverter):
    """The part of an address that names what to do with a remark."""

    regex = "|".join(REMARK_ACTS)


register_converter(MessageActConverter, "message_act")
register_converter(RemarkActConverter, "remark_act")


class NoteInputSerializer(InputSerializer):
    """A note among experts."""

    text = FreeTextField()
    key = serializers.UUIDField(
        required=False, help_text="Made by the program: sent twice, one note is written."
    )


@extend_schema_view(
    list=extend_schema(
        operation_id="notes",
        description="Read the notes among experts, as one who may judge the request.",
        responses={200: MessageSerializer(many=True), **describe_problems(403)},
    )
)
class NoteViewSet(ListModelMixin, RegistryViewSet):
    """Notes that experts write to each other about a request."""

    query_serializers = {"list": ListQuerySerializer}
    serializer_class = MessageSerializer
    sort_orders = {"number": ("number",)}
    sort = "number"

    def get_queryset(self) -> QuerySet[Message]:
        require_person(self.request)
        registration_request = get_request_for_experts(self.request, self.kwargs["reference"])
        notes = registration_request.messages.filter(audience=MessageAudience.EXPERTS)
        return notes.select_related("answers", "hidden_by")

    @extend_schema(
        operation_id="note_write", request=NoteInputSerializer, responses=MessageSerializer
    )
    def create(self, request: Request, reference: str) -> Response:
        """Write a note to the experts who may judge the request."""
        author = require_person(request)
        registration_request = get_request_for_experts(request, reference)
        said = clean_form(
            NoteForm({"key": uuid.uuid4(), **validate_input(NoteInputSerializer, request)})
        )
        written = discussion.add_note(registration_request, author=author, **said)
        return Response(
            MessageSerializer(written, context=get_serializer_context(request)).data, 201
        )


def get_request_for_experts(request: Request, reference: str) -> RegistrationRequest:
    """Return the request, for experts who may judge it only."""
    registration_request = get_request_or_404(request, reference)
    if not permissions.may_read_expert_notes(request.user, registration_request):
        raise PermissionDenied(discussion.describe_note_readers())
    return registration_request


@extend_schema_view(
    list=extend_schema(
        operation_id="messages",
        description="Read the public messages on a request, the first one first.",
        responses=MessageSerializer(many=True),
    )
)
class MessageViewSet(ListModelMixin, RegistryViewSet):
    """The public discussion."""

    lookup_field = "number"
    path_parameters = (
        make_path_parameter("number", "Of the message."),
        make_act_parameter(MESSAGE_ACTS),
    )
    query_serializers = {"list": ListQuerySerializer}
    serializer_class = MessageSerializer
    sort_orders = {"number": ("number",)}
    sort = "number"
    not_found = gettext_lazy("There is no message with this number.")

    def get_queryset(self) -> QuerySet[Message]:
        registration_request = get_request_or_404(self.request, self.kwargs["reference"])
        return registration_request.messages.public().select_related("answers", "hidden_by")

    @extend_schema(
        operation_id="message_write",
        request=MessageInputSerializer,
        responses={201: MessageSerializer, 202: PendingCommentSerializer},
    )
    def create(self, request: Request, reference: str) -> Response:
        """Send a public message. It is published a minute later and is permanent from then on.

        Until then the answer is 202, only you can read the message, and DELETE takes it back. The
        answer is 201 if the message is public already.
        """
        registration_request = get_request_or_404(request, reference)
        said = {"key": uuid.uuid4(), **validate_input(MessageInputSerializer, request)}
        author = require_person(request)
        form = CommentForm(said, registration_request=registration_request, author=author)
        if said.get("mark") and "mark" not in form.fields:
            raise ValidationError({"mark": [_("You cannot write that here.")]})
        refuse_invalid_form(form)
        sent = pending_comments.send_comment(
            registration_request, author=author, **form.cleaned_data
        )
        context = get_serializer_context(request)
        if isinstance(sent, PendingComment):
            return Response(PendingCommentSerializer(sent, context=context).data, 202)
        return Response(MessageSerializer(sent, context=context).data, 201)

    @extend_schema(
        operation_id="message_moderate",
        request=ReasonInputSerializer,
        responses=MessageSerializer,
    )
    @action(detail=True, methods=["post"], url_path="<message_act:act>", url_name="act")
    def moderate(self, request: Request, reference: str, number: int, act: str) -> Response:
        """Hide a message from readers, or show it again, with a reason they can read."""
        moderator = require_person(request)
        message = self.get_object()
        if not permissions.may_moderate(moderator):
            raise PermissionDenied(discussion.describe_moderators())
        form, do = MESSAGE_ACTS[act]
        said = clean_form(form(validate_input(ReasonInputSerializer, request)))
        do(message, moderator=moderator, **said)
        message.refresh_from_db()
        return Response(MessageSerializer(message, context=get_serializer_context(request)).data)


@extend_schema_view(
    list=extend_schema(
        operation_id="pending_comments",
        description="Read the messages that you sent on a request and that are not public yet.",
        responses=PendingCommentSerializer(many=True),
    )
)
class PendingCommentViewSet(ListModelMixin, RegistryViewSet):
    """Messages that were sent and are not public yet; only their author sees them."""

    path_parameters = (make_path_parameter("pk", "Of the message that is not public yet."),)
    query_serializers = {"list": ListQuerySerializer}
    serializer_class = PendingCommentSerializer
    sort_orders = {"written_at": ("written_at", "pk")}
    sort = "written_at"

    def get_queryset(self) -> QuerySet[PendingComment]:
        """Return the caller's pending messages on the request."""
        author = require_person(self.request)
        registration_request = get_request_or_404(self.request, self.kwargs["reference"])
        mine = registration_request.pending_comments.filter(author=author)
        return mine.select_related("answers", "registration_request")

    @extend_schema(
        operation_id="pending_comment_take_back", responses={200: PendingCommentSerializer}
    )
    def destroy(self, request: Request, reference: str, pk: int) -> Response:
        """Take back a message before it is public. Nobody sees it, and nobody is told."""
        author = require_person(request)
        registration_request = get_request_or_404(request, reference)
        taken = pending_comments.take_comment_back(registration_request, author, pk)
        if taken is None:
            raise Http404(_("The comment is public, or was taken back before."))
        context = get_serializer_context(request)
        return Response(PendingCommentSerializer(taken, context=context).data)


@extend_schema_view(
    list=extend_schema(
        operation_id="remarks",
        description="Read the remarks on a request, in the order in which they were made.",
        responses=RemarkSerializer(many=True),
    )
)
class RemarkViewSet(ListModelMixin, RegistryViewSet):
    """Experts' remarks on passages."""

    lookup_field = "number"
    path_parameters = (
        make_path_parameter("number", "Of the remark."),
        make_act_parameter(REMARK_ACTS),
    )
    query_serializers = {"list": ListQuerySerializer}
    serializer_class = RemarkSerializer
    sort_orders = {"number": ("number",)}
    sort = "number"
    not_found = gettext_lazy("There is no remark with this number.")

    def get_queryset(self) -> QuerySet[Remark]:
        registration_request = get_request_or_404(self.request, self.kwargs["reference"])
        return registration_request.remarks.select_related(*REMARK_RELATIONS)

    @extend_schema(
        operation_id="remark_write",
        request=RemarkInputSerializer,
        responses={201: RemarkSerializer, **describe_problems(412)},
    )
    def create(self, request: Request, reference: str) -> Response:
        """Remark on a passage of the last round, as an expert on the request."""
        registration_request, said = (
            get_request_or_404(request, reference),
            validate_input(RemarkInputSerializer, request),
        )
        actor = require_person(request)
        remarks.refuse_other_experts(actor, registration_request)
        shown = registration_request.rounds.sent().filter(number=said["round"]).first()
        if shown is None:
            raise ValidationError({"round": [_("There is no round with this number.")]})
        form = RemarkForm({**said, "round_number": said["round"]}, shown=shown)
        refuse_invalid_form(form)
        made = remarks.add_remark(registration_request, actor=actor, **form.cleaned_data)
        return Response(RemarkSerializer(made).data, 201)

    @extend_schema(
        operation_id="remark_settle",
        request=CommentInputSerializer,
        responses={200: RemarkSerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"], url_path="<remark_act:act>", url_name="act")
    def settle(self, request: Request, reference: str, number: int, act: str) -> Response:
        """Drop a remark, or open it again, as an expert on the request."""
        remark = self.get_object()
        form = SettlementReasonForm(validate_input(CommentInputSerializer, request))
        refuse_invalid_form(form)
        remark = REMARK_ACTS[act](
            remark, actor=require_person(request), reason=form.cleaned_data["comment"]
        )
        return Response(RemarkSerializer(remark).data)

    @extend_schema(
        operation_id="remark_answer",
        request=AnswerInputSerializer,
        responses={200: ToAnswerSerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"])
    def answer(self, request: Request, reference: str, number: int) -> Response:
        """Prepare the answer to a remark along with the draft; sending a round publishes it."""
        get_draft_or_404(request, reference)
        remark = self.get_object()
        form = AnswerForm(
            {"seen": ":", **validate_input(AnswerInputSerializer, request)}, remark=remark
        )
        refuse_invalid_form(form)
        answered = remarks.answer_remark(remark, actor=require_person(request), **form.cleaned_data)
        return Response(ToAnswerSerializer(answered).data)
