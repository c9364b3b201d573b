"""Shipped services, and files of services: loaded whole, or refused with every error."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from registry import resolution
from registry.actions import resolution_services
from registry.enums import ProbeResult
from registry.exchange import seed
from registry.exchange.seed.services import SERVICE_COLUMNS
from registry.models import (
    Event,
    Namespace,
    QueryKeyword,
    ResolutionService,
    ServiceDesignator,
    User,
)
from registry.resolution import ResolutionQuery, choose_targets
from registry.urn import parse
from registry.urn.spec import DIRECTIVE_KEYWORDS, SERVICE_DESIGNATORS
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db

ROW = {
    "nid": "Sample",
    "service": "I2L",
    "prefix": "a:",
    "template": "https://names.example/{+nss}",
    "media_type": "text/html",
    "language": "fi",
    "priority": "5",
    "operator": "Names Office",
    "source": "Its handbook",
}


def write(path: Path, *rows: dict[str, str]) -> Path:
    """Write a file of services."""
    file = io.StringIO()
    writer = csv.DictWriter(file, list(SERVICE_COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows([ROW | row for row in rows])
    path.write_text(file.getvalue(), encoding="utf-8")
    return path


@pytest.fixture
def sample() -> Namespace:
    seed.load_vocabularies()
    return NamespaceFactory.create(nid="sample")


def load(path: Path) -> str:
    """Load a file; return the result in words."""
    return str(seed.load_services(seed.read_services(path), path.name))


def test_services_are_loaded_once_and_changed_where_the_file_changes(
    sample: Namespace, tmp_path: Path
) -> None:
    did = [
        load(write(tmp_path / "services.csv", {}, {"nid": "nobody"})),
        load(tmp_path / "services.csv"),
        load(write(tmp_path / "services.csv", {"operator": "Another Office"})),
    ]

    assert did == [
        "1 added, 0 changed, 0 unchanged",
        "0 added, 0 changed, 1 unchanged",
        "0 added, 1 changed, 0 unchanged",
    ]
    (service,) = ResolutionService.objects.all()
    assert (service.operator, service.probe) == ("Another Office", ProbeResult.NOT_CHECKED)
    events = Event.objects.filter(namespace=sample)
    assert [event.verb for event in events] == ["import_services"] * 2


def test_services_that_people_keep_here_are_left_alone(
    sample: Namespace, registrar: User, tmp_path: Path
) -> None:
    path = write(tmp_path / "services.csv", {})
    load(path)
    (service,) = ResolutionService.objects.all()
    resolution_services.withdraw_service(service, actor=registrar, reason="It is closed.")

    assert re.findall(r"\d+", load(path)) == ["0", "0", "0", "1"]
    assert not ResolutionService.objects.in_use().exists()


def test_bad_file_is_refused_with_every_defect_and_its_line(
    sample: Namespace, tmp_path: Path
) -> None:
    path = write(
        tmp_path / "services.csv",
        {},
        {"template": "https://{nss}.example/", "priority": "first"},
        {"service": "I2X", "operator": "", "template": "urn:x:{nss}"},
        {},
        {"service": "I2N", "nid": "a b"},
    )

    with pytest.raises(CommandError) as refused:
        call_command("load_registry", services=path)

    found = re.findall(r"^services.csv, line (\d): (?:(\w+):)?", str(refused.value), re.MULTILINE)
    assert found == [
        ("3", "priority"),
        ("3", "template"),
        ("4", "operator"),
        ("4", "service"),
        ("4", "template"),
        ("5", ""),
        ("6", "nid"),
        ("6", "template"),
    ]
    assert not ResolutionService.objects.exists()


# What is shipped


@pytest.mark.whole
@pytest.mark.usefixtures("shipped")
def test_small_registries_begin_as_the_draft_has_them() -> None:
    # Draft -03, sections 9.2.1 and 9.2.2.
    keywords = dict(QueryKeyword.objects.values_list("keyword", "purpose"))
    designators = dict(ServiceDesignator.objects.values_list("name", "purpose"))

    assert keywords == DIRECTIVE_KEYWORDS | {"c": "component of structured resource"}
    assert designators == SERVICE_DESIGNATORS | {"I=I": "URI equal to URI?"}


@pytest.mark.whole
@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize(
    ("name", "service", "address"),
    [
        ("urn:nbn:de:101:1-201102033592", "I2L", "https://nbn-resolving.org/urn:nbn:de:101:1-2011"),
        ("URN:NBN:FI-fe201003181510", "I2L", "https://urn.fi/urn:nbn:FI-fe201003181510"),
        ("urn:nbn:se:uu:diva-3475", "I2L", "https://urn.kb.se/resolve?urn=urn:nbn:se:uu:diva-3475"),
        ("urn:ietf:RFC:2648", "I2R", "https://www.rfc-editor.org/rfc/rfc2648"),
        ("urn:ietf:bcp:14", "I2C", "https://www.rfc-editor.org/info/bcp14"),
        ("urn:issn:20701721", "I2C", "https://portal.issn.org/resource/ISSN/2070-1721"),
        ("urn:isbn:0395363411", "I2C", "https://openlibrary.org/isbn/9780395363416"),
        ("urn:doi:10.123:456ABC%2Fzyz", "I2L", "https://doi.org/10.123/456ABC%2Fzyz"),
        ("urn:doi:10.1000/182", "I2L", "https://doi.org/10.1000/182"),
        (
            "urn:ietf:id:ietf-urn-ietf-06",
            "I2R",
            "https://datatracker.ietf.org/doc/html/draft-ietf-urn-ietf-06",
        ),
        (
            "urn:ietf:id:draft-ietf-urn-ietf-06",
            "I2R",
            "https://datatracker.ietf.org/doc/html/draft-ietf-urn-ietf-06",
        ),
        ("urn:ietf:params:oauth:x", "I2C", "https://www.iana.org/assignments/oauth-parameters/"),
        ("urn:ietf:params:rats:x", "I2C", "https://www.iana.org/assignments/params/"),
        ("urn:nbn:hu-3006", "I2L", "http://nbn.urn.hu/N2L?urn:nbn:hu-3006"),
        ("urn:nbn:cz:aba001-0000a1", "I2L", "https://resolver.nkp.cz/urn:nbn:cz:aba001-0000a1"),
        ("urn:nbn:it:unibo-1", "I2L", "https://nbn.depositolegale.it/urn:nbn:it:unibo-1"),
        ("urn:nbn:si:doc-1", "I2L", "https://www.dlib.si/details/urn:nbn:si:doc-1"),
        (
            "urn:lex:it:stato:legge:2003-09-21;456",
            "I2R",
            "https://www.normattiva.it/uri-res/N2Ls?urn:nir:stato:legge:2003-09-21;456",
        ),
        ("urn:lex:eu:council:directive:2010-03-09;1", "I2C", "https://eur-lex.europa.eu/"),
        ("urn:epc:id:sgtin:0614141.112345.400", "I2L", "https://id.gs1.org/01/10614141123459/21/"),
        (
            "urn:ddi:int.ddi.cv:AggregationMethod:1.0",
            "I2L",
            "https://vocabularies.cessda.eu/urn/urn:ddi:int.ddi.cv:AggregationMethod:1.0",
        ),
        ("urn:ddi:us.ddia1:R-V1:1", "I2C", "https://registry.ddialliance.org/"),
        ("urn:iso:std:iso:9999:-1:ed-1:en", "I2R", "https://standards.iso.org/iso/9999/-1/ed-1/en"),
        ("urn:ogc:def:crs:EPSG::4326", "I2R", "http://www.opengis.net/def/crs/EPSG/0/4326"),
        ("urn:ogc:def:crs:OGC:1.3:CRS84", "I2R", "http://www.opengis.net/def/crs/OGC/1.3/CRS84"),
        ("urn:lex:br:federal:lei:1988;1", "I2R", "https://www.lexml.gov.br/urn/urn:lex:br:federal"),
        (
            "urn:eidr:10.5240:7791-8534-2C23-9030-8610-5",
            "I2N",
            "urn:doi:10.5240:7791-8534-2C23-9030-8610-5",
        ),
    ],
)
def test_shipped_services_lead_names_where_they_are_known_to_be(
    name: str, service: str, address: str
) -> None:
    urn = parse(name)
    known = resolution.find_resolvable_namespace(urn.nid.lower())
    assert known is not None

    first = choose_targets(known, urn, ResolutionQuery(service)).targets[0]

    assert first.address.startswith(address)


@pytest.mark.usefixtures("shipped")
def test_shipped_services_cite_their_source_and_were_not_checked() -> None:
    rows = ResolutionService.objects.values_list("source", "operator", "probe")

    assert [
        row for row in rows if not (row[0] and row[1]) or row[2] != ProbeResult.NOT_CHECKED
    ] == []
