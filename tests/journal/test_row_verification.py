"""Forgeries in the database, by somebody who can write every row: each is found and named."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path as FilePath

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from registry import journal, workflow
from registry.actions import recognition
from registry.actions.organization_evidence import record_evidence
from registry.enums import ChangeKind, EvidenceKind, RequestPath
from registry.journal import row_verification
from registry.journal.openness import is_open_to_everybody
from registry.journal.row_digests import NEW_ROW, build_row_key
from registry.models import (
    Event,
    Namespace,
    Organization,
    Registration,
    RegistrationRequest,
    Round,
    User,
)
from registry.template import sha256
from registry.workflow import drafts
from tests.exchange.seed.seed_files import (
    ORCHARD,
    ORCHARD_FROM,
    Files,
)
from tests.factories import NamespaceFactory, OrganizationFactory, let_speak_for
from tests.journal.test_journal import without_guard

pytestmark = pytest.mark.django_db

KEY = re.compile(r"(registrationrequest|organization|namespace|registration|round) \d+")
Forge = Callable[[], object]


@pytest.fixture
def registered(
    tmp_path: FilePath, approved: RegistrationRequest, registrar: User
) -> RegistrationRequest:
    """A registry of seven events.

    Events 1 to 4 start, send, take and approve the request, event 5 is about orchard and event 6
    about urn-7, which come from files, and event 7 registers seedbank.
    """
    Files(tmp_path).load()
    workflow.perform(approved, "register", actor=registrar, references=["A letter"])
    return approved


def verified(head: journal.JournalHead | None = None) -> list[str]:
    """Return the faults of the registry, without years and keys.

    Nor that no line tells of the officers: their accounts were made without one.
    """
    sentences = [*journal.verify(kept=head), *row_verification.verify_rows()]
    return [
        re.sub(r"R-\d{4}-", "R-", re.sub(KEY, r"\1 #", sentence))
        for sentence in sentences
        if not sentence.startswith("No line tells of user ")
    ]


def by(statement: str) -> Forge:
    """Return a forgery by one statement."""
    return lambda: without_guard(statement)


def one_after_another(*acts: Forge) -> Forge:
    """Return a forgery by several actions."""

    def forge() -> None:
        for act in acts:
            act()

    return forge


@contextmanager
def taken_back() -> Iterator[None]:
    """Roll back the block: the database would not keep dangling references."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def forge_text_and_hash() -> None:
    """Change a published version, and its hash."""
    version = Registration.objects.get()
    template = version.template.replace(purpose="Whatever I like.")
    words = "UPDATE registry_registration SET purpose = %s, sha256 = %s"
    without_guard(words, template["purpose"], sha256(template))


def forge_version() -> None:
    """Publish a version out of nowhere."""
    version = Registration.objects.get()
    asked = RegistrationRequest.objects.get()
    copy = RegistrationRequest(
        **{column.attname: getattr(asked, column.attname) for column in asked._meta.concrete_fields}
    )
    copy.pk, copy.reference = None, "R-1999-0002"
    copy.start_key = "6d6b3f0c-2c1d-4b0e-9a53-0f1b7a5d9e21"
    copy.save()
    version.pk, version.number, version.registration_request = None, 2, copy
    version.save(force_insert=True)


def forge_line() -> None:
    """Add an event that matches its entry."""
    last = Event.objects.get(number=7)
    last.pk, last.number, last.comment = None, 8, "Forged."
    last.rows, last.source, last.target = {}, "", ""
    journal.compose_entry(last, {}, is_open=is_open_to_everybody(last))
    last.save(force_insert=True)


def exchange_lines() -> None:
    """Swap two events."""
    for source, target in ((2, 99), (3, 2), (99, 3)):
        without_guard("UPDATE registry_event SET number = %s WHERE number = %s", target, source)


def lower_counter(number: int) -> Forge:
    """Return a forgery that sets the counter of events."""
    return lambda: without_guard(
        "UPDATE registry_counter SET value = %s WHERE name = 'event'", number
    )


