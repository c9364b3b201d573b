"""A small OAuth 2.0 provider on this machine (RFC 6749, section 4.1).

It answers other requests with pages of its own, as JSON, and takes every visitor for the person
whom these describe.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.servers import Answering, WebServer, saying, web_server

CLIENT: Final = "registry-of-the-tests"
SECRET: Final = "a secret that both know"


@dataclass
class OAuthProvider:
    """The provider's state: its pages by path, and what it adds to an access token."""

    pages: dict[str, Any]
    adds_to_token: dict[str, Any] = field(default_factory=dict)
    server: WebServer | None = None
    given: dict[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """The provider's address."""
        assert self.server is not None
        return f"http://127.0.0.1:{self.server.port}"

    def answer(self, to: Answering) -> None:
        """Respond to one request."""
        url = urlsplit(to.path)
        if url.path == "/authorize":
            return self.lead_back(to, dict(parse_qsl(url.query)))
        if url.path == "/token" and to.command == "POST":
            assert self.server is not None
            return self.redeem(to, dict(parse_qsl(self.server.sent[-1][1].decode())))
        if url.path in self.pages:
            return self.say(to, self.pages[url.path])
        return saying(b"Nothing.", 404)(to)

    def lead_back(self, to: Answering, parameters: dict[str, str]) -> None:
        """Redirect the person back with a code."""
        code = f"code-{len(self.given)}"
        self.given[code] = parameters["redirect_uri"]
        back = urlencode({"code": code, "state": parameters["state"]})
        saying(b"", 302, Location=f"{parameters['redirect_uri']}?{back}")(to)

    def redeem(self, to: Answering, form: dict[str, str]) -> None:
        """Give an access token for a code, once, to a client that knows the secret."""
        leads_back_to = self.given.pop(form.get("code", ""), None)
        client = (form.get("client_id"), form.get("client_secret"))
        if client != (CLIENT, SECRET) or leads_back_to != form.get("redirect_uri"):
            return saying(b'{"error": "invalid_grant"}', 400, Content_Type="application/json")(to)
        token = {"access_token": "for one look", "token_type": "bearer", **self.adds_to_token}
        return self.say(to, token)

    @staticmethod
    def say(to: Answering, document: Any) -> None:
        """Respond with JSON."""
        saying(json.dumps(document).encode(), Content_Type="application/json")(to)


@contextmanager
def oauth_provider(pages: dict[str, Any], **adds_to_token: Any) -> Iterator[OAuthProvider]:
    """Run a provider with these pages."""
    provider = OAuthProvider(pages, adds_to_token)
    with web_server(provider.answer) as server:
        provider.server = server
        yield provider
