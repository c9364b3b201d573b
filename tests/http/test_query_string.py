"""URIs in a query string: one text for each, or a question, and never silently another name."""

from __future__ import annotations

from urllib.parse import parse_qs, quote, urlencode

import pytest
from hypothesis import example, given, strategies as st

from registry.http.query_string import NotUTF8, QueryStringError, read_query
from tests.urn.strategies import urns

URN = frozenset({"urn"})
PAIR = frozenset({"a", "b"})
SERVICE = frozenset({"s", "c"})


@pytest.mark.parametrize(
    ("query", "text"),
    [
        pytest.param("urn=urn:example:x?+abc", "urn:example:x?+abc", id="a raw plus is a plus"),
        pytest.param("urn=urn:example:a+b", "urn:example:a+b", id="in the NSS too"),
        pytest.param("urn=urn:example:x%3F+abc", "urn:example:x?+abc", id="beside what is encoded"),
        pytest.param("urn=urn%3Aexample%3Ax?+a", "urn:example:x?+a", id="beside what is not"),
        pytest.param("urn=urn%3Aexample%3Aa+b%2Bc", "urn:example:a b+c", id="from a form a blank"),
        pytest.param("urn=urn:example:a%20b", "urn:example:a b", id="an encoded blank"),
        pytest.param("urn=urn:example:x?=a=b", "urn:example:x?=a=b", id="an equals sign stays"),
        pytest.param("urn=urn:example:%252C", "urn:example:%2C", id="decoded once"),
        pytest.param("urn=urn:example:100%", "urn:example:100%", id="a percent sign alone"),
        pytest.param("u%72n=urn:example:a", "urn:example:a", id="an encoded name"),
        pytest.param("urn=urn:example:%C3%A4", "urn:example:ä", id="UTF-8"),
        pytest.param("urn=urn:example:\xc3\xa4", "urn:example:ä", id="UTF-8 as it is"),
        pytest.param("x=1&urn=urn:example:a?=b", "urn:example:a?=b", id="behind another"),
        pytest.param("urn=urn:example:a&x=1", "urn:example:a", id="nothing that could be cut"),
        pytest.param("urn=urn:example:a?=b&s=I2L", "urn:example:a?=b", id="before a known one"),
        pytest.param("urn=urn%3Aexample%3Aa%3F%3Db&", "urn:example:a?=b", id="nothing at its end"),
    ],
)
def test_urn_is_read_as_it_was_meant(query: str, text: str) -> None:
    assert read_query(query, URN, SERVICE)["urn"] == text


@pytest.mark.parametrize(
    ("query", "parameter", "texts"),
    [
        pytest.param(
            "urn=urn:example:x?=a=b&c=d",
            "c",
            ["urn:example:x?=a=b&c=d", "urn:example:x?=a=b"],
            id="behind a q-component",
        ),
        pytest.param(
            "urn=urn:example:x?+a+b&c=d+e&f",
            "c",
            ["urn:example:x?+a+b&c=d+e&f", "urn:example:x?+a+b"],
            id="behind an r-component",
        ),
        pytest.param(
            "urn=urn:example:a&b", "b", ["urn:example:a&b", "urn:example:a"], id="no sign"
        ),
        pytest.param("urn=urn:example:x?=a&", "", ["urn:example:x?=a&", "urn:example:x?=a"]),
        pytest.param("urn=urn:a:b&urn=urn:c:d", "urn", ["urn:a:b", "urn:c:d"], id="twice"),
        pytest.param(
            "urn=urn:example:x?=a&urn=b",
            "urn",
            ["urn:example:x?=a&urn=b", "urn:example:x?=a", "b"],
            id="twice, or in one",
        ),
    ],
)
def test_query_that_may_belong_to_the_urn_is_asked_about(
    query: str, parameter: str, texts: list[str]
) -> None:
    with pytest.raises(QueryStringError) as question:
        read_query(query, URN)

    assert question.value.parameter == parameter
    assert [reading.text for reading in question.value.readings] == texts
    assert [read_query(each.query, URN)["urn"] for each in question.value.readings] == texts


