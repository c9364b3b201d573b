"""A passage is found again in the next text, or reported as changed or gone."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, strategies as st

from registry.template.passages import (
    FollowedPassage,
    PassageState,
    PassageTracker,
    QuotedPassage,
    follow_passage,
    locate_quote,
)

OLD = """A name is the code of a vault, a slash, and the accession number that vault gave.
A slash and one letter may follow for a duplicate.

Numbers are never used again. Codes of vaults that close are kept."""
QUOTE = "the accession number that vault gave"


def place(new: str, quote: str = QUOTE, old: str = OLD) -> FollowedPassage:
    return follow_passage(quote, old.index(quote), old, new)


def test_text_that_stays_has_its_passages_where_they_were() -> None:
    assert place(OLD) == FollowedPassage(PassageState.SAME, OLD.index(QUOTE), QUOTE)


def test_text_before_a_passage_does_not_make_it_move() -> None:
    new = f"Vaults have codes of three letters.\n\n{OLD}"

    assert place(new) == FollowedPassage(PassageState.SAME, new.index(QUOTE), QUOTE)


def test_other_line_breaks_are_no_change() -> None:
    new = OLD.replace("number that", "number\nthat")

    assert place(new) == FollowedPassage(
        PassageState.SAME, OLD.index(QUOTE), QUOTE.replace("r t", "r\nt")
    )


def test_part_of_a_word_is_a_passage_too() -> None:
    assert place(f"So: {OLD}", "cession num") == FollowedPassage(
        PassageState.SAME, OLD.index("cession") + 4, "cession num"
    )


def test_words_put_elsewhere_have_moved() -> None:
    kept = OLD.replace(f", a slash, and {QUOTE}", "")
    new = f"{kept}\nIts last part is {QUOTE}."

    assert place(new) == FollowedPassage(PassageState.MOVED, new.index(QUOTE), QUOTE)


def test_nearer_of_two_places_is_followed() -> None:
    new = OLD.replace(QUOTE, "a number") + f" Or else {QUOTE}. It is {QUOTE}."

    assert place(new).start == new.index(QUOTE)


def test_words_that_were_there_all_along_are_not_the_passage() -> None:
    old = "A vault assigns names. Names are kept. A vault assigns names."

    found = place(
        "Nobody does. Names are kept. A vault assigns names.", "A vault assigns names", old
    )

    assert found == FollowedPassage(PassageState.CHANGED, 0, "Nobody does")


def test_passage_in_which_words_changed_says_what_it_says_now() -> None:
    new = OLD.replace("that vault gave", "of six digits")

    instead = "the accession number of six digits"
    assert place(new) == FollowedPassage(PassageState.CHANGED, OLD.index(QUOTE), instead)


def test_passage_written_anew_shows_what_stands_in_its_place() -> None:
    old, new = "Kept for as long as the vault operates, then freed.", "Kept for ever, then freed."

    found = place(new, "as long as the vault operates", old)

    assert found == FollowedPassage(PassageState.CHANGED, 9, "ever")


def test_passage_that_grew_into_several_sentences_is_still_found() -> None:
    old = "Vaults normally keep a number for as long as the vault operates."
    new = (
        "Vaults keep a number for ever. If a vault closes, the Federation holds its numbers and"
        " assigns no others under its code. Neither are used again, also where the seed is lost."
    )

    found = place(new, "for as long as the vault operates", old)

    assert found.standing is PassageState.CHANGED
    assert found.text.startswith("for ever. If a vault closes")


def test_passage_that_moved_and_changed_is_found_by_its_words() -> None:
    quote = "Numbers are never used again."
    new = "Numbers once given are never used again, nor freed.\n\n" + OLD.replace(quote, "")

    found = place(new, quote)

    assert found.standing is PassageState.CHANGED
    assert "are never used" in found.text


def test_passage_taken_out_is_gone() -> None:
    assert place(OLD.replace(f", and {QUOTE}", "")).standing is PassageState.GONE
    assert place("").standing is PassageState.GONE


def test_text_written_wholly_anew_holds_no_trace_of_a_passage() -> None:
    new = " ".join(f"word{number}" for number in range(200))

    assert place(new).standing is PassageState.GONE


texts = st.text("abc -1.\n\té", max_size=60)


@given(old=texts, new=texts, data=st.data())
def test_followed_passage_stands_in_the_new_text(old: str, new: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(old)))
    quote = old[start : data.draw(st.integers(start, len(old)))]

    found = follow_passage(quote, start, old, new)

    assert new[found.start : found.end] == found.text
    assert (found.text == "") is (found.standing is PassageState.GONE)
    if found.standing is PassageState.MOVED:
        assert found.text == quote.strip()


@given(before=texts, after=texts, data=st.data())
def test_words_of_an_unchanged_text_stay_whatever_is_put_around_it(
    before: str, after: str, data: st.DataObject
) -> None:
    words = [f"w{number}" for number in range(8)]
    old = " ".join(words)
    first = data.draw(st.integers(0, 7))
    quote = " ".join(words[first : data.draw(st.integers(first + 1, 8))])
    new = f"{before} {old} {after}"

    found = follow_passage(quote, old.index(quote), old, new)

    assert (found.standing, found.text) == (PassageState.SAME, quote)


@pytest.mark.parametrize(
    ("old", "new"),
    list(product(("ab " * 30_000, "a" * 90_000, "a\n" * 45_000, " " * 90_000), repeat=2)),
    ids=lambda text: repr(text[:3]),
)
def test_long_texts_of_one_word_are_followed_through(old: str, new: str) -> None:
    trail = PassageTracker(old, new)

    found = [trail.follow(old[start : start + 4_000], start) for start in (0, 40_000, 80_000)]

    assert all(new[each.start : each.end] == each.text for each in found)


# Text copied from a page


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("two words", "One, two words, three.", QuotedPassage(5, "two words")),
        ("two words", "One, two\n   words, three.", QuotedPassage(5, "two\n   words")),
        ("  two\nwords ", "One, two words.", QuotedPassage(5, "two words")),
        ("first second", "- first\n- second", QuotedPassage(2, "first\n- second")),
        ("- first\n- second", "1. first\n2. second", QuotedPassage(3, "first\n2. second")),
        ("wo word", "Two words", QuotedPassage(1, "wo word")),
        ("other words", "Two words", None),
        ("  ", "Two words", None),
        ("", "Two words", None),
    ],
)
def test_copied_words_are_located(quote: str, text: str, found: QuotedPassage | None) -> None:
    assert locate_quote(quote, text) == found


@pytest.mark.parametrize(("occurrence", "start"), [(0, 0), (1, 9), (2, 18), (7, 18)])
def test_repeated_quote_is_located_by_its_occurrence(occurrence: int, start: int) -> None:
    text = "A vault. A vault. A vault."

    assert locate_quote("A vault", text, occurrence) == QuotedPassage(start, "A vault")


@given(text=texts, data=st.data())
def test_word_of_a_text_is_located_in_it(text: str, data: st.DataObject) -> None:
    words = text.split()
    if not words:
        return
    first = data.draw(st.integers(0, len(words) - 1))

    found = locate_quote(words[first], text)

    assert found is None or text[found.start :].startswith(found.text)
