"""A changed dump or log is detected offline, with the entry.

REGISTRY_TEST_LOG_MUTATIONS and REGISTRY_TEST_LOG_ENTRIES set how many changes of a log of which
size: 1,000 of 10,000 entries are a soak test (`make forgeries`).
"""

from __future__ import annotations

import copy
import json
import os
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from registry.transparency.dumps import verify_dump
from registry.transparency.merkle import hash_leaf
from registry.transparency.notes import Note, SignerKey
from registry.transparency.verification import LogMemory
from tests.transparency.registry_dumps import (
    CHANGE,
    DRAFT,
    ORIGIN,
    OTHERS_DRAFT,
    REGISTER,
    STEPS,
    SampleRegistry,
    add_entry,
    rewrite_line,
    seal_as_before,
    withhold_line,
    write_line,
)

MUTATIONS = int(os.environ.get("REGISTRY_TEST_LOG_MUTATIONS", "45"))
ENTRIES = int(os.environ.get("REGISTRY_TEST_LOG_ENTRIES", "60"))
PARTS = 4
"""Tests that the changes are divided into, so that several processes can share them."""
KEY = SignerKey.generate(ORIGIN)
FORGER = SignerKey.generate(ORIGIN)

FORGED_WORDS = {"comment": "Forged."}

Mutation = Callable[[SampleRegistry, random.Random], tuple[int, SignerKey | None]]
"""Changes a registry; returns which entry it touches, and whose key signs the new head, if any."""


def change_field(registry: SampleRegistry, chance: random.Random) -> tuple[int, SignerKey | None]:
    """Change one event, in any of its columns, or entry 0."""
    place = chance.randrange(len(registry.events) + 1)
    if place == len(registry.events):
        registry.origin = {**registry.origin, "entry": f"{registry.origin['entry']}x"}
        return 0, None
    line = registry.events[place]
    name = chance.choice(sorted(line.keys() - {"id", "number"}))
    number, said = line["number"], line[name]
    forged: object
    if isinstance(said, dict):
        forged = {**said, "forged": ["", ""]}
    else:
        forged = f"{said}x" if isinstance(said, str) else (said or 0) + 1
    registry.events[place] = {**line, name: forged}
    return number, None


def exchange(registry: SampleRegistry, chance: random.Random) -> tuple[int, SignerKey | None]:
    """Swap two events."""
    place = chance.randrange(len(registry.events) - 1)
    events = registry.events
    events[place], events[place + 1] = events[place + 1], events[place]
    return events[place]["number"], None


def cut(registry: SampleRegistry, chance: random.Random) -> tuple[int, SignerKey | None]:
    """Cut the log at its end."""
    first = chance.randrange(1, len(registry.events))
    del registry.events[first:]
    return first + 1, None


def take_out(registry: SampleRegistry, chance: random.Random) -> tuple[int, SignerKey | None]:
    """Remove one event."""
    line = registry.events.pop(chance.randrange(len(registry.events)))
    return line["number"], None


def insert(registry: SampleRegistry, chance: random.Random) -> tuple[int, SignerKey | None]:
    """Insert an event that matches its entry into the log, and renumber the others."""
    place = chance.randrange(len(registry.events))
    forged = copy.deepcopy(registry.events[place])
    registry.events.insert(place, rewrite_line(forged, **FORGED_WORDS))
    for number, line in enumerate(registry.events[place:], place + 1):
        registry.events[number - 1] = rewrite_line(line, number=number)
    return place + 1, FORGER


def rewrite(registry: SampleRegistry, chance: random.Random) -> tuple[int, SignerKey | None]:
    """Rewrite the log from some event on, consistently, and sign it with another key."""
    place = chance.randrange(len(registry.events))
    registry.events[place] = rewrite_line(registry.events[place], **FORGED_WORDS)
    return place + 1, FORGER


def replay_old_head(
    registry: SampleRegistry, chance: random.Random
) -> tuple[int, SignerKey | None]:
    """Show the registry of an earlier day, complete and consistent, with the head of that day."""
    done = chance.randrange(1, len(registry.rounds))
    registry.return_to(done)
    return done * len(STEPS) + 1, KEY


