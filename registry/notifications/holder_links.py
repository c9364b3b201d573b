"""Links that let a letter's reader act without an account, for one purpose and one address."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.core import signing
from django.urls import reverse

from registry.models import RegistrationRequest, Speaker

HOLDER_LINK_SALT: Final = "registry.holder"
OBJECTION_PURPOSE: Final = "objection"
SPEAKER_PURPOSE: Final = "speaker"


def sign_holder_address(purpose: str, key: int, address: str) -> str:
    """Return a signature that only the registry can make, for a purpose, a row and an address."""
    signer = signing.Signer(salt=HOLDER_LINK_SALT)
    return signer.sign_object([purpose, key, address.lower()])


def read_holder_address(purpose: str, key: int, word: str) -> str:
    """Return the address that `word` was made for, or nothing for an invalid word."""
    try:
        said = signing.Signer(salt=HOLDER_LINK_SALT).unsign_object(word)
    except signing.BadSignature:
        return ""
    return str(said[2]) if said[:2] == [purpose, key] else ""


def build_objection_url(registration_request: RegistrationRequest, address: str) -> str:
    """Return the page where the published contact can object to a request."""
    word = sign_holder_address(OBJECTION_PURPOSE, registration_request.pk, address)
    return settings.SITE + reverse("requests:object", args=[registration_request.slug, word])


def build_speaker_url(speaker: Speaker, address: str) -> str:
    """Return the page where an address on record can object to who speaks for a body."""
    word = sign_holder_address(SPEAKER_PURPOSE, speaker.pk, address)
    return settings.SITE + reverse("organizations:letter", args=[speaker.pk, word])
