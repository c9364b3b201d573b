"""API clients of the cast, authenticated with a token."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.test import Client

from registry.models import Token, User
from tests.sign_in import ALL_SCOPES

ACTS_FOR = {"acts_for": "She signs the letters of the federation."}
"""What is asked about a body of which the registry knows nobody."""
JSON = "application/json"


@dataclass(frozen=True)
class Program:
    """A program that acts for somebody, or anonymously."""

    client: Client

    @classmethod
    def of(cls, person: User) -> Program:
        """Return a program with a token of `person`."""
        _token, shown = Token.objects.create(
            user=person, name="test", form_key=uuid.uuid4(), scopes=ALL_SCOPES
        )
        return cls(Client(headers={"authorization": f"Token {shown}"}))

    def get(self, path: str, **asked: Any) -> Any:
        """Return the response to GET."""
        return self.client.get(f"/api/v1/requests/{path}", asked)

    def post(self, path: str, said: Any = None, seen: object = None) -> Any:
        """Return the response to POST; `seen` is sent as `If-Match`."""
        return self.client.post(
            f"/api/v1/requests/{path}", said or {}, JSON, headers=matching(seen)
        )

    def patch(self, path: str, said: Any, seen: object = None) -> Any:
        """Return the response to PATCH."""
        return self.client.patch(f"/api/v1/requests/{path}", said, JSON, headers=matching(seen))

    def take(self, reference: str, verb: str, **said: Any) -> Any:
        """Return the response to a step on the request as the program reads it now."""
        seen = self.get(f"{reference}/").json()["revision"]
        return self.post(f"{reference}/verbs/{verb}/", said, seen)


def matching(seen: object) -> dict[str, str]:
    """Return the `If-Match` header."""
    return {} if seen is None else {"if-match": f'"{seen}"'}
