"""What is a URN and what are its parts (RFC 8141, section 2)."""

from __future__ import annotations

import pytest

from registry.urn import URNSyntaxError, is_valid, parse

Parts = tuple[str, str, str | None, str | None, str | None]

VALID = {
    "1-urn-example-foo": ("urn:example:foo", ("example", "foo", None, None, None)),
    "2.2-slashes": (
        "urn:example:1/406/47452/2",
        ("example", "1/406/47452/2", None, None, None),
    ),
    "2.3.1-r-component": (
        "urn:example:foo-bar-baz-qux?+CCResolve:cc=uk",
        ("example", "foo-bar-baz-qux", "CCResolve:cc=uk", None, None),
    ),
    "2.3.2-q-component": (
        "urn:example:weather?=op=map&lat=39.56&lon=-104.85&datetime=1969-07-21T02:56:15Z",
        (
            "example",
            "weather",
            None,
            "op=map&lat=39.56&lon=-104.85&datetime=1969-07-21T02:56:15Z",
            None,
        ),
    ),
    "2.3.3-f-component": (
        "urn:example:foo-bar-baz-qux#somepart",
        ("example", "foo-bar-baz-qux", None, None, "somepart"),
    ),
    "4.4-xmpp": ("urn:xmpp:foo", ("xmpp", "foo", None, None, None)),
    "5-no-implied-structure": (
        "urn:example:apple:pear:plum:cherry",
        ("example", "apple:pear:plum:cherry", None, None, None),
    ),
    "2-all-components": ("urn:ab:c?+r?=q#f", ("ab", "c", "r", "q", "f")),
    "2-scheme-in-any-case": ("uRn:ab:c", ("ab", "c", None, None, None)),
    "2-nid-of-two": ("urn:ab:x", ("ab", "x", None, None, None)),
    "2-nid-of-thirty-two": (f"urn:{'a' * 32}:x", ("a" * 32, "x", None, None, None)),
    "2-nid-hyphens-within": ("urn:a--b:x", ("a--b", "x", None, None, None)),
    "2-nid-digits": ("urn:00:x", ("00", "x", None, None, None)),
    "2-nid-urn-parses": ("urn:urn:x", ("urn", "x", None, None, None)),
    "2-nid-xn-parses": ("urn:xn--a:x", ("xn--a", "x", None, None, None)),
    "2-nss-every-pchar": (
        "urn:ab:azAZ09-._~!$&'()*+,;=:@%00%fF/",
        ("ab", "azAZ09-._~!$&'()*+,;=:@%00%fF/", None, None, None),
    ),
    "2-nss-triplet-first": ("urn:ab:%2F", ("ab", "%2F", None, None, None)),
    "2-nss-colon-first": ("urn:ab::", ("ab", ":", None, None, None)),
    "2.3.1-r-ends-at-first-q-mark": (
        "urn:ab:c?+r?x?+y?=q?=z?+w",
        ("ab", "c", "r?x?+y", "q?=z?+w", None),
    ),
    "2.3.1-r-ends-with-question-mark": ("urn:ab:c?+r??=q", ("ab", "c", "r?", "q", None)),
    "2.3.1-r-slash-and-question": ("urn:ab:c?+r/?", ("ab", "c", "r/?", None, None)),
    "2.3.1-r-ends-at-hash": ("urn:ab:c?+r#?=q", ("ab", "c", "r", None, "?=q")),
    "2.3.2-q-may-hold-r-mark": ("urn:ab:c?=q?+r", ("ab", "c", None, "q?+r", None)),
    "2.3.2-q-begins-with-equals": ("urn:ab:c?==", ("ab", "c", None, "=", None)),
    "2.3.3-f-empty": ("urn:ab:c#", ("ab", "c", None, None, "")),
    "2.3.3-f-begins-with-anything": ("urn:ab:c#/?", ("ab", "c", None, None, "/?")),
}

