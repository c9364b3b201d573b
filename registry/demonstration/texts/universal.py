"""A namespace for everything there is; declined."""

from __future__ import annotations

from registry.demonstration.texts.prose import flow, text

FIRST = text(
    nid="universal-name",
    registrant="""
        Everyname Bureau, Suite 400, Market Square 1, Brightwater.
        Contact: sales@everyname.example.
    """,
    purpose="""
        Names identify anything that a customer wishes to name: products, places, people, ideas.

        Customers want short names that will last. Other systems name only some kinds of things;
        ours names all of them, so nobody has to choose between systems any more. Names are used
        wherever our customers use them.
    """,
    syntax="""
        A name is the word that the customer chose, in letters and digits. Words that somebody
        else has chosen already are given a number at the end.
    """,
    grammar_kind="regex",
    grammar="[A-Za-z0-9]{1,60}",
    examples=("urn:universal-name:Sunflower", "urn:universal-name:Sunflower2"),
    assignment="""
        Customers order names on our site and pay once a year. A name that is no longer paid for
        becomes available to other customers after 90 days.
    """,
    security_privacy="""
        Our site is protected by the usual measures. Customers decide for themselves whether a
        name says something about a person.
    """,
    interoperability="""
        No problem is known, since our names can take the place of all others.
    """,
    resolution="""
        Resolution is intended. Our site answers each name with the page of the customer.
    """,
    documentation="""
        None, because the service is explained on our site.
    """,
)

REASONS = flow("""
    We cannot accept this request, for one reason above all: names that go to another customer when
    they are no longer paid for do not persist. RFC 8141, section 5 asks that a name, once assigned,
    is never assigned to anything else.

    Besides, Purpose does not say why existing namespaces and URI schemes are not enough for any
    particular community (6.4.1), Security and Privacy does not consider what names of people
    reveal (6.4.4), and nothing is said about names after the end of the company.

    What would succeed: a namespace for one kind of thing that you know well, whose names are paid
    for once and kept for good, with a successor for the list. An HTTP address under a domain of
    your own may serve the present business better.
""")
