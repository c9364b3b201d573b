"""The OpenAPI description of the API, and whether the page agrees with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import URLResolver

from registry import api_urls
from registry.api.views import NothingView
from registry.inspection.batch import CHECK_COLUMNS

pytestmark = pytest.mark.django_db

PARTS: Final = re.compile(r"<[^>]*>|\(\?P<[^()]*\)")
METHODS: Final = {"get", "post", "put", "patch", "delete"}


@cache
def read_schema() -> str:
    """Return the description, which is made once: no test changes it."""
    return Client().get("/api/schema/").content.decode()


@pytest.fixture
def schema(db: None) -> dict[str, Any]:
    described: dict[str, Any] = json.loads(read_schema())
    return described


def test_schema_is_sound_and_made_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--format", "openapi-json")

    out, err = capsys.readouterr()
    assert (out[:1], err) == ("{", "")


def test_no_version_of_somebodys_own_gets_into_the_description_or_its_headers(
    client: Client, schema: dict[str, Any]
) -> None:
    answer = client.get("/api/schema/", {"version": 'a"\n<script>'})

    assert answer.json() == schema
    assert "script" not in answer["Content-Disposition"]


def test_schema_is_openapi_3_1_and_has_every_address(schema: dict[str, Any]) -> None:
    described = {
        re.sub(r"\{[^}]*\}", "{}", path): set(operations) & METHODS
        for path, operations in schema["paths"].items()
    }

    assert schema["openapi"] == "3.1.0"
    assert described == dict(served())


def served(patterns: Any = api_urls.urlpatterns, before: str = "/api/") -> Iterator[Any]:
    """Yield every address for programs, with its methods."""
    for pattern in patterns:
        route = before + PARTS.sub("{}", str(pattern.pattern).strip("^$"))
        if isinstance(pattern, URLResolver):
            yield from served(pattern.url_patterns, route)
        view = getattr(pattern.callback, "cls", None)
        if route.startswith("/api/v1/") and view not in (None, NothingView):
            # Viewsets map methods to actions where they are registered.
            yield (
                route,
                {
                    name
                    for name in METHODS
                    if name in getattr(pattern.callback, "actions", ()) or hasattr(view, name)
                },
            )


def test_page_for_people_tells_every_address(client: Client, schema: dict[str, Any]) -> None:
    page = re.sub(r"<[^>]*>", "", client.get("/api/").content.decode())

    assert [path for path in schema["paths"] if path not in page] == []
    assert "/api/schema/" in page


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("/api/v1/urn/parse/", {"urn": "urn:isbn:1"}),
        ("/api/v1/urn/parse/", {"urn": "x y"}),
        ("/api/v1/urn/compare/", {"a": "urn:a1:b", "b": "urn:a1:c"}),
        ("/api/v1/urn/resolve-reference/", {"base": "urn:a1:b", "reference": "c"}),
        ("/api/v1/urn/find/", {"text": "urn:a1:b"}),
        ("/api/v1/urn/parse/", {"urn": "ftp://u@h.example:21/%7E?q"}),
        ("/api/v1/urn/parse/", {"urn": "urn:a1:%41%ff"}),
        ("/api/v1/urn/compare/", {"a": "http://h", "b": "urn:a1:c"}),
        ("/api/v1/urn/normalize/", {"uri": "HTTP://h:80"}),
        ("/api/v1/urn/normalize/", {"uri": "http://[/", "rung": "case"}),
        ("/api/v1/urn/validate/", {"uri": "a/b", "form": "reference"}),
        ("/api/v1/urn/convert/", {"urn": "urn:a1:b??r"}),
        ("/api/v1/urn/convert/", {"urn": "urn:a1:b c", "by": "draft -03"}),
        ("/api/v1/urn/build/", {"nid": "a1", "name": "b c", "q": "d"}),
        ("/api/v1/urn/build/", {"nid": "a", "name": "b"}),
        ("/api/v1/urn/locate/", {"uri": "gopher://h.example/00/A"}),
        ("/api/v1/urn/locate/", {"uri": "http://h.example/%zz"}),
        ("/api/v1/urn/locate/", {"uri": "urn:a1:b"}),
        ("/api/v1/urn/identifier/", {"nid": "x-a"}),
        ("/api/v1/urn/identifier/", {"nid": "seedbank"}),
    ],
)
def test_answer_has_what_the_schema_says(
    client: Client, schema: dict[str, Any], address: str, asked: dict[str, str]
) -> None:
    answer = client.get(address, asked).json()

    described = schema["paths"][address]["get"]["responses"]["200"]["content"]["application/json"]
    name = described["schema"]["$ref"].rsplit("/")[-1]
    assert set(schema["components"]["schemas"][name]["properties"]) == set(answer)


def test_every_operation_has_a_name_of_its_own_and_says_what_refuses(
    schema: dict[str, Any],
) -> None:
    operations = [told for path in schema["paths"].values() for told in path.values()]

    names = [told["operationId"] for told in operations]
    assert len(names) == len(set(names))
    assert [told["operationId"] for told in operations if not told["description"]] == []
    problems = [
        answer["content"]
        for told in operations
        for status, answer in told["responses"].items()
        if int(status) >= 400
    ]
    assert {tuple(content) for content in problems} == {("application/problem+json",)}


def test_idempotency_key_and_if_match_are_parameters_with_examples(
    schema: dict[str, Any],
) -> None:
    step = schema["paths"]["/api/v1/requests/{reference}/verbs/{verb}/"]["post"]
    parameters = {each["name"]: each for each in step["parameters"]}

    assert parameters["If-Match"]["required"] is True
    assert parameters["Idempotency-Key"]["examples"]
    (example,) = parameters["reference"]["examples"].values()
    assert example["value"] == "r-2026-0012"
    assert step["requestBody"]["content"]["application/json"]["examples"]


def test_lines_are_described_as_they_are_written(schema: dict[str, Any]) -> None:
    content = schema["paths"]["/api/v1/urn/check/"]["post"]["responses"]["200"]["content"]

    assert set(content) == {"application/x-ndjson", "text/plain"}
    assert tuple(schema["components"]["schemas"]["Line"]["properties"]) == CHECK_COLUMNS


def test_question_in_the_address_names_its_parameters(schema: dict[str, Any]) -> None:
    parameters = schema["paths"]["/api/v1/urn/resolve-reference/"]["get"]["parameters"]

    assert {each["name"]: each.get("required", False) for each in parameters} == {
        "base": True,
        "reference": True,
        "strict": False,
    }


def test_webhooks_have_a_tag_that_no_operation_has(schema: dict[str, Any]) -> None:
    """A generator that writes one file per tag would overwrite the operations with them."""
    told = [each["post"]["tags"] for each in schema["webhooks"].values()]
    of_operations = {
        tag
        for operations in schema["paths"].values()
        for name, operation in operations.items()
        if name in METHODS
        for tag in operation["tags"]
    }

    assert told == [["webhooks"], ["webhooks"]]
    assert "webhooks" not in of_operations
    assert "webhooks" in {tag["name"] for tag in schema["tags"]}


def test_head_of_a_log_that_nobody_signed_yet_is_described(
    client: Client, schema: dict[str, Any]
) -> None:
    answer = client.get("/api/v1/log/")

    assert answer.status_code == 404
    assert "404" in schema["paths"]["/api/v1/log/"]["get"]["responses"]
