"""The standards body's screens: recognitions, reports and appeals."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from registry import workflow
from registry.actions import recognition
from registry.enums import Role, State
from registry.models import Event, Organization, Recognition, RegistrationRequest, User
from registry.workflow import drafts
from tests.factories import (
    PASSWORD,
    OrganizationFactory,
    RequestFactory,
    UserFactory,
    let_speak_for,
)
from tests.sign_in import make_totp_code
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
MINUTES = "Minutes of 3 May, item 7."
STATEMENT = "A scientific society, founded 1911."
REPORT, ASSIGNMENT = "Fit for its purpose.", "The desk decides, and assigns for ever."
GROUNDS = "It is no wider than others."


@pytest.fixture
def reported(in_review: RegistrationRequest, registrant: User, expert: User) -> RegistrationRequest:
    """A request with an expert's report on its second round."""
    workflow.perform(in_review, "reroute", actor=registrant, standards_action=True)
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say who decides.")
    draft = in_review.draft
    assert draft is not None
    drafts.save_draft(draft, {"assignment": ASSIGNMENT}, seen=0)
    workflow.perform(in_review, "submit", actor=registrant)
    workflow.perform(in_review, "report", actor=expert, comment=REPORT)
    return in_review


@pytest.fixture
def appealed(in_review: RegistrationRequest, expert: User, outsider: User) -> RegistrationRequest:
    """A request whose decline somebody appeals."""
    workflow.perform(in_review, "decline", actor=expert, comment="Too wide.")
    workflow.perform(in_review, "appeal", actor=outsider, comment=GROUNDS, ground="judgement")
    return in_review


@pytest.fixture
def asked(organization: Organization, registrant: User) -> Recognition:
    return recognition.request_recognition(organization, registrant, STATEMENT)


def address(registration_request: RegistrationRequest) -> str:
    return reverse("direction:detail", args=[registration_request.slug])


def place(asked: Recognition) -> str:
    return reverse("direction:recognition", args=[asked.pk])


def ruling(
    registration_request: RegistrationRequest, verb: str, **changes: object
) -> dict[str, object]:
    return {
        "verb": verb,
        "seen": registration_request.revision,
        "comment": MINUTES,
        **changes,
    }


def answering(verb: str = "recognise", **changes: str) -> dict[str, str]:
    return {"verb": verb, "recognised_on": "2026-03-03", "comment": MINUTES, **changes}


def verbs(registration_request: RegistrationRequest) -> list[str]:
    return [event.verb for event in registration_request.events.all()]


# What waits


@pytest.mark.parametrize("who", ["registrant", "expert", "lead", "registrar", "outsider"])
def test_waiting_reports_are_for_the_standards_body_alone(
    who: str,
    reported: RegistrationRequest,
    asked: Recognition,
    request: pytest.FixtureRequest,
    sign_in: SignIn,
) -> None:
    client = sign_in(request.getfixturevalue(who))

    pages = [client.get(each) for each in ("/direction/", address(reported), place(asked))]
    forged = [
        client.post(address(reported), ruling(reported, "direct")),
        client.post(place(asked), answering()),
    ]

    assert [page.status_code for page in (*pages, *forged)] == [403] * 5
    assert all("standards body" in page.context["reason"] for page in pages)
    reported.refresh_from_db()
    assert reported.state == State.REPORTED
    assert recognition.pending_recognitions().exists()


def test_strangers_are_asked_to_sign_in(
    reported: RegistrationRequest, asked: Recognition, client: Client
) -> None:
    pages = [client.get(each) for each in ("/direction/", address(reported), place(asked))]

    assert [page.status_code for page in pages] == [302] * 3
    assert all("/accounts/sign-in/" in page.headers["Location"] for page in pages)


def test_lists_show_what_waits_how_long_and_what_was_promised(
    reported: RegistrationRequest,
    asked: Recognition,
    standards_body: User,
    sign_in: SignIn,
) -> None:
    late = timezone.now() - timedelta(30)
    RegistrationRequest.objects.update(state_since=late)
    appeal = RequestFactory.create(state=State.APPEALED)

    page = sign_in(standards_body).get("/direction/")

    context = page.context
    assert [(row.registration_request, row.is_late) for row in context["reported"]] == [
        (reported, True)
    ]
    assert [row.registration_request for row in context["appealed"]] == [appeal]
    assert [each.recognition for each in context["asking"]] == [asked]
    assert STATEMENT in text_of(page)


