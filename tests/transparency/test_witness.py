"""A witness: what it cosigns, and each of its refusals (c2sp.org/tlog-witness)."""

from __future__ import annotations

import hashlib
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from registry.transparency import merkle
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.errors import MalformedText
from registry.transparency.notes import (
    COSIGNATURE,
    Note,
    NoteSignature,
    SignerKey,
    encode_base64,
    sign_note,
)
from registry.transparency.witness import Submission, Witness, WitnessServer
from tests.transparency.logs import ORIGIN, make_entries, read_list, sign_head

LOG = SignerKey.generate(ORIGIN)
KEY = SignerKey.generate("witness.example/w1", COSIGNATURE)
ENTRIES = make_entries(40)
NOW = 1_790_000_000


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[Witness]:
    """A witness that knows one log, but has seen none of it."""
    found = Witness(KEY, [LOG.verifier()], tmp_path / "witness.json", now=lambda: NOW)
    yield found
    found.close()


def submission(old: int, size: int, note: Note | None = None) -> Submission:
    """Return what an honest log sends."""
    proof = merkle.prove_consistency(read_list(ENTRIES), old, size)
    return Submission(old, tuple(proof), note or sign_head(LOG, ENTRIES[:size]))


def answers(witness: Witness, *submissions: Submission | bytes) -> list[tuple[int, str]]:
    """Return statuses and texts of a witness's successive responses."""
    bodies = [each if isinstance(each, bytes) else str(each).encode() for each in submissions]
    found = [witness.add_checkpoint(body) for body in bodies]
    return [(answer.status.value, answer.text) for answer in found]


def statuses(witness: Witness, *submissions: Submission | bytes) -> list[int]:
    """Return the statuses of a witness's responses."""
    return [status for status, _text in answers(witness, *submissions)]


def test_heads_that_continue_one_another_are_cosigned(witness: Witness) -> None:
    first, second = submission(0, 7), submission(7, 40)

    ((_, one), (_, two)) = answers(witness, first, second)

    for asked, text in ((first, one), (second, two)):
        Note.parse(f"{asked.note}{text}".encode()).verify(KEY.verifier())
    assert NoteSignature.parse(two.rstrip("\n")).octets[:8] == NOW.to_bytes(8)


def test_same_head_is_cosigned_again(witness: Witness) -> None:
    assert statuses(witness, submission(0, 7), submission(7, 7)) == [200, 200]


def test_empty_log_is_cosigned(witness: Witness) -> None:
    assert statuses(witness, submission(0, 0), submission(0, 3)) == [200, 200]


def test_old_size_that_is_not_the_last_is_answered_with_the_last(witness: Witness) -> None:
    asked = [submission(0, 7), submission(0, 9), submission(5, 9)]

    found = [witness.add_checkpoint(str(each).encode()) for each in asked]

    assert [(each.status.value, each.text) for each in found[1:]] == [(409, "7\n"), (409, "7\n")]
    assert {each.media_type for each in found[1:]} == {"text/x.tlog.size"}


def test_fork_is_refused_and_the_last_head_stays(witness: Witness) -> None:
    forked = [*make_entries(6, "forged"), *ENTRIES[6:]]
    proof = merkle.prove_consistency(read_list(forked), 7, 12)
    fork = Submission(7, tuple(proof), sign_head(LOG, forked[:12]))
    other = Submission(7, (), sign_head(LOG, forked[:7]))

    assert statuses(witness, submission(0, 7), fork, other, submission(7, 12)) == [
        200,
        422,
        422,
        200,
    ]


def test_proof_for_what_needs_none_is_refused(witness: Witness) -> None:
    asked = submission(0, 7)

    assert statuses(witness, Submission(0, (bytes(32),), asked.note)) == [422]


def test_empty_tree_with_another_root_is_refused(witness: Witness) -> None:
    note = sign_note(str(Checkpoint(ORIGIN, 0, bytes(32))), LOG)

    assert statuses(witness, Submission(0, (), note)) == [422]


def test_old_size_beyond_the_new_one_is_refused(witness: Witness) -> None:
    note = sign_head(LOG, ENTRIES[:7])

    assert statuses(witness, submission(0, 9), Submission(9, (), note)) == [200, 400]


