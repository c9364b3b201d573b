"""The caller's webhooks, and the log of their deliveries."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Final

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import DestroyModelMixin, ListModelMixin, RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    clean_form,
)
from registry.api.openapi import make_path_parameter
from registry.api.pagination import KeysetPagination
from registry.api.query_parameters import ListQuerySerializer
from registry.api.views import require_person, validate_input
from registry.api.viewsets import AccountViewSet
from registry.enums import WebhookTopic
from registry.forms.account import WebhookForm
from registry.models import (
    Webhook,
    WebhookDelivery,
)
from registry.notifications import webhooks
from registry.serializers.webhooks import DeliverySerializer, WebhookSerializer

WEBHOOK_ID_PARAMETER: Final = make_path_parameter("id", "The id of the webhook.")
WEBHOOK_ACTS: Final[Mapping[str, Callable[[Webhook], object]]] = {
    "stop": webhooks.stop_webhook,
    "start": webhooks.start_webhook,
    "rotate": lambda hook: webhooks.rotate_secret(hook, seen=hook.secret),
}


class WebhookInputSerializer(InputSerializer):
    """A program's address, and which events it gets."""

    name = FreeTextField()
    url = FreeTextField()
    topic = serializers.ChoiceField(WebhookTopic.choices, required=False)
    subject = FreeTextField()


@extend_schema_view(
    list=extend_schema(
        operation_id="hooks",
        description="Read your webhooks, the newest first.",
        responses=WebhookSerializer(many=True),
    ),
    retrieve=extend_schema(
        operation_id="hook",
        description="Read one of your webhooks.",
        responses=WebhookSerializer,
    ),
    destroy=extend_schema(
        operation_id="hook_remove",
        description="Remove a webhook and its log.",
        responses={204: None},
    ),
)
class WebhookViewSet(ListModelMixin, RetrieveModelMixin, DestroyModelMixin, AccountViewSet):
    """The caller's webhooks."""

    path_parameters = (
        WEBHOOK_ID_PARAMETER,
        make_path_parameter("act", "stop, start, rotate or trial.", OpenApiTypes.STR, "trial"),
    )
    serializer_class = WebhookSerializer
    not_found = gettext_lazy("You have no webhook with that id.")

    def get_queryset(self) -> QuerySet[Webhook]:
        """Return the caller's webhooks."""
        return webhooks.webhooks_of(require_person(self.request))

    def perform_destroy(self, instance: Webhook) -> None:
        """Remove the webhook."""
        webhooks.remove_webhook(instance)

    @extend_schema(
        operation_id="hook_add", request=WebhookInputSerializer, responses=WebhookSerializer
    )
    def create(self, request: Request) -> Response:
        """Add a webhook; only this answer contains its secret."""
        somebody = require_person(request)
        form = WebhookForm({"key": uuid.uuid4(), **validate_input(WebhookInputSerializer, request)})
        clean_form(form)
        hook = webhooks.add_webhook(somebody, **form.asked)
        return Response(WebhookSerializer(hook, context={"with_secret": True}).data, 201)

    @extend_schema(
        operation_id="hook_act",
        request=None,
        responses={200: WebhookSerializer, 202: DeliverySerializer},
    )
    @action(detail=True, methods=["post"], url_path="<str:act>", url_name="act")
    def take_act(self, request: Request, pk: int, act: str) -> Response:
        """Stop or start a webhook, give it a new secret (`rotate`), or send a `trial`.

        The previous secret also signs for one more day. A trial is answered by 202 and its
        delivery, whose result can be read at `Location`.
        """
        if act not in WEBHOOK_ACTS and act != "trial":
            raise Http404(_("Webhooks have no action with this name."))
        hook = self.get_object()
        if act == "trial":
            return make_delivery_response(request, webhooks.send_trial(hook))
        WEBHOOK_ACTS[act](hook)
        hook.refresh_from_db()
        context = {"with_secret": act == "rotate"}
        return Response(WebhookSerializer(hook, context=context).data)


@extend_schema_view(
    list=extend_schema(
        operation_id="hook_deliveries",
        description="Read what a webhook was told in the last 90 days, the newest first.",
        responses=DeliverySerializer(many=True),
    )
)
class DeliveryViewSet(ListModelMixin, AccountViewSet):
    """The log of one webhook."""

    pagination_class = KeysetPagination
    lookup_url_kwarg = "delivery"
    path_parameters = (
        WEBHOOK_ID_PARAMETER,
        make_path_parameter("delivery", "The id of the delivery."),
    )
    query_serializers = {"list": ListQuerySerializer}
    serializer_class = DeliverySerializer
    sort_orders = {"-id": ("-pk",)}
    sort = "-id"
    not_found = gettext_lazy("Your webhook has no delivery with that id.")

    def get_queryset(self) -> QuerySet[WebhookDelivery]:
        """Return the webhook's deliveries."""
        hook = get_webhook_or_404(self.request, self.kwargs["pk"])
        return hook.deliveries.select_related("hook", "event").prefetch_related("tries")

    @extend_schema(operation_id="hook_delivery", responses=DeliverySerializer)
    def retrieve(self, request: Request, pk: int, delivery: int) -> Response:
        """Read one delivery of a webhook, past or pending, and its result."""
        return Response(DeliverySerializer(self.get_object()).data)

    @extend_schema(operation_id="hook_redeliver", request=None, responses={202: DeliverySerializer})
    @action(detail=True, methods=["post"])
    def again(self, request: Request, pk: int, delivery: int) -> Response:
        """Deliver an event again, under the same `webhook-id`."""
        found = self.get_object()
        webhooks.retry_delivery(found)
        found.refresh_from_db()
        return make_delivery_response(request, found)


def get_webhook_or_404(request: Request, pk: int) -> Webhook:
    """Return a webhook of the caller."""
    found = webhooks.webhooks_of(require_person(request)).filter(pk=pk).first()
    if found is None:
        raise Http404(WebhookViewSet.not_found)
    return found


def make_delivery_response(request: Request, delivery: WebhookDelivery) -> Response:
    """Return a pending delivery, and where to read its result."""
    path = reverse("api:delivery-detail", args=[delivery.hook_id, delivery.pk])
    headers = {"Location": request.build_absolute_uri(path)}
    return Response(DeliverySerializer(delivery).data, 202, headers=headers)
