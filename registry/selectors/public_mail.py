"""Domains at which everybody can get a mail address: such an address proves nothing."""

from __future__ import annotations

from functools import cache
from typing import Final

from django.conf import settings

PUBLIC_MAIL_FILE: Final = (
    settings.BASE_DIR / "registry" / "exchange" / "seed" / "data" / "public-mail-domains.txt"
)


@cache
def read_public_mail_domains() -> frozenset[str]:
    """Return the shipped list."""
    lines = PUBLIC_MAIL_FILE.read_text("utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def gives_addresses_to_public(domain: str) -> bool:
    """Whether `domain`, or a parent domain of it, gives addresses to the public."""
    known = read_public_mail_domains() | frozenset(settings.REGISTRY_SHARED_MAIL)
    labels = domain.lower().split(".")
    return any(".".join(labels[start:]) in known for start in range(len(labels) - 1))
