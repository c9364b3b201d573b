"""Editions of tide charts, asked for on the fast track: experts advise and decide nothing."""

from __future__ import annotations

from registry.demonstration.texts.prose import flow, text

FIRST = text(
    nid="tidechart",
    registrant="""
        Saltmarsh Charts Cooperative, Pilot House, Harbour Wall 2, Saltmarsh.
        Contact: standards desk, desk@saltmarsh.example.

        The Cooperative is the body in which the hydrographic offices of eleven estuaries agree
        on how tides are predicted and printed. It has published standards since 1963 and was
        recognized for the fast track; the decision is cited below. Its members carry on the
        lists if it is dissolved.
    """,
    purpose="""
        Names identify editions of tidal prediction charts: what was printed for one water, for
        one year, in one state of correction.

        A chart is corrected several times before its year begins, and a ship may carry an older
        state without knowing. Names let bridge systems, harbour offices and insurers say which
        edition was on board, and find the corrections since.

        Names are used in public, by mariners in eleven estuaries and by the makers of bridge
        systems. The namespace of the maritime world names objects at sea and not printed matter;
        book numbers are given per year and do not tell the states of correction apart.
    """,
    syntax="""
        A name is the code of the water, a colon, the year, a colon, and the number of the
        correction, beginning with 0 for the chart as first printed. The code is two to eight
        letters from the list of waters; the number has no leading zeros.

        Case makes no difference in the code, and lower case is preferred. Nothing is to be
        encoded. A part after # names one table of the chart by its number; nothing after ?+ or
        ?= has a meaning.
    """,
    grammar_kind="abnf",
    grammar="""
        nss        = water ":" year ":" correction
        water      = 2*8ALPHA
        year       = 4DIGIT
        correction = "0" / ( %x31-39 *2DIGIT )
    """,
    examples=("urn:tidechart:saltm:2026:0", "urn:tidechart:wash:2027:14#3"),
    counter_examples=("urn:tidechart:saltm:2026", "urn:tidechart:saltm:26:0"),
    assignment="""
        The hydrographic office of a water assigns the names of its charts; the Cooperative keeps
        the list of waters and of the offices in charge. A new water is entered on application of
        its office.

        Corrections are counted by the printing program and cannot be counted twice. A chart that
        was withdrawn keeps its name and is marked as withdrawn. When a water passes to another
        office the code and all names under it stay.
    """,
    security_privacy="""
        Taking an old edition for the current one can put a ship aground. A name tells that two
        editions differ, and never which is safe: programs have to ask for the latest correction
        and must not compare numbers on their own.

        Somebody could print a false chart under a right name. Charts carry a seal for that; a
        name is no proof. Names tell nothing about people. What a ship carries may be sensitive,
        and logs of look-ups should be kept short.
    """,
    interoperability="""
        Some offices write the year with two digits on the cover. Such short forms are not names.
        Bridge systems that treat everything after a colon as a port number have to be mended; two
        makers were told. The code of a water may equal a country code and means nothing by it.
    """,
    resolution="""
        Resolution is intended. The Cooperative runs a service that answers a name with the list
        of later corrections, and with the chart where its office allows it.
    """,
    documentation="""
        Saltmarsh Charts Cooperative, Standard 14, Naming of tidal prediction charts, 2025,
        https://saltmarsh.example/standards/14/2025
    """,
    additional_information="""
        Recognition for the fast track: minutes of the standards body of 3 February 2026, item 5,
        https://standards.example/minutes/2026-02-03
    """,
)

ADVICE = flow("""
    A careful text. Two pieces of advice, to take or to leave.

    - The code of a water has two to eight letters, and two of the codes in your list are one letter
    apart. Since a wrong chart is dangerous, consider a distance of two, or a check letter.

    - Say in Assignment what becomes of a code when two waters are joined into one, as happened in
    your region in 2019.
""")
