"""The zone of `urn.arpa`: read by a DNS library, asked by a client of RFC 3404."""

from __future__ import annotations

import re

import dns.rdatatype
import dns.resolver
import dns.zone
import pytest
from django.test import Client
from dns.rdtypes.IN.NAPTR import NAPTR

from registry.exchange.exports.plain_text import write_rewrite_rule, write_zone
from registry.models import Namespace
from tests.exchange.exports.conftest import Fetch
from tests.servers import NameServer

SERVICES = re.compile(rb"([A-Za-z][A-Za-z0-9]{0,31})?(\+[A-Za-z][A-Za-z0-9]{0,31})*")
"""RFC 3404, section 4.4."""


def records(octets: bytes) -> dict[str, NAPTR]:
    """Return the rules of a zone file by the names they are asked for."""
    read = dns.zone.from_text(octets.decode(), relativize=False)
    found = {}
    for name, _ttl, data in read.iterate_rdatas(dns.rdatatype.NAPTR):
        assert isinstance(data, NAPTR)
        found[str(name)] = data
    return found


def rewritten(urn: str, rule: NAPTR) -> str:
    """Return what a client makes of a name by a rule (RFC 3402, section 3.2)."""
    delimiter, text = chr(rule.regexp[0]), rule.regexp.decode()
    expression, replacement, flags = text[1:].split(delimiter)
    found = re.fullmatch(expression, urn, re.IGNORECASE if flags == "i" else 0)
    assert found is not None
    return found.expand(replacement)


def first_well_known(urn: str) -> str:
    """Return the key that a client asks for first (RFC 3404, section 4.2)."""
    return f"{urn.split(':')[1].lower()}.urn.arpa."


def test_every_namespace_has_one_terminal_rule(fetch: Fetch) -> None:
    found = records(fetch("urn.arpa.zone"))

    assert sorted(found) == sorted(f"{each.nid}.urn.arpa." for each in Namespace.objects.all())
    for rule in found.values():
        assert (rule.order, rule.preference, rule.flags) == (100, 10, b"u")
        assert re.fullmatch(
            rb"([A-Za-z][A-Za-z0-9]{0,31})?(\+[A-Za-z][A-Za-z0-9]{0,31})*", rule.service
        )
        assert str(rule.replacement) == "."


@pytest.mark.parametrize(
    "urn",
    ["urn:isbn:0451450523", "URN:ISBN:0-395-36341-1", "urn:isbn:9780395363416?+s=I2Ls?=a=b,%2C"],
)
def test_a_client_is_led_to_the_resolver_with_the_name_as_it_is(urn: str, fetch: Fetch) -> None:
    found = records(fetch("urn.arpa.zone"))

    address = rewritten(urn, found[first_well_known(urn)])

    assert address == f"http://127.0.0.1:8000/resolve/{urn}"


def test_a_client_asks_the_domain_name_system(fetch: Fetch) -> None:
    urn = "urn:urn-7:sample"
    rule = records(fetch("urn.arpa.zone"))[first_well_known(urn)]

    with NameServer() as server:
        server.say("urn-7.urn.arpa", "NAPTR", [rule.to_text()])
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], int(server.address.rpartition(":")[2])
        answer = resolver.resolve(first_well_known(urn), "NAPTR")

    (told,) = answer
    assert isinstance(told, NAPTR)
    assert rewritten(urn, told) == f"http://127.0.0.1:8000/resolve/{urn}"


def test_the_serial_rises_as_the_registry_changes(fetch: Fetch, client: Client) -> None:
    def serial() -> int:
        read = dns.zone.from_text(client.get("/exports/urn.arpa.zone").content.decode())
        return int(read.find_rdataset("@", "SOA")[0].serial)

    before = serial()
    Namespace.objects.get(nid="isbn").save()

    assert serial() >= before > 1_700_000_000


@pytest.mark.parametrize(
    "site", ["https://registry.example/!", "https://registry.example\\", "https://" + "x" * 250]
)
def test_an_address_that_does_not_fit_into_a_record_is_refused(site: str) -> None:
    with pytest.raises(ValueError, match="NAPTR record"):
        write_rewrite_rule("isbn", site)


@pytest.mark.parametrize(
    "site", ["http://127.0.0.1:8000", "http://[::1]:8000", "https://r.example"]
)
def test_a_zone_for_any_address_is_read(site: str) -> None:
    read = dns.zone.from_text(write_zone([], site, None))

    assert str(read.origin) == "urn.arpa."
