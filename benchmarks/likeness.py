"""What `benchmarks.similar_nids` measures: a registry of made-up NIDs, filled and queried."""

from __future__ import annotations

import random
import resource
import statistics
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from django.db import connection
from django.utils import timezone

from registry import selectors
from registry.enums import NamespaceKind, RequestPath, State
from registry.lookalikes import find_lookalikes
from registry.models import (
    Namespace,
    NidKey,
    Organization,
    RegistrationRequest,
    Round,
    User,
)
from registry.search import fill_nid_keys
from registry.workflow import drafts

SYLLABLES: Final = [
    consonant + vowel for consonant in "bcdfghklmnprstvwz" for vowel in ("a", "e", "i", "o", "u")
]
ENDINGS: Final = ("", "n", "r", "s", "")
WORDS_OF_A_NID: Final = (1, 1, 2, 2, 3)
REGISTERED_SHARE: Final = 11
BATCH: Final = 2_000
ASKED: Final = 100
ROUNDS: Final = 3


def fill(count: int) -> dict[str, float]:
    """Register and request `count` NIDs; return what their keys took.

    Rows bypass the models and keys are filled in afterwards, as when a dump is loaded.
    """
    author = User.objects.create_user("author@people.example", name="Author")
    body = Organization.objects.create(name="Body")
    nids = islice(iterate_nids(random.Random(8141)), count)
    number = 0
    while batch := list(islice(nids, BATCH)):
        fill_batch(author, body, number, batch)
        number += len(batch)
    start = time.process_time()
    fill_nid_keys()
    seconds = time.process_time() - start
    keys = NidKey.objects.count()
    return {"keys": keys / count, "seconds": seconds, "megabytes": measure_table() / 1_000_000}


def iterate_nids(chance: random.Random) -> Iterator[str]:
    """Yield NIDs of one to three made-up words, no two the same."""
    seen = set[str]()
    while True:
        words = (
            "".join(chance.choices(SYLLABLES, k=chance.randint(1, 3))) + chance.choice(ENDINGS)
            for _number in range(chance.choice(WORDS_OF_A_NID))
        )
        nid = "-".join(words)
        if 3 <= len(nid) <= 32 and nid not in seen:
            seen.add(nid)
            yield nid


def fill_batch(author: User, body: Organization, first: int, nids: list[str]) -> None:
    """Register one NID of a batch, and request the others."""
    registered = nids[::REGISTERED_SHARE]
    Namespace._base_manager.bulk_create(
        Namespace(nid=nid, nid_as_registered=nid, kind=NamespaceKind.FORMAL) for nid in registered
    )
    now = timezone.now()
    asked = RegistrationRequest._base_manager.bulk_create(
        RegistrationRequest(
            reference=f"R-2025-{first + number:06}",
            state=State.IN_REVIEW,
            state_since=now,
            nid=nid,
            organization=body,
            author=author,
            created_at=now,
            start_key=uuid.uuid4(),
        )
        for number, nid in enumerate(nids)
        if number % REGISTERED_SHARE
    )
    Round.objects.bulk_create(
        Round(
            registration_request=each,
            number=1,
            nid=each.nid,
            submitted_at=now,
            saved_at=now,
            sha256="0" * 64,
        )
        for each in asked
    )


def measure_table() -> int:
    """Return how many octets the keys take on disk, with their index."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM ANALYZE")
            cursor.execute("SELECT pg_total_relation_size('registry_nidkey')")
        else:
            cursor.execute("SELECT sum(pgsize) FROM dbstat WHERE name LIKE '%registry_nidkey%'")
        return int(cursor.fetchone()[0])


def ask() -> dict[str, float]:
    """Return the seconds of each kind of search, and the peak memory of this process."""
    chance = random.Random(1)
    held = RegistrationRequest.objects.filter(state=State.IN_REVIEW).order_by("pk")
    step = max(1, held.count() // ASKED)
    some = [held[number * step].pk for number in range(min(ASKED, held.count()))]
    asked = list(held.filter(pk__in=some).select_related("author", "organization"))
    near = [change_letter(chance, each.nid) for each in asked]
    draft = drafts.start_request(
        author=asked[0].author,
        path=RequestPath.COMMUNITY,
        organization=asked[0].organization,
        summary="-",
        nid="quillwort",
    ).rounds.get()

    def save_draft(nid: str) -> None:
        nonlocal draft
        draft = drafts.save_draft(draft, {"nid": f"{nid}q"}, seen=draft.edition)

    alike = [len(find_lookalikes(nid, NidKey.objects.read_candidates([nid]))) for nid in near]
    return {
        **measure_calls("find_similar_nids", selectors.find_similar_nids, near),
        **measure_calls("list_nid_findings", selectors.list_nid_findings, near),
        **measure_calls("list_similar_requests", selectors.list_similar_requests, asked),
        **measure_calls("save_draft", save_draft, near),
        "alike": statistics.mean(alike),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def change_letter(chance: random.Random, nid: str) -> str:
    """Return a NID with one of its letters changed."""
    at = chance.randrange(len(nid))
    return f"{nid[:at]}{chance.choice('bdlr')}{nid[at + 1 :]}"


def measure_calls(
    name: str, call: Callable[[Any], object], given: Sequence[Any]
) -> dict[str, float]:
    """Return the mean seconds of a call: of this process's CPU, and including all waiting."""
    spent, waited = [], []
    for _round in range(ROUNDS):
        cpu, clock = time.process_time(), time.perf_counter()
        for each in given:
            call(each)
        spent.append((time.process_time() - cpu) / len(given))
        waited.append((time.perf_counter() - clock) / len(given))
    return {name: min(spent), f"{name}, waiting": min(waited)}
