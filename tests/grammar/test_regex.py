"""Regular expressions: what is read, what is refused and what is not decided."""

from __future__ import annotations

import pytest

from registry.grammar import Answer, GrammarSyntaxError, read

FITTING: dict[str, tuple[str, list[str], list[str]]] = {
    "the-whole-name": ("a|bc", ["a", "bc"], ["abc", "ab"]),
    "anchored": ("^(?:97[89]-)?[0-9]{9}[0-9X]$", ["978-123456789X", "1234567890"], ["12345678"]),
    "anchored-in-alternatives": ("^a$|^b$", ["a", "b"], ["ab"]),
    "anchored-in-a-group": (r"(\Aa|^b)(c|d$)\Z", ["ac", "bd"], ["a", "c"]),
    "anchored-by-choice": ("(^)?a(?:$)?", ["a"], ["^a"]),
    "any-character": ("a.c", ["abc", "a.c", "aéc"], ["ac", "a\nc"]),
    "class": ("[a-cX-]+", ["abc", "X-"], ["d", ""]),
    "class-turned-round": ("[^a-c]", ["d", "\n", "é"], ["a", ""]),
    "class-with-a-bracket": ("[]a]+", ["]a"], ["["]),
    "class-with-escapes": (r"[\d\-\]]+", ["1-]"], ["a"]),
    "digits-are-ascii": (r"\d+", ["09"], ["\u0661"]),
    "words-are-ascii": (r"\w+", ["aZ_9"], ["é", "-"]),
    "spaces-are-ascii": (r"\s", [" ", "\t"], ["\u00a0"]),
    "opposites": (r"\D\W\S", ["a-x"], ["1-x", "a_x", "a- "]),
    "by-number": (r"\x41\u0042\U00000043\0", ["ABC\0"], ["abc"]),
    "lazy-is-greedy": ("a+?b*?c??d{1,2}?", ["ad", "aabbcdd"], ["d"]),
    "bounded": ("a{2}b{1,}c{,2}", ["aab", "aabbcc"], ["ab", "aabccc"]),
    "braces-themselves": ("a{}b{,c}{x", ["a{}b{,c}{x"], ["ab"]),
    "groups-of-every-sort": ("(a)(?:b)(?P<n>c)(?<m>d)", ["abcd"], ["abc"]),
    "either-case": ("(?i)urn:[a-c]é", ["URN:Bé"], ["urn:xé", "urn:bÉ"]),
    "either-case-in-a-group": ("(?i:a)b", ["ab", "Ab"], ["aB"]),
    "one-case-in-a-group": ("(?i)(?-i:a)b", ["ab", "aB"], ["Ab"]),
    "empty-alternative": ("a|", ["a", ""], ["b"]),
    "blank-lines-around": ("\n  a+\r\n", ["aa"], [" aa"]),
}


@pytest.mark.parametrize(("text", "fitting", "others"), FITTING.values(), ids=FITTING)
def test_expression_has_these_names(text: str, fitting: list[str], others: list[str]) -> None:
    grammar = read(text, "regex")

    answers = {name: grammar.matches(name).answer for name in [*fitting, *others]}

    assert answers == {
        **dict.fromkeys(fitting, Answer.YES),
        **dict.fromkeys(others, Answer.NO),
    }


