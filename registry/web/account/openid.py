"""Accounts at a provider of OpenID Connect: only what it signed, and in answer to us, counts.

django-allauth leaves the signature of an ID token out where it fetched the token itself, as the
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
"""Made with a private key; one that a shared secret makes says nothing of who made it."""


class SignedTokenAdapter(OpenIDConnectOAuth2Adapter):
    """Reads an ID token by the keys that its provider publishes."""

    @property
    def openid_config(self) -> dict[str, Any]:
        """Return what the provider says of itself; raise `OAuth2Error` if it calls itself another.

        It would have us believe what others sign (OpenID Connect Discovery 1.0, section 4.3).
        """
        found: dict[str, Any] = super().openid_config
        provider = self.get_provider()  # type: ignore[no-untyped-call]
        issuer = str(provider.app.settings["server_url"])
        if str(found.get("issuer")).rstrip("/") != issuer.partition("/.well-known/")[0].rstrip("/"):
            raise OAuth2Error("The provider says that it is another.")
        return found

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        """Return what a token says that is signed, for us, in time; raise `OAuth2Error` else."""
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
    """Asks with a number that the answer has to repeat, so that no other answer is taken for it."""

    package = "allauth.socialaccount.providers.openid_connect"
    oauth2_adapter_class = SignedTokenAdapter

    def redirect(
        self, request: HttpRequest, process: str, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Lead to the provider; the number is kept beside `state`, in the session."""
        nonce = secrets.token_urlsafe(32)
        kwargs["auth_params"] = {**(kwargs.get("auth_params") or {}), NONCE: nonce}
        try:
            answer: HttpResponse = super().redirect(request, process, *args, nonce=nonce, **kwargs)
        except (OAuth2Error, RequestException) as error:
            answer = render_authentication_error(request, self, exception=error)
        return answer


def was_asked_for(state: dict[str, Any], claims: dict[str, Any]) -> bool:
    """Whether an ID token answers what was asked in this session with `state`."""
    asked = state.get(NONCE)
    return bool(asked) and claims.get("id_token", {}).get(NONCE) == asked


def answer_provider(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Take what a provider answers, where it leads people back to."""
    try:
        adapter = SignedTokenAdapter(request, provider_id)
        answer: HttpResponse = OAuth2CallbackView.adapter_view(adapter)(request)
    except SocialApp.DoesNotExist:
        raise Http404(provider_id) from None
    return answer
