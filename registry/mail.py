"""Mail of the demonstration: shown on the console and kept where a page can show it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.console import EmailBackend as ConsoleBackend
from django.utils import timezone


class DemonstrationBackend(ConsoleBackend):
    """Print each letter, and keep it as one `.eml` file under `EMAIL_FILE_PATH`."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Show and keep `email_messages`; return how many there were."""
        for message in email_messages:
            keep(message)
        return super().send_messages(email_messages) or 0


def keep(message: EmailMessage) -> Path:
    """Write `message` to a file whose name sorts by time; return its path."""
    folder = Path(settings.EMAIL_FILE_PATH)
    folder.mkdir(parents=True, exist_ok=True)
    stamp = timezone.now().strftime("%Y%m%dT%H%M%S%f")
    path = folder / f"{stamp}-{secrets.token_hex(4)}.eml"
    path.write_bytes(message.message().as_bytes())
    return path
