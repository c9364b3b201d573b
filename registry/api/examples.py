"""Examples of requests and responses, generated from the schemas, so their shape is always right.

Each member has the value listed for its name here, or one that fits its type. A nullable member
with no value here is null.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings

Described = dict[str, Any]

REFERENCE_START: Final = "#/components/schemas/"
JSON_MEDIA_TYPE: Final = "application/json"
LINES_MEDIA_TYPE: Final = "application/x-ndjson"
SHA256: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
TEXTS: Final[Mapping[str, str]] = {
    "a": "URN:ISBN:9780395363416",
    "actor": "Ines Calder",
    "address": "registry@northlight.example",
    "asked_by": "Ines Calder",
    "assignment": "The federation assigns the names.",
    "at": "2026-11-23T09:30:00Z",
    "author": "Ines Calder",
    "author_name": "Ines Calder",
    "b": "urn:isbn:9780395363416",
    "base": "urn:isbn:9780395363416",
    "canonical": "urn:isbn:9780395363416",
    "check": "syntax.examples",
    "check_id": "rulebook.follows",
    "comment": "Sound.",
    "component": "nss",
    "consequence": "Its text becomes a version of the namespace.",
    "contact": "registry@northlight.example",
    "converted": "urn:isbn:9780395363416",
    "detail": "The check digit is right.",
    "digest": SHA256,
    "document": "RFC 8458",
    "document_sha256": SHA256,
    "domain": "northlight.example",
    "edition": "4-1c9a",
    "email": "ines.calder@northlight.example",
    "entry": '{"number": 12, "verb": "submit"}',
    "evidence": "Seen in a letter.",
    "field": "purpose",
    "first": "urn:isbn:9780395363416",
    "generation": "8141",
    "grammar": 'accession = "NL-" 1*DIGIT',
    "held_by": "Mara Voss",
    "how": "By a letter.",
    "invited_by": "Ines Calder",
    "keyword": "edition",
    "kind": "formal",
    "label": "Approve",
    "language": "en",
    "media_type": "text/html",
    "mend": "Write one that the grammar takes.",
    "message": "The example does not follow the grammar.",
    "name": "Northlight Seed Vault Federation",
    "namespace": "seedbank",
    "nid": "seedbank",
    "nid_as_registered": "Seedbank",
    "nss": "9780395363416",
    "operator": "Northlight Seed Vault Federation",
    "organization": "Northlight Seed Vault Federation",
    "origin": "registry.example/log",
    "parties": "Two federations of seed vaults",
    "prepared": "0:",
    "purpose": "Accessions held by federated seed vaults.",
    "q": "seed",
    "question": "Is the grammar clear?",
    "reader": "3",
    "reason": "It is no longer needed.",
    "reasons": "Two catalogues rely on it.",
    "reference": "R-2026-0012",
    "registered_on": "2026-11-23",
    "registrant": "Northlight Seed Vault Federation",
    "request": "R-2026-0012",
    "rule": "RFC 8141, section 2",
    "scheme": "urn",
    "second": "urn:isbn:9780395363416",
    "section": "purpose",
    "sentence": "Held back until 2027-05-23: a court orders it.",
    "service": "I2L",
    "severity": "note",
    "sha256": SHA256,
    "source": "RFC 8141, section 5.1",
    "standing": "follows",
    "start": "accession",
    "state_word": "In review",
    "statement": "A standards body.",
    "subject": "seedbank",
    "summary": "Accessions held by federated seed vaults",
    "syntax": "A letter code, a hyphen and a number.",
    "target": "urn:isbn:9780395363416",
    "template": "https://names.northlight.example/{+nss}",
    "text": "Who assigns the names?",
    "text_licence": "CC-BY-4.0",
    "then": "An expert decides.",
    "title": "A valid ISBN",
    "uri": "urn:isbn:9780395363416",
    "urn": "urn:isbn:9780395363416",
    "user_of_it": "A museum",
    "verb": "submit",
    "version": "1",
    "website": "https://northlight.example/",
    "what": "sent round 1",
    "who": "An expert",
    "word": "edition",
    "words": "sent round 1",
    **{
        f"{name}.text": "urn:isbn:9780395363416"
        for name in ("Name", "ParseAnswer", "Display", "Found", "Repair", "URIAnswer", "Line")
    },
    **{f"{name}.name": "Mara Voss" for name in ("Account", "Delegate", "Expert", "Writer")},
    **{f"{name}.source": "draft" for name in ("Act", "Event")},
    **{f"{name}.target": "in_review" for name in ("Act", "Event")},
    **{f"{name}.target_word": "In review" for name in ("Act", "Event")},
    **{f"{name}.name": "Nightly copy" for name in ("Token", "TokenInput", "Webhook", "HookInput")},
    "Part.name": "check digit",
    "Part.text": "6",
    "ImportedText.text": "Namespace Identifier: seedbank",
    "Passage.text": "Acknowledgements",
    "LeftOver.text": "Acknowledgements",
    "Terms.publisher": "IETF Trust",
    "Terms.url": "https://trustee.ietf.org/license-info/",
    "FoundGrammar.kind": "abnf",
    "FoundReference.target": "4.2",
    "PublicationObstacle.kind": "text",
    "PublicationObstacle.message": "A finding blocks: mend the text.",
    "Difference.kind": "changed",
    "FieldChange.field": "references",
    "RecordContact.how": "By a letter.",
    "VerbField.name": "comment",
    "VerbField.label": "Reasons",
    "Designator.name": "I2L",
    "Designator.purpose": "URI to URL",
    "Designator.reference": "RFC 2483",
    "Keyword.reference": "RFC 8141",
    "Result.kind": "valid",
    "Question.question": "syntax_clear",
    "ResolvedTarget.address": "https://books.example/9780395363416",
    "Reference.reference": "#chapter-2",
    "APIRoot.version": "1",
    "Finding.rule": "RFC 8141, section 5.1",
    "Service.source": "A letter of the federation",
    "HeldNid.source": "Order 12 of the court of Northlight",
    "Dispute.source": "Order 12 of the court of Northlight",
    "Dispute.kind": "dispute",
    "Event.subject": "R-2026-0012",
}
"""The example for a text of this name, everywhere or in one schema."""
CHOICES: Final[Mapping[str, str]] = {"state": "in_review", "turn": "expert", "change": "new"}
"""Which of several words to show, if the enumeration has it."""
FORMATS: Final[Mapping[str, str]] = {
    "date": "2026-11-23",
    "date-time": "2026-11-23T09:30:00Z",
    "email": "ines.calder@northlight.example",
    "uuid": "8e03978e-40d5-43e8-bc93-6894a57f9324",
}
PATHS: Final[Mapping[str, str]] = {
    "page": "/namespaces/seedbank/",
    "url": "/api/v1/namespaces/seedbank/",
    "description": "/api/schema/",
    "documentation": "/api/",
    "problems": "/api/problems/",
    "rounds": "/api/v1/requests/r-2026-0012/rounds/",
    "messages": "/api/v1/requests/r-2026-0012/messages/",
    "remarks": "/api/v1/requests/r-2026-0012/remarks/",
    "history": "/requests/r-2026-0012/history/",
    "feed": "/requests/r-2026-0012.atom",
    "Request.url": "/api/v1/requests/r-2026-0012/",
    "Request.page": "/requests/r-2026-0012/",
    "RequestDetail.url": "/api/v1/requests/r-2026-0012/",
    "RequestDetail.page": "/requests/r-2026-0012/",
    "Round.url": "/api/v1/requests/r-2026-0012/rounds/1/",
    "Verb.url": "/api/v1/requests/r-2026-0012/verbs/submit/",
    "Organization.url": "/api/v1/organizations/7/",
    "Organization.page": "/organizations/7/",
    "OrganizationDetail.url": "/api/v1/organizations/7/",
    "OrganizationDetail.page": "/organizations/7/",
    "Service.url": "/api/v1/services/3/",
    "Version.url": "/api/v1/namespaces/seedbank/versions/1/",
    "Version.page": "/namespaces/seedbank/versions/1/",
    "PublishedText.url": "/api/v1/namespaces/seedbank/versions/1/",
    "PublishedText.page": "/namespaces/seedbank/versions/1/",
}
"""The path of an address of this name, below the registry's own address."""
NUMBERS: Final[Mapping[str, int]] = {"year": 2026, "version": 1, "revision": 3, "status": 200}
LINES: Final[Mapping[tuple[str, str], str]] = {
    ("urn", "text/plain"): "urn:isbn:9780395363416\nurn:nbn:fi-fe19981001\n",
    ("urn", LINES_MEDIA_TYPE): '"urn:isbn:9780395363416"\n{"urn": "urn:nbn:fi-fe19981001"}\n',
    ("namespaces", "text/csv"): "9780395363416,https://books.example/9780395363416\n",
    ("namespaces", LINES_MEDIA_TYPE): '{"name": "0395363411", "locator": "https://a.example/9"}\n',
}
"""Request bodies of lines, by part of the API and media type."""
ANSWERED_TEXT: Final = "1\tvalid\n"
DEFAULT_TEXT: Final = "As it stands in the registry."


