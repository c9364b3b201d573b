"""The page that builds and converts URNs, and takes locators apart."""

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.test import Client
from rest_framework import serializers

from registry.api.urn_serializers import (
    BuildQuestionSerializer,
    ConvertQuestionSerializer,
    LocateQuestionSerializer,
)
from registry.forms.inspect import BuildURNForm, ConvertURNForm, LocatorForm
from tests.endless import stopped_if_endless
from tests.factories import NamespaceFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

ADDRESS = "/inspect/build/"


def test_page_has_three_forms_and_a_tab(client: Client) -> None:
    page = client.get(ADDRESS).content.decode()

    assert page.count('method="get"') == 3
    assert 'class="note' not in page
    assert f'href="{ADDRESS}"' in client.get("/inspect/").content.decode()


@pytest.mark.parametrize(
    ("form", "question"),
    [
        (BuildURNForm, BuildQuestionSerializer),
        (ConvertURNForm, ConvertQuestionSerializer),
        (LocatorForm, LocateQuestionSerializer),
    ],
)
def test_forms_ask_what_programs_are_asked(
    form: type[forms.Form], question: type[serializers.Serializer[Any]]
) -> None:
    assert list(form.base_fields) == list(question().fields)


def test_name_is_encoded_and_built_with_its_components(client: Client) -> None:
    page = client.get(ADDRESS, {"nid": "example", "name": "Kalevala (1835)", "q": "a b", "r": ""})

    assert page.context["built"].converted == "urn:example:Kalevala%20(1835)?=a%20b"
    assert "urn:example:Kalevala%20(1835)" in page.content.decode()


def test_name_against_the_rule_of_its_namespace_is_not_made(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    page = client.get(ADDRESS, {"nid": "isbn", "name": "978-951-0-18435-7"})

    built = page.context["built"]
    assert (built.converted, built.inspection.result.kind) == (None, "invalid")
    assert built.inspection.result.title in text_of(page)
    assert "data-copy" not in page.content.decode()


def test_part_that_makes_no_urn_says_why(client: Client) -> None:
    page = client.get(ADDRESS, {"nid": "x_y", "name": "a"})

    problem = page.context["built"].problem
    assert problem.component == "nid"
    assert problem.message in text_of(page)


def test_form_without_a_name_asks_for_it(client: Client) -> None:
    page = client.get(ADDRESS, {"nid": "isbn", "name": " "})

    assert page.context["forms"]["build"].has_error("name", "required")
    assert 'aria-invalid="true"' in page.content.decode()


@pytest.mark.parametrize(
    ("text", "by", "converted"),
    [
        ("urn:ab:c??r", "", "urn:ab:c?+r"),
        ("urn:ab:c?s=I2L", "draft -03", "urn:ab:c?=s=I2L"),
        ("urn:ab:c?=q", "", "urn:ab:c?=q"),
        ("urn:ab:c d", "", None),
    ],
)
def test_text_of_a_draft_is_converted(
    client: Client, text: str, by: str, converted: str | None
) -> None:
    page = client.get(ADDRESS, {"urn": text, "by": by})

    answer = page.context["converted"]
    assert answer.converted == converted
    assert (answer.problem is None) == (converted is not None)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("gopher://h.example/00/About", "Selector 0/About"),
        ("x-500:c=GB", "Path c=GB"),
        ("http://h.example/~a", "does not allow this character"),
        ("file:///etc/hosts", "which RFC 1738 added"),
        ("mid:a@h.example", "which RFC 2392 added"),
        ("cid:a@h.example", "which RFC 2392 added"),
        ("http://h.example/%zz", "two hexadecimal digits"),
        ("urn:ab:c", "The draft has no such scheme"),
    ],
)
def test_locator_is_taken_apart_or_answered_with_a_reason(
    client: Client, text: str, answer: str
) -> None:
    assert answer in text_of(client.get(ADDRESS, {"uri": text}))


@pytest.mark.parametrize("text", ["a" * 100_000, "\x00" * 10_000, "%", "http://h/" + "~" * 50_000])
@pytest.mark.parametrize("asked", ["name", "urn", "uri"])
def test_hostile_texts_are_answered(client: Client, asked: str, text: str) -> None:
    with stopped_if_endless():
        response = client.get(ADDRESS, {asked: text, "nid": "ab"})

    assert response.status_code == 200
