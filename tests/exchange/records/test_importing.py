"""Templates are read from documents of record, and earlier readings stay."""

from __future__ import annotations

import hashlib
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction

from registry.exchange.records import (
    FolderLibrary,
    ImportResult,
    import_records,
    list_published_documents,
)
from registry.journal import verify
from registry.journal.row_verification import verify_rows
from registry.models import DocumentSource, Event, ImportedRecord, Namespace, SourceDocument
from registry.selectors.imported_records import find_imported_template
from tests.conftest import without_triggers
from tests.records import import_from, make_imported_namespace

pytestmark = pytest.mark.django_db


def run(*args: str) -> tuple[str, str]:
    """Return the command's output, and its errors."""
    out, err = StringIO(), StringIO()
    call_command("import_records", *args, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_documents_of_a_namespace_are_those_that_its_facts_name() -> None:
    both = make_imported_namespace(
        "both", "RFC 0042", "https://bodies.example/both.txt", "A Body",
        template_url="https://www.iana.org/assignments/urn-formal/both",
    )  # fmt: skip
    neither = make_imported_namespace("neither", "A Body")

    assert [(each.name, each.address, each.path) for each in list_published_documents(both)] == [
        ("RFC 42", "https://www.rfc-editor.org/rfc/rfc42.txt", "rfc42.txt"),
        (
            "https://bodies.example/both.txt",
            "https://bodies.example/both.txt",
            "https_bodies.example_both.txt",
        ),
        (
            "urn-formal/both",
            "https://www.iana.org/assignments/urn-formal/both",
            "urn-formal/both",
        ),
    ]
    assert [each.name for each in list_published_documents(neither)] == ["urn-formal/neither"]


def test_record_holds_the_text_as_found_and_where_it_stands(
    folder: Path, wickpat: Namespace
) -> None:
    import_from(folder)

    record = wickpat.imported_records.get()
    document = (folder / "rfc9999.txt").read_text("utf-8")
    lines = document.split("\n")
    assert record.text == "\n".join(lines[record.first_line - 1 : record.last_line])
    assert lines[record.first_line - 1].strip() == "Namespace ID:"
    assert record.sha256 == hashlib.sha256(record.text.encode()).hexdigest()
    assert (record.number, record.version, record.date) == (1, "1", "2004-06-01")
    assert (record.first_page, record.last_page) == (1, 1 + document[: document.index(
        "A number is valid")].count("\f"))  # fmt: skip
    assert record.document.sha256 == hashlib.sha256(document.encode()).hexdigest()
    assert record.document.address == "https://www.rfc-editor.org/rfc/rfc9999.txt"
    assert record.document.read_from == "rfc9999.txt"
    assert record.examples == ["urn:wickpat:k:17"]
    assert record.field_sources["registrant"]["parts"][0]["label"] == (
        "Declared registrant of the namespace"
    )


def test_one_document_gives_each_of_its_namespaces_a_template_of_its_own(
    folder: Path, needle: Namespace, thread: Namespace
) -> None:
    import_from(folder)

    first = needle.imported_records.get(is_update=False)
    second = thread.imported_records.get()
    assert (first.nid, second.nid) == ("needle", "thread")
    assert first.document == second.document
    assert first.last_line < second.first_line
    assert SourceDocument.objects.count() == 2


def test_document_that_only_updates_one_replaces_the_fields_that_it_has(
    folder: Path, needle: Namespace
) -> None:
    import_from(folder)

    imported = find_imported_template(needle)
    assert imported is not None
    assert [(each.document.name, each.is_update) for each in imported.records] == [
        ("RFC 9998", False),
        ("RFC 9997", True),
    ]
    assert (imported.version, imported.template.date) == ("3", "2019-05-04")
    assert "Bobbin Square 1" in imported.template.registrant
    assert "printed on its paper" in imported.template.syntax
    assert imported.sources["registrant"].document.name == "RFC 9997"
    assert imported.sources["syntax"].document.name == "RFC 9998"


def test_grammar_within_the_text_runs_beside_it(folder: Path, clasp: Namespace) -> None:
    import_from(folder)

    record = clasp.imported_records.get()
    assert record.document.name == "urn-formal/clasp"
    assert record.grammar_kind == "abnf"
    assert "urn:clasp:hemford:42" in record.examples


def test_reading_the_same_again_changes_nothing(
    folder: Path, wickpat: Namespace, needle: Namespace
) -> None:
    first = import_from(folder)
    lines = Event.objects.count()

    second = import_from(folder)

    assert {each.result for each in first} == {ImportResult.NEW}
    assert {each.result for each in second} == {ImportResult.UNCHANGED}
    assert Event.objects.count() == lines
    assert ImportedRecord.objects.count() == 3


def test_newer_document_makes_a_newer_record_beside_the_older_one(
    folder: Path, wickpat: Namespace
) -> None:
    import_from(folder)
    old = wickpat.imported_records.get()
    document = folder / "rfc9999.txt"
    document.write_text(document.read_text("utf-8").replace("Beeswax Lane 4", "Honey Lane 5"))

    [outcome] = import_from(folder)

    new = wickpat.imported_records.get(number=2)
    assert outcome.result is ImportResult.NEWER
    assert "Honey Lane 5" in new.registrant
    assert "Beeswax Lane 4" in ImportedRecord.objects.get(pk=old.pk).registrant
    imported = find_imported_template(wickpat)
    assert imported is not None
    assert imported.base == new


def test_another_understanding_of_the_same_text_makes_a_newer_record(
    folder: Path, wickpat: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_from(folder)
    monkeypatch.setattr(
        "registry.exchange.records.importer.list_doubts", lambda *_given, several: ["Look again."]
    )

    [outcome] = import_from(folder)

    assert outcome.result is ImportResult.NEWER
    assert [each.doubts for each in wickpat.imported_records.order_by("number")] == [
        [],
        ["Look again."],
    ]
    assert SourceDocument.objects.count() == 1


def test_database_refuses_to_change_what_was_read(folder: Path, wickpat: Namespace) -> None:
    import_from(folder)
    record, document = ImportedRecord.objects.get(), SourceDocument.objects.get()

    for change in (
        lambda: ImportedRecord.objects.filter(pk=record.pk).update(text="Mended."),
        lambda: SourceDocument.objects.filter(pk=document.pk).update(text="Mended."),
        record.delete,
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()

    assert ImportedRecord.objects.get().text == record.text


def test_each_record_has_its_line_in_the_journal(folder: Path, wickpat: Namespace) -> None:
    import_from(folder)

    event = Event.objects.get(verb="import_record")
    record = wickpat.imported_records.get()
    assert event.namespace == wickpat
    assert event.data["sha256"] == record.sha256
    assert event.data["document_sha256"] == record.document.sha256
    assert [*verify()] == []
    assert [each for each in verify_rows() if "importedrecord" in each] == []


def test_record_that_was_changed_behind_the_database_is_found_out(
    folder: Path, wickpat: Namespace
) -> None:
    import_from(folder)

    with without_triggers():
        ImportedRecord.objects.update(purpose="Mended.")

    assert any("What importedrecord" in each for each in verify_rows())


def test_dry_run_says_what_would_be_read_and_writes_nothing(
    folder: Path, wickpat: Namespace, needle: Namespace
) -> None:
    said, _complaints = run("--from", str(folder), "--dry-run")

    assert "wickpat: RFC 9999 " in said
    assert "needle: RFC 9997 " in said
    assert re.search(r" 3 new .* 0 newer ", said)
    assert not ImportedRecord.objects.exists()
    assert not SourceDocument.objects.exists()
    assert not DocumentSource.objects.exists()
    assert not Event.objects.exists()


def test_command_says_what_it_read_and_who_has_no_text(
    folder: Path, wickpat: Namespace, clasp: Namespace
) -> None:
    (folder / "urn-formal/clasp").unlink()

    said, complaints = run("--from", str(folder))

    assert "wickpat: RFC 9999 " in said
    assert "Without text: clasp." in said
    assert complaints.startswith("clasp: urn-formal/clasp ")
    assert "is not in" in DocumentSource.objects.get(pk="urn-formal/clasp").problem


def test_only_the_namespaces_that_are_named_are_read(
    folder: Path, wickpat: Namespace, needle: Namespace
) -> None:
    run("WickPat", "--from", str(folder))

    assert list(Namespace.objects.filter(imported_records__isnull=False)) == [wickpat]
    with pytest.raises(CommandError, match="“nothing”"):
        run("nothing", "--from", str(folder))
    with pytest.raises(CommandError, match="is no folder"):
        run("--from", str(folder / "nowhere"))


def test_run_that_was_stopped_goes_on_where_it_was(
    folder: Path, wickpat: Namespace, needle: Namespace
) -> None:
    namespaces = Namespace.objects.select_related("provenance").order_by("nid")
    for _first in import_records(namespaces, FolderLibrary(folder)):
        break
    assert ImportedRecord.objects.count() == 1

    results = {(each.document, each.result) for each in import_from(folder)}

    assert results == {
        ("RFC 9998", ImportResult.UNCHANGED),
        ("RFC 9997", ImportResult.NEW),
        ("RFC 9999", ImportResult.NEW),
    }


def test_empty_file_leaves_what_was_read_before(folder: Path, wickpat: Namespace) -> None:
    import_from(folder)
    (folder / "rfc9999.txt").write_text("\n \n")

    [outcome] = import_from(folder)

    assert (outcome.result, outcome.problem) == (ImportResult.UNAVAILABLE, "RFC 9999 is empty.")
    assert find_imported_template(wickpat) is not None


def test_text_that_loses_its_template_is_said_to_have_none(
    folder: Path, wickpat: Namespace
) -> None:
    (folder / "rfc9999.txt").write_text("Moved to another document.\n")

    [outcome] = import_from(folder)

    assert outcome.result is ImportResult.NO_TEMPLATE
    assert not ImportedRecord.objects.exists()
