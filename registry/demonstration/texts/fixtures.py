"""An informal namespace for test data of telescopes, in review."""

from __future__ import annotations

from registry.demonstration.texts.prose import text

FIRST = text(
    nid="urn-N",
    registrant="""
        Skyfixture Group, care of the Observatory Workshop, Dome Road 1, Heliaburg.
        Contact: fixtures@skyfixture.example. Four observatories carry the Group together; any of
        them keeps the list if the others leave.
    """,
    purpose="""
        Names identify fixtures: small sets of made-up observations with which programs that
        steer a telescope, or simulate one, are tested.

        Two programs that are given the same fixture should come to the same result. Reports of
        faults cite the fixture; today they cite a file, and the file has often been changed
        since. A fixture under a lasting name is never changed.

        Names are used among the people who write such programs, mostly in public fault reports.
        There are few of them and nobody needs a telling name, so an informal namespace serves
        well. No standard is to come of it.
    """,
    syntax="""
        A name is urn:urn-N: followed by the name of an instrument model, a colon, and the first
        16 hexadecimal digits of the SHA-256 of the fixture. Models are lower case letters,
        digits and hyphens, beginning with a letter.

        Hexadecimal digits are written in lower case; a name with upper case letters is not
        valid, so names are never told apart by case. Nothing is to be encoded. A part after #
        names one frame of the fixture, by its number.
    """,
    grammar_kind="regex",
    grammar="[a-z][a-z0-9-]{0,39}:[0-9a-f]{16}",
    examples=(
        "urn:urn-N:reflector-8m:9f2c41d07be88a35",
        "urn:urn-N:dish:00d1f5a3c2b49e67#12",
    ),
    counter_examples=("urn:urn-N:dish:00D1F5A3C2B49E67", "urn:urn-N:dish"),
    prior_use="""
        None under these names. The same digits have been used after the word “fixture” in fault
        reports since 2024.
    """,
    assignment="""
        Anybody can make a name: it follows from the fixture by calculation. Models are kept in a
        list; a new one is added by writing to the Group, and none is taken out.

        Sixteen digits make an accidental double improbable: among a million fixtures the chance
        is below one in ten million. Should it happen, the later fixture is given one more frame.
    """,
    security_privacy="""
        Sixteen digits are enough against accidents and not against somebody who makes a second
        fixture with the same name on purpose. Programs must not take a fixture that was fetched
        from an unknown place for genuine because its name fits; the full digest is published for
        that.

        Fixtures are made up and tell nothing about people. A fault report that cites one may
        show which program somebody works on; reports are public in any case.
    """,
    interoperability="""
        Other names made from digests are written with the digest alone or with its algorithm.
        Ours have a model in front and cannot be mistaken for them. Programs that lower the case
        of a whole URN do no harm here.
    """,
    resolution="""
        Resolution is not intended at present. Fixtures are found in the published collections.
    """,
    documentation="""
        None outside this template, because the rule is complete as it stands here and the list
        of models is short: https://skyfixture.example/models
    """,
)
