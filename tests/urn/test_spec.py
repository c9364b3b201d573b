"""The same text by RFC 2141, drafts -03 and -12, and RFC 8141."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from registry.urn import URNSyntaxError, spec

# Which of the four accept the text as a URN, oldest first.
VERDICTS = {
    "plain": ("urn:example:a", "yyyy"),
    "2141-2.1-nid-of-one": ("urn:a:x", "ynnn"),
    "2141-2.1-hyphen-last": ("urn:ab-:x", "ynnn"),
    "2141-2.1-urn-reserved": ("urn:URN:x", "nnyy"),
    "2141-2.4-tilde-and-ampersand": ("urn:ab:a&b~c", "nyyy"),
    "2141-2.3.2-slash-reserved": ("urn:ab:a/b", "ynyy"),
    "2141-2.4-nul": ("urn:ab:a%00", "nnyy"),
    "03-2.3-directives": ("urn:ab:a?s=I2L&c=ToC", "nyyn"),
    "03-2.3-not-a-directive": ("urn:ab:a?x", "ynyn"),
    "03-2.3-keyword-begins-with-letter": ("urn:ab:a?1=x", "ynyn"),
    "03-2.3-keyword-hyphen": ("urn:ab:a?a-b=x", "yyyn"),
    "03-2.3-keyword-two-hyphens": ("urn:ab:a?a--b=x", "ynyn"),
    "03-2.3-empty-value": ("urn:ab:a?a=", "yyyn"),
    "12-3.3.2-r-component": ("urn:ab:a??r", "ynyn"),
    "12-3.3.1-both": ("urn:ab:a?q??r", "ynyn"),
    "12-3.3.1-q-begins-with-question-mark": ("urn:ab:a???r", "ynnn"),
    "12-3.3.1-q-empty": ("urn:ab:a?", "ynnn"),
    "8141-2.3-all": ("urn:ab:a?+r?=q#f", "ynyy"),
    "2.3.3-fragment": ("urn:ab:a#f", "yyyy"),
    "not-ascii": ("urn:ab:ж", "nnnn"),
    "another-scheme": ("url:ab:c", "nnnn"),
}


@pytest.mark.parametrize(("text", "verdicts"), VERDICTS.values(), ids=VERDICTS)
def test_each_specification_has_its_own_verdict(text: str, verdicts: str) -> None:
    read = spec.read_by_each(text)

    assert "".join("y" if reading.is_valid else "n" for reading in read) == verdicts
    assert [reading.profile for reading in read] == list(spec.PROFILES)


@pytest.mark.parametrize(
    ("profile", "text", "parts"),
    [
        (spec.RFC_2141, "urn:ab:a?+r#f", {"nid": "ab", "nss": "a?+r#f"}),
        (
            spec.DRAFT_03,
            "urn:ab:a?s=I=I#f",
            {"nid": "ab", "nss": "a", "query": "s=I=I", "fragment": "f"},
        ),
        (spec.DRAFT_12, "urn:ab:a?+b?=c#d", {"nid": "ab", "nss": "a", "q": "+b?=c", "f": "d"}),
        (spec.DRAFT_12, "urn:ab:a?q?x??r??y", {"nid": "ab", "nss": "a", "q": "q?x", "r": "r??y"}),
        (spec.RFC_8141, "urn:ab:a?+b?=c#", {"nid": "ab", "nss": "a", "r": "b", "q": "c", "f": ""}),
    ],
    ids=["2141-2.2", "03-2.3", "12-3.3.1", "12-3.3.2", "8141-2.3"],
)
def test_each_specification_finds_its_own_parts(
    profile: spec.SpecProfile, text: str, parts: dict[str, str]
) -> None:
    assert dict(spec.read_by(text, profile).parts) == parts


def test_reading_warns_of_what_is_allowed_and_ill_advised() -> None:
    old, draft_03, draft_12, new = (
        spec.read_by_each(text)[index]
        for index, text in enumerate(
            ["urn:ab:a/b", "urn:ab:a?x=1&x=2&s=I2L", "urn:ab:a?q", "urn:ab:a?+r"]
        )
    )

    cited = [
        [re.findall(r"section ([\d.]+)\)", each)[0] for each in reading.cautions]
        for reading in (old, draft_03, draft_12, new)
    ]
    assert cited == [["2.3.2"], ["2.3", "2.3"], ["3.3"], ["2.3.1"]]


def test_changes_tell_what_became_of_the_text() -> None:
    told = [
        (
            str(change.older.profile),
            str(change.newer.profile),
            change.component,
            change.before,
            change.after,
        )
        for change in spec.list_changes("urn:ab:a?+b?=c#d")
    ]

    query = "“+” cannot begin the query (character 10)."
    assert told == [
        ("RFC 2141", "draft -03", "verdict", "a URN", query),
        ("draft -03", "draft -12", "verdict", query, "a URN"),
        ("draft -12", "RFC 8141", "q", "+b?=c", "c"),
        ("draft -12", "RFC 8141", "r", None, "b"),
    ]


def test_nothing_changed_for_a_plain_name() -> None:
    assert spec.list_changes("urn:example:a") == ()


def test_fragment_that_became_an_f_component_is_no_change() -> None:
    assert [change.component for change in spec.list_changes("urn:ab:a#f")] == ["nss", "fragment"]


CONVERTED = {
    "12-q": ("urn:ab:a?q", spec.DRAFT_12, "urn:ab:a?=q"),
    "12-r": ("urn:ab:a??cc=uk#f", spec.DRAFT_12, "urn:ab:a?+cc=uk#f"),
    "12-q-and-r": ("urn:ab:a?q??r", spec.DRAFT_12, "urn:ab:a?+r?=q"),
    "12-by-itself": ("urn:ab:a?q??r", None, "urn:ab:a?+r?=q"),
    "03-query": ("urn:ab:a?s=I2L&c=ToC#x", spec.DRAFT_03, "urn:ab:a?=s=I2L&c=ToC#x"),
    "8141-stays": ("urn:ab:a?+r?=q", None, "urn:ab:a?+r?=q"),
    "12-asked-for": ("urn:ab:a?=q", spec.DRAFT_12, "urn:ab:a?==q"),
}


@pytest.mark.parametrize(("text", "source", "urn"), CONVERTED.values(), ids=CONVERTED)
def test_components_of_the_drafts_are_written_by_rfc_8141(
    text: str, source: spec.SpecProfile | None, urn: str
) -> None:
    assert str(spec.convert_to_urn(text, source)) == urn


@pytest.mark.parametrize(
    ("text", "source", "component"),
    [
        ("urn:ab:a??r?=x", spec.DRAFT_12, "r"),
        ("urn:ab:a b", None, "nss"),
        ("urn:ab:a?x", spec.DRAFT_03, "query"),
    ],
    ids=["12-r-with-q-mark", "no-urn-anywhere", "03-not-a-directive"],
)
def test_urn_that_rfc_8141_cannot_hold_is_refused(
    text: str, source: spec.SpecProfile | None, component: str
) -> None:
    with pytest.raises(URNSyntaxError) as refusal:
        spec.convert_to_urn(text, source)

    assert refusal.value.component == component


def test_directive_that_is_there_twice_is_ignored_altogether() -> None:
    query = "s=I=I&c=a&x=1&c=b"

    assert [str(directive) for directive in spec.parse_directives(query)] == query.split("&")
    assert spec.find_effective_directives(query) == (
        spec.Directive("s", "I=I"),
        spec.Directive("x", "1"),
    )
    assert set(spec.DIRECTIVE_KEYWORDS) == {"s", "c"}
    assert spec.SERVICE_DESIGNATORS["I=I"] == "URI equal to URI"


# Draft -03, section 5.1: the numbers of names that are equivalent to each other.
EXAMPLES = [
    "URN:foo:a123,456",
    "urn:foo:a123,456",
    "urn:FOO:a123,456",
    "urn:foo:A123,456",
    "urn:foo:a123%2C456",
    "URN:FOO:a123%2c456",
    "urn:foo:a123,456?x=y",
    "urn:foo:a123,456#xyz",
]
SAME_5A = [{1, 2, 3, 7, 8}, {4}, {5, 6}]
SAME_5B = [{1, 2, 3, 8}, {4}, {5, 6}, {7}]


@pytest.mark.parametrize(("step", "groups"), [("5a", SAME_5A), ("5b", SAME_5B)])
def test_examples_of_draft_03_are_equivalent_by_its_two_comparisons(
    step: spec.LexicalStep, groups: list[set[int]]
) -> None:
    for first, second in combinations(range(1, 9), 2):
        same = any({first, second} <= group for group in groups)

        assert same is spec.is_lexically_equivalent(
            EXAMPLES[first - 1], EXAMPLES[second - 1], spec.DRAFT_03, step
        )


def test_order_of_directives_does_not_matter_to_draft_03() -> None:
    one, other = "urn:foo:a?s=I2L&c=%2ca", "urn:foo:a?c=%2Ca&s=I2L#x"

    assert spec.is_lexically_equivalent(one, other, spec.DRAFT_03, "5b")
    assert spec.lexical_form(one, spec.DRAFT_03, "5a") == "urn:foo:a"


def test_components_are_part_of_the_name_to_rfc_2141_alone() -> None:
    one, other = "urn:foo:a?+r", "urn:foo:a"

    same = [
        spec.is_lexically_equivalent(one, other, p)
        for p in (spec.RFC_2141, spec.DRAFT_12, spec.RFC_8141)
    ]

    assert same == [False, True, True]


def test_lexical_form_of_what_is_no_urn_is_refused() -> None:
    with pytest.raises(URNSyntaxError):
        spec.lexical_form("urn:foo:a/b", spec.DRAFT_03)
