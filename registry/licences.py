"""The licences of data and texts, as the operator chooses.

Also the terms on which texts published elsewhere can be read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings

CREATIVE_COMMONS: Final = "https://creativecommons.org"
OPEN_DATA_COMMONS: Final = "https://opendatacommons.org/licenses"
MAX_LICENCE_LENGTH: Final = 30
"""The maximum length of an SPDX identifier, which columns must hold."""


class LicenceType(StrEnum):
    """What a licence requires of users of the data, in the terms of ADMS."""

    PUBLIC_DOMAIN = "PublicDomain"
    ATTRIBUTION = "Attribution"
    SHARE_ALIKE = "ViralEffect-ShareAlike"


class LicenceKind(StrEnum):
    """What a file contains, as far as that decides its licences."""

    DATA = "data"
    """Facts, and our own words about them."""
    MIXED = "mixed"
    """Also texts of templates, and material that we cannot license."""


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence: its SPDX identifier, its name, its text, and its requirements."""

    identifier: str
    name: str
    url: str
    type: LicenceType


LICENCES: Final[Mapping[str, Licence]] = {
    each.identifier: each
    for each in (
        Licence(
            "CC0-1.0",
            "CC0 1.0 Universal",
            f"{CREATIVE_COMMONS}/publicdomain/zero/1.0/",
            LicenceType.PUBLIC_DOMAIN,
        ),
        Licence(
            "CC-BY-4.0",
            "CC BY 4.0",
            f"{CREATIVE_COMMONS}/licenses/by/4.0/",
            LicenceType.ATTRIBUTION,
        ),
        Licence(
            "CC-BY-SA-4.0",
            "CC BY-SA 4.0",
            f"{CREATIVE_COMMONS}/licenses/by-sa/4.0/",
            LicenceType.SHARE_ALIKE,
        ),
        Licence(
            "PDDL-1.0",
            "Public Domain Dedication and License",
            f"{OPEN_DATA_COMMONS}/pddl/",
            LicenceType.PUBLIC_DOMAIN,
        ),
        Licence(
            "ODC-By-1.0",
            "Open Data Commons Attribution",
            f"{OPEN_DATA_COMMONS}/by/",
            LicenceType.ATTRIBUTION,
        ),
    )
}
"""The licences to choose from: open ones, by their SPDX identifiers."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms on which another publisher's text can be read here, and their address."""

    publisher: str
    url: str


IETF_TRUST: Final = Terms("IETF Trust", "https://trustee.ietf.org/license-info/")
TERMS_BY_SITE: Final[Mapping[str, Terms]] = {
    "rfc-editor.org": IETF_TRUST,
    "ietf.org": IETF_TRUST,
    "iana.org": Terms("IANA", "https://www.iana.org/help/licensing-terms"),
}
"""By the address where a document is published."""


def find_terms(address: str) -> Terms:
    """Return the terms of the document published at an address.

    If a publisher's terms are not known here, the document itself is the only reference.
    """
    host = urlsplit(address).hostname or ""
    site = ".".join(host.split(".")[-2:])
    return TERMS_BY_SITE.get(site) or Terms(host or address, address)


def find_licence(identifier: str) -> Licence | None:
    """Return the licence with that SPDX identifier, or None if there is no identifier."""
    return LICENCES.get(identifier)


def get_data_licence() -> Licence:
    """Return the licence of facts, of what we write about namespaces, and of their rules."""
    return LICENCES[settings.REGISTRY_DATA_LICENCE]


def get_text_licence() -> Licence:
    """Return the licence that registrants agree to when they submit a template now.

    A submitted text records its own: `text_licence` of round and version.
    """
    return LICENCES[settings.REGISTRY_TEXT_LICENCE]


def find_file_licence(kind: LicenceKind) -> Licence | None:
    """Return the licence of a file of this kind, or None if parts of it have none."""
    return get_data_licence() if kind is LicenceKind.DATA else None
