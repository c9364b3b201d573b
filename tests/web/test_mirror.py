"""A mirror of IANA's registry accepts no requests anywhere, and sends people to IANA."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import Settings

from registry import workflow
from registry.enums import RequestPath
from registry.models import Organization, RegistrationRequest, User
from registry.workflow import ActionRefused, drafts
from tests.factories import start
from tests.records import make_imported_namespace
from tests.template.samples import FORMAL
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

IANA = "https://www.iana.org/assignments/urn-namespaces/"


@pytest.fixture
def mirror(settings: Settings) -> None:
    settings.REGISTRY_MIRROR = True


@pytest.mark.usefixtures("mirror")
def test_pages_of_a_mirror_say_in_words_whose_it_is(client: Client) -> None:
    make_imported_namespace("needle", "RFC9998")

    for url in ("/", "/namespaces/", "/namespaces/needle/"):
        page = client.get(url)
        assert "a mirror of IANA’s list" in text_of(page)
        assert f'href="{IANA}"' in page.content.decode()
    assert "/requests/new/" not in client.get("/namespaces/needle/").content.decode()


@pytest.mark.usefixtures("mirror")
@pytest.mark.parametrize("method", ["get", "post"])
def test_request_is_not_started_on_a_page(
    method: str, registrant: User, sign_in: Callable[[User], Client]
) -> None:
    browser = sign_in(registrant)

    for url in ("/requests/new/", "/requests/new/template/"):
        answer = getattr(browser, method)(url, {"path": "community", "nid": "needle"})
        assert answer.status_code == 403
        assert IANA in answer.content.decode()
    assert not RegistrationRequest.objects.exists()


@pytest.mark.usefixtures("mirror")
def test_request_is_not_started_by_a_program(
    registrant: User, organization: Organization, sign_in: Callable[[User], Client]
) -> None:
    said = {
        "path": "community",
        "nid": "needle",
        "organization": organization.name,
        "summary": "Needles",
        "standards_action": False,
    }

    answer = sign_in(registrant).post("/api/v1/requests/", said, content_type="application/json")

    assert answer.status_code == 409
    assert "mirror of IANA" in answer.json()["detail"]
    assert not RegistrationRequest.objects.exists()


def test_draft_of_earlier_days_is_not_sent(
    draft: RegistrationRequest, registrant: User, settings: Settings
) -> None:
    settings.REGISTRY_MIRROR = True

    with pytest.raises(ActionRefused, match=f"Ask IANA: {IANA}"):
        workflow.perform(draft, "submit", actor=registrant)
    with pytest.raises(ActionRefused, match="takes no requests"):
        drafts.continue_request(draft, author=registrant)
    with pytest.raises(ActionRefused, match="takes no requests"):
        drafts.start_request(
            author=registrant,
            path=RequestPath.COMMUNITY,
            organization=draft.organization,
            summary="Needles",
            nid="needle",
        )


def test_further_round_of_earlier_days_is_not_sent(
    registrant: User, organization: Organization, settings: Settings
) -> None:
    sent = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(sent, "submit", actor=registrant)
    draft = sent.draft
    assert draft is not None
    drafts.save_draft(draft, {"purpose": "It names seeds."}, seen=draft.edition)
    settings.REGISTRY_MIRROR = True

    with pytest.raises(ActionRefused, match="takes no requests"):
        workflow.perform(sent, "submit", actor=registrant)


def test_registry_that_is_no_mirror_says_nothing_of_it(client: Client) -> None:
    assert "mirror" not in text_of(client.get("/"))
    assert client.get("/requests/new/").status_code == 200
