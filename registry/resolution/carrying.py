"""What becomes of the components of a URN on its way to an address (RFC 8141, section 2.3)."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.urn import URN


class Carried(Enum):
    """One thing that was done with a component; the value says it."""

    q_copied = _("The q-component is the query of the address (RFC 8141, section 2.3.2).")
    q_appended = _(
        "The address had a query already; the q-component is appended to it with “&” (RFC 8141,"
        " section 2.3.2)."
    )
    q_taken = _("The service takes the q-component itself.")
    f_copied = _("The f-component is the fragment of the address (RFC 8141, section 2.3.3).")
    f_taken = _("The service takes the f-component itself.")
    f_dropped = _("The address has a fragment of its own, so the f-component is left out.")
    r_taken = _("The r-component is handed to the service (RFC 8141, section 2.3.1).")
    r_dropped = _("The service takes no r-component, so it is left out.")
    c_taken = _("The service is asked for the component that c= names.")
    c_dropped = _("The service takes no directive c=, so it is left out.")

    @property
    def words(self) -> str | Promise:
        """The sentence about it."""
        words: str | Promise = self.value
        return words


def carry(
    address: str, urn: URN, taken: Collection[str] = (), component: str = ""
) -> tuple[str, tuple[Carried, ...]]:
    """Return `address` with the components that it was not made with, and what was done.

    `taken` are the variables that the address was made with.
    """
    said: list[Carried] = []
    if urn.r_component is not None:
        said.append(Carried.r_taken if "r" in taken else Carried.r_dropped)
    if component:
        said.append(Carried.c_taken if "c" in taken else Carried.c_dropped)
    if urn.q_component is not None:
        address, done = with_query(address, urn.q_component, is_taken="q" in taken)
        said.append(done)
    if urn.f_component is not None:
        address, done = with_fragment(address, urn.f_component, is_taken="f" in taken)
        said.append(done)
    return address, tuple(said)


def with_query(address: str, query: str, *, is_taken: bool) -> tuple[str, Carried]:
    """Copy the q-component to the query, before a fragment."""
    if is_taken:
        return address, Carried.q_taken
    base, mark, fragment = address.partition("#")
    if "?" not in base:
        return f"{base}?{query}{mark}{fragment}", Carried.q_copied
    joint = "" if base.endswith(("?", "&")) else "&"
    return f"{base}{joint}{query}{mark}{fragment}", Carried.q_appended


def with_fragment(address: str, fragment: str, *, is_taken: bool) -> tuple[str, Carried]:
    """Copy the f-component to the fragment, where the address has none."""
    if is_taken:
        return address, Carried.f_taken
    if "#" in address:
        return address, Carried.f_dropped
    return f"{address}#{fragment}", Carried.f_copied
