"""Every saved NID is found by similar ones, however it got in."""

from __future__ import annotations

import io

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import Value
from django.db.models.functions import Lower
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry import selectors, workflow
from registry.demonstration import make_cast, make_samples
from registry.exchange import seed
from registry.exchange.backup import BackupExtent, restore_backup, write_backup
from registry.models import (
    Follow,
    HeldNid,
    Namespace,
    NidHolder,
    NidKey,
    RegistrationRequest,
    Round,
    Sighting,
    User,
)
from registry.search import fill_nid_keys, find_stale_keys
from registry.workflow import drafts
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db


def find_similar(nid: str) -> list[str]:
    return [each.nid for each in selectors.find_similar_nids(nid)]


def build_namespaces(*nids: str) -> list[Namespace]:
    return [Namespace(nid=nid, nid_as_registered=nid, kind="formal") for nid in nids]


def insert_past_the_models(nid: str) -> None:
    """Insert a namespace as a restored dump does."""
    (namespace,) = build_namespaces(nid)
    namespace.updated_at = timezone.now()
    namespace.save_base(raw=True)


def test_tables_with_a_nid_have_keys_or_are_named_here() -> None:
    with_nid = {
        model
        for model in apps.get_app_config("registry").get_models()
        if any(column.name == "nid" for column in model._meta.concrete_fields)
    }
    texts = {model for model in with_nid if issubclass(model, Round)} | {
        model for model in with_nid if model.__name__ in ("Registration", "ImportedRecord")
    }

    # Held and followed NIDs belong to nobody; texts say what their request or namespace has.
    assert with_nid - texts - {NidKey, HeldNid, Follow} == set(NidHolder.__subclasses__())
    assert set(NidHolder.__subclasses__()) == {Namespace, RegistrationRequest, Sighting}


def test_saved_namespace_is_found() -> None:
    NamespaceFactory.create(nid="quillwort")

    assert find_similar("quilwort") == ["quillwort"]


def test_namespaces_written_at_once_are_found() -> None:
    Namespace.objects.bulk_create(build_namespaces("quillwort", "broadleaf"))

    assert (find_similar("quilwort"), find_similar("broadleav")) == (["quillwort"], ["broadleaf"])


def test_nid_written_by_a_query_is_found() -> None:
    NamespaceFactory.create(nid="quillwort")

    Namespace.objects.filter(nid="quillwort").update(nid="broadleaf", nid_as_registered="broadleaf")

    assert find_similar("broadleav") == ["broadleaf"]


def test_nid_that_the_database_would_work_out_is_refused() -> None:
    NamespaceFactory.create(nid="quillwort")

    with pytest.raises(TypeError, match="made from its text"):
        Namespace.objects.update(nid=Lower(Value("Broadleaf")))
    with pytest.raises(TypeError, match="made from its text"), transaction.atomic():
        Namespace.objects.bulk_update(Namespace.objects.all(), ["nid"])


def test_sighting_is_found() -> None:
    Sighting.objects.create(nid="quillwort", evidence="-", noted_at=timezone.now())

    assert find_similar("quilwort") == ["quillwort"]


def test_requested_nid_is_found_while_the_request_asks_for_it(
    in_review: RegistrationRequest, expert: User, registrant: User
) -> None:
    assert find_similar("seedbanc") == [in_review.nid]

    workflow.perform(in_review, "request_changes", actor=expert, comment="Choose another.")
    draft = in_review.rounds.get(submitted_at=None)
    drafts.save_draft(draft, {"nid": "Quillwort"}, seen=draft.edition)

    assert (find_similar("seedbanc"), find_similar("quilwort")) == ([], ["quillwort"])


def test_draft_that_nobody_else_may_read_is_found_by_nobody(draft: RegistrationRequest) -> None:
    assert list(find_stale_keys()) == []
    assert NidKey.objects.filter(nid=draft.nid).exists()

    assert find_similar("seedbanc") == []


