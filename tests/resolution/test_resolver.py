"""From a name to the best service: RFC 8141, section 2.3, and clients' preferences."""

from __future__ import annotations

from typing import Any

import pytest

from registry import resolution, selectors
from registry.models import Namespace, ResolutionService
from registry.resolution import (
    ComponentHandling,
    ResolutionQuery,
    TargetChoice,
    choose_targets,
    find_names_of_locator,
    parse_resolution_query,
)
from registry.urn import parse
from tests.factories import NamespaceFactory, ServiceFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def sample() -> Namespace:
    """A namespace without a rule."""
    return NamespaceFactory.create(nid="sample")


def serve(namespace: Namespace, template: str, **said: Any) -> ResolutionService:
    """Add a service of the namespace."""
    return ServiceFactory.create(
        namespace=namespace, template=f"https://{template}", **{"priority": 10, **said}
    )


def choice(urn: str, **wanted: Any) -> TargetChoice:
    """Return where a name leads."""
    name = parse(urn)
    known = resolution.find_resolvable_namespace(name.nid.lower())
    assert known is not None
    return choose_targets(known, name, ResolutionQuery(**wanted))


def addresses(urn: str, **wanted: Any) -> list[str]:
    """Return the addresses of a name, best first, without their scheme."""
    return [each.address.removeprefix("https://") for each in choice(urn, **wanted).targets]


# Which service


def test_longest_beginning_wins_as_the_namespace_compares_names() -> None:
    # RFC 8458, section 4.1: what is before the hyphen is not case-sensitive.
    nbn = NamespaceFactory.create(nid="nbn")
    serve(nbn, "all.example/{+nss}", priority=1)
    serve(nbn, "de.example/{+rest}", prefix="de:", priority=9)
    serve(nbn, "bonn.example/{+rest}", prefix="de:5", priority=9)

    found = [addresses(f"urn:nbn:{nss}") for nss in ("DE:5-7", "De:1-a", "fi-1", "deu-1")]

    assert found == [
        ["bonn.example/-7", "de.example/5-7", "all.example/DE:5-7"],
        ["de.example/1-a", "all.example/De:1-a"],
        ["all.example/fi-1"],
        ["all.example/deu-1"],
    ]


def test_beginning_is_compared_in_case_where_the_namespace_says_nothing(
    sample: Namespace,
) -> None:
    serve(sample, "x.example/{rest}", prefix="ab%2c:")

    assert addresses("urn:sample:ab%2C:1") == ["x.example/1"]
    assert addresses("urn:sample:AB%2C:1") == []


def test_preferred_form_of_a_name_can_stand_in_its_address() -> None:
    isbn = NamespaceFactory.create(nid="isbn")
    serve(isbn, "books.example/{compact}/{preferred}")

    assert addresses("urn:isbn:0395363411") == ["books.example/9780395363416/978-0-395-36341-6"]


@pytest.mark.parametrize(
    ("accept", "best"),
    [
        ("text/html", "page.example/1"),
        ("application/json", "data.example/1"),
        ("application/json;q=0.5, text/*", "page.example/1"),
        ("text/html;q=0.1, */*;q=0.2", "data.example/1"),
        ("application/*", "data.example/1"),
        ("image/png", "any.example/1"),
        ("*/*", "page.example/1"),
        ("", "page.example/1"),
    ],
)
def test_media_types_are_chosen_by_accept_and_then_by_priority(
    accept: str, best: str, sample: Namespace
) -> None:
    serve(sample, "page.example/{nss}", media_type="text/html", priority=1)
    serve(sample, "data.example/{nss}", media_type="application/json", priority=2)
    serve(sample, "any.example/{nss}", priority=3)

    assert addresses("urn:sample:1", accept=accept)[0] == best


@pytest.mark.parametrize(
    ("languages", "best"),
    [
        ("fi", "fi.example/1"),
        ("sv-FI, fi;q=0.5", "sv.example/1"),
        ("sv, fi;q=0.5", "sv.example/1"),
        ("de", "any.example/1"),
        ("*", "fi.example/1"),
        ("", "fi.example/1"),
    ],
)
def test_languages_are_chosen_by_accept_language(
    languages: str, best: str, sample: Namespace
) -> None:
    serve(sample, "fi.example/{nss}", language="fi", priority=1)
    serve(sample, "sv.example/{nss}", language="sv-FI", priority=2)
    serve(sample, "any.example/{nss}", priority=3)

    assert addresses("urn:sample:1", languages=languages)[0] == best


