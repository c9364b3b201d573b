"""Bioregistry's paths: what its web application answers about prefixes, answered about NIDs.

Answers have its shape (bioregistry 0.15). In two things it is not followed: a name may have
colons, so that the first one ends the prefix; and a name that does not fit is answered with 404.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from registry import grammar, queries
from registry.exports.entries import Entry
from registry.exports.lookup import Prefixes, prefixes
from registry.exports.prefixes import record
from registry.models import Namespace
from registry.views import exports

FORMATS: Final = ("json",)
ABSENT: Final[Mapping[str, Any]] = {
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
"""What Bioregistry says of each resource, and nobody says of a namespace."""

View = Callable[..., HttpResponseBase]


class NotAnswered(Exception):
    """There is no answer; why not is in its detail."""

    def __init__(self, status: int, detail: object) -> None:
        super().__init__(status, detail)
        self.status, self.detail = status, detail


def answered(view: Callable[..., object]) -> View:
    """Have a view's value written as JSON, for scripts of any site."""

    @require_safe
    @wraps(view)
    def asked(request: HttpRequest, **kwargs: str) -> HttpResponseBase:
        try:
            response = written(view(request, **kwargs))
        except NotAnswered as refusal:
            response = written({"detail": refusal.detail}, status=refusal.status)
        response.headers["Access-Control-Allow-Origin"] = "*"
        return response

    return asked


def written(value: object, status: int = 200) -> HttpResponseBase:
    """Return a value as JSON; what is a response already stays as it is."""
    if isinstance(value, HttpResponseBase):
        return value
    text = {"ensure_ascii": False, "separators": (",", ":")}
    return JsonResponse(value, safe=False, status=status, json_dumps_params=text)


@answered
def registry(request: HttpRequest) -> object:
    """Every namespace, by prefix."""
    refuse_formats(request)
    return exports.file(request, "bioregistry.json")


@answered
def resource(request: HttpRequest, prefix: str) -> object:
    """One namespace, with all that Bioregistry says of a resource."""
    nid = known().named(prefix)
    if nid is None:
        raise NotAnswered(404, f"Prefix not found: {prefix}")
    refuse_formats(request)
    return {**ABSENT, **facts_of(nid)}


@answered
def search(request: HttpRequest) -> object:
    """The prefixes in which `q` occurs; each with the synonym that it was found by, if it was."""
    return [[nid, ""] for nid in known().search(given(request, "q")[-1])]


@answered
def autocomplete(request: HttpRequest) -> object:
    """What somebody may mean who has typed `q` so far."""
    typed = given(request, "q")[-1]
    prefix, colon, identifier = typed.partition(":")
    return judged(typed, prefix, identifier) if colon else completed(typed)


@answered
def context(request: HttpRequest) -> object:
    """A JSON-LD context of the prefixes asked for; those that nobody registered are left out."""
    asked = [prefix for some in given(request, "prefix") for prefix in some.split(",")]
    nids = [known().named(prefix.strip()) for prefix in asked]
    return {"@context": {nid: f"urn:{nid}:" for nid in nids if nid}}


@answered
def reference(request: HttpRequest, prefix: str, identifier: str) -> object:
    """Where the name is known: as a URN, and by the resolver of this registry."""
    nid = known().named(prefix)
    if nid is None:
        raise NotAnswered(404, f"invalid prefix: {prefix}")
    pattern = facts_of(nid).get("pattern")
    if not fits(identifier, pattern):
        raise NotAnswered(404, f"invalid identifier: {nid}:{identifier} for pattern {pattern}")
    refuse_formats(request, status=404)
    urn = f"urn:{nid}:{identifier}"
    return {
        "query": {"prefix": nid, "identifier": identifier},
        "providers": {"default": urn, "registry": f"{settings.SITE}/resolve/{urn}"},
    }


def known() -> Prefixes:
    """Return the prefixes there are now."""
    return prefixes(queries.registry_version())


def facts_of(nid: str) -> dict[str, Any]:
    """Return the record of a registered namespace."""
    namespace = Namespace.objects.for_lists().get(nid=nid)
    return record(Entry(namespace, tuple(namespace.registrations.all()[:1])), settings.SITE)


def completed(typed: str) -> dict[str, Any]:
    """Return the prefixes that begin with, or have, what was typed."""
    is_known = typed in known().by_folded.values()
    return {
        "query": typed,
        "results": [[nid, ""] for nid in known().search(typed)],
        "success": True,
        "reason": "matched prefix" if is_known else "searched prefix",
        "url": reverse("namespaces:detail", args=[typed]) if is_known else None,
    }


def judged(typed: str, prefix: str, identifier: str) -> dict[str, Any]:
    """Return whether a name in full is one."""
    said = {"query": typed, "prefix": prefix}
    nid = known().named(prefix)
    if nid is None:
        return said | {"identifier": identifier, "success": False, "reason": "bad prefix"}
    pattern = facts_of(nid).get("pattern")
    success = fits(identifier, pattern)
    passed = "passed validation" if success else "failed validation"
    return said | {
        "pattern": pattern,
        "identifier": identifier,
        "success": success,
        "reason": passed if pattern else "no pattern",
        "url": f"/resolve/urn:{nid}:{identifier}" if success else None,
    }


def fits(identifier: str, pattern: str | None) -> bool:
    """Whether a name follows the expression, as far as that is decided."""
    if pattern is None:
        return True
    rule = grammar.read(pattern.removeprefix("^").removesuffix("$"), "regex")
    return rule.matches(identifier).answer is not grammar.Answer.NO


def given(request: HttpRequest, name: str) -> list[str]:
    """Return what the address says under `name`; an address has to say it."""
    found = request.GET.getlist(name)
    if not found:
        missing = {"type": "missing", "loc": ["query", name], "msg": "Field required"}
        raise NotAnswered(422, [missing | {"input": None}])
    return found


def refuse_formats(request: HttpRequest, status: int = 400) -> None:
    """Raise `NotAnswered` where another format is wanted; the site has those at other places."""
    wanted = request.GET.get("format", FORMATS[0])
    if wanted not in FORMATS:
        told = f"bad query parameter format={wanted}. Should be one of {list(FORMATS)}"
        raise NotAnswered(status, told if status == 400 else f"invalid format: {wanted}")
