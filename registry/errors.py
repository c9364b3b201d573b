"""The root of our own errors: all interfaces handle a refusal in the same way."""

from __future__ import annotations

from http import HTTPStatus


class RegistryError(Exception):
    """The registry does not do what was requested. The message can be shown to the caller.

    The API answers with `status` and the message, a command ends with the message. A page decides
    what to do with it, such as putting it next to a field. `code` tells the refusals of one class
    apart, like that of a `ValidationError`.
    """

    status: HTTPStatus = HTTPStatus.CONFLICT
    wait: int | None = None
    """After how many seconds to try again, which the API says in `Retry-After`."""
    code: str = ""

    def __init__(self, message: str = "", *, code: str = "") -> None:
        super().__init__(message)
        self.code = code or self.code
