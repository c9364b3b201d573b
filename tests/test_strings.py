"""Everything people read can be translated: every string is found, none is concatenated."""

from __future__ import annotations

import ast
import json
import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation.template import templatize

from registry.templatetags.script_words import SCRIPT_WORDS
from tests.programs import program
from tools.catalogue import CATALOGUE, collect_strings

REGISTRY = Path(settings.BASE_DIR) / "registry"
TEMPLATE_FOLDER = Path(settings.BASE_DIR) / "templates"
TEMPLATES = sorted(TEMPLATE_FOLDER.rglob("*.*"))
ONE_STRING = frozenset({"_", "gettext", "gettext_lazy", "gettext_noop"})
TWO_STRINGS = frozenset({"ngettext", "ngettext_lazy"})


def called_name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def list_unfound(path: Path) -> list[str]:
    """Return the calls whose text no catalogue would contain, as place and code."""
    tree = ast.parse(path.read_text("utf-8"))
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        wanted = 2 if called_name(node) in TWO_STRINGS else int(called_name(node) in ONE_STRING)
        if not all(map(is_text, node.args[:wanted])) or len(node.args) < wanted:
            found.append(f"{path.name}:{node.lineno}: {ast.unparse(node)[:80]}")
    return found


def test_every_marked_text_of_the_code_stands_there_whole() -> None:
    unfound = [each for path in sorted(REGISTRY.rglob("*.py")) for each in list_unfound(path)]

    assert unfound == []


def test_texts_of_templates_are_read_by_the_maker_of_catalogues() -> None:
    for path in TEMPLATES:
        source = path.read_text("utf-8")

        made = templatize(source, origin=str(path))

        assert made.count("gettext(") >= source.count("{% translate ") // 2, path


UNREAD = re.compile(
    r"\{#.*?#\}|<!--.*?-->|<!doctype html>|<\?xml.*?\?>"
    r"|\{% comment %\}.*?\{% endcomment %\}"
    r"|\{% block (body_class|body_data) %\}.*?\{% endblock[^%]*%\}"
    r"|<(script|style|code|pre)\b.*?</\2>",
    re.DOTALL,
)
"""Parts of a template that nobody reads, or that are code."""
TRANSLATED = re.compile(
    r"\{% blocktranslate\b.*?\{% endblocktranslate %\}|\{% translate .*?%\}", re.DOTALL
)
TEMPLATE_TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
READ_ATTRIBUTE = re.compile(
    r'\b(?:aria-label|alt|title|placeholder|content|data-(?:label|at))="([^"]*)"'
)
GIVEN_WORDS = re.compile(
    r"""\b(?:label|title|of|button|placeholder|noun)=(["'])(.*?)\1|\|default:(["'])(.*?)\3"""
)
"""Words that a template passes to another one, or shows instead of a missing value."""
HTML_TAG = re.compile(r"</?[a-zA-Z§](?:\"[^\"]*\"|'[^']*'|[^>\"'])*>")
WORD = re.compile(r"[^\W\d_]{2,}")

NOT_ENGLISH = {
    "formats and digests": "API CSV JSON RFCXML SHA-256 kramdown UTF-8",
    "the RFC's own terms": "RFC NID NSS URN urn: r-component q-component f-component -component",
    "endings of addresses": ".json .csv .xml .txt .jsonld .ttl .atom .bib .csl.json .abnf event- "
    "holder/ /contact/ ?path=facts&namespace= ?nid= ?q={searchTerms}",
    "a kind of time": "UTC",
    "values that browsers read": "width=device-width initial-scale=1 light dark website noindex "
    "summary_large_image data-no-shortcuts",
    "identifiers, as samples": "knx nbn lanternslide",
    "words that code gives to code": "login add authenticate q div settled",
}
"""Words that a template may contain untranslated, with why they are the same in all languages."""
SAMPLE_URN = re.compile(r"(?i)\burn:[a-z0-9-]+:\S+(?: 03181510\?lang=sv)?")
SAMPLE_TEXTS = {
    "guide/components.html": re.compile(r"\{% filter prose %\}.*?\{% endfilter %\}", re.DOTALL),
}
"""Texts that stand for user input, which are not translated."""


def list_unmarked(path: Path) -> list[str]:
    """Return the English of a template that is in no catalogue, as it is there."""
    source = path.read_text("utf-8")
    if sample := SAMPLE_TEXTS.get(str(path.relative_to(TEMPLATE_FOLDER))):
        source = sample.sub(" ", source)
    return list_unmarked_in(source)


