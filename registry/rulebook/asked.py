"""What somebody asks a rule about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from registry.urn import URN, parse


@dataclass(frozen=True, slots=True)
class Asked:
    """A name as it was given: the NSS in it, where that begins, and the NID where there is one."""

    text: str
    nss: str
    begins: int = 0
    nid: str = ""

    @classmethod
    def of(cls, name: URN | str) -> Self:
        """Take `name` for a whole URN where it begins like one, and else for an NSS.

        Raises `URNSyntaxError` where it begins like a URN and is none.
        """
        if isinstance(name, str) and name[:4].lower() != "urn:":
            return cls(name, name)
        urn = name if isinstance(name, URN) else parse(name)
        return cls(urn.text, urn.nss, len("urn::") + len(urn.nid), urn.nid)
