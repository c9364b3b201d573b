"""The API's pages for people, and its entry points for programs."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api import deprecations
from registry.api.query_parameters import QuerySerializer, validate_query
from registry.api.throttling import WritingThrottle
from registry.api.views import RegistryAPIView, get_site_url
from registry.content_negotiation import JSON_LD
from registry.http.cors import open_to_all_sites
from registry.http.formats import Link, add_links, join_links, negotiate_addresses
from registry.http.methods import require_reading
from registry.http.negotiation import HTML, LINKSET
from registry.http.problems import PROBLEM_KINDS
from registry.serializers.base import OutputSerializer, text_field

OPENAPI_MEDIA_TYPE: Final = "application/vnd.oai.openapi+json"
API_PARTS: Final[dict[str, str | Promise]] = {
    "namespaces": _("Namespaces"),
    "requests": _("Requests"),
    "services": _("Resolution services"),
    "urn": _("Questions about URNs"),
    "enquiries": _("Enquiries"),
    "entry-faults": _("What is wrong with entries"),
    "held-nids": _("NIDs held back"),
}
"""The parts of the API in the order of the page; unlisted ones come last."""


class APIRootSerializer(OutputSerializer[Any]):
    """The API's entry points."""

    version = text_field("Of the API.")
    resources = serializers.DictField(
        child=serializers.URLField(), help_text="Addresses by name; a name in braces is left out."
    )
    description = serializers.URLField(help_text="In OpenAPI 3.1.")
    documentation = serializers.URLField(help_text="For people.")
    problems = serializers.URLField(help_text="What refusals mean.")


@dataclass(slots=True)
class APIAddress:
    """An address, what each method does there, and whether it can be opened as it is."""

    path: str
    operations: list[tuple[str, str]] = field(default_factory=list)
    is_plain: bool = False

    @property
    def parts(self) -> list[str]:
        """The address in parts between which a line may break."""
        return [f"{part}/" for part in self.path.split("/")[:-1]]


API_BY_MEDIA_TYPE: Final = {
    "application/json": ("api:root",),
    OPENAPI_MEDIA_TYPE: ("api:schema",),
}
"""What points programs to the API, by media type."""


@require_safe
@negotiate_addresses(API_BY_MEDIA_TYPE)
def show_api_index(request: HttpRequest) -> HttpResponse:
    parts = [
        (tag, API_PARTS.get(tag, tag.capitalize()), rows)
        for tag, rows in list_api_addresses().items()
    ]
    return render(request, "api/index.html", {"parts": parts})


class APIRootView(RegistryAPIView):
    """The API root: what there is to read, and where it is described."""

    @extend_schema(
        operation_id="index",
        tags=["index"],
        responses=APIRootSerializer,
    )
    def get(self, request: Request) -> Response:
        """Read all addresses that can be read, and those of their descriptions."""
        validate_query(QuerySerializer, request)
        site = get_site_url(request)
        return Response(
            {
                "version": settings.SPECTACULAR_SETTINGS["VERSION"],
                "resources": {
                    name: site + path for name, path in sorted(list_root_paths().items())
                },
                "description": site + reverse("api:schema"),
                "documentation": site + reverse("api:index"),
                "problems": site + reverse("api:problems"),
            },
            headers={"Link": join_links(list_service_links())},
        )


def list_service_links() -> list[Link]:
    """Return links to the API's descriptions for machines and people (RFC 8631)."""
    return [
        Link(reverse("api:schema"), "service-desc", OPENAPI_MEDIA_TYPE),
        Link(reverse("api:index"), "service-doc", HTML),
        Link(reverse("api:versions"), "service-meta", HTML),
        Link(reverse("api_catalog"), "api-catalog", LINKSET),
    ]


@dataclass(frozen=True, slots=True)
class APIChange:
    """What changed for programs on a day."""

    on: datetime.date
    words: str | Promise


