"""Secrets that have to be read again, kept so that the database alone does not tell them.

Fernet of the package cryptography: AES-128-CBC with HMAC-SHA256, by a key that is derived from each
of `REGISTRY_DATA_KEYS`. The first of them encrypts, all of them decrypt; `manage.py rotate_keys`
encrypts again what an older key had encrypted.
"""

from __future__ import annotations

import base64
from functools import lru_cache
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from registry.errors import RegistryError

PREFIX: Final = "box1:"
"""Before what is encrypted, so that what was written before is told apart."""


class SecretUnreadable(RegistryError):
    """No key that is set can read it: `REGISTRY_DATA_KEYS` lacks the one it was written with."""


@lru_cache(maxsize=8)
def make_box(keys: tuple[str, ...]) -> MultiFernet:
    """Return what encrypts with the first key and decrypts with any."""
    return MultiFernet([Fernet(base64.urlsafe_b64encode(derive_key(key))) for key in keys])


def derive_key(key: str) -> bytes:
    """Return 32 octets made from a key of the settings, of whatever length that is."""
    kdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"registry.secret_box")
    return kdf.derive(key.encode())


def find_box() -> MultiFernet:
    """Return the box by the keys that are set now."""
    return make_box(tuple(settings.REGISTRY_DATA_KEYS))


def encrypt_secret(text: str) -> str:
    """Return `text` as the database keeps it; nothing stays nothing."""
    return PREFIX + find_box().encrypt(text.encode()).decode() if text else ""


def decrypt_secret(kept: str) -> str:
    """Return what was encrypted; what was written before there was encryption, as it stands.

    Raises `SecretUnreadable` where the key is not set that it was written with.
    """
    if not kept.startswith(PREFIX):
        return kept
    try:
        return find_box().decrypt(kept.removeprefix(PREFIX).encode()).decode()
    except InvalidToken:
        raise SecretUnreadable("Set the key it was written with in REGISTRY_DATA_KEYS.") from None


def reencrypt_secret(kept: str) -> str:
    """Return the secret, encrypted with the first key."""
    return encrypt_secret(decrypt_secret(kept))