def test_log_that_is_not_known_is_not_found(witness: Witness) -> None:
    stranger = SignerKey.generate("other.example/log")
    note = sign_head(stranger, ENTRIES[:7], "other.example/log")

    assert statuses(witness, Submission(0, (), note)) == [404]


def test_head_that_the_log_did_not_sign_is_forbidden(witness: Witness) -> None:
    namesake = SignerKey.generate(ORIGIN)
    honest = sign_head(LOG, ENTRIES[:7])
    forged = NoteSignature(ORIGIN, LOG.verifier().key_id, bytes(64))
    notes = (sign_head(namesake, ENTRIES[:7]), Note(honest.text, (forged,)), honest.add(forged))

    asked = [Submission(0, (), note) for note in notes]

    assert statuses(witness, *asked) == [403, 403, 403]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"old 0\n",
        b"\xff",
        str(submission(0, 7)).replace("old 0", "old 00").encode(),
        str(submission(0, 7)).replace("old 0", "new 0").encode(),
        str(submission(0, 7)).replace("old 0\n", "old 0\nAAAA\n").encode(),
        str(submission(0, 7))
        .replace("old 0\n", f"old 0\n{encode_base64(bytes(32))}\n" * 1)
        .replace(f"{encode_base64(bytes(32))}\n", f"{encode_base64(bytes(32))}\n" * 64)
        .encode(),
        b"old 0\n\nText.\n\n" + str(submission(0, 7)).split("\n\n")[2].encode(),
    ],
)
def test_malformed_submission_is_refused(witness: Witness, body: bytes) -> None:
    assert statuses(witness, body) == [400]


def test_last_head_outlives_the_witness(tmp_path: Path) -> None:
    state = tmp_path / "witness.json"
    first = Witness(KEY, [LOG.verifier()], state)
    assert statuses(first, submission(0, 7)) == [200]
    first.close()

    second = Witness(KEY, [LOG.verifier()], state)

    assert answers(second, submission(0, 9)) == [(409, "7\n")]
    second.close()


def test_two_witnesses_cannot_share_a_state(witness: Witness, tmp_path: Path) -> None:
    with pytest.raises(MalformedText, match="Another process holds"):
        Witness(KEY, [LOG.verifier()], tmp_path / "witness.json")


def test_key_of_a_log_is_no_key_of_a_witness(tmp_path: Path) -> None:
    with pytest.raises(MalformedText, match="keygen --witness"):
        Witness(LOG, [LOG.verifier()], tmp_path / "other.json")


@contextmanager
def served(witness: Witness) -> Iterator[str]:
    """Serve a witness; yield its address."""
    server = WitnessServer(("127.0.0.1", 0), witness)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def ask(url: str, body: Submission | bytes | None = None) -> tuple[int, str, str]:
    """Return status, media type and text of a response."""
    octets = body if body is None or isinstance(body, bytes) else str(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, octets), timeout=20) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["Content-Type"], error.read().decode()


def test_it_is_asked_over_http(witness: Witness) -> None:
    name = hashlib.sha256(ORIGIN.encode()).hexdigest()
    with served(witness) as address:
        before = ask(f"{address}/{name}/checkpoint")
        made = ask(f"{address}/add-checkpoint", submission(0, 7))
        conflict = ask(f"{address}/add-checkpoint", submission(0, 9))
        nowhere = ask(f"{address}/elsewhere", submission(7, 9))
        too_much = ask(f"{address}/add-checkpoint", bytes(1 << 18))
        after = ask(f"{address}/{name}/checkpoint")

    assert (before[0], made[0], nowhere[0], too_much[0], after[0]) == (404, 200, 404, 413, 200)
    assert conflict == (409, "text/x.tlog.size", "7\n")
    Note.parse(after[2].encode()).verify(LOG.verifier())
    Note.parse(after[2].encode()).verify(KEY.verifier())


def test_older_head_never_wins_among_many_at_once(witness: Witness) -> None:
    with served(witness) as address, ThreadPoolExecutor(8) as many:
        url = f"{address}/add-checkpoint"
        sizes = list(range(1, 41))
        found = list(many.map(lambda size: ask(url, submission(0, size))[0], sizes))

    assert sorted(found) == [200] + [409] * 39
    last = witness.find_last(ORIGIN)
    assert last is not None
    assert last.size == sizes[found.index(200)]
