"""Passages are highlighted wherever they begin and end, and notes are below them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings, strategies as st

from registry.template.passages import FollowedPassage, PassageState
from registry.templatetags.prose import highlighted, prose, with_notes

TEXT = """Names are codes. See urn:example:a-1 and https://a.example/x?y=1#z, if need be.

- The first item.
- The second item.

  code = 3ALPHA

Last words."""


@dataclass(frozen=True)
class Note:
    """A note on a passage; without `found` on the whole text."""

    name: str
    found: FollowedPassage | None


def on(quote: str, text: str = TEXT) -> Note:
    return Note(quote, FollowedPassage(PassageState.SAME, text.index(quote), quote))


def drawn(text: str, *notes: Note) -> str:
    return "".join(stretch.html for stretch in with_notes(text, notes))


def bare(html: str) -> str:
    return re.sub(r'<mark class="hl">|</mark>|\s+', "", html)


def words_in_marks(html: str) -> str:
    return " ".join("".join(re.findall(r'(?s)<mark class="hl">(.*?)</mark>', html)).split())


class Nesting(HTMLParser):
    """Fails on an element that is closed out of order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_passage_is_highlighted_and_its_note_stands_below_the_paragraph() -> None:
    first, second = with_notes(TEXT, [on("are codes")])

    assert first.html.startswith('<p>Names <mark class="hl">are codes</mark>. See ')
    assert [note.name for note in first.notes] == ["are codes"]
    assert "Names" not in second.html
    assert second.notes == []


def test_notes_stand_each_below_its_own_paragraph_whatever_their_order() -> None:
    whole, gone = Note("whole", None), Note("gone", FollowedPassage(PassageState.GONE, 4, ""))

    stretches = with_notes(TEXT, [on("Last"), whole, on("second"), on("first"), gone, on("codes")])

    assert [[note.name for note in each.notes] for each in stretches] == [
        ["codes"],
        ["first", "second"],
        ["Last"],
        ["whole", "gone"],
    ]


def test_text_without_remarks_is_drawn_as_ever() -> None:
    (stretch,) = with_notes(TEXT, [])

    assert stretch.html.strip() == prose(TEXT)


def test_passage_over_several_blocks_is_highlighted_in_each() -> None:
    html = drawn(TEXT, on("need be.\n\n- The first item.\n- The sec"))

    assert words_in_marks(html) == "need be.The first item.The sec"
    assert html.count("<li>") == 2
    Nesting(html)


def test_passage_that_ends_in_a_name_keeps_the_name_whole() -> None:
    html = drawn(TEXT, on("See urn:exam"), on("ple:a-1 and https://a.example/x?y"))

    assert 'href="https://a.example/x?y=1#z"' in html
    assert bare(html) == bare(prose(TEXT))
    marked = bare(words_in_marks(html))
    assert re.sub("<[^>]*>", "", marked) == "Seeurn:example:a-1andhttps://a.example/x?y=1#z,"


def test_overlapping_passages_do_not_break_the_page() -> None:
    html = drawn(TEXT, on("Names are"), on("are codes. See"), on("codes"), on("codes"))

    Nesting(html)
    assert words_in_marks(html) == "Names are codes. See"


def test_blank_lines_at_the_edge_of_a_passage_still_part_paragraphs() -> None:
    text = "First.\n\nLast."

    html = drawn(text, Note("edge", FollowedPassage(PassageState.SAME, 7, "\nLast.")))

    assert html == '<p>First.</p>\n<p><mark class="hl">Last.</mark></p>\n'


def test_markup_in_a_highlight_stays_text() -> None:
    text = 'A <script>alert(1)</script> & "b"'

    html = drawn(text, on("<script>alert(1)", text))

    assert html.strip() == (
        '<p>A <mark class="hl">&lt;script&gt;alert(1)</mark>&lt;/script&gt; &amp; &quot;b&quot;</p>'
    )


def test_rule_keeps_its_lines_and_is_escaped() -> None:
    rule = 'nss = "<a>"\n  / "b"'

    assert highlighted(rule, [on('"<a>"\n  /', rule)]) == (
        'nss = <mark class="hl">&quot;&lt;a&gt;&quot;\n  /</mark> &quot;b&quot;'
    )


@pytest.mark.parametrize("mark", ["\x02", "\x03", "\x03\x02\x02"])
def test_characters_used_for_marking_are_no_way_in(mark: str) -> None:
    text = f"One {mark}two three."

    html = drawn(text, on("two", text))

    assert "\x02" not in html
    assert "\x03" not in html
    assert words_in_marks(html) == "two"


@settings(max_examples=400)
@given(
    text=st.text("ab1 .-*o\n\t<&:/?#urnhtps", max_size=80),
    spans=st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), max_size=5),
)
def test_highlights_keep_the_words_and_nest(text: str, spans: list[tuple[int, int]]) -> None:
    notes = [
        Note(str(at), FollowedPassage(PassageState.SAME, start, text[start:end]))
        for at, (start, end) in enumerate(spans)
        if text[start:end].strip()
    ]

    stretches = with_notes(text, notes)

    html = "".join(stretch.html for stretch in stretches)
    Nesting(html)
    assert bare(html) == bare(prose(text))
    assert sorted(note.name for each in stretches for note in each.notes) == sorted(
        note.name for note in notes
    )
