"""Completes the OpenAPI description: the API as a whole, and what all operations share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.api.examples import add_examples
from registry.http.problems import KINDS_BY_STATUS, PROBLEM_MEDIA_TYPE
from registry.licences import get_data_licence, get_text_licence

Described = dict[str, Any]

WEBHOOKS_TAG: Final = "webhooks"
"""A tag of its own: generators that write one file per tag would overwrite another tag's file."""
TAG_DESCRIPTIONS: Final[Mapping[str, str | Promise]] = {
    "index": _("Where to begin."),
    "namespaces": _("Registered namespaces, their versions, records, services and disputes."),
    "requests": _("Requests for namespaces, from the first draft to the register."),
    "services": _("Where names of a namespace are resolved."),
    "urn": _("Questions about URNs and other URIs, which need no account."),
    "organizations": _("Registrant bodies, and who acts for them."),
    "events": _("What happened, as the journal has it."),
    "enquiries": _("Questions to the experts and the registrar, such as before a draft."),
    "entry-faults": _("Problems with entries, for the registrar."),
    "held-nids": _("Identifiers that are held back, and appeals."),
    "query-keywords": _("The registry of query keywords."),
    "service-designators": _("The registry of service designators."),
    "sightings": _("Identifiers in use without registration."),
    "experts": _("Designated experts and how much they have in hand."),
    "figures": _("How long requests take."),
    "iana": _("What IANA's list says otherwise, for the registrar."),
    "proofs": _("Proofs of acting for an organization."),
    "speakers": _("Who speaks for organizations and namespaces."),
    "publications": _("Several requests of one document, published together."),
    "recognitions": _("Organizations that ask for the fast track."),
    "templates": _("Templates read out of pasted texts."),
    "account": _("What belongs to you: tokens, webhooks, follows, absences."),
    WEBHOOKS_TAG: _("What the registry posts to your programs."),
}
STRING: Final = {"type": "string"}
INTEGER: Final = {"type": "integer"}
URL: Final = {"type": "string", "format": "uri"}
HEADERS: Final[Mapping[str, tuple[str, Described, object]]] = {
    "ETag": ("What If-Match and If-None-Match name.", STRING, '"5-3f2a"'),
    "Link": ("The neighbours of a part of a list (RFC 8288).", STRING, '<…>; rel="next"'),
    "Location": ("Where what was made is read.", URL, "https://registry.example/api/v1/proofs/1/"),
    "Retry-After": ("After how many seconds to ask again.", INTEGER, 30),
    "WWW-Authenticate": ("How a token is shown.", STRING, "Bearer, Token"),
    "RateLimit-Policy": ("How often one may ask, and in how many seconds.", STRING, "…;q=60;w=60"),
    "RateLimit": ("How much is left, and for how many seconds.", STRING, "…;r=59;t=42"),
}
"""The description, schema and example of each header."""
HEADERS_BY_STATUS: Final[Mapping[str, tuple[str, ...]]] = {
    "201": ("Location", "ETag"),
    "202": ("Location",),
    "401": ("WWW-Authenticate",),
    "429": ("Retry-After", "RateLimit-Policy", "RateLimit"),
    "503": ("Retry-After",),
}
PROBLEM_DETAILS: Final[Mapping[int, str]] = {
    400: "Something in the request cannot be accepted. See what is said about each field.",
    401: "Authenticate: send one of your tokens as Authorization: Bearer …",
    403: "You may not do this.",
    404: "No namespace with that identifier is registered.",
    409: "The request is in another state by now.",
    412: "Somebody has acted since you looked.",
    413: "The body has more than 2 MiB. Write it in parts.",
    415: "A body of the media type “text/html” is not read here.",
    422: "This Idempotency-Key was used for another request.",
    428: "If-Match is missing: send its ETag in the header If-Match.",
    429: "You ask too often. Ask again in 30 seconds.",
}
"""Example values of `detail`."""
SENDING_OPERATION: Final = "request_step"
"""How programs send a draft, a step like any other."""
METHODS: Final = ("get", "post", "put", "patch", "delete")


def complete_description(
    result: Described, generator: object, request: object, public: bool
) -> Described:
    """Complete the description that drf-spectacular generated; one of its postprocessing hooks."""
    result["info"] |= describe_publisher()
    result["servers"] = [{"url": settings.SITE, "description": "This registry."}]
    result["externalDocs"] = {"url": settings.SITE + reverse("api:index")}
    used: dict[str, None] = {}
    for _path, method, operation in iterate_operations(result):
        used |= dict.fromkeys(operation["tags"])
        complete_operation(operation, method)
        if operation["operationId"] == SENDING_OPERATION:
            operation["description"] += f"\n\n{describe_agreement()}"
    used[WEBHOOKS_TAG] = None
    result["tags"] = [
        {"name": tag, "description": str(TAG_DESCRIPTIONS.get(tag, tag))} for tag in used
    ]
    components = result["components"]
    components["headers"] = {
        name: {"description": words, "schema": schema, "example": example}
        for name, (words, schema, example) in HEADERS.items()
    }
    components["schemas"] |= WEBHOOK_SCHEMAS
    add_examples(result)
    result["webhooks"] = describe_webhooks()
    return result


def iterate_operations(result: Described) -> Iterator[tuple[str, str, Described]]:
    """Yield path, method and operation."""
    for path, operations in result["paths"].items():
        for method in METHODS:
            if method in operations:
                yield path, method, operations[method]


def describe_publisher() -> Described:
    """Return who publishes the data, and under which licence."""
    licence = get_data_licence()
    return {
        "license": {"name": licence.name, "identifier": licence.identifier},
        "contact": {
            "name": "URN Namespace Registry",
            "url": settings.SITE + reverse("contact:index"),
        },
        "termsOfService": f"{settings.SITE}{reverse('guide:about')}#licences",
    }


