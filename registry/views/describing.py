"""What a name is, and whether two are the same: the services I2C and I=I (RFC 2483, section 4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from registry import desk
from registry.accepting import preferred
from registry.forms.find import inspect_url
from registry.pages.description import Description, describe
from registry.resolution import Known
from registry.urn import URN, URNSyntaxError, parse, uri
from registry.views import resolving
from registry.views.query_parameters import read_uris


def described(request: HttpRequest, urn: URN, known: Known) -> HttpResponse:
    """Describe a name by what the registry knows (a URC): in the form that is wanted most."""
    kind = preferred(resolving.accepted(request), [*FORMS, resolving.HTML]) or resolving.JSON
    if kind == resolving.HTML:
        return redirect(inspect_url(urn.text))
    write, media_type = FORMS[kind]
    return HttpResponse(write(describe(urn, known)), content_type=media_type)


def as_text(description: Description) -> str:
    """Write a description in lines."""
    lines = [f"{label}: {value}" for label, value in description.pairs()]
    return "\n".join(lines) + "\n"


def as_json(description: Description) -> str:
    """Write a description in JSON, which is JSON-LD too."""
    return json.dumps(description.graph(), indent=2) + "\n"


def as_turtle(description: Description) -> str:
    """Write a description in Turtle; what stands in it has no character that must be escaped."""
    statements = (f"    <{prefix}> {value}" for prefix, value in description.statements())
    return f"<{description.urn.text}>\n" + " ;\n".join(statements) + " .\n"


FORMS: Final[Mapping[str, tuple[Callable[[Description], str], str]]] = {
    resolving.JSON: (as_json, "application/json"),
    "application/ld+json": (as_json, "application/ld+json"),
    "text/turtle": (as_turtle, "text/turtle; charset=utf-8"),
    resolving.TEXT: (as_text, "text/plain; charset=utf-8"),
}


def equality(request: HttpRequest, text: str) -> HttpResponse:
    """Say whether two URIs are the same (I=I): `a=` and `b=`, each encoded once.

    Two raw URIs could not be told apart: whatever were written between them can stand in a URN.
    """
    asked = read_uris(request, "a", "b")
    first, second = asked.get("a", ""), asked.get("b", "")
    if not (first and second):
        return resolving.open_to_all(
            resolving.problem(
                "malformed",
                HTTPStatus.BAD_REQUEST,
                _("Two URIs are needed"),
                _("Ask as /uri-res/I=I?a=…&b=…, with each URI encoded once."),
            )
        )
    try:
        told = compared(first, second)
    except (URNSyntaxError, uri.URISyntaxError) as error:
        return resolving.open_to_all(
            resolving.problem("malformed", HTTPStatus.BAD_REQUEST, _("Not a URI"), str(error))
        )
    if preferred(resolving.accepted(request), (resolving.TEXT, resolving.JSON)) == resolving.JSON:
        return resolving.open_to_all(JsonResponse(told))
    words = "true\r\n" if told["equal"] else "false\r\n"
    return resolving.open_to_all(HttpResponse(words, content_type=resolving.TEXT))


def compared(first: str, second: str) -> dict[str, Any]:
    """Return whether two URIs are the same, and by which rule; raise the error of one that is none.

    URNs are compared by RFC 8141, section 3.1 and then by what their namespace declares, all other
    URIs by RFC 3986, section 6.
    """
    for text in (first, second):
        if text[:4].lower() == "urn:":
            parse(text)
    pair = desk.compare(first, second)
    if pair.comparison is None:
        return {
            "a": first,
            "b": second,
            "equal": uri.compare(first, second).is_equal,
            "rule": "RFC 3986, section 6",
        }
    declared = pair.by_namespace
    by_rule = declared if declared and pair.is_merged else None
    return {
        "a": first,
        "b": second,
        "equal": pair.comparison.is_equivalent or by_rule is not None,
        "rule": by_rule.source if by_rule else pair.comparison.rule,
    }