def test_refusal_says_what_to_encode_and_how() -> None:
    with pytest.raises(QueryStringError) as refusal:
        read_query("urn=urn:example:x?=a=b&c=d", URN)

    assert str(refusal.value) == (
        "“&c=d” is not a parameter of this address. If it belongs to what “urn” says, "
        "percent-encode all of that: ?urn=urn%3Aexample%3Ax%3F%3Da%3Db%26c%3Dd. If not, "
        "leave it out."
    )


def test_doubtful_uris_are_asked_about_one_after_the_other() -> None:
    with pytest.raises(QueryStringError) as first:
        read_query("a=urn:x1:y?=1&p=2&b=urn:x1:z?=3&q=4", PAIR)
    whole, _cut = first.value.readings

    with pytest.raises(QueryStringError) as second:
        read_query(whole.query, PAIR)

    assert second.value.parameter == "q"
    assert read_query(second.value.readings[0].query, PAIR) == {
        "a": "urn:x1:y?=1&p=2",
        "b": "urn:x1:z?=3&q=4",
    }


@pytest.mark.parametrize(
    ("query", "parameter", "position", "octet"),
    [
        pytest.param("urn=urn:example:%ff", "urn", 12, "%FF", id="encoded"),
        pytest.param("urn=urn:example:%C3%A4%C3x", "urn", 18, "%C3", id="cut short"),
        pytest.param("urn=urn:example:%ED%A0%80", "urn", 12, "%ED", id="a surrogate"),
        pytest.param("urn=urn:example:\xff", "urn", 12, "%FF", id="as it is"),
        pytest.param("urn=urn:example:a&s=%FE", "s", 0, "%FE", id="beside a URN"),
    ],
)
def test_octets_that_are_no_text_are_refused_with_their_place(
    query: str, parameter: str, position: int, octet: str
) -> None:
    with pytest.raises(NotUTF8) as refusal:
        read_query(query, URN, SERVICE)

    assert (refusal.value.parameter, refusal.value.position) == (parameter, position)
    assert str(refusal.value).startswith(
        f"The byte {octet} at character {position + 1} of “{parameter}” is not UTF-8."
    )


@pytest.mark.parametrize("query", ["urn=urn:a1:b&x=1", "x=1&urn=urn:a1:b", "urn=urn:a1:b&s=1&s=2"])
def test_strict_reading_refuses_unknown_and_repeated_parameters(query: str) -> None:
    assert read_query(query, URN, SERVICE)["urn"] == "urn:a1:b"

    with pytest.raises(QueryStringError):
        read_query(query, URN, SERVICE, is_strict=True)


@given(urns | st.text(min_size=1).filter(lambda text: text.isprintable()))
@example("urn:example:a b+c&d=e?=f%20")
def test_text_that_was_encoded_is_read_as_it_is_whoever_encoded_it(text: str) -> None:
    queries = [urlencode({"urn": text}), f"urn={quote(text)}", f"urn={quote(text, safe='')}"]

    assert [read_query(query, URN, is_strict=True) for query in queries] == [{"urn": text}] * 3


@given(urns)
def test_urn_written_raw_is_itself_or_the_likeliest_answer(text: str) -> None:
    name = text.partition("#")[0].partition("%")[0]

    try:
        read = read_query(f"urn={name}", URN, is_strict=True)["urn"]
    except QueryStringError as question:
        read = question.readings[0].text

    assert read == name


@given(st.text("urn:=?&+%ab4 ", max_size=40))
def test_query_that_is_no_question_says_what_any_parser_reads_but_for_the_plus(tail: str) -> None:
    query = f"urn={tail}"

    try:
        read = read_query(query, URN)
    except QueryStringError:
        return

    read_by_others = parse_qs(query, keep_blank_values=True)["urn"]
    assert [read["urn"].replace("+", " ")] == [each.replace("+", " ") for each in read_by_others]
