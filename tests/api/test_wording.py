"""Refusals in our own words: no message of a framework reaches a program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver
from drf_spectacular.generators import SchemaGenerator
from rest_framework import exceptions, serializers

from registry.api.input_serializers import InputSerializer
from registry.api.query_parameters import QuerySerializer
from registry.api.urn_serializers import URNQuestionSerializer
from registry.api.wording import FRAMEWORK_SENTENCES, reword
from registry.models import User
from tests.api.clients import JSON, Program
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db


def every_subclass(of: type[Any]) -> Iterator[type[Any]]:
    for each in of.__subclasses__():
        yield each
        yield from every_subclass(each)


def heard_fields() -> Iterator[serializers.Field[Any, Any, Any, Any]]:
    """Yield every input field of the API, including nested ones."""
    assert get_resolver().url_patterns  # This imports the whole API.
    for base in (InputSerializer, QuerySerializer, URNQuestionSerializer):
        for each in every_subclass(base):
            if each.__module__.startswith("registry."):
                waiting = [each()]
                while waiting:
                    field = waiting.pop()
                    yield field
                    waiting += getattr(field, "fields", {}).values()
                    waiting += filter(None, [getattr(field, "child", None)])


def framework_messages(field: Any) -> set[str]:
    """Return the messages of the framework's field classes."""
    return {
        str(words)
        for each in type(field).__mro__
        if each.__module__.startswith("rest_framework")
        for words in vars(each).get("default_error_messages", {}).values()
    }


def test_each_sentence_of_a_field_that_is_used_has_its_words() -> None:
    fields = list(heard_fields())

    said = set().union(*map(framework_messages, fields))
    assert len(fields) > 200
    assert len(said) > 20
    assert said - FRAMEWORK_SENTENCES.keys() == set()


def test_each_refusal_of_the_framework_has_its_words() -> None:
    kinds = list(every_subclass(exceptions.APIException))

    said = {
        str(vars(each)["default_detail"])
        for each in kinds
        if each.__module__.startswith("rest_framework") and "default_detail" in vars(each)
    }
    assert len(said) > 8
    assert said - FRAMEWORK_SENTENCES.keys() == set()


def test_values_keep_their_places() -> None:
    for theirs, ours in FRAMEWORK_SENTENCES.items():
        places = set(re.findall(r"{(\w+)}", theirs))

        assert set(re.findall(r"{(\w+)}", str(ours))) <= places, theirs


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (
            "Ensure this field has no more than 40 characters.",
            "This is too long: it can have 40 characters.",
        ),
        ('"a {b}" is not a valid choice.', "“a {b}” cannot be chosen; the description has what"),
        (
            "Request was throttled. Expected available in 7 seconds.",
            "Too many requests. Try again in 7 seconds.",
        ),
        ("Ensure this value has at most 3 characters (it has 5).", "it can have 3 characters and"),
        ("Name the new date.", "Name the new date."),
    ],
)
def test_sentence_is_said_in_our_words_with_its_values(theirs: str, ours: str) -> None:
    assert ours in reword(theirs)


@pytest.mark.parametrize(
    ("method", "path", "body", "told"),
    [
        ("get", "namespaces/?page_size=x", None, {"page_size": ["This is not a whole number."]}),
        (
            "get",
            "namespaces/?page_size=9999",
            None,
            {"page_size": ["This is too large: the maximum is 1000."]},
        ),
        (
            "get",
            "requests/?change=x",
            None,
            {"change": ["“x” cannot be chosen; the description has what can be."]},
        ),
        ("get", "urn/parse/", None, {"urn": ["This is missing."]}),
        ("get", "account/", None, "Authenticate: send one of your tokens"),
        ("put", "namespaces/", None, "This address does not take PUT."),
        ("post", "requests/", [], "This is not a JSON object."),
        (
            "post",
            "requests/",
            {"path": "x", "organization": None},
            {
                "path": ["“x” cannot be chosen; the description has what can be."],
                "organization": ["This cannot be null."],
            },
        ),
    ],
)
def test_programs_read_our_words(
    method: str, path: str, body: Any, told: Any, client: Client, registrant: User
) -> None:
    NamespaceFactory.create(nid="isbn")
    asker = Program.of(registrant).client if body is not None else client
    rest = () if body is None else (body, JSON)

    problem = getattr(asker, method)(f"/api/v1/{path}", *rest).json()

    if isinstance(told, str):
        assert told in problem["detail"]
    else:
        assert told.items() <= problem["errors"].items()


def test_description_has_no_sentence_of_a_framework() -> None:
    described = str(SchemaGenerator().get_schema(request=None, public=True))

    assert "Authenticate" in described
    assert [each for each in FRAMEWORK_SENTENCES if each in described] == []
