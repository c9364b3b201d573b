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
    """The URIs found in `text`, unchanged."""
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
    "html-escaped-brackets": (
        "a &lt;urn:example:a&gt; b &#60;URL:ftp://h.example/\n x&#x3E; &LT;urn:example:b&GT;",
        ["urn:example:a", "ftp://h.example/x", "urn:example:b"],
    ),
    "html-escaped-quotes": (
        "&quot;urn:example:\n  ab&quot; &#39;urn:example:c&#39; &#x22;urn:example:d&#x22;",
        ["urn:example:ab", "urn:example:c", "urn:example:d"],
    ),
    "ampersand-within": (
        "http://h.example/?a=1&b=2&c; &lt;http://h.example/?a=1&amp;b=2&gt;",
        ["http://h.example/?a=1&b=2&c", "http://h.example/?a=1&amp;b=2"],
    ),
    "emphasis": (
        "*urn:example:a* _urn:example:b_ **urn:example:c**, __http://h.example/__. "
        "***urn:example:d***",
        ["urn:example:a", "urn:example:b", "urn:example:c", "http://h.example/", "urn:example:d"],
    ),
    "emphasis-of-a-sentence": (
        "*see (urn:example:a*) and _both http://h.example/b_",
        ["urn:example:a", "http://h.example/b"],
    ),
    "signs-of-the-name": (
        "urn:example:a_ urn:example:b* http://h.example/* *x* urn:example:c* a_b urn:example:d_",
        [
            "urn:example:a_",
            "urn:example:b*",
            "http://h.example/*",
            "urn:example:c*",
            "urn:example:d_",
        ],
    ),
    "apostrophes-of-a-program": (
        "IN ('urn:example:a','urn:example:b') a='urn:example:c';var {'urn:example:d':1}",
        ["urn:example:a", "urn:example:b", "urn:example:c", "urn:example:d"],
    ),
    "apostrophe-of-a-name": ("urn:example:o'neil's", ["urn:example:o'neil's"]),
    "references-of-html": (
        "&ldquo;urn:example:a&rdquo; urn:example:b&nbsp;next urn:example:c&hellip;"
        " urn:example:d&#8221; urn:example:e&rarr;urn:example:f&vert;g urn:example:h&lsqb;",
        [f"urn:example:{letter}" for letter in "abcdefh"],
    ),
    "references-of-an-ampersand": (
        "urn:example:a?=b&amp;c urn:example:a?=b&#38;c urn:example:a?=b&x26;c",
        ["urn:example:a?=b&amp;c", "urn:example:a?=b&#38;c", "urn:example:a?=b&x26;c"],
    ),
    "upper-case": ("URN:ISBN:0-395-36341-1", ["URN:ISBN:0-395-36341-1"]),
    "lookalike": ("ſip:a \u212aurn:example:a", ["urn:example:a"]),
}


@pytest.mark.parametrize(("text", "uris"), CASES.values(), ids=CASES)
def test_uris_are_taken_out_of_running_text(text: str, uris: list[str]) -> None:
    assert found(text) == uris


def test_address_as_people_abbreviate_it_is_found_where_it_is_asked_for() -> None:
    text = "See www.example.org/a, a@www.example.org, http://www.example.net and WWW.EXAMPLE.COM."

    uris = list(find(text, with_suffixes=True))

    assert [(uri.text, uri.is_completed, text[uri.start : uri.end]) for uri in uris] == [
        ("http://www.example.org/a", True, "www.example.org/a"),
        ("http://www.example.net", False, "http://www.example.net"),
        ("http://WWW.EXAMPLE.COM", True, "WWW.EXAMPLE.COM"),
    ]
    assert found(text) == ["http://www.example.net"]


def test_hyphen_at_a_line_break_may_not_belong_to_the_uri() -> None:
    (uri,) = find("<urn:example:long-\n   name>")

    assert (uri.text, uri.without_hyphens) == ("urn:example:long-name", "urn:example:longname")


def test_found_uri_tells_its_place_and_whether_it_is_a_urn() -> None:
    text = "of <urn:example:\na> and http://h.example/."

    assert [(text[uri.start : uri.end], uri.is_urn) for uri in find(text)] == [
        ("urn:example:\na", True),
        ("http://h.example/", False),
    ]
