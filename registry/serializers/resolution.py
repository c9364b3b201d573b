"""The JSON of resolution services, their two vocabularies, and locator tables."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from registry.enums import (
    DesignatorStatus,
    KeywordScope,
    ProbeResult,
    TableState,
)
from registry.models import (
    LocatorTable,
    QueryKeyword,
    ResolutionService,
    ServiceDesignator,
)
from registry.serializers.base import (
    OutputSerializer,
    SiteURLField,
    SparseSerializer,
    integer_field,
    nullable_text_field,
    text_field,
    text_list_field,
)


class ServiceSerializer(SparseSerializer[ResolutionService]):
    """A resolution service of a namespace (RFC 2483)."""

    id = integer_field()
    nid = text_field(source="namespace.nid")
    service = text_field("Such as I2L.", source="service_id")
    prefix = nullable_text_field("The beginning of the names that it knows; null for all.")
    assigner = nullable_text_field("Who assigns names that begin so.")
    template = text_field("Its address as a URI template (RFC 6570).")
    next_template = nullable_text_field("The address that takes its place, after some days.")
    next_since = serializers.DateTimeField(allow_null=True, help_text="When that was entered.")
    media_type = nullable_text_field()
    language = nullable_text_field()
    priority = integer_field("The smaller comes first.")
    operator = text_field("Who runs it.")
    source_ = text_field("Source.")
    updated_at = serializers.DateTimeField()
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    probe = serializers.ChoiceField(ProbeResult.choices)
    probed_at = serializers.DateTimeField(allow_null=True)
    probe_note = nullable_text_field("What it said when it was last asked.")
    url = SiteURLField("api:service-detail", "pk")


class DesignatorSerializer(SparseSerializer[ServiceDesignator]):
    """A resolution service designator (draft -03, section 9.2.2)."""

    name = text_field()
    purpose = text_field()
    status = serializers.ChoiceField(DesignatorStatus.choices)
    reference = text_field()
    updated_at = serializers.DateTimeField()


class KeywordSerializer(SparseSerializer[QueryKeyword]):
    """A query keyword (draft -03, section 9.2.1)."""

    keyword = text_field()
    purpose = text_field()
    scope = serializers.ChoiceField(KeywordScope.choices)
    reference = text_field()
    supported_by = serializers.ListField(
        child=text_list_field(), help_text="Pairs of a NID and a reference."
    )
    updated_at = serializers.DateTimeField()


class RefusedLineSerializer(OutputSerializer[dict[str, Any]]):
    """A line that was refused."""

    line = serializers.IntegerField(help_text="Its number; 0 for the file as a whole.")
    what = serializers.CharField(help_text="What is wrong.")
    how = serializers.CharField(help_text="How to mend it.")


class TableSerializer(OutputSerializer[LocatorTable]):
    """A locator table, and the progress of its loading."""

    id = serializers.IntegerField()
    state = serializers.ChoiceField(choices=TableState.choices)
    rows = serializers.IntegerField(help_text="Rows written.")
    rows_read = serializers.IntegerField()
    bytes_read = serializers.IntegerField()
    bytes_given = serializers.IntegerField(allow_null=True)
    refused = serializers.IntegerField(help_text="All refused lines.")
    report = RefusedLineSerializer(many=True, help_text="The first 1,000 of them.")
    sha256 = nullable_text_field("Of the file, once it is in use.")
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class LocatorsSerializer(OutputSerializer[dict[str, LocatorTable | None]]):
    """The table in use; for its keepers also the one being loaded, or the latest."""

    current = TableSerializer(allow_null=True)
    latest = TableSerializer(allow_null=True)
