"""The two registries of draft -03, section 9.2: entered and changed, with a reference each time."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import models, transaction
from django.utils.translation import gettext as _

from registry import queries, rules
from registry.choices import DesignatorStatus
from registry.models import QueryKeyword, ServiceDesignator, User
from registry.workflow import Refused, Superseded
from registry.workflow.recording import record

Entry = QueryKeyword | ServiceDesignator
Faults = dict[str, str]
"""What is wrong, by the name of what is said."""

KEYWORD: Final = re.compile(r"[A-Za-z](?:-?[A-Za-z0-9])*")
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9=-]*")
RFC: Final = re.compile(r"\bRFC[ -]?[1-9][0-9]{0,4}\b")
BY_RFC: Final = frozenset({DesignatorStatus.STANDARD, DesignatorStatus.EXPERIMENTAL})


def faults_in_keyword(key: str, said: Mapping[str, Any]) -> Faults:
    """Return what the draft does not allow of a keyword (section 2.3, `keywd`; 9.2.1)."""
    faults: Faults = {}
    if not KEYWORD.fullmatch(key):
        faults["keyword"] = _(
            "“%(keyword)s” is no keyword: a letter, then letters, digits and single hyphens"
            " (draft -03, section 2.3)."
        ) % {"keyword": key}
    named = [nid for nid, _reference in said["supported_by"]]
    unknown = sorted(set(named) - queries.registered_nids())
    if unknown:
        faults["supported_by"] = _("Not registered: %(nids)s.") % {"nids": ", ".join(unknown)}
    elif len(named) > len(set(named)):
        faults["supported_by"] = _("A NID is there more than once.")
    return faults


def faults_in_designator(key: str, said: Mapping[str, Any]) -> Faults:
    """Return what the draft does not allow of a service designator (section 9.2.2)."""
    faults: Faults = {}
    if not NAME.fullmatch(key):
        faults["name"] = _("“%(name)s” is no name: letters, digits, hyphens and equals signs.") % {
            "name": key
        }
    if said["status"] in BY_RFC and not RFC.search(said["reference"]):
        faults["reference"] = _(
            "With this status an RFC is required (draft -03, section 9.2.2). Name it, or choose"
            " another status."
        )
    return faults


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One of the registries: its table, what names an entry, what it says, and what is wrong.

    What is only added to `by_others` changes nothing of what a word means (section 9.2.1).
    """

    model: type[QueryKeyword] | type[ServiceDesignator]
    key: str
    columns: tuple[str, ...]
    word: str
    faults: Callable[[str, Mapping[str, Any]], Faults]
    by_others: frozenset[str] = frozenset()


KEYWORDS: Final = Vocabulary(
    QueryKeyword,
    "keyword",
    ("purpose", "scope", "reference", "supported_by"),
    "keyword",
    faults_in_keyword,
    frozenset({"supported_by"}),
)
DESIGNATORS: Final = Vocabulary(
    ServiceDesignator,
    "name",
    ("purpose", "status", "reference"),
    "designator",
    faults_in_designator,
)


def enter(vocabulary: Vocabulary, *, actor: User, key: str, **said: Any) -> Entry:
    """Enter a new word and return it; the same by a second click, once."""
    refuse_others(actor)
    refuse_faults(vocabulary, key, said)
    with transaction.atomic():
        first = said | ({"position": next_place()} if vocabulary is DESIGNATORS else {})
        rows: Any = vocabulary.model._default_manager
        entry, is_new = rows.get_or_create(pk=key, defaults=first)
        if is_new:
            tell(vocabulary, entry, actor, f"add_{vocabulary.word}", said["reference"])
        elif told(vocabulary, entry) != said:
            raise Refused(_("“%(word)s” is entered already. Change that entry.") % {"word": key})
    found: Entry = entry
    return found


def change(
    vocabulary: Vocabulary, entry: Entry, *, actor: User, seen: str, ground: str, **said: Any
) -> None:
    """Write what an entry shall say, in place of what `seen` names; done twice, once.

    `ground` is the document on which the change rests.
    """
    refuse_others(actor)
    with transaction.atomic():
        found = held(vocabulary, str(entry))
        before = told(vocabulary, found)
        after = before | said
        refuse_faults(vocabulary, str(entry), after)
        if before == after:
            return
        if edition(vocabulary, found) != seen:
            raise Superseded(_("Somebody changed this entry meanwhile. Read it again."))
        if not ground.strip():
            raise Refused(_("Name the document on which the change rests."))
        for name, value in said.items():
            setattr(found, name, value)
        found.save()
        changed = {name for name in after if after[name] != before[name]}
        more = {"before": before, "substantive": not changed <= vocabulary.by_others}
        tell(vocabulary, found, actor, f"change_{vocabulary.word}", ground.strip(), **more)


def next_place() -> int:
    """Return the place behind the last of the service designators."""
    last = ServiceDesignator.objects.aggregate(last=models.Max("position"))["last"]
    return (last or 0) + 1


def held(vocabulary: Vocabulary, key: str) -> Entry:
    """Return the entry of that name, the row ours until the transaction ends."""
    rows: Any = vocabulary.model._default_manager.select_for_update(no_key=True)
    found: Entry = rows.get(pk=key)
    return found


def told(vocabulary: Vocabulary, entry: Entry) -> dict[str, Any]:
    """Return what an entry says."""
    return {name: getattr(entry, name) for name in vocabulary.columns}


def tell(
    vocabulary: Vocabulary, entry: Entry, actor: User, verb: str, ground: str, **more: Any
) -> None:
    """Write the line of the journal, with what the act rests on."""
    data = {vocabulary.key: str(entry), **told(vocabulary, entry), "ground": ground, **more}
    record(entry, actor=actor, verb=verb, comment=ground, data=data)


def edition(vocabulary: Vocabulary, entry: Entry) -> str:
    """Return a mark of what an entry says, by which a stale page is known."""
    return hashlib.sha256(json.dumps(told(vocabulary, entry)).encode()).hexdigest()


def refuse_others(person: User) -> None:
    """Raise `Refused` where `person` does not keep these registries."""
    if not rules.may_keep_vocabularies(person):
        raise Refused(_("These registries are kept by the registrar."))


def refuse_faults(vocabulary: Vocabulary, key: str, said: Mapping[str, Any]) -> None:
    """Raise `Refused` with the first thing that the draft does not allow."""
    if faults := vocabulary.faults(key, said):
        raise Refused(next(iter(faults.values())))
