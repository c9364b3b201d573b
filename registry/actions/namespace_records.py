"""What the registrar records about a namespace besides its versions: IANA's reference, disputes."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from registry import permissions
from registry.journal.row_digests import build_row_key, digest_row
from registry.models import Namespace, User
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused, ConcurrentChange


def set_iana_reference(namespace: Namespace, reference: str, *, actor: User, seen: str) -> None:
    """Enter IANA's identifier of the namespace, replacing `seen`; doing it twice counts once."""
    with transaction.atomic():
        found = Namespace.objects.select_for_update(no_key=True).get(pk=namespace.pk)
        refuse_other_keepers(actor)
        if found.iana_reference == reference:
            return
        if found.iana_reference != seen:
            raise ConcurrentChange(
                _("Somebody entered “%(reference)s” meanwhile.")
                % {"reference": found.iana_reference or "—"}
            )
        rows: dict[str, str | None] = {build_row_key(found): digest_row(found)}
        found.iana_reference = reference
        found.save(update_fields=["iana_reference", "updated_at"])
        data = {
            "nid": found.nid,
            "iana_reference": reference,
            "before": {"iana_reference": seen},
        }
        record_event(found, actor=actor, verb="set_iana_reference", data=data, rows=rows)


def refuse_other_keepers(person: User) -> None:
    """Raise `ActionRefused` if `person` may not keep namespaces' entries."""
    if not permissions.may_keep_entries(reload_person(person)):
        raise ActionRefused(_("Only the registrar can change the entries of namespaces."))
