"""Pages name the log entry that proves an action, and say whether a kept head still holds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from registry import workflow
from registry.env import LOG_KEY
from registry.journal.log_worker import build_log, restart_log
from registry.models import Event, Namespace, RegistrationRequest, User
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.notes import Note, SignerKey, sign_note
from registry.workflow import drafts
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

ORIGIN = "127.0.0.1:8000/log"
SAME_ROOT = b"\1" * 32


@pytest.fixture
def registered(approved: RegistrationRequest, registrar: User) -> Namespace:
    """The namespace `seedbank`, version 1."""
    workflow.perform(approved, "register", actor=registrar)
    return Namespace.objects.get(nid="seedbank")


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> SignerKey:
    """The key of the log, in the environment of the worker."""
    made = SignerKey.generate(ORIGIN)
    monkeypatch.setenv(LOG_KEY, made.export())
    return made


def read_page(address: str, **asked: str) -> str:
    """Return the public text of a page."""
    return text_of(Client().get(address, asked))


def read_head(settings: Settings) -> str:
    """Return the head as people copy it."""
    folder: Path = settings.REGISTRY_LOG_DIR
    return (folder / "checkpoint").read_text()


def forge_head(key: SignerKey, size: int = 2, origin: str = ORIGIN) -> str:
    """Return a head of invented entries."""
    return str(sign_note(str(Checkpoint(origin, size, SAME_ROOT)), key))


def compare(head: str) -> tuple[int, str]:
    """Return the page's response to a head."""
    response = Client().get("/log/consistency/", {"head": head})
    return response.status_code, text_of(response)


def test_a_request_its_round_and_its_decision_say_in_which_entry_they_are_proved(
    approved: RegistrationRequest, key: SignerKey
) -> None:
    build_log()
    here = approved.get_absolute_url()
    sent, decided = (Event.objects.get(verb=verb).number for verb in ("submit", "approve"))

    page, round_page = read_page(here), read_page(f"{here}template/", round="1")
    history = Client().get(f"{here}history/").content.decode()

    assert f"Proved in entry {decided} of the log, head of " in page
    for number in (sent, decided):
        assert f"Proved in entry {number} of the log, head of " in round_page
        assert f'href="/log/entries/{number}.tlog-proof"' in history
    assert Client().get(f"/log/entries/{decided}.tlog-proof").status_code == 200


