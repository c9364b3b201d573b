"""Secrets that must be readable again, stored so that the database alone does not reveal them; and
keyed digests of texts that only have to be recognized.

Secrets use Fernet of the package cryptography: AES-128-CBC with HMAC-SHA256, with keys derived from
`REGISTRY_DATA_KEYS`. The first key encrypts, all of them decrypt; `manage.py rotate_keys`
re-encrypts what an older key had encrypted.
"""

from __future__ import annotations

import base64
from functools import lru_cache
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.crypto import salted_hmac

from registry.errors import RegistryError

PREFIX: Final = "box1:"
"""The prefix of encrypted text, which distinguishes it from older plain text."""


class SecretUnreadable(RegistryError):
    """No configured key can read it: `REGISTRY_DATA_KEYS` lacks the one it was written with."""


@lru_cache(maxsize=8)
def make_box(keys: tuple[str, ...]) -> MultiFernet:
    """Return an object that encrypts with the first key and decrypts with any."""
    return MultiFernet([Fernet(base64.urlsafe_b64encode(derive_key(key))) for key in keys])


def derive_key(key: str) -> bytes:
    """Return 32 octets derived from a key in the settings, whatever its length."""
    kdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"registry.secret_box")
    return kdf.derive(key.encode())


def find_box() -> MultiFernet:
    """Return the box for the currently configured keys."""
    return make_box(tuple(settings.REGISTRY_DATA_KEYS))


def encrypt_secret(text: str) -> str:
    """Return `text` encrypted for the database; an empty text stays empty."""
    return PREFIX + find_box().encrypt(text.encode()).decode() if text else ""


def decrypt_secret(kept: str) -> str:
    """Return the plain text; text from before there was encryption stays as it is.

    Raises `SecretUnreadable` if the key it was written with is not configured.
    """
    if not kept.startswith(PREFIX):
        return kept
    try:
        return find_box().decrypt(kept.removeprefix(PREFIX).encode()).decode()
    except InvalidToken:
        raise SecretUnreadable("Set the key it was written with in REGISTRY_DATA_KEYS.") from None


def reencrypt_secret(kept: str) -> str:
    return encrypt_secret(decrypt_secret(kept))


def digest_address(address: str) -> str:
    """Return a digest that recognizes a mail address without revealing it: HMAC-SHA-256."""
    return list_address_digests(address)[0]


def list_address_digests(address: str) -> list[str]:
    """Return the digests of an address by each configured key, that of the first key first."""
    text = address.strip().lower()
    return [
        salted_hmac("registry.address", text, secret=key, algorithm="sha256").hexdigest()
        for key in settings.REGISTRY_DATA_KEYS
    ]