def change_row(registry: SampleRegistry, chance: random.Random) -> tuple[int, SignerKey | None]:
    """Change a public row."""
    kind, rows, name = chance.choice(
        [
            ("organization", registry.organizations, "name"),
            ("organization", registry.organizations, "recognised_on"),
            ("namespace", registry.namespaces, "registrant_id"),
            ("namespace", registry.namespaces, "status"),
            ("namespace", registry.namespaces, "summary"),
            ("registration", registry.registrations, "purpose"),
            ("registration", registry.registrations, "sha256"),
            ("registrationrequest", registry.requests, "state"),
            ("round", registry.rounds, "purpose"),
            ("round", registry.rounds, "submitted_at"),
        ]
    )
    place = chance.randrange(len(rows))
    row = rows[place]
    rows[place] = {**row, name: 99_999 if name == "registrant_id" else f"{row[name]}x"}
    return registry.told[f"{kind} {row['id']}"], None


def take_row_out(registry: SampleRegistry, chance: random.Random) -> tuple[int, SignerKey | None]:
    """Remove a public row."""
    kind, rows = chance.choice(
        [
            ("organization", registry.organizations),
            ("namespace", registry.namespaces),
            ("registration", registry.registrations),
            ("registrationrequest", registry.requests),
            ("round", registry.rounds),
        ]
    )
    row = rows.pop(chance.randrange(len(rows)))
    return registry.told[f"{kind} {row['id']}"], None


def change_row_and_withhold(
    registry: SampleRegistry, chance: random.Random
) -> tuple[int, SignerKey | None]:
    """Change a public row, and write a line afterwards that nobody can read, as the operator."""
    number, _ = change_row(registry, chance)
    registry.withhold_one_more()
    return number, KEY


def take_row_out_and_withhold(
    registry: SampleRegistry, chance: random.Random
) -> tuple[int, SignerKey | None]:
    """Remove a public row, and write such a line afterwards."""
    number, _ = take_row_out(registry, chance)
    registry.withhold_one_more()
    return number, KEY


CHANGES: tuple[Mutation, ...] = (
    change_field,
    exchange,
    cut,
    take_out,
    insert,
    rewrite,
    replay_old_head,
    change_row,
    change_row_and_withhold,
    take_row_out,
    take_row_out_and_withhold,
)


@pytest.fixture(scope="module")
def registry() -> SampleRegistry:
    """A registry that matches its log."""
    made = SampleRegistry(ENTRIES)
    made.remember_octets()
    return made


@pytest.fixture(scope="module")
def memory(registry: SampleRegistry) -> LogMemory:
    """Somebody's memory of it."""
    return LogMemory(ORIGIN, b"".join(map(hash_leaf, registry.list_entries())))


@pytest.fixture(scope="module")
def head(registry: SampleRegistry) -> Note:
    """Its signed head."""
    return registry.sign(KEY)


def find_faults(path: Path, memory: LogMemory | None, *seen: Note) -> list[str]:
    """Return the faults of a dump."""
    return verify_dump(path, [KEY.verifier()], seen=seen, memory=memory).faults


def test_nothing_is_said_against_a_sound_dump(
    registry: SampleRegistry, memory: LogMemory, head: Note, tmp_path: Path
) -> None:
    registry.write(tmp_path / "dump.jsonl", head)

    assert find_faults(tmp_path / "dump.jsonl", memory, head) == []
    assert find_faults(tmp_path / "dump.jsonl", None) == []


@pytest.mark.parametrize("part", range(PARTS))
def test_every_random_change_is_found_with_its_entry(
    registry: SampleRegistry, memory: LogMemory, head: Note, tmp_path: Path, part: int
) -> None:
    chance = random.Random(19 + part)
    path = tmp_path / "dump.jsonl"
    for turn in range(part, MUTATIONS, PARTS):
        change = CHANGES[turn % len(CHANGES)]
        changed = registry.copy()
        number, key = change(changed, chance)
        changed.write(path, changed.sign(key) if key else head)

        faults = find_faults(path, memory)

        assert names_entry(faults, number), (change.__name__, number, faults[:3])


def names_entry(faults: list[str], number: int) -> bool:
    """Whether a fault names an entry, alone or among missing ones.

    A fault about the root of all entries names none of them.
    """
    for fault in faults:
        if "another root" not in fault:
            for first, last in re.findall(r"[Ee]ntr(?:y|ies) (\d+)(?: to (\d+))?", fault):
                if int(first) <= number <= int(last or first):
                    return True
    return False


