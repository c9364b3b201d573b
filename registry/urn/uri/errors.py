"""Why a text is not a URI."""

from __future__ import annotations


class URISyntaxError(ValueError):
    """A text, or what is to be put together, is not what RFC 3986 has for it.

    `position` is the 0-based index of the first character that cannot stand; `component` one of
    `scheme`, `userinfo`, `host`, `port`, `path`, `query` and `fragment`; `rule` the production or
    sentence that is broken, with its section. `str()` is fit to show.
    """

    def __init__(self, message: str, position: int, component: str, rule: str) -> None:
        super().__init__(message, position, component, rule)
        self.message = message
        self.position = position
        self.component = component
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.message} (character {self.position + 1})."
