"""The zone of `urn.arpa`: read by a DNS library, queried by a client of RFC 3404."""

from __future__ import annotations

import re

import dns.rdatatype
import dns.resolver
import dns.zone
import pytest
from django.test import Client
from dns.rdtypes.IN.NAPTR import NAPTR

from registry.exchange.exports import refresh_exports
from registry.exchange.exports.entries import list_entries
from registry.exchange.exports.plain_text import write_rewrite_rule, write_zone
from registry.models import Namespace, ResolutionService
from registry.resolution import map_services_in_use
from registry.selectors import raise_registry_version
from tests.exchange.exports.conftest import Fetch
from tests.factories import NamespaceFactory, ServiceFactory
from tests.servers import NameServer

SERVICES = re.compile(rb"([A-Za-z][A-Za-z0-9]{0,31})?(\+[A-Za-z][A-Za-z0-9]{0,31})*")
"""RFC 3404, section 4.4."""


def records(octets: bytes) -> dict[str, NAPTR]:
    """Return the rules of a zone file by their names."""
    read = dns.zone.from_text(octets.decode(), relativize=False)
    found = {}
    for name, _ttl, data in read.iterate_rdatas(dns.rdatatype.NAPTR):
        assert isinstance(data, NAPTR)
        found[str(name)] = data
    return found


def rewritten(urn: str, rule: NAPTR) -> str:
    """Return the result of rewriting a name by a rule (RFC 3402, section 3.2)."""
    delimiter, text = chr(rule.regexp[0]), rule.regexp.decode()
    expression, replacement, flags = text[1:].split(delimiter)
    found = re.fullmatch(expression, urn, re.IGNORECASE if flags == "i" else 0)
    assert found is not None
    return found.expand(replacement)


def first_well_known(urn: str) -> str:
    """Return the key that a client looks up first (RFC 3404, section 4.2)."""
    return f"{urn.split(':')[1].lower()}.urn.arpa."


def test_every_namespace_that_something_resolves_has_one_terminal_rule(fetch: Fetch) -> None:
    found = records(fetch("urn.arpa.zone"))

    resolved = ResolutionService.objects.in_use().exclude(service__in=("I2N", "I2Ns"))
    nids = set(resolved.values_list("namespace__nid", flat=True))
    assert 10 < len(nids) < Namespace.objects.count()
    assert sorted(found) == sorted(f"{nid}.urn.arpa." for nid in nids)
    for rule in found.values():
        assert (rule.order, rule.preference, rule.flags) == (100, 10, b"u")
        assert re.fullmatch(
            rb"([A-Za-z][A-Za-z0-9]{0,31})?(\+[A-Za-z][A-Za-z0-9]{0,31})*", rule.service
        )
        assert str(rule.replacement) == "."


@pytest.mark.parametrize(
    ("services", "said"),
    [
        ((), None),
        (("I2N",), None),
        (("I2L",), b"+I2L+I2Ls"),
        (("I2C", "I2R"), b"+I2L+I2Ls"),
        (("I2Rs", "I2C"), b"+I2Ls"),
        (("I2C",), b"+I2C"),
    ],
)
def test_rule_claims_the_services_that_there_are(
    services: tuple[str, ...], said: bytes | None, db: None
) -> None:
    namespace = NamespaceFactory.create(nid="sample")
    for each in services:
        template = "urn:other:{+nss}" if each == "I2N" else "https://names.example/{+nss}"
        ServiceFactory.create(namespace=namespace, service=each, template=template)

    found = records(
        write_zone(list_entries(), "https://r.example", None, map_services_in_use()).encode()
    )

    rule = found.get("sample.urn.arpa.")
    assert (rule.service if rule else None) == said


@pytest.mark.parametrize(
    "urn",
    ["urn:isbn:0451450523", "URN:ISBN:0-395-36341-1", "urn:isbn:9780395363416?+s=I2Ls?=a=b,%2C"],
)
def test_client_is_led_to_the_resolver_with_the_name_as_it_is(urn: str, fetch: Fetch) -> None:
    found = records(fetch("urn.arpa.zone"))

    address = rewritten(urn, found[first_well_known(urn)])

    assert address == f"http://127.0.0.1:8000/resolve/{urn}"


def test_client_asks_the_domain_name_system(fetch: Fetch) -> None:
    urn = "urn:isbn:0451450523"
    rule = records(fetch("urn.arpa.zone"))[first_well_known(urn)]

    with NameServer() as server:
        server.say("isbn.urn.arpa", "NAPTR", [rule.to_text()])
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], int(server.address.rpartition(":")[2])
        answer = resolver.resolve(first_well_known(urn), "NAPTR")

    (told,) = answer
    assert isinstance(told, NAPTR)
    assert rewritten(urn, told) == f"http://127.0.0.1:8000/resolve/{urn}"


def test_serial_rises_as_the_registry_changes(fetch: Fetch, client: Client) -> None:
    def serial() -> int:
        refresh_exports(at_once=True)
        read = dns.zone.from_text(client.get("/exports/urn.arpa.zone").content.decode())
        return int(read.find_rdataset("@", "SOA")[0].serial)

    before = serial()
    Namespace.objects.get(nid="isbn").save()
    raise_registry_version()

    assert serial() >= before > 1_700_000_000


@pytest.mark.parametrize(
    "site", ["https://registry.example/!", "https://registry.example\\", "https://" + "x" * 250]
)
def test_address_that_does_not_fit_into_a_record_is_refused(site: str) -> None:
    with pytest.raises(ValueError, match="NAPTR record"):
        write_rewrite_rule("isbn", site)


@pytest.mark.parametrize(
    "site", ["http://127.0.0.1:8000", "http://[::1]:8000", "https://r.example"]
)
def test_zone_for_any_address_is_read(site: str) -> None:
    read = dns.zone.from_text(write_zone([], site, None, {}))

    assert str(read.origin) == "urn.arpa."
