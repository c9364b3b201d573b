"""What keeps a grammar from being read, and what keeps a question about it from being answered."""

from __future__ import annotations


class GrammarSyntaxError(ValueError):
    """A text is no grammar of the kind it was said to be.

    `line` and `column` count from 1 and point at the first character that cannot stand. `str()`
    is a message fit to show, made of `message` (what and where) and `mend` (how to put it right).
    """

    def __init__(self, line: int, column: int, what: str, mend: str) -> None:
        super().__init__(line, column, what, mend)
        self.line = line
        self.column = column
        self.what = what
        self.mend = mend

    @property
    def message(self) -> str:
        """What is wrong, and where, counted from 1 as people count."""
        return f"{self.what} (line {self.line}, column {self.column})."

    def __str__(self) -> str:
        return f"{self.message} {self.mend}"


class NotDecided(Exception):
    """A question has an answer that is not looked for; `str()` is the reason, fit to show."""
