"""Signed notes, keys, checkpoints and cosignatures, as C2SP writes them."""

from __future__ import annotations

import pytest

from registry.transparency.canonical_json import canonicalize, parse_canonical
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.errors import MalformedText, UnverifiedSignature
from registry.transparency.notes import (
    COSIGNATURE,
    Note,
    NoteSignature,
    SignerKey,
    VerifierKey,
    sign_note,
)

KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
NOTE = (
    "This is an example message.\n\n— example.com/foo "
    "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
CHECKPOINT = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
COSIGNED = (
    f"{CHECKPOINT}\n— example.com/behind-the-sofa "
    "Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2"
    "oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
)
"""The examples of c2sp.org/signed-note, tlog-checkpoint and tlog-cosignature."""


def test_note_of_the_text_is_verified_by_the_key_of_the_text() -> None:
    key = VerifierKey.parse(KEY)
    note = Note.parse(NOTE.encode())

    note.verify(key)

    assert (str(key), str(note)) == (KEY, NOTE)


def test_note_that_says_something_else_is_not() -> None:
    note = Note.parse(NOTE.replace("example message", "Example message").encode())

    with pytest.raises(UnverifiedSignature, match="does not verify"):
        note.verify(VerifierKey.parse(KEY))


def test_key_alone_verifies_what_it_signed() -> None:
    ours, other = SignerKey.generate("log.example/log"), SignerKey.generate("log.example/log")

    note = sign_note("One line.\n\nAnother.\n", ours)

    read = Note.parse(bytes(note))
    read.verify(ours.verifier())
    assert read.text == "One line.\n\nAnother.\n"
    with pytest.raises(UnverifiedSignature, match="not signed by"):
        read.verify(other.verifier())


def test_signatures_of_strangers_are_passed_over_and_bad_ones_of_friends_are_not() -> None:
    ours, other = SignerKey.generate("log.example/log"), SignerKey.generate("other.example")
    note = sign_note("Text.\n", other, ours)
    note.verify(ours.verifier())
    forged = NoteSignature("other.example", other.verifier().key_id, bytes(64))
    with pytest.raises(UnverifiedSignature, match=r"other\.example"):
        sign_note("Text.\n", ours).add(forged).find_verified([ours.verifier(), other.verifier()])
    with pytest.raises(UnverifiedSignature, match=r"other\.example"):
        note.add(forged).find_verified([other.verifier()])


def test_secret_key_is_written_and_read_and_not_printed() -> None:
    key = SignerKey.generate("log.example/log")

    assert SignerKey.parse(key.export() + "\n") == key
    assert key.export().startswith("PRIVATE+KEY+log.example/log+")
    assert key.seed.hex() not in repr(key)
    assert repr(key.seed) not in repr(key)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example.com/foo",
        KEY.replace("530d903a", "530d903b"),
        KEY.replace("530d903a", "530D903A"),
        KEY.replace("/foo", " foo"),
        KEY[:-4],
        "example.com/foo+530d903a+!",
    ],
)
def test_malformed_verifier_key_is_refused(text: str) -> None:
    with pytest.raises(MalformedText):
        VerifierKey.parse(text)


@pytest.mark.parametrize("text", ["", KEY, "PRIVATE+KEY+a+00000000+AAAA", "PRIVATE+KEY+a"])
def test_malformed_secret_key_is_refused(text: str) -> None:
    with pytest.raises(MalformedText, match="secret key"):
        SignerKey.parse(text)


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"Text.\n",
        b"Text.\n\n",
        NOTE[:-1].encode(),
        NOTE.replace("— ", "- ").encode(),
        NOTE.replace("example message", "example\tmessage").encode(),
        NOTE.replace("— example.com/foo", "— example.com/f+o").encode(),
        b"\xff\n\n" + NOTE.split("\n\n")[1].encode(),
    ],
)
def test_malformed_note_is_refused(octets: bytes) -> None:
    with pytest.raises(MalformedText):
        Note.parse(octets)


def test_parse_takes_a_note_of_a_million_octets_and_none_that_is_longer() -> None:
    key = SignerKey.generate("log.example/log")
    room = 1_000_000 - len(bytes(sign_note("\n", key)))

    longest = bytes(sign_note("x" * room + "\n", key))
    longer = bytes(sign_note("x" * (room + 1) + "\n", key))

    assert bytes(Note.parse(longest)) == longest
    with pytest.raises(MalformedText, match="too long"):
        Note.parse(longer)