def test_directive_falls_back_to_what_the_namespace_has_and_a_service_does_not(
    sample: Namespace,
) -> None:
    # Draft -03, section 2.3.1; RFC 2169 asks one service and no other.
    serve(sample, "about.example/{nss}", service="I2C")
    known, urn = resolution.find_resolvable_namespace("sample"), parse("urn:sample:1")
    assert known is not None

    by_directive = choose_targets(known, urn, parse_resolution_query("s=I2Ls"))
    by_service = choose_targets(known, urn, ResolutionQuery("I2Ls"))

    assert [each.address for each in by_directive.targets] == ["https://about.example/1"]
    assert (by_directive.is_for_several, by_service.targets) == (True, ())


def test_equally_good_targets_have_no_best(sample: Namespace) -> None:
    serve(sample, "a.example/{nss}")
    serve(sample, "b.example/{nss}")

    both = choice("urn:sample:1")

    assert (both.best, len(both.targets)) == (None, 2)


def test_address_is_there_once_and_services_taken_away_are_not(sample: Namespace) -> None:
    serve(sample, "a.example/{nss}")
    serve(sample, "a.example/{+nss}")
    gone = serve(sample, "b.example/{nss}")
    gone.withdrawn_at = sample.updated_at
    gone.save()
    selectors.raise_registry_version()

    assert addresses("urn:sample:1") == ["a.example/1"]


def test_resolution_leads_to_the_requested_service(sample: Namespace) -> None:
    for service in ("I2L", "I2R", "I2Ls", "I2C"):
        serve(sample, f"{service}.example/{{nss}}".lower(), service=service)
    ServiceFactory.create(namespace=sample, service="I2N", template="urn:other:{+nss}")

    found = {service: addresses("urn:sample:1", service=service) for service in KINDS}

    assert found == {
        "": ["i2l.example/1", "i2r.example/1"],
        "I2L": ["i2l.example/1", "i2r.example/1"],
        "I2R": ["i2r.example/1", "i2l.example/1"],
        "I2Ls": ["i2l.example/1", "i2r.example/1", "i2ls.example/1"],
        "I2C": ["i2c.example/1"],
        "I2N": ["urn:other:1"],
    }


KINDS = ("", "I2L", "I2R", "I2Ls", "I2C", "I2N")


def test_name_that_is_only_described_leads_to_the_description(sample: Namespace) -> None:
    serve(sample, "about.example/{nss}", service="I2C")

    assert addresses("urn:sample:1") == ["about.example/1"]
    assert addresses("urn:sample:1", service="I2L") == []


# Components


@pytest.mark.parametrize(
    ("template", "address", "said"),
    [
        ("x.example/{nss}", "x.example/1?a=b#c", {"q_copied", "f_copied", "r_dropped"}),
        ("x.example/?n={nss}", "x.example/?n=1&a=b#c", {"q_appended", "f_copied", "r_dropped"}),
        ("x.example/#/{nss}", "x.example/?a=b#/1", {"q_copied", "f_dropped", "r_dropped"}),
        (
            "x.example/{nss}{?r,q,f}",
            "x.example/1?r=r1&q=a%3Db&f=c",
            {"q_taken", "f_taken", "r_taken"},
        ),
        ("x.example/{nss}{?r}", "x.example/1?r=r1&a=b#c", {"q_appended", "f_copied", "r_taken"}),
    ],
)
def test_components_go_where_rfc_8141_sends_them(
    template: str, address: str, said: set[str], sample: Namespace
) -> None:
    serve(sample, template)

    (target,) = choice("urn:sample:1?+r1?=a=b#c").targets

    assert target.address == f"https://{address}"
    assert {each.name for each in target.carried} == said


@pytest.mark.parametrize(
    ("template", "address", "handling"),
    [
        pytest.param("x.example/{+urn}", "x.example/urn:sample:1?+{r}?={q}", "r_taken", id="end"),
        pytest.param(
            "x.example/{urn}", "x.example/urn%3Asample%3A1?+{r}?={q}", "r_taken", id="encoded end"
        ),
        pytest.param("x.example{/urn}", "x.example/urn%3Asample%3A1?+{r}?={q}", "r_taken", id="/"),
        pytest.param(
            "x.example/N2L?{+urn}", "x.example/N2L?urn:sample:1?+{r}?={q}", "r_taken", id="RFC 2169"
        ),
        pytest.param(
            "x.example/?u={urn}",
            "x.example/?u=urn%3Asample%3A1%3F%2B{e}&{q}",
            "r_taken",
            id="value",
        ),
        pytest.param(
            "x.example/?u={+urn}&x=1",
            "x.example/?u=urn:sample:1%3F%2B{e}&x=1&{q}",
            "r_taken",
            id="reserved value",
        ),
        pytest.param(
            "x.example/{?urn}", "x.example/?urn=urn%3Asample%3A1%3F%2B{e}&{q}", "r_taken", id="?"
        ),
        pytest.param(
            "x.example/{+urn}{?r}",
            "x.example/urn:sample:1?r=a%3Db%2520c&{q}",
            "r_taken",
            id="a place of its own",
        ),
        pytest.param(
            "x.example/{+urn}/about", "x.example/urn:sample:1/about?{q}", "r_dropped", id="within"
        ),
        pytest.param(
            "x.example/#{urn}", "x.example/?{q}#urn%3Asample%3A1", "r_dropped", id="fragment"
        ),
        pytest.param(
            "x.example/{+urn}?u={urn}",
            "x.example/urn:sample:1?u=urn%3Asample%3A1&{q}",
            "r_dropped",
            id="twice",
        ),
    ],
)
def test_service_that_takes_whole_urns_is_sent_the_r_component_with_it(
    template: str, address: str, handling: str, sample: Namespace
) -> None:
    # RFC 8141, section 2.3.1: it SHALL be supplied along with the URN.
    serve(sample, template)
    said = {"r": "a=b%20c", "e": "a%3Db%2520c", "q": "d=e"}

    (target,) = choice("urn:sample:1?+a=b%20c?=d=e").targets

    # The operator + keeps what is reserved or encoded, the others encode it again.
    assert target.address == f"https://{address}".format(**said)
    assert handling in {each.name for each in target.carried}


