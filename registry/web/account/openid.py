"""OpenID Connect accounts: only what the provider signed, in reply to our own request, counts.

django-allauth does not check the signature of an ID token that it fetched itself, as the
specification allows (OpenID Connect Core 1.0, section 3.1.3.7), and sends no `nonce`.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

import jwt
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.internal import jwtkit
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import Http404, HttpRequest, HttpResponse
from requests import RequestException

NONCE: Final = "nonce"
SIGNATURES: Final = frozenset({"RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"})
"""Asymmetric algorithms only: anyone who knows a shared secret could have signed with it."""


class SignedTokenAdapter(OpenIDConnectOAuth2Adapter):
    """Verifies an ID token with the keys that its provider publishes."""

    @property
    def openid_config(self) -> dict[str, Any]:
        """Return the provider's metadata; raise `OAuth2Error` if it names another issuer.

        It could otherwise make us accept what others sign (OpenID Connect Discovery 1.0, section
        4.3).
        """
        found: dict[str, Any] = super().openid_config
        provider = self.get_provider()  # type: ignore[no-untyped-call]
        issuer = str(provider.app.settings["server_url"])
        if str(found.get("issuer")).rstrip("/") != issuer.partition("/.well-known/")[0].rstrip("/"):
            raise OAuth2Error("The provider says that it is another.")
        return found

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        """Return the claims of a token signed for us and not expired; else raise `OAuth2Error`."""
        try:
            header = jwt.get_unverified_header(id_token)
        except jwt.PyJWTError:
            header = {}
        if header.get("alg") not in SIGNATURES or "kid" not in header:
            raise OAuth2Error("The ID token has no signature of its provider.")
        claims: dict[str, Any] = jwtkit.verify_and_decode(
            credential=id_token,
            keys_url=self.openid_config["jwks_uri"],
            issuer=self.openid_config["issuer"],
            audience=app.client_id,
            lookup_kid=jwtkit.lookup_kid_jwk,
        )
        return claims


class OpenIDProvider(OpenIDConnectProvider):
    """Sends a nonce that the ID token must repeat, so that no other token is accepted for it."""

    package = "allauth.socialaccount.providers.openid_connect"
    oauth2_adapter_class = SignedTokenAdapter

    def redirect(
        self, request: HttpRequest, process: str, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Redirect to the provider; the nonce is kept in the session with `state`."""
        nonce = secrets.token_urlsafe(32)
        kwargs["auth_params"] = {**(kwargs.get("auth_params") or {}), NONCE: nonce}
        try:
            answer: HttpResponse = super().redirect(request, process, *args, nonce=nonce, **kwargs)
        except (OAuth2Error, RequestException) as error:
            answer = render_authentication_error(request, self, exception=error)
        return answer


def was_asked_for(state: dict[str, Any], claims: dict[str, Any]) -> bool:
    """Whether an ID token answers the request made in this session with `state`."""
    asked = state.get(NONCE)
    return bool(asked) and claims.get("id_token", {}).get(NONCE) == asked


def answer_provider(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Handle the provider's redirect back to us."""
    try:
        adapter = SignedTokenAdapter(request, provider_id)
        answer: HttpResponse = OAuth2CallbackView.adapter_view(adapter)(request)
    except SocialApp.DoesNotExist:
        raise Http404(provider_id) from None
    return answer
