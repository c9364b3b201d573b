"""Pages name the log entry that proves an action, and say whether a kept head still holds."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from registry import workflow
from registry.env import LOG_KEY
from registry.journal.event_messages import describe_event
from registry.journal.log_worker import build_log, restart_log
from registry.models import Event, Namespace, RegistrationRequest, User
from registry.selectors.transparency_log import EarlierHeadVerdict
from registry.transparency.checkpoints import Checkpoint
from registry.transparency.notes import Note, SignerKey, sign_note
from registry.workflow import drafts
from tests.web.pages import error_codes, text_of

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


def ask_about(head: str) -> Any:
    """Return the page's response to a head."""
    return Client().get("/log/consistency/", {"head": head})


def compare(head: str) -> EarlierHeadVerdict:
    """Return what the page says of a head."""
    verdict: EarlierHeadVerdict = ask_about(head).context["answer"].verdict
    return verdict


def test_request_round_and_decision_name_the_entry_that_proves_them(
    approved: RegistrationRequest, key: SignerKey
) -> None:
    build_log()
    here = approved.get_absolute_url()
    sent, decided = (Event.objects.get(verb=verb).number for verb in ("submit", "approve"))

    page, round_page = read_page(here), read_page(f"{here}template/", round="1")
    history = Client().get(f"{here}history/").content.decode()

    assert f"Verify, entry {decided} of the log" in page
    for number in (sent, decided):
        assert f"Verify, entry {number} of the log" in round_page
        assert f'href="/log/entries/{number}.tlog-proof"' in history
    assert Client().get(f"/log/entries/{decided}.tlog-proof").status_code == 200


def test_round_shows_the_decisions_on_itself_alone(
    in_review: RegistrationRequest, registrant: User, expert: User
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say who may join.")
    draft = in_review.draft
    assert draft is not None
    drafts.save_draft(draft, {"assignment": "The desk decides who may join."}, seen=0)
    workflow.perform(in_review, "submit", actor=registrant)
    here = f"{in_review.get_absolute_url()}template/"

    first, second = read_page(here, round="1"), read_page(here, round="2")

    decision = describe_event(in_review.events.get(verb="request_changes"))
    assert decision in first
    assert decision not in second
    assert "sent round 2" in second
    assert "sent round 2" not in first


def test_namespace_and_version_name_the_entry_that_proves_them(
    registered: Namespace, key: SignerKey
) -> None:
    build_log()
    number = Event.objects.get(verb="register").number

    for address in ("/namespaces/seedbank/", "/namespaces/seedbank/versions/1/"):
        assert f"Verify, entry {number} of the log" in read_page(address)


def test_entry_is_not_proved_before_the_next_head_and_its_page_not_cached(
    in_review: RegistrationRequest, expert: User, key: SignerKey
) -> None:
    here = in_review.get_absolute_url()
    build_log()
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    number = Event.objects.get(verb="approve").number

    waiting = Client().get(here)
    build_log()
    proved = Client().get(here)

    assert f"Verify, entry {number} of the log, within a minute" in text_of(waiting)
    assert waiting["Cache-Control"] == "no-cache"
    assert f"Verify, entry {number} of the log" in text_of(proved)
    assert "within a minute" not in text_of(proved)
    assert proved.headers.get("Cache-Control") != "no-cache"


def test_draft_that_was_never_sent_shows_no_entry(
    draft: RegistrationRequest, registrant: User, key: SignerKey
) -> None:
    build_log()
    client = Client()
    client.force_login(registrant)

    page = client.get(draft.get_absolute_url())

    assert page.status_code == 200
    assert "/log/entries/" not in page.content.decode()


def test_kept_head_is_followed_to_the_log_as_it_is_now(
    in_review: RegistrationRequest, expert: User, key: SignerKey, settings: Settings
) -> None:
    build_log()
    kept = read_head(settings)
    size = Checkpoint.of(Note.parse(kept.encode())).size
    assert compare(kept) == EarlierHeadVerdict.SAME
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    build_log()

    page = ask_about(kept.replace("\n", "\r\n"))

    answer = page.context["answer"]
    assert page.status_code == 200
    assert (answer.verdict, answer.difference) == (EarlierHeadVerdict.GROWN, 1)
    assert f"first {size} of its {size + 1}" in text_of(page)
    proof = Client().get(f"/log/entries/{size}.tlog-proof").content.decode()
    assert compare(proof) == EarlierHeadVerdict.SAME


@pytest.mark.usefixtures("approved")
def test_head_that_does_not_belong_to_the_log_is_explained_in_plain_words(
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
        page = ask_about(head)
        assert (page.status_code, title in text_of(page)) == (200, True), title
        assert "The same log" not in text_of(page), title
    assert ask_about(forge_head(key, 9)).context["answer"].difference == 4


@pytest.mark.usefixtures("approved")
def test_root_of_other_entries_is_not_the_same_log(key: SignerKey) -> None:
    size = build_log().head.size

    assert compare(forge_head(key, size)) == EarlierHeadVerdict.OTHER_ENTRIES


@pytest.mark.usefixtures("approved", "key")
def test_head_of_a_log_that_has_ended_is_known(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_log()
    kept = read_head(settings)
    settings.REGISTRY_LOG_ORIGIN = "127.0.0.1:8000/log-2"
    made = SignerKey.generate(settings.REGISTRY_LOG_ORIGIN)
    monkeypatch.setenv(LOG_KEY, made.export())
    restart_log()
    build_log()

    assert compare(kept) == EarlierHeadVerdict.FORMER_LOG


@pytest.mark.usefixtures("approved", "key")
def test_head_is_not_judged_if_files_of_the_log_are_missing(settings: Settings) -> None:
    build_log()
    kept = read_head(settings)
    folder: Path = settings.REGISTRY_LOG_DIR
    shutil.rmtree(folder / "tile")

    assert compare(kept) == EarlierHeadVerdict.UNKNOWN


NO_HEADS = {
    "": "required",
    "Hello": "invalid",
    "a\n1\nb\n\n\N{EM DASH} a AAAA": "invalid",
    "c2sp.org/tlog-proof@v1\n\nHello": "invalid",
    "a\x07b": "control_character",
    "x" * 4_001: "too_long",
}


@pytest.mark.usefixtures("approved", "key")
def test_text_that_is_no_head_is_refused_beside_its_field() -> None:
    build_log()

    for head, code in NO_HEADS.items():
        page = ask_about(head)
        assert (page.status_code, error_codes(page, "head")) == (400, [code]), head
        assert page.content.decode().count('class="error-summary"') == 1


def test_comparison_needs_a_first_head() -> None:
    for page in (
        Client().get("/log/consistency/"),
        ask_about(forge_head(SignerKey.generate(ORIGIN))),
    ):
        assert (page.status_code, page.context["answer"]) == (200, None)
        assert "No head" in text_of(page)
