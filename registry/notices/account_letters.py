"""Letters about somebody's account: confirm this address, choose a new password, and the like.

The pages ask for them while somebody waits, so they are written here and sent by the worker: a
mail server that hangs or is away delays the letter and never the page.
"""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils import timezone

from registry.choices import Reason
from registry.models import Letter
from registry.notices import headers
from registry.notices.layout import shortened
from registry.notices.sending import enqueue


def write_account_letter(address: str, subject: str, text: str) -> Letter:
    """Write a letter to that very address, and the task to send it.

    It has no recipient: it may be for an address that its account has no longer, or not yet.
    """
    mark = secrets.token_hex(16)
    with transaction.atomic():
        letter = Letter.objects.create(
            key=f"account:{mark}",
            address=address,
            reason=Reason.ACCOUNT,
            subject=shortened(subject),
            text=text,
            headers={"Message-ID": f"<account.{mark}@{headers.host()}>"},
            written_at=timezone.now(),
        )
        enqueue(letter)
    return letter
