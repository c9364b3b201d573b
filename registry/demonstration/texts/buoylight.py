"""Characters of buoy lights: to become part of a standard, so that a standards body decides."""

from __future__ import annotations

from registry.demonstration.texts.prose import flow, text

FIRST = text(
    nid="buoylight",
    registrant="""
        Harbour Lights Conference, Lamp Room, Quay 5, Eastering.
        Contact: secretariat@harbourlights.example. The Conference meets every second year;
        between meetings the lighthouse service of the host country acts for it and keeps its
        lists, and would go on to do so without it.
    """,
    purpose="""
        Names identify light characters: the rhythm and colour by which a light at sea is known,
        such as three white flashes every ten seconds.

        Charts, lists of lights and the lamps themselves describe characters in abbreviations
        that differ between languages. A lasting name lets a lamp be told by radio which
        character to show, and lets a bridge system compare what it sees with what should be
        there.

        Names are used in public by lighthouse services and by makers of lamps and bridge
        systems. The protocol for setting lamps by radio, now a draft of the standards body,
        needs these names: the namespace is to become part of that standard.
    """,
    syntax="""
        A name is the rhythm, a hyphen, the colours, a hyphen, and the period in tenths of a
        second. The rhythm is one of the words in the list of the Conference, followed by the
        number of flashes in a group. Colours are the letters w, r, g and y, in the order in
        which they are seen.

        Letters are lower case and upper case means the same. Nothing is to be encoded, and
        nothing after ?+, ?= or # has a meaning for these names.
    """,
    grammar_kind="abnf",
    grammar="""
        nss    = rhythm "-" colour "-" period
        rhythm = 2*5ALPHA [ %x32-39 ]
        colour = 1*3( "w" / "r" / "g" / "y" )
        period = %x31-39 *3DIGIT
    """,
    examples=("urn:buoylight:fl3-w-100", "urn:buoylight:iso-rw-40"),
    counter_examples=("urn:buoylight:fl3-w", "urn:buoylight:fl(3)-w-100"),
    assignment="""
        A name follows from the character by rule, so anybody can write one, and two who describe
        the same light write the same name. Only the words for rhythms are assigned: by the
        Conference, by resolution, never to be given another meaning.
    """,
    security_privacy="""
        A lamp that is told to show a wrong character endangers ships. The protocol has to make
        sure who may set a lamp; a name is no permission. A name that is mistaken for another by
        one digit gives another rhythm, so that programs should repeat a name back before they
        act on it.

        Names tell nothing about people. Where lights are is public.
    """,
    interoperability="""
        Abbreviations on charts hold brackets and blanks and are not names; a table turns the one
        into the other. The beginning iso stands for a rhythm of equal light and dark here, and
        has nothing to do with the namespace of that name. No other confusion is known.
    """,
    resolution="""
        Resolution is not intended: a name says all there is to know.
    """,
    documentation="""
        Harbour Lights Conference, Resolution 41, Words for the characters of lights, 2024,
        https://harbourlights.example/resolutions/41
    """,
)

REPORT = flow("""
    Report to the standards body, RFC 8141, section 6.2.

    The template is complete, and every name in it keeps the rule. Names follow from what they
    describe, which is unusual; we see no way in which one could come to mean something else, since
    the words for rhythms are fixed by resolution.

    The namespace makes sense only together with the protocol for setting lamps. We recommend
    registration once the draft is approved, with a reference to it in Documentation. Security
    and Privacy should then point to the part of the standard that says who may set a lamp.
""")
