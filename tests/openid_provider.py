"""A small OpenID Connect provider on this machine (OpenID Connect Core 1.0, section 3.1).

It takes every visitor for the person in `claims`, and can be told to lie.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

from tests.servers import Answering, WebServer, saying, web_server

CLIENT: Final = "registry-of-the-tests"
SECRET: Final = "a secret that both know"
KEY_NAME: Final = "key-1"


@dataclass
class Provider:
    """The provider's state; `told` are the parameters with which people were redirected to it."""

    claims: dict[str, Any]
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    signs_with: Any = None
    algorithm: str = "ES256"
    calls_itself: str = ""
    server: WebServer | None = None
    told: dict[str, dict[str, str]] = field(default_factory=dict)
    redeemed: list[dict[str, str]] = field(default_factory=list)

    @property
    def issuer(self) -> str:
        """The provider's address."""
        assert self.server is not None
        return f"http://127.0.0.1:{self.server.port}"

    def answer(self, to: Answering) -> None:
        """Respond to one request."""
        asked = urlsplit(to.path)
        if asked.path == "/.well-known/openid-configuration":
            return self.say(to, self.describe())
        if asked.path == "/keys":
            return self.say(to, {"keys": [self.describe_key()]})
        if asked.path == "/authorize":
            return self.lead_back(to, dict(parse_qsl(asked.query)))
        if asked.path == "/token" and to.command == "POST":
            assert self.server is not None
            return self.redeem(to, dict(parse_qsl(self.server.sent[-1][1].decode())))
        return saying(b"Nothing.", 404)(to)

    def describe(self) -> dict[str, Any]:
        """Return the metadata (OpenID Connect Discovery 1.0, section 4)."""
        return {
            "issuer": self.calls_itself or self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    def describe_key(self) -> dict[str, Any]:
        """Return the public key (RFC 7517)."""
        found: dict[str, Any] = jwt.algorithms.ECAlgorithm.to_jwk(
            self.key.public_key(), as_dict=True
        )
        return {**found, "kid": KEY_NAME, "use": "sig", "alg": "ES256"}

    def lead_back(self, to: Answering, told: dict[str, str]) -> None:
        """Sign the person in without a question, and redirect them back with a code."""
        code = f"code-{len(self.told)}"
        self.told[code] = told
        back = urlencode({"code": code, "state": told["state"]})
        saying(b"", 302, Location=f"{told['redirect_uri']}?{back}")(to)

    def redeem(self, to: Answering, shown: dict[str, str]) -> None:
        """Give an ID token for a code, once, to a client with secret and verifier (RFC 7636)."""
        told = self.told.pop(shown.get("code", ""), None)
        digest = hashlib.sha256(shown.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if (
            told is None
            or (shown.get("client_id"), shown.get("client_secret")) != (CLIENT, SECRET)
            or told.get("code_challenge") != challenge
            or told["redirect_uri"] != shown.get("redirect_uri")
        ):
            return saying(b'{"error": "invalid_grant"}', 400, Content_Type="application/json")(to)
        self.redeemed.append(told)
        return self.say(
            to,
            {"access_token": "of no use", "token_type": "Bearer", "id_token": self.sign(told)},
        )

    def sign(self, told: dict[str, str]) -> str:
        """Return the ID token that answers the parameters of the redirect."""
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": told.get("nonce", ""),
            **self.claims,
        }
        return jwt.encode(
            claims, self.signs_with or self.key, self.algorithm, headers={"kid": KEY_NAME}
        )

    @staticmethod
    def say(to: Answering, found: dict[str, Any]) -> None:
        """Respond with JSON."""
        saying(json.dumps(found).encode(), Content_Type="application/json")(to)


@contextmanager
def openid_provider(**claims: Any) -> Iterator[Provider]:
    """Run a provider that says `claims` about everyone."""
    provider = Provider(claims)
    with web_server(provider.answer) as server:
        provider.server = server
        yield provider


def read_parameters(address: str) -> dict[str, str]:
    """Return the parameters of an address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
