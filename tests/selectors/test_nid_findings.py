"""What people are asked to consider about a NID that breaks no hard rule."""

from __future__ import annotations

import pytest
from django.test import Client

from registry import selectors, workflow
from registry.exchange import seed
from registry.models import RegistrationRequest, User
from tests.factories import NamespaceFactory, RequestFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def names(db: None) -> None:
    """The lists and the sightings that the registry ships."""
    seed.load_reserved_names(seed.read_reserved_names())
    seed.load_sightings(seed.read_sightings())


@pytest.mark.parametrize(
    ("nid", "check", "words"),
    [
        pytest.param("doi", "nid.reserved", "“doi” is also on a list", id="8141-5.1-scheme"),
        pytest.param("finland", "nid.suggests", "“finland” in it suggests", id="8141-5.1-country"),
        pytest.param("seed-usa", "nid.suggests", "“usa” in it suggests", id="8141-5.1-alpha-3"),
        pytest.param(
            "new-zealand", "nid.suggests", "“new zealand” in it suggests", id="8141-5.1-two-words"
        ),
        pytest.param("our-orcid", "nid.suggests", "“orcid” in it suggests", id="8141-5.1-system"),
        pytest.param("library", "nid.general", "many others could claim", id="8141-5.1-a-word"),
        *(
            pytest.param(nid, "nid.general", "many others could claim", id=nid)
            for nid in ("test", "localhost", "iana", "rfc", "arpa", "null")
        ),
        pytest.param("ngsi-ld", "nid.sighted", "seen in use", id="8141-5-in-use"),
        pytest.param("microsoft-names", "nid.near", "“microsoft”", id="8141-5-a-sister"),
    ],
)
def test_suggestion_of_an_identifier_is_told(names: None, nid: str, check: str, words: str) -> None:
    told = [each for each in selectors.list_nid_findings(nid) if each.check == check]

    assert any(words in each.message for each in told)
    assert {each.source for each in told} == {"RFC 8141, section 5.1"}


@pytest.mark.parametrize("nid", ["seedbank", "seeds-and-soil", "northlight", "r2-d2"])
def test_identifier_that_suggests_nothing_is_left_in_peace(names: None, nid: str) -> None:
    assert selectors.list_nid_findings(nid) == ()


def test_identifier_that_somebody_else_withdrew_names_the_earlier_request(
    in_review: RegistrationRequest, registrant: User, outsider: User
) -> None:
    workflow.perform(in_review, "withdraw", actor=registrant)
    own = RequestFactory.create(author=registrant, nid=in_review.nid)
    other = RequestFactory.create(author=outsider, nid=in_review.nid)

    told = [
        [each.message for each in selectors.list_nid_findings(asked.nid, asked)]
        for asked in (own, other)
    ]

    assert told[0] == []
    assert any(in_review.reference in message for message in told[1])


@pytest.mark.pages
def test_identifier_check_of_the_api_says_what_the_page_says(client: Client) -> None:
    NamespaceFactory.create(nid="lookone")

    for nid in ("look-one", "null", "lookone", "x-a", "northlight"):
        findings = client.get("/api/v1/urn/identifier/", {"nid": nid}).json()["findings"]
        assert [each["message"] for each in findings] == [
            each.message for each in selectors.list_nid_findings(nid)
        ]
