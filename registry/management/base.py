"""What our commands have in common: what is refused ends them with its text, not with a trace."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError

from registry.errors import RegistryError


class RegistryCommand(BaseCommand):
    """A command that may be refused; `refusal_words` are said before the reason."""

    refusal_words: ClassVar[str] = ""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; raise `CommandError` with the text of what was refused."""
        try:
            return super().execute(*args, **options)
        except RegistryError as refusal:
            raise CommandError(f"{self.refusal_words}{refusal}") from None
