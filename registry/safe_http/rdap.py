"""When a domain was registered, by the Registration Data Access Protocol (RFC 9082 and 9083)."""

from __future__ import annotations

import datetime
import json
from typing import Any, Final
from urllib.parse import urljoin

from django.conf import settings
from django.utils.translation import gettext as _

from registry.safe_http.client import FetchLimits, fetch
from registry.safe_http.targets import FetchError

RDAP_LIMITS: Final = FetchLimits(octets=1_000_000)
RDAP_TYPES: Final = "application/rdap+json, application/json;q=0.9"
REGISTRATION_ACTIONS: Final = frozenset({"registration", "reregistration"})
STATUS_OK: Final = 200


def find_registration_day(domain: str) -> datetime.date:
    """Return when `domain` was last registered; raise `FetchError` if that cannot be found out.

    Only exactly this domain is asked about. The day of a parent says nothing: anybody may register
    names in one, as in `uk.com`.
    """
    address = urljoin(find_rdap_server(domain), f"domain/{domain}")
    answer = fetch_json(address)
    try:
        if answer["ldhName"].lower() != domain:
            raise FetchError(_("%(address)s is about another domain.") % {"address": address})
        return max(
            datetime.datetime.fromisoformat(event["eventDate"]).date()
            for event in answer["events"]
            if event["eventAction"] in REGISTRATION_ACTIONS
        )
    except (ValueError, LookupError, TypeError, AttributeError):
        words = _("%(address)s does not say when it was registered.")
        raise FetchError(words % {"address": address}, code="no_registration_day") from None


def find_rdap_server(domain: str) -> str:
    """Return the address of the server that knows `domain`, from IANA's list (RFC 9224)."""
    listing = fetch_json(settings.REGISTRY_RDAP_LIST)
    labels = domain.split(".")
    zones = [".".join(labels[start:]) for start in range(1, len(labels))]
    try:
        servers = {zone: found for listed, found in listing["services"] for zone in listed}
        addresses = next(servers[zone] for zone in zones if zone in servers)
        return next((each for each in addresses if each.startswith("https:")), str(addresses[0]))
    except (ValueError, LookupError, TypeError, AttributeError, StopIteration):
        words = _("No server of .%(zone)s says when a domain was registered.")
        raise FetchError(words % {"zone": labels[-1]}, code="no_rdap_server") from None


def fetch_json(address: str) -> Any:
    """Return the JSON at an address; raise `FetchError` if it has none."""
    answer = fetch(address, limits=RDAP_LIMITS, accept=RDAP_TYPES)
    if answer.status != STATUS_OK:
        words = _("%(address)s answers with the status %(status)d.")
        raise FetchError(words % {"address": address, "status": answer.status}, code="no_answer")
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError):
        words = _("The answer of %(address)s is not JSON.")
        raise FetchError(words % {"address": address}, code="not_json") from None
