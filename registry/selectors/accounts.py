"""Accounts as other people know them: by a mail address that was confirmed."""

from __future__ import annotations

from allauth.account.models import EmailAddress

from registry.enums import AccountEventKind
from registry.models import AccountEvent, User


def find_account(address: str) -> User | None:
    """Return who has an account in use with that mail address, confirmed, whatever its case."""
    confirmed = User.objects.filter(
        is_active=True, emailaddress__email__iexact=address.strip(), emailaddress__verified=True
    )
    return confirmed.first()


def list_dead_addresses(person: User | None = None) -> list[str]:
    """Return the addresses at which letters came back, until they are confirmed anew.

    Those of accounts in use; of one person, where `person` is named.
    """
    bounced = AccountEvent.objects.filter(kind=AccountEventKind.LETTER_BOUNCED)
    people = User.objects.filter(is_active=True, pk__in=bounced.values("user"))
    if person is not None:
        people, bounced = people.filter(pk=person.pk), bounced.filter(user=person)
    unconfirmed = EmailAddress.objects.filter(user__in=people, verified=False)
    said = {
        detail.partition(": ")[0].lower() for detail in bounced.values_list("detail", flat=True)
    }
    return sorted(each.email for each in unconfirmed if each.email.lower() in said)
