"""The journal: everything that was done, each event an entry of the transparency log.

The tree of entries ties the events together, not the events themselves:
`registry.journal.log_worker` signs its root, and anyone with a root can tell whether an older event
was changed, added or removed. An event also has digests of the rows its action changed;
`registry.journal.row_verification` checks that the rows still match.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.errors import RegistryError
from registry.journal.openness import list_openness, list_public_organizations_changed
from registry.journal.row_digests import digest_row, list_row_facts, read_stored_row
from registry.models import Counter, Event, LogOrigin, Namespace, RegistrationRequest, User
from registry.transparency import entries
from registry.transparency.errors import OversizedEntry
from registry.transparency.merkle import TreeBuilder, hash_leaf

FIRST_PROVISIONAL_NUMBER: Final = 1_000_000_000
"""No event has this number or a higher one, except while it is being tried."""
PROVISIONAL_NUMBERS: Final = 1_000_000_000
WITHHELD_VERB: Final = entries.WITHHELD_VERB
"""The verb of an event that is known only by its log entry, from a public dump."""
LINES_IN_MEMORY: Final = 100
"""An entry has up to 60,000 octets, and a sealed event has its statement beside it."""
LINE_COLUMNS: Final = (
    "number",
    "actor_id",
    "actor_name",
    "verb",
    "subject",
    "registration_request_id",
    "namespace_id",
    "source",
    "target",
    "comment",
    "data",
    "rows",
    "entry",
    "statement",
    "actor_salt",
    "details_salt",
    "seal_salt",
    "digest",
)


class ActTooLarge(RegistryError):
    """An act changes more rows than an entry of the log can name."""


def append(
    subject: models.Model,
    *,
    actor: User | None,
    verb: str,
    comment: str = "",
    source: str = "",
    target: str = "",
    data: dict[str, Any] | None = None,
    rows: Mapping[str, str | None] | None = None,
    in_name_of: str = "",
) -> Event:
    """Write one event about `subject` and return it; `actor` is None for the scheduler.

    What the scheduler does for somebody, and what is done without an account, is recorded
    `in_name_of` them.

    `rows` has the keys of rows that the action changed, each with its earlier digest, empty for a
    new row; and with None the rows that the action relies on unchanged. Call it in the transaction
    of the change, after the change: both are saved, or neither is.
    """
    event = compose_line(
        subject,
        actor=actor,
        verb=verb,
        comment=comment,
        source=source,
        target=target,
        data=data,
        in_name_of=in_name_of,
    )
    return write_line(event, rows)


def compose_line(
    subject: models.Model,
    *,
    actor: User | None,
    verb: str,
    comment: str = "",
    source: str = "",
    target: str = "",
    data: dict[str, Any] | None = None,
    in_name_of: str = "",
) -> Event:
    """Return the event that `append` would write, without its number, and unsaved."""
    return Event(
        at=timezone.now(),
        actor=actor,
        actor_name=str(actor or in_name_of or "The registry"),
        verb=verb,
        subject=str(subject)[:200],
        registration_request=subject if isinstance(subject, RegistrationRequest) else None,
        namespace=find_event_namespace(subject),
        source=source,
        target=target,
        comment=comment,
        # As JSON reads it back, which is also what the log entry commits to.
        data=json.loads(json.dumps(data or {})),
        actor_salt=entries.make_salt(),
        details_salt=entries.make_salt(),
    )


@contextmanager
def try_lines(events: Sequence[Event]) -> Iterator[None]:
    """Make composed events the last of the journal, but only within the block.

    This shows what depends on them before they lock the journal: queries in the block find them,
    under provisional numbers, and everything the block writes is rolled back with them. Nobody else
    ever sees any of it. Call it in the transaction of the action, before they are written.
    """
    refuse_outside_transaction()
    with transaction.atomic():
        # Simultaneous actions must not wait for each other's number or digest here.
        first = FIRST_PROVISIONAL_NUMBER + secrets.randbelow(PROVISIONAL_NUMBERS)
        for number, event in enumerate(events, first):
            event.pk = event.number = number
            event.digest = secrets.token_hex(32)
        try:
            Event.objects.bulk_create(events)
            yield
        finally:
            transaction.set_rollback(True)
            for event in events:
                # The event is as it was composed: unsaved.
                vars(event).update(id=None, number=None, digest="")
                event._state.adding = True


def refuse_outside_transaction() -> None:
    """Raise `RuntimeError` outside a transaction."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("An event is written in the transaction of the change it tells of.")


