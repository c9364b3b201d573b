"""The bases of our commands."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError

from registry.errors import RegistryError


class RegistryCommand(BaseCommand):
    """A command that may be refused; `refusal_words` precede the reason.

    A refusal ends the command with its message, not a traceback.
    """

    refusal_words: ClassVar[str] = ""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; raise `CommandError` with the message of a refusal."""
        try:
            return super().execute(*args, **options)
        except RegistryError as refusal:
            raise CommandError(f"{self.refusal_words}{refusal}") from None


class PagelessCommand(BaseCommand):
    """A command that needs none of the pages, which checks load: that takes 40 MB and a second."""

    requires_system_checks: tuple[str, ...] = ()


def ask_for_yes(question: str) -> bool:
    """Whether somebody types yes; where nobody can answer, such as in a pipe, the answer is no."""
    try:
        return input(question).strip().lower() == "yes"
    except EOFError:
        return False
