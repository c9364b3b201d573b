"""One worker builds and signs the log, and never contradicts what it signed before."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from pytest_django import Settings

from registry import journal, workflow
from registry.journal import log_worker
from registry.journal.log_worker import (
    LogRefused,
    build_log,
    hold_lock,
    open_builder,
    read_development_key,
    restart_log,
)
from registry.models import Event, Letter, LogOrigin, RegistrationRequest, User
from registry.transparency import merkle
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.command import run
from registry.transparency.merkle import hash_leaf
from registry.transparency.notes import COSIGNATURE, Note, SignerKey, VerifierKey
from registry.transparency.proof_files import LogProof
from registry.transparency.sources import FolderSource
from registry.transparency.verification import verify_log
from registry.transparency.witness import Witness, write_durably
from tests.journal.test_journal import without_guard
from tests.transparency.logs import sign_head
from tests.transparency.test_witness import served
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

ORIGIN = "127.0.0.1:8000/log"


@pytest.fixture
def key(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> VerifierKey:
    """The key of the log, in the environment of the worker."""
    made = SignerKey.generate(ORIGIN)
    monkeypatch.setenv("REGISTRY_LOG_KEY", made.export())
    return made.verifier()


def read_head(path: Path) -> Checkpoint:
    """Return a parsed head."""
    return Checkpoint.of(Note.parse(path.read_bytes()))


def find_faults(settings: Settings, key: VerifierKey, *seen: Note) -> list[str]:
    """Return the faults of the log as anyone can read it."""
    return verify_log(FolderSource(settings.REGISTRY_LOG_DIR), [key], seen=seen).faults


def register(approved: RegistrationRequest, registrar: User) -> None:
    """Write another event."""
    workflow.perform(approved, "register", actor=registrar, references=["A letter"])


def forget_lines(first: int) -> None:
    """Reset the database to before an event, as after a restore."""
    Letter.objects.filter(event__number__gte=first).delete()
    without_guard("DELETE FROM registry_event WHERE number >= %s", first)
    without_guard("UPDATE registry_counter SET value = %s WHERE name = 'event'", first - 1)


def test_log_has_entry_0_and_every_line(
    approved: RegistrationRequest, key: VerifierKey, settings: Settings
) -> None:
    built = build_log()

    assert (built.head.size, built.new, built.is_development) == (5, 5, False)
    assert find_faults(settings, key) == []
    head = journal.find_head()
    assert head is not None
    assert head.digest == built.head.root.hex()


def test_each_head_goes_on_from_the_last(
    approved: RegistrationRequest, registrar: User, key: VerifierKey, settings: Settings
) -> None:
    build_log()
    before = Note.parse(settings.REGISTRY_LOG_HEAD.read_bytes())
    register(approved, registrar)

    built = build_log()

    assert (built.head.size, built.new) == (6, 1)
    assert find_faults(settings, key, before) == []
    assert read_head(settings.REGISTRY_LOG_DIR / "checkpoint") == read_head(
        settings.REGISTRY_LOG_HEAD
    )


def test_log_without_news_is_not_signed_again(
    approved: RegistrationRequest, key: VerifierKey, settings: Settings
) -> None:
    build_log()
    before = settings.REGISTRY_LOG_HEAD.stat().st_mtime_ns

    assert build_log().new == 0
    assert settings.REGISTRY_LOG_HEAD.stat().st_mtime_ns == before


def test_restore_to_before_the_head_says_what_is_missing(
    approved: RegistrationRequest, key: VerifierKey, settings: Settings
) -> None:
    build_log()
    signed = settings.REGISTRY_LOG_HEAD.read_bytes()
    forget_lines(3)

    with pytest.raises(LogRefused, match=r"\b2\b.*\b3 to 4\b"):
        build_log()
    assert settings.REGISTRY_LOG_HEAD.read_bytes() == signed


def test_published_head_stands_in_for_a_missing_own_file(
    approved: RegistrationRequest, registrar: User, key: VerifierKey, settings: Settings
) -> None:
    build_log()
    older = settings.REGISTRY_LOG_HEAD.read_bytes()
    register(approved, registrar)
    build_log()
    forget_lines(5)

    settings.REGISTRY_LOG_HEAD.unlink()
    with pytest.raises(LogRefused, match=r"\b4\b.*\b5 to 5\b"):
        build_log()

    settings.REGISTRY_LOG_HEAD.write_bytes(older)
    with pytest.raises(LogRefused, match=r"\b4\b.*\b5 to 5\b"):
        build_log()


def test_restored_journal_that_was_written_on_is_refused(
    in_review: RegistrationRequest, expert: User, key: VerifierKey, settings: Settings
) -> None:
    workflow.perform(in_review, "decline", actor=expert, comment="No.")
    build_log()
    signed = settings.REGISTRY_LOG_HEAD.read_bytes()
    forget_lines(4)
    without_guard("UPDATE registry_registrationrequest SET state = 'in_review'")
    in_review.refresh_from_db()
    workflow.perform(in_review, "approve", actor=expert, comment="Yes.")

    with pytest.raises(LogRefused, match="Line 4 "):
        build_log()
    assert settings.REGISTRY_LOG_HEAD.read_bytes() == signed


def test_line_that_was_changed_is_refused(
    approved: RegistrationRequest, key: VerifierKey, settings: Settings
) -> None:
    build_log()
    without_guard("UPDATE registry_event SET digest = %s WHERE number = 2", "0" * 64)

    with pytest.raises(LogRefused, match="Line 2 "):
        build_log()


def test_tiles_that_were_lost_are_made_anew_to_the_same_root(
    approved: RegistrationRequest, registrar: User, key: VerifierKey, settings: Settings
) -> None:
    build_log()
    for file in settings.REGISTRY_LOG_DIR.rglob("*.p/*"):
        file.unlink()
    register(approved, registrar)

    assert build_log().head.size == 6
    assert find_faults(settings, key) == []


class Killed(Exception):
    """Stands for a worker that is killed in the middle of its work."""


def die_after(writes: int) -> Callable[..., None]:
    """Return a writer that writes a number of files, and is killed at the next."""
    left = [writes]
    write = write_durably

    def write_or_die(path: Path, octets: bytes, mode: int = 0o644) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        write(path, octets, mode)

    return write_or_die


def test_worker_that_dies_at_any_file_leaves_a_sound_log_that_is_gone_on_with(
    approved: RegistrationRequest,
    registrar: User,
    key: VerifierKey,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    build_log()
    head, folder = settings.REGISTRY_LOG_HEAD, settings.REGISTRY_LOG_DIR
    before = head.read_bytes()
    shutil.copytree(folder, tmp_path / "before")
    register(approved, registrar)

    for writes in count():
        shutil.rmtree(folder)
        shutil.copytree(tmp_path / "before", folder)
        head.write_bytes(before)
        with monkeypatch.context() as patched:
            patched.setattr(log_worker, "write_durably", die_after(writes))
            try:
                build_log()
                break
            except Killed:
                assert find_faults(settings, key, Note.parse(before)) == []
        assert build_log().head.size == 6
        assert read_head(folder / "checkpoint") == read_head(head)
        assert find_faults(settings, key, Note.parse(before)) == []

    assert writes == len(["bundle", "tile", "head", "key", "checkpoint"])


def test_another_key_does_not_sign_on(
    approved: RegistrationRequest, key: VerifierKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_log()
    monkeypatch.setenv("REGISTRY_LOG_KEY", SignerKey.generate(ORIGIN).export())

    with pytest.raises(LogRefused, match="not signed"):
        build_log()


@pytest.fixture
def witness(key: VerifierKey, tmp_path: Path) -> Iterator[Witness]:
    """A witness of the log, which `answering` lets answer."""
    cosigner = SignerKey.generate("witness.example/w1", COSIGNATURE)
    made = Witness(cosigner, [key], tmp_path / "witness")
    yield made
    made.close()


@contextmanager
def answering(witness: Witness, settings: Settings) -> Iterator[None]:
    """Let a witness answer within the block; the settings name its address from then on."""
    with served(witness) as address:
        settings.REGISTRY_LOG_WITNESSES = [f"{address} {witness.key.verifier()}"]
        yield


def read_cosigned_head(settings: Settings, key: VerifierKey, witness: Witness) -> Checkpoint:
    """Return the published head, which both have signed."""
    published = Note.parse((settings.REGISTRY_LOG_DIR / "checkpoint").read_bytes())
    published.verify(key)
    published.verify(witness.key.verifier())
    return Checkpoint.of(published)


def test_witnesses_cosign_each_head_and_none_holds_up_the_log(
    approved: RegistrationRequest,
    registrar: User,
    key: VerifierKey,
    witness: Witness,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with answering(witness, settings):
        build_log()
        register(approved, registrar)
        build_log()

    head = read_cosigned_head(settings, key, witness)
    assert head.size == 6
    assert witness.find_last(ORIGIN) == head
    append_line(approved)
    assert build_log().head.size == 7
    assert "witness.example/w1" in caplog.text


@pytest.mark.usefixtures("approved")
def test_witness_that_was_down_is_asked_again_without_a_new_head(
    key: VerifierKey, witness: Witness, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with answering(witness, settings):
        pass
    with hold_lock():
        builder = open_builder()
        head = builder.build().head
        for pause_is_over in (False, True):
            caplog.clear()
            builder.ask_again_at *= not pause_is_over
            builder.build()
            assert ("does not answer" in caplog.text) is pause_is_over

    with answering(witness, settings):
        again = build_log()

    assert read_cosigned_head(settings, key, witness) == head
    assert (again.head, again.new) == (head, 0)
    caplog.clear()
    build_log()
    assert caplog.text == ""


def append_line(registration_request: RegistrationRequest) -> None:
    """Write one more event."""
    with transaction.atomic():
        journal.append(registration_request, actor=None, verb="comment")


def test_two_workers_do_not_build_at_once(approved: RegistrationRequest, key: VerifierKey) -> None:
    with log_worker.hold_lock(), pytest.raises(LogRefused, match="Another process"):
        build_log()


def test_each_build_asks_first_whether_the_lock_is_still_its_own(
    approved: RegistrationRequest,
    key: VerifierKey,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> None:
        raise LogRefused("Another has it.")

    log = log_worker.find_current_log()
    with log_worker.hold_lock():
        builder = log_worker.LogBuilder(log, log_worker.read_signing_key(log.origin))
        monkeypatch.setattr(log_worker, "claim_database_lock", refuse)
        with pytest.raises(LogRefused, match="Another has it"):
            builder.build()

    assert not settings.REGISTRY_LOG_HEAD.exists()


def test_another_name_in_the_settings_is_refused(
    approved: RegistrationRequest, key: VerifierKey, settings: Settings
) -> None:
    settings.REGISTRY_LOG_ORIGIN = "registry.example/log"

    with pytest.raises(LogRefused, match=r"registry\.example/log"):
        build_log()


def test_restarted_log_names_the_last_head_of_the_one_before(
    approved: RegistrationRequest,
    key: VerifierKey,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lost = build_log().head
    forget_lines(3)
    with pytest.raises(LogRefused, match="log already"):
        restart_log()
    settings.REGISTRY_LOG_ORIGIN = "127.0.0.1:8000/log-2"
    other = SignerKey.generate("127.0.0.1:8000/log-2")
    monkeypatch.setenv("REGISTRY_LOG_KEY", other.export())

    call_command("restart_log", stdout=io.StringIO())

    built = build_log()
    assert (built.head.origin, built.head.size) == ("127.0.0.1:8000/log-2", 3)
    assert find_faults(settings, other.verifier()) == []
    log = LogOrigin.objects.order_by("pk").last()
    assert log is not None
    assert json.loads(log.entry)["continues"] == {
        "origin": ORIGIN,
        "size": lost.size,
        "root": lost.root.hex(),
    }
    assert list(journal.verify()) == []


def die_at_rename(renames: int) -> Callable[[Path, Path], Path]:
    """Return a `rename` that renames a number of files, and is killed at the next."""
    left = [renames]
    rename = Path.rename

    def rename_or_die(path: Path, target: Path) -> Path:
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        return rename(path, target)

    return rename_or_die


@pytest.mark.parametrize("renames", [0, 1])
@pytest.mark.parametrize("goes_on", [build_log, restart_log])
def test_restart_that_dies_at_any_rename_is_gone_on_with(
    approved: RegistrationRequest,
    key: VerifierKey,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    renames: int,
    goes_on: Callable[[], object],
) -> None:
    lost = build_log().head
    head, folder = settings.REGISTRY_LOG_HEAD, settings.REGISTRY_LOG_DIR
    before = head.read_bytes()
    settings.REGISTRY_LOG_ORIGIN = "127.0.0.1:8000/log-2"
    other = SignerKey.generate("127.0.0.1:8000/log-2")
    monkeypatch.setenv("REGISTRY_LOG_KEY", other.export())
    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", die_at_rename(renames))
        with pytest.raises(Killed):
            restart_log()

    goes_on()

    assert build_log().head.origin == "127.0.0.1:8000/log-2"
    assert find_faults(settings, other.verifier()) == []
    assert head.with_name(f"{head.name}-1-{lost.size}").read_bytes() == before
    assert read_head(folder.with_name(f"{folder.name}-1-{lost.size}") / "checkpoint") == lost
    with pytest.raises(LogRefused, match="log already"):
        restart_log()


def test_head_of_another_registry_is_not_moved_aside(
    approved: RegistrationRequest, key: VerifierKey, settings: Settings
) -> None:
    head = settings.REGISTRY_LOG_HEAD
    stranger = SignerKey.generate("other.example/log")
    head.parent.mkdir(parents=True, exist_ok=True)
    head.write_bytes(bytes(sign_head(stranger, [b"entry"], "other.example/log")))

    for act, words in ((build_log, "head of other.example/log"), (restart_log, "a log already")):
        with pytest.raises(LogRefused, match=words):
            act()

    assert read_head(head).origin == "other.example/log"


@pytest.mark.parametrize("every", [0, 61])
def test_loop_promises_a_head_each_minute(every: int, key: VerifierKey) -> None:
    with pytest.raises(CommandError, match="each minute"):
        call_command("build_log", every=every, stdout=io.StringIO())


def test_act_during_the_loop_is_in_the_next_head(
    approved: RegistrationRequest,
    registrar: User,
    key: VerifierKey,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heads: list[Checkpoint] = []
    out = io.StringIO()

    def act_or_end(seconds: float) -> None:
        heads.append(read_head(settings.REGISTRY_LOG_DIR / "checkpoint"))
        if len(heads) == 2:
            raise KeyboardInterrupt
        register(approved, registrar)

    monkeypatch.setattr("registry.management.commands.build_log.time.sleep", act_or_end)
    with pytest.raises(KeyboardInterrupt):
        call_command("build_log", every=60, stdout=out)

    assert [head.size for head in heads] == [5, 6]
    assert find_faults(settings, key) == []
    said = [re.findall(r"\b\d+ ", line) for line in out.getvalue().splitlines()]
    assert said == [["5 ", "5 "], ["6 ", "1 "]]


def test_key_is_read_from_its_file(
    approved: RegistrationRequest,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    made = SignerKey.generate(ORIGIN)
    (tmp_path / "key").write_text(f"{made.export()}\n")
    monkeypatch.delenv("REGISTRY_LOG_KEY", raising=False)
    monkeypatch.setenv("REGISTRY_LOG_KEY_FILE", str(tmp_path / "key"))

    built = build_log()

    assert not built.is_development
    assert find_faults(settings, made.verifier()) == []
    monkeypatch.setenv("REGISTRY_LOG_KEY_FILE", str(tmp_path / "nothing"))
    with pytest.raises(LogRefused, match="cannot be read"):
        build_log()


def test_demonstration_without_a_key_makes_one_and_says_so(
    approved: RegistrationRequest, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REGISTRY_LOG_KEY", raising=False)
    out = io.StringIO()

    call_command("build_log", stdout=out)

    assert "development key" in out.getvalue()
    assert settings.REGISTRY_LOG_DEVELOPMENT_KEY.stat().st_mode & 0o777 == 0o600


@pytest.mark.pages
@pytest.mark.usefixtures("approved")
@pytest.mark.parametrize("is_demonstration", [True, False], ids=["demonstration", "production"])
@pytest.mark.parametrize("signs", ["development key", "own key"])
def test_page_of_the_log_says_if_the_key_that_signed_is_a_development_key(
    signs: str,
    is_demonstration: bool,
    client: Client,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("REGISTRY_LOG_KEY", raising=False)
    before = text_of(client.get("/log/"))
    development = read_development_key(settings.REGISTRY_LOG_DEVELOPMENT_KEY, ORIGIN)
    key = development if signs == "development key" else SignerKey.generate(ORIGIN)
    monkeypatch.setenv("REGISTRY_LOG_KEY", key.export())
    settings.DEMONSTRATION = is_demonstration

    built = build_log()
    page = text_of(client.get("/log/"))

    words = "A demonstration made this key on this machine. It proves nothing to others."
    assert str(key.verifier()) in page
    assert (words in page) is built.is_development is (key == development)
    assert words not in before


def test_production_without_a_key_says_how_to_make_one(
    approved: RegistrationRequest, settings: Settings
) -> None:
    settings.DEMONSTRATION = False

    with pytest.raises(CommandError, match=r"REGISTRY_LOG_KEY_FILE .* keygen"):
        call_command("build_log", stdout=io.StringIO())


@pytest.mark.pages
@pytest.mark.usefixtures("approved", "key")
def test_everybody_reads_the_log_and_keeps_proofs(
    client: Client, tmp_path: Path, key: VerifierKey, capsys: pytest.CaptureFixture[str]
) -> None:
    head, for_a_year = build_log().head, "public, max-age=31536000, immutable"
    for path, media_type, keep in (
        ("checkpoint", "text/plain; charset=utf-8", "public, max-age=5"),
        ("tile/0/000.p/5", "application/octet-stream", for_a_year),
        ("tile/entries/000.p/5", "application/octet-stream", for_a_year),
        ("entries/2.tlog-proof", "text/plain; charset=utf-8", for_a_year),
    ):
        answer = client.get(f"/log/{path}")
        assert (answer.status_code, answer["Content-Type"]) == (200, media_type)
        assert answer["Cache-Control"] == keep

    entry = client.get("/api/v1/log/entries/2/")
    assert entry["Cache-Control"] == for_a_year

    file = tmp_path / "entry-2.tlog-proof"
    file.write_bytes(client.get("/log/entries/2.tlog-proof").content)
    assert run(["verify", str(file), "--key", str(key)]) == 0
    assert '"verb":"submit"' in capsys.readouterr().out
    assert (
        LogProof.parse(file.read_bytes()).verify(
            hash_leaf(Event.objects.get(number=2).entry.encode()), [key]
        )
        == head
    )


@pytest.mark.pages
@pytest.mark.usefixtures("approved", "key")
@pytest.mark.parametrize(
    "path", ["tile/0/000", "tile/0/000.p/4", "tile/0/..%2f..%2flog-head", "tile/x", "entries/5/"]
)
def test_nothing_else_is_there(client: Client, path: str) -> None:
    build_log()

    assert client.get(f"/log/{path}").status_code == 404


@pytest.mark.pages
@pytest.mark.usefixtures("approved")
def test_programs_ask_for_proofs(client: Client, key: VerifierKey) -> None:
    head = build_log().head

    told = client.get("/api/v1/log/entries/2/").json()
    grown = client.get("/api/v1/log/consistency/3/5/").json()

    assert told["entry"] == Event.objects.get(number=2).entry
    assert (told["head"]["size"], told["head"]["key"]) == (5, str(key))
    merkle.verify_inclusion(
        bytes.fromhex(told["leaf"]), 2, 5, [bytes.fromhex(each) for each in told["path"]], head.root
    )
    assert bytes.fromhex(grown["second_root"]) == head.root
    merkle.verify_consistency(
        3,
        bytes.fromhex(grown["first_root"]),
        5,
        head.root,
        [bytes.fromhex(each) for each in grown["path"]],
    )
    assert client.get("/api/v1/log/entries/5/").status_code == 404
    assert client.get("/api/v1/log/consistency/3/6/").status_code == 404


@pytest.mark.pages
@pytest.mark.usefixtures("approved", "key")
def test_people_read_an_entry_and_what_it_tells_of(client: Client) -> None:
    waiting = client.get("/log/entries/2/").content.decode()
    build_log()

    index = client.get("/log/").content.decode()
    sent = client.get("/log/entries/2/").content.decode()

    assert "within a minute" in waiting
    assert "head of 5" in sent
    assert "R-20" in sent
    assert "127.0.0.1:8000/log" in index


@pytest.fixture
def sealed(draft: RegistrationRequest) -> Callable[[], str]:
    """An event about a draft, as its page shows it to strangers."""
    build_log()
    return lambda: Client().get("/log/entries/1/").content.decode()


@pytest.mark.pages
def test_sealed_entry_of_a_draft_shows_nothing(
    draft: RegistrationRequest, sealed: Callable[[], str]
) -> None:
    page = sealed()

    assert "sealed" in page
    assert "Runa Registrant" not in page
    assert draft.reference not in page