UNDECIDED = {
    "ahead": ("(?=a)b", "Looking ahead (character 1)"),
    "not-ahead": ("a(?!b)", "Looking ahead (character 2)"),
    "back": ("(?<=a)b", "Looking back (character 1)"),
    "not-back": ("(?<!a)b", "Looking back (character 1)"),
    "reference": (r"(a)\1", "A reference to a group (character 4)"),
    "named-reference": ("(?P<n>a)(?P=n)", "A reference to a group (character 9)"),
    "atomic": ("(?>a)", "An atomic group"),
    "possessive": ("a++", "A possessive quantifier (character 2)"),
    "condition": ("(a)?(?(1)b)", "A condition"),
    "word-boundary": (r"\bа", "“\\b” (character 1)"),
    "property": (r"\p{L}", "“\\p” (character 1)"),
    "flags": ("(?s)a", "The flags of this group"),
    "flags-inside": ("a(?i)b", "The flags of this group"),
    "anchor-inside": ("a^b", "An anchor stands elsewhere"),
    "anchor-turned": ("$a^", "An anchor stands elsewhere"),
    "repeated-too-often": ("a{1000000}", "“{1000000}” repeats more often"),
    "too-many-places": ("(a{999}){999}", "more than 5,000 places"),
}


@pytest.mark.parametrize(("text", "reason"), UNDECIDED.values(), ids=UNDECIDED)
def test_expression_beyond_regular_languages_is_not_decided(text: str, reason: str) -> None:
    grammar = read(text, "regex")

    verdict = grammar.matches("ab")

    assert verdict.answer is Answer.NOT_DECIDED
    assert reason in verdict.reason
    assert [finding.check for finding in grammar.findings] == ["grammar.undecided"]


# Text, line, column, and words from the error and the fix.
ERRORS: dict[str, tuple[str, int, int, str, str]] = {
    "nothing": (" \n", 1, 1, "no expression here", "[a-z]+"),
    "two-lines": ("\na+\nb", 2, 3, "goes on after its line", "one line"),
    "slashes": ("/^a$/i", 1, 1, "between slashes", "Leave the slashes out"),
    "group-open": ("a(b", 1, 2, "“(” is not closed", "“\\(”"),
    "group-closed": ("ab)", 1, 3, "“)” closes nothing", "“\\)”"),
    "class-open": ("  [ab", 1, 3, "“[” is not closed", "“\\[”"),
    "range-turned": ("[b-a]", 1, 2, "ends before it begins", "smaller number first"),
    "range-of-a-class": (r"[a-\d]", 1, 2, "from one character to another", "put it last"),
    "class-with-a-name": ("[[:alpha:]]", 1, 2, "Classes with names", "a-z, 0-9"),
    "nothing-to-repeat": ("*a", 1, 1, "Nothing stands before “*”", "“\\*”"),
    "nothing-to-repeat-in-a-group": ("(+a)", 1, 2, "Nothing stands before “+”", "“\\+”"),
    "nothing-to-repeat-by-number": ("a|{2}", 1, 3, "Nothing stands before “{”", "“\\{”"),
    "anchor-repeated": ("^*a", 1, 2, "An anchor cannot be repeated", "Leave"),
    "repeated-twice": ("a*{2}", 1, 3, "Two quantifiers", "a group"),
    "repeated-turned": ("a{3,2}", 1, 2, "asks for more than it allows", "Turn them round"),
    "backslash-alone": ("a\\", 1, 2, "Nothing follows the backslash", "“\\\\”"),
    "escape-unknown": (r"\y", 1, 1, "“\\y” has no meaning", "leave the backslash out"),
    "escape-cut-short": (r"\x4", 1, 1, "not followed by 2 hexadecimal", "leave the backslash"),
    "escape-too-large": (r"\UFFFFFFFF", 1, 1, "No character has this number", "U0010FFFF"),
    "group-unknown": ("(?a", 1, 1, "opens no group that is known", "(?:"),
    "remark": ("a(?#b)", 1, 2, "Not every dialect reads remarks", "Leave the remark out"),
    "too-deep": ("(" * 30, 1, 25, "more than 24 deep", "not needed"),
}


@pytest.mark.parametrize(("text", "line", "column", "what", "mend"), ERRORS.values(), ids=ERRORS)
def test_error_has_a_place_and_a_mend(
    text: str, line: int, column: int, what: str, mend: str
) -> None:
    with pytest.raises(GrammarSyntaxError) as caught:
        read(text, "regex")

    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert what in error.what
    assert mend in error.mend
