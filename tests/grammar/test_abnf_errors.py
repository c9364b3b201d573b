"""Where ABNF is invalid, and what people may have meant (RFC 5234, section 4)."""

from __future__ import annotations

import pytest

from registry.grammar import GrammarSyntaxError, read

# A text, line and column of the invalid part, and words from the error and the fix.
ERRORS: dict[str, tuple[str, int, int, str, str]] = {
    "nothing": ("", 1, 1, "no rule here", "name ="),
    "comment-alone": ("; to be done\n", 1, 1, "no rule here", "name ="),
    "prose-alone": ("The syntax is", 1, 1, "No “=” follows “The”", "Begin with a rule"),
    "missing-equals": ('nss 1*DIGIT\nx = "y"', 1, 1, "No “=” follows “nss”", "Begin with a rule"),
    "missing-equals-later": ('a = b\nb "x"', 2, 1, "No “=” follows “b”", "Put “=” behind it"),
    "colon-equals": ('a := "x"', 1, 3, "ABNF has no colon", "Write “=” alone"),
    "colon-colon-equals": ('a ::= "x"', 1, 3, "ABNF has no colon", "Write “=” alone"),
    "colon": ("a = b:c", 1, 6, "no place for “:”", 'quotation marks: ":"'),
    "bar": ("a = b | c", 1, 7, "no place for “|”", "Write “/”"),
    "underscore": ("isbn_13 = DIGIT", 1, 5, "no “_”", "Write “isbn-13”"),
    "underscore-in-use": ("a = my_rule", 1, 7, "no “_”", "Write “my-rule”"),
    "curly-quotes": ("a = “x”", 1, 5, "left double quotation mark", 'straight quotation mark: "'),
    "curly-quote-closing": ('a = "x”', 1, 7, "cannot hold “””", 'straight quotation mark: "'),
    "single-quotes": ("a = 'x'", 1, 5, "no place for “'”", "quotation marks around literal"),
    "en-dash": ("a = %x41–5A", 1, 9, "no place for “–”", "plain hyphen"),
    "quote-not-closed": ('a = "x\nb = "y"', 1, 5, "not closed on its line", "another at the end"),
    "not-ascii-in-quotes": ('a = "é"', 1, 6, "cannot hold", "%xE9"),
    "not-ascii": ("a = é", 1, 5, "no place for", "%xE9"),
    "tab-in-quotes": ('a = "x\ty"', 1, 7, "cannot hold a tab", "%x09"),
    "braces": ("a = DIGIT{3}", 1, 10, "no place for “{”", "3DIGIT"),
    "plus": ("a = DIGIT+", 1, 10, "no place for “+”", "“1*”"),
    "question-mark": ("a = DIGIT?", 1, 10, "no place for “?”", "square brackets"),
    "star-behind": ("a = DIGIT *", 1, 11, "Nothing follows “*”", "in front of what it repeats"),
    "star-behind-in-brackets": ("a = (DIGIT *)", 1, 12, "Nothing follows “*”", "in front"),
    "star-apart": ("a = 1* DIGIT", 1, 5, "“1*” stands apart", "Write “1*DIGIT”"),
    "star-twice": ("a = 2*2*DIGIT", 1, 8, "repeat the same", "brackets"),
    "hash": ("a = 1#b", 1, 6, "no place for “#”", "no lists"),
    "caret": ("^[a-z]+$", 1, 1, "no place for “^”", "regular expression"),
    "backslash": ("a = \\d", 1, 5, "no place for “\\”", "no escapes"),
    "comma": ("a = b, c", 1, 6, "no place for “,”", "a space between"),
    "dots": ("a = b...c", 1, 6, "no place for “.”", "joins numbers"),
    "entity": ("a = &quot;x&quot;", 1, 5, "no place for “&quot;”", "web page"),
    "fence": ("```abnf\na = b\n```", 1, 1, "no place for “`”", ""),
    "percent-alone": ("a = %", 1, 5, "No number follows “%”", "%x41"),
    "percent-of-another-base": ("a = %d4A", 1, 5, "“4A” is no number to the base 10", "%x41"),
    "binary-with-other-digits": ("a = %b102", 1, 5, "“102” is no number to the base 2", "%x41"),
    "3.4-range-half": ("a = %x41-", 1, 9, "no place for “-”", "%x41-5A"),
    "3.4-range-turned": ("a = %x5A-41", 1, 5, "ends before it begins", "smaller number first"),
    "2.3-number-too-large": ("a = %x110000", 1, 5, "No character", "%x10FFFF"),
    "2.3-number-endless": (f"a = %d{'9' * 9000}", 1, 5, "No character", "%x10FFFF"),
    "3.6-turned": ("a = 3*2DIGIT", 1, 5, "asks for more than it allows", "smaller number first"),
    "3.1-no-space": ('a = "x""y"', 1, 8, 'A space is missing between “"x"” and', "a space"),
    "3.1-no-space-between-groups": ('a = ("x")("y")', 1, 10, "A space is missing", "a space"),
    "3.2-nothing-before": ('a = / "x"', 1, 5, "no alternative before it", '""'),
    "3.2-nothing-between": ('a = "x" / / "y"', 1, 11, "no alternative before it", '""'),
    "3.2-nothing-behind": ('a = "x" /\nb = "y"', 1, 9, "no alternative behind it", "take out"),
    "3.5-empty-group": ("a = ()", 1, 6, "Nothing stands before “)”", '""'),
    "3.5-not-closed": ('a = ("x"\nb = "y"', 1, 5, "“(” is not closed", "Write “)”"),
    "3.5-closed-otherwise": ('a = ("x"]', 1, 9, "“]” closes “(” of line 1", "Write “)”"),
    "3.5-closes-nothing": ('a = "x")', 1, 8, "“)” closes nothing", "Take it out"),
    "3.5-too-deep": (f"a = {'(' * 30}b{')' * 30}", 1, 29, "more than 24 deep", "rule of its own"),
    "2.2-empty-rule": ('a =\nb = "x"', 1, 1, "“a” says nothing", "what it stands for"),
    "2.2-empty-rule-at-the-end": ('b = "x"\na =', 2, 1, "“a” says nothing", "stands for"),
    "2.2-rule-within-a-line": ('a = "x" b = "y"', 1, 9, "does not begin its line", "of its own"),
    "2.1-name-in-brackets": ('<a> = "x"', 1, 1, "“<a>” is no name", "Write a ="),
    "2.1-name-in-brackets-later": ('b = "x"\n<a> = "x"', 2, 1, "“<a>” is no name", "Write a ="),
    "2.1-name-with-a-digit-first": (
        '3gpp = "x"',
        1,
        1,
        "no name of a rule",
        "begins with a letter",
    ),
    "2.1-no-name": ('= "x"', 1, 1, "does not begin with “=”", "a name and “=”"),
    "2.2-equals-twice": ('a = = "x"', 1, 5, "No name stands before “=”", "name of the rule"),
    "4-prose-not-closed": ("a = <b\nc>", 1, 5, "What “<” opens is not closed", "same line"),
}


