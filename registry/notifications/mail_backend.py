"""Mail of the demonstration: told of on the console, and kept where a page can show it."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone


class DemonstrationMailBackend(BaseEmailBackend):
    """Keep each letter as one `.eml` file under `EMAIL_FILE_PATH`.

    The console is told of those that somebody waits for, such as with a code to sign in.
    """

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Keep `email_messages`; return how many there were."""
        for message in email_messages:
            save_mail(message)
            if "Auto-Submitted" not in message.extra_headers:
                print(f"Mail to {', '.join(message.to)}: {message.subject}", file=sys.stderr)
        return len(email_messages)


def save_mail(message: EmailMessage) -> Path:
    """Write `message` to a file whose name sorts by time; return its path."""
    folder = Path(settings.EMAIL_FILE_PATH)
    folder.mkdir(parents=True, exist_ok=True)
    stamp = timezone.now().strftime("%Y%m%dT%H%M%S%f")
    path = folder / f"{stamp}-{secrets.token_hex(4)}.eml"
    path.write_bytes(message.message().as_bytes())
    return path
