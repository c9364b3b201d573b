"""Lantern slides in public collections, approved and waiting for the registrar."""

from __future__ import annotations

from registry.demonstration.texts.prose import flow, text

FIRST = text(
    nid="lanternslide",
    registrant="""
        Magic Lantern Cataloguing Society, The Old Projection Room, Gaslight Yard 7, Penhallow.
        Contact: the cataloguers' desk, numbering@slides.example.

        The Society is run by its 64 member collections and has existed since 1977. By its
        statutes the national library of the seat of the Society takes over the number list.
    """,
    purpose="""
        Names identify lantern slides: single glass slides made for projection, each a physical
        thing in a collection that the public can visit.

        Slides were copied, sold in series and split up, and the same picture exists on many of
        them. Restorers and historians need to say which piece of glass they mean: this one is
        cracked, that one was coloured by hand. Inventory numbers of collections change with each
        merger. A lasting name stays with the slide when it is lent, sold or moved.

        Names are used in public, in catalogues, loan papers and studies, and by three collection
        management programs. We looked at names for archival units, which name places in a
        collection, and at names for publications, which name the picture. Neither names the
        glass. No standard is to come of this namespace.
    """,
    syntax="""
        A name is a number of eight digits, a hyphen, and a check character. The number carries
        no meaning.

        The check character is computed from the digits, each multiplied by its place from the
        left, as the remainder of the sum divided by eleven; X stands for ten. It may be written
        in either case and means the same.

        There are only digits, one hyphen and perhaps an X, so nothing is to be encoded. Nothing
        after ?+ or ?= has a meaning. A part after # names one side of the slide: front or back.
    """,
    grammar_kind="abnf",
    grammar="""
        nss   = 8DIGIT "-" check
        check = DIGIT / "X"
    """,
    examples=(
        "urn:lanternslide:00012764-9",
        "urn:lanternslide:20000117-5",
        "urn:lanternslide:00000004-X#back",
    ),
    counter_examples=("urn:lanternslide:12764-9", "urn:lanternslide:000127649"),
    prior_use="""
        The numbers have been painted on slide frames since 1998, without “urn:” before them.
        There are about 310,000, and every one fits the rule.
    """,
    assignment="""
        The Society hands blocks of a thousand numbers to member collections. A collection gives
        one number to each slide that it has examined, and enters it in the shared list on the
        same day. Whoever is not a member can have slides numbered by the nearest one that is.

        A number once painted on a frame is never given to another slide. If a slide breaks, its
        number stays with the entry, marked as lost; if the pieces are put together again it is
        the same slide. A block that is not used up is closed and stays closed.
    """,
    security_privacy="""
        Numbers can be guessed. The list shows which collection holds a slide, not in which room;
        places of storage are kept apart from it because slides are stolen.

        Slides of people who may be alive are in the list by number, and their descriptions are
        held back until the collection releases them. The name itself tells nothing.

        A slip in a digit or two digits changing places is found by the check character. Taking
        two slides for one could send the wrong piece of glass on loan; loan papers therefore
        carry a picture as well.
    """,
    interoperability="""
        Numbers with a check character that may be X are also used for books and serials, which
        have other lengths: eight digits with a hyphen in the middle is not our form, where the
        hyphen stands before the last character. Programs that add a hyphen after the fourth
        digit damage the name.

        No other namespace, scheme or numbering system with this form is known to us; catalogues
        of 40 collections and the registered namespaces were compared.
    """,
    resolution="""
        Resolution is intended. The Society runs a service that answers a name with the entry in
        the shared list and with a picture where one is released. Collections may run their own
        for their blocks. To be listed, a service has to say what it does not know.
    """,
    documentation="""
        Magic Lantern Cataloguing Society, Slide Numbering, edition 4, May 2025,
        https://slides.example/numbering/4
    """,
    additional_information="""
        Film strips and stereo cards are left out on purpose. They come in copies of which none
        is more original than another.
    """,
)

APPROVAL = flow("""
    All that RFC 8141, section 6.4 asks for is answered. We asked ourselves above all whether
    names of physical things can be lasting when the things break; Assignment says what happens to
    the number, and that is what matters. The form differs from book and serial numbers clearly
    enough, and Interoperability warns of the one program fault that could blur it. 310,000 numbers
    in use all fit the rule.
""")