def write_line(event: Event, rows: Mapping[str, str | None] | None = None) -> Event:
    """Number a composed event, save it and return it; for `rows` see `append`.

    From here to the end of the transaction nobody else can write an event, so whatever can be done
    beforehand is.
    """
    write_lines([event], [rows or {}])
    return event


def write_lines(events: Sequence[Event], rows: Sequence[Mapping[str, str | None]] = ()) -> None:
    """Number composed events, and save them together; `rows` are those of each, if any.

    As after `write_line`, nobody else can write an event until the transaction ends.
    """
    number_lines(events)
    # Read after taking the numbers: other changes to these rows, and other rounds of the requests,
    # write their events before or after.
    openness = list_openness(events)
    changes = rows or [{}] * len(events)
    for event, changed, is_open in zip(events, changes, openness, strict=True):
        if is_open and any(key.startswith("user ") for key in changed):
            # Its digest is easily guessed from who is told to nobody to act for whom.
            raise RuntimeError("An event that everybody may read tells of no account.")
        compose_entry(event, add_rows(event, changed), is_open=is_open)
    Event.objects.bulk_create(events)


def number_lines(events: Sequence[Event]) -> None:
    """Give events the next numbers; the first of the journal begins the log."""
    refuse_outside_transaction()
    last, now = Counter.objects.take(Counter.EVENT, len(events)), timezone.now()
    for number, event in enumerate(events, last - len(events) + 1):
        event.number, event.at = number, now
    if last == len(events):
        begin_log(settings.REGISTRY_LOG_ORIGIN)


def add_rows(event: Event, rows: Mapping[str, str | None]) -> dict[str, Any]:
    """Add to an event what rows were before and are now; return the rows' facts for the log."""
    facts = {}
    for key, before in rows.items():
        row = read_stored_row(key)
        after = "" if row is None else digest_row(row)
        if not (before or after):
            # Such as an account that may do no more than everybody, before and after.
            continue
        event.rows[key] = [after if before is None else before, after]
        if said := list_row_facts(row):
            facts[key] = said
    return facts


def compose_entry(event: Event, facts: Mapping[str, Any], *, is_open: bool) -> None:
    """Compose an event's log entry, open or sealed; raise `ActTooLarge`."""
    try:
        write_entry_columns(event, facts, is_open=is_open)
    except OversizedEntry:
        raise ActTooLarge(
            _(
                "This would change %(count)s records at once, and an entry of the transparency log "
                "cannot hold that many. Nothing was changed. Divide it into several steps."
            )
            % {"count": len(event.rows)}
        ) from None


def write_entry_columns(event: Event, facts: Mapping[str, Any], *, is_open: bool) -> None:
    """Set the columns of an event that its log entry consists of; raise `OversizedEntry`."""
    statement = entries.compose_statement(read_line(event), facts)
    entry = statement
    if not is_open:
        event.statement = entries.encode_entry(statement).decode()
        event.seal_salt = entries.make_salt()
        public = list_public_organizations_changed(event)
        entry = entries.seal_statement(statement, event.seal_salt, public)
    octets = entries.encode_entry(entry)
    event.entry = octets.decode()
    event.digest = hash_leaf(octets).hex()


def read_line(event: Event) -> dict[str, Any]:
    """Return an event by its columns, as `registry.transparency.entries` takes it."""
    line = {name: getattr(event, name) for name in LINE_COLUMNS}
    return {**line, "at": event.at.isoformat()}


def begin_log(
    origin: str,
    *,
    last_head: Mapping[str, Any] | None = None,
    journal: Mapping[str, Any] | None = None,
) -> LogOrigin:
    """Begin a log of this name; `last_head` is that of the log that it continues."""
    now = timezone.now()
    entry = entries.compose_origin_entry(
        origin, now.isoformat(), last_head=last_head, journal=journal
    )
    octets = entries.encode_entry(entry)
    return LogOrigin.objects.create(origin=origin, entry=octets.decode(), begun_at=now)