def list_unmarked_in(source: str) -> list[str]:
    source = TRANSLATED.sub(" ", UNREAD.sub(" ", source))
    given = [
        words[1] or words[3]
        for tag in TEMPLATE_TAG.findall(source)
        for words in GIVEN_WORDS.findall(tag)
    ]
    shown = TEMPLATE_TAG.sub("§", source)
    texts = [*given, *READ_ATTRIBUTE.findall(shown), *HTML_TAG.sub("\n", shown).split("\n")]
    return [each.strip("§ ") for each in texts if has_english(each)]


def has_english(text: str) -> bool:
    allowed = {word for words in NOT_ENGLISH.values() for word in words.split()}
    left = SAMPLE_URN.sub(" ", re.sub(r"&\w+;", " ", text))
    return any(
        WORD.search(word)
        for word in re.split(r"[\s,;()§]+", left)
        if word not in allowed and word.strip(".,:") not in allowed
    )


def test_word_of_a_template_that_nobody_marked_is_found() -> None:
    for source, unmarked in (
        ("<p>Read this</p>", ["Read this"]),
        ('<p>{% translate "Read this" %}</p>', []),
        ('<a title="Read this" href="/there/">7</a>', ["Read this"]),
        ('{% include "a.html" with label="Read this" only %}', ["Read this"]),
        ('{% include "a.html" with label=_("Read this") only %}', []),
        ("{{ day|default:'not known' }}", ["not known"]),
        ("{# read this #}<code>read this</code>{{ read.this }}", []),
        (
            "{% if a %}{% blocktranslate %}{{ a }} days{% endblocktranslate %}, late{% endif %}",
            [", late"],
        ),
    ):
        assert list_unmarked_in(source) == unmarked, source


def test_every_word_of_the_templates_can_be_translated() -> None:
    unmarked = {
        str(path.relative_to(TEMPLATE_FOLDER)): found
        for path in TEMPLATES
        if (found := list_unmarked(path))
    }

    assert unmarked == {}


COUNTED = re.compile(r"%\(count\)d |%\((?:days|rows|hours|minutes)\)[ds] [a-z]+s\b")


def test_text_with_a_number_has_a_form_for_one_and_one_for_many() -> None:
    """A count within a text needs `ngettext`; "1 days" is wrong in any language."""
    counts = [
        f"{path.name}:{node.lineno}: {node.args[0].value!r}"
        for path in sorted(REGISTRY.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and called_name(node) in ONE_STRING
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and COUNTED.search(str(node.args[0].value))
    ]

    assert counts == []


SCRIPTS = sorted((Path(settings.BASE_DIR) / "static" / "js").glob("*.js"))
SCRIPT_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
SENTENCE = re.compile(r"""["'`][A-Z][a-z]+(?: [^"'`]*)?["'`]""")
# Names for browsers that nobody reads.
NAMES_IN_SCRIPTS = frozenset({'"Escape"', '"ArrowDown"', '"ArrowUp"', '"Enter"'})


def test_scripts_say_what_the_page_gives_them_and_the_page_gives_no_more() -> None:
    asked = set()
    for path in SCRIPTS:
        source = SCRIPT_COMMENT.sub("", path.read_text("utf-8"))
        asked |= set(re.findall(r'words\(\s*"(\w+)"', source))
        asked |= set(re.findall(r'"(key_\w+|unsaved\w*)"', source)) & set(SCRIPT_WORDS)

        assert set(SENTENCE.findall(source)) <= NAMES_IN_SCRIPTS, path.name

    assert asked == set(SCRIPT_WORDS)


@pytest.mark.django_db
def test_page_hands_its_scripts_their_words(client: Client) -> None:
    page = client.get("/guide/").content.decode()

    (given,) = re.findall(r'<body[^>]* data-words="([^"]*)"', page)
    assert json.loads(unescape(given))["saved"] == "Saved %(time)s"


@pytest.mark.whole
def test_catalogue_holds_every_string_as_it_is_now() -> None:
    """`make strings` updates it. gettext's remarks on formats depend on its version."""
    program("xgettext")

    assert list_entries(collect_strings()) == list_entries(CATALOGUE.read_text("utf-8"))


def list_entries(catalogue: str) -> list[str]:
    return [line for line in catalogue.splitlines() if not line.startswith("#")]


def test_catalogue_leaves_nothing_to_be_guessed() -> None:
    catalogue = CATALOGUE.read_text("utf-8")

    assert "fuzzy" not in catalogue
    assert "\n#: " not in catalogue
    assert 'msgid "Saved %(time)s"\n' in catalogue