def test_a_round_tells_of_the_decisions_on_itself_alone(
    in_review: RegistrationRequest, registrant: User, expert: User
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say who may join.")
    draft = in_review.draft
    assert draft is not None
    drafts.save_draft(draft, {"assignment": "The desk decides who may join."}, seen=0)
    workflow.perform(in_review, "submit", actor=registrant)
    here = f"{in_review.get_absolute_url()}template/"

    first, second = read_page(here, round="1"), read_page(here, round="2")

    assert "asked for changes to round 1" in first
    assert "asked for changes to round 1" not in second
    assert "sent round 2" in second
    assert "sent round 2" not in first


def test_a_namespace_and_a_version_say_so_too(registered: Namespace, key: SignerKey) -> None:
    build_log()
    number = Event.objects.get(verb="register").number

    for address in ("/namespaces/seedbank/", "/namespaces/seedbank/versions/1/"):
        assert f"Proved in entry {number} of the log, head of " in read_page(address)


def test_before_the_next_head_nothing_is_said_to_be_proved_and_no_memory_keeps_the_page(
    in_review: RegistrationRequest, expert: User, key: SignerKey
) -> None:
    here = in_review.get_absolute_url()
    assert "Proved in" not in read_page(here)
    build_log()
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    number = Event.objects.get(verb="approve").number

    waiting = Client().get(here)
    build_log()
    proved = Client().get(here)

    assert f"Entry {number} of the log, which the next head will prove" in text_of(waiting)
    assert waiting["Cache-Control"] == "no-cache"
    assert f"Proved in entry {number} of the log" in text_of(proved)
    assert proved.headers.get("Cache-Control") != "no-cache"


def test_of_a_draft_that_was_never_sent_no_entry_is_shown(
    draft: RegistrationRequest, registrant: User, key: SignerKey
) -> None:
    build_log()
    client = Client()
    client.force_login(registrant)

    page = text_of(client.get(draft.get_absolute_url()))

    assert "This draft was never sent" in page
    assert "of the log" not in page.replace("Transparency log", "")


def test_a_kept_head_is_followed_to_the_log_as_it_is_now(
    in_review: RegistrationRequest, expert: User, key: SignerKey, settings: Settings
) -> None:
    build_log()
    kept = read_head(settings)
    size = Checkpoint.of(Note.parse(kept.encode())).size
    assert "The same log, and nothing was added" in compare(kept)[1]
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    build_log()

    status, page = compare(kept.replace("\n", "\r\n"))

    assert status == 200
    assert "The same log, grown by 1 entry" in page
    assert f"The first {size} of its {size + 1} entries are those that your head covers" in page
    proof = Client().get(f"/log/entries/{size}.tlog-proof").content.decode()
    assert "The same log, and nothing was added" in compare(proof)[1]


@pytest.mark.usefixtures("approved")
def test_what_a_head_is_that_does_not_belong_to_the_log_is_told_in_plain_words(
    key: SignerKey, settings: Settings
) -> None:
    build_log()
    kept = read_head(settings)
    forged = kept.replace("\n5\n", "\n4\n")
    assert forged != kept

    answers = {
        "Signed by another key": forge_head(SignerKey.generate(ORIGIN)),
        "Not this log": forge_head(SignerKey.generate("b.example/log"), origin="b.example/log"),
        "Your head is larger than ours": forge_head(key, 9),
        "Not the same entries": forge_head(key, 2),
        "The signature does not hold": forged,
    }

    for title, head in answers.items():
        status, page = compare(head)
        assert (status, title in page) == (200, True), title
        assert "The same log" not in page, title
    assert "4 are missing here" in compare(forge_head(key, 9))[1]


@pytest.mark.usefixtures("approved")
def test_another_root_of_as_many_entries_is_not_the_same_log(key: SignerKey) -> None:
    size = build_log().head.size

    assert "Not the same entries" in compare(forge_head(key, size))[1]


@pytest.mark.usefixtures("approved", "key")
def test_the_head_of_a_log_that_has_ended_is_known(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_log()
    kept = read_head(settings)
    settings.REGISTRY_LOG_ORIGIN = "127.0.0.1:8000/log-2"
    made = SignerKey.generate(settings.REGISTRY_LOG_ORIGIN)
    monkeypatch.setenv(LOG_KEY, made.export())
    restart_log()
    build_log()

    assert "A log of this registry that has ended" in compare(kept)[1]


@pytest.mark.usefixtures("approved", "key")
def test_nothing_is_said_where_files_of_the_log_are_missing(settings: Settings) -> None:
    build_log()
    kept = read_head(settings)
    folder: Path = settings.REGISTRY_LOG_DIR
    shutil.rmtree(folder / "tile")

    assert "The comparison is not possible now" in compare(kept)[1]


NO_HEADS = {
    "": "Paste the head that you kept.",
    "Hello": "This is not a signed head. The note has no signatures.",
    "a\n1\nb\n\n\N{EM DASH} a AAAA": "This is not a signed head",
    "c2sp.org/tlog-proof@v1\n\nHello": "This is not a signed head",
    "a\x07b": "There is a control character (U+0007) in line 1",
    "x" * 4_001: "The text has 4,001 characters; the limit of 4,000 is reached",
}


@pytest.mark.usefixtures("approved", "key")
def test_what_is_no_head_is_refused_with_a_word_how_to_mend_it() -> None:
    build_log()

    for head, words in NO_HEADS.items():
        status, page = compare(head)
        assert (status, words in page) == (400, True), words
        assert page.count("One thing to fix") == 1


def test_before_the_first_head_there_is_nothing_to_compare_with() -> None:
    assert "No head has been signed yet" in read_page("/log/consistency/")
    status, page = compare(forge_head(SignerKey.generate(ORIGIN)))
    assert (status, "No head has been signed yet" in page) == (200, True)