def test_navigation_counts_what_waits(
    reported: RegistrationRequest,
    asked: Recognition,
    standards_body: User,
    expert: User,
    sign_in: SignIn,
) -> None:
    of_body, of_expert = (
        sign_in(who).get("/").context["waiting"] for who in (standards_body, expert)
    )

    assert [(each.label, each.count) for each in of_body] == [("Direction", 2)]
    assert "Direction" not in [each.label for each in of_expert]


def test_empty_lists_say_so_in_words(standards_body: User, sign_in: SignIn) -> None:
    words = text_of(sign_in(standards_body).get("/direction/"))

    for said in (
        "No report waits for direction",
        "No appeal waits to be heard",
        "Nobody asks to be recognised",
        "Nothing has been decided here yet.",
    ):
        assert said in words


def test_lists_of_thirty_take_no_more_queries_than_of_one(
    standards_body: User,
    registrant: User,
    sign_in: SignIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    def more(count: int) -> None:
        for state in (State.REPORTED, State.APPEALED):
            RequestFactory.create_batch(count, state=state)
        for _n in range(count):
            recognition.request_recognition(OrganizationFactory.create(), registrant, "A society.")

    client = sign_in(standards_body)
    more(1)
    with CaptureQueriesContext(connection) as of_one:
        client.get("/direction/")
    more(10)

    with django_assert_num_queries(len(of_one)):
        page = client.get("/direction/")

    assert [len(page.context[name]) for name in ("reported", "appealed", "asking")] == [11] * 3


# Direction


def test_page_shows_the_report_the_differences_and_what_was_decided_before(
    reported: RegistrationRequest, standards_body: User, sign_in: SignIn
) -> None:
    page = sign_in(standards_body).get(address(reported))

    hearing, words = page.context["hearing"], text_of(page)
    assert [line.event.comment for line in hearing.reports] == [REPORT]
    assert [section.field for section in hearing.differences] == ["assignment"]
    assert [line.event.verb for line in hearing.decisions] == ["request_changes"]
    assert hearing.is_of_this_text
    assert ASSIGNMENT in words
    assert [value for value, _label in page.context["form"].fields["verb"].choices] == [
        "request_changes",
        "decline",
        "direct",
    ]


@pytest.mark.parametrize(
    ("verb", "state"),
    [
        ("direct", State.APPROVED),
        ("request_changes", State.CHANGES_REQUESTED),
        ("decline", State.REFUSED),
    ],
)
def test_body_decides_on_a_report_with_public_reasons(
    verb: str,
    state: State,
    reported: RegistrationRequest,
    standards_body: User,
    sign_in: SignIn,
) -> None:
    response = sign_in(standards_body).post(address(reported), ruling(reported, verb), follow=True)

    reported.refresh_from_db()
    event = reported.events.latest("number")
    assert (reported.state, event.verb, event.comment) == (state, verb, MINUTES)
    assert response.redirect_chain == [("/direction/", 302)]
    assert [line.event for line in response.context["latest"]] == [event]


def test_decision_without_reasons_does_not_happen(
    reported: RegistrationRequest, standards_body: User, sign_in: SignIn
) -> None:
    response = sign_in(standards_body).post(
        address(reported), ruling(reported, "direct", comment=" ")
    )

    assert error_codes(response, "comment") == ["required"]
    assert verbs(reported)[-1] == "report"


@pytest.mark.parametrize("verb", ["", "approve", "decide_appeal", "withdraw", "no-such-verb"])
def test_page_of_a_report_does_nothing_else(
    verb: str, reported: RegistrationRequest, standards_body: User, sign_in: SignIn
) -> None:
    response = sign_in(standards_body).post(address(reported), ruling(reported, verb))

    assert list(response.context["form"].errors) == ["verb"]
    assert verbs(reported)[-1] == "report"


def test_double_click_decides_once(
    reported: RegistrationRequest, standards_body: User, sign_in: SignIn
) -> None:
    client, form = sign_in(standards_body), ruling(reported, "direct")

    answers = [client.post(address(reported), form) for _click in range(2)]

    assert [answer.headers.get("Location") for answer in answers] == ["/direction/"] * 2
    assert verbs(reported).count("direct") == 1


def test_second_of_two_is_told_and_their_words_are_kept(
    reported: RegistrationRequest, standards_body: User, sign_in: SignIn
) -> None:
    other = UserFactory.create(roles=[Role.STANDARDS_BODY])
    stale = ruling(reported, "decline", comment="Refused!")
    sign_in(standards_body).post(address(reported), ruling(reported, "direct"))

    response = sign_in(other).post(address(reported), stale)

    assert response.status_code == 409
    assert "Refused!" in response.content.decode()
    assert verbs(reported)[-1] == "direct"


def test_member_with_a_stake_does_not_decide(
    reported: RegistrationRequest, standards_body: User, sign_in: SignIn
) -> None:
    let_speak_for(reported.organization, standards_body)
    client = sign_in(standards_body)

    page = client.get(address(reported))
    forged = client.post(address(reported), ruling(reported, "direct"))

    assert page.context["why_not"] in text_of(page)
    assert (page.context["form"], forged.status_code) == (None, 403)
    assert verbs(reported)[-1] == "report"


def test_request_that_is_elsewhere_says_where(
    in_review: RegistrationRequest, standards_body: User, sign_in: SignIn
) -> None:
    page = sign_in(standards_body).get(address(in_review))

    assert f"“{State.IN_REVIEW.label}”" in page.context["why_not"]
    assert page.context["why_not"] in text_of(page)
    assert page.context["form"] is None


def test_text_survives_signing_in(
    reported: RegistrationRequest, standards_body: User, client: Client
) -> None:
    answer = client.post(
        address(reported), ruling(reported, "request_changes", comment="Say more.")
    )
    client.post(answer.headers["Location"], {"login": standards_body.email, "password": PASSWORD})
    client.post("/accounts/factors/authenticate/", {"code": make_totp_code()})

    form = client.get(address(reported)).context["form"]

    assert (form["verb"].value(), form["comment"].value()) == ("request_changes", "Say more.")
    assert verbs(reported)[-1] == "report"


def test_steps_of_the_body_lead_to_its_own_page(
    reported: RegistrationRequest, standards_body: User, sign_in: SignIn
) -> None:
    client = sign_in(standards_body)

    answers = [
        client.get(f"/requests/{reported.slug}/act/{verb}/")
        for verb in ("direct", "request_changes", "decline")
    ]

    assert [answer.headers["Location"] for answer in answers] == [address(reported)] * 3


# Appeals


def test_appeal_is_read_beside_its_decision_and_decided_one_click_further(
    appealed: RegistrationRequest, standards_body: User, sign_in: SignIn
) -> None:
    client = sign_in(standards_body)
    page = client.get(address(appealed))
    [decide] = page.context["appeal_steps"]

    form = client.get(decide.url).context["form"]
    client.post(
        decide.url,
        {"seen": appealed.revision, "outcome": "goes_back", "comment": "Look again."},
    )

    appealed.refresh_from_db()
    assert {GROUNDS, "Too wide."} <= {
        line.event.comment
        for line in (*page.context["hearing"].appeals, *page.context["hearing"].decisions)
    }
    assert [value for value, _label in form.fields["outcome"].choices] == [
        "stands",
        "goes_back",
        "anew",
    ]
    assert (appealed.state, verbs(appealed)[-1]) == (State.IN_REVIEW, "decide_appeal")


# Recognition


def test_page_of_a_body_shows_its_statement_and_its_requests(
    asked: Recognition, in_review: RegistrationRequest, standards_body: User, sign_in: SignIn
) -> None:
    with time_machine.travel(timezone.now(), tick=False):
        page = sign_in(standards_body).get(place(asked))
        today = timezone.localdate()

    assert STATEMENT in text_of(page)
    assert f'value="{today.isoformat()}"' in page.content.decode()
    assert list(page.context["requests"]) == [in_review]


def test_recognition_has_a_day_and_a_source(
    asked: Recognition, organization: Organization, standards_body: User, sign_in: SignIn
) -> None:
    response = sign_in(standards_body).post(place(asked), answering(), follow=True)

    organization.refresh_from_db()
    assert organization.recognised_on == datetime.date(2026, 3, 3)
    assert organization.recognition_source == MINUTES
    assert response.redirect_chain == [("/direction/", 302)]
    line = response.context["latest"][0]
    assert line.event.verb == "recognise"
    assert line.words in text_of(response)
    assert str(organization) in line.words


def test_refusal_of_recognition_has_reasons_and_no_day(
    asked: Recognition, organization: Organization, standards_body: User, sign_in: SignIn
) -> None:
    form = answering("refuse_recognition", recognised_on="no day", comment="No such body.")

    sign_in(standards_body).post(place(asked), form)

    asked.refresh_from_db()
    organization.refresh_from_db()
    assert (asked.is_granted, asked.reasons) == (False, "No such body.")
    assert not organization.is_recognised


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"verb": ""}, "verb"),
        ({"comment": " "}, "comment"),
        ({"comment": "a\x00b"}, "comment"),
        ({"recognised_on": ""}, "recognised_on"),
        ({"recognised_on": "3 May"}, "recognised_on"),
        ({"recognised_on": "2999-01-01"}, "recognised_on"),
    ],
)
def test_wrong_answers_are_told_beside_the_field_and_kept(
    typed: dict[str, str],
    field: str,
    asked: Recognition,
    standards_body: User,
    sign_in: SignIn,
) -> None:
    form = answering(**typed)

    response = sign_in(standards_body).post(place(asked), form)

    assert list(response.context["form"].errors) == [field]
    assert response.context["form"][field].value() == form[field]
    assert recognition.pending_recognitions().exists()


