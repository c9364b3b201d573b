"""Accounts as other people know them: by a mail address that was confirmed."""

from __future__ import annotations

from registry.models import User


def find_account(address: str) -> User | None:
    """Return who has an account in use with that mail address, confirmed, whatever its case."""
    confirmed = User.objects.filter(
        is_active=True, emailaddress__email__iexact=address.strip(), emailaddress__verified=True
    )
    return confirmed.first()