def test_whole_urn_without_an_r_component_is_sent_as_before(sample: Namespace) -> None:
    serve(sample, "x.example/{+urn}")

    assert addresses("urn:sample:1?=d=e#f") == ["x.example/urn:sample:1?d=e#f"]


def test_empty_f_component_is_a_fragment_too(sample: Namespace) -> None:
    # RFC 8141, section 2.3.3: it may be empty, and is still present then.
    serve(sample, "x.example/{nss}")

    assert addresses("urn:sample:1#") == ["x.example/1#"]


def test_component_is_handed_to_services_that_take_it(sample: Namespace) -> None:
    serve(sample, "a.example/{nss}{?c}", priority=1)
    serve(sample, "b.example/{nss}", priority=2)

    first, second = choice("urn:sample:1", component="ToC").targets

    assert (first.address, first.carried) == (
        "https://a.example/1?c=ToC",
        (ComponentHandling.c_taken,),
    )
    assert (second.address, second.carried) == (
        "https://b.example/1",
        (ComponentHandling.c_dropped,),
    )


# Directives of draft -03


@pytest.mark.parametrize(
    ("query", "heeded", "ignored"),
    [
        pytest.param("s=I2Ls&c=ToC", ("I2Ls", "ToC"), [], id="2.3.1 and 2.3.2"),
        pytest.param("c=ToC&s=I2C", ("I2C", "ToC"), [], id="2.3 in any order"),
        pytest.param("s=I2C&c=1&s=I2C", ("", "1"), ["s=I2C", "s=I2C"], id="2.3 repeated"),
        pytest.param("s=I2U", ("", ""), ["s=I2U"], id="2.3 unknown value"),
        pytest.param("S=I2C", ("", ""), ["S=I2C"], id="2.3 case counts"),
        pytest.param("lang=fi&s=I2R", ("I2R", ""), ["lang=fi"], id="2.3 unknown keyword"),
        pytest.param("s=I%3DI", ("", ""), ["s=I%3DI"], id="I=I has two URIs"),
        pytest.param("c=a\x00b", ("", ""), ["c=a\x00b"], id="2.3 no v-pchar"),
        pytest.param("", ("", ""), [], id="nothing"),
    ],
)
def test_directives_are_heeded_or_ignored(
    query: str, heeded: tuple[str, str], ignored: list[str]
) -> None:
    wanted = parse_resolution_query(query)

    assert (wanted.service, wanted.component) == heeded
    assert [str(each.directive) for each in wanted.ignored] == ignored


# Back to the name


def test_names_that_lead_to_an_address_are_found(sample: Namespace) -> None:
    serve(sample, "a.example/get/{nss}.html")
    serve(sample, "b.example/{+urn}")
    serve(sample, "c.example/{+rest}", prefix="x:")
    serve(sample, "d.example/{part1}/{tail}")

    found = {
        address: [str(urn) for urn in find_names_of_locator(f"https://{address}")]
        for address in (
            "a.example/get/a%252Cb%2Fc.html",
            "a.example/get/a%252cb.htm",
            "b.example/urn:sample:1",
            "b.example/urn:other:1",
            "c.example/7",
            "d.example/1/2",
        )
    }

    assert found == {
        "a.example/get/a%252Cb%2Fc.html": ["urn:sample:a%2Cb/c"],
        "a.example/get/a%252cb.htm": [],
        "b.example/urn:sample:1": ["urn:sample:1"],
        "b.example/urn:other:1": [],
        "c.example/7": ["urn:sample:x:7"],
        "d.example/1/2": [],
    }
