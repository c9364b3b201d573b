"""An archive of typefaces; nobody has taken the request yet."""

from __future__ import annotations

from registry.demonstration.texts.prose import text

FIRST = text(
    nid="glyphset",
    registrant="""
        Typeface Archive of Lumen, Type Foundry Square 3, Lumen.
        Contact: names@typefaces.example. The Archive is part of the city library, which takes
        over its lists if the Archive closes.
    """,
    purpose="""
        Names identify glyph sets: the characters that one typeface held at one time, as its
        foundry cut or drew them.

        Historians of printing date a leaflet by the letters it was set with. They compare a page
        with known sets, and cite the set that fits. Different catalogues number the same sets
        differently, and foundries sold sets under several names. One lasting name for each set
        lets findings of several people be put together by program.

        Names are used in public, by researchers and by the two programs that compare scanned
        pages. Namespaces for documents do not serve, since a glyph set is neither a document nor
        a font file. No standard is to come of this namespace.
    """,
    syntax="""
        A name is a catalogue number of seven digits, a hyphen, and a check digit. The number
        carries no meaning; nobody should read a foundry or a year into it.

        The check digit is the remainder of the number divided by nine, so it is a digit from 0
        to 8. There are only digits and one hyphen: nothing is to be encoded, and case makes no
        difference. Without the hyphen it is the same name; programs should write the hyphen.
        Nothing after ?+, ?= or # has a meaning for these names.
    """,
    grammar_kind="abnf",
    grammar="""
        nss   = 7DIGIT [ "-" ] check
        check = %x30-38
    """,
    examples=("urn:glyphset:0004127-5", "urn:glyphset:1800062-8"),
    counter_examples=("urn:glyphset:4127-5", "urn:glyphset:1800062-9"),
    assignment="""
        Only the Archive assigns names, on its own or at the request of anybody who sends images
        of a set that has none. Requests are answered within two months and cost nothing.

        Numbers come from one list, which is printed every year. A number that was given in error
        stays in the list, with a reference to the right one, and is never given again.
    """,
    security_privacy="""
        We considered guessing, confusion and privacy. The list is public, so guessing reveals
        nothing. A slip in one digit is found by the check digit; two slips may not be, and would
        lead a reader to the wrong set, whose images show the mistake at once.

        No name leads to a living person. Sets are named for foundries that have closed.
    """,
    interoperability="""
        Names of fonts in today’s operating systems look nothing like these numbers. Catalogue
        numbers of other archives have six digits and no check digit, and can be told apart by
        their length. Spreadsheets drop leading zeros: programs should fill up to seven digits
        before the check digit is tested.
    """,
    resolution="""
        Resolution is intended. The Archive runs a service that answers a name with images of the
        set and where it was used. Others may mirror it; the data may be copied freely.
    """,
    documentation="""
        Typeface Archive of Lumen, Numbering of glyph sets, 2024,
        https://typefaces.example/numbering/2024
    """,
    additional_information="""
        The Archive also numbers punches and matrices. These are other things, in another list,
        and will not be named here.
    """,
)
