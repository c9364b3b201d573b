"""A gardeners' exchange that asks for nearly the same NID as the seed vaults."""

from __future__ import annotations

from registry.demonstration.texts.prose import text

FIRST = text(
    nid="seed-bank",
    registrant="""
        Growers’ Exchange of Harrow, Allotment House, 4 Long Lane, Harrow.
        Contact: the secretary, secretary@growers.example. The Exchange is a registered
        charity; the county federation of allotment societies takes over what it leaves behind.
    """,
    purpose="""
        Names identify offers: a packet of seed that a member has put into the exchange in one
        season, with its variety, its year and the plot on which it grew.

        Members note the name of the packet in their garden books and on stakes, and report how
        the plants did. With a lasting name, reports of several years come together, and other
        exchanges that use our programs can pass packets on without giving them a new number.

        Names are used in public by some 9,000 gardeners and by two programs for garden books.
        We compared registered namespaces; those for trade items name a product and not a single
        packet. No standard is to come of this namespace.
    """,
    syntax="""
        A name is the year of the season, a hyphen, the number of the exchange in our list, a
        hyphen, and the number of the packet in that season. All three are digits; the numbers
        have no leading zeros.

        Only digits and hyphens occur, so nothing is to be encoded and case makes no difference.
        Nothing after ?+, ?= or # has a meaning for these names.
    """,
    grammar_kind="abnf",
    grammar="""
        nss      = season "-" exchange "-" packet
        season   = 4DIGIT
        exchange = %x31-39 *2DIGIT
        packet   = %x31-39 *5DIGIT
    """,
    examples=("urn:seed-bank:2026-1-881", "urn:seed-bank:2024-17-3"),
    counter_examples=("urn:seed-bank:26-1-881", "urn:seed-bank:2026/1/881"),
    assignment="""
        The Exchange numbers the exchanges that take part, in the order in which they join. The
        program that prints packet labels numbers the packets of a season and keeps the list.

        Any exchange of seed that is not run for profit may join by writing to the secretary. A
        number is never given twice: a packet that is not handed out keeps its number, and a
        season’s list is closed for good in November.
    """,
    security_privacy="""
        A name can be guessed and shows how many packets an exchange has handled. Both are known
        from our yearly report.

        A name leads to the plot on which the seed grew only for members who are signed in.
        Members can have their plot left out. Confusing two packets may bring the wrong variety
        into a garden and has no graver consequence that we could find.
    """,
    interoperability="""
        The name of our namespace resembles seedbank, which a federation of vaults has asked for.
        Their names have letters and slashes, ours digits and hyphens, so no name of the one is a
        name of the other. We have written to them, and would rather agree than insist.

        Garden programs sometimes turn a hyphen between digits into a dash. Ours turn it back.
    """,
    resolution="""
        Resolution is not intended for the public. Members look packets up in the program.
    """,
    documentation="""
        Growers’ Exchange of Harrow, Rules of the exchange, edition of 2025, chapter 4,
        https://growers.example/rules/2025/
    """,
)
