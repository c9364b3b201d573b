"""A dump of what is ours has no words that people wrote besides templates, and is still valid."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Final

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from registry import journal, workflow
from registry.actions import discussion
from registry.exchange.backup import BackupExtent, restore_backup
from registry.exchange.backup.public_rows import (
    PUBLIC_TABLES,
    TABLES_OF_OTHERS,
    WITHHELD_WORDS,
    WORDS_OF_OTHERS,
)
from registry.journal.log_worker import build_log
from registry.models import (
    Dispute,
    Enquiry,
    EntryComment,
    EntryRequest,
    Event,
    HeldNid,
    Message,
    Namespace,
    Recognition,
    RegistrationRequest,
    Remark,
    Round,
    Sighting,
)
from registry.transparency.command import run
from registry.transparency.dumps import verify_dump
from registry.transparency.notes import SignerKey
from tests.conftest import without_triggers
from tests.exchange.backup.conftest import Rows, octets, rows, start_anew
from tests.populated_registry import Cast

pytestmark = pytest.mark.django_db(transaction=True)

WORD: Final = "thistledown"
"""A word in everything that people in these tests write besides templates, and in nothing else."""


@pytest.fixture
def written(populated: Cast) -> Cast:
    """A registry in which people wrote wherever they can."""
    asked = RegistrationRequest.objects.get(nid="watermill")
    workflow.perform(asked, "request_changes", actor=populated.expert, comment=f"Of {WORD}.")
    discussion.hide_message(
        Message.objects.public().filter(hidden_at=None)[0], moderator=populated.lead, reason=WORD
    )
    known = Namespace.objects.get(nid="known")
    told = {"nid": "known", "parties": WORD, "before": {"registrant": "Moss", "notice": WORD}}
    with transaction.atomic():
        journal.append(known, actor=populated.registrar, verb="record_dispute", data=told)
    Message.objects.public().update(text=WORD)
    Remark.objects.update(text=WORD, quote=WORD, start=0, answer=WORD)
    HeldNid.objects.update(
        reasons=WORD, source=WORD, appeal=WORD, appealed_by=populated.outsider, appeal_answer=WORD
    )
    Dispute.objects.update(parties=WORD, text=WORD, source=WORD)
    Enquiry.objects.filter(is_public=True).update(question=WORD, answer=WORD)
    EntryRequest.objects.update(reasons=WORD, proposed={"purpose": WORD})
    EntryComment.objects.update(text=WORD)
    Recognition.objects.update(
        statement=WORD,
        is_granted=False,
        reasons=WORD,
        decided_by=populated.registrar,
        decided_at=timezone.now(),
    )
    Sighting.objects.filter(noted_by__isnull=False).update(evidence=WORD, user_of_it=WORD)
    return populated


def tables_with_the_word(found: Rows) -> set[str]:
    """Return the tables whose rows contain people's words."""
    return {label for label, lines in found.items() if WORD in str(lines)}


def test_no_word_that_a_person_wrote_beside_a_template_is_in_the_file(
    written: Cast, tmp_path: Path
) -> None:
    path = tmp_path / "ours.jsonl"
    documents = {"registry.sourcedocument", "registry.importedrecord"}
    wrote = (TABLES_OF_OTHERS.keys() | WORDS_OF_OTHERS.keys()) - documents
    assert tables_with_the_word(rows(octets(BackupExtent.PUBLIC))) == wrote

    call_command("dump", path, "--only-ours", stdout=io.StringIO())

    found = rows(path.read_bytes())
    assert tables_with_the_word(found) == set()
    assert WORD not in path.read_text()
    assert found.keys() == PUBLIC_TABLES.keys() - TABLES_OF_OTHERS.keys()
    assert [row["purpose"] for row in found["registry.registration"]] != [""]


def test_facts_stay_where_words_were_left_out(written: Cast) -> None:
    found = rows(octets(BackupExtent.OURS))

    (held,) = found["registry.heldnid"]
    assert (held["nid"], held["ground"]) == ("millrace", "court")
    assert (held["reasons"], held["ending"]) == (WITHHELD_WORDS, "")
    (seen,) = found["registry.sighting"]
    assert (seen["nid"], seen["evidence"]) == ("millstone", WITHHELD_WORDS)
    (line,) = (each for each in found["registry.event"] if each["verb"] == "record_dispute")
    assert line["data"] == {"nid": "known", "before": {"registrant": "Moss"}}
    assert (line["comment"], line["details_salt"]) == ("", "")


def test_line_without_words_of_people_keeps_what_its_entry_commits_to(written: Cast) -> None:
    lines = {row["number"]: row for row in rows(octets(BackupExtent.PUBLIC))["registry.event"]}

    ours = {row["number"]: row for row in rows(octets(BackupExtent.OURS))["registry.event"]}

    same = [each for each in ours.values() if each == lines[each["number"]] and each["data"]]
    assert "submit" in {each["verb"] for each in same}
    assert all(each["details_salt"] for each in same if each["verb"] != "withheld")


def test_shipped_sightings_evidence_stays_in_our_dump(written: Cast) -> None:
    Sighting.objects.update(noted_by=None, evidence="Our own list.")

    (seen,) = rows(octets(BackupExtent.OURS))["registry.sighting"]

    assert seen["evidence"] == "Our own list."


def test_file_is_verified_offline(
    written: Cast,
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    key = SignerKey.generate(settings.REGISTRY_LOG_ORIGIN)
    monkeypatch.setenv("REGISTRY_LOG_KEY", key.export())
    built = build_log()
    path = tmp_path / "ours.jsonl"
    call_command("dump", path, "--only-ours", stdout=io.StringIO())

    report = verify_dump(path, [key.verifier()])

    assert report.faults == []
    assert report.head == built.head
    assert run(["verify", str(path), "--key", str(key.verifier())]) == 0, capsys.readouterr().err


def test_line_that_was_changed_in_the_file_is_found(written: Cast, tmp_path: Path) -> None:
    path = tmp_path / "dump.jsonl"
    lines = octets(BackupExtent.OURS).replace(b'"verb":"submit"', b'"verb":"approve"', 1)
    path.write_bytes(lines)

    faults = verify_dump(path, []).faults

    assert any(re.match(r"Entry \d+ was changed", each) for each in faults)


def test_registry_loaded_from_it_says_the_same(written: Cast) -> None:
    dump = octets(BackupExtent.OURS)
    start_anew()

    restore_backup(io.BytesIO(dump))

    assert octets(BackupExtent.OURS) == dump
    assert Event.objects.count() > 0
    assert not Remark.objects.exists()


def test_first_line_says_what_is_of_others_and_which_licences_were_agreed_to(
    written: Cast, settings: Settings
) -> None:
    settings.REGISTRY_TEXT_LICENCE = "CC-BY-SA-4.0"
    public, ours = (
        json.loads(octets(extent).splitlines()[0])["licences"]
        for extent in (BackupExtent.PUBLIC, BackupExtent.OURS)
    )

    assert ours == {"data": "CC0-1.0", "templates": "CC-BY-4.0"}
    assert public == ours | TABLES_OF_OTHERS | WORDS_OF_OTHERS


def test_first_line_says_of_texts_that_nobody_licensed_that_they_are_of_others(
    written: Cast,
) -> None:
    with without_triggers():
        Round.objects.filter(nid="seedbank").update(text_licence="")

    licences = json.loads(octets(BackupExtent.OURS).splitlines()[0])["licences"]

    assert licences["templates"] == "CC-BY-4.0"
    assert "text_licence" in licences["registry.round"]
