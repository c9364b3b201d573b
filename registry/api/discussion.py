"""Messages and their moderation, notes among experts, remarks, and the answers to them."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import discussion, remarks
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
from registry.api.openapi import (
    IDEMPOTENCY_KEY_PARAMETER,
    REFERENCE_PARAMETER,
    WRITING_PROBLEMS,
    make_path_parameter,
)
from registry.api.pagination import (
    SortKey,
    make_list_serializer,
    make_page_response,
    paginate_queryset,
)
from registry.api.problems import describe_problems, refuse_invalid_form
from registry.api.query_parameters import ListQuerySerializer, validate_query
from registry.api.views import (
    RegistryAPIView,
    get_request_or_404,
    get_serializer_context,
    require_person,
    validate_input,
)
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
from registry.models import RegistrationRequest, Remark
from registry.serializers.requests import (
    REMARK_RELATIONS,
    MessageSerializer,
    RemarkSerializer,
    ToAnswerSerializer,
)

MESSAGE_NUMBER_PARAMETER: Final = make_path_parameter("number", "Of the message.")
NOTE_ORDERS: Final = {"number": (SortKey("number"),)}


class NoteInputSerializer(InputSerializer):
    """A note among experts."""

    text = FreeTextField()
    key = serializers.UUIDField(
        required=False, help_text="Made by the program: sent twice, one note is written."
    )


class NotesView(RegistryAPIView):
    """What experts write for each other about a request."""

    @extend_schema(
        operation_id="notes",
        parameters=[REFERENCE_PARAMETER, ListQuerySerializer],
        responses={
            200: make_list_serializer(MessageSerializer),
            **describe_problems(400, 401, 403, 404),
        },
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read the notes among experts, as one who may judge the request."""
        asked = validate_query(ListQuerySerializer, request)
        require_person(request)
        notes = get_request_for_experts(request, reference).messages.filter(
            audience=MessageAudience.EXPERTS
        )
        part = paginate_queryset(
            notes.select_related("answers", "hidden_by"), NOTE_ORDERS, asked, "number"
        )
        return make_page_response(request, part, MessageSerializer)

    @extend_schema(
        operation_id="note_write",
        parameters=[REFERENCE_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=NoteInputSerializer,
        responses={201: MessageSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request, reference: str) -> Response:
        """Write a note for the experts who may judge the request."""
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
    """Return the request, for experts who may judge it alone."""
    registration_request = get_request_or_404(request, reference)
    if not permissions.may_read_expert_notes(request.user, registration_request):
        raise PermissionDenied(discussion.describe_note_readers())
    return registration_request


class ModerationView(RegistryAPIView):
    """A message taken from the eyes of readers, or shown again."""

    acts: ClassVar[dict[str, Any]] = {
        "hide": (HideMessageForm, discussion.hide_message),
        "show": (ShowMessageForm, discussion.unhide_message),
    }

    @extend_schema(
        operation_id="message_moderate",
        parameters=[
            REFERENCE_PARAMETER,
            MESSAGE_NUMBER_PARAMETER,
            OpenApiParameter("act", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(acts)),
            IDEMPOTENCY_KEY_PARAMETER,
        ],
        request=ReasonInputSerializer,
        responses={200: MessageSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request, reference: str, number: int, act: str) -> Response:
        """Hide a message from readers, or show it again, with a reason they can read."""
        moderator = require_person(request)
        message = (
            get_request_or_404(request, reference).messages.public().filter(number=number).first()
        )
        if message is None:
            raise Http404(_("There is no message with this number."))
        if not permissions.may_moderate(moderator):
            raise PermissionDenied(discussion.describe_moderators())
        form, do = self.acts[act]
        said = clean_form(form(validate_input(ReasonInputSerializer, request)))
        do(message, moderator=moderator, **said)
        message.refresh_from_db()
        return Response(MessageSerializer(message, context=get_serializer_context(request)).data)


REMARK_NUMBER_PARAMETER: Final = make_path_parameter("number", "Of the remark.")
MESSAGE_ORDERS: Final = {"number": (SortKey("number"),)}


class MessagesView(RegistryAPIView):
    """The public discussion."""

    @extend_schema(
        operation_id="messages",
        parameters=[REFERENCE_PARAMETER, ListQuerySerializer],
        responses={
            200: make_list_serializer(MessageSerializer),
            **describe_problems(400, 401, 404),
        },
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read the public messages on a request, the first one first."""
        asked = validate_query(ListQuerySerializer, request)
        found = (
            get_request_or_404(request, reference)
            .messages.public()
            .select_related("answers", "hidden_by")
        )
        part = paginate_queryset(found, MESSAGE_ORDERS, asked, "number")
        return make_page_response(request, part, MessageSerializer)

    @extend_schema(
        operation_id="message_write",
        parameters=[REFERENCE_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=MessageInputSerializer,
        responses={201: MessageSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request, reference: str) -> Response:
        """Write a public message; it is permanent."""
        registration_request = get_request_or_404(request, reference)
        said = {"key": uuid.uuid4(), **validate_input(MessageInputSerializer, request)}
        form = CommentForm(said, registration_request=registration_request)
        refuse_invalid_form(form)
        made = discussion.add_comment(
            registration_request, author=require_person(request), **form.cleaned_data
        )
        return Response(MessageSerializer(made, context=get_serializer_context(request)).data, 201)


class RemarksView(RegistryAPIView):
    """What experts remarked on passages."""

    @extend_schema(
        operation_id="remarks",
        parameters=[REFERENCE_PARAMETER, ListQuerySerializer],
        responses={200: make_list_serializer(RemarkSerializer), **describe_problems(400, 401, 404)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read the remarks on a request, in the order in which they were made."""
        asked = validate_query(ListQuerySerializer, request)
        found = get_request_or_404(request, reference).remarks.select_related(*REMARK_RELATIONS)
        part = paginate_queryset(found, MESSAGE_ORDERS, asked, "number")
        return make_page_response(request, part, RemarkSerializer)

    @extend_schema(
        operation_id="remark_write",
        parameters=[REFERENCE_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=RemarkInputSerializer,
        responses={201: RemarkSerializer, **describe_problems(*WRITING_PROBLEMS, 412)},
    )
    def post(self, request: Request, reference: str) -> Response:
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


class RemarkSettlementView(RegistryAPIView):
    """A remark taken back, or opened again, for a public reason."""

    acts: ClassVar[dict[str, Any]] = {"drop": remarks.drop_remark, "reopen": remarks.reopen_remark}

    @extend_schema(
        operation_id="remark_settle",
        parameters=[
            REFERENCE_PARAMETER,
            REMARK_NUMBER_PARAMETER,
            OpenApiParameter("act", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(acts)),
            IDEMPOTENCY_KEY_PARAMETER,
        ],
        request=CommentInputSerializer,
        responses={200: RemarkSerializer, **describe_problems(*WRITING_PROBLEMS, 412)},
    )
    def post(self, request: Request, reference: str, number: int, act: str) -> Response:
        """Drop a remark, or open it again, as an expert on the request."""
        remark = get_request_remark_or_404(get_request_or_404(request, reference), number)
        form = SettlementReasonForm(validate_input(CommentInputSerializer, request))
        refuse_invalid_form(form)
        remark = self.acts[act](
            remark, actor=require_person(request), reason=form.cleaned_data["comment"]
        )
        return Response(RemarkSerializer(remark).data)


class RemarkAnswerView(RegistryAPIView):
    """The answer to a remark, in preparation."""

    @extend_schema(
        operation_id="remark_answer",
        parameters=[REFERENCE_PARAMETER, REMARK_NUMBER_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=AnswerInputSerializer,
        responses={200: ToAnswerSerializer, **describe_problems(*WRITING_PROBLEMS, 412)},
    )
    def post(self, request: Request, reference: str, number: int) -> Response:
        """Prepare the answer to a remark beside the draft; it is public once a round is sent."""
        remark = get_request_remark_or_404(
            get_draft_or_404(request, reference).registration_request, number
        )
        form = AnswerForm(
            {"seen": ":", **validate_input(AnswerInputSerializer, request)}, remark=remark
        )
        refuse_invalid_form(form)
        answered = remarks.answer_remark(remark, actor=require_person(request), **form.cleaned_data)
        return Response(ToAnswerSerializer(answered).data)


def get_request_remark_or_404(registration_request: RegistrationRequest, number: int) -> Remark:
    """Return the remark of that number."""
    found = (
        registration_request.remarks.select_related(*REMARK_RELATIONS).filter(number=number).first()
    )
    if found is None:
        raise Http404(_("There is no remark with this number."))
    return found
