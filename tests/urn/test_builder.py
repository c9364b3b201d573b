"""From native text to a URN, and from a URN to what people read (RFC 8141, 2.2 and 4.4)."""

from __future__ import annotations

import pytest

from registry.urn import URNSyntaxError, build, display, parse

BUILT = {
    "2.2-plain": ("foo:bar-1.0_~", "urn:example:foo:bar-1.0_~"),
    "2.2-utf-8": ("ж", "urn:example:%D0%B6"),
    "2.2-beyond-the-basic-plane": ("\U0001f600", "urn:example:%F0%9F%98%80"),
    "2.2-reserved": ("a?b#c[d]", "urn:example:a%3Fb%23c%5Bd%5D"),
    "2.2-space": ("a b", "urn:example:a%20b"),
    "2-slash-within": ("1/406/47452/2", "urn:example:1/406/47452/2"),
    "2-slash-first": ("/a/b", "urn:example:%2Fa/b"),
    "3986-2.4-percent": ("100%41", "urn:example:100%2541"),
}


@pytest.mark.parametrize(("name", "urn"), BUILT.values(), ids=BUILT)
def test_native_name_is_encoded_where_it_cannot_stand(name: str, urn: str) -> None:
    assert str(build("example", name)) == urn


def test_components_are_encoded_so_that_they_stay_apart() -> None:
    urn = build("example", "a", r_component="?=é", q_component="/?=#", f_component="?#")

    assert str(urn) == "urn:example:a?+%3F=%C3%A9?=%2F?=%23#?%23"


@pytest.mark.parametrize(
    ("nid", "name", "component"),
    [("e", "a", "nid"), ("exämple", "a", "nid"), ("example", "", "nss"), ("ab:c", "d", "nid")],
)
def test_parts_that_make_no_urn_are_refused(nid: str, name: str, component: str) -> None:
    with pytest.raises(URNSyntaxError) as refusal:
        build(nid, name)

    assert refusal.value.component == component


def test_lone_surrogate_has_no_encoding_and_is_refused() -> None:
    with pytest.raises(URNSyntaxError) as refusal:
        build("example", "a\ud800")

    assert (refusal.value.position, refusal.value.component) == (1, "nss")
    assert "(U+D800)" in str(refusal.value)


SHOWN = {
    "4.4-letters": ("urn:ab:%D0%B6%c3%a9#%E6%96%87", "urn:ab:жé#文"),
    "4.4-ascii-stays-encoded": ("urn:ab:%41%2F%20", "urn:ab:%41%2F%20"),
    "4.4-not-utf-8": ("urn:ab:%ff%D0%B6%D0", "urn:ab:%ffж%D0"),
    "4.4-overlong": ("urn:ab:%C0%AF", "urn:ab:%C0%AF"),
    "4.4-surrogate": ("urn:ab:%ED%A0%80", "urn:ab:%ED%A0%80"),
    "4.4-direction-of-writing": ("urn:ab:%e2%80%ae", "urn:ab:%e2%80%ae"),
    "4.4-invisible": ("urn:ab:%E2%80%8B%C2%A0%E3%85%A4", "urn:ab:%E2%80%8B%C2%A0%E3%85%A4"),
    "4.4-mark-on-a-letter": ("urn:ab:a%CC%81", "urn:ab:a\u0301"),
    "4.4-marks-on-a-decoded-letter": (
        "urn:ab:%D0%B8%CC%86%CC%81",
        "urn:ab:\u0438\u0306\u0301",
    ),
    "4.4-mark-first-in-the-nss": ("urn:ab:%CC%81a", "urn:ab:%CC%81a"),
    "4.4-marks-first-in-the-q": ("urn:ab:c?=%CC%81%CC%81", "urn:ab:c?=%CC%81%CC%81"),
    "4.4-mark-behind-a-hyphen": ("urn:ab:c-%CC%81", "urn:ab:c-%CC%81"),
    "4.4-mark-behind-a-triplet": ("urn:ab:%41%CC%81", "urn:ab:%41%CC%81"),
    "4.4-line-end": ("urn:ab:%E2%80%A8%C2%85", "urn:ab:%E2%80%A8%C2%85"),
}


@pytest.mark.parametrize(("text", "shown"), SHOWN.values(), ids=SHOWN)
def test_display_decodes_what_reads_without_confusion(text: str, shown: str) -> None:
    form = display(parse(text))

    assert (form.text, form.exact, form.is_exact) == (shown, text, text == shown)


def test_display_says_that_it_is_not_the_urn_itself() -> None:
    assert (
        str(display(parse("urn:ab:%D0%B6"))) == "urn:ab:ж (for reading; the URN is urn:ab:%D0%B6)"
    )
    assert str(display(parse("urn:ab:c"))) == "urn:ab:c"
