"""The transparency log: its head, and proofs of inclusion and of consistency."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.problems import describe_problems
from registry.api.views import RegistryAPIView
from registry.http.cache import FOR_EVER, NO_STORE
from registry.selectors.transparency_log import (
    PublishedHead,
    find_published_head,
    find_published_key,
    prove_entry,
    prove_growth,
)
from registry.transparency.merkle import hash_leaf


class LogHeadSerializer(serializers.Serializer[Any]):
    """The signed head of the log."""

    origin = serializers.CharField(help_text="The name of the log.")
    size = serializers.IntegerField(help_text="How many entries it has.")
    root_hash = serializers.CharField(help_text="Of their tree, in hexadecimal.")
    published_at = serializers.DateTimeField()
    key = serializers.CharField(help_text="By which the head is verified: NAME+ID+KEY.")
    checkpoint = serializers.CharField(help_text="The signed note (c2sp.org/tlog-checkpoint).")


class LogEntrySerializer(serializers.Serializer[Any]):
    """An entry, and the proof that the head includes it (RFC 9162, section 2.1.3)."""

    number = serializers.IntegerField()
    entry = serializers.CharField(help_text="Canonical JSON (RFC 8785).")
    leaf = serializers.CharField(help_text="Its hash, in hexadecimal.")
    path = serializers.ListField(
        child=serializers.CharField(), help_text="From the sibling of the leaf up to the root."
    )
    head = LogHeadSerializer()


class LogGrowthSerializer(serializers.Serializer[Any]):
    """The proof that the log was only appended to (RFC 9162, section 2.1.4)."""

    first = serializers.IntegerField()
    second = serializers.IntegerField()
    first_root = serializers.CharField()
    second_root = serializers.CharField()
    path = serializers.ListField(child=serializers.CharField())


def find_head_or_404() -> PublishedHead:
    """Return the head; raise `Http404` while there is none."""
    if published := find_published_head():
        return published
    raise Http404(_("No head has been signed yet."))


def serialize_head(published: PublishedHead) -> dict[str, Any]:
    return {
        "origin": published.head.origin,
        "size": published.head.size,
        "root_hash": published.head.root.hex(),
        "published_at": published.published_at,
        "key": find_published_key(),
        "checkpoint": str(published.note),
    }


def respond_now(told: dict[str, Any]) -> Response:
    """Return the current value, uncached: heads change while the registry does not."""
    return Response(told, headers={"Cache-Control": NO_STORE})


class LogView(RegistryAPIView):
    """The log."""

    @extend_schema(operation_id="log", responses={200: LogHeadSerializer, **describe_problems(404)})
    def get(self, request: Request) -> Response:
        """Read the head of the transparency log."""
        return respond_now(serialize_head(find_head_or_404()))


class LogEntryView(RegistryAPIView):
    """An entry of the log."""

    @extend_schema(operation_id="log_entry", responses=LogEntrySerializer)
    def get(self, request: Request, number: int) -> Response:
        """Read an entry of the log, with the proof that the head includes it."""
        published = find_head_or_404()
        proof = prove_entry(published, number)
        if proof is None:
            raise Http404(_("The head of the log does not have this entry yet."))
        entry_data = {
            "number": number,
            "entry": proof.extra.decode(),
            "leaf": hash_leaf(proof.extra).hex(),
            "path": [each.hex() for each in proof.path],
            "head": serialize_head(published),
        }
        # A later head makes another proof, but this one remains as good.
        return Response(entry_data, headers={"Cache-Control": FOR_EVER})


class LogGrowthView(RegistryAPIView):
    """How two sizes of the log are related."""

    @extend_schema(operation_id="log_consistency", responses=LogGrowthSerializer)
    def get(self, request: Request, first: int, second: int) -> Response:
        """Read the proof that the log of the second size only appends to that of the first."""
        proof = prove_growth(find_head_or_404(), first, second)
        if proof is None:
            raise Http404(_("The log is shorter, or the second size is not the larger one."))
        return respond_now(
            {
                "first": first,
                "second": second,
                "first_root": proof.first_root.hex(),
                "second_root": proof.second_root.hex(),
                "path": [each.hex() for each in proof.path],
            }
        )
