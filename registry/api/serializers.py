"""What the API says of a namespace; a fact that is not known is null, never left out."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from registry.models import Namespace, Registration
from registry.template import Template


class NamespaceSerializer(serializers.ModelSerializer[Namespace]):
    """A namespace as lists show it; expects the queryset `queries.listed`."""

    url = serializers.HyperlinkedIdentityField(
        view_name="api:namespace", lookup_field="nid", lookup_url_kwarg="nid"
    )
    page = serializers.HyperlinkedIdentityField(
        view_name="namespaces:detail", lookup_field="nid", lookup_url_kwarg="nid"
    )
    registrant = serializers.CharField(source="registrant.name", default=None)
    is_reference_verified = serializers.BooleanField()
    is_date_verified = serializers.BooleanField(source="provenance.is_date_verified", default=True)
    version = serializers.IntegerField(allow_null=True)

    class Meta:
        model = Namespace
        fields = [
            "nid",
            "nid_as_registered",
            "kind",
            "informal_number",
            "status",
            "notice",
            "summary",
            "registrant",
            "references",
            "is_reference_verified",
            "registered_on",
            "is_date_verified",
            "version",
            "last_known_version",
            "url",
            "page",
        ]

    def to_representation(self, instance: Namespace) -> dict[str, Any]:
        """Return the facts, empty texts as null."""
        facts: dict[str, Any] = super().to_representation(instance)
        facts["is_date_verified"] = bool(facts["registered_on"]) and facts["is_date_verified"]
        return {name: None if value == "" else value for name, value in facts.items()}


class RegistrationSerializer(serializers.ModelSerializer[Registration]):
    """One published version, with its text field by field."""

    version = serializers.IntegerField(source="number")
    page = serializers.SerializerMethodField()

    class Meta:
        model = Registration
        fields = ["version", "registered_on", "sha256", "page"]

    def get_page(self, registration: Registration) -> str:
        """Return the permanent address of this version."""
        address = registration.get_absolute_url()
        request = self.context.get("request")
        return str(request.build_absolute_uri(address)) if request else address


class PublishedTextSerializer(RegistrationSerializer):
    """A version with the fields of its template, by name."""

    template = serializers.SerializerMethodField()

    class Meta(RegistrationSerializer.Meta):
        fields = [*RegistrationSerializer.Meta.fields, "template"]

    def get_template(self, registration: Registration) -> dict[str, Any]:
        """Return the thirteen fields and what is kept beside Syntax."""
        text: Template = registration.template
        return {name: value or None for name, value in text.to_dict().items()}


class NamespaceDetailSerializer(NamespaceSerializer):
    """A namespace with the text of the version in force and the list of all that are held."""

    current = serializers.SerializerMethodField()
    versions = RegistrationSerializer(source="registrations", many=True)

    class Meta(NamespaceSerializer.Meta):
        fields = [*NamespaceSerializer.Meta.fields, "current", "versions"]

    def get_current(self, namespace: Namespace) -> dict[str, Any] | None:
        """Return the version in force, none while its text is not held here."""
        current = namespace.current
        return (
            None if current is None else PublishedTextSerializer(current, context=self.context).data
        )