class ExampleMaker:
    """Makes examples for the schemas of one description."""

    def __init__(self, schemas: Mapping[str, Described]) -> None:
        self.schemas = schemas

    def make(self, schema: Described, name: str = "", within: tuple[str, ...] = ()) -> Any:
        """Return a value of `schema` for a member with that name, inside the schemas `within`."""
        if reference := schema.get("$ref"):
            component = reference.removeprefix(REFERENCE_START)
            return self.make(self.schemas[component], name, (*within, component))
        if "enum" in schema:
            words = [each for each in schema["enum"] if each]
            return CHOICES[name] if CHOICES.get(name) in words else words[0]
        if choices := schema.get("oneOf") or schema.get("anyOf") or schema.get("allOf"):
            return self.make_choice(choices, name, within)
        kinds = schema.get("type", "object")
        is_nullable = isinstance(kinds, list) and "null" in kinds
        kind = next(each for each in kinds if each != "null") if is_nullable else kinds
        if kind == "string":
            return self.make_text(schema, name, within, is_nullable=is_nullable)
        if kind in ("integer", "number"):
            return self.make_number(schema, name, kind, is_nullable=is_nullable)
        if is_nullable or kind == "boolean":
            return None if is_nullable else False
        is_list = kind == "array"
        return (self.make_list if is_list else self.make_object)(schema, name, within)

    def make_choice(self, choices: list[Described], name: str, within: tuple[str, ...]) -> Any:
        """Return a value of the first schema, or null if that would recurse for ever."""
        first = next(each for each in choices if each.get("type") != "null")
        component = str(first.get("$ref", "")).removeprefix(REFERENCE_START)
        return None if component in within else self.make(first, name, within)

    def make_text(
        self, schema: Described, name: str, within: tuple[str, ...], *, is_nullable: bool
    ) -> str | None:
        around = within[-1] if within else ""
        form = schema.get("format", "")
        if form == "uri":
            path = PATHS.get(f"{around}.{name}") or PATHS.get(name)
            return None if is_nullable and not path else settings.SITE + (path or "/")
        if form in FORMATS:
            return None if is_nullable else FORMATS[form]
        text = TEXTS.get(f"{around}.{name}") or TEXTS.get(name)
        if is_nullable and not text:
            return None
        text = text or DEFAULT_TEXT
        return text[: schema.get("maxLength", len(text))]

    def make_number(
        self, schema: Described, name: str, kind: str, *, is_nullable: bool
    ) -> int | float | None:
        if is_nullable and name not in NUMBERS:
            return None
        least: int = schema.get("minimum", 0)
        number = max(NUMBERS.get(name, 1), least)
        return number if kind == "integer" else number + 0.5

    def make_list(self, schema: Described, name: str, within: tuple[str, ...]) -> list[Any]:
        """Return a list of one item, or none if that would recurse or there is no example."""
        items, member = schema.get("items", {}), name.removesuffix("s")
        component = str(items.get("$ref", "")).removeprefix(REFERENCE_START)
        is_unknown = items.get("type") == "string" and not {"enum", "format"} & items.keys()
        if component in within or (is_unknown and member not in TEXTS):
            return []
        return [self.make(items, member, within)]

    def make_object(self, schema: Described, name: str, within: tuple[str, ...]) -> Described:
        """Return an object with its required members, or if there are none, its first one."""
        members = schema.get("properties", {})
        wanted = schema.get("required") or list(members)[:1]
        if not members and isinstance(more := schema.get("additionalProperties"), dict) and more:
            return {TEXTS["nid"]: self.make(more, name, within)}
        return {each: self.make(members[each], each, within) for each in members if each in wanted}


