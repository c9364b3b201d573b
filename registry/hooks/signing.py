"""Signatures by Standard Webhooks: HMAC-SHA256 over id, time and body."""

from __future__ import annotations

import base64
import datetime
import hmac
from collections.abc import Iterator
from typing import Final

from registry.models import Hook

PREFIX: Final = "whsec_"


def headers(hook: Hook, message_id: str, body: bytes, now: datetime.datetime) -> dict[str, str]:
    """Return what a receiver verifies that a body came from here, now and unchanged."""
    at = str(int(now.timestamp()))
    signed = b".".join((message_id.encode("ascii"), at.encode("ascii"), body))
    return {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": at,
        "webhook-signature": " ".join(
            f"v1,{sign(secret, signed)}" for secret in secrets(hook, now)
        ),
    }


def secrets(hook: Hook, now: datetime.datetime) -> Iterator[str]:
    """Yield the secret, and for a while after a change the one before."""
    yield hook.secret
    if hook.previous_secret and hook.previous_until and now < hook.previous_until:
        yield hook.previous_secret


def sign(secret: str, octets: bytes) -> str:
    """Return the signature of `octets`."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return base64.b64encode(hmac.digest(key, octets, "sha256")).decode("ascii")
