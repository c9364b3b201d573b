"""How fast a template is read, checked and compared."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from benchmarks.tables import Table, judge
from registry.template import FIELDS, Context, Template, check, diff, read, write

ROUNDS: Final = 7
SIZE: Final = 100_000
_SENTENCE: Final = (
    "Each vault numbers what it accepts, publishes the list at https://vault{n}.example/list, and"
    " never gives the number {n} to anything else; case makes no difference."
)
_OLD_LABELS: Final = (
    "Namespace ID",
    "Registration Information",
    "Declared registrant of the namespace",
    "Declaration of syntactic structure",
    "Relevant ancillary documentation",
    "Identifier uniqueness considerations",
    "Identifier persistence considerations",
    "Process of identifier assignment",
    "Process for identifier resolution",
    "Rules for Lexical Equivalence",
    "Conformance with URN Syntax",
    "Validation mechanism",
    "Scope",
)
_PAGE: Final = (
    "\n\nTallow          Informational          [Page 1]\n\f\nRFC 9999    Vaults    June 2004\n\n"
)


@dataclass(frozen=True)
class Task:
    """Something to time, and its limit in milliseconds."""

    name: str
    run: Callable[[], object]
    target: float


def make_template(seed: int = 0) -> Template:
    """A template with about 100 kB of text, similar for every seed."""
    texts = [each.name for each in FIELDS if each.rows > 1]
    count = SIZE // len(texts) // len(_SENTENCE)
    lines = [_SENTENCE.format(n=n + (seed if n % 9 == 0 else 0)) for n in range(count)]
    return Template.from_dict(
        {"nid": "vault", "examples": ["urn:vault:1"], **dict.fromkeys(texts, "\n".join(lines))}
    )


def make_older_text() -> str:
    """An older template with page breaks, about 100 kB of it."""
    count = SIZE // len(_OLD_LABELS) // (len(_SENTENCE) + 4)
    body = "".join(f"   {_SENTENCE.format(n=n)}\n" for n in range(count))
    return _PAGE.join(f"{label}:\n\n{body}" for label in _OLD_LABELS)


def make_hostile_texts() -> list[tuple[str, str]]:
    """Texts of 100 kB that are made to keep a reader busy."""
    pieces = {
        "line feeds": "\n",
        "one letter a line": "a\n",
        "labels alone": "Purpose:\n",
        "templates without end": "Namespace Identifier: a\nPurpose: b\nSyntax: c\n",
        "signs of emphasis": "**a\n",
    }
    return [(name, piece * (SIZE // len(piece))) for name, piece in pieces.items()]


def list_tasks() -> list[Task]:
    """Everything that is timed; hostile texts may take ten times as long as common ones."""
    new, changed = make_template(), make_template(seed=1)
    texts = {
        "read, as written by us": write(new),
        "read, RFC 8141 within a letter": f"Dear list,\n\n{write(new)}",
        "read, older template with page breaks": make_older_text(),
    }
    context = Context(today=datetime.date(2026, 6, 1), previous=changed)
    return [
        *(Task(name, partial(read, text), 200) for name, text in texts.items()),
        Task("all checks", partial(check, new, context), 300),
        Task("differences", partial(diff, changed, new), 300),
        *(Task(f"read, {name}", partial(read, text), 2_000) for name, text in make_hostile_texts()),
    ]


def measure(is_smallest: bool) -> Iterator[Table]:
    """Time everything."""
    rounds = 1 if is_smallest else ROUNDS
    rows = []
    for task in list_tasks():
        taken = time_best_round(task.run, rounds)
        rows.append(
            (task.name, f"{taken:,.0f}", judge(f"{task.target:,.0f}", taken <= task.target))
        )
    yield Table("A template of 100 kB", ("", "ms", "target"), rows)


def time_best_round(run: Callable[[], object], rounds: int) -> float:
    """The CPU milliseconds of the best round."""
    taken = []
    for _ in range(rounds):
        started = time.process_time()
        run()
        taken.append(time.process_time() - started)
    return min(taken) * 1_000
