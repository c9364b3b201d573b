"""Loading the registry: the content of valid files is loaded unchanged, once."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from registry import selectors, sightings, workflow
from registry.enums import NamespaceKind, NamespaceStatus
from registry.exchange import seed
from registry.models import (
    Counter,
    Event,
    Namespace,
    Organization,
    Provenance,
    RegistrationRequest,
    ReservedName,
    ResolutionService,
    Sighting,
    User,
)
from tests.exchange.seed.seed_files import (
    ORCHARD,
    ORCHARD_FROM,
    SEVENTH,
    SEVENTH_FROM,
    Files,
    everything,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


@pytest.mark.whole
def test_shipped_registry_is_loaded_and_the_next_informal_number_is_9() -> None:
    call_command("load_registry", stdout=io.StringIO())

    kinds = list(Namespace.objects.values_list("kind", flat=True))
    assert (kinds.count(NamespaceKind.FORMAL), kinds.count(NamespaceKind.INFORMAL)) == (96, 8)
    assert Counter.objects.expected(Counter.INFORMAL) == 9
    assert Provenance.objects.count() == 104
    assert set(Namespace.objects.values_list("status", flat=True)) == {NamespaceStatus.ACTIVE}


@pytest.mark.whole
def test_loading_twice_changes_nothing_and_writes_no_event() -> None:
    first, second = io.StringIO(), io.StringIO()
    call_command("load_registry", stdout=first)
    before = everything()

    call_command("load_registry", stdout=second)

    assert everything() == before
    served = ResolutionService.objects.values("namespace").distinct().count()
    verbs = [event.verb for event in Event.objects.order_by("number")]
    seen = Sighting.objects.count()
    imported = ["import"] * 104 + ["import_vocabularies"] + ["import_services"] * served
    assert verbs == imported + ["note_sighting"] * seen
    reserved, services = ReservedName.objects.count(), ResolutionService.objects.count()
    assert first.getvalue().splitlines() == [
        "Namespaces: 104 added, 0 changed, 0 unchanged.",
        f"Resolution services: {services} added, 0 changed, 0 unchanged.",
        "Query keywords and service designators: 11 added, 0 changed, 0 unchanged.",
        f"Reserved names: {reserved} added, 0 changed, 0 unchanged.",
        f"Identifiers in use without registration: {seen} added, 0 changed, 0 unchanged.",
    ]
    assert second.getvalue().splitlines() == [
        "Namespaces: 0 added, 0 changed, 104 unchanged.",
        f"Resolution services: 0 added, 0 changed, {services} unchanged.",
        "Query keywords and service designators: 0 added, 0 changed, 11 unchanged.",
        f"Reserved names: 0 added, 0 changed, {reserved} unchanged.",
        f"Identifiers in use without registration: 0 added, 0 changed, {seen} unchanged.",
    ]


def test_command_refuses_bad_files_with_all_their_defects(files: Files) -> None:
    files.write([{**ORCHARD, "registered": "soon"}, {**SEVENTH, "confidence": "high"}])
    before = everything()

    with pytest.raises(CommandError) as caught:
        call_command("load_registry", namespaces=files.namespaces, provenance=files.provenance)

    assert str(caught.value).splitlines() == [
        "Nothing was loaded.",
        "names.csv, line 2: registered: “soon” is not a date. Write 2026-11-20, or 2026-11, or "
        "leave it empty.",
        "names.csv, line 3: confidence: “high” is none of: “seen”, “memory”.",
    ]
    assert everything() == before


def test_command_says_which_file_facts_are_from(files: Files) -> None:
    call_command(
        "load_registry",
        namespaces=files.namespaces,
        provenance=files.provenance,
        stdout=io.StringIO(),
    )

    assert set(Provenance.objects.values_list("source", flat=True)) == {"File names.csv"}


def test_facts_are_loaded_as_precise_as_they_are(files: Files) -> None:
    files.load()

    orchard = Namespace.objects.get(nid="orchard")
    assert (orchard.nid_as_registered, orchard.registered_on) == ("Orchard", "2011-04")
    assert orchard.references == ["RFC9901", "RFC Errata 12"]
    assert (orchard.last_known_version, orchard.next_version) == ("2.1", 3)
    assert (str(orchard.registrant), orchard.summary) == ("Orchard Society", "apple trees")
    assert orchard.background == "RFC 9901 is Historic."
    assert orchard.current is None
    provenance = orchard.provenance
    assert (provenance.is_verified, provenance.is_date_verified) == (True, False)
    assert provenance.registered_source == "rfc-month-memory"
    assert provenance.template_url == "https://registry.example/orchard"
    assert (provenance.template_date, provenance.template_generation) == ("2010-12-01", "3406")


def test_unknown_facts_stay_empty(files: Files) -> None:
    files.load()

    seventh = Namespace.objects.get(nid="urn-7")
    assert (seventh.kind, seventh.informal_number) == (NamespaceKind.INFORMAL, 7)
    assert (seventh.registrant, seventh.summary, seventh.registered_on) == (None, "", "")
    assert (seventh.references, seventh.last_known_version, seventh.next_version) == ([], "", None)
    assert seventh.provenance.is_verified is False


def test_guess_and_an_unchecked_address_are_not_loaded_as_facts(files: Files) -> None:
    files.write(
        [
            {
                **ORCHARD,
                "registrant_organization": "Orchard Society (assumed)",
                "purpose_hint": "apple trees (assumed)",
            }
        ],
        [{**ORCHARD_FROM, "template_url_source": "pattern"}],
    )

    files.load()

    orchard = Namespace.objects.get(nid="orchard")
    assert (orchard.registrant, orchard.summary) == (None, "")
    assert orchard.provenance.template_url == ""
    assert orchard.references == ["RFC9901", "RFC Errata 12"]
    assert list(Organization.objects.all()) == []


def test_changed_fact_is_loaded_and_the_event_keeps_the_one_before(files: Files) -> None:
    files.load()
    files.write([{**ORCHARD, "registered": "2011-04-09"}, SEVENTH])

    told = files.load()

    assert told == "0 added, 1 changed, 1 unchanged"
    assert Namespace.objects.get(nid="orchard").registered_on == "2011-04-09"
    added, changed = Event.objects.filter(namespace__nid="orchard")
    assert (added.verb, added.comment, added.actor) == ("import", "Added.", None)
    assert (changed.verb, changed.comment) == ("import", "Changed: registered on.")
    assert changed.data == {"source": "a test", "before": {"registered_on": "2011-04"}}


def test_status_that_a_namespace_has_here_survives_a_load(files: Files) -> None:
    files.load()
    Namespace.objects.filter(nid="orchard").update(status=NamespaceStatus.DEPRECATED)
    files.write([{**ORCHARD, "purpose_hint": "pear trees"}, SEVENTH])

    files.load()

    orchard = Namespace.objects.get(nid="orchard")
    assert (orchard.status, orchard.summary) == (NamespaceStatus.DEPRECATED, "pear trees")


def test_namespace_that_was_registered_here_is_left_as_it_is(
    files: Files, approved: RegistrationRequest, registrar: User
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    nid = approved.nid
    files.write([{**ORCHARD, "nid": nid}, SEVENTH], [{**ORCHARD_FROM, "nid": nid}, SEVENTH_FROM])
    before = Namespace.objects.values().get(nid=nid)

    told = files.load()

    assert told == "1 added, 0 changed, 0 unchanged, 1 kept as registered here"
    assert Namespace.objects.values().get(nid=nid) == before
    assert Provenance.objects.filter(namespace__nid=nid).count() == 0


def test_namespace_missing_from_the_file_stays(files: Files) -> None:
    files.load()
    files.write([ORCHARD], [ORCHARD_FROM])

    files.load()

    assert [each.nid for each in Namespace.objects.all()] == ["orchard", "urn-7"]


def test_next_informal_number_never_goes_back(files: Files) -> None:
    Counter.objects.raise_to(Counter.INFORMAL, 12)

    files.load()

    assert Counter.objects.expected(Counter.INFORMAL) == 13


def test_registrants_are_one_organization_whatever_the_case(files: Files) -> None:
    Organization.objects.create(name="ORCHARD SOCIETY")

    files.load()

    assert [each.name for each in Organization.objects.all()] == ["ORCHARD SOCIETY"]


@pytest.mark.parametrize(
    "nid",
    [
        pytest.param("ab", id="5.1-two-letters"),
        pytest.param("de-flowers", id="5.1-country-code"),
        pytest.param("X-trees", id="5.1-experimental"),
    ],
)
def test_names_already_registered_are_not_judged_by_the_rules_of_today(
    files: Files, nid: str
) -> None:
    files.write([{**ORCHARD, "nid": nid}], [{**ORCHARD_FROM, "nid": nid}])

    files.load()

    assert [each.nid_as_registered for each in Namespace.objects.all()] == [nid]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: b"\xef\xbb\xbf" + text, id="byte-order-mark"),
        pytest.param(lambda text: text.replace(b"\n", b"\r\n"), id="line-ends-of-windows"),
        pytest.param(lambda text: text.replace(b"\n", b"\n\n"), id="blank-lines"),
        pytest.param(lambda text: text.rstrip(b"\n"), id="no-line-end-at-the-end"),
    ],
)
def test_byte_order_mark_and_blank_lines_make_no_difference(
    files: Files, change: Callable[[bytes], bytes]
) -> None:
    for path in (files.namespaces, files.provenance):
        path.write_bytes(change(path.read_bytes()))

    told = files.load()

    assert told == "2 added, 0 changed, 0 unchanged"


def test_columns_may_stand_in_another_order(files: Files) -> None:
    files.write([dict(reversed(ORCHARD.items())), dict(reversed(SEVENTH.items()))])

    assert files.load() == "2 added, 0 changed, 0 unchanged"


def test_reserved_name_that_an_administrator_added_stays(files: Files) -> None:
    ReservedName.objects.create(list="registry", name="internal", note="ours")

    names = seed.read_reserved_names()
    seed.load_reserved_names(names)

    assert ReservedName.objects.get(name="internal").note == "ours"
    assert ReservedName.objects.count() == len(names) + 1


def test_load_that_fails_halfway_leaves_nothing_behind(files: Files) -> None:
    good, other = seed.read_namespaces(files.namespaces, files.provenance)
    broken = dataclasses.replace(other, facts={**other.facts, "informal_number": 0})
    before = everything()

    with pytest.raises(IntegrityError):
        seed.load_namespaces([good, broken])

    assert everything() == before
    assert str(seed.load_namespaces([good, other])) == "2 added, 0 changed, 0 unchanged"


def test_shipped_sighting_is_found_by_who_types_the_identifier() -> None:
    seed.load_sightings(seed.read_sightings())

    noted = Sighting.objects.get(nid="ngsi-ld")
    near = [each.check for each in selectors.list_nid_findings("ngsi-lod")]

    assert noted.noted_by is None
    assert noted.evidence.endswith("https://www.etsi.org/deliver/etsi_gs/CIM/001_099/009/")
    assert [each.check for each in selectors.list_nid_findings("ngsi-ld")] == ["nid.sighted"]
    assert near == ["nid.near"]


def test_sightings_corrected_or_withdrawn_by_experts_stay_so(expert: User) -> None:
    entries = seed.read_sightings()
    seed.load_sightings(entries)
    corrected, withdrawn = (Sighting.objects.get(nid=nid) for nid in ("nir", "lsid"))
    sightings.correct_sighting(
        corrected,
        actor=expert,
        seen=corrected.edition,
        evidence="Laws of Italy.",
        user_of_it="Normattiva",
        address="",
    )
    sightings.withdraw_sighting(withdrawn, actor=expert, reason="Its users gave it up.")

    did = seed.load_sightings(entries)

    assert (did.added, did.changed, did.kept) == (0, 0, 2)
    assert Sighting.objects.get(nid="nir").evidence == "Laws of Italy."
    assert not Sighting.objects.filter(nid="lsid").exists()


def test_sighting_that_reads_otherwise_in_the_file_is_brought_up_to_date() -> None:
    first = seed.SeedSighting("pear-names", "Pear growers", "urn:pear-names:1.")
    seed.load_sightings([first])

    did = seed.load_sightings([dataclasses.replace(first, user_of_it="Pear growers of Isby")])

    assert str(did) == "0 added, 1 changed, 0 unchanged"
    assert Sighting.objects.get().user_of_it == "Pear growers of Isby"
    assert [event.verb for event in Event.objects.order_by("number")] == [
        "note_sighting",
        "correct_sighting",
    ]


def test_registered_namespace_is_no_sighting(files: Files) -> None:
    files.load()

    did = seed.load_sightings([seed.SeedSighting("orchard", "Growers", "urn:orchard:1.")])

    assert did.kept == 1
    assert Sighting.objects.count() == 0


def test_file_of_sightings_with_defects_is_refused_whole(tmp_path: Path) -> None:
    file = tmp_path / "seen.csv"
    file.write_text(
        "nid,user_of_it,evidence,source\n"
        "pe_ar,Growers,urn:pear:1,https://pear.example/\n"
        "plum,,urn:plum:1,nowhere\n"
        "fig,Growers,urn:fig:1,https://fig.example/\n"
        "FIG,Growers,urn:fig:2,https://fig.example/\n",
        "utf-8",
    )

    with pytest.raises(seed.InvalidSeedFiles) as refused:
        seed.read_sightings(file)

    assert [str(defect) for defect in refused.value.defects] == [
        "seen.csv, line 2: nid: “pe_ar” is not a NID (RFC 8141, section 2).",
        "seen.csv, line 3: source: “nowhere” is not an address in the web.",
        "seen.csv, line 3: user_of_it: It is empty.",
        "seen.csv, line 5: The same identifier is also in line 4.",
    ]
