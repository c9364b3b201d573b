"""Tables of locators: sent whole, loaded by a worker, and looked after until they are in use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, cast

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import APIException, PermissionDenied, UnsupportedMediaType
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from registry import gateway, rules
from registry.api.door import Door, person, refusals_told
from registry.api.parameters import NID
from registry.api.problems import refusals
from registry.api.reading.namespaces import namespace_of
from registry.api.shapes.shape import Shape
from registry.choices import TableState
from registry.models import LocatorTable, Namespace
from registry.pages.told.written import moment

KINDS: Final = {"text/csv": "table.csv", "application/x-ndjson": "table.jsonl"}
TOLD: Final = (
    "state",
    "rows",
    "rows_read",
    "bytes_read",
    "bytes_given",
    "refused",
    "report",
    "sha256",
)
CHUNK: Final = 1 << 20


class TooMuchSent(APIException):
    """The body is longer than a table may be."""

    status_code = 413
    default_code = "too_large"


class RefusedLineShape(Shape):
    """A line that cannot be taken."""

    line = serializers.IntegerField(help_text="Its number; 0 for the file as a whole.")
    what = serializers.CharField(help_text="What is wrong.")
    how = serializers.CharField(help_text="How to mend it.")


class TableShape(Shape):
    """A table of locators, and how far its loading is."""

    id = serializers.IntegerField()
    state = serializers.ChoiceField(choices=TableState.choices)
    rows = serializers.IntegerField(help_text="Rows written.")
    rows_read = serializers.IntegerField()
    bytes_read = serializers.IntegerField()
    bytes_given = serializers.IntegerField(allow_null=True)
    refused = serializers.IntegerField(help_text="All refused lines.")
    report = RefusedLineShape(many=True, help_text="The first 1,000 of them.")
    sha256 = serializers.CharField(allow_blank=True, help_text="Of the file, once it is in use.")
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class LocatorsShape(Shape):
    """The table in use; to those who keep it, the one that is being loaded or came last too."""

    current = TableShape(allow_null=True)
    latest = TableShape(allow_null=True)


class Unread(BaseParser):
    """Leaves the body for whoever takes it in parts."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        """Return nothing."""
        return {}


class LocatorsView(Door):
    """The table of one namespace."""

    parser_classes = [Unread]
    answers_once = False

    @extend_schema(
        operation_id="locators",
        parameters=[NID],
        responses={200: LocatorsShape, **refusals(401, 404)},
    )
    def get(self, request: Request, nid: str) -> Response:
        """Read which table is in use, and how far the one is that was sent last."""
        return told(request, namespace_of(nid))

    @extend_schema(
        operation_id="locators_load",
        parameters=[NID],
        request=dict.fromkeys(KINDS, OpenApiTypes.STR),
        responses={202: LocatorsShape, **refusals(401, 403, 404, 409, 412, 413, 415, 429)},
    )
    def put(self, request: Request, nid: str) -> Response:
        """Send a table, which takes the place of the one in use when all of it is loaded.

        CSV with a name and a locator on each line (`text/csv`), or JSON lines with the members
        `name` and `locator` (`application/x-ndjson`); names in full or as NSSs. The answer comes
        when the file is here: read this address again to see how far it is.
        """
        namespace, kind = kept(request, nid), kind_of(request)
        with refusals_told():
            try:
                path = gateway.keep(body(request))
            except gateway.TooLarge as refusal:
                raise TooMuchSent(str(refusal)) from None
            over = gateway.current_table(namespace)
            gateway.receive(
                namespace, path, actor=person(request), file_name=KINDS[kind], over=over
            )
        return told(request, namespace, status=202)

    @extend_schema(
        operation_id="locators_drop",
        parameters=[NID],
        responses={204: None, **refusals(401, 403, 404, 409, 429)},
    )
    def delete(self, request: Request, nid: str) -> Response:
        """Stop the loading that is under way; without one, take the table in use away."""
        namespace = kept(request, nid)
        under_way = gateway.table_under_way(namespace)
        current = gateway.current_table(namespace)
        with refusals_told():
            if under_way:
                gateway.stop(under_way, actor=person(request))
            elif current:
                gateway.drop(current, actor=person(request))
        return Response(status=204)


def kept(request: Request, nid: str) -> Namespace:
    """Return the namespace, whose locators whoever asks keeps."""
    namespace = namespace_of(nid)
    if not rules.may_keep_services(person(request), namespace):
        raise PermissionDenied(
            _("Locators are kept by delegates of the registrant and by the registrar.")
        )
    return namespace


def kind_of(request: Request) -> str:
    """Return which of the kinds is sent; raise `UnsupportedMediaType` for others."""
    kind = (request.content_type or "").partition(";")[0].strip().lower()
    if kind not in KINDS:
        raise UnsupportedMediaType(request.content_type or "")
    return kind


def body(request: Request) -> Iterator[bytes]:
    """Yield the body in parts, whether or not its length was announced."""
    environ = request.META
    read: Callable[[int], bytes] = request._request.read
    if not environ.get("CONTENT_LENGTH") and environ.get("wsgi.input_terminated"):
        # Django takes a body of unannounced length for none; this server says where it ends.
        read = cast("Callable[[int], bytes]", environ["wsgi.input"].read)
    return iter(partial(read, CHUNK), b"")


def told(request: Request, namespace: Namespace, status: int = 200) -> Response:
    """Return how it stands."""
    may_keep = rules.may_keep_services(request.user, namespace)
    current = gateway.current_table(namespace)
    latest = gateway.tables_of(namespace).first() if may_keep else None
    tables = {"current": current, "latest": latest}
    return Response({name: table and table_told(table) for name, table in tables.items()}, status)


def table_told(table: LocatorTable) -> dict[str, Any]:
    """Return what programs are told of a table."""
    times = {name: moment(getattr(table, name)) for name in ("started_at", "ended_at")}
    return {"id": table.pk} | {name: getattr(table, name) for name in TOLD} | times
