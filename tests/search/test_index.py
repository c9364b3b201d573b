"""The index is kept up to date, and contains what everyone may read."""

from __future__ import annotations

import math
import uuid
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from registry import workflow
from registry.actions import discussion, recognition
from registry.enums import SearchKind
from registry.models import (
    Namespace,
    Organization,
    RegistrationRequest,
    SearchDocument,
    SearchWord,
    User,
)
from registry.namespace_descriptions import read_descriptions
from registry.search import (
    find_stale_documents,
    index,
    rebuild_index,
    refresh_subject,
    search_index,
)
from registry.search.documents import ROWS_IN_MEMORY
from registry.workflow import drafts
from tests.factories import NamespaceFactory
from tests.records import copy_documents, import_from, make_imported_namespace

pytestmark = pytest.mark.django_db


def find_keys(query: str) -> set[str]:
    return {each.key for each in search_index(query).ranked}


def write_draft(registration_request: RegistrationRequest, **texts: str) -> None:
    draft = registration_request.draft
    assert draft is not None
    drafts.save_draft(draft, texts, seen=draft.edition)


def test_draft_is_found_by_nobody_and_its_round_by_everybody_once_sent(
    draft: RegistrationRequest, registrant: User
) -> None:
    write_draft(draft, purpose="Names of hornswoggled seeds.")
    rebuild_index()

    assert find_keys("hornswoggled") == set()
    assert find_keys(draft.reference) == set()

    workflow.perform(draft, "submit", actor=registrant)

    assert find_keys("hornswoggled") == {draft.reference}
    assert find_keys(draft.reference.lower()) == {draft.reference}
    assert "hornswoggled" in SearchWord.objects.values_list("word", flat=True)


