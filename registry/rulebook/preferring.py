"""The form that a namespace prefers for its names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import Final

from stdnum import isbn, issn

from registry.rulebook.merging import as_isbn_13

FORMS: Final = MappingProxyType[str, Callable[[str], str]](
    {
        "lower case": str.lower,
        "upper case": str.upper,
        "isbn": lambda nss: isbn.format(as_isbn_13(nss)),
        "issn": issn.format,
    }
)
"""Steps towards a preferred form, each from an NSS that follows its rule to an equivalent one."""


def preferred(forms: Iterable[str], nss: str) -> str:
    """`nss` after each of the steps named in `forms`."""
    for name in forms:
        nss = FORMS[name](nss)
    return nss