def test_second_answer_is_told_and_a_double_click_is_not(
    asked: Recognition, standards_body: User, sign_in: SignIn
) -> None:
    other = UserFactory.create(name="Other Body", roles=[Role.STANDARDS_BODY])
    client = sign_in(standards_body)

    clicks = [client.post(place(asked), answering()) for _click in range(2)]
    told = sign_in(other).post(
        place(asked), answering("refuse_recognition", comment="I would not.")
    )
    read = sign_in(other).get(place(asked))

    assert [click.status_code for click in clicks] == [302, 302]
    assert told.status_code == 409
    assert "Stine Standards" in text_of(told)
    assert "I would not." in told.content.decode()
    assert read.context["outcome"] in text_of(read)
    assert str(asked.organization) in read.context["outcome"]
    assert Event.objects.filter(verb="recognise").count() == 1


def test_member_of_the_organization_leaves_the_answer_to_another(
    asked: Recognition, organization: Organization, standards_body: User, sign_in: SignIn
) -> None:
    let_speak_for(organization, standards_body)
    client = sign_in(standards_body)

    page, forged = client.get(place(asked)), client.post(place(asked), answering())

    for answer in (page, forged):
        assert answer.context["why_not"] in text_of(answer)
        assert 'name="recognised_on"' not in answer.content.decode()
    assert recognition.pending_recognitions().exists()


