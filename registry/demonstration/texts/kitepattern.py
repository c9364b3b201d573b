"""Patterns of kites; the registrant thought better of it."""

from __future__ import annotations

from registry.demonstration.texts.prose import flow, text

FIRST = text(
    nid="kitepattern",
    registrant="""
        Kite Makers’ Circle of Windhallow, Shore Road 22, Windhallow.
        Contact: patterns@kites.example. If the Circle ends, the museum of flight in Windhallow
        keeps the pattern book.
    """,
    purpose="""
        Names identify patterns: the drawings from which a kite is cut and sewn.

        Makers cite the pattern they worked from, in journals and on the kite itself. Patterns
        are copied by hand and drift; a lasting name leads back to the drawing as its author left
        it. Names are used in public by some 600 makers. No standard is to come of it.
    """,
    syntax="""
        A name is the year in which the pattern came into the book, a full stop, and its page in
        that year. Both are digits; the page has no leading zeros. Nothing is to be encoded, and
        nothing after ?+, ?= or # has a meaning for these names.
    """,
    grammar_kind="abnf",
    grammar="""
        nss  = year "." page
        year = 4DIGIT
        page = %x31-39 *2DIGIT
    """,
    examples=("urn:kitepattern:1988.4", "urn:kitepattern:2025.117"),
    counter_examples=("urn:kitepattern:1988.04",),
    assignment="""
        The keeper of the pattern book assigns a name by binding the drawing into the book.
        Anybody may send one. Pages are never taken out, so no name is used again.
    """,
    security_privacy="""
        Authors may be named or not, as they wish. Names can be guessed; the book lies open in
        the museum. A mistaken page leads to a kite that looks otherwise.
    """,
    interoperability="""
        A year and a page look like a reference to a journal. With urn: and the identifier in
        front there is no doubt. No other confusion is known to us.
    """,
    resolution="""
        Resolution is not intended. Copies are sent on paper.
    """,
    documentation="""
        Kite Makers’ Circle of Windhallow, Preface to the pattern book, 1988,
        https://kites.example/pattern-book/preface
    """,
)

REASON = flow("""
    The museum of flight will give every drawing an identifier in its own catalogue, and those last
    as well. Two names for one drawing would help nobody. Thank you for the questions, which led us
    to ask the museum.
""")
