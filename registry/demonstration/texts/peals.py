"""An informal namespace for recorded peals of bells, approved."""

from __future__ import annotations

from registry.demonstration.texts.prose import flow, text

FIRST = text(
    nid="urn-N",
    registrant="""
        Ringers’ Ledger of Ostermark, Tower Keeper’s House, Bell Street 9, Ostermark.
        Contact: ledger@ringers.example. The guild of tower keepers follows if the Ledger ends.
    """,
    purpose="""
        Names identify performances: one ringing of one composition, on one day, in one tower, as
        entered in the Ledger.

        Ringers look back at who rang what, and compare performances of the same composition. The
        Ledger has been kept on paper since 1911. Lasting names let entries be cited from the
        programs in which ringers keep their own books, and let corrections find their entry.

        A few hundred people use them, in public. A telling identifier is not needed, and an
        informal namespace is enough. No standard is to come of it.
    """,
    syntax="""
        A name is urn:urn-N: followed by the volume of the Ledger, a full stop, and the number of
        the entry in that volume. Both are digits without leading zeros.

        Only digits and one full stop occur: nothing is to be encoded and case makes no
        difference. Nothing after ?+, ?= or # has a meaning for these names.
    """,
    grammar_kind="abnf",
    grammar="""
        nss    = volume "." entry
        volume = %x31-39 *2DIGIT
        entry  = %x31-39 *4DIGIT
    """,
    examples=("urn:urn-N:1.1", "urn:urn-N:64.20317"),
    counter_examples=("urn:urn-N:64-20317", "urn:urn-N:64.020317"),
    assignment="""
        Only the keeper of the Ledger assigns names, by entering a performance that two of those
        who rang have signed. Anybody who rang in Ostermark can send one in.

        Entries are numbered as they are written. An entry that proves false is struck through,
        and its number is not used again.
    """,
    security_privacy="""
        Entries name the people who rang, and have always been public. Those who wish can be
        entered as “a ringer”; the name of the performance does not change then.

        Names can be guessed, and the whole Ledger read that way. It is printed every year. A
        mistaken digit leads to another performance, which a reader sees from tower and day.
    """,
    interoperability="""
        Two numbers with a full stop look like a section of a document or an amount of money.
        Within running text the name should be written in full, with urn: in front. Spreadsheets
        read the part after the last colon as a number and drop zeros at its end; programs should
        mark the column as text. No confusion with other namespaces is known.
    """,
    resolution="""
        Resolution is intended. The guild runs a page that answers a name with the entry.
    """,
    documentation="""
        Ringers’ Ledger of Ostermark, How the Ledger is kept, printed in volume 60, 2019,
        https://ringers.example/ledger/how-it-is-kept
    """,
)

APPROVAL = flow("""
    Sound, and complete for an informal namespace (RFC 8141, section 5.2). The Ledger has been kept
    for over a hundred years and a successor is named. Striking entries through instead of removing
    them settles the question of names used twice. That a spreadsheet may drop a zero is well seen.
""")