@pytest.mark.whole
def test_every_nid_of_a_registry_with_requests_of_all_kinds_is_found(db: None) -> None:
    seed.load_reserved_names(seed.read_reserved_names())
    seed.load_sightings(seed.read_sightings())
    cast, _made = make_cast()
    make_samples(cast)

    assert RegistrationRequest.objects.exclude(nid="").count() > 5
    assert list(find_stale_keys()) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("extent", [BackupExtent.COMPLETE, BackupExtent.PUBLIC])
def test_every_nid_of_a_restored_registry_is_found(
    in_review: RegistrationRequest, extent: BackupExtent
) -> None:
    NamespaceFactory.create(nid="quillwort")
    dump = b"".join(write_backup(extent))
    call_command("flush", interactive=False, verbosity=0)

    restore_backup(io.BytesIO(dump))

    assert list(find_stale_keys()) == []
    assert (find_similar("quilwort"), find_similar("seedbanc")) == (["quillwort"], ["seedbank"])


def test_nid_that_came_in_by_itself_is_told_and_found_once_keys_are_filled_in() -> None:
    insert_past_the_models("quillwort")

    assert find_similar("quilwort") == []
    with pytest.raises(CommandError, match="Run rebuild_search"):
        call_command("rebuild_search", "--check", stdout=io.StringIO())

    assert fill_nid_keys() == 1

    assert list(find_stale_keys()) == []
    assert find_similar("quilwort") == ["quillwort"]


def test_nid_that_lacks_one_key_is_told_and_mended() -> None:
    NamespaceFactory.create(nid="quillwort")
    key = NidKey.objects.filter(nid="quillwort").values_list("key", flat=True)[0]
    NidKey.objects.filter(key=key, nid="quillwort").delete()

    assert list(find_stale_keys()) == [
        "NID quillwort is not found by everything that resembles it."
    ]

    fill_nid_keys()

    assert list(find_stale_keys()) == []


def test_nid_is_given_its_keys_with_one_statement_and_once() -> None:
    with CaptureQueriesContext(connection) as first:
        NidKey.objects.write_missing(["seed-banks"])
    with CaptureQueriesContext(connection) as again:
        NidKey.objects.write_missing(["seed-banks"])

    # SQLite is given the rows of one statement one by one, and Django logs how many they are.
    statements = [each["sql"].rpartition(" times: ")[2] for each in first]
    assert [sql.split()[0] for sql in statements if "nidkey" in sql] == ["SELECT", "INSERT"]
    assert [each["sql"].split()[0] for each in again] == ["SELECT"]


def test_nearest_of_a_thousand_similar_nids_take_few_queries() -> None:
    Namespace.objects.bulk_create(build_namespaces(*(f"quillwort{n:04}" for n in range(1_200))))
    Namespace.objects.bulk_create(build_namespaces("quilwort", "quill-worts"))

    with CaptureQueriesContext(connection) as asked:
        found = find_similar("quillwort")

    assert found[:3] == ["quilwort", "quill-worts", "quillwort0000"]
    assert found[3:] == [f"quillwort{n:04}" for n in range(1, 8)]
    assert len(asked) == 4


@pytest.mark.parametrize("text", ["a-\0-c", "seed\0bank", "a-\ud800-c", "a" * 5_000, "-", ""])
def test_text_that_can_be_no_nid_resembles_none(text: str) -> None:
    NamespaceFactory.create(nid="quillwort")

    assert find_similar(text) == []


def test_keys_are_looked_up_by_their_index() -> None:
    NamespaceFactory.create(nid="quillwort")
    with CaptureQueriesContext(connection) as asked:
        find_similar("quilwort")
    statement = asked[0]["sql"]

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
        prefix = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
        cursor.execute(f"{prefix} {statement}")
        plan = " ".join(str(column) for row in cursor.fetchall() for column in row)

    assert "registry_nidkey" in plan
    assert "SCAN registry_nidkey" not in plan
    assert "Seq Scan" not in plan