def test_kept_head_finds_a_rewritten_and_signed_log(
    registry: SampleRegistry, head: Note, tmp_path: Path
) -> None:
    changed = registry.copy()
    # An open line: a withheld one would not go with what was withheld.
    changed.events[REGISTER] = rewrite_line(changed.events[REGISTER], **FORGED_WORDS)
    changed.write(tmp_path / "dump.jsonl", changed.sign(KEY))

    assert find_faults(tmp_path / "dump.jsonl", None) == []
    [fault] = find_faults(tmp_path / "dump.jsonl", None, head)
    assert fault.startswith(f"Entries 0 to {ENTRIES} ")
    assert "another root" in fault


def test_number_that_is_given_twice_is_named(tmp_path: Path) -> None:
    registry = SampleRegistry(2 * len(STEPS))
    place = len(STEPS) + REGISTER
    facts = json.loads(registry.events[place]["entry"])["facts"]
    facts["namespace 2"]["nid"] = "sample1"
    registry.events[place] = write_line(registry.events[place], facts)
    registry.write(tmp_path / "dump.jsonl", None)

    faults = find_faults(tmp_path / "dump.jsonl", None)

    assert any(
        re.match(f"Entry {place + 1} .*sample1.* namespace 2, .*namespace 1", each)
        for each in faults
    )


@pytest.mark.parametrize(
    ("table", "key", "name", "value"),
    [
        ("organizations", "organization", "name", "Another Society"),
        ("requests", "registrationrequest", "state", "declined"),
        ("rounds", "round", "purpose", "Forged."),
        ("namespaces", "namespace", "status", "retired"),
    ],
)
def test_withheld_line_excuses_no_changed_row(
    tmp_path: Path, table: str, key: str, name: str, value: str
) -> None:
    registry = SampleRegistry(3 * len(STEPS))
    rows = getattr(registry, table)
    rows[0] = {**rows[0], name: value}
    registry.withhold_one_more()
    registry.write(tmp_path / "dump.jsonl", registry.sign(KEY))

    faults = find_faults(tmp_path / "dump.jsonl", None)

    assert f" entry {registry.told[f'{key} 1']} " in faults[0]
    assert faults[0].startswith(f"{key} 1, ")


def write_forged_dump(registry: SampleRegistry, path: Path) -> None:
    """Write the registry with another name of an organization, signed by the operator."""
    registry.organizations[0] = {**registry.organizations[0], "name": "Another Society"}
    registry.write(path, registry.sign(KEY))


def test_sealed_entry_that_may_be_about_organizations_excuses_none_that_is_shown(
    tmp_path: Path,
) -> None:
    registry = SampleRegistry(3 * len(STEPS))
    registry.withhold_one_more()
    entry = json.loads(registry.events[-1]["entry"])
    registry.events[-1] = add_entry(registry.events[-1], {**entry, "about": ["organization"]})
    write_forged_dump(registry, tmp_path / "dump.jsonl")

    [fault] = find_faults(tmp_path / "dump.jsonl", None)
    assert fault.startswith("organization 1, Another Society, ")
    assert f" entry {CHANGE + 1} " in fault


def test_entries_that_were_sealed_earlier_verify_and_excuse_organizations(tmp_path: Path) -> None:
    registry = SampleRegistry(3 * len(STEPS))
    registry.events = [
        seal_as_before(line) if "sealed" in json.loads(line["entry"]) else line
        for line in registry.events
    ]
    registry.write(tmp_path / "sound.jsonl", registry.sign(KEY))
    write_forged_dump(registry, tmp_path / "forged.jsonl")

    assert find_faults(tmp_path / "sound.jsonl", None) == []
    assert find_faults(tmp_path / "forged.jsonl", None) == []


def test_no_entry_passes_for_one_that_was_sealed_earlier(tmp_path: Path) -> None:
    registry = SampleRegistry(3 * len(STEPS))
    registry.withhold_one_more()
    registry.events[-1] = seal_as_before(registry.events[-1])
    registry.organizations[1] = {**registry.organizations[1], "name": "Another Society"}
    registry.write(tmp_path / "dump.jsonl", registry.sign(KEY))

    fault = find_faults(tmp_path / "dump.jsonl", None)[-1]
    assert fault.startswith("organization 2, Another Society, ")
    assert f" entry {len(STEPS) + CHANGE + 1} " in fault


