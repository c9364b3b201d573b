"""Requests for programs: the list, each of them, and every verb of the table."""

from __future__ import annotations

import uuid
from typing import Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry import queries
from registry.api.asked import DatedAsked, FieldsAsked, ListAsked, asked_with, moment_asked
from registry.api.door import Door, find, heard, person, site_of
from registry.api.listing import Key, chosen, listed, part_of
from registry.api.narrowing import narrowed
from registry.api.parameters import EDITING, IF_MATCH, KEY, READING, REFERENCE
from registry.api.problems import refusals, refuse_invalid
from registry.api.requests import steps
from registry.api.requests.offers import verbs_told
from registry.api.requests.parameters import VERB
from registry.api.requests.said import StartSaid, StepSaid
from registry.api.seen import etag, refuse_unseen
from registry.api.shapes.requests import RequestDetailShape, RequestShape
from registry.api.shapes.shape import list_of
from registry.choices import LIVE, Change, Path, State
from registry.forms.requests import OPEN, TURN_CHOICES, RequestFilter
from registry.forms.starting import form_with, start
from registry.models import RegistrationRequest
from registry.models.request import RequestQuerySet
from registry.pages import told
from registry.pages.told.requests import request_then_told, request_then_whole
from registry.queries.past import Moment, requests_then
from registry.urn import nid as nids
from registry.workflow import VERBS

ORDERS: Final = {
    "moved": (Key("state_since"), Key("pk")),
    "-moved": (Key("state_since", descends=True), Key("pk", descends=True)),
    "started": (Key("created_at"), Key("pk")),
    "-started": (Key("created_at", descends=True), Key("pk", descends=True)),
    "reference": (Key("reference"),),
    "-reference": (Key("reference", descends=True),),
}

FORMAL: Final = OpenApiExample(
    "A formal namespace",
    {
        "path": "community",
        "organization": "Northlight Seed Vault Federation",
        "nid": "seedbank",
        "summary": "Accessions held by federated seed vaults",
        "standards_action": False,
    },
    request_only=True,
)
REASONS: Final = OpenApiExample("With reasons", {"comment": "Sound."}, request_only=True)


class RequestAsked(FieldsAsked, DatedAsked):
    """What one request can be asked with."""


class RequestsAsked(ListAsked, DatedAsked):
    """What the list of requests can be asked with: the filters of its page, and the NID."""

    state = serializers.ChoiceField(
        [(OPEN, "Open"), *State.choices], required=False, help_text="Or all that have not ended."
    )
    change = serializers.ChoiceField(Change.choices, required=False)
    path = serializers.ChoiceField(Path.choices, required=False)
    turn = serializers.ChoiceField(TURN_CHOICES, required=False, help_text="For whom they wait.")
    nid = serializers.CharField(required=False, help_text="The NID asked for, in any case.")
    sort = chosen(ORDERS, "-moved")


class RequestsView(Door):
    """The requests that whoever asks may see, and a new one."""

    @extend_schema(
        operation_id="requests",
        parameters=[RequestsAsked],
        responses={200: list_of(RequestShape), **refusals(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List requests: the public ones, and those you write; for whom each waits."""
        asked, site = asked_with(RequestsAsked, request), site_of(request)
        if moment := moment_asked(asked, "state", "nid", "page_size", "cursor"):
            return listed_then(request, asked, moment)
        part = part_of(narrowed_down(request, asked), ORDERS, asked, "-moved")
        waiting = queries.waiting_for_all(part.rows)
        return listed(
            request,
            part,
            lambda each: told.request_listed(each, site, waiting[each.pk]),
            RequestShape,
        )

    @extend_schema(
        operation_id="request_start",
        parameters=[KEY],
        request=StartSaid,
        examples=[FORMAL],
        responses={201: RequestDetailShape, **refusals(400, 401, 403, 409, 413, 415, 422, 429)},
    )
    def post(self, request: Request) -> Response:
        """Start a request, by the same questions as the page; it begins as a draft of yours."""
        actor, said = person(request), heard(StartSaid, request)
        form = form_with({"key": uuid.uuid4(), **said})
        refuse_invalid(form)
        return shown(request, start(actor, form).reference, 201)


def narrowed_down(request: Request, asked: dict[str, str]) -> RequestQuerySet:
    """Return the requests that whoever asks may see, and that the filters let through."""
    found = queries.visible_to(request.user).select_related("organization", "namespace", "author")
    if asked.get("state") == State.DRAFT:  # A filter of programs alone: pages show no drafts.
        found = found.filter(state=State.DRAFT)
        asked = {name: value for name, value in asked.items() if name != "state"}
    if nid := asked.get("nid"):
        found = found.filter(nid=nids.canonical(nid)) if nid.isascii() else found.none()
    narrowed: RequestQuerySet = RequestFilter(asked, found).qs
    return narrowed


class RequestView(Door):
    """One request."""

    @extend_schema(
        operation_id="request",
        parameters=[REFERENCE, RequestAsked],
        responses={200: RequestDetailShape, **refusals(*READING)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read a request: where it stands, its rounds, what was said, and what you can do."""
        if moment := moment_asked(asked_with(RequestAsked, request)):
            return shown_then(request, reference, moment)
        return shown(request, reference)


class VerbView(Door):
    """One verb on one request."""

    @extend_schema(
        operation_id="request_step",
        parameters=[REFERENCE, VERB, IF_MATCH, KEY],
        request=StepSaid,
        examples=[REASONS],
        responses={200: RequestDetailShape, **refusals(*EDITING)},
    )
    def post(self, request: Request, reference: str, verb: str) -> Response:
        """Take a step on the revision you saw; the answer is the request as it is then."""
        registration_request, transition = find(request, reference), VERBS.get(verb)
        if transition is None:
            raise Http404(_("There is no verb of that name."))
        refuse_unseen(request, registration_request.revision)
        steps.refuse_impossible(registration_request, transition, request.user)
        steps.take(registration_request, transition, person(request), heard(StepSaid, request))
        return shown(request, reference)


def listed_then(request: Request, asked: dict[str, str], moment: Moment) -> Response:
    """List the requests that were public, by reference, as each was."""
    site, found = site_of(request), requests_then(moment)
    if state := asked.get("state"):
        found = found.filter(state_then__in=LIVE if state == OPEN else [state])
    if nid := asked.get("nid"):
        found = found.filter(nid_then__iexact=nid)
    part = part_of(found, ORDERS, asked, "reference")
    return listed(request, part, lambda each: request_then_told(each, site, moment), RequestShape)


def shown_then(request: Request, reference: str, moment: Moment) -> Response:
    """Return a request as it was."""
    now = find(request, reference)
    found = requests_then(moment).filter(pk=now.pk).first()
    if found is None:
        raise Http404(_("That request was not public then."))
    row = request_then_whole(found, site_of(request), moment)
    return Response(narrowed(request, [row], RequestDetailShape)[0])


def shown(request: Request, reference: str, status: int = 200) -> Response:
    """Return a request as whoever asks sees it now."""
    found, site = find(request, reference), site_of(request)
    row = whole(found, request, site)
    headers = {"ETag": etag(found.revision)}
    if status == 201:
        headers["Location"] = str(row["url"])
    return Response(narrowed(request, [row], RequestDetailShape)[0], status, headers=headers)


def whole(
    registration_request: RegistrationRequest, request: Request, site: str
) -> dict[str, object]:
    """Return all there is to tell whoever asks of a request."""
    reader = request.user
    verbs = verbs_told(registration_request, reader, site)
    return told.request_told(registration_request, site, reader) | {"verbs": verbs}