def test_index_is_the_same_however_many_words_are_counted_at_a_time(
    in_review: RegistrationRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    NamespaceFactory.create(nid="seed-library")
    rebuild_index()
    words = set(SearchWord.objects.values_list("word", "stem", "documents"))

    monkeypatch.setattr(index, "MAX_WORDS_IN_MEMORY", 5)
    rebuild_index()

    assert set(SearchWord.objects.values_list("word", "stem", "documents")) == words
    assert list(find_stale_documents()) == []


def test_draft_of_the_next_round_is_not_found(
    in_review: RegistrationRequest, expert: User, registrant: User
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say more.")
    write_draft(in_review, purpose="Now about hornswoggled seeds.", nid="hornswoggle")
    rebuild_index()

    assert find_keys("hornswoggled") == find_keys("hornswoggle") == set()
    assert list(find_stale_documents()) == []


def test_published_namespace_is_found_at_once_with_its_holder_and_text(
    approved: RegistrationRequest, registrar: User
) -> None:
    workflow.perform(approved, "register", actor=registrar)

    nid = Namespace.objects.get().nid
    assert search_index(nid).best[0].key == nid
    assert nid in find_keys("seed vault")
    assert str(approved.organization_id) in find_keys("northlight")
    assert sorted(SearchDocument.objects.values_list("kind", flat=True)) == [
        SearchKind.NAMESPACE,
        SearchKind.ORGANIZATION,
        SearchKind.REQUEST,
    ]


def test_rolled_back_change_is_not_in_the_index(
    draft: RegistrationRequest, registrant: User
) -> None:
    with transaction.atomic():
        workflow.perform(draft, "submit", actor=registrant)
        found_before = find_keys(draft.reference)
        transaction.set_rollback(True)

    assert found_before == {draft.reference}
    assert find_keys(draft.reference) == set()


@pytest.mark.whole
def test_index_kept_by_acts_is_the_one_that_is_made_anew(
    shipped: None, approved: RegistrationRequest, registrar: User
) -> None:
    workflow.perform(approved, "register", actor=registrar)

    assert list(find_stale_documents()) == []


def test_changed_fact_takes_the_old_word_out(shipped: None) -> None:
    namespace = Namespace.objects.get(nid="knx")
    assert "knx" in find_keys("knx")

    namespace.summary = "hornswoggling of blinds"
    namespace.save()
    refresh_subject(namespace)

    assert find_keys("hornswoggling") == {"knx"}
    assert list(find_stale_documents()) == []

    namespace.summary = "blinds"
    namespace.save()
    refresh_subject(namespace)

    assert find_keys("hornswoggling") == set()
    assert not SearchWord.objects.filter(word="hornswoggling").exists()


def test_namespace_is_found_by_the_text_that_was_imported_as_soon_as_it_was(
    shipped: None, tmp_path: Path
) -> None:
    folder = copy_documents(tmp_path)
    refresh_subject(make_imported_namespace("wickpat", "RFC9999"))
    found_before = find_keys("tallowby")

    import_from(folder, "wickpat")

    assert found_before == set()
    assert find_keys("tallowby") == {"wickpat"}
    assert list(find_stale_documents()) == []


@pytest.mark.whole
def test_newer_reading_takes_the_words_of_the_older_one_out(shipped: None, tmp_path: Path) -> None:
    folder = copy_documents(tmp_path)
    make_imported_namespace("wickpat", "RFC9999")
    import_from(folder, "wickpat")
    document = folder / "rfc9999.txt"
    document.write_text(document.read_text("utf-8").replace("Tallowby", "Hornswoggling"), "utf-8")

    import_from(folder, "wickpat")

    assert find_keys("hornswoggling") == {"wickpat"}
    assert not SearchWord.objects.filter(word="tallowby").exists()
    assert list(find_stale_documents()) == []


def test_import_that_is_rolled_back_leaves_the_index_as_it_was(
    shipped: None, tmp_path: Path
) -> None:
    folder = copy_documents(tmp_path)
    refresh_subject(make_imported_namespace("wickpat", "RFC9999"))

    with transaction.atomic():
        import_from(folder, "wickpat")
        found_before = find_keys("tallowby")
        transaction.set_rollback(True)

    assert found_before == {"wickpat"}
    assert find_keys("tallowby") == set()
    assert list(find_stale_documents()) == []


def test_version_in_force_is_found_and_not_what_was_imported_of_its_namespace(
    approved: RegistrationRequest, registrar: User, tmp_path: Path
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    namespace = Namespace.objects.get()
    namespace.references = ["RFC9999"]
    namespace.save()
    document = copy_documents(tmp_path) / "rfc9999.txt"
    document.write_text(document.read_text("utf-8").replace("wickpat", namespace.nid), "utf-8")

    import_from(tmp_path, namespace.nid)

    assert namespace.imported_records.get().registrant
    assert find_keys("tallowby") == set()
    assert namespace.nid in find_keys("seed vault")


def test_texts_are_read_in_batches_when_the_index_is_made_anew(
    shipped: None, in_review: RegistrationRequest, tmp_path: Path
) -> None:
    folder = copy_documents(tmp_path)
    make_imported_namespace("wickpat", "RFC9999")
    make_imported_namespace("needle", "RFC9998", "RFC9997")
    import_from(folder, "wickpat", "needle")

    with CaptureQueriesContext(connection) as asked:
        rebuild_index()

    statements = [each["sql"] for each in asked]
    batches = math.ceil(Namespace.objects.count() / ROWS_IN_MEMORY)
    tables = ("importedrecord", "registration", "round")
    read = {
        table: sum(f' FROM "registry_{table}"' in sql.partition(" WHERE ")[0] for sql in statements)
        for table in tables
    }
    assert read == {"importedrecord": batches, "registration": batches, "round": 1}
    assert find_keys("tallowby") == {"wickpat"}


def test_command_says_what_is_stale_and_mends_it(shipped: None) -> None:
    call_command("rebuild_search", "--check")
    Namespace.objects.filter(nid="isbn").update(summary="hornswoggled books")

    with pytest.raises(CommandError, match="Run rebuild_search"):
        call_command("rebuild_search", "--check")

    call_command("rebuild_search")
    call_command("rebuild_search", "--check")
    assert find_keys("hornswoggled") == {"isbn"}


def test_every_shipped_namespace_is_described_with_5_to_15_keywords(shipped: None) -> None:
    described = read_descriptions()
    registered = set(Namespace.objects.values_list("nid", flat=True))

    assert set(described) == registered
    assert [nid for nid, each in described.items() if not 5 <= len(each.keywords) <= 15] == []
    assert [nid for nid, each in described.items() if not each.sources] == []


def test_words_of_documents_are_counted(db: None) -> None:
    for nid in ("aab", "aac"):
        refresh_subject(NamespaceFactory.create(nid=nid, summary="hornswoggled"))

    assert SearchWord.objects.get(word="hornswoggled").documents == 2


def test_act_that_changes_nothing_that_is_found_writes_nothing_while_others_wait(
    in_review: RegistrationRequest, expert: User
) -> None:
    with CaptureQueriesContext(connection) as asked:
        workflow.perform(in_review, "decline", actor=expert, comment="Nobody needs it.")

    statements = [each["sql"] for each in asked]
    numbered = next(n for n, sql in enumerate(statements) if 'UPDATE "registry_counter"' in sql)
    assert any("registry_searchdocument" in sql for sql in statements[:numbered])
    assert not any("registry_search" in sql for sql in statements[numbered:])
    assert SearchDocument.objects.filter(key=in_review.reference).exists()


def test_body_is_found_as_soon_as_everybody_may_know_of_it(
    organization: Organization, registrant: User, standards_body: User
) -> None:
    rebuild_index()
    asked = recognition.request_recognition(organization, registrant, "A society since 1911.")
    found_before = find_keys("northlight")

    recognition.refuse_recognition(asked, actor=standards_body, reasons="Nobody knows it.")

    assert (found_before, find_keys("northlight")) == (set(), {str(organization.pk)})
    assert list(find_stale_documents()) == []


def test_comment_asks_the_index_nothing(in_review: RegistrationRequest, outsider: User) -> None:
    with CaptureQueriesContext(connection) as asked:
        discussion.add_comment(in_review, author=outsider, text="Good.", key=uuid.uuid4())

    assert [each["sql"] for each in asked if "registry_search" in each["sql"]] == []
