"""The two registries of draft -03, section 9.2: entered and changed, with a reference each time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import models, transaction
from django.utils.translation import gettext as _

from registry import rules
from registry.models import QueryKeyword, ServiceDesignator, User
from registry.workflow import Refused, Superseded
from registry.workflow.recording import record

Entry = QueryKeyword | ServiceDesignator


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One of the registries: its table, what names an entry, what it says, and its verbs."""

    model: type[QueryKeyword] | type[ServiceDesignator]
    key: str
    columns: tuple[str, ...]
    word: str


KEYWORDS: Final = Vocabulary(
    QueryKeyword, "keyword", ("purpose", "scope", "reference", "supported_by"), "keyword"
)
DESIGNATORS: Final = Vocabulary(
    ServiceDesignator, "name", ("purpose", "status", "reference"), "designator"
)


def enter(vocabulary: Vocabulary, *, actor: User, key: str, **said: Any) -> Entry:
    """Enter a new word and return it; the same by a second click, once."""
    refuse_others(actor)
    with transaction.atomic():
        found = held(vocabulary, key)
        if found is not None:
            if told(vocabulary, found) == said:
                return found
            raise Refused(_("“%(word)s” is entered already. Change that entry.") % {"word": key})
        entry = vocabulary.model(**{vocabulary.key: key}, **said)
        if isinstance(entry, ServiceDesignator):
            last = ServiceDesignator.objects.aggregate(last=models.Max("position"))["last"] or 0
            entry.position = last + 1
        entry.save(force_insert=True)
        tell(vocabulary, entry, actor, f"add_{vocabulary.word}")
    return entry


def change(vocabulary: Vocabulary, entry: Entry, *, actor: User, seen: str, **said: Any) -> None:
    """Write what an entry shall say, in place of what `seen` names; done twice, once."""
    refuse_others(actor)
    with transaction.atomic():
        found = held(vocabulary, str(entry))
        if found is None:
            raise Superseded(_("There is no such entry."))
        before = told(vocabulary, found)
        if before == said:
            return
        if edition(vocabulary, found) != seen:
            raise Superseded(_("Somebody changed this entry meanwhile. Read it again."))
        for name, value in said.items():
            setattr(found, name, value)
        found.save()
        tell(vocabulary, found, actor, f"change_{vocabulary.word}", before=before)


def held(vocabulary: Vocabulary, key: str) -> Entry | None:
    """Return the entry of that name, the row ours until the transaction ends."""
    rows: Any = vocabulary.model._default_manager.select_for_update(no_key=True)
    found: Entry | None = rows.filter(pk=key).first()
    return found


def told(vocabulary: Vocabulary, entry: Entry) -> dict[str, Any]:
    """Return what an entry says."""
    return {name: getattr(entry, name) for name in vocabulary.columns}


def tell(
    vocabulary: Vocabulary, entry: Entry, actor: User, verb: str, **more: Mapping[str, Any]
) -> None:
    """Write the line of the journal."""
    data = {vocabulary.key: str(entry), **told(vocabulary, entry), **more}
    record(entry, actor=actor, verb=verb, comment=entry.reference, data=data)


def edition(vocabulary: Vocabulary, entry: Entry) -> str:
    """Return a mark of what an entry says, by which a stale page is known."""
    return hashlib.sha256(json.dumps(told(vocabulary, entry)).encode()).hexdigest()


def refuse_others(person: User) -> None:
    """Raise `Refused` where `person` does not keep these registries."""
    if not rules.may_keep_vocabularies(person):
        raise Refused(_("These registries are kept by the registrar."))
