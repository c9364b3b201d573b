"""Submitting a round: everything is said at once, and nothing is submitted twice by accident."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from registry import workflow
from registry.enums import HoldGround, RequestPath, State
from registry.models import HeldNid, Organization, RegistrationRequest, User
from registry.template import sha256
from registry.workflow import drafts
from tests.factories import start
from tests.template.samples import FORMAL
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


def address(registration_request: RegistrationRequest) -> str:
    return reverse("requests:send", args=[registration_request.slug])


def opened(browser: Client, registration_request: RegistrationRequest) -> dict[str, object]:
    """Return what the page would send if nothing were typed."""
    form = browser.get(address(registration_request)).context["form"]
    values = {name: form[name].value() for name in form.fields}
    return {name: "" if value is None else value for name, value in values.items()}


def rounds_sent(registration_request: RegistrationRequest) -> list[int]:
    return list(registration_request.rounds.sent().values_list("number", flat=True))


def write_on(registration_request: RegistrationRequest, **changes: object) -> None:
    draft = registration_request.draft
    assert draft is not None
    drafts.save_draft(draft, changes, seen=draft.edition)


@pytest.fixture
def browser(sign_in: SignIn, registrant: User) -> Client:
    return sign_in(registrant)


def test_findings_are_listed_by_what_they_prevent_with_the_sections_to_mend_them_in(
    browser: Client, draft: RegistrationRequest
) -> None:
    write_on(draft, interoperability="", examples=["nonsense"], purpose="TBD")

    response = browser.get(address(draft))

    def listed(kind: str) -> list[tuple[str, str]]:
        found = getattr(response.context["findings"], kind)
        return [(each.finding.check, each.page.slug) for each in found]

    assert listed("blocking") == [
        ("examples.syntax", "syntax"),
        ("section.empty", "interoperability"),
    ]
    assert listed("later") == [("placeholder.left", "purpose")]
    assert listed("to_consider") == [("examples.few", "syntax")]
    assert f'href="{draft.get_absolute_url()}edit/interoperability/"' in response.content.decode()
    assert "2 things" in text_of(response)


def test_send_names_all_that_prevents_publication_later_on_page_and_api(
    browser: Client, registrant: User, organization: Organization
) -> None:
    fast = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    write_on(fast, resolution="TBD")
    HeldNid.objects.create(
        nid=fast.nid,
        ground=HoldGround.DIRECTION,
        reasons="A specification is in work.",
        source="Minutes",
        until=timezone.localdate(),
        held_by=registrant,
        held_at=timezone.now(),
    )

    page = text_of(browser.get(address(fast)))
    obstacles = browser.get(f"/api/v1/requests/{fast.reference}/draft/").json()[
        "publication_obstacles"
    ]

    assert [each["kind"] for each in obstacles] == ["text", "held_nid", "recognition"]
    promised = page.partition("Nobody can publish before this is done")[2]
    assert all(each["message"] in promised for each in obstacles)


def test_send_freezes_the_round_and_makes_it_public(
    client: Client, browser: Client, draft: RegistrationRequest
) -> None:
    assert client.get(draft.get_absolute_url()).status_code == 404

    response = browser.post(address(draft), opened(browser, draft) | {"comment": "Here it is."})

    sent = draft.rounds.get()
    assert response.headers["Location"] == draft.get_absolute_url()
    assert (sent.number, sent.sha256) == (1, sha256(sent.template))
    assert [event.verb for event in draft.events.all()] == ["start", "submit"]
    assert "Here it is." in text_of(client.get(draft.get_absolute_url()))


def test_text_with_something_to_fix_is_not_sent_though_it_is_posted(
    browser: Client, draft: RegistrationRequest
) -> None:
    write_on(draft, purpose="")

    response = browser.post(address(draft), opened(browser, draft) | {"comment": "Now."})

    (error,) = response.context["form"].non_field_errors()
    assert error.startswith("1 thing ")
    assert response.context["form"]["comment"].value() == "Now."
    assert rounds_sent(draft) == []


def test_double_click_sends_one_round(browser: Client, draft: RegistrationRequest) -> None:
    typed = opened(browser, draft)

    first, second = (browser.post(address(draft), typed) for _click in range(2))

    assert [first.headers["Location"], second.headers["Location"]] == [draft.get_absolute_url()] * 2
    assert rounds_sent(draft) == [1]
    assert draft.events.filter(verb="submit").count() == 1


def test_double_click_on_the_fast_track_sends_one_round(
    browser: Client, registrant: User, organization: Organization
) -> None:
    fast = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(fast, "submit", actor=registrant)
    write_on(fast, assignment="Only the federation assigns names.")
    typed = opened(browser, fast)

    first, second = (browser.post(address(fast), typed) for _click in range(2))

    assert [first.status_code, second.status_code] == [302, 302]
    assert rounds_sent(fast) == [1, 2]


def test_draft_that_was_changed_meanwhile_is_read_again_before_it_is_sent(
    browser: Client, draft: RegistrationRequest
) -> None:
    typed = opened(browser, draft)
    write_on(draft, assignment="Somebody else's words.")

    response = browser.post(address(draft), typed | {"comment": "Sent in haste."})

    assert response.context["form"].non_field_errors()
    assert response.context["form"]["comment"].value() == "Sent in haste."
    assert rounds_sent(draft) == []


def test_page_names_the_sections_that_were_typed_while_signed_out(
    client: Client, draft: RegistrationRequest, registrant: User
) -> None:
    edit = reverse("requests:edit", args=[draft.slug, "assignment"])
    client.post(edit, {"seen": "1-0123456789abcdef", "assignment": "Anyone."})
    client.force_login(registrant)

    page = client.get(address(draft))

    assert [each.title for each in page.context["unsaved_pages"]] == ["Assignment"]
    assert f'unsaved text, which would not be sent: <a href="{edit}">' in page.content.decode()


def test_stale_page_sends_nothing(
    browser: Client, registrant: User, in_review: RegistrationRequest, expert: User
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say who may join.")
    typed = opened(browser, in_review) | {"comment": "Too hasty."}
    write_on(in_review, assignment="Anybody may join.")
    workflow.perform(in_review, "submit", actor=registrant)
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say how.")
    write_on(in_review, assignment="Anybody may join by writing to us.")

    response = browser.post(address(in_review), typed)

    assert response.status_code == 409
    assert response.context["form"]["comment"].value() == "Too hasty."
    assert rounds_sent(in_review) == [1, 2]


def test_next_round_shows_what_changes(
    browser: Client, in_review: RegistrationRequest, expert: User
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say who may join.")
    write_on(in_review, assignment="Anybody may join.")

    response = browser.get(address(in_review))

    assert [section.label for section in response.context["differences"]] == ["Assignment"]
    assert "send round 2" in text_of(response)


def test_co_editor_reads_the_checks_and_cannot_send(
    sign_in: SignIn, outsider: User, draft: RegistrationRequest
) -> None:
    draft.co_editors.add(outsider)
    browser = sign_in(outsider)

    page = browser.get(address(draft))
    refused = browser.post(address(draft), {"seen": 0, "edition": 1, "comment": ""})

    assert 'name="edition"' not in page.content.decode()
    assert refused.context["form"].non_field_errors()
    assert rounds_sent(draft) == []


def test_comment_with_control_characters_is_refused_beside_its_field(
    browser: Client, draft: RegistrationRequest
) -> None:
    response = browser.post(address(draft), opened(browser, draft) | {"comment": "a\x1bb"})

    assert list(response.context["form"].errors) == ["comment"]
    assert response.context["form"]["comment"].value() == "a\x1bb"
    assert rounds_sent(draft) == []


def test_page_leads_back_while_the_text_is_with_others(
    browser: Client, in_review: RegistrationRequest
) -> None:
    response = browser.get(address(in_review), follow=True)

    assert in_review.state == State.IN_REVIEW
    assert response.redirect_chain == [(in_review.get_absolute_url(), 302)]
