"""A federation of seed vaults: a first round, and a second after changes were asked for."""

from __future__ import annotations

from registry.choices import Weight
from registry.demonstration.texts.prose import flow, text

FIRST = text(
    nid="seedbank",
    registrant="""
        Northlight Seed Vault Federation, Frostgata 12, 9170 Isby.
        Contact: identifier desk, urn@northlight.example, +47 5555 0142.

        The Federation is an association of 31 vaults. Should it be dissolved, its statutes hand
        the list of vault codes to the archive council of its members.
    """,
    purpose="""
        Names identify accessions: lots of seed, taken in as one and kept apart from all others,
        in the vaults of the Federation.

        Breeders, gene banks and journals cite accessions for decades. Today they write the name
        of a vault and a number, and nobody can tell by program whether two papers speak of the
        same seed. A lasting name lets citation indexes, exchange agreements and the labels on
        the bags refer to one thing, also after the seed has been moved to another vault or has
        been used up.

        Names are used in public, by anyone, in print and on the Internet. They name the
        accession and not its description: catalogues keep their own identifiers for
        descriptions. Persistent identifiers for documents do not serve, since an accession is
        not a document and most have none. No standard is to come of this namespace.
    """,
    syntax="""
        A name is the code of the vault that first accepted the seed, a slash, and the accession
        number that vault gave. A slash and one letter may follow for a duplicate that was sent
        to another vault.

        Vault codes are three letters. Accession numbers are one to six digits without leading
        zeros. The existing numbers hold no character that URNs reserve, so nothing needs to be
        encoded.

        Upper and lower case are the same everywhere in the name; upper case is preferred.
        Nothing after ?+, ?= or # has a meaning for these names.
    """,
    grammar_kind="abnf",
    grammar="""
        nss       = vault "/" accession [ "/" copy ]
        vault     = 3ALPHA
        accession = %x31-39 *5DIGIT
        copy      = ALPHA
    """,
    examples=("urn:seedbank:NVF/42", "urn:seedbank:ISB/120455", "urn:seedbank:ISB/120455/B"),
    counter_examples=("urn:seedbank:NVF-42", "urn:seedbank:NVF/0042"),
    prior_use="""
        Three vaults have printed these names on labels since 2023, about 40,000 of them. All fit
        the rule above.
    """,
    assignment="""
        The Federation gives each member vault a code of three letters. A vault numbers its
        accessions in the order in which it accepts them.

        Assignment is open to member vaults only; any vault with a public catalogue can become a
        member. Vaults normally keep an accession number for as long as the vault operates.
    """,
    security_privacy="""
        Numbers run in sequence and can be guessed, so the whole list can be collected. It is
        published anyway.

        Two names that are mistaken for one another lead to the wrong seed, which is a nuisance
        in a trial and a danger where a lot is quarantined. Labels therefore carry a check letter
        beside the name; it is not part of the name.

        A name says which vault holds an accession, never who gave it. Donors who asked not to be
        known are not to be found from it.
    """,
    interoperability="""
        Some vaults print the number with a space after the code. The space is never part of the
        name; readers are asked to drop it.

        Accessions also have entries in international catalogues of plant genetic resources.
        Those identify an entry, ours identify the seed; the catalogues can cite both. No other
        confusion is known: registered namespaces, URI schemes and the member lists of three
        networks were compared in March 2026.
    """,
    resolution="""
        It is not yet decided whether names can be looked up.
    """,
    documentation="""
        Northlight Seed Vault Federation, Accession names, third edition, January 2026,
        https://northlight.example/documents/accession-names-3
    """,
    additional_information="""
        Herbarium sheets have names of their own. A sheet and the seed taken from the same plant
        are two things and have two names.
    """,
)

SECOND = FIRST.replace(
    syntax=flow("""
        A name is the code of the vault that first accepted the seed, a slash, and the accession
        number that vault gave. A slash and one letter may follow for a duplicate that was sent
        to another vault.

        Vault codes are three letters. Accession numbers are one to six digits without leading
        zeros, and never hold a letter: the two vaults that use letters on their shelves map them
        to digits, by a published table, before they assign a name. The existing numbers hold no
        character that URNs reserve, so nothing needs to be encoded.

        Upper and lower case are the same everywhere in the name; upper case is preferred.
        Nothing after ?+, ?= or # has a meaning for these names.
    """),
    assignment=flow("""
        The Federation gives each member vault a code of three letters. A vault numbers its
        accessions in the order in which it accepts them.

        Assignment is open to member vaults only; any vault with a public catalogue can become a
        member. Vaults keep an accession number for ever. If a vault closes, the Federation holds
        its numbers and assigns no others under its code. Neither codes nor numbers are used
        again, also where the seed itself is lost.
    """),
    resolution=flow("""
        Resolution is intended. The Federation will run one service that answers a name with a
        description of the accession and the vault that holds it now. Members may run services of
        their own for their codes; to be listed they have to answer every name under the code.
    """),
)

CHANGES_ASKED_FOR = flow("""
    Two things stand in the way of approval, and one needs a decision.

    - Assignment: “normally keep” leaves open what happens when a vault closes. RFC 8141, section
    6.4.3 asks how it is ensured that a name is never given to something else. Please say who holds
    the numbers then.

    - Syntax: the rule allows digits only, but two of the vaults you list have letters in their
    numbers. Please say how those are written.

    - Resolution: “not yet decided” is no answer to 6.4.6. That names cannot be looked up is a good
    answer, if that is what you want.

    Purpose and Security and Privacy are exemplary. Thank you for the check letter.
""")

WHAT_CHANGED = flow("""
    Assignment, Syntax and Resolution are rewritten as you asked. Nothing else has changed.
""")

REMARKS = (
    (
        "assignment",
        "for as long as the vault operates",
        Weight.MUST_FIX,
        "And then? A name is never given to anything else, also when its vault is gone.",
    ),
    (
        "security_privacy",
        "Labels therefore carry a check letter",
        Weight.MUST_FIX,
        "Why is the check letter no part of the name, where it would help most?",
    ),
    (
        "syntax",
        "Accession numbers are one to six digits",
        Weight.QUESTION,
        "May an accession number hold lower case letters? Two of your vaults have some.",
    ),
)

EXPLANATION = flow("""
    Forty thousand labels are printed without it. A name with a letter more would be another name
    for the same seed.
""")
