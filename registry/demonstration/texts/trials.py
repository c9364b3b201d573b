"""A draft that is half written, and nobody’s business but its author's."""

from __future__ import annotations

from registry.demonstration.texts.prose import text

DRAFT = text(
    nid="seedtrial",
    registrant="""
        Northlight Seed Vault Federation, Frostgata 12, 9170 Isby.
        Contact: identifier desk, urn@northlight.example, +47 5555 0142.
    """,
    purpose="""
        Names identify germination trials: one sowing of seed from an accession, under conditions
        that were written down, with what came of it.

        Vaults decide by trials when seed has to be grown anew. Results are shared between vaults
        and cited in studies of how long seed lives.
    """,
    syntax="""
        A name is the name of the accession, a slash, the letter t, and the number of the trial.
    """,
    examples=("urn:seedtrial:NVF/42/t3",),
)