def test_opened_entry_too_shows_that_those_after_it_say_their_kinds(tmp_path: Path) -> None:
    registry = SampleRegistry(len(STEPS))
    for place in (OTHERS_DRAFT, CHANGE):
        registry.events[place] = seal_as_before(registry.events[place])
    registry.write(tmp_path / "dump.jsonl", registry.sign(KEY))

    assert "about" in json.loads(registry.events[DRAFT]["entry"])
    [fault] = find_faults(tmp_path / "dump.jsonl", None)
    assert fault.startswith("organization 1, Society 1, ")
    assert f" entry {REGISTER + 1} " in fault


@pytest.mark.parametrize("name", ["about", "rows"])
def test_sealed_entrys_open_part_is_compared_with_its_content(tmp_path: Path, name: str) -> None:
    registry = SampleRegistry(2 * len(STEPS))
    drafted = registry.events[DRAFT]
    forged = {"about": ["organization"], "rows": {"organization 1": ["0" * 64, "1" * 64]}}
    entry = {**json.loads(drafted["entry"]), name: forged[name]}
    registry.events[DRAFT] = add_entry(drafted, entry)
    registry.write(tmp_path / "dump.jsonl", registry.sign(KEY))

    [fault] = find_faults(tmp_path / "dump.jsonl", None)
    assert fault.startswith("Entry 1 was changed")


def test_holder_without_a_row_or_an_entry_is_named(tmp_path: Path) -> None:
    registry = SampleRegistry(2 * len(STEPS))
    del registry.organizations[0]
    registry.write(tmp_path / "taken.jsonl", registry.sign(KEY))
    registry.namespaces[0] = {**registry.namespaces[0], "registrant_id": 9}
    registry.organizations.append({"id": 9, "name": "Nobody", "website": ""})
    registry.write(tmp_path / "given.jsonl", registry.sign(KEY))

    missing = find_faults(tmp_path / "taken.jsonl", None)
    assert all("organization 1, which" in each for each in missing)
    assert [each.split()[:2] for each in missing] == [
        ["registrationrequest", "1,"],
        ["namespace", "1,"],
        ["Entry", str(CHANGE + 1)],
    ]
    given = find_faults(tmp_path / "given.jsonl", None)
    assert any("organization 9, Nobody, " in each for each in given)


def test_open_entry_counts_where_its_line_is_withheld(tmp_path: Path) -> None:
    registry = SampleRegistry(3 * len(STEPS))
    registry.events[REGISTER] = withhold_line(registry.events[REGISTER])
    registry.write(tmp_path / "sound.jsonl", registry.sign(KEY))
    registry.requests[0] = {**registry.requests[0], "state": "approved"}
    registry.write(tmp_path / "forged.jsonl", registry.sign(KEY))

    assert find_faults(tmp_path / "sound.jsonl", None) == []
    [fault] = find_faults(tmp_path / "forged.jsonl", None)
    assert fault.startswith("registrationrequest 1, R-2026-0001, ")
    assert f" entry {REGISTER + 1} " in fault


@pytest.mark.parametrize(
    ("name", "value"),
    [("comment", "Forged."), ("target", "declined"), ("at", "2026-01-01T00:00:00+00:00")],
)
def test_withheld_line_says_nothing_but_its_entry(tmp_path: Path, name: str, value: str) -> None:
    registry = SampleRegistry(2 * len(STEPS))
    registry.events[OTHERS_DRAFT] = {**registry.events[OTHERS_DRAFT], name: value}
    registry.write(tmp_path / "dump.jsonl", registry.sign(KEY))

    [fault] = find_faults(tmp_path / "dump.jsonl", None)
    assert fault.startswith(f"Entry {OTHERS_DRAFT + 1} was changed")


@pytest.mark.parametrize(
    ("octets", "words"),
    [(b"", "The dump is empty."), (b"{}\n", "This is not a dump of a URN namespace registry.")],
)
def test_file_that_is_no_dump_is_called_so(tmp_path: Path, octets: bytes, words: str) -> None:
    (tmp_path / "dump.jsonl").write_bytes(octets)

    assert find_faults(tmp_path / "dump.jsonl", None)[-1] == words


def test_dump_that_was_cut_is_called_so(
    registry: SampleRegistry, head: Note, tmp_path: Path
) -> None:
    path = tmp_path / "dump.jsonl"
    registry.write(path, head)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))

    [fault] = find_faults(path, None)
    assert "was cut" in fault