def test_unknown_recognition_is_not_found(standards_body: User, sign_in: SignIn) -> None:
    response = sign_in(standards_body).get("/direction/recognitions/999999/")

    assert response.status_code == 404
    assert not Recognition.objects.exists()


# Asking apart from Start


def test_registrant_asks_before_the_request_changes_its_path(
    in_review: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    client, url = sign_in(registrant), reverse("requests:recognition", args=[in_review.slug])
    without = client.post(url, {"statement": " "})

    client.post(url, {"statement": "A scientific society."})
    workflow.perform(in_review, "reroute", actor=registrant, path="fast_track")

    assert error_codes(without, "statement") == ["required"]
    assert recognition.pending_recognitions().get().asked_by == registrant
    assert in_review.state == State.ADVISORY
    assert client.get(url).context["standing"] == recognition.RecognitionStatus.PENDING.value


def test_page_of_the_path_leads_to_asking_for_recognition(
    in_review: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    page = sign_in(registrant).get(f"/requests/{in_review.slug}/act/reroute/")

    place = reverse("requests:recognition", args=[in_review.slug])
    assert f'href="{place}"' in page.content.decode()


def test_nobody_else_asks_for_recognition_of_a_body(
    in_review: RegistrationRequest, outsider: User, sign_in: SignIn
) -> None:
    url = reverse("requests:recognition", args=[in_review.slug])

    response = sign_in(outsider).post(url, {"statement": "A scientific society."})

    assert response.status_code == 403
    assert not recognition.pending_recognitions().exists()
