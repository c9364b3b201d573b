"""Authentication by a token in the header `Authorization`."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed


class HeaderTokenAuthentication(TokenAuthentication):
    """`Authorization: Token …`; octets that no token can have are refused like a wrong one."""

    def authenticate_credentials(self, token: bytes) -> Any:
        """Return the person and the token."""
        if not token.isascii():
            raise AuthenticationFailed(_("Invalid token."))
        return TokenAuthentication.authenticate_credentials(self, token)


class TokenAuthenticationScheme(OpenApiAuthenticationExtension):
    """How the description of the API tells of tokens."""

    target_class = HeaderTokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return where a token stands, and before it which word."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "The word “Token”, a blank, and a token made at /account/tokens/.",
        }
