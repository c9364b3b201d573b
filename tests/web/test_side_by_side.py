"""Two requests for one identifier, or for two similar ones, are read side by side."""

from __future__ import annotations

import pytest
from django.test import Client

from registry import selectors, workflow
from registry.enums import RequestPath
from registry.models import RegistrationRequest, User
from registry.presenters import requests as requests_presenter
from registry.template import Template
from tests.factories import OrganizationFactory, start
from tests.template.samples import FORMAL
from tests.web.experts import SignIn, address
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


def rival_of(registrant: User, nid: str, text: Template = FORMAL) -> RegistrationRequest:
    renamed = text.replace(**{name: text[name].replace(text.nid, nid) for name in text.to_dict()})
    rival = start(registrant, OrganizationFactory.create(), renamed, RequestPath.COMMUNITY)
    workflow.perform(rival, "submit", actor=registrant)
    return rival


def beside(left: RegistrationRequest, right: RegistrationRequest) -> str:
    return f"/requests/{left.slug}/beside/{right.slug}/"


def test_rival_requests_are_compared_side_by_side_for_everybody(
    in_review: RegistrationRequest, registrant: User, client: Client
) -> None:
    purpose = "Buoys, and nothing else."
    rival = rival_of(registrant, FORMAL.nid, FORMAL.replace(purpose=purpose))

    page = client.get(beside(in_review, rival))

    words = text_of(page)
    assert "the same identifier" in words
    assert purpose in words
    assert FORMAL.purpose.split()[0] in words
    assert [pair.name for pair in page.context["beside"].differing] == ["purpose"]
    assert "Assignment" in words.partition("same in both:")[2]


def test_requests_for_close_identifiers_are_compared_side_by_side(
    in_review: RegistrationRequest, registrant: User, expert: User, client: Client, sign_in: SignIn
) -> None:
    close = rival_of(registrant, f"{FORMAL.nid}s")

    page = client.get(beside(in_review, close))

    assert "easily confused" in text_of(page)
    assert beside(in_review, close) in client.get(in_review.get_absolute_url()).content.decode()
    assert beside(close, in_review) in sign_in(expert).get(address(close)).content.decode()


def test_nearest_of_many_close_identifiers_are_pointed_out(
    in_review: RegistrationRequest,
    registrant: User,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(requests_presenter, "MAX_SIMILAR_SHOWN", 1)
    nearest = rival_of(registrant, f"{FORMAL.nid}s")
    farther = rival_of(registrant, f"{FORMAL.nid}-holdings")

    page = client.get(in_review.get_absolute_url()).content.decode()

    assert (beside(in_review, nearest) in page, beside(in_review, farther) in page) == (True, False)
    assert selectors.list_similar_requests(in_review) == [nearest, farther]


def test_unrelated_requests_are_not_compared(
    in_review: RegistrationRequest, registrant: User, client: Client
) -> None:
    other = rival_of(registrant, "lighthouse")

    assert client.get(beside(in_review, other)).status_code == 404


def test_draft_is_compared_with_nothing(
    in_review: RegistrationRequest, draft: RegistrationRequest, client: Client
) -> None:
    assert client.get(beside(in_review, draft)).status_code == 404
    assert client.get(beside(draft, in_review)).status_code == 404
