"""Grammars as they are copied from documents (RFC 5234, sections 2.2 and 4)."""

from __future__ import annotations

import pytest

from registry.grammar import Answer, GrammarSyntaxError, read

PLAIN = 'name = first "-" second\nfirst = 2DIGIT\n  / 3DIGIT\nsecond = "x"\n'
INDENTED = """
      name   = first "-" second
                          ; the parts of a name

      first  = 2DIGIT
               / 3DIGIT
      second = "x"
"""
UNEVEN = 'name = first "-"\n  second\n first = 2DIGIT / 3DIGIT\n   second = "x"'
BROKEN_PAGE = """
   name = first
          "-"



Registrar                    Standards Track                    [Page 7]
\f
RFC 9999                    Names of Things                    June 2021


          second
   first = 2DIGIT / 3DIGIT
   second = "x"
"""
LOOSE = 'name\n  =\n  first\n"-"\n  second\nfirst = 2DIGIT\n/ 3DIGIT\nsecond = "x"'

LAYOUTS = {
    "plain": PLAIN,
    "no-final-line-end": PLAIN.rstrip("\n"),
    "crlf": PLAIN.replace("\n", "\r\n"),
    "cr": PLAIN.replace("\n", "\r"),
    "indented-with-comments": INDENTED,
    "indented-unevenly": UNEVEN,
    "page-break": BROKEN_PAGE,
    "continued-at-the-margin": LOOSE,
    "tabs": PLAIN.replace(" ", "\t"),
    "blanks-of-a-web-page": PLAIN.replace(" ", "\u00a0"),
    "byte-order-mark": "\ufeff" + PLAIN,
    "comments-in-another-script": PLAIN.replace("2DIGIT", "2DIGIT ; две цифры"),
}


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_layout_makes_no_difference(text: str) -> None:
    grammar = read(text)

    assert [rule.name for rule in grammar.rules] == ["name", "first", "second"]
    assert grammar.matches("123-x").answer is Answer.YES
    assert grammar.compare(read(PLAIN)).answer is Answer.YES


def test_lines_count_as_they_were_pasted() -> None:
    with pytest.raises(GrammarSyntaxError) as caught:
        read(BROKEN_PAGE.replace('second = "x"', "second = ?"))

    assert (caught.value.line, caught.value.column) == (14, 13)


def test_rule_at_the_margin_that_lost_its_sign_is_not_taken_for_a_continuation() -> None:
    with pytest.raises(GrammarSyntaxError, match="No “=” follows “second”"):
        read('name = first\nsecond "x"\nfirst = 2DIGIT')
