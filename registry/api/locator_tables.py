"""Locator tables: uploaded whole, loaded by a worker, and observable until they are in use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, cast

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied, UnsupportedMediaType
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.api.namespaces import get_namespace_or_404
from registry.api.problems import describe_problems
from registry.api.views import (
    RegistryAPIView,
    require_person,
)
from registry.exchange import locator_tables
from registry.models import Namespace
from registry.serializers.resolution import LocatorsSerializer

FILE_NAMES_BY_MEDIA_TYPE: Final = {"text/csv": "table.csv", "application/x-ndjson": "table.jsonl"}
READ_CHUNK_BYTES: Final = 1 << 20


class UnreadBodyParser(BaseParser):
    """Leaves the body unread, for a view that reads it in chunks."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        return {}


class LocatorsView(RegistryAPIView):
    """The table of one namespace."""

    parser_classes = [UnreadBodyParser]
    answers_once = False

    @extend_schema(operation_id="locators", responses=LocatorsSerializer)
    def get(self, request: Request, nid: str) -> Response:
        """Read which table is in use, and the progress of the latest upload."""
        return make_locators_response(request, get_namespace_or_404(nid))

    @extend_schema(
        operation_id="locators_load",
        request=dict.fromkeys(FILE_NAMES_BY_MEDIA_TYPE, OpenApiTypes.STR),
        responses={202: LocatorsSerializer, **describe_problems(412, 413, 415)},
    )
    def put(self, request: Request, nid: str) -> Response:
        """Upload a table, which replaces the current one once it is fully loaded.

        CSV with a name and a locator on each line (`text/csv`), or JSON lines with the members
        `name` and `locator` (`application/x-ndjson`); names in full or as NSSs. The response comes
        when the upload is complete: read this address again to follow the loading.
        """
        namespace, kind = get_namespace_for_keeper(request, nid), read_table_media_type(request)
        path = locator_tables.store_upload(read_body_in_chunks(request))
        over = locator_tables.find_current_table(namespace)
        locator_tables.receive_upload(
            namespace,
            path,
            actor=require_person(request),
            file_name=FILE_NAMES_BY_MEDIA_TYPE[kind],
            over=over,
        )
        return make_locators_response(request, namespace, status=202)

    @extend_schema(operation_id="locators_drop", responses={204: None})
    def delete(self, request: Request, nid: str) -> Response:
        """Stop the current loading; if there is none, take the table out of use."""
        namespace = get_namespace_for_keeper(request, nid)
        under_way = locator_tables.find_table_under_way(namespace)
        current = locator_tables.find_current_table(namespace)
        if under_way:
            locator_tables.stop_table(under_way, actor=require_person(request))
        elif current:
            locator_tables.drop_table(current, actor=require_person(request))
        return Response(status=204)


def get_namespace_for_keeper(request: Request, nid: str) -> Namespace:
    """Return the namespace, if the caller keeps its locators."""
    namespace = get_namespace_or_404(nid)
    if not permissions.may_manage_services(require_person(request), namespace):
        raise PermissionDenied(
            _("Only delegates of the registrant and the registrar can change locators.")
        )
    return namespace


def read_table_media_type(request: Request) -> str:
    """Return the media type sent; raise `UnsupportedMediaType` for unsupported ones."""
    kind = (request.content_type or "").partition(";")[0].strip().lower()
    if kind not in FILE_NAMES_BY_MEDIA_TYPE:
        raise UnsupportedMediaType(request.content_type or "")
    return kind


def read_body_in_chunks(request: Request) -> Iterator[bytes]:
    """Yield the body in chunks, whether or not its length was announced."""
    environ = request.META
    read: Callable[[int], bytes] = request._request.read
    if not environ.get("CONTENT_LENGTH") and environ.get("wsgi.input_terminated"):
        # Django takes a body without a length for empty; this server says where it ends.
        read = cast("Callable[[int], bytes]", environ["wsgi.input"].read)
    return iter(partial(read, READ_CHUNK_BYTES), b"")


def make_locators_response(request: Request, namespace: Namespace, status: int = 200) -> Response:
    """Return the current state."""
    may_keep = permissions.may_manage_services(request.user, namespace)
    current = locator_tables.find_current_table(namespace)
    latest = locator_tables.list_tables(namespace).first() if may_keep else None
    tables = {"current": current, "latest": latest}
    return Response(LocatorsSerializer(tables).data, status)
