"""Acts on rows that are not requests, each declared once: form, texts, rule and permission.

An act is to a row what a `Transition` is to a request. From its declaration follow its page
(`acts.pages`), its operation of the API (`acts.operations`), and here the lock, the second click,
the stale page, the actor read again, the event and the refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django import forms
from django.db import models, transaction
from django.utils.translation import gettext as _

from registry.enums import Words
from registry.journal.row_digests import (
    DIGESTED_MODELS,
    NEW_ROW,
    build_row_key,
    digest_stored_rows,
)
from registry.models import Event, User
from registry.permissions import Person
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused, ConcurrentChange

Row = TypeVar("Row", bound=models.Model)


@dataclass(frozen=True, slots=True)
class Change(Generic[Row]):
    """What an act did to a row that is not saved yet.

    `comment` and `data` go into its event; `also` are other rows that change with it; `after` gets
    the event.
    """

    row: Row
    comment: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    also: Sequence[models.Model] = ()
    after: Callable[[Event], object] | None = None


@dataclass(frozen=True, eq=False)
class Act(Generic[Row]):
    """One act on the rows of a resource.

    `change` gets the locked row, or where the act `creates` one, what it belongs to, if anything;
    then `actor` and the form's data by name. It returns a `Change`, or a row to say that the same
    was done before, and raises `ActionRefused` or `ConcurrentChange`.

    `title` may name attributes of the row, as in `%(nid)s`; a line of `lead` may be a function of
    the row, and `done` one of what the act returned. If it `needs_mark`, it is refused where the
    row has changed since it was read. One that `corrects` shows the row in its form; programs
    PATCH it. One that `deletes` the row leads back to the list.
    """

    resource: Resource[Row]
    name: str
    verb: str
    change: Callable[..., Change[Row] | Row]
    form: type[forms.Form]
    by: Callable[[Person], bool]
    refusal: Words
    title: Words
    lead: Sequence[Words | Callable[[Row], Words]]
    button: Words
    done: Words | Callable[[Row], Words]
    creates: bool = False
    needs_mark: bool = False
    corrects: bool = False
    deletes: bool = False

    def __call__(self, *subject: Any, actor: User, seen: str | None = None, **data: Any) -> Row:
        """Act, and return the row; a second click changes nothing.

        `seen` is the mark of the row as the actor read it. Raises `ActionRefused` or
        `ConcurrentChange`.
        """
        with transaction.atomic():
            if self.creates:
                # A second click waits here, and finds what the first made.
                User.objects.select_for_update(no_key=True).get(pk=actor.pk)
            else:
                subject = (self.resource.lock(*subject),)
            if not self.by(reload_person(actor)):
                raise ActionRefused(str(self.refusal))
            digests = {} if self.creates else digest_rows(subject)
            is_stale = self.needs_mark and seen != self.resource.mark(*subject)
            try:
                change = self.change(*subject, actor=actor, **data)
            except ActionRefused as refusal:
                raise make_stale_refusal() if is_stale else refusal from refusal
            if not isinstance(change, Change):
                return change
            if is_stale:
                raise make_stale_refusal()
            self.save(change, actor, digests)
        return change.row

    def save(self, change: Change[Row], actor: User, digests: dict[str, str | None]) -> None:
        """Save the rows and write the event; `digests` are of the row as it was."""
        digests |= digest_rows(change.also)
        rows: list[models.Model] = [*change.also, change.row]
        for row in rows:
            row.save()
        if self.creates and type(change.row) in DIGESTED_MODELS.values():
            digests[build_row_key(change.row)] = NEW_ROW
        self.resource.after_save(change.row)
        event = record_event(
            self.resource.find_subject(change.row),
            actor=actor,
            verb=self.verb,
            comment=change.comment,
            data={**self.resource.build_data(change.row), **change.data},
            rows=digests,
        )
        if change.after:
            change.after(event)
        if self.deletes:
            change.row.delete()

    def list_values(self, row: Row) -> dict[str, Any]:
        """Return the values of the row's columns that the form corrects, by name."""
        return {name: getattr(row, name) for name in self.form.base_fields}


def digest_rows(rows: Iterable[models.Model]) -> dict[str, str | None]:
    """Return the digests of those rows that have any, as they are stored."""
    return digest_stored_rows(row for row in rows if type(row) in DIGESTED_MODELS.values())


def make_stale_refusal() -> ConcurrentChange:
    return ConcurrentChange(
        _("Somebody has changed this since you opened the page. Read it again.")
    )


def return_row(row: Any) -> Any:
    return row


def do_nothing(row: Any) -> None:
    """Do nothing after a row was saved."""


@dataclass(eq=False)
class Resource(Generic[Row]):
    """Rows of one kind, and the acts on them in the order of their declaration.

    `find_rows` and `find_parent` get what the address names, such as `nid`, and raise `Http404`;
    `find_rows` also gets the reader, and returns only what they may see. `build_data` is what the
    journal says of a row, `find_subject` what its events are about, `mark` what changes with it,
    `crumbs` the pages above that of an act on a row, or below a parent.
    """

    noun: str
    find_rows: Callable[..., models.QuerySet[Row]]
    build_data: Callable[[Row], dict[str, Any]]
    crumbs: Callable[..., list[tuple[str, str]]]
    find_parent: Callable[..., models.Model] | None = None
    find_subject: Callable[[Row], models.Model] = return_row
    mark: Callable[[Row], str] = str
    refuse_ended: Callable[[Row], None] = do_nothing
    after_save: Callable[[Row], None] = do_nothing
    acts: list[Act[Row]] = field(default_factory=list)

    def act(
        self, name: str, verb: str, **declared: Any
    ) -> Callable[[Callable[..., Any]], Act[Row]]:
        """Make a function an act of this resource, with the attributes of `Act`."""

        def declare(change: Callable[..., Any]) -> Act[Row]:
            self.acts.append(Act(self, name, verb, change, **declared))
            return self.acts[-1]

        return declare

    def lock(self, row: Row) -> Row:
        """Return the row as it is now, locked until the transaction ends, unless it has ended."""
        locked = type(row)._base_manager.select_for_update(no_key=True).filter(pk=row.pk).first()
        if locked is None:
            raise ConcurrentChange(_("Somebody has removed this since you opened the page."))
        self.refuse_ended(locked)
        return locked
