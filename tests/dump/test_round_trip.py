"""A dump that is loaded makes the same registry: dumped again, it is the same octets."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from registry import integrity, journal, queries, workflow
from registry.dump import Extent, lines, load
from registry.dump.tables import TABLES
from registry.models import Counter, Event, Letter, Organization, RegistrationRequest, User
from registry.row_digests import key_of
from tests.dump.conftest import octets, rows, start_anew
from tests.dump.furnished import ODD, Cast
from tests.factories import PASSWORD
from tests.test_journal import without_guard

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
    load(io.BytesIO(dump))


def answers(*paths: str) -> dict[str, Any]:
    """Return what everybody is answered: octets, or what JSON says, whose names have no order."""
    found = {path: Client().get(path) for path in paths}
    assert {answer.status_code for answer in found.values()} == {200}
    return {
        path: answer.json() if "json" in answer["Content-Type"] else answer.content
        for path, answer in found.items()
    }


@pytest.mark.parametrize("extent", Extent)
def test_dump_loaded_and_dumped_again_is_the_same_octets(furnished: Cast, extent: Extent) -> None:
    dump = octets(extent)

    restored(dump)

    assert octets(extent) == dump


def test_complete_dump_has_rows_of_every_table(furnished: Cast) -> None:
    assert rows(octets(Extent.COMPLETE)).keys() == set(TABLES)


def test_public_dump_of_a_restored_registry_is_that_of_the_first(furnished: Cast) -> None:
    public = octets(Extent.PUBLIC)

    restored(octets(Extent.COMPLETE))

    assert octets(Extent.PUBLIC) == public


def test_whoever_had_an_account_signs_in_to_a_restored_registry(furnished: Cast) -> None:
    restored(octets(Extent.COMPLETE))

    person = User.objects.get(email="lead@people.example")
    assert person.check_password(PASSWORD)
    assert person.has_perm("registry.add_reservedname")
    assert person.roles == {"lead expert"}
    assert Letter.objects.get(key="quillwort").text == ODD


def test_work_goes_on_in_a_restored_registry(furnished: Cast) -> None:
    restored(octets(Extent.COMPLETE))
    last, version = journal.last_digest(), queries.registry_version()

    event = workflow.perform(
        RegistrationRequest.objects.get(nid="watermill"),
        "approve",
        actor=User.objects.get(email="expert@people.example"),
        comment="Sound.",
    )

    assert event.previous == last
    assert event.number == Counter.objects.get(name=Counter.EVENT).value
    assert queries.registry_version() > version
    assert list(journal.verify()) == []


def test_everybody_reads_the_same_in_a_restored_registry(furnished: Cast) -> None:
    before = answers(*PAGES, *DISCUSSED)

    restored(octets(Extent.COMPLETE))

    assert answers(*PAGES, *DISCUSSED) == before


def test_everybody_reads_the_same_in_a_registry_that_started_from_a_public_dump(
    furnished: Cast,
) -> None:
    # Who holds which role, and so a badge, is not in it; nor from which draft a request goes on.
    User.groups.through.objects.all().delete()
    before = answers(*PAGES)

    restored(octets(Extent.PUBLIC))

    assert answers(*PAGES) == before


def test_journal_of_a_complete_dump_is_proved_line_by_line_and_row_by_row(furnished: Cast) -> None:
    restored(octets(Extent.COMPLETE))

    assert list(journal.verify()) == []
    assert list(integrity.verify_rows()) == []


def test_rows_of_a_public_dump_are_compared_with_the_lines_that_it_has(furnished: Cast) -> None:
    Organization.objects.filter(pk=furnished.organization.pk).update(website="https://n.example/")
    with transaction.atomic():  # As an administrator: such a line is not for everybody.
        rows = {key_of(furnished.organization): None}
        journal.append(furnished.organization, actor=None, verb="admin.change", rows=rows)
    restored(octets(Extent.PUBLIC))
    assert list(integrity.verify_rows(withheld=True)) == []

    without_guard("UPDATE registry_registration SET purpose = 'Mine.'")
    without_guard("UPDATE registry_namespace SET contact = 'Mine.' WHERE nid = 'known'")

    said = [sentence.partition("“")[2] for sentence in integrity.verify_rows(withheld=True)]
    assert said == [
        "seedbank version 1” says is not what line 5 left.",
        "known” says is not what line 6 left.",
    ]


def test_journal_of_a_public_dump_is_proved_but_for_lines_that_it_withholds(
    furnished: Cast,
) -> None:
    number, digest = Event.objects.values_list("number", "digest").last() or (0, "")

    restored(octets(Extent.PUBLIC))

    out = io.StringIO()
    call_command("verify_journal", withheld=True, stdout=out)
    withheld = Event.objects.filter(verb=journal.WITHHELD).count()
    assert out.getvalue().splitlines() == [
        f"Lines in the journal: {number}.",
        f"Known by their digests alone: {withheld}.",
        f"Head: {number}:{digest}",
    ]
    assert withheld == 2
    assert journal.last_digest() == digest
    with pytest.raises(CommandError, match="broken in 2 places"):
        call_command("verify_journal", stdout=io.StringIO())


def test_command_writes_a_file_that_the_other_loads(furnished: Cast, tmp_path: Path) -> None:
    plain, packed = tmp_path / "registry.jsonl", tmp_path / "registry.jsonl.gz"
    call_command("dump", str(plain), complete=True, stdout=io.StringIO())
    call_command("dump", str(packed), complete=True, stdout=io.StringIO())
    before = octets(Extent.COMPLETE)
    start_anew()

    call_command("load_dump", str(packed), stdout=io.StringIO())

    assert plain.read_bytes() == before == octets(Extent.COMPLETE)
    assert {path.stat().st_mode & 0o777 for path in (plain, packed)} == {0o600}
    assert sorted(tmp_path.glob("*")) == [plain, packed]


def test_others_write_on_while_a_dump_is_made_which_has_none_of_it(furnished: Cast) -> None:
    before = octets(Extent.COMPLETE)
    dump = lines(Extent.COMPLETE)
    begun = next(dump)

    with ThreadPoolExecutor(1) as others:
        others.submit(write_on).result()

    assert begun + b"".join(dump) == before
    assert Organization.objects.filter(name="Latecomers").exists()


def write_on() -> None:
    """Write something on a connection of one's own."""
    Organization.objects.create(name="Latecomers")
    connection.close()
