"""The base of our commands: a refusal ends the command with its message, not a traceback."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError

from registry.errors import RegistryError


class RegistryCommand(BaseCommand):
    """A command that may be refused; `refusal_words` precede the reason."""

    refusal_words: ClassVar[str] = ""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; raise `CommandError` with the message of a refusal."""
        try:
            return super().execute(*args, **options)
        except RegistryError as refusal:
            raise CommandError(f"{self.refusal_words}{refusal}") from None
