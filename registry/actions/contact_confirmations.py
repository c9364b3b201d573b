"""Whether a namespace's contact is still right: a yearly letter asks, a button answers.

Opening the link in a letter changes nothing. The button on its page confirms the contact that the
letter quoted, so an old letter says nothing about a new contact.
"""

from __future__ import annotations

import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.journal.row_digests import build_row_key, digest_row
from registry.models import ContactConfirmation, Letter, Namespace, User
from registry.notifications import outbox
from registry.permissions import CLOCK
from registry.selectors.entry_faults import CONTACT_YEAR, q_contact_is_unconfirmed
from registry.selectors.holder_addresses import find_addresses_in
from registry.workflow.events import record_event
from registry.workflow.step import ActionRefused

MAX_ASKED_AT_ONCE: Final = 200
"""How many namespaces one run of the scheduler asks about; the next continues."""


def list_addresses_to_ask(namespace: Namespace) -> list[str]:
    """Return where to ask: the addresses in the contact."""
    return list({each.lower(): each for each in find_addresses_in(namespace.contact)}.values())


def namespaces_to_ask(now: datetime.datetime) -> QuerySet[Any]:
    """Return the namespaces whose contact was neither confirmed nor asked about for a year."""
    asked = Namespace.objects.annotate(last_asked=Max("contact_confirmations__asked_at"))
    lately = Q(last_asked__isnull=True) | Q(last_asked__lte=now - CONTACT_YEAR)
    return asked.filter(q_contact_is_unconfirmed(now.date()), lately).order_by("pk")


def ask_for_confirmations(now: datetime.datetime) -> int:
    """Write the yearly letters that are due; return for how many namespaces."""
    due = list(namespaces_to_ask(now).values_list("pk", flat=True)[:MAX_ASKED_AT_ONCE])
    return sum(ask_about_contact(pk, now) for pk in due)


def ask_about_contact(pk: int, now: datetime.datetime) -> bool:
    """Ask about one namespace, unless another run did or there is nobody to ask."""
    with transaction.atomic():
        namespace = Namespace.objects.select_for_update(no_key=True).get(pk=pk)
        if not namespaces_to_ask(now).filter(pk=pk).exists():
            return False
        addresses = list_addresses_to_ask(namespace)
        if not addresses:
            return False
        letters = []
        for address in addresses:
            asked = ContactConfirmation.objects.create(
                namespace=namespace, address=address, contact=namespace.contact, asked_at=now
            )
            letter = outbox.write_direct_letter(
                "contact",
                {"asked": asked, "link": build_confirmation_path(asked)},
                why=_("Your address is in the registry as one that answers for this namespace."),
                key=f"contact:{asked.pk}",
                address=address,
            )
            letters.append(letter.pk)
        event = record_event(
            namespace,
            actor=CLOCK,
            verb="ask_contact",
            data={"nid": namespace.nid, "letters": len(addresses), "to": []},
        )
        Letter.objects.filter(pk__in=letters).update(event=event)
    return True


def build_confirmation_path(asked: ContactConfirmation) -> str:
    """Return the path of the page that a letter links to."""
    return reverse("namespaces:confirm_contact", args=[asked.namespace.nid, asked.secret])


def explain_dead_confirmation(asked: ContactConfirmation) -> str:
    """Return why a letter can no longer be answered, or nothing if it can."""
    if asked.contact != asked.namespace.contact:
        return _("The contact was changed after this letter was written.")
    newer = ContactConfirmation.objects.filter(
        namespace=asked.namespace, address__iexact=asked.address, asked_at__gt=asked.asked_at
    )
    return _("A newer letter asks the same question. Answer that one.") if newer.exists() else ""


def answer_letter(asked: ContactConfirmation) -> None:
    """Record the answer to a letter that the contact is right; pressing twice counts once."""
    with transaction.atomic():
        namespace = lock_namespace(asked.namespace)
        found = ContactConfirmation.objects.select_for_update(no_key=True).get(pk=asked.pk)
        found.namespace = namespace
        if found.answered_at:
            return
        if refusal := explain_dead_confirmation(found):
            raise ActionRefused(refusal)
        found.answered_at = timezone.now()
        found.save(update_fields=["answered_at"])
        note_confirmation(namespace, None)


def confirm_contact(namespace: Namespace, *, actor: User, seen: str) -> None:
    """Confirm the contact `seen`, as one who acts for the holder; pressing twice counts once."""
    with transaction.atomic():
        found = lock_namespace(namespace)
        if not permissions.may_confirm_contact(actor, found):
            raise ActionRefused(
                _("The contact is confirmed by those who act for the holder."), code="not_delegate"
            )
        if not found.contact:
            raise ActionRefused(
                _("No contact is published. Ask for a change of contact."), code="no_contact"
            )
        if found.contact != seen:
            raise ActionRefused(
                _("The contact has changed since you opened the page. Read it again."),
                code="superseded",
            )
        if found.contact_confirmed_on != timezone.localdate():
            note_confirmation(found, actor)


def note_confirmation(namespace: Namespace, actor: User | None) -> None:
    """Record that the contact is right today, and who said so."""
    rows: dict[str, str | None] = {build_row_key(namespace): digest_row(namespace)}
    namespace.contact_confirmed_on = timezone.localdate()
    namespace.save(update_fields=["contact_confirmed_on", "updated_at"])
    record_event(
        namespace,
        actor=actor or CLOCK,
        verb="confirm_contact" if actor else "hear_contact",
        data={"nid": namespace.nid, "to": []},
        rows=rows,
    )


def lock_namespace(namespace: Namespace) -> Namespace:
    """Return the namespace as it is now, locked until the transaction ends."""
    return Namespace.objects.select_for_update(no_key=True).get(pk=namespace.pk)
