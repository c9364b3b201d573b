"""Webhooks of whoever asks, and the log of their deliveries."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Final

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    clean_form,
)
from registry.api.openapi import (
    IDEMPOTENCY_KEY_PARAMETER,
    WRITING_PROBLEMS,
    make_path_parameter,
)
from registry.api.pagination import (
    SortKey,
    make_list_serializer,
    make_page_response,
    paginate_queryset,
)
from registry.api.problems import describe_problems
from registry.api.query_parameters import ListQuerySerializer, validate_query
from registry.api.views import (
    AccountAPIView,
    require_person,
    validate_input,
)
from registry.enums import WebhookTopic
from registry.forms.account import WebhookForm
from registry.models import (
    Webhook,
    WebhookDelivery,
)
from registry.notifications import webhooks
from registry.serializers.webhooks import DeliverySerializer, WebhookSerializer

WEBHOOK_ID_PARAMETER: Final = make_path_parameter("id", "The id of the webhook.")
DELIVERY_ID_PARAMETER: Final = make_path_parameter("delivery", "The id of the delivery.")
DELIVERY_ORDERS: Final = {"-id": (SortKey("pk", descends=True),)}


class WebhookInputSerializer(InputSerializer):
    """Where a program listens, and what it is told of."""

    name = FreeTextField()
    url = FreeTextField()
    topic = serializers.ChoiceField(WebhookTopic.choices, required=False)
    subject = FreeTextField()


class WebhooksView(AccountAPIView):
    """The webhooks of whoever asks."""

    @extend_schema(
        operation_id="hooks",
        responses={200: WebhookSerializer(many=True), **describe_problems(401)},
    )
    def get(self, request: Request) -> Response:
        """Read your webhooks, the newest first."""
        hooks = webhooks.webhooks_of(require_person(request))
        return Response(list(WebhookSerializer.serialize_each(hooks)))

    @extend_schema(
        operation_id="hook_add",
        parameters=[IDEMPOTENCY_KEY_PARAMETER],
        request=WebhookInputSerializer,
        responses={201: WebhookSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request) -> Response:
        """Add a webhook; the answer has its secret, which is not told again."""
        somebody = require_person(request)
        form = WebhookForm({"key": uuid.uuid4(), **validate_input(WebhookInputSerializer, request)})
        clean_form(form)
        hook = webhooks.add_webhook(somebody, **form.asked)
        return Response(WebhookSerializer(hook, context={"with_secret": True}).data, 201)


class WebhookView(AccountAPIView):
    """One webhook."""

    @extend_schema(
        operation_id="hook",
        parameters=[WEBHOOK_ID_PARAMETER],
        responses={200: WebhookSerializer, **describe_problems(401, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read one of your webhooks."""
        return Response(WebhookSerializer(get_webhook_or_404(request, pk)).data)

    @extend_schema(
        operation_id="hook_remove",
        parameters=[WEBHOOK_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        responses={204: None, **describe_problems(*WRITING_PROBLEMS)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Remove a webhook and its log."""
        webhooks.remove_webhook(get_webhook_or_404(request, pk))
        return Response(status=204)


class WebhookActView(AccountAPIView):
    """What is done with a webhook."""

    @extend_schema(
        operation_id="hook_act",
        parameters=[
            WEBHOOK_ID_PARAMETER,
            make_path_parameter("act", "stop, start, rotate or trial.", OpenApiTypes.STR),
            IDEMPOTENCY_KEY_PARAMETER,
        ],
        request=None,
        responses={
            200: WebhookSerializer,
            202: DeliverySerializer,
            **describe_problems(*WRITING_PROBLEMS),
        },
    )
    def post(self, request: Request, pk: int, act: str) -> Response:
        """Stop or start a webhook, give it a fresh secret (`rotate`), or send a `trial`.

        The secret before signs as well for a day. A trial is answered by 202 and its delivery,
        which says at `Location` what became of it.
        """
        if act not in WEBHOOK_ACTS and act != "trial":
            raise Http404(_("Nothing of this name can be done with a webhook."))
        hook = get_webhook_or_404(request, pk)
        if act == "trial":
            return make_delivery_response(request, webhooks.send_trial(hook), 202)
        WEBHOOK_ACTS[act](hook)
        hook.refresh_from_db()
        context = {"with_secret": act == "rotate"}
        return Response(WebhookSerializer(hook, context=context).data)


class DeliveriesView(AccountAPIView):
    """The log of one webhook."""

    @extend_schema(
        operation_id="hook_deliveries",
        parameters=[WEBHOOK_ID_PARAMETER, ListQuerySerializer],
        responses={
            200: make_list_serializer(DeliverySerializer),
            **describe_problems(400, 401, 404),
        },
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read what a webhook was told in the last 90 days, the newest first."""
        asked = validate_query(ListQuerySerializer, request)
        part = paginate_queryset(
            list_deliveries(get_webhook_or_404(request, pk)), DELIVERY_ORDERS, asked, "-id"
        )
        return make_page_response(request, part, DeliverySerializer)


class DeliveryView(AccountAPIView):
    """One line of the log."""

    @extend_schema(
        operation_id="hook_delivery",
        parameters=[WEBHOOK_ID_PARAMETER, DELIVERY_ID_PARAMETER],
        responses={200: DeliverySerializer, **describe_problems(401, 404)},
    )
    def get(self, request: Request, pk: int, delivery: int) -> Response:
        """Read one thing that a webhook was told, or is to be, and what came of it."""
        return make_delivery_response(request, get_delivery_or_404(request, pk, delivery))


class RedeliveryView(AccountAPIView):
    """Telling something once more."""

    @extend_schema(
        operation_id="hook_redeliver",
        parameters=[WEBHOOK_ID_PARAMETER, DELIVERY_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=None,
        responses={202: DeliverySerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request, pk: int, delivery: int) -> Response:
        """Have an act told once more, under the same `webhook-id`."""
        found = get_delivery_or_404(request, pk, delivery)
        webhooks.retry_delivery(found)
        found.refresh_from_db()
        return make_delivery_response(request, found, 202)


WEBHOOK_ACTS: Final[Mapping[str, Callable[[Webhook], object]]] = {
    "stop": webhooks.stop_webhook,
    "start": webhooks.start_webhook,
    "rotate": lambda hook: webhooks.rotate_secret(hook, seen=hook.secret),
}


def get_webhook_or_404(request: Request, pk: int) -> Webhook:
    """Return a webhook of whoever asks."""
    found = webhooks.webhooks_of(require_person(request)).filter(pk=pk).first()
    if found is None:
        raise Http404(_("You have no webhook of that id."))
    return found


def list_deliveries(hook: Webhook) -> QuerySet[WebhookDelivery]:
    """Return what a webhook was told."""
    return hook.deliveries.select_related("hook", "event").prefetch_related("tries")


def get_delivery_or_404(request: Request, pk: int, delivery: int) -> WebhookDelivery:
    """Return a delivery to a webhook of whoever asks."""
    found = list_deliveries(get_webhook_or_404(request, pk)).filter(pk=delivery).first()
    if found is None:
        raise Http404(_("Your webhook has no delivery of that id."))
    return found


def make_delivery_response(
    request: Request, delivery: WebhookDelivery, status: int = 200
) -> Response:
    """Return a delivery; of one that is on its way also where to read what comes of it."""
    path = reverse("api:delivery", args=[delivery.hook_id, delivery.pk])
    headers = {"Location": request.build_absolute_uri(path)} if status == 202 else {}
    return Response(DeliverySerializer(delivery).data, status, headers=headers)
