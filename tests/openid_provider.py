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
    """The provider's state; `authorizations` are the parameters of redirects to it, by code."""

    claims: dict[str, Any]
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    signs_with: Any = None
    algorithm: str = "ES256"
    calls_itself: str = ""
    server: WebServer | None = None
    authorizations: dict[str, dict[str, str]] = field(default_factory=dict)
    redeemed: list[dict[str, str]] = field(default_factory=list)

    @property
    def issuer(self) -> str:
        """The provider's address."""
        assert self.server is not None
        return f"http://127.0.0.1:{self.server.port}"

    def answer(self, to: Answering) -> None:
        """Respond to one request."""
        url = urlsplit(to.path)
        if url.path == "/.well-known/openid-configuration":
            return self.say(to, self.describe())
        if url.path == "/keys":
            return self.say(to, {"keys": [self.describe_key()]})
        if url.path == "/authorize":
            return self.lead_back(to, dict(parse_qsl(url.query)))
        if url.path == "/token" and to.command == "POST":
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
        jwk: dict[str, Any] = jwt.algorithms.ECAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        return {**jwk, "kid": KEY_NAME, "use": "sig", "alg": "ES256"}

    def lead_back(self, to: Answering, parameters: dict[str, str]) -> None:
        """Sign the person in without a question, and redirect them back with a code."""
        code = f"code-{len(self.authorizations)}"
        self.authorizations[code] = parameters
        back = urlencode({"code": code, "state": parameters["state"]})
        saying(b"", 302, Location=f"{parameters['redirect_uri']}?{back}")(to)

    def redeem(self, to: Answering, form: dict[str, str]) -> None:
        """Give an ID token for a code, once, to a client with secret and verifier (RFC 7636)."""
        parameters = self.authorizations.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if (
            parameters is None
            or (form.get("client_id"), form.get("client_secret")) != (CLIENT, SECRET)
            or parameters.get("code_challenge") != challenge
            or parameters["redirect_uri"] != form.get("redirect_uri")
        ):
            return saying(b'{"error": "invalid_grant"}', 400, Content_Type="application/json")(to)
        self.redeemed.append(parameters)
        return self.say(
            to,
            {
                "access_token": "of no use",
                "token_type": "Bearer",
                "id_token": self.sign(parameters),
            },
        )

    def sign(self, parameters: dict[str, str]) -> str:
        """Return the ID token that answers the parameters of the redirect."""
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": parameters.get("nonce", ""),
            **self.claims,
        }
        return jwt.encode(
            claims, self.signs_with or self.key, self.algorithm, headers={"kid": KEY_NAME}
        )

    @staticmethod
    def say(to: Answering, document: dict[str, Any]) -> None:
        """Respond with JSON."""
        saying(json.dumps(document).encode(), Content_Type="application/json")(to)


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
