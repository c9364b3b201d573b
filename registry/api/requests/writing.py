"""Writing beside draft and verbs: the discussion, remarks, and the answers to them."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.asked import ListAsked, asked_with
from registry.api.door import Door, find, heard, person, refusals_told
from registry.api.listing import Key, listed, part_of
from registry.api.parameters import KEY, REFERENCE, WRITING, in_path
from registry.api.problems import refusals, refuse_invalid
from registry.api.requests.drafts import ToAnswerShape, draft_of, to_answer_told
from registry.api.requests.said import AnswerSaid, MessageSaid, RemarkSaid
from registry.api.said import ReasonSaid
from registry.api.shapes.requests import MessageShape, RemarkShape
from registry.api.shapes.shape import list_of
from registry.discussion import messages
from registry.forms.discussion import CommentForm
from registry.forms.remarks import AnswerForm, ReasonForm, RemarkForm
from registry.models import RegistrationRequest, Remark
from registry.pages.told.parts import message_told, remark_told
from registry.pages.told.requests import PEOPLE
from registry.reviewing import remarks

NUMBER: Final = in_path("number", "Of the remark.")
BY_NUMBER: Final = {"number": (Key("number"),)}


class MessagesView(Door):
    """The public discussion."""

    @extend_schema(
        operation_id="messages",
        parameters=[REFERENCE, ListAsked],
        responses={200: list_of(MessageShape), **refusals(400, 401, 404)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read the public messages on a request, the first one first."""
        asked, reader = asked_with(ListAsked, request), request.user
        found = find(request, reference).messages.public().select_related("answers", "hidden_by")
        part = part_of(found, BY_NUMBER, asked, "number")
        return listed(request, part, lambda each: message_told(each, reader), MessageShape)

    @extend_schema(
        operation_id="message_write",
        parameters=[REFERENCE, KEY],
        request=MessageSaid,
        responses={201: MessageShape, **refusals(*WRITING)},
    )
    def post(self, request: Request, reference: str) -> Response:
        """Write a public message; it is permanent."""
        registration_request = find(request, reference)
        said = {"key": uuid.uuid4(), **heard(MessageSaid, request)}
        form = CommentForm(said, registration_request=registration_request)
        refuse_invalid(form)
        with refusals_told():
            made = messages.comment(
                registration_request, author=person(request), **form.cleaned_data
            )
        return Response(message_told(made, request.user), 201)


class RemarksView(Door):
    """What experts remarked on passages."""

    @extend_schema(
        operation_id="remarks",
        parameters=[REFERENCE, ListAsked],
        responses={200: list_of(RemarkShape), **refusals(400, 401, 404)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read the remarks on a request, in the order in which they were made."""
        asked = asked_with(ListAsked, request)
        found = find(request, reference).remarks.select_related(*PEOPLE)
        part = part_of(found, BY_NUMBER, asked, "number")
        return listed(request, part, remark_told, RemarkShape)

    @extend_schema(
        operation_id="remark_write",
        parameters=[REFERENCE, KEY],
        request=RemarkSaid,
        responses={201: RemarkShape, **refusals(*WRITING, 412)},
    )
    def post(self, request: Request, reference: str) -> Response:
        """Remark on a passage of the last round, as an expert on the request."""
        registration_request, said = find(request, reference), heard(RemarkSaid, request)
        actor = person(request)
        with refusals_told():
            remarks.refuse_others(actor, registration_request)
        shown = registration_request.rounds.sent().filter(number=said["round"]).first()
        if shown is None:
            raise ValidationError({"round": [_("There is no round with this number.")]})
        form = RemarkForm({**said, "round_number": said["round"]}, shown=shown)
        refuse_invalid(form)
        with refusals_told():
            made = remarks.make(registration_request, actor=actor, **form.cleaned_data)
        return Response(remark_told(made), 201)


class SettleView(Door):
    """A remark taken back, or opened again, for a public reason."""

    acts: ClassVar[dict[str, Any]] = {"drop": remarks.drop, "reopen": remarks.reopen}

    @extend_schema(
        operation_id="remark_settle",
        parameters=[
            REFERENCE,
            NUMBER,
            OpenApiParameter("act", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(acts)),
            KEY,
        ],
        request=ReasonSaid,
        responses={200: RemarkShape, **refusals(*WRITING, 412)},
    )
    def post(self, request: Request, reference: str, number: int, act: str) -> Response:
        """Drop a remark, or open it again, as an expert on the request."""
        remark = remark_of(find(request, reference), number)
        form = ReasonForm(heard(ReasonSaid, request))
        refuse_invalid(form)
        with refusals_told():
            remark = self.acts[act](
                remark, actor=person(request), reason=form.cleaned_data["comment"]
            )
        return Response(remark_told(remark))


class AnswerView(Door):
    """The answer to a remark, in preparation."""

    @extend_schema(
        operation_id="remark_answer",
        parameters=[REFERENCE, NUMBER, KEY],
        request=AnswerSaid,
        responses={200: ToAnswerShape, **refusals(*WRITING, 412)},
    )
    def post(self, request: Request, reference: str, number: int) -> Response:
        """Prepare the answer to a remark beside the draft; it is public once a round is sent."""
        remark = remark_of(draft_of(request, reference).registration_request, number)
        form = AnswerForm({"seen": ":", **heard(AnswerSaid, request)}, remark=remark)
        refuse_invalid(form)
        with refusals_told():
            answered = remarks.answer(remark, actor=person(request), **form.cleaned_data)
        return Response(to_answer_told(answered))


def remark_of(registration_request: RegistrationRequest, number: int) -> Remark:
    """Return the remark of that number."""
    found = registration_request.remarks.select_related(*PEOPLE).filter(number=number).first()
    if found is None:
        raise Http404(_("There is no remark with this number."))
    return found
