"""Pages, the API and checks find every known NID that resembles one, and nobody's drafts."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry import selectors, workflow
from registry.models import Namespace, RegistrationRequest, Sighting, User
from registry.selectors.nids import list_nid_findings
from registry.workflow import drafts
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db


def find_similar(nid: str) -> list[str]:
    return [each.nid for each in selectors.find_similar_nids(nid)]


def see_in_use(nid: str) -> None:
    Sighting.objects.create(nid=nid, evidence="-", noted_at=timezone.now())


@pytest.mark.parametrize(
    ("typed", "nid"),
    [
        ("quilwort", "quillwort"),
        ("QUILLW0RT", "quillwort"),
        ("quillwrot", "quillwort"),
        ("quillwort-names", "quillwort"),
        ("ogc", "open-geospatial-consortium"),
        ("open-geospatial-consortium", "ogc"),
        ("world-library", "world-libraries"),
        ("іѕbn", "isbn"),
        ("a-very-long-name-with-many-words", "a-very-long-nmae-with-many-wrods"),
    ],
)
def test_registered_and_sighted_nid_are_found_by_what_resembles_them(typed: str, nid: str) -> None:
    NamespaceFactory.create(nid="unrelated")
    NamespaceFactory.create(nid=nid)
    see_in_use(f"{nid}s")

    assert find_similar(typed)[0] == nid
    assert set(find_similar(nid)) == {f"{nid}s"}


def test_origin_of_a_similar_nid_is_a_request_first_then_its_registration(
    in_review: RegistrationRequest,
) -> None:
    for nid in ("seedbanc", "seedbang"):
        see_in_use(nid)
    for nid in ("seedbanc", "seadbank"):
        NamespaceFactory.create(nid=nid)
    see_in_use(in_review.nid)

    near = [each.message for each in list_nid_findings("seedbanx") if each.check == "nid.near"]

    assert near == [
        "Close to “seedbanc”, which is registered. One character differs.",
        "Close to “seedbang”, which is in use unregistered. One character differs.",
        f"Close to “seedbank”, in request {in_review.reference}. One character differs.",
        "Close to “seadbank”, which is registered. Two characters differ.",
    ]


def test_requested_nid_is_found_while_the_request_asks_for_it(
    in_review: RegistrationRequest, expert: User, registrant: User
) -> None:
    assert find_similar("seedbanc") == [in_review.nid]

    workflow.perform(in_review, "request_changes", actor=expert, comment="Choose another.")
    draft = in_review.rounds.get(submitted_at=None)
    drafts.save_draft(draft, {"nid": "Quillwort"}, seen=draft.edition)

    assert (find_similar("seedbanc"), find_similar("quilwort")) == ([], ["quillwort"])


def test_draft_that_nobody_else_may_read_is_found_by_nobody(draft: RegistrationRequest) -> None:
    assert draft.nid == "seedbank"

    assert find_similar("seedbanc") == []


def test_nearest_of_a_thousand_similar_nids_take_few_queries() -> None:
    nids = [*(f"quillwort{number:04}" for number in range(1_200)), "quilwort", "quill-worts"]
    Namespace.objects.bulk_create(
        Namespace(nid=nid, nid_as_registered=nid, kind="formal") for nid in nids
    )

    with CaptureQueriesContext(connection) as queries:
        similar = find_similar("quillwort")

    assert similar[:3] == ["quilwort", "quill-worts", "quillwort0000"]
    assert similar[3:] == [f"quillwort{number:04}" for number in range(1, 8)]
    assert len(queries) == 4


@pytest.mark.parametrize("text", ["a-\0-c", "seed\0bank", "a-\ud800-c", "a" * 5_000, "-", ""])
def test_text_that_can_be_no_nid_resembles_none(text: str) -> None:
    NamespaceFactory.create(nid="quillwort")

    assert find_similar(text) == []
