"""The preferred format, by Accept (RFC 9110, section 12.5.1)."""

from __future__ import annotations

import pytest

from registry.content_negotiation import choose_content_coding, choose_media_type

OFFERED = ("text/html", "application/json", "text/turtle", "text/csv")


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        pytest.param("", "text/html", id="nothing in particular"),
        pytest.param("*/*", "text/html", id="anything"),
        pytest.param("application/json", "application/json", id="one"),
        pytest.param("APPLICATION/JSON", "application/json", id="8.3.1 case does not count"),
        pytest.param("text/*", "text/html", id="the first of a kind"),
        pytest.param("text/*;q=0.5, text/csv", "text/csv", id="weights"),
        pytest.param("text/csv;q=0.3, text/turtle;q=0.7", "text/turtle", id="the greater weight"),
        pytest.param("text/csv;Q=0.3,text/turtle; q=0.7", "text/turtle", id="blanks and case"),
        pytest.param("*/*, text/turtle", "text/turtle", id="asked for by name among equals"),
        pytest.param("text/turtle;q=0.1, */*;q=0.1", "text/turtle", id="by name, weighing little"),
        pytest.param("text/html;q=0, */*", "application/json", id="the closest range decides"),
        pytest.param("text/*, text/html;q=0.2", "text/turtle", id="the rest of a kind"),
        pytest.param("application/json;profile=x", "application/json", id="other parameters"),
        pytest.param("application/json;q=high", "application/json", id="a weight that is none"),
        pytest.param("application/json;q=1.5", "application/json", id="a weight too great"),
        pytest.param("image/png", None, id="none of these"),
        pytest.param("*/*;q=0", None, id="nothing at all"),
        pytest.param("text/html;q=0.0", None, id="not even the page"),
        pytest.param("html, json", "text/html", id="no media types"),
        pytest.param(",,;q=0.1,", "text/html", id="nothing readable"),
    ],
)
def test_preferred_media_type_is_chosen(accept: str, wanted: str | None) -> None:
    assert choose_media_type(accept, OFFERED) == wanted


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        pytest.param("application/ld+json, application/json", "application/ld+json", id="scripts"),
        pytest.param("application/json, application/ld+json", "application/ld+json", id="order"),
        pytest.param("text/html, application/ld+json", "application/ld+json", id="with pages"),
        pytest.param("application/ld+json;q=0.5, application/json", "application/json", id="less"),
        pytest.param("application/json", "application/json", id="JSON alone"),
        pytest.param("application/*", "application/json", id="not named"),
        pytest.param("*/*", "text/html", id="anything"),
    ],
)
def test_json_ld_is_chosen_among_equals_if_named(accept: str, wanted: str) -> None:
    offered = ("text/html", "application/json", "application/ld+json")

    assert choose_media_type(accept, offered) == wanted


def test_long_field_is_read_at_once() -> None:
    assert choose_media_type("a/b;q=0.1," * 50_000 + "text/csv", OFFERED) == "text/csv"


@pytest.mark.parametrize(
    ("accept_encoding", "is_taken"),
    [
        pytest.param("gzip, deflate, br", True, id="browsers"),
        pytest.param("X-GZIP;q=0.1", True, id="its old name, weighing little"),
        pytest.param("*", True, id="anything"),
        pytest.param("gzip;q=0, *", False, id="anything else"),
        pytest.param("*;q=0", False, id="nothing"),
        pytest.param("br, identity", False, id="others"),
        pytest.param("", False, id="nothing in particular"),
    ],
)
def test_gzip_is_sent_to_whoever_takes_it(accept_encoding: str, is_taken: bool) -> None:
    assert choose_content_coding(accept_encoding, ("gzip",)) == ("gzip" if is_taken else None)


@pytest.mark.parametrize(
    ("accept_encoding", "coding"),
    [
        pytest.param("gzip, deflate, br", "br", id="browsers"),
        pytest.param("gzip;q=1, br;q=0.5", "gzip", id="the one it would rather have"),
        pytest.param("br;q=0, gzip", "gzip", id="all but one"),
        pytest.param("*", "gzip", id="anything"),
        pytest.param("br", "br", id="one alone"),
        pytest.param("deflate, zstd", None, id="others"),
        pytest.param("", None, id="nothing in particular"),
    ],
)
def test_preferred_content_coding_is_chosen(accept_encoding: str, coding: str | None) -> None:
    assert choose_content_coding(accept_encoding, ("br", "gzip")) == coding
