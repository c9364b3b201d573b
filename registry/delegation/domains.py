"""Which domain is an organization's own: that of the website the registrar entered."""

from __future__ import annotations

from registry.choices import ProofMethod
from registry.fetching import FetchError
from registry.fetching.target import Target, read_target
from registry.models import Organization


def host_of(organization: Organization) -> str:
    """Return the host of its website, as name servers know it; nothing where it has no proper one.

    A number in place of a name, or a name of one label, is nobody's own.
    """
    target = read(organization.website)
    return target.host if target and not target.literal and "." in target.host else ""


def domain_of(organization: Organization) -> str:
    """Return the domain of its website, without the usual `www`."""
    host = host_of(organization)
    bare = host.removeprefix("www.")
    return bare if "." in bare else host


def domain_for(organization: Organization, method: ProofMethod) -> str:
    """Return the domain that is asked: of a file the very host of the website."""
    return host_of(organization) if method == ProofMethod.FILE else domain_of(organization)


def is_within(host: str, domain: str) -> bool:
    """Whether `host` is that of `domain`, or of a part of it."""
    return host == domain or host.endswith(f".{domain}")


def domain_of_address(address: str) -> str:
    """Return the domain of a mail address, as name servers know it; nothing for an odd one."""
    try:
        return address.rpartition("@")[2].encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""


def read(website: str) -> Target | None:
    """Return what the address of a website leads to."""
    try:
        return read_target(website)
    except FetchError:
        return None