CUT = [
    "What registrationrequest # “R-0001 (seedbank)” says is not what line 4 left.",
    "No line tells of registration # “seedbank version 1”.",
    "No line tells of namespace # “seedbank”.",
]
NOTHING_LEFT = [
    "The journal is empty: nothing was loaded into this registry, or it was emptied.",
    "No line tells of registrationrequest # “R-0001 (seedbank)”.",
    "No line tells of round # “R-0001 round #”.",
    "No line tells of registration # “seedbank version 1”.",
    "No line tells of namespace # “orchard”.",
    "No line tells of namespace # “seedbank”.",
    "No line tells of namespace # “urn-7”.",
    "No line tells of organization # “Northlight Seed Vault Federation”.",
    "No line tells of organization # “Orchard Society”.",
]
VERSION = ["What registration # “seedbank version 1” says is not what line 7 left."]
ROUND = ["What round # “R-0001 round #” says is not what line 2 left."]
SEEDBANK = ["What namespace # “seedbank” says is not what line 7 left."]
ORCHARDS = ["What namespace # “orchard” says is not what line 5 left."]

FORGERIES: dict[str, tuple[Forge, list[str]]] = {
    "what a line says": (
        by("UPDATE registry_event SET comment = 'Forged.' WHERE number = 4"),
        ["Line 4 was changed."],
    ),
    "who wrote a line": (
        by("UPDATE registry_event SET actor_name = 'Mallory' WHERE number = 4"),
        ["Line 4 was changed."],
    ),
    "the digests in a line": (
        by("UPDATE registry_event SET rows = '{}' WHERE number = 6"),
        ["Line 6 was changed.", "No line tells of namespace # “urn-7”."],
    ),
    "the digest of a line": (
        by(f"UPDATE registry_event SET digest = '{'0' * 64}' WHERE number = 4"),
        ["Line 4 was changed."],
    ),
    "a line taken out": (
        by("DELETE FROM registry_event WHERE number = 3"),
        ["Line 3 is missing."],
    ),
    "a line added": (
        forge_line,
        ["The counter stands at line 7, and the last line is 8."],
    ),
    "two lines exchanged": (
        exchange_lines,
        [
            "Line 2 was changed.",
            "Line 3 was changed.",
            "Line 2 (R-0001 (seedbank)) found registrationrequest # otherwise than line 1 left it.",
            "Line 3 (R-0001 (seedbank)) found registrationrequest # otherwise than line 2 left it.",
        ],
    ),
    "the journal cut at its end": (
        by("DELETE FROM registry_event WHERE number = 7"),
        ["The counter stands at line 7, and the last line is 6.", *CUT],
    ),
    "the journal cut, and the counter": (
        one_after_another(by("DELETE FROM registry_event WHERE number = 7"), lower_counter(6)),
        CUT,
    ),
    "the journal emptied": (
        by("DELETE FROM registry_event"),
        [
            NOTHING_LEFT[0],
            "The counter stands at line 7, and the last line is 0.",
            *NOTHING_LEFT[1:],
        ],
    ),
    "the journal emptied, and the counter": (
        one_after_another(by("DELETE FROM registry_event"), lower_counter(0)),
        NOTHING_LEFT,
    ),
    "the text of a version": (by("UPDATE registry_registration SET purpose = 'Mine.'"), VERSION),
    "the text of a version, with its hash": (forge_text_and_hash, VERSION),
    "the grammar of a version": (by("UPDATE registry_registration SET grammar = 'x'"), VERSION),
    "the day of a version": (
        by("UPDATE registry_registration SET registered_on = '1999-01-01'"),
        VERSION,
    ),
    "a version taken out": (
        by("DELETE FROM registry_registration"),
        ["Line 7 (R-0001 (seedbank)) tells of registration #, which is not there."],
    ),
    "a version added": (
        forge_version,
        [
            "No line tells of registrationrequest # “R-0002 (seedbank)”.",
            "No line tells of registration # “seedbank version 2”.",
        ],
    ),
    "the text of a round": (by("UPDATE registry_round SET purpose = 'Mine.'"), ROUND),
    "the findings of a round": (by("UPDATE registry_round SET findings = '[1]'"), ROUND),
    "when a round was sent": (
        by("UPDATE registry_round SET submitted_at = '1999-01-01 00:00:00+00'"),
        ROUND,
    ),
    "a round taken out": (
        by("DELETE FROM registry_round"),
        ["Line 2 (R-0001 (seedbank)) tells of round #, which is not there."],
    ),
    "the state of a request": (
        by("UPDATE registry_registrationrequest SET state = 'refused'"),
        ["What registrationrequest # “R-0001 (seedbank)” says is not what line 7 left."],
    ),
    "the contact of a namespace": (
        by("UPDATE registry_namespace SET contact = 'Mallory' WHERE nid = 'seedbank'"),
        SEEDBANK,
    ),
    "the documents of a namespace": (
        by("UPDATE registry_namespace SET \"references\" = '[]' WHERE nid = 'orchard'"),
        ORCHARDS,
    ),
    "how sure the facts are": (
        by("UPDATE registry_provenance SET is_verified = FALSE WHERE is_verified"),
        ORCHARDS,
    ),
    "the registrant of a namespace": (
        by(
            "UPDATE registry_namespace SET registrant_id = (SELECT id FROM registry_organization "
            "WHERE name LIKE 'Northlight%%') WHERE nid = 'orchard'"
        ),
        ORCHARDS,
    ),
    "a namespace taken out": (
        by("DELETE FROM registry_namespace WHERE nid = 'orchard'"),
        ["Line 5 (orchard) tells of namespace #, which is not there."],
    ),
    "a namespace added": (
        lambda: NamespaceFactory.create(nid="forged"),
        ["No line tells of namespace # “forged”."],
    ),
    "the name of a registrant": (
        by("UPDATE registry_organization SET name = 'Mallory' WHERE name = 'Orchard Society'"),
        ["What organization # “Mallory” says is not what line 5 left."],
    ),
    "the website of a registrant": (
        by(
            "UPDATE registry_organization SET website = 'https://mallory.example/' "
            "WHERE name = 'Orchard Society'"
        ),
        ["What organization # “Orchard Society” says is not what line 5 left."],
    ),
    "a registrant taken out": (
        by("DELETE FROM registry_organization WHERE name = 'Orchard Society'"),
        ["Line 5 (orchard) tells of organization #, which is not there."],
    ),
    "a body recognised by nobody": (
        lambda: OrganizationFactory.create(
            name="Mallory", recognised_on="2026-01-01", recognition_source="Minutes"
        ),
        ["No line tells of organization # “Mallory”."],
    ),
}