def describe_agreement() -> str:
    """Return what people agree to when they send the text of a template."""
    licence = get_text_licence()
    return (
        "`submit` and `revise` send the text of the draft: by sending it you agree that everybody "
        f"may use it under [{licence.name}]({licence.url}) ({licence.identifier}). The round says "
        "so in `text_licence`, and so does the version that is published. A change of facts sends "
        "no text."
    )


def complete_operation(operation: Described, method: str) -> None:
    """Give an operation a unique name, a summary, headers and examples."""
    is_reading = method == "get" and not operation["operationId"].startswith("urn_")
    if is_reading:
        kind = "list" if answers_with_list(operation) else "read"
        operation["operationId"] = f"{kind}_{operation['operationId']}"
    operation.setdefault("summary", summarize(operation))
    for status, answer in operation["responses"].items():
        answer["description"] = answer.get("description") or HTTPStatus(int(status)).phrase
        names = list(HEADERS_BY_STATUS.get(status, ()))
        if status == "200" and method == "get":
            names.append("ETag")
            if "next" in str(answer.get("content", "")) or answers_with_list(operation):
                names.append("Link")
        if names:
            answer["headers"] = {
                name: {"$ref": f"#/components/headers/{name}"} for name in dict.fromkeys(names)
            }
        add_problem_example(int(status), answer)


def answers_with_list(operation: Described) -> bool:
    """Whether an operation returns several things: a paginated list, or a short one."""
    content = operation["responses"].get("200", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    return schema.get("type") == "array" or str(schema.get("$ref", "")).endswith("List")


def summarize(operation: Described) -> str:
    """Return the first sentence of an operation's description, without a full stop."""
    first = operation["description"].partition("\n\n")[0].replace("`", "")
    sentence = re.split(r"(?<=[^.])[.:;](?:\s|$)", " ".join(first.split()), maxsplit=1)[0]
    return sentence.strip()


def add_problem_example(status: int, answer: Described) -> None:
    """Show an example of a refusal's problem details."""
    content = answer.get("content", {}).get(PROBLEM_MEDIA_TYPE)
    if content is None or status not in KINDS_BY_STATUS:
        return
    kind = KINDS_BY_STATUS[status]
    example: Described = {
        "type": kind.uri,
        "title": str(kind.title),
        "status": status,
        "detail": PROBLEM_DETAILS.get(status, str(kind.meaning)),
    }
    if status == HTTPStatus.BAD_REQUEST:
        example["errors"] = {"nid": ["No namespace with that identifier is registered."]}
    content["examples"] = {kind.name: {"value": example, "summary": str(kind.title)}}


def make_object(required: str, **properties: Described) -> Described:
    """Return the schema of an object, with the names of its required members."""
    return {"type": "object", "properties": properties, "required": required.split()}


def make_nullable(schema: Described) -> Described:
    """Return a schema that also allows null."""
    return {**schema, "type": [schema["type"], "null"]}


WEBHOOK_SCHEMAS: Final[Mapping[str, Described]] = {
    "WebhookLink": make_object("name url", name=STRING, url=URL),
    "WebhookEvent": make_object(
        "type timestamp data",
        type={"type": "string", "description": "The verb, such as submit or register."},
        timestamp={"type": "string", "format": "date-time"},
        data=make_object(
            "id number actor words comment message is_sender_verified state request namespace link",
            id={"type": "string", "description": "A tag URI (RFC 4151), as in the feeds."},
            number={"type": "integer", "description": "The number of the line of the journal."},
            actor=STRING,
            words={"type": "string", "description": "What happened, in a sentence."},
            comment=make_nullable(STRING),
            message=make_nullable(STRING),
            is_sender_verified={"type": ["boolean", "null"]},
            state=make_nullable(STRING),
            request={"oneOf": [{"$ref": "#/components/schemas/WebhookLink"}, {"type": "null"}]},
            namespace={"oneOf": [{"$ref": "#/components/schemas/WebhookLink"}, {"type": "null"}]},
            link=URL,
        ),
    ),
    "WebhookTrial": make_object(
        "type timestamp data",
        type={"type": "string", "enum": ["trial"]},
        timestamp={"type": "string", "format": "date-time"},
        data=make_object("hook link", hook=STRING, link=URL),
    ),
}
WEBHOOK_HEADERS: Final[Mapping[str, str]] = {
    "webhook-id": "By which a message is known again; the same for every attempt.",
    "webhook-timestamp": "When it was sent, in seconds since 1970 (UTC).",
    "webhook-signature": "One or two signatures, each v1 and the HMAC-SHA-256 of identifier, "
    "timestamp and body (Standard Webhooks).",
}


def describe_webhooks() -> Described:
    """Describe the deliveries to the webhooks of /account/hooks/."""
    told = {
        "event": ("What happened to a request or a namespace", "WebhookEvent"),
        "trial": ("A trial, which the owner of the webhook asked for", "WebhookTrial"),
    }
    return {
        name: {
            "post": {
                "operationId": f"receive_{name}",
                "summary": summary,
                "description": f"{summary}. An answer of 2xx takes it; 410 ends the webhook; "
                "after anything else it is sent again, seven times within two days.",
                "tags": [WEBHOOKS_TAG],
                "security": [],
                "parameters": [
                    {
                        "in": "header",
                        "name": header,
                        "required": True,
                        "schema": STRING,
                        "description": words,
                    }
                    for header, words in WEBHOOK_HEADERS.items()
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}
                    },
                },
                "responses": {
                    "204": {"description": "It was taken."},
                    "410": {"description": "Nothing more is wanted."},
                },
            }
        }
        for name, (summary, schema) in told.items()
    }