def add_examples(result: Described) -> None:
    """Add to every operation examples of what is sent and of the successful response.

    A response with a schema of its own is shown once, among the components.
    """
    maker = ExampleMaker(result["components"]["schemas"])
    shown: dict[str, Described] = {}
    for operations in result["paths"].values():
        for operation in operations.values():
            part = operation["tags"][0]
            for kind, body in operation.get("requestBody", {}).get("content", {}).items():
                if "examples" not in body:
                    value = LINES.get((part, kind)) or maker.make(body["schema"])
                    body["examples"] = {"usual": {"summary": "As usual", "value": value}}
            for status, answer in operation["responses"].items():
                if status.startswith("2"):
                    add_answer_examples(answer.get("content", {}), maker, shown)
    result["components"]["examples"] = shown


def add_answer_examples(
    content: Described, maker: ExampleMaker, shown: dict[str, Described]
) -> None:
    """Add an example of the response in each media type."""
    for kind, body in content.items():
        schema = body.get("schema", {})
        component = str(schema.get("$ref", "")).removeprefix(REFERENCE_START)
        if component:
            shown.setdefault(
                component, {"summary": component, "value": maker.make(schema, within=())}
            )
            body["examples"] = {component: {"$ref": f"#/components/examples/{component}"}}
            continue
        value = maker.make(schema)
        if schema == {"type": "string"}:
            rows = content.get(JSON_MEDIA_TYPE, {}).get("schema")
            value = ANSWERED_TEXT
            if kind == LINES_MEDIA_TYPE and rows:
                value = f"{json.dumps(maker.make(rows)['results'][0])}\n"
        body["examples"] = {"usual": {"summary": "As usual", "value": value}}