# The text, the 0-based position, the component, and words from the broken rule.
INVALID = {
    "2-empty": ("", 0, "scheme", "assigned-name"),
    "2-no-scheme": ("example:a", 0, "scheme", "assigned-name"),
    "2-scheme-cut-short": ("ur", 2, "scheme", "assigned-name"),
    "2-scheme-alone": ("urn", 3, "scheme", "assigned-name"),
    "2-another-scheme": ("url:ab:c", 2, "scheme", "assigned-name"),
    "2-scheme-in-another-script": ("ｕrn:ab:c", 0, "scheme", "assigned-name"),
    "2-space-before": (" urn:ab:c", 0, "scheme", "assigned-name"),
    "2-nid-missing": ("urn:", 4, "nid", "NID ="),
    "2-nid-empty": ("urn::c", 4, "nid", "NID ="),
    "2-nid-of-one": ("urn:a:c", 5, "nid", "NID ="),
    "2-nid-of-thirty-three": (f"urn:{'a' * 33}:c", 36, "nid", "NID ="),
    "2-nid-begins-with-hyphen": ("urn:-ab:c", 4, "nid", "NID ="),
    "2-nid-ends-with-hyphen": ("urn:ab-:c", 6, "nid", "NID ="),
    "2-nid-ends-with-hyphens": ("urn:ab--:c", 7, "nid", "NID ="),
    "2-nid-underscore": ("urn:a_b:c", 5, "nid", "NID ="),
    "2-nid-percent": ("urn:a%62:c", 5, "nid", "NID ="),
    "2.1-nid-not-ascii": ("urn:exаmple:c", 6, "nid", "section 2.1"),
    "2-nss-missing": ("urn:ab", 6, "nss", "assigned-name"),
    "2-nss-empty": ("urn:ab:", 7, "nss", "assigned-name"),
    "2-nss-empty-before-r": ("urn:ab:?+r", 7, "nss", "assigned-name"),
    "2-nss-empty-before-q": ("urn:ab:?=q", 7, "nss", "assigned-name"),
    "2-nss-empty-before-f": ("urn:ab:#f", 7, "nss", "assigned-name"),
    "2-nss-begins-with-slash": ("urn:ab:/c", 7, "nss", "NSS ="),
    "2-nss-space": ("urn:nbn:fi-fe2010 03", 17, "nss", "NSS ="),
    "2-nss-bracket": ("urn:ab:c[1]", 8, "nss", "NSS ="),
    "2-nss-line-end": ("urn:ab:c\n", 8, "nss", "NSS ="),
    "2.2-nss-not-ascii": ("urn:ab:cж", 8, "nss", "section 2.2"),
    "3986-2.1-percent-alone": ("urn:ab:100%", 10, "nss", "pct-encoded"),
    "3986-2.1-percent-half": ("urn:ab:%4", 7, "nss", "pct-encoded"),
    "3986-2.1-percent-not-hexadecimal": ("urn:ab:c%4g", 8, "nss", "pct-encoded"),
    "2-bare-question-mark": ("urn:ab:c?lang=sv", 8, "nss", "is followed by"),
    "2-question-mark-last": ("urn:ab:c?", 8, "nss", "is followed by"),
    "2-question-mark-before-hash": ("urn:ab:c?#f", 8, "nss", "is followed by"),
    "2.3.1-r-empty": ("urn:ab:c?+", 10, "r", "sections 2 and 2.3.1"),
    "2.3.1-r-empty-before-q": ("urn:ab:c?+?=q", 10, "r", "2.3.1"),
    "2.3.1-r-empty-before-f": ("urn:ab:c?+#f", 10, "r", "2.3.1"),
    "2.3.1-r-begins-with-slash": ("urn:ab:c?+/r", 10, "r", "2.3.1"),
    "2.3.1-r-begins-with-question-mark": ("urn:ab:c?+?r", 10, "r", "2.3.1"),
    "2.3.1-q-empty-behind-r": ("urn:ab:c?+r?=", 13, "q", "2.3.2"),
    "2.3.1-r-not-ascii": ("urn:ab:c?+é", 10, "r", "2.3.1"),
    "2.3.2-q-empty": ("urn:ab:c?=", 10, "q", "2.3.2"),
    "2.3.2-q-begins-with-slash": ("urn:ab:c?=/q", 10, "q", "2.3.2"),
    "2.3.2-q-space": ("urn:ab:c?=a b", 11, "q", "q-component"),
    "2.3.2-q-percent": ("urn:ab:c?=%zz", 10, "q", "pct-encoded"),
    "2.3.3-hash-twice": ("urn:ab:c#a#b", 10, "f", "2.3.3"),
    "2.3.3-f-not-ascii": ("urn:ab:c#é", 9, "f", "2.3.3"),
    "2.3.3-f-caret": ("urn:ab:c#^", 9, "f", "f-component"),
}


@pytest.mark.parametrize(("text", "parts"), VALID.values(), ids=VALID)
def test_text_that_follows_the_grammar_parses_into_its_parts(text: str, parts: Parts) -> None:
    urn = parse(text)

    assert (urn.nid, urn.nss, urn.r_component, urn.q_component, urn.f_component) == parts
    assert str(urn) == text
    assert is_valid(text)


@pytest.mark.parametrize(("text", "position", "component", "rule"), INVALID.values(), ids=INVALID)
def test_text_that_breaks_the_grammar_is_refused_at_the_character(
    text: str, position: int, component: str, rule: str
) -> None:
    with pytest.raises(URNSyntaxError) as refusal:
        parse(text)

    assert (refusal.value.position, refusal.value.component) == (position, component)
    assert rule in refusal.value.rule
    assert not is_valid(text)


def test_message_says_what_where_and_how_to_put_it_right() -> None:
    with pytest.raises(URNSyntaxError) as refusal:
        parse("urn:nbn:fi-fe2010 03181510?lang=sv")

    assert str(refusal.value) == (
        "A space cannot stand in the NSS (character 18). "
        "If it belongs to the name, write it as %20; if not, remove it."
    )


def test_message_names_the_script_of_a_letter_that_looks_like_another() -> None:
    with pytest.raises(URNSyntaxError) as refusal:
        parse("urn:exаmple:c")

    assert "Cyrillic" in refusal.value.message
    assert "(U+0430)" in refusal.value.message
