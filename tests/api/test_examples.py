"""Every operation has examples of its request and response that match their schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from jsonschema_rs import Draft202012Validator

METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture(scope="module")
def described() -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)


def shown(described: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the place, the schema and an example of each body; None if it has none."""
    for path, operations in described["paths"].items():
        for method in METHODS:
            operation = operations.get(method, {})
            bodies = {"request": operation.get("requestBody", {}), **operation.get("responses", {})}
            for name, body in bodies.items():
                for kind, content in body.get("content", {}).items():
                    place = f"{method} {path} {name} {kind}"
                    for each in content.get("examples", {"": {}}).values():
                        component = each.get("$ref", "").rpartition("/")[2]
                        examples = described["components"]["examples"]
                        known = examples[component] if component else each
                        yield place, content["schema"], known.get("value")


def test_each_body_is_shown_and_is_of_its_schema(described: Any) -> None:
    places = list(shown(described))

    wrong = [
        f"{place}: {error.message}"
        for place, schema, value in places
        for error in Draft202012Validator(
            {**schema, "components": described["components"]}, validate_formats=True
        ).iter_errors(value)
    ]
    assert len(places) > 500
    assert [place for place, _schema, value in places if value is None] == []
    assert wrong == []


def test_each_operation_shows_how_it_succeeds(described: Any) -> None:
    succeeding = {
        place.rpartition(" ")[0].rpartition(" ")[0]
        for place, _schema, _value in shown(described)
        if place.split()[2].startswith("2")
    }

    without_body = {
        f"{method} {path}"
        for path, operations in described["paths"].items()
        for method in METHODS
        if method in operations
        and not any(
            answer.get("content")
            for status, answer in operations[method]["responses"].items()
            if status.startswith("2")
        )
    }
    every = {
        f"{method} {path}"
        for path, operations in described["paths"].items()
        for method in METHODS
        if method in operations
    }
    assert every - succeeding == without_body
    assert all(place.startswith(("delete", "post")) for place in without_body)


def test_example_of_another_shape_is_noticed(described: Any) -> None:
    schema = {"$ref": "#/components/schemas/Namespace", "components": described["components"]}
    value = dict(described["components"]["examples"]["NamespaceList"]["value"]["results"][0])

    assert Draft202012Validator(schema).is_valid(value)
    assert not Draft202012Validator(schema).is_valid({**value, "version": "one"})
