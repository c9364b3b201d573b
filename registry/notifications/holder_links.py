"""Links that let the reader of a letter act without an account, for one thing and one address."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.core import signing
from django.urls import reverse

from registry.models import DelegateChange, HolderSearch, RegistrationRequest

HOLDER_LINK_SALT: Final = "registry.holder"
OBJECTION_PURPOSE: Final = "objection"
DELEGATE_PURPOSE: Final = "delegate"
SEARCH_PURPOSE: Final = "search"


def sign_holder_address(purpose: str, key: int, address: str) -> str:
    """Return a word that only the registry can make: what for, about which row, and to whom."""
    signer = signing.Signer(salt=HOLDER_LINK_SALT)
    return signer.sign_object([purpose, key, address.lower()])


def read_holder_address(purpose: str, key: int, word: str) -> str:
    """Return the address for which `word` was made; nothing for any other word."""
    try:
        said = signing.Signer(salt=HOLDER_LINK_SALT).unsign_object(word)
    except signing.BadSignature:
        return ""
    return str(said[2]) if said[:2] == [purpose, key] else ""


def build_objection_url(registration_request: RegistrationRequest, address: str) -> str:
    """Return where the published contact objects to a request."""
    word = sign_holder_address(OBJECTION_PURPOSE, registration_request.pk, address)
    return settings.SITE + reverse("requests:object", args=[registration_request.slug, word])


def build_delegate_stop_url(change: DelegateChange, address: str) -> str:
    """Return where somebody on record stops a change of who acts for a body."""
    word = sign_holder_address(DELEGATE_PURPOSE, change.pk, address)
    return settings.SITE + reverse(
        "organizations:stop", args=[change.organization_id, change.pk, word]
    )


def build_search_answer_url(search: HolderSearch, address: str) -> str:
    """Return where somebody on record answers a search for the holder."""
    word = sign_holder_address(SEARCH_PURPOSE, search.pk, address)
    return settings.SITE + reverse("namespaces:answer", args=[search.namespace.nid, word])