@pytest.mark.parametrize(("forge", "sentences"), FORGERIES.values(), ids=FORGERIES)
def test_forgery_is_found_and_named(
    registered: RegistrationRequest, forge: Forge, sentences: list[str]
) -> None:
    before = verified()

    with taken_back():
        forge()
        found = verified()

    assert (before, found) == ([], sentences)


def rewrite() -> None:
    """Rewrite an event with other content, and its entry too."""
    event = Event.objects.get(number=4)
    event.comment = "Forged."
    journal.compose_entry(event, {}, is_open=is_open_to_everybody(event))
    words = "UPDATE registry_event SET comment = %s, entry = %s, digest = %s WHERE id = %s"
    without_guard(words, event.comment, event.entry, event.digest, event.pk)


def test_journal_written_anew_as_a_whole_is_known_by_a_head_kept_elsewhere(
    registered: RegistrationRequest,
) -> None:
    head = journal.find_head()
    assert head is not None
    assert verified(head) == []

    rewrite()

    assert verified() == []
    [finding] = verified(head)
    assert finding.startswith("Lines 1 to 7 ")
    assert head.digest in finding


def test_head_that_was_kept_earlier_holds_while_the_journal_grows(
    approved: RegistrationRequest, registrar: User
) -> None:
    head = journal.find_head()
    workflow.perform(approved, "register", actor=registrar, references=["A letter"])

    assert head is not None
    assert head.number == 4
    assert verified(head) == []


def test_journal_cut_with_its_rows_is_known_by_a_head_kept_elsewhere(
    registered: RegistrationRequest,
) -> None:
    head = journal.find_head()
    assert head is not None

    with taken_back():
        without_guard("DELETE FROM registry_event WHERE number = 7")
        without_guard("DELETE FROM registry_registration")
        without_guard("DELETE FROM registry_namespace WHERE nid = 'seedbank'")
        without_guard("UPDATE registry_registrationrequest SET state = 'approved'")
        without_guard("UPDATE registry_counter SET value = 6 WHERE name = 'event'")
        found, with_head = verified(), verified(head)

    assert found == []
    [finding] = with_head
    assert finding.startswith("Line 7 is missing")
    assert head.digest in finding


