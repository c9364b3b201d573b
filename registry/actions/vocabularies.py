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

from registry import permissions, selectors
from registry.enums import DesignatorStatus
from registry.models import QueryKeyword, ServiceDesignator, User
from registry.workflow import ActionRefused, ConcurrentChange
from registry.workflow.events import record_event

Entry = QueryKeyword | ServiceDesignator
Faults = dict[str, str]
"""What is wrong, by the name of what is said."""

KEYWORD_PATTERN: Final = re.compile(r"[A-Za-z](?:-?[A-Za-z0-9])*")
DESIGNATOR_PATTERN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9=-]*")
RFC_PATTERN: Final = re.compile(r"\bRFC[ -]?[1-9][0-9]{0,4}\b")
RFC_STATUSES: Final = frozenset({DesignatorStatus.STANDARD, DesignatorStatus.EXPERIMENTAL})


def find_keyword_faults(key: str, said: Mapping[str, Any]) -> Faults:
    """Return what the draft does not allow of a keyword (section 2.3, `keywd`; 9.2.1)."""
    faults: Faults = {}
    if not KEYWORD_PATTERN.fullmatch(key):
        faults["keyword"] = _(
            "“%(keyword)s” is no keyword: a letter, then letters, digits and single hyphens"
            " (draft -03, section 2.3)."
        ) % {"keyword": key}
    named = [nid for nid, _reference in said["supported_by"]]
    unknown = sorted(set(named) - selectors.registered_nids())
    if unknown:
        faults["supported_by"] = _("Not registered: %(nids)s.") % {"nids": ", ".join(unknown)}
    elif len(named) > len(set(named)):
        faults["supported_by"] = _("A NID is there more than once.")
    return faults


def find_designator_faults(key: str, said: Mapping[str, Any]) -> Faults:
    """Return what the draft does not allow of a service designator (section 9.2.2)."""
    faults: Faults = {}
    if not DESIGNATOR_PATTERN.fullmatch(key):
        faults["name"] = _("“%(name)s” is no name: letters, digits, hyphens and equals signs.") % {
            "name": key
        }
    if said["status"] in RFC_STATUSES and not RFC_PATTERN.search(said["reference"]):
        faults["reference"] = _(
            "With this status an RFC is required (draft -03, section 9.2.2). Name it, or choose"
            " another status."
        )
    return faults


@dataclass(frozen=True, slots=True)
class ServiceVocabulary:
    """One of the registries: its table, what names an entry, what it says, and what is wrong.

    What is only added to `by_others` changes nothing of what a word means (section 9.2.1).
    """

    model: type[QueryKeyword] | type[ServiceDesignator]
    key: str
    columns: tuple[str, ...]
    word: str
    faults: Callable[[str, Mapping[str, Any]], Faults]
    by_others: frozenset[str] = frozenset()


KEYWORD_VOCABULARY: Final = ServiceVocabulary(
    QueryKeyword,
    "keyword",
    ("purpose", "scope", "reference", "supported_by"),
    "keyword",
    find_keyword_faults,
    frozenset({"supported_by"}),
)
DESIGNATOR_VOCABULARY: Final = ServiceVocabulary(
    ServiceDesignator,
    "name",
    ("purpose", "status", "reference"),
    "designator",
    find_designator_faults,
)


def add_entry(vocabulary: ServiceVocabulary, *, actor: User, key: str, **said: Any) -> Entry:
    """Enter a new word and return it; the same by a second click, once."""
    refuse_other_editors(actor)
    refuse_entry_faults(vocabulary, key, said)
    with transaction.atomic():
        first = said | (
            {"position": find_next_position()} if vocabulary is DESIGNATOR_VOCABULARY else {}
        )
        rows: Any = vocabulary.model._default_manager
        entry, is_new = rows.get_or_create(pk=key, defaults=first)
        if is_new:
            record_entry(vocabulary, entry, actor, f"add_{vocabulary.word}", said["reference"])
        elif read_entry(vocabulary, entry) != said:
            raise ActionRefused(
                _("“%(word)s” is entered already. Change that entry.") % {"word": key}
            )
    found: Entry = entry
    return found


def change_entry(
    vocabulary: ServiceVocabulary, entry: Entry, *, actor: User, seen: str, ground: str, **said: Any
) -> None:
    """Write what an entry shall say, in place of what `seen` names; done twice, once.

    `ground` is the document on which the change rests.
    """
    refuse_other_editors(actor)
    with transaction.atomic():
        found = lock_entry(vocabulary, str(entry))
        before = read_entry(vocabulary, found)
        after = before | said
        refuse_entry_faults(vocabulary, str(entry), after)
        if before == after:
            return
        if mark_entry_edition(vocabulary, found) != seen:
            raise ConcurrentChange(_("Somebody changed this entry meanwhile. Read it again."))
        if not ground.strip():
            raise ActionRefused(_("Name the document on which the change rests."))
        for name, value in said.items():
            setattr(found, name, value)
        found.save()
        changed = {name for name in after if after[name] != before[name]}
        more = {"before": before, "substantive": not changed <= vocabulary.by_others}
        record_entry(vocabulary, found, actor, f"change_{vocabulary.word}", ground.strip(), **more)


def find_next_position() -> int:
    """Return the place behind the last of the service designators."""
    last = ServiceDesignator.objects.aggregate(last=models.Max("position"))["last"]
    return (last or 0) + 1


def lock_entry(vocabulary: ServiceVocabulary, key: str) -> Entry:
    """Return the entry of that name, the row ours until the transaction ends."""
    rows: Any = vocabulary.model._default_manager.select_for_update(no_key=True)
    found: Entry = rows.get(pk=key)
    return found


def read_entry(vocabulary: ServiceVocabulary, entry: Entry) -> dict[str, Any]:
    """Return what an entry says."""
    return {name: getattr(entry, name) for name in vocabulary.columns}


def record_entry(
    vocabulary: ServiceVocabulary, entry: Entry, actor: User, verb: str, ground: str, **more: Any
) -> None:
    """Write the line of the journal, with what the act rests on."""
    data = {vocabulary.key: str(entry), **read_entry(vocabulary, entry), "ground": ground, **more}
    record_event(entry, actor=actor, verb=verb, comment=ground, data=data)


def mark_entry_edition(vocabulary: ServiceVocabulary, entry: Entry) -> str:
    """Return a mark of what an entry says, by which a stale page is known."""
    return hashlib.sha256(json.dumps(read_entry(vocabulary, entry)).encode()).hexdigest()


def refuse_other_editors(person: User) -> None:
    """Raise `ActionRefused` where `person` does not keep these registries."""
    if not permissions.may_manage_vocabularies(person):
        raise ActionRefused(_("These registries are kept by the registrar."))


def refuse_entry_faults(vocabulary: ServiceVocabulary, key: str, said: Mapping[str, Any]) -> None:
    """Raise `ActionRefused` with the first thing that the draft does not allow."""
    if faults := vocabulary.faults(key, said):
        raise ActionRefused(next(iter(faults.values())))