def test_checkpoint_of_the_text_is_read() -> None:
    note = Note.parse(COSIGNED.encode())

    head = Checkpoint.of(note)

    assert (head.origin, head.size) == ("example.com/behind-the-sofa", 20_852_163)
    assert head.root.hex().startswith("0ac5186a91863e8e1d90")
    assert (str(head), str(note)) == (CHECKPOINT, COSIGNED)
    assert [each.name for each in note.signatures] == [head.origin, "witness.example.com/w1"]


@pytest.mark.parametrize(
    "text",
    [
        CHECKPOINT.replace("20852163", "020852163"),
        CHECKPOINT.replace("20852163", "-1"),
        CHECKPOINT.replace("CsUY", "CsU"),
        CHECKPOINT.replace("CsUYapGGPo4d", ""),
        CHECKPOINT.replace("q2I=", "q2J="),
        CHECKPOINT + "\n",
        CHECKPOINT.rstrip(),
        "a\n1\n",
    ],
)
def test_malformed_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(MalformedText):
        Checkpoint.parse(text)


def test_cosignature_says_when_and_holds_for_that_time_alone() -> None:
    witness = SignerKey.generate("witness.example/w1", COSIGNATURE)
    note = Note(CHECKPOINT, (witness.cosign(CHECKPOINT, 1_679_315_147),))
    note.verify(witness.verifier())

    (signature,) = note.signatures
    assert signature.octets[:8] == (1_679_315_147).to_bytes(8)
    later = (1_679_315_148).to_bytes(8) + signature.octets[8:]
    with pytest.raises(UnverifiedSignature):
        witness.verifier().verify(CHECKPOINT, later)
    with pytest.raises(UnverifiedSignature, match="no time"):
        witness.verifier().verify(CHECKPOINT, bytes(8) + signature.octets[8:])


def test_plain_signature_is_no_cosignature() -> None:
    witness = SignerKey.generate("witness.example/w1", COSIGNATURE)

    with pytest.raises(UnverifiedSignature):
        witness.verifier().verify(CHECKPOINT, witness.sign(CHECKPOINT).octets)


def test_same_value_is_always_the_same_octets() -> None:
    # Names are sorted by their UTF-16 (section 3.2.3).
    assert canonicalize({"b": [1, None, True], "a": "ü\n", "\ufb33": 1, "😀": 2}) == (
        '{"a":"ü\\n","b":[1,null,true],"😀":2,"\ufb33":1}'.encode()
    )


def test_numbers_of_rfc_8785_are_written_as_there() -> None:
    # Section 3.2.2, sample input and output.
    value = [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001]

    assert canonicalize(value) == b"[333333333.3333333,1e+30,4.5,0.002,1e-27]"


@pytest.mark.parametrize("value", [float("nan"), 2**53, "\ud800", {1: 2}, object()])
def test_value_without_a_json_form_is_refused(value: object) -> None:
    with pytest.raises(MalformedText):
        canonicalize(value)


@pytest.mark.parametrize(
    "octets",
    [
        *(b'{"b":1,"a":2}', b'{"a": 1}', b'{"a":1,"a":1}', b'"\\u0041"', b"1.0", b"[", b"\xff"),
        *(b"NaN", b"[-Infinity]", b'["\xc3\xbc",NaN]', b"9007199254740993", b"-0", b"01"),
        *(b'{"a":{"b":1,"b":1}}', b'{"\xc3\xbc":1,"\xc3\xbc":1}', b"1 ", b"\xef\xbb\xbf1"),
    ],
)
def test_json_in_another_spelling_is_refused(octets: bytes) -> None:
    with pytest.raises(MalformedText):
        parse_canonical(octets)


def test_canonical_json_is_read() -> None:
    assert parse_canonical(b"[1234567890123456,1e+30,-7]") == [1234567890123456, 1e30, -7]
    assert parse_canonical(b'{"a":[1.5,"\xc3\xbc"],"b":null}') == {"a": [1.5, "ü"], "b": None}
