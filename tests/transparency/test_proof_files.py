"""Proofs in files, which are verified without the log (c2sp.org/tlog-proof)."""

from __future__ import annotations

import pytest

from registry.transparency import merkle
from registry.transparency.errors import MalformedText, UnverifiedProof, UnverifiedSignature
from registry.transparency.merkle import hash_leaf
from registry.transparency.notes import COSIGNATURE, SignerKey
from registry.transparency.proof_files import LogProof
from tests.transparency.logs import ORIGIN, make_entries, read_list, sign_head

KEY = SignerKey.generate(ORIGIN)
WITNESSES = [SignerKey.generate(f"witness.example/w{number}", COSIGNATURE) for number in range(3)]
ENTRIES = make_entries(11)


def make_proof(index: int = 4) -> LogProof:
    """Return the proof of an entry, cosigned by two witnesses, with the entry."""
    note = sign_head(KEY, ENTRIES)
    note = note.add(*(each.cosign(note.text, 1_790_000_000) for each in WITNESSES[:2]))
    path = merkle.prove_inclusion(read_list(ENTRIES), index, len(ENTRIES))
    return LogProof(index, tuple(path), note, ENTRIES[index])


def test_proof_is_read_as_it_was_written_and_verified() -> None:
    text = str(make_proof())

    proof = LogProof.parse(text.encode())

    assert text.splitlines()[0] == "c2sp.org/tlog-proof@v1"
    assert text.splitlines()[2] == "index 4"
    assert str(proof) == text
    witnesses = [each.verifier() for each in WITNESSES]
    head = proof.verify(hash_leaf(proof.extra), [KEY.verifier()], witnesses, quorum=2)
    assert (head.origin, head.size) == (ORIGIN, len(ENTRIES))


def test_proof_needs_no_extra_line() -> None:
    proof = make_proof()
    plain = LogProof(proof.index, proof.path, proof.note)

    assert "extra" not in str(plain)
    assert LogProof.parse(str(plain).encode()) == plain
    with pytest.raises(MalformedText, match="without extra data"):
        LogProof.parse(str(plain).replace("index 4", "extra \nindex 4").encode())


def test_proof_of_another_entry_is_none() -> None:
    proof = make_proof()

    with pytest.raises(UnverifiedProof):
        proof.verify(hash_leaf(ENTRIES[5]), [KEY.verifier()])


def test_proof_counts_the_witnesses_that_are_known() -> None:
    proof = make_proof()
    leaf = hash_leaf(ENTRIES[4])

    with pytest.raises(UnverifiedSignature, match=r"2 .* not 3"):
        proof.verify(leaf, [KEY.verifier()], [each.verifier() for each in WITNESSES], quorum=3)
    with pytest.raises(UnverifiedSignature, match=r"0 .* not 1"):
        proof.verify(leaf, [KEY.verifier()], [WITNESSES[2].verifier()], quorum=1)


def test_proof_signed_by_somebody_else_is_none() -> None:
    stranger, namesake = SignerKey.generate("other.example/log"), SignerKey.generate(ORIGIN)

    for key in (stranger, namesake):
        with pytest.raises(UnverifiedSignature, match="not signed by"):
            make_proof().verify(hash_leaf(ENTRIES[4]), [key.verifier()])


def test_key_of_another_log_does_not_speak_for_this_one() -> None:
    stranger = SignerKey.generate("other.example/log")
    note = sign_head(stranger, ENTRIES)  # Its own key name, and the origin of ours.
    path = merkle.prove_inclusion(read_list(ENTRIES), 4, len(ENTRIES))

    with pytest.raises(UnverifiedSignature):
        LogProof(4, tuple(path), note).verify(hash_leaf(ENTRIES[4]), [stranger.verifier()])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tlog-proof@v1", "tlog-proof@v2"),
        ("index 4", "index 04"),
        ("index 4\n", ""),
        ("extra ", "extra !"),
        ("\n\n", "\n"),
        ("index 4\n", "index 4\nAAAA\n"),
    ],
)
def test_malformed_proof_is_refused(old: str, new: str) -> None:
    with pytest.raises(MalformedText):
        LogProof.parse(str(make_proof()).replace(old, new, 1).encode())
