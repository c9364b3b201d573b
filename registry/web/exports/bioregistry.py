"""Bioregistry's paths: its web application's responses about prefixes, given for NIDs.

The responses have Bioregistry's shape (bioregistry 0.15), with two exceptions: a name may contain
colons, so the first one ends the prefix; and a name that does not fit is answered with 404.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.urls import reverse

from registry import grammar, selectors
from registry.errors import RegistryError
from registry.exchange.exports.bioregistry import (
    PrefixIndex,
    get_prefix_index,
    make_bioregistry_record,
)
from registry.exchange.exports.entries import NamespaceEntry
from registry.http.cors import allow_any_origin
from registry.http.methods import require_reading
from registry.models import Namespace
from registry.web.exports import views

BIOREGISTRY_FORMATS: Final = ("json",)
ABSENT_MEMBERS: Final[Mapping[str, Any]] = {
    "providers": [],
    "example_extras": [],
    "deprecated": False,
    "mappings": {},
    "synonyms": [],
    "keywords": [],
    "publications": [],
    "appears_in": [],
    "depends_on": [],
    "namespace_in_lui": False,
}
"""Fields that Bioregistry gives for each resource and that namespaces do not have."""

BioregistryView = Callable[..., HttpResponseBase]


class BioregistryRefusal(RegistryError):
    """There is no answer; the detail says why."""

    def __init__(self, status: int, detail: object) -> None:
        super().__init__(str(detail))
        self.status, self.detail = HTTPStatus(status), detail


def answer_in_json(view: Callable[..., object]) -> BioregistryView:
    """Write a view's value as JSON, readable by scripts of any site."""

    @require_reading
    @wraps(view)
    def asked(request: HttpRequest, /, **kwargs: str) -> HttpResponseBase:
        try:
            response = write_bioregistry_json(view(request, **kwargs))
        except BioregistryRefusal as refusal:
            response = write_bioregistry_json({"detail": refusal.detail}, status=refusal.status)
        return allow_any_origin(response)

    return asked


def write_bioregistry_json(value: object, status: int = 200) -> HttpResponseBase:
    """Return a value as a JSON response; a response stays as it is."""
    if isinstance(value, HttpResponseBase):
        return value
    text = {"ensure_ascii": False, "separators": (",", ":")}
    return JsonResponse(value, safe=False, status=status, json_dumps_params=text)


@answer_in_json
def serve_bioregistry_registry(request: HttpRequest) -> object:
    """Every namespace, by prefix."""
    refuse_other_formats(request)
    return views.serve_export_file(request, "bioregistry.json")


@answer_in_json
def serve_bioregistry_resource(request: HttpRequest, prefix: str) -> object:
    """One namespace, with everything Bioregistry says about a resource."""
    nid = load_known_prefixes().named(prefix)
    if nid is None:
        raise BioregistryRefusal(404, f"Prefix not found: {prefix}")
    refuse_other_formats(request)
    return {**ABSENT_MEMBERS, **load_bioregistry_record(nid)}


@answer_in_json
def serve_bioregistry_search(request: HttpRequest) -> object:
    """The prefixes in which `q` occurs, each with the synonym it was found by, if any."""
    return [[nid, ""] for nid in load_known_prefixes().search(read_query_values(request, "q")[-1])]


@answer_in_json
def serve_bioregistry_autocomplete(request: HttpRequest) -> object:
    """Suggestions for somebody who has typed `q` so far."""
    typed = read_query_values(request, "q")[-1]
    prefix, colon, identifier = typed.partition(":")
    return judge_identifier(typed, prefix, identifier) if colon else complete_prefix(typed)


@answer_in_json
def serve_bioregistry_context(request: HttpRequest) -> object:
    """A JSON-LD context of the requested prefixes, leaving out unregistered ones."""
    asked = [prefix for some in read_query_values(request, "prefix") for prefix in some.split(",")]
    nids = [load_known_prefixes().named(prefix.strip()) for prefix in asked]
    return {"@context": {nid: f"urn:{nid}:" for nid in nids if nid}}


@answer_in_json
def serve_bioregistry_reference(request: HttpRequest, prefix: str, identifier: str) -> object:
    """Where the name is known: as a URN, and at this registry's resolver."""
    nid = load_known_prefixes().named(prefix)
    if nid is None:
        raise BioregistryRefusal(404, f"invalid prefix: {prefix}")
    pattern = load_bioregistry_record(nid).get("pattern")
    if not is_identifier_allowed(identifier, pattern):
        raise BioregistryRefusal(
            404, f"invalid identifier: {nid}:{identifier} for pattern {pattern}"
        )
    refuse_other_formats(request, status=404)
    urn = f"urn:{nid}:{identifier}"
    return {
        "query": {"prefix": nid, "identifier": identifier},
        "providers": {"default": urn, "registry": f"{settings.SITE}/resolve/{urn}"},
    }


def load_known_prefixes() -> PrefixIndex:
    return get_prefix_index(selectors.find_registry_version())


def load_bioregistry_record(nid: str) -> dict[str, Any]:
    namespace = Namespace.objects.for_lists().get(nid=nid)
    entry = NamespaceEntry(namespace, tuple(namespace.registrations.all()[:1]))
    services = list(namespace.services.in_use().order_by("priority", "pk"))
    return make_bioregistry_record(entry, settings.SITE, services)


def complete_prefix(typed: str) -> dict[str, Any]:
    """Return the prefixes that begin with, or contain, what was typed."""
    is_known = typed in load_known_prefixes().by_folded.values()
    return {
        "query": typed,
        "results": [[nid, ""] for nid in load_known_prefixes().search(typed)],
        "success": True,
        "reason": "matched prefix" if is_known else "searched prefix",
        "url": reverse("namespaces:detail", args=[typed]) if is_known else None,
    }


def judge_identifier(typed: str, prefix: str, identifier: str) -> dict[str, Any]:
    """Return whether a full name is valid."""
    said = {"query": typed, "prefix": prefix}
    nid = load_known_prefixes().named(prefix)
    if nid is None:
        return said | {"identifier": identifier, "success": False, "reason": "bad prefix"}
    pattern = load_bioregistry_record(nid).get("pattern")
    success = is_identifier_allowed(identifier, pattern)
    passed = "passed validation" if success else "failed validation"
    return said | {
        "pattern": pattern,
        "identifier": identifier,
        "success": success,
        "reason": passed if pattern else "no pattern",
        "url": f"/resolve/urn:{nid}:{identifier}" if success else None,
    }


def is_identifier_allowed(identifier: str, pattern: str | None) -> bool:
    """Whether a name matches the expression, as far as that can be decided."""
    if pattern is None:
        return True
    rule = grammar.read(pattern.removeprefix("^").removesuffix("$"), "regex")
    return rule.matches_nss(identifier).answer is not grammar.Answer.NO


def read_query_values(request: HttpRequest, name: str) -> list[str]:
    """Return the values of `name` in the query, which must be there."""
    found = request.GET.getlist(name)
    if not found:
        missing = {"type": "missing", "loc": ["query", name], "msg": "Field required"}
        raise BioregistryRefusal(422, [missing | {"input": None}])
    return found


def refuse_other_formats(request: HttpRequest, status: int = 400) -> None:
    """Raise `BioregistryRefusal` if another format is wanted; other addresses have those."""
    wanted = request.GET.get("format", BIOREGISTRY_FORMATS[0])
    if wanted not in BIOREGISTRY_FORMATS:
        told = f"bad query parameter format={wanted}. Should be one of {list(BIOREGISTRY_FORMATS)}"
        raise BioregistryRefusal(status, told if status == 400 else f"invalid format: {wanted}")
