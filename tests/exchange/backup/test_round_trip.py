"""A loaded dump makes the same registry: dumped again, it gives the same octets."""

from __future__ import annotations

import io
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from registry import (
    journal,
    selectors,
    workflow,
)
from registry.exchange.backup import (
    BackupExtent,
    restore_backup,
    write_backup,
)
from registry.exchange.backup.format import TABLES
from registry.exchange.exports import refresh_exports
from registry.journal import row_verification
from registry.journal.row_digests import build_row_key, digest_row
from registry.models import (
    Counter,
    Event,
    Letter,
    LocatorTable,
    Organization,
    RegistrationRequest,
    Speaker,
    User,
)
from tests.exchange.backup.conftest import (
    octets,
    rows,
    start_anew,
)
from tests.factories import PASSWORD
from tests.journal.test_journal import without_guard
from tests.populated_registry import ODD, Cast

pytestmark = pytest.mark.django_db(transaction=True)

YEAR = timezone.now().year
DISCUSSED = (f"/requests/r-{YEAR}-0002/", f"/requests/r-{YEAR}-0002.json")
PAGES = (
    "/",
    "/namespaces/",
    "/namespaces/seedbank/",
    "/namespaces/seedbank/versions/1/",
    "/namespaces/seedbank.jsonld",
    "/requests/",
    f"/requests/r-{YEAR}-0001/",
    f"/requests/r-{YEAR}-0001.json",
    f"/requests/r-{YEAR}-0001/history/",
    "/requests.atom",
    "/organizations/",
    "/sightings/",
    "/exports/urn-namespaces.xml",
    "/api/v1/namespaces/",
    "/api/v1/events/",
)


def restored(dump: bytes) -> None:
    """Load a dump into a new database."""
    start_anew()
    restore_backup(io.BytesIO(dump))


def answers(*paths: str) -> dict[str, Any]:
    """Return everyone's responses: octets, or parsed JSON, whose names have no order."""
    refresh_exports(at_once=True)
    found = {path: Client().get(path) for path in paths}
    assert {answer.status_code for answer in found.values()} == {200}
    return {
        path: answer.json() if "json" in answer["Content-Type"] else answer.content
        for path, answer in found.items()
    }


@pytest.mark.parametrize("extent", BackupExtent)
def test_dump_loaded_and_dumped_again_is_the_same_octets(
    populated: Cast, extent: BackupExtent
) -> None:
    dump = octets(extent)

    restored(dump)

    assert octets(extent) == dump


def test_complete_dump_has_rows_of_every_table(populated: Cast) -> None:
    assert rows(octets(BackupExtent.COMPLETE)).keys() == set(TABLES)


def test_public_dump_of_a_restored_registry_is_that_of_the_first(populated: Cast) -> None:
    public = octets(BackupExtent.PUBLIC)

    restored(octets(BackupExtent.COMPLETE))

    assert octets(BackupExtent.PUBLIC) == public


def test_accounts_and_roles_survive_a_restore(populated: Cast) -> None:
    restored(octets(BackupExtent.COMPLETE))

    person = User.objects.get(email="lead@people.example")
    assert person.check_password(PASSWORD)
    assert person.has_perm("registry.add_reservedname")
    assert person.roles == {"lead expert"}
    assert Letter.objects.get(key="quillwort").text == ODD


def test_work_goes_on_in_a_restored_registry(populated: Cast) -> None:
    restored(octets(BackupExtent.COMPLETE))
    version = selectors.find_registry_version()

    event = workflow.perform(
        RegistrationRequest.objects.get(nid="watermill"),
        "decline",
        actor=User.objects.get(email="expert@people.example"),
        comment="Not yet.",
    )

    assert event.number == Counter.objects.get(name=Counter.EVENT).value
    assert selectors.find_registry_version() > version
    assert list(journal.verify()) == []


@pytest.mark.whole
def test_everybody_reads_the_same_in_a_restored_registry(populated: Cast) -> None:
    # How long a turn has lasted depends on the time of reading.
    moment = timezone.now()
    with time_machine.travel(moment, tick=False):
        before = answers(*PAGES, *DISCUSSED)

    restored(octets(BackupExtent.COMPLETE))

    with time_machine.travel(moment, tick=False):
        assert answers(*PAGES, *DISCUSSED) == before


@pytest.mark.whole
def test_everybody_reads_the_same_in_a_registry_that_started_from_a_public_dump(
    populated: Cast,
) -> None:
    # It does not contain roles, and so badges; nor the tables of organizations, and what only they
    # resolve; nor which draft a request continues; nor who speaks for whom, and so who can consent.
    User.groups.through.objects.all().delete()
    LocatorTable.objects.all().delete()
    Speaker.objects.all().delete()
    before = answers(*PAGES)

    restored(octets(BackupExtent.PUBLIC))

    assert answers(*PAGES) == before


