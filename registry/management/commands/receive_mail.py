"""`manage.py receive_mail`: add a letter of the mailing list to the discussion, or hold the
template it contains.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from registry.actions.incoming_mail import (
    MAX_LETTER_BYTES,
    LetterTooLong,
    NoDiscussionFound,
    UnreadableLetter,
    UnwantedLetter,
    receive_letter,
)
from registry.models import MailedTemplate, Message


class Command(BaseCommand):
    """Reads one letter from standard input, as a mail server pipes it.

    Exit codes are those of sysexits.h, which mail servers understand: 65 for a letter that cannot
    become a message, 67 for one that belongs nowhere, 75 to try again later. A letter ignored on
    purpose, such as an automatic reply, ends with 0, so that nothing is sent back.
    """

    help = "Take one letter (RFC 5322) from standard input into the discussion of a request."

    def handle(self, *args: Any, **options: Any) -> None:
        """Read and file the letter, and print where it went."""
        try:
            taken = receive_letter(sys.stdin.buffer.read(MAX_LETTER_BYTES + 1))
        except UnwantedLetter as reason:
            self.stdout.write(f"Left out. {reason}")
        except (UnreadableLetter, LetterTooLong) as reason:
            raise CommandError(str(reason), returncode=os.EX_DATAERR) from reason
        except NoDiscussionFound as reason:
            raise CommandError(str(reason), returncode=os.EX_NOUSER) from reason
        except OperationalError as reason:
            text = "The database did not answer. Deliver the letter again later."
            raise CommandError(text, returncode=os.EX_TEMPFAIL) from reason
        else:
            self.stdout.write(f"1 letter taken: {describe_taken_letter(taken)}.")


def describe_taken_letter(taken: Message | MailedTemplate) -> str:
    """Describe what became of a letter."""
    if isinstance(taken, MailedTemplate):
        return "a template, about which its sender is asked"
    return f"message {taken.number} of {taken.registration_request.reference}"
