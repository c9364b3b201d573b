"""Authentication by a token in the header `Authorization`."""

from __future__ import annotations

import datetime
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from registry.assurance import Assurance, replace_assurance, require_scope
from registry.database import left_out_if_read_only
from registry.enums import TokenScope
from registry.models import Token, User

TOKEN_SCHEMES: Final = (b"token", b"bearer")
"""The schemes before a token, in lower case; they mean the same."""


class HeaderTokenAuthentication(TokenAuthentication):
    """`Authorization: Bearer …`, or `Token …`, which means the same.

    Octets that cannot be part of a token are refused like a wrong token.
    """

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return the caller, and tell later actions which token was used.

        Returns None without a token. Raises `ScopeMissing` if the token does not cover reading or
        writing, whichever is requested.
        """
        scheme, _blank, shown = get_authorization_header(request).strip().partition(b" ")
        if scheme.lower() not in TOKEN_SCHEMES:
            return None
        if len(shown.split()) != 1:
            raise AuthenticationFailed(_("Write Bearer or Token, a space, and one token."))
        found: tuple[User, Token] = self.authenticate_credentials(shown.strip())
        _person, token = found
        assurance = Assurance(scopes=frozenset(map(TokenScope, token.scopes)))
        replace_assurance(assurance)
        is_reading = request.method in SAFE_METHODS
        require_scope(TokenScope.READ if is_reading else TokenScope.WRITE, assurance)
        note_use(token)
        return found

    def authenticate_header(self, request: Request) -> str:
        """Return the schemes that a token can be sent with (RFC 9110, section 11.6.1)."""
        return "Bearer, Token"

    def authenticate_credentials(self, token: bytes) -> Any:
        """Return the person and the token."""
        if not token.isascii():
            raise AuthenticationFailed(_("Invalid token."))
        return TokenAuthentication.authenticate_credentials(self, token)


SECONDS_BETWEEN_NOTES: Final = 300
"""A token's last use is recorded at most this often."""


def note_use(token: Token) -> None:
    """Record when a token was used, so that its owner can see which ones are unused."""
    now = timezone.now()
    before = now - datetime.timedelta(seconds=SECONDS_BETWEEN_NOTES)
    if token.last_used_at is None or token.last_used_at < before:
        with left_out_if_read_only():
            Token.objects.filter(pk=token.pk).update(last_used_at=now)


class TokenAuthenticationScheme(OpenApiAuthenticationExtension):
    """How the OpenAPI description presents tokens."""

    target_class = HeaderTokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return where the token goes, and the scheme before it."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token made at /account/tokens/. The word “Token” before it is heard "
            "as “Bearer” is.",
        }