API_CHANGES: Final = (
    APIChange(
        datetime.date(2026, 11, 23),
        _(
            "New: text_licence of rounds, of versions, and of the verbs submit and revise, by "
            "which one agrees to it; terms of imported records."
        ),
    ),
    APIChange(
        datetime.date(2026, 11, 23),
        _(
            "Problems have a type for each kind. Names of operations that read begin with list_ or "
            "read_. New: /api/v1/, /api/v1/urn/resolve/, registrant and nid for lists of "
            "namespaces, organization for lists of requests, RateLimit fields, Bearer. An empty "
            "follow is refused; what is not known of a resolved address is null, no longer empty."
        ),
    ),
    APIChange(
        datetime.date(2026, 11, 23),
        _(
            "No text of an answer is empty: what is not known is null, such as late and alarm of "
            "waiting, quote and answer of remarks, section of findings, obstacle of verbs. "
            "Sentences in detail and errors are ours throughout; match type instead. New: "
            "reference for lists of requests, id for those of organizations, and "
            "application/x-ndjson for these and namespaces. "
            "A message is published a minute after it was sent: the answer is 202 meanwhile, and "
            "DELETE takes it back. Approving or reporting with open checklist questions needs "
            "“unanswered”, a word on why they stay open."
        ),
    ),
)
"""Newest first. Anything taken away from programs is announced here beforehand."""


@require_safe
def show_api_versions(request: HttpRequest) -> HttpResponse:
    """Say what programs can rely on, how often they may call, and what has changed."""
    context = {
        "changes": API_CHANGES,
        "deprecated": deprecations.DEPRECATED_OPERATIONS,
        "writes": WritingThrottle().num_requests,
        "check_seconds": settings.REGISTRY_CHECK_SECONDS_PER_MINUTE,
    }
    return render(request, "api/versions.html", context)


API_CATALOG_PROFILE: Final = "https://www.rfc-editor.org/info/rfc9727"


@require_reading
@open_to_all_sites
def serve_api_catalog(request: HttpRequest) -> HttpResponse:
    """Return where the site's APIs are (RFC 9727, section 4)."""
    site = settings.SITE
    apis = {
        reverse("api:root"): {
            "service-desc": (reverse("api:schema"), OPENAPI_MEDIA_TYPE),
            "service-doc": (reverse("api:index"), HTML),
            "service-meta": (reverse("api:versions"), HTML),
        },
        reverse("resolve:index"): {"service-doc": (reverse("resolve:index"), HTML)},
        reverse("exports:index"): {
            "service-desc": (reverse("exports:file", args=["catalogue.jsonld"]), JSON_LD),
            "service-doc": (reverse("guide:section", args=["programs"]), HTML),
        },
    }
    catalog = {
        "anchor": site + reverse("api_catalog"),
        "item": [{"href": site + api} for api in apis],
    }
    described = [
        {"anchor": site + api}
        | {name: [{"href": site + path, "type": kind}] for name, (path, kind) in links.items()}
        for api, links in apis.items()
    ]
    response = JsonResponse(
        {"linkset": [catalog, *described]},
        content_type=f'{LINKSET}; profile="{API_CATALOG_PROFILE}"',
    )
    # RFC 9727, section 2: HEAD is answered with the relation.
    add_links(response, [Link(reverse("api_catalog"), "api-catalog")])
    return response


@cache
def list_root_paths() -> dict[str, str]:
    """Return every path that needs no parameters, by name: `urn/parse` and so on.

    Computed once, from the description: the API does not change while the server runs.
    """
    root = reverse("api:root")
    return {
        address.path.removeprefix(root).strip("/"): address.path
        for rows in list_api_addresses().values()
        for address in rows
        if "{" not in address.path and address.path != root
    }


@require_safe
def show_problem_kinds(request: HttpRequest) -> HttpResponse:
    """Explain each kind of refusal, and what to do about it."""
    return render(request, "api/problems.html", {"kinds": PROBLEM_KINDS.values()})


@cache
def list_api_addresses() -> dict[str, list[APIAddress]]:
    """Return every address by its part of the API, as the OpenAPI description has them.

    Computed once: the API does not change while the server runs.
    """
    described: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    found: dict[str, list[APIAddress]] = {tag: [] for tag in API_PARTS}
    for path, operations in described["paths"].items():
        address = APIAddress(path)
        for method, told in operations.items():
            address.operations.append((method.upper(), shorten_description(told["description"])))
        address.is_plain = "{" not in path and is_readable_address(operations.get("get"))
        found.setdefault(told["tags"][0], []).append(address)
    return {tag: rows for tag, rows in found.items() if rows}


def is_readable_address(reading: dict[str, Any] | None) -> bool:
    """Whether anyone can read the address without parameters."""
    if reading is None or {} not in reading.get("security", [{}]):
        return False
    return not any(each.get("required") for each in reading.get("parameters", []))


def shorten_description(description: str) -> str:
    """Return the first paragraph of an operation's description as plain text."""
    return " ".join(description.partition("\n\n")[0].replace("`", "").split())
