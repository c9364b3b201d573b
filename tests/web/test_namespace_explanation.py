"""The page of a namespace explains what it names, an example, and the rule drawn and in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from lxml import etree

from registry import workflow
from registry.exchange.seed import load_namespaces, read_namespaces
from registry.grammar import read
from registry.models import Namespace, RegistrationRequest, User
from registry.namespace_descriptions import read_descriptions
from registry.presenters.namespace_explanation import explain_namespace
from registry.presenters.railroad import draw_grammar
from registry.selectors.imported_records import find_imported_template
from registry.selectors.name_rules import find_name_rule
from registry.urn import parse
from tests.factories import NamespaceFactory
from tests.records import FIXTURES, copy_documents, import_from, make_imported_namespace
from tests.web.pages import text_of


@pytest.fixture
def registered(approved: RegistrationRequest, registrar: User) -> Namespace:
    """The namespace `seedbank`, version 1."""
    workflow.perform(approved, "register", actor=registrar)
    return Namespace.objects.get(nid="seedbank")


@pytest.mark.whole
@pytest.mark.django_db
def test_shipped_namespaces_are_explained_with_sources_and_a_drawing() -> None:
    load_namespaces(read_namespaces())

    for namespace in Namespace.objects.for_lists():
        explained = explain_namespace(namespace, None, find_name_rule(namespace.nid, None))

        assert len(explained.paragraph) > 60, namespace.nid
        assert explained.sources, namespace.nid
        assert explained.drawings[0].words, namespace.nid
        assert explained.drawings[0].svg, namespace.nid
        if explained.example:
            assert parse(explained.example).nid.lower() == namespace.nid


@pytest.mark.django_db
def test_page_of_a_namespace_says_what_it_names_and_takes_an_example_apart(client: Client) -> None:
    NamespaceFactory.create(nid="isbn", summary="book numbers")

    page = text_of(client.get("/namespaces/isbn/"))

    described = read_descriptions()["isbn"]
    assert described.paragraph in page
    assert f"Sources: {'; '.join(described.sources)}." in page
    assert "An example urn" in page
    assert "Registration group 0" in page
    assert page.index(described.paragraph) < page.index("Check a name")


@pytest.mark.django_db
def test_new_namespace_is_explained_by_the_purpose_of_its_own_text(
    client: Client, registered: Namespace
) -> None:
    page = text_of(client.get(registered.get_absolute_url()))

    assert registered.current is not None
    assert registered.current.purpose.split("\n")[0][:40] in page
    assert "An example urn" in page


@pytest.mark.django_db
def test_imported_text_explains_its_namespace_by_purpose_and_example(
    client: Client, tmp_path: Path
) -> None:
    make_imported_namespace("fernleaf", "Fern Growers")
    said = (FIXTURES / "plain_flush.txt").read_text("utf-8")
    example = "Two letters and a number. For example, urn:fernleaf:ab12 is one of them."
    document = tmp_path / "urn-formal" / "fernleaf"
    document.parent.mkdir()
    document.write_text(said.replace("Two letters and a number.", example), "utf-8")
    before = text_of(client.get("/namespaces/fernleaf/"))

    import_from(tmp_path, "fernleaf")

    page = text_of(client.get("/namespaces/fernleaf/"))
    assert "An example" not in before
    imported = find_imported_template(Namespace.objects.get(nid="fernleaf"))
    assert imported is not None
    assert f"{imported.template.purpose} Sources: urn-formal/fernleaf." in page
    assert "An example urn" in page
    assert page.count("ab12") > 1


@pytest.mark.django_db
def test_purpose_of_a_word_or_two_explains_nothing(client: Client, tmp_path: Path) -> None:
    namespace = make_imported_namespace("wickpat", "RFC9999")

    import_from(copy_documents(tmp_path), "wickpat")

    imported = find_imported_template(namespace)
    assert imported is not None
    assert imported.template.purpose == "Scope: Global."
    page = text_of(client.get("/namespaces/wickpat/"))
    assert "Sources:" not in page
    assert "An example urn" in page


@pytest.mark.django_db
def test_example_of_another_namespace_is_not_shown_as_one_of_this(tmp_path: Path) -> None:
    namespace = make_imported_namespace("wickpat", "RFC9999")
    import_from(copy_documents(tmp_path), "wickpat")
    imported = find_imported_template(namespace)
    assert imported is not None
    imported.sources["examples"].examples = ["urn:other:k:17"]

    explained = explain_namespace(namespace, None, None, imported)

    assert explained.example == ""


def test_drawing_is_an_image_whose_words_are_its_label() -> None:
    grammar = read('name = "a" *2DIGIT ["-" rest]\nrest = "x" / 1*ALPHA\n', nid="x")

    first, second = draw_grammar(grammar)

    drawn = etree.fromstring(str(first.svg))
    assert first.words == "“a”, then up to 2 times: a digit, then optionally (“-”, then rest)"
    assert second.words == "“x” or once or more: a letter"
    assert drawn.get("role") == "img"
    assert drawn.get("aria-label") == f"name: {first.words}"
    assert [each.text for each in drawn.iter("text")] == [
        "a",
        "DIGIT",
        "1 to 2 times",
        "-",
        "rest",
    ]


def test_drawing_stays_within_its_frame() -> None:
    parts = " ".join(f'"{letter * 9}" [":" DIGIT]' for letter in "abcdefgh")

    (drawing,) = draw_grammar(read(f"name = {parts}\n", nid="x"))

    drawn = etree.fromstring(str(drawing.svg))
    assert float(drawn.get("width") or 0) < 800
    boxes = list(drawn.iter("rect"))
    assert len(boxes) == 24
    for box in boxes:
        x, y, width, height = (float(box.get(name, "")) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + width <= float(drawn.get("width") or 0)
        assert 0 <= y <= y + height <= float(drawn.get("height") or 0)


def test_text_of_a_grammar_is_text_in_the_drawing() -> None:
    (drawing,) = draw_grammar(read("[<>&]x<script>", "regex", nid="x"))

    drawn = etree.fromstring(str(drawing.svg))
    assert [each.text for each in drawn.iter("text")] == ["“&” or “<” or “>”", "x<script>"]
    assert "<script" not in str(drawing.svg)


def test_descriptions_name_every_namespace_once() -> None:
    paragraphs = [each.paragraph for each in read_descriptions().values()]

    assert len(paragraphs) == len(set(paragraphs)) == 104
