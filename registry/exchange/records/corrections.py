"""What the registrar does with a record: correct how its text is understood, and confirm an address
in it. The text itself never changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.exchange.records.importer import save_record
from registry.models import ImportedRecord, Namespace, RecordContact, User
from registry.permissions import Person
from registry.selectors.imported_records import list_record_contacts
from registry.template import field
from registry.template.template import WORD_FIELDS
from registry.urn import nid as nids
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused, ConcurrentChange

CONVERTED_FIELDS = frozenset({"grammar", *WORD_FIELDS})
"""Fields in the registry's own format: a date is `2009-03-01`, a grammar is ABNF."""


def correct_record(
    record: ImportedRecord, *, actor: User, changes: Mapping[str, object], reason: str
) -> ImportedRecord:
    """Save a correction of how the text of `record` is understood as a new record; return that.

    `changes` has the corrected fields. Raises `ActionRefused` for anyone but the registrar, without
    a reason or a change, and if a field would say what the document does not; `ConcurrentChange` if
    there is a newer reading of the document.
    """
    if not reason.strip():
        raise ActionRefused(
            _("Say why the text should be read differently; your reason is public.")
        )
    template = record.template.replace(**changes)
    changed = [
        name for name, value in template.to_dict().items() if value != old_value(record, name)
    ]
    if not changed:
        raise ActionRefused(_("Nothing has changed. Change a field first."))
    refuse_foreign_words(record, template.to_dict(), changed)
    with transaction.atomic():
        namespace = Namespace.objects.select_for_update(no_key=True).get(pk=record.namespace_id)
        refuse_others_to_keep_records(actor)
        newest = namespace.imported_records.filter(document__name=record.document.name)
        if newest.order_by("-number").first() != record:
            raise ConcurrentChange(
                _("There is a newer reading of this document. Look at that one.")
            )
        corrected = copy_record(record, namespace)
        corrected.template = template
        corrected.corrected_fields = sorted({*record.corrected_fields, *changed})
        corrected.corrected_by, corrected.correction_reason = actor, reason.strip()
        corrected.doubts = []
        save_record(corrected)
    return corrected


def old_value(record: ImportedRecord, name: str) -> object:
    """Return what a record says in a field, as templates write it."""
    return record.template.to_dict()[name]


def copy_record(record: ImportedRecord, namespace: Namespace) -> ImportedRecord:
    """Return an unsaved record of the same text, without a number."""
    columns = (column.attname for column in ImportedRecord._meta.concrete_fields)
    values = {name: getattr(record, name) for name in columns if name not in ("id", "number")}
    copied = ImportedRecord(**values)
    copied.namespace, copied.document, copied.read_at = namespace, record.document, timezone.now()
    return copied


def refuse_foreign_words(
    record: ImportedRecord, values: Mapping[str, object], changed: list[str]
) -> None:
    """Raise `ActionRefused` if a field would say something that is not in the document."""
    if "nid" in changed and nids.canonical(str(values["nid"])) != record.namespace.nid:
        said = {"nid": record.namespace.nid}
        raise ActionRefused(_("The record is of “%(nid)s”: it names no other.") % said)
    known = " ".join(record.document.text.split())
    for name in changed:
        if name in CONVERTED_FIELDS:
            continue
        for line in list_lines(values[name]):
            if line not in known and line not in list_lines(old_value(record, name)):
                said = {"label": field(name).label, "line": line[:80]}
                raise ActionRefused(
                    _(
                        "%(label)s: “%(line)s” is not in the document. Only how the text "
                        "is understood can be corrected, never the text."
                    )
                    % said
                )


def list_lines(value: object) -> list[str]:
    """Return the lines of a field with single spaces, without empty ones."""
    text = value if isinstance(value, str) else "\n".join(map(str, iterate_entries(value)))
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


def iterate_entries(value: object) -> Iterator[object]:
    """Yield the entries of a list."""
    if isinstance(value, (list, tuple)):
        yield from value


def confirm_contact(
    record: ImportedRecord, *, actor: User, address: str, source: str
) -> RecordContact:
    """Have an address from a record notified of requests from now on; doing it twice counts once.

    Raises `ActionRefused` for anyone but the registrar, for an address that is not in the record,
    and without a note on how it was confirmed.
    """
    if address not in list_record_contacts(record):
        said = {"address": address}
        raise ActionRefused(_("The record does not give the address %(address)s.") % said)
    if not source.strip():
        raise ActionRefused(_("Say how you confirmed that the address is in use."))
    with transaction.atomic():
        namespace = Namespace.objects.select_for_update(no_key=True).get(pk=record.namespace_id)
        refuse_others_to_keep_records(actor)
        known = namespace.record_contacts.filter(address=address).first()
        if known:
            return known
        contact = RecordContact.objects.create(
            namespace=namespace,
            address=address,
            record=record,
            source=source.strip(),
            confirmed_by=actor,
            confirmed_at=timezone.now(),
        )
        # The journal is public, and the address is not.
        record_event(
            namespace, actor=actor, verb="confirm_record_contact", data={"record": record.number}
        )
    return contact


def withdraw_contact(contact: RecordContact, *, actor: User) -> None:
    """Stop notifying a confirmed address."""
    with transaction.atomic():
        refuse_others_to_keep_records(actor)
        namespace, number = contact.namespace, contact.record.number
        contact.delete()
        record_event(
            namespace, actor=actor, verb="withdraw_record_contact", data={"record": number}
        )


def refuse_others_to_keep_records(person: Person) -> None:
    """Raise `ActionRefused` for anyone but the registrar."""
    if not permissions.is_registrar(reload_person(person)):
        raise ActionRefused(_("Records are kept by the registrar."))
