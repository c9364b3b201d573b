"""The root of our own errors: whatever the registry refuses, every door answers alike."""

from __future__ import annotations

from http import HTTPStatus


class RegistryError(Exception):
    """The registry does not do what was asked. The text can be shown to the caller.

    The API answers with `status` and the text, a command ends with the text. What a page does
    with it, such as putting it beside a field, is the page's affair.
    """

    status: HTTPStatus = HTTPStatus.CONFLICT
