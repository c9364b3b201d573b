"""Webhooks of whoever asks, and the log of what they were told."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry import hooks
from registry.api.asked import ListAsked, asked_with
from registry.api.door import OwnDoor, heard, person
from registry.api.listing import Key, listed, part_of
from registry.api.parameters import KEY, WRITING, in_path
from registry.api.problems import InTheWay, refusals
from registry.api.said import Said, Text, typed
from registry.api.shapes.shape import Shape, line, list_of, maybe, whole
from registry.choices import Topic
from registry.forms.hooks import HookForm
from registry.hooks.acts import NotNow
from registry.hooks.payload import id_of
from registry.models import Hook, HookAttempt, HookDelivery
from registry.pages.told.written import moment

PK: Final = in_path("id", "The id of the webhook.")
DELIVERY: Final = in_path("delivery", "The id of the delivery.")
NEWEST: Final = {"-id": (Key("pk", descends=True),)}


class HookShape(Shape):
    """A webhook."""

    id = whole()
    name = line()
    url = serializers.URLField()
    topic = serializers.ChoiceField(Topic.choices)
    subject = maybe("Of which NID or request it is told, where it is one alone.")
    made_at = serializers.DateTimeField()
    stopped_at = serializers.DateTimeField(allow_null=True)
    secret = serializers.CharField(
        required=False, help_text="What messages are signed with; told when it is made, not later."
    )


class HookSaid(Said):
    """Where a program listens, and what it is told of."""

    name = Text()
    url = Text()
    topic = serializers.ChoiceField(Topic.choices, required=False)
    subject = Text()


class AttemptShape(Shape):
    """One try of a delivery."""

    at = serializers.DateTimeField()
    status = serializers.IntegerField(allow_null=True, help_text="Null where nobody answered.")
    milliseconds = whole()
    note = maybe("What was said, or why there was no answer.")


class DeliveryShape(Shape):
    """What a webhook was told, or is to be."""

    id = whole()
    webhook_id = line("By which a receiver knows the message again.")
    verb = maybe("What was done; null for a trial.")
    number = serializers.IntegerField(allow_null=True, help_text="Of the line of the journal.")
    written_at = serializers.DateTimeField()
    delivered_at = serializers.DateTimeField(allow_null=True)
    given_up_at = serializers.DateTimeField(allow_null=True)
    not_before = serializers.DateTimeField(allow_null=True, help_text="When it is tried again.")
    attempts = AttemptShape(many=True)


class HooksView(OwnDoor):
    """The webhooks of whoever asks."""

    @extend_schema(operation_id="hooks", responses={200: HookShape(many=True), **refusals(401)})
    def get(self, request: Request) -> Response:
        """Read your webhooks, the newest first."""
        return Response([hook_told(each) for each in hooks.hooks_of(person(request))])

    @extend_schema(
        operation_id="hook_add",
        parameters=[KEY],
        request=HookSaid,
        responses={201: HookShape, **refusals(*WRITING)},
    )
    def post(self, request: Request) -> Response:
        """Add a webhook; the answer has its secret, which is not told again."""
        somebody = person(request)
        form = HookForm({"key": uuid.uuid4(), **heard(HookSaid, request)})
        typed(form)
        with reasons_told():
            hook = hooks.add(somebody, **form.asked)
        return Response(hook_told(hook, with_secret=True), 201)


class HookView(OwnDoor):
    """One webhook."""

    @extend_schema(
        operation_id="hook", parameters=[PK], responses={200: HookShape, **refusals(401, 404)}
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read one of your webhooks."""
        return Response(hook_told(mine(request, pk)))

    @extend_schema(
        operation_id="hook_remove",
        parameters=[PK, KEY],
        responses={204: None, **refusals(*WRITING)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Remove a webhook and its log."""
        hooks.remove(mine(request, pk))
        return Response(status=204)


class HookActView(OwnDoor):
    """What is done with a webhook."""

    @extend_schema(
        operation_id="hook_act",
        parameters=[
            PK,
            in_path("act", "stop, start, rotate or trial.", OpenApiTypes.STR),
            KEY,
        ],
        request=None,
        responses={200: HookShape, 202: DeliveryShape, **refusals(*WRITING)},
    )
    def post(self, request: Request, pk: int, act: str) -> Response:
        """Stop or start a webhook, give it a fresh secret (`rotate`), or send a `trial`.

        The secret before signs as well for a day. A trial is answered by 202 and its delivery,
        which says at `Location` what became of it.
        """
        if act not in ACTS and act != "trial":
            raise Http404(_("Nothing of this name can be done with a webhook."))
        hook = mine(request, pk)
        with reasons_told():
            if act == "trial":
                return delivery_shown(request, hooks.try_out(hook), 202)
            ACTS[act](hook)
        hook.refresh_from_db()
        return Response(hook_told(hook, with_secret=act == "rotate"))


class DeliveriesView(OwnDoor):
    """The log of one webhook."""

    @extend_schema(
        operation_id="hook_deliveries",
        parameters=[PK, ListAsked],
        responses={200: list_of(DeliveryShape), **refusals(400, 401, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read what a webhook was told in the last 90 days, the newest first."""
        asked = asked_with(ListAsked, request)
        part = part_of(log_of(mine(request, pk)), NEWEST, asked, "-id")
        return listed(request, part, delivery_told, DeliveryShape)


class DeliveryView(OwnDoor):
    """One line of the log."""

    @extend_schema(
        operation_id="hook_delivery",
        parameters=[PK, DELIVERY],
        responses={200: DeliveryShape, **refusals(401, 404)},
    )
    def get(self, request: Request, pk: int, delivery: int) -> Response:
        """Read one thing that a webhook was told, or is to be, and what came of it."""
        return delivery_shown(request, delivery_of(request, pk, delivery))


class AgainView(OwnDoor):
    """Telling something once more."""

    @extend_schema(
        operation_id="hook_redeliver",
        parameters=[PK, DELIVERY, KEY],
        request=None,
        responses={202: DeliveryShape, **refusals(*WRITING)},
    )
    def post(self, request: Request, pk: int, delivery: int) -> Response:
        """Have an act told once more, under the same `webhook-id`."""
        found = delivery_of(request, pk, delivery)
        with reasons_told():
            hooks.redeliver(found)
        found.refresh_from_db()
        return delivery_shown(request, found, 202)


ACTS: Final[Mapping[str, Callable[[Hook], object]]] = {
    "stop": hooks.stop,
    "start": hooks.start,
    "rotate": lambda hook: hooks.rotate(hook, seen=hook.secret),
}


def mine(request: Request, pk: int) -> Hook:
    """Return a webhook of whoever asks."""
    found = hooks.hooks_of(person(request)).filter(pk=pk).first()
    if found is None:
        raise Http404(_("You have no webhook of that id."))
    return found


def log_of(hook: Hook) -> QuerySet[HookDelivery]:
    """Return what a webhook was told."""
    return hook.deliveries.select_related("hook", "event").prefetch_related("tries")


def delivery_of(request: Request, pk: int, delivery: int) -> HookDelivery:
    """Return a delivery to a webhook of whoever asks."""
    found = log_of(mine(request, pk)).filter(pk=delivery).first()
    if found is None:
        raise Http404(_("Your webhook has no delivery of that id."))
    return found


def delivery_shown(request: Request, delivery: HookDelivery, status: int = 200) -> Response:
    """Return a delivery; of one that is on its way also where to read what comes of it."""
    path = reverse("api:delivery", args=[delivery.hook_id, delivery.pk])
    headers = {"Location": request.build_absolute_uri(path)} if status == 202 else {}
    return Response(delivery_told(delivery), status, headers=headers)


@contextmanager
def reasons_told() -> Iterator[None]:
    """Have what cannot be done now answered by its status, in its own words."""
    try:
        yield
    except NotNow as reason:
        raise InTheWay(str(reason)) from reason


def hook_told(hook: Hook, *, with_secret: bool = False) -> dict[str, Any]:
    """Return a webhook."""
    told = {
        "id": hook.pk,
        "name": hook.name,
        "url": hook.url,
        "topic": hook.topic,
        "subject": hook.subject or None,
        "made_at": moment(hook.made_at),
        "stopped_at": moment(hook.stopped_at),
    }
    return told | ({"secret": hook.secret} if with_secret else {})


def delivery_told(delivery: HookDelivery) -> dict[str, Any]:
    """Return what a webhook was told."""
    event = delivery.event
    return {
        "id": delivery.pk,
        "webhook_id": id_of(delivery),
        "verb": event.verb if event else None,
        "number": event.number if event else None,
        "written_at": moment(delivery.written_at),
        "delivered_at": moment(delivery.delivered_at),
        "given_up_at": moment(delivery.given_up_at),
        "not_before": moment(delivery.not_before),
        "attempts": [attempt_told(each) for each in delivery.tries.all()],
    }


def attempt_told(attempt: HookAttempt) -> dict[str, Any]:
    """Return one try."""
    return {
        "at": moment(attempt.at),
        "status": attempt.status,
        "milliseconds": attempt.milliseconds,
        "note": attempt.note or None,
    }
