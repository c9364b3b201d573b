"""URNs and URIs in running text (URI draft of 2003, appendix E)."""

from __future__ import annotations

import pytest

from registry.urn import find

APPENDIX = """\
Yes, Jim, I found it under "http://www.w3.org/Addressing/",
but you can probably pick it up from <ftp://ds.internic.
net/rfc/>.  Note the warning in <http://www.ics.uci.edu/pub/
ietf/uri/historical.html#WARNING>.
"""


def found(text: str) -> list[str]:
    """The URIs found in `text`, as they are."""
    return [uri.text for uri in find(text)]


def test_example_of_the_appendix_has_three_uris() -> None:
    assert found(APPENDIX) == [
        "http://www.w3.org/Addressing/",
        "ftp://ds.internic.net/rfc/",
        "http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING",
    ]


CASES = {
    "white-space": ("see urn:example:a and urn:example:b", ["urn:example:a", "urn:example:b"]),
    "end-of-sentence": ("It is urn:example:a.", ["urn:example:a"]),
    "punctuation": (
        "urn:example:a, urn:example:b; urn:example:c!",
        ["urn:example:a", "urn:example:b", "urn:example:c"],
    ),
    "question": ("Do you mean urn:example:a?", ["urn:example:a"]),
    "parentheses": (
        "(urn:example:a) (see urn:example:b(1)).",
        ["urn:example:a", "urn:example:b(1)"],
    ),
    "markdown": ("[name](urn:example:a)", ["urn:example:a"]),
    "apostrophes": ("'urn:example:a'", ["urn:example:a"]),
    "typographic-quotes": ("“urn:example:a” «urn:example:b»", ["urn:example:a", "urn:example:b"]),
    "angle-brackets": ("<urn:example:a.>", ["urn:example:a."]),
    "prefix": (
        "<URL:urn:example:a> URL: urn:example:b url:urn:example:c",
        ["urn:example:a", "urn:example:b", "urn:example:c"],
    ),
    "space-in-angle-brackets": ("< urn:example:\n  a\tb >", ["urn:example:ab"]),
    "line-break-in-quotes": ('"urn:example:\r\n  ab"', ["urn:example:ab"]),
    "space-in-quotes-ends-it": ('"urn:example:a b"', ["urn:example:a"]),
    "any-scheme-in-angle-brackets": ("<x.y+z:abc>", ["x.y+z:abc"]),
    "no-scheme-at-all": ("note: this; 10:30; C:\\x; std::string; a:b", []),
    "within-a-word": ("xurn:example:a -urn:example:b", []),
    "components": ("urn:example:a?+r?=q#f,", ["urn:example:a?+r?=q#f"]),
    "empty-component": ("urn:example:a?=, urn:example:b#", ["urn:example:a", "urn:example:b#"]),
    "no-urn": ("urn:x urn: urn:a:b urn:example:", []),
    "not-ascii-ends-it": ("urn:example:a。urn:example:bж", ["urn:example:a", "urn:example:b"]),
    "html": ('<a href="urn:example:a">urn:example:b</a>', ["urn:example:a", "urn:example:b"]),
    "address": (
        "http://[2001:db8::7]/a, mailto:a@b.example.",
        ["http://[2001:db8::7]/a", "mailto:a@b.example"],
    ),
    "no-end-of-an-address": ("http://[ http://[zz]/a x://u@[::1", []),
    "upper-case": ("URN:ISBN:0-395-36341-1", ["URN:ISBN:0-395-36341-1"]),
    "lookalike": ("ſip:a \u212aurn:example:a", ["urn:example:a"]),
}


@pytest.mark.parametrize(("text", "uris"), CASES.values(), ids=CASES)
def test_uris_are_taken_out_of_running_text(text: str, uris: list[str]) -> None:
    assert found(text) == uris


def test_hyphen_at_a_line_break_may_not_belong_to_the_uri() -> None:
    (uri,) = find("<urn:example:long-\n   name>")

    assert (uri.text, uri.without_hyphens) == ("urn:example:long-name", "urn:example:longname")


def test_what_was_found_tells_where_it_stood_and_whether_it_is_a_urn() -> None:
    text = "of <urn:example:\na> and http://h.example/."

    assert [(text[uri.start : uri.end], uri.is_urn) for uri in find(text)] == [
        ("urn:example:\na", True),
        ("http://h.example/", False),
    ]
