"""What stands at the other addresses of a page: each thing in each of its forms, as text.

Which thing has which is said in `registry.exports.forms`; JSON says what the API says.
"""

from registry.pages.endings.lists import (
    NAMESPACES,
    ORGANIZATIONS,
    REQUESTS,
    SIGHTINGS,
)
from registry.pages.endings.namespaces import NAMESPACE, VERSION, Version
from registry.pages.endings.requests import REQUEST, ROUND

__all__ = [
    "NAMESPACE",
    "NAMESPACES",
    "ORGANIZATIONS",
    "REQUEST",
    "REQUESTS",
    "ROUND",
    "SIGHTINGS",
    "VERSION",
    "Version",
]
