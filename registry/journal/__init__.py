"""The journal: a chain of events, each with the digest of the one before it.

Every line names the digest of the line before it, so that whoever holds the last digest can
tell whether an older line was changed, added or taken out. A line also says what its act made of
rows, by their digests; `registry.journal.row_verification` asks whether the rows still say it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import models, transaction
from django.utils import timezone

from registry.journal.row_digests import digest_stored_row
from registry.models import Counter, Event, Namespace, RegistrationRequest, User

WITHHELD_VERB: Final = "withheld"
"""The verb of a line that is known by its number and its digest alone, from a public dump."""


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
) -> Event:
    """Write one line about `subject` and return it; `actor` is None for the clock.

    `rows` has the keys of rows that the act changed, each with its digest before, empty for a new
    one; and with None those that the act rests on as they are.
    Call it in the transaction of the change it tells of, after that: both are saved, or neither is.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("An event is written in the transaction of the change it tells of.")
    number = Counter.objects.take(Counter.EVENT)
    event = Event(
        number=number,
        at=timezone.now(),
        actor=actor,
        actor_name=str(actor or "The registry"),
        verb=verb,
        subject=str(subject)[:200],
        registration_request=subject if isinstance(subject, RegistrationRequest) else None,
        namespace=find_event_namespace(subject),
        source=source,
        target=target,
        comment=comment,
        data=data or {},
        # Read once the number is ours: whoever changes a row writes their line before or after.
        rows={key: digest_before_and_after(key, before) for key, before in (rows or {}).items()},
        previous=find_last_digest(),
    )
    event.digest = digest_event(event)
    event.save(force_insert=True)
    return event


def digest_before_and_after(key: str, before: str | None) -> list[str]:
    """Return the digests of a row before an act and after it."""
    after = digest_stored_row(key)
    return [after if before is None else before, after]


def find_event_namespace(subject: models.Model) -> Namespace | None:
    """Return the namespace that an event about `subject` also concerns."""
    if isinstance(subject, Namespace):
        return subject
    return subject.namespace if isinstance(subject, RegistrationRequest) else None


def find_last_digest() -> str:
    """Return the digest of the last line, empty before the first."""
    return Event.objects.order_by("-number").values_list("digest", flat=True).first() or ""


def digest_event(event: Event) -> str:
    """Return the SHA-256, in hexadecimal, of all that `event` says and of the line before."""
    return hashlib.sha256(canonicalize_event(event).encode("utf-8", "surrogatepass")).hexdigest()


def canonicalize_event(event: Event) -> str:
    """Return all that `event` says as the one text whose digest it carries: JSON, keys sorted."""
    told = {
        "number": event.number,
        "at": event.at.isoformat(),
        "actor": event.actor_id,
        "actor_name": event.actor_name,
        "verb": event.verb,
        "subject": event.subject,
        "request": event.registration_request_id,
        "namespace": event.namespace_id,
        "source": event.source,
        "target": event.target,
        "comment": event.comment,
        "data": event.data,
        "previous": event.previous,
    }
    if event.rows:
        told["rows"] = event.rows
    return json.dumps(told, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class JournalHead:
    """The number and the digest of a last line, to be kept elsewhere; written `153:9f86d0…`."""

    number: int
    digest: str

    @classmethod
    def parse(cls, text: str) -> JournalHead:
        """Return the head that `text` says; raise `ValueError` where it says none."""
        found = re.fullmatch(r"([0-9]{1,10}):([0-9a-f]{64})", text.strip())
        if not found:
            raise ValueError(
                f"“{text}” is no head: write NUMBER:DIGEST, as verify_journal prints it."
            )
        return cls(int(found[1]), found[2])

    def __str__(self) -> str:
        return f"{self.number}:{self.digest}"


def find_head() -> JournalHead | None:
    """Return the head as it is now, none while the journal is empty."""
    last = Event.objects.order_by("-number").values_list("number", "digest").first()
    return JournalHead(*last) if last else None


def verify(*, withheld: bool = False, kept: JournalHead | None = None) -> Iterator[str]:
    """Yield one sentence for each line that does not follow from the line before it.

    Where lines may be `withheld`, those stand in the chain by what they say their digest is.
    The line that was `kept` elsewhere as the head has to be the same here.
    """
    previous, expected, found = "", 1, ""
    for event in Event.objects.order_by("number").iterator():
        if event.number != expected:
            yield f"{describe_missing_lines(expected, event.number - 1)}."
        if event.previous != previous:
            yield f"Line {event.number} does not follow line {event.number - 1}."
        if event.verb == WITHHELD_VERB and not withheld:
            yield f"Line {event.number} is known by its digest alone."
        if event.verb != WITHHELD_VERB and event.digest != digest_event(event):
            yield f"Line {event.number} was changed."
        if kept and event.number == kept.number:
            found = event.digest
        previous, expected = event.digest, event.number + 1
    if expected == 1:
        yield "The journal is empty: nothing was loaded into this registry, or it was emptied."
    yield from verify_counter(expected - 1)
    if kept and found != kept.digest:
        what = "was written anew" if found else "is missing"
        yield f"Line {kept.number} {what}: its digest was kept as {kept.digest}."


def verify_counter(last: int) -> Iterator[str]:
    """Yield a sentence where the counter of lines does not stand at the `last` one."""
    counted = Counter.objects.expected(Counter.EVENT) - 1
    if counted != last:
        yield f"The counter stands at line {counted}, and the last line is {last}."


def describe_missing_lines(first: int, last: int) -> str:
    """Say which lines are missing."""
    return f"Line {first} is missing" if first == last else f"Lines {first} to {last} are missing"
