"""The JSON of webhooks, and of the log of their deliveries."""

from __future__ import annotations

from rest_framework import serializers

from registry.enums import WebhookTopic
from registry.models import Webhook, WebhookAttempt, WebhookDelivery
from registry.notifications.webhooks import build_webhook_id
from registry.serializers.base import (
    OutputSerializer,
    SparseSerializer,
    integer_field,
    nullable_text_field,
    text_field,
)


class WebhookSerializer(OutputSerializer[Webhook]):
    """A webhook."""

    id = integer_field()
    name = text_field()
    url = serializers.URLField()
    topic = serializers.ChoiceField(WebhookTopic.choices)
    subject = nullable_text_field("Of which NID or request it is told, where it is one alone.")
    made_at = serializers.DateTimeField()
    stopped_at = serializers.DateTimeField(allow_null=True)
    secret = serializers.CharField(
        required=False, help_text="What messages are signed with; told when it is made, not later."
    )

    def is_wanted(self, name: str) -> bool:
        """Whether a member belongs in the output: the secret only if `context` says so."""
        return name != "secret" or bool(self.context.get("with_secret"))


class AttemptSerializer(OutputSerializer[WebhookAttempt]):
    """One attempt of a delivery."""

    at = serializers.DateTimeField()
    status = serializers.IntegerField(allow_null=True, help_text="Null where nobody answered.")
    milliseconds = integer_field()
    note = nullable_text_field("What was said, or why there was no answer.")


class DeliverySerializer(SparseSerializer[WebhookDelivery]):
    """A past or pending delivery to a webhook."""

    id = integer_field()
    webhook_id = serializers.SerializerMethodField(
        help_text="By which a receiver knows the message again."
    )
    verb = nullable_text_field("What was done; null for a trial.", source="event.verb")
    number = serializers.IntegerField(
        allow_null=True, help_text="Of the line of the journal.", source="event.number"
    )
    written_at = serializers.DateTimeField()
    delivered_at = serializers.DateTimeField(allow_null=True)
    given_up_at = serializers.DateTimeField(allow_null=True)
    not_before = serializers.DateTimeField(allow_null=True, help_text="When it is tried again.")
    attempts = AttemptSerializer(many=True, source="tries.all")

    def get_webhook_id(self, delivery: WebhookDelivery) -> str:
        """Return the id that its messages carry."""
        return build_webhook_id(delivery)