@pytest.mark.whole
def test_forgery_is_not_covered_by_the_next_act_on_the_same_row(
    registered: RegistrationRequest, registrant: User, registrar: User, organization: Organization
) -> None:
    without_guard("UPDATE registry_namespace SET summary = 'Mine.' WHERE nid = 'seedbank'")
    let_speak_for(organization, registrant)
    asked = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Seeds",
        namespace=Namespace.objects.get(nid="seedbank"),
        change=ChangeKind.CONTACT,
    )
    draft = asked.draft
    assert draft is not None
    drafts.save_draft_facts(draft, {"contact": "Seed Office, Isby"}, seen=draft.edition)
    workflow.perform(asked, "submit", actor=registrant)
    workflow.perform(asked, "record_evidence", actor=registrar, about="list", comment="A letter")
    workflow.perform(asked, "register", actor=registrar)

    # No line tells of the person whom the test lets speak.
    [finding] = [each for each in verified() if "speaker" not in each]
    assert re.findall(r"\b(?:line|namespace) \S+", finding, re.IGNORECASE) == [
        "Line 11",
        "namespace #",
        "line 7",
    ]


def test_registrys_own_changes_are_no_forgery(
    registered: RegistrationRequest,
    tmp_path: FilePath,
    registrant: User,
    registrar: User,
    standards_body: User,
    organization: Organization,
) -> None:
    record_evidence(
        organization,
        actor=registrar,
        kind=EvidenceKind.WEBSITE,
        value="https://northlight.example/",
        source="Statutes",
        since="1999-03-31",
    )
    asked = recognition.request_recognition(organization, registrant, "A federation.")
    recognition.grant_recognition(
        asked, actor=standards_body, recognised_on=datetime.date(2026, 2, 3), source="Minutes"
    )
    files = Files(tmp_path)
    files.write([{**ORCHARD, "registrant_organization": "Orchard Trust"}], [ORCHARD_FROM])
    files.load()

    assert verified() == []


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM registry_event",
        "DELETE FROM registry_registration",
        "DELETE FROM registry_round",
        "DELETE FROM registry_namespace",
        "UPDATE registry_event SET comment = ''",
        "UPDATE registry_registration SET number = 7",
        "UPDATE registry_round SET number = 7",
    ],
)
def test_database_refuses_to_change_and_to_delete_what_is_frozen(
    registered: RegistrationRequest, statement: str
) -> None:
    with (
        pytest.raises(DatabaseError, match="frozen"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_database_refuses_to_empty_a_table_at_once(registered: RegistrationRequest) -> None:
    # SQLite has no other statement for it than DELETE.
    at_once = connection.vendor == "postgresql"
    words = "TRUNCATE {} CASCADE" if at_once else "DELETE FROM {}"
    connection.check_constraints()

    for table in ("registry_event", "registry_registration", "registry_namespace"):
        with (
            pytest.raises(DatabaseError, match="frozen"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(words.format(table))


def test_draft_is_still_thrown_away(draft: RegistrationRequest) -> None:
    draft.rounds.all().delete()

    assert not Round.objects.exists()


def test_registry_of_lines_without_digests_is_told_how_to_start_afresh(
    registered: RegistrationRequest,
) -> None:
    without_guard("UPDATE registry_event SET rows = '{}'")

    assert verified()[-1] == row_verification.WITHOUT_DIGESTS


def test_verifying_asks_the_database_no_more_where_there_is_more_to_verify(
    registered: RegistrationRequest, registrar: User
) -> None:
    with CaptureQueriesContext(connection) as few:
        assert verified() == []

    for number in range(5):
        load_another(number)
    with CaptureQueriesContext(connection) as more:
        assert verified() == []

    assert len(more) == len(few)


def load_another(number: int) -> None:
    """Add a namespace with its event."""
    holder = OrganizationFactory.create()
    record_import(NamespaceFactory.create(nid=f"another{number}", registrant=holder), holder)


def record_import(namespace: Namespace, holder: Organization) -> None:
    """Write the event of a namespace that was loaded."""
    with transaction.atomic():
        rows = {build_row_key(namespace): NEW_ROW, build_row_key(holder): None}
        journal.append(namespace, actor=None, verb="import", rows=rows)