def find_log() -> LogOrigin | None:
    """Return the log, or None before the first event."""
    return LogOrigin.objects.order_by("-pk").first()


def find_event_namespace(subject: models.Model) -> Namespace | None:
    """Return the namespace that an event about `subject` also concerns."""
    if isinstance(subject, Namespace):
        return subject
    return subject.namespace if isinstance(subject, RegistrationRequest) else None


def find_last_digest() -> str:
    """Return the digest of the last event, empty before the first."""
    return Event.objects.order_by("-number").values_list("digest", flat=True).first() or ""


def find_last_number() -> int:
    """Return the number of the last event, 0 before the first."""
    return Event.objects.order_by("-number").values_list("number", flat=True).first() or 0


@dataclass(frozen=True, slots=True)
class JournalHead:
    """The number of a last event and the root of the log with it, for keeping elsewhere.

    Written `153:9f86d0…`, the root in hexadecimal.
    """

    number: int
    digest: str

    @classmethod
    def parse(cls, text: str) -> JournalHead:
        """Return the head in `text`; raise `ValueError` if it is not one."""
        found = re.fullmatch(r"([0-9]{1,10}):([0-9a-f]{64})", text.strip())
        if not found:
            raise ValueError(
                f"“{text}” is no head: write NUMBER:DIGEST, as verify_journal prints it."
            )
        return cls(int(found[1]), found[2])

    def __str__(self) -> str:
        return f"{self.number}:{self.digest}"


def begin_tree() -> TreeBuilder:
    """Return the tree of the log with only entry 0, or an empty one without a log."""
    tree = TreeBuilder()
    if log := find_log():
        tree.append(hash_leaf(log.entry.encode()))
    return tree


def find_head() -> JournalHead | None:
    """Return the current head, or None while the journal is empty."""
    tree, last = begin_tree(), 0
    lines = Event.objects.order_by("number").values_list("number", "digest")
    for number, digest in lines.iterator():
        tree.append(bytes.fromhex(digest))
        last = number
    return JournalHead(last, tree.root().hex()) if last else None


def verify(*, withheld: bool = False, kept: JournalHead | None = None) -> Iterator[str]:
    """Yield one sentence for each event that differs from its log entry or is missing.

    If events may be `withheld`, those are known only by their entries. A head `kept` elsewhere must
    match the log's root at that event.
    """
    expected, root, tree = 1, "", begin_tree()
    for event in Event.objects.order_by("number").iterator(chunk_size=LINES_IN_MEMORY):
        if event.number != expected:
            yield f"{describe_missing_lines(expected, event.number - 1)}."
        if not entries.check_line(read_line(event)):
            yield f"Line {event.number} was changed."
        elif event.verb == WITHHELD_VERB and not withheld:
            yield f"Line {event.number} is known by its entry alone."
        tree.append(hash_leaf(event.entry.encode("utf-8", "surrogatepass")))
        if kept and event.number == kept.number:
            root = tree.root().hex()
        expected = event.number + 1
    if expected == 1:
        yield "The journal is empty: nothing was loaded into this registry, or it was emptied."
    elif find_log() is None:
        yield "The log has no entry 0: no line says which log this is."
    yield from verify_counter(expected - 1)
    if kept and root != kept.digest:
        if root:
            yield f"Lines 1 to {kept.number} were written anew: their root was {kept.digest}."
        else:
            yield f"Line {kept.number} is missing: the root with it was {kept.digest}."


def verify_counter(last: int) -> Iterator[str]:
    """Yield a sentence if the counter of events is not at the `last` one."""
    counted = Counter.objects.expected(Counter.EVENT) - 1
    if counted != last:
        yield f"The counter stands at line {counted}, and the last line is {last}."


def describe_missing_lines(first: int, last: int) -> str:
    return f"Line {first} is missing" if first == last else f"Lines {first} to {last} are missing"