@pytest.mark.parametrize(("text", "line", "column", "what", "mend"), ERRORS.values(), ids=ERRORS)
def test_error_has_a_place_and_a_mend(
    text: str, line: int, column: int, what: str, mend: str
) -> None:
    with pytest.raises(GrammarSyntaxError) as caught:
        read(text)

    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert what in error.what
    assert mend in error.mend
    assert str(error) == f"{error.what} (line {line}, column {column}). {error.mend}"


@pytest.mark.parametrize("text", [text for text, *_ in ERRORS.values()], ids=ERRORS)
def test_message_is_sentences(text: str) -> None:
    with pytest.raises(GrammarSyntaxError) as caught:
        read(text)

    error = caught.value
    assert not error.what.endswith(".")
    assert error.mend.endswith(".") or error.mend.endswith("…")
    assert "!" not in error.what + error.mend


def test_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(GrammarSyntaxError, match=r"20,001 .* 20,000 "):
        read(";" + "x" * 20_000)


def test_grammar_of_too_many_words_is_refused_where_they_become_too_many() -> None:
    rules = "\n".join(f'a{number} = "x"' for number in range(500))

    with pytest.raises(GrammarSyntaxError, match="more than 1,200 words") as caught:
        read(rules)

    assert (caught.value.line, caught.value.column) == (401, 1)