def test_journal_of_a_complete_dump_is_proved_line_by_line_and_row_by_row(populated: Cast) -> None:
    restored(octets(BackupExtent.COMPLETE))

    assert list(journal.verify()) == []
    assert list(row_verification.verify_rows()) == []


def test_rows_of_a_public_dump_are_compared_with_the_lines_that_it_has(populated: Cast) -> None:
    before = digest_row(populated.organization)
    Organization.objects.filter(pk=populated.organization.pk).update(website="https://n.example/")
    with transaction.atomic():  # As an administrator: such an event is private.
        rows = {build_row_key(populated.organization): before}
        event = journal.append(populated.organization, actor=None, verb="admin.change", rows=rows)
        other = Organization.objects.create(name="Known to nobody")
        rows = {build_row_key(other): "0" * 64}
        journal.append(other, actor=None, verb="admin.change", rows=rows)
    restored(octets(BackupExtent.PUBLIC))
    assert list(row_verification.verify_rows(withheld=True)) == []

    name = populated.organization.name
    without_guard("UPDATE registry_organization SET website = '' WHERE name = %s", name)
    without_guard("UPDATE registry_registration SET purpose = 'Mine.'")
    without_guard("UPDATE registry_namespace SET contact = 'Mine.' WHERE nid = 'known'")

    said = [
        re.findall("“(.*)”.* line (\\d+)", each)[0]
        for each in row_verification.verify_rows(withheld=True)
    ]
    assert said == [("seedbank version 1", "6"), ("known", "7"), (name, str(event.number))]


def test_journal_of_a_public_dump_is_proved_but_for_lines_that_it_withholds(
    populated: Cast,
) -> None:
    digest, head = journal.find_last_digest(), journal.find_head()
    assert head is not None

    restored(octets(BackupExtent.PUBLIC))

    out = io.StringIO()
    call_command("verify_journal", withheld=True, stdout=out)
    withheld = Event.objects.filter(verb=journal.WITHHELD_VERB).count()
    lines = [line.rpartition(": ")[2] for line in out.getvalue().splitlines()]
    assert lines == [f"{head.number}.", f"{withheld}.", str(head)]
    assert withheld == 4
    assert journal.find_last_digest() == digest
    with pytest.raises(CommandError, match="The journal is broken in"):
        call_command("verify_journal", stdout=io.StringIO())


def test_load_dump_asks_before_it_loads_accounts_with_powers(
    populated: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, said, again = tmp_path / "registry.jsonl", io.StringIO(), io.StringIO()
    User.objects.filter(pk=populated.outsider.pk).update(is_superuser=True)
    call_command("dump", str(file), complete=True, stdout=io.StringIO())
    start_anew()
    answers = iter(["no", "yes"])
    monkeypatch.setattr("builtins.input", lambda _words: next(answers))

    with pytest.raises(CommandError, match="Nobody accepted the accounts"):
        call_command("load_dump", "--unsigned", str(file), stdout=said)
    is_empty = not User.objects.exists()
    call_command("load_dump", "--unsigned", str(file), stdout=again)

    assert is_empty
    assert User.objects.filter(is_superuser=True).exists()
    for words in (said, again):
        assert f"  {populated.outsider.email}: superuser\n" in words.getvalue()
        assert f"  {populated.registrar.email}: registrar\n" in words.getvalue()


def test_command_writes_a_file_that_the_other_loads(populated: Cast, tmp_path: Path) -> None:
    plain, packed = tmp_path / "registry.jsonl", tmp_path / "registry.jsonl.gz"
    call_command("dump", str(plain), complete=True, stdout=io.StringIO())
    call_command("dump", str(packed), complete=True, stdout=io.StringIO())
    before = octets(BackupExtent.COMPLETE)
    start_anew()

    call_command("load_dump", "--no-input", "--unsigned", str(packed), stdout=io.StringIO())

    assert plain.read_bytes() == before == octets(BackupExtent.COMPLETE)
    assert {path.stat().st_mode & 0o777 for path in (plain, packed)} == {0o600}
    assert sorted(tmp_path.glob("*")) == [plain, packed]


def test_others_write_on_while_a_dump_is_made_which_has_none_of_it(populated: Cast) -> None:
    before = octets(BackupExtent.COMPLETE)
    dump = write_backup(BackupExtent.COMPLETE)
    begun = next(dump)

    with ThreadPoolExecutor(1) as others:
        others.submit(write_on).result()

    assert begun + b"".join(dump) == before
    assert Organization.objects.filter(name="Latecomers").exists()


def write_on() -> None:
    """Write something on a separate connection."""
    Organization.objects.create(name="Latecomers")
    connection.close()
