"""The text of a regular expression, read from left to right."""

from __future__ import annotations

from dataclasses import dataclass

from registry.grammar.errors import GrammarSyntaxError


@dataclass(slots=True)
class Text:
    """An expression, how far it has been read, and on which line it stands."""

    text: str
    at: int = 0
    line: int = 1
    margin: int = 0
    depth: int = 0

    @property
    def next(self) -> str:
        """The next character, empty at the end."""
        return self.text[self.at : self.at + 1]

    @property
    def is_done(self) -> bool:
        """Whether everything has been read."""
        return self.at >= len(self.text)

    def take(self, count: int = 1) -> str:
        """The next characters, which then have been read."""
        taken = self.text[self.at : self.at + count]
        self.at += count
        return taken

    def skip(self, expected: str) -> bool:
        """Read `expected` if it comes next; says whether it did."""
        found = self.text.startswith(expected, self.at)
        self.at += len(expected) * found
        return found

    def error(self, what: str, mend: str, at: int | None = None) -> GrammarSyntaxError:
        """What is wrong at `at`, or at the character that comes next."""
        column = self.margin + (self.at if at is None else at) + 1
        return GrammarSyntaxError(self.line, column, what, mend)

    def place(self, at: int) -> str:
        """Where `at` is, in words."""
        return f"character {self.margin + at + 1}"
