"""Watermills: registered, and revised once."""

from __future__ import annotations

from registry.demonstration.texts.prose import flow, text

SURVEY = "https://watermills.example/survey/introduction"

FIRST = text(
    nid="watermill",
    registrant="""
        Watermill Survey Society, Weir Cottage, Mill Lane 1, Fenbridge.
        Contact: the survey office, office@watermills.example. The county archive of Fenbridge
        keeps the survey if the Society is dissolved.
    """,
    purpose="""
        Names identify mill sites: places where the force of water drove, or drives, a wheel.

        The survey describes some 23,000 sites. Local histories, maps of old water rights and
        studies of rivers cite them, and a site is known under many names in the course of
        centuries. One lasting name for each lets these sources be brought together, also where
        the building is long gone.

        Names are used in public, by historians, by river authorities and by the program of the
        survey. Numbers of monuments exist in some counties only, and name buildings. No standard
        is to come of this namespace.
    """,
    syntax="""
        A name is the number of the river in the survey, a slash, and the number of the site on
        that river, counted from the mouth in the year of the survey. Both are digits without
        leading zeros.

        Nothing is to be encoded, and case makes no difference. Nothing after ?+, ?= or # has a
        meaning for these names.
    """,
    grammar_kind="abnf",
    grammar="""
        nss   = river "/" site
        river = %x31-39 *3DIGIT
        site  = %x31-39 *2DIGIT
    """,
    examples=("urn:watermill:17/4", "urn:watermill:2041/112"),
    counter_examples=("urn:watermill:17-4", "urn:watermill:017/4"),
    assignment="""
        The survey office assigns the names, and anybody may tell it of a site. A site that is
        found later is given the next number on its river, whatever its place.

        No number is used twice. If two sites prove to be one, both names stay and one refers to
        the other.
    """,
    security_privacy="""
        Some sites are private houses today. A name leads to the place of the mill and not to the
        people who live there; what the survey says about a house can be seen from the road.

        Names can be guessed and the list is public. Taking one site for another may mislead a
        study; rivers and place names in the survey show the mistake.
    """,
    interoperability="""
        The numbers look like house numbers and like fractions, and should be cited with urn: in
        front. Programs that shorten fractions damage the name. No other confusion is known to
        us; registered namespaces and four numberings of monuments were compared.
    """,
    resolution="""
        Resolution is not intended for the time being. The survey is in print.
    """,
    documentation=f"""
        Watermill Survey Society, Survey of mill sites, introduction, 2015,
        {SURVEY}
    """,
)

APPROVAL = flow("""
    Complete and clear. We discussed whether numbers counted from the mouth could be counted anew
    when a site is found; Assignment rules that out. The archive as successor is a good choice.
""")

REVISION = FIRST.replace(
    syntax=flow("""
        A name is the number of the river in the survey, a slash, and the number of the site on
        that river, counted from the mouth in the year of the survey. Both are digits without
        leading zeros. A full stop and a number from 1 to 9 may follow for one of several wheels
        on the same site.

        Nothing is to be encoded, and case makes no difference. Nothing after ?+, ?= or # has a
        meaning for these names.
    """),
    grammar=flow(
        """
        nss   = river "/" site [ "." wheel ]
        river = %x31-39 *3DIGIT
        site  = %x31-39 *2DIGIT
        wheel = %x31-39
        """,
        wrapped=True,
    ),
    examples=("urn:watermill:17/4", "urn:watermill:17/4.2", "urn:watermill:2041/112"),
    resolution=flow("""
        Resolution is intended. The survey office runs a service that answers a name with the
        entry of the site.
    """),
    revision_information=flow("""
        Syntax now has a part for one of several wheels on a site, because river authorities
        grant rights for single wheels. Resolution has changed from no to yes: the survey is now
        on the Internet. All names assigned under version 1 stay valid and mean the same.
    """),
)

REVISION_APPROVAL = flow("""
    The revision only adds: every name of version 1 keeps its form and its meaning. Revision
    Information says what changed and why, as RFC 8141, section 6.2 demands.
""")
