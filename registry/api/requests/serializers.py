"""What programs are told of a request: as lists show it, and with all there is to read."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from registry import queries, rules, workflow
from registry.api.requests import steps
from registry.api.requests.offers import VerbSerializer
from registry.api.requests.seen import (
    EventSerializer,
    MessageSerializer,
    RemarkSerializer,
    RoundSerializer,
    WaitingSerializer,
)
from registry.models import RegistrationRequest
from registry.queries import Waiting
from registry.rules import Person

Told = dict[str, Any]


class RequestSerializer(serializers.ModelSerializer[RegistrationRequest]):
    """A request as lists show it. The context has `waiting`, for whom each waits, by its key."""

    url = serializers.SerializerMethodField()
    page = serializers.SerializerMethodField()
    state_word = serializers.CharField(source="get_state_display")
    organization = serializers.CharField(source="organization.name")
    author = serializers.CharField(source="author.name")
    namespace = serializers.CharField(source="namespace.nid", default=None, allow_null=True)
    waiting = serializers.SerializerMethodField()

    class Meta:
        model = RegistrationRequest
        fields = [
            "reference",
            "nid",
            "summary",
            "change",
            "path",
            "standards_action",
            "state",
            "state_word",
            "state_since",
            "revision",
            "organization",
            "author",
            "namespace",
            "created_at",
            "waiting",
            "url",
            "page",
        ]
        read_only_fields = fields

    @property
    def reader(self) -> Person:
        """Who asks."""
        reader: Person = self.context["request"].user
        return reader

    def get_url(self, registration_request: RegistrationRequest) -> str:
        """Return where programs read it."""
        return self.absolute("api:request", registration_request.slug)

    def get_page(self, registration_request: RegistrationRequest) -> str:
        """Return where people read it."""
        return self.absolute("requests:detail", registration_request.slug)

    @extend_schema_field(WaitingSerializer)
    def get_waiting(self, registration_request: RegistrationRequest) -> Told:
        """Return for whom it waits."""
        waiting: dict[int, Waiting] = self.context["waiting"]
        return WaitingSerializer(waiting[registration_request.pk]).data

    def absolute(self, name: str, *args: object) -> str:
        """Return an address as it is outside."""
        return str(self.context["request"].build_absolute_uri(reverse(name, args=args)))


class LinksSerializer(serializers.Serializer[Any]):
    """Where there is more; null where there is nothing, or nothing for whoever asks."""

    template = serializers.URLField(allow_null=True, help_text="The last round as plain text.")
    draft = serializers.URLField(allow_null=True)
    namespace = serializers.URLField(allow_null=True)
    messages = serializers.URLField()
    remarks = serializers.URLField()
    history = serializers.URLField()
    feed = serializers.URLField()


class RequestDetailSerializer(RequestSerializer):
    """A request with its rounds, what was said and done, and the verbs open to whoever asks."""

    contended_with = serializers.SerializerMethodField()
    reopens = serializers.CharField(source="reopens.reference", default=None, allow_null=True)
    reopened_as = serializers.SerializerMethodField()
    rounds = serializers.SerializerMethodField()
    remarks = serializers.SerializerMethodField()
    messages = serializers.SerializerMethodField()
    events = serializers.SerializerMethodField()
    verbs = serializers.SerializerMethodField()
    links = serializers.SerializerMethodField()

    class Meta(RequestSerializer.Meta):
        fields = [
            *RequestSerializer.Meta.fields,
            "contended_with",
            "reopens",
            "reopened_as",
            "rounds",
            "remarks",
            "messages",
            "events",
            "verbs",
            "links",
        ]
        read_only_fields = fields

    def get_contended_with(self, registration_request: RegistrationRequest) -> list[str]:
        """Return the other live requests for the same NID."""
        return [each.reference for each in queries.rivals_of(registration_request)]

    def get_reopened_as(self, registration_request: RegistrationRequest) -> list[str]:
        """Return the requests that go on from this one, those that the reader may know of."""
        heirs = queries.visible_to(self.reader).filter(reopens=registration_request)
        return list(heirs.order_by("created_at").values_list("reference", flat=True))

    @extend_schema_field(RoundSerializer(many=True))
    def get_rounds(self, registration_request: RegistrationRequest) -> Any:
        """Return what was sent; a draft is nobody's but its writers'."""
        return RoundSerializer(registration_request.rounds.sent(), many=True).data

    @extend_schema_field(RemarkSerializer(many=True))
    def get_remarks(self, registration_request: RegistrationRequest) -> Any:
        """Return the remarks, in the order in which they were made."""
        people = ("round", "author", "answered_by", "answered_in")
        return RemarkSerializer(
            registration_request.remarks.select_related(*people), many=True
        ).data

    @extend_schema_field(MessageSerializer(many=True))
    def get_messages(self, registration_request: RegistrationRequest) -> Any:
        """Return the public discussion."""
        said = registration_request.messages.public().select_related("answers", "hidden_by")
        return MessageSerializer(said, many=True, context=self.context).data

    @extend_schema_field(EventSerializer(many=True))
    def get_events(self, registration_request: RegistrationRequest) -> Any:
        """Return the journal of the request."""
        return EventSerializer(registration_request.events.order_by("number"), many=True).data

    @extend_schema_field(VerbSerializer(many=True))
    def get_verbs(self, registration_request: RegistrationRequest) -> Any:
        """Return the verbs open to the reader."""
        forms: Any = [
            steps.form_of(registration_request, each, self.reader)
            for each in workflow.offers(registration_request, self.reader)
        ]
        return VerbSerializer(forms, many=True, context=self.context).data

    @extend_schema_field(LinksSerializer)
    def get_links(self, registration_request: RegistrationRequest) -> Told:
        """Return where there is more."""
        slug, namespace = registration_request.slug, registration_request.namespace
        may_edit = rules.may_edit(self.reader, registration_request)
        sent = registration_request.rounds.sent().exists()
        return {
            "template": self.absolute("requests:template", slug) if sent else None,
            "draft": self.absolute("api:draft", slug) if may_edit else None,
            "namespace": self.absolute("api:namespace", namespace.nid) if namespace else None,
            "messages": self.absolute("api:messages", slug),
            "remarks": self.absolute("api:remarks", slug),
            "history": self.absolute("requests:history", slug),
            "feed": self.absolute("feeds:request", slug),
        }
