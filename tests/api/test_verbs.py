"""Every verb of the workflow, for programs: the same forms and refusals as on pages."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from registry import journal, workflow
from registry.api.throttling import WritingThrottle
from registry.enums import RequestPath, State
from registry.models import Event, Namespace, Organization, RegistrationRequest, User
from registry.selectors.checklist import list_questions
from registry.workflow import TRANSITIONS, Transition
from tests.api.clients import ACTS_FOR, JSON, Program
from tests.factories import (
    RequestFactory,
    let_speak_for,
)
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """Reset the counts of earlier tests."""
    cache.clear()


def written(text: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a text that a registrant writes."""
    return {name: value for name, value in text.items() if name not in {"version", "date"}}


def problem(response: Any) -> tuple[int, str]:
    """Return status and detail, after checking that these are problem details."""
    told = response.json()
    assert response.headers["Content-Type"] == "application/problem+json"
    assert told["type"].startswith(f"{settings.SITE}/api/problems/#")
    assert told["status"] == response.status_code
    return response.status_code, told["detail"]


@pytest.mark.whole
def test_formal_namespace_is_registered_by_programs_alone(
    registrant: User, expert: User, registrar: User
) -> None:
    author, judge, publisher = map(Program.of, (registrant, expert, registrar))
    asked = {
        "path": "community",
        "organization": "Northlight Seed Vault Federation",
        "nid": "seedbank",
        "summary": "Accessions held by federated seed vaults",
        "standards_action": False,
    }

    started = author.post("", asked)
    reference = started.json()["reference"].lower()
    draft = author.get(f"{reference}/draft/").json()
    text = {"template": written(FORMAL.to_dict())}
    draft = author.patch(f"{reference}/draft/", text, draft["edition"]).json()
    sent = author.take(reference, "submit", edition=draft["edition"], comment="Please read.")
    taken = judge.take(reference, "assign")
    back = judge.take(reference, "request_changes", comment="Say more of security.")
    draft = author.get(f"{reference}/draft/").json()
    more = {"template": {"security_privacy": FORMAL["security_privacy"] + "\n\nNo more."}}
    draft = author.patch(f"{reference}/draft/", more, draft["edition"]).json()
    again = author.take(reference, "submit", edition=draft["edition"])
    answers = {"unanswered": "The text answers them.", **ACTS_FOR}
    approved = judge.take(reference, "approve", comment="Sound.", **answers)
    done = publisher.take(
        reference, "register", references=["A specification"], confirmation="seedbank"
    )

    assert started.status_code == 201
    assert started.headers["Location"] == f"http://testserver/api/v1/requests/{reference}/"
    states = [each.json()["state"] for each in (sent, taken, back, again, approved, done)]
    assert states == [
        "in_review",
        "in_review",
        "changes_requested",
        "in_review",
        "approved",
        "registered",
    ]
    told = done.json()
    assert [each["verb"] for each in told["events"]] == [
        "start",
        "submit",
        "assign",
        "request_changes",
        "submit",
        "approve",
        "register",
    ]
    assert (told["namespace"], [each["number"] for each in told["rounds"]]) == ("seedbank", [1, 2])
    assert Namespace.objects.get().references == ["A specification"]


OPEN_TO_ALL = {"appeal"}
"""Steps that anyone with an account can take."""


@pytest.mark.parametrize(
    "transition",
    [each for each in TRANSITIONS if each.verb not in OPEN_TO_ALL],
    ids=lambda each: each.verb,
)
def test_every_verb_of_the_table_is_reachable_and_refused_where_it_is_not_open(
    transition: Transition, approved: RegistrationRequest, outsider: User
) -> None:
    program = Program.of(outsider)

    refused = problem(program.take(approved.slug, transition.verb, comment="So."))

    is_for_state = State.APPROVED in transition.sources
    assert refused[0] == (403 if is_for_state else 409)
    assert str(transition.label) in refused[1]
    assert not is_for_state or str(transition.role) in refused[1]


@pytest.mark.parametrize("person", ["registrant", "expert", "lead", "registrar", "standards_body"])
def test_offered_verbs_are_those_of_the_table(
    person: str, in_review: RegistrationRequest, request: pytest.FixtureRequest
) -> None:
    somebody: User = request.getfixturevalue(person)
    open_now = [each.verb for each in workflow.available_transitions(in_review, somebody)]

    told = Program.of(somebody).get(f"{in_review.slug}/").json()["verbs"]

    assert [each["verb"] for each in told] == open_now
    assert all(each["url"].endswith(f"/verbs/{each['verb']}/") for each in told)


def test_verb_says_what_it_asks_for_and_what_stands_in_its_way(
    in_review: RegistrationRequest, expert: User
) -> None:
    in_review.standards_action = True
    in_review.save()

    told = Program.of(expert).get(f"{in_review.slug}/").json()["verbs"]

    approve = next(each for each in told if each["verb"] == "approve")
    assert approve == {
        "verb": "approve",
        "label": "Approve",
        "consequence": "Goes to the registrar, who publishes it.",
        "text_licence": None,
        "obstacle": "The namespace is to become part of a standard, so experts report and the "
        "standards body decides. RFC 8141, section 6.2.",
        "asks": [
            {
                "name": "unanswered",
                "label": "Why these questions stay open, public",
                "required": True,
                "choices": [],
            },
            {
                "name": "acts_for",
                "label": "How it is known that Runa Registrant acts for Northlight Seed Vault "
                "Federation, public",
                "required": True,
                "choices": [],
            },
            {"name": "comment", "label": "Reasons, public", "required": True, "choices": []},
        ],
        "url": f"http://testserver/api/v1/requests/{in_review.slug}/verbs/approve/",
    }


def asked_by(verbs: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the fields of each verb besides the reasons, with `*` for required ones."""
    return {
        each["verb"]: [
            f"{said['name']}{'*' if said['required'] else ''}"
            for said in each["asks"]
            if said["name"] != "comment"
        ]
        for each in verbs
    }


def test_input_of_verbs_is_named(
    in_review: RegistrationRequest, registrant: User, lead: User, expert: User, registrar: User
) -> None:
    def read(person: User) -> dict[str, list[str]]:
        return asked_by(Program.of(person).get(f"{in_review.slug}/").json()["verbs"])

    leading, judging = read(lead), read(expert)
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    publishing = read(registrar)
    workflow.perform(in_review, "reconsider", actor=expert, comment="The wrong one.")
    workflow.perform(in_review, "request_changes", actor=expert, comment="No.")
    sending = read(registrant)

    assert leading == {
        "assign": ["expert", "leaver"],
        "recuse": ["for_good", "leaver"],
        "extend": ["due_on*"],
        "request_changes": [],
        "reroute": ["path", "standards_action"],
    }
    assert judging["recuse"] == ["for_good"]
    assert publishing == {
        "record_evidence": ["about*", "rfc", "section"],
        "register": ["confirmation*", "references*", "contact", "iana_reference"],
        "appeal": ["ground*"],
    }
    assert sending["submit"] == ["edition*"]


def test_lead_hands_work_out_by_mail_address(
    sent: RegistrationRequest, lead: User, expert: User
) -> None:
    program = Program.of(lead)

    program.take(sent.slug, "assign", expert="EXPERT@people.example")
    unknown = program.take(sent.slug, "assign", expert="registrant@people.example")
    day = (timezone.localdate() + datetime.timedelta(days=90)).isoformat()
    extended = program.take(sent.slug, "extend", due_on=day, comment="Holidays.")
    handed = program.take(
        sent.slug, "assign", leaver=expert.email, expert=lead.email, comment="Away."
    )

    assert list(unknown.json()["errors"]) == ["expert"]
    assert extended.json()["waiting"]["promised_by"] == day
    assert handed.status_code == 200
    assert [each.expert for each in sent.assignments.active()] == [lead]


def test_path_is_changed_and_what_is_not_said_stays(
    draft: RegistrationRequest, registrant: User
) -> None:
    changed = Program.of(registrant).take(draft.slug, "reroute", standards_action=True)

    told = changed.json()
    assert (told["path"], told["standards_action"]) == ("community", True)


def test_stepping_back_for_good_is_a_standing_conflict(
    in_review: RegistrationRequest, expert: User
) -> None:
    gone = Program.of(expert).take(in_review.slug, "recuse", for_good=True)

    assert gone.status_code == 200
    assert expert.conflicts.get().organization == in_review.organization


def test_step_that_is_not_to_be_for_good_is_not(
    in_review: RegistrationRequest, expert: User
) -> None:
    Program.of(expert).take(in_review.slug, "recuse", for_good=False)

    assert not expert.conflicts.exists()


def test_nobody_judges_a_request_of_their_own(
    sent: RegistrationRequest, registrant: User, lead: User
) -> None:
    let_speak_for(sent.organization, lead)

    refused = problem(Program.of(lead).take(sent.slug, "assign"))

    assert refused == (403, f"“Assign an expert” is for {workflow.VERBS['assign'].role}.")


def test_second_of_two_hasty_experts_is_told(in_review: RegistrationRequest, expert: User) -> None:
    program, seen = Program.of(expert), in_review.revision
    path = f"{in_review.slug}/verbs"

    said = {"comment": "Sound.", "unanswered": "The text answers them.", **ACTS_FOR}
    first = program.post(f"{path}/approve/", said, seen)
    second = program.post(f"{path}/decline/", {"comment": "Too late."}, seen)

    assert first.status_code == 200
    assert first.headers["ETag"] == f'"{seen + 1}"'
    assert problem(second)[0] == 412
    assert in_review.events.latest("number").verb == "approve"


@pytest.mark.parametrize("headers", [{}, {"if-match": "*"}, {"if-match": "nonsense"}])
def test_verb_without_an_etag_in_if_match_is_refused(
    headers: dict[str, str], in_review: RegistrationRequest, expert: User
) -> None:
    client = Program.of(expert).client
    path = f"/api/v1/requests/{in_review.slug}/verbs/approve/"

    response = client.post(path, {"comment": "Sound."}, JSON, headers=headers)

    assert problem(response)[0] == 428


def test_reasons_are_asked_for_beside_their_field(
    in_review: RegistrationRequest, expert: User
) -> None:
    said = {"unanswered": "The text answers them.", **ACTS_FOR}
    response = Program.of(expert).take(in_review.slug, "approve", **said)

    assert problem(response)[0] == 400
    assert list(response.json()["errors"]) == ["comment"]


@pytest.mark.parametrize(
    ("said", "errors"),
    [
        ({"coment": "So."}, {"coment": ["Nothing of this name is asked for."]}),
        ({"haste": "Soon."}, {"haste": ["“Approve” does not ask for this."]}),
        ({"due_on": "soon"}, ["due_on"]),
        ({"comment": "\x07"}, ["comment"]),
        ({"comment": ["So."]}, ["comment"]),
        ({"comment": "\ud800"}, ["comment"]),
        ({"\ud800": "So."}, ["\ud800"]),
        ({"edition": 10**30}, ["edition"]),
    ],
)
def test_invalid_input_is_pointed_at(
    said: dict[str, Any], errors: Any, in_review: RegistrationRequest, expert: User
) -> None:
    sound = {"comment": "So.", "unanswered": "The text answers them.", **ACTS_FOR}
    response = Program.of(expert).take(in_review.slug, "approve", **{**sound, **said})

    told = response.json()["errors"]
    assert (told if isinstance(errors, dict) else list(told)) == errors
    assert response.status_code == 400


@pytest.mark.parametrize("body", ["{", "[]", '"x"'])
def test_body_that_is_no_object_is_refused(
    body: str, in_review: RegistrationRequest, expert: User
) -> None:
    path = f"/api/v1/requests/{in_review.slug}/verbs/approve/"
    headers = {"if-match": f'"{in_review.revision}"'}

    response = Program.of(expert).client.post(path, body, JSON, headers=headers)

    assert problem(response)[0] == 400


def test_body_that_is_too_long_is_not_read(in_review: RegistrationRequest, expert: User) -> None:
    refused = problem(Program.of(expert).take(in_review.slug, "approve", comment="x" * (2 << 20)))

    assert (refused[0], "2 MiB" in refused[1]) == (413, True)


def test_invalid_token_is_told_before_all_else(
    in_review: RegistrationRequest,
) -> None:
    client = Client(headers={"authorization": "Token wrong"})
    path = f"/api/v1/requests/{in_review.slug}/"

    refused = client.get(path)
    as_page = client.get(path, headers={"accept": "text/html"})

    assert problem(refused)[0] == 401
    assert problem(as_page)[0] == 406


@pytest.mark.parametrize("word", [{}, {"unanswered": " "}], ids=["none", "blank"])
def test_approval_with_open_questions_needs_the_word_that_the_page_asks_for(
    word: dict[str, str], in_review: RegistrationRequest, expert: User
) -> None:
    program = Program.of(expert)

    refused = program.take(in_review.slug, "approve", comment="Sound.", **ACTS_FOR, **word)

    said = ["Say briefly why you decide without these answers; your reason is public."]
    assert (refused.status_code, refused.json()["errors"]) == (400, {"unanswered": said})
    in_review.refresh_from_db()
    assert in_review.state == State.IN_REVIEW


def test_word_of_a_program_stands_in_the_journal_with_the_open_questions(
    in_review: RegistrationRequest, expert: User
) -> None:
    said = {"comment": "Sound.", "unanswered": "RFC 9999 answers them.", **ACTS_FOR}

    Program.of(expert).take(in_review.slug, "approve", **said)

    assert in_review.events.latest("number").data["unanswered"] == {
        "questions": [each.slug for each in list_questions(in_review)],
        "word": "RFC 9999 answers them.",
    }


def test_program_that_answered_the_checklist_is_asked_for_no_word(
    in_review: RegistrationRequest, expert: User
) -> None:
    program = Program.of(expert)
    answers = {each.slug: "yes" for each in list_questions(in_review)}
    kept = program.patch(f"{in_review.slug}/checklist/", {"answers": answers}, 1)

    told = asked_by(program.get(f"{in_review.slug}/").json()["verbs"])
    said = {"comment": "Sound.", **ACTS_FOR}
    vain = program.take(in_review.slug, "approve", **said, unanswered="None.")
    done = program.take(in_review.slug, "approve", **said)

    assert kept.status_code == 200
    assert told["approve"] == ["acts_for*"]
    assert list(vain.json()["errors"]) == ["unanswered"]
    assert done.status_code == 200
    assert "unanswered" not in in_review.events.latest("number").data


def test_condition_refuses_in_the_words_of_the_page(
    in_review: RegistrationRequest, expert: User
) -> None:
    said = {"comment": "So.", "unanswered": "The text answers them.", **ACTS_FOR}
    refused = problem(Program.of(expert).take(in_review.slug, "report", **said))

    assert refused == (
        409,
        "No standards action is anticipated for this request: approve it, or ask for changes.",
    )


def test_act_too_large_for_the_log_is_refused_and_nothing_is_half_done(
    approved: RegistrationRequest, registrar: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = Event.objects.count()
    monkeypatch.setattr("registry.transparency.entries.MAX_LOG_ENTRY_BYTES", 500)

    refused = problem(
        Program.of(registrar).take(
            approved.slug, "register", references=["RFC 1"], confirmation="seedbank"
        )
    )

    assert (refused[0], " 3 records " in refused[1]) == (409, True)
    approved.refresh_from_db()
    assert approved.state == State.APPROVED
    assert not Namespace.objects.exists()
    assert Event.objects.count() == events
    assert list(journal.verify()) == []


def test_publishing_is_confirmed_by_the_identifier(
    approved: RegistrationRequest, registrar: User
) -> None:
    response = Program.of(registrar).take(
        approved.slug, "register", references=["RFC 1"], confirmation="seedbang"
    )

    assert list(response.json()["errors"]) == ["confirmation"]
    assert not Namespace.objects.exists()


def test_draft_that_was_saved_meanwhile_is_not_sent(
    draft: RegistrationRequest, registrant: User
) -> None:
    round_one = draft.draft
    assert round_one is not None

    refused = problem(
        Program.of(registrant).take(draft.slug, "submit", edition=round_one.edition - 1)
    )

    assert (refused[0], "draft" in refused[1]) == (409, True)
    draft.refresh_from_db()
    assert draft.state == State.DRAFT


def test_reopened_request_leads_to_the_draft_that_goes_on(
    sent: RegistrationRequest, registrant: User
) -> None:
    program = Program.of(registrant)
    program.take(sent.slug, "withdraw")

    told = program.take(sent.slug, "reopen").json()

    heir = RegistrationRequest.objects.get(reopens=sent)
    assert (told["state"], told["reopened_as"]) == ("withdrawn", [heir.reference])
    assert Client().get(f"/api/v1/requests/{sent.slug}/").json()["reopened_as"] == []


def test_request_names_no_draft_that_it_goes_on_from(
    draft: RegistrationRequest, registrant: User
) -> None:
    program = Program.of(registrant)
    program.take(draft.slug, "withdraw")
    program.take(draft.slug, "reopen")
    heir = RegistrationRequest.objects.get(reopens=draft)

    program.take(heir.slug, "submit", edition=0)

    told = Client().get(f"/api/v1/requests/{heir.slug}/").json()
    assert (told["state"], told["reopens"]) == ("in_review", None)
    assert program.get(f"{heir.slug}/").json()["reopens"] == draft.reference


def test_request_that_one_may_not_see_is_not_found(
    draft: RegistrationRequest, expert: User
) -> None:
    path = f"{draft.slug}/verbs/withdraw/"

    refused = problem(Program.of(expert).post(path, {}, draft.revision))

    assert (refused[0], "no request" in refused[1]) == (404, True)


def test_verb_that_is_not_in_the_table_is_not_found(
    in_review: RegistrationRequest, expert: User
) -> None:
    refused = problem(Program.of(expert).post(f"{in_review.slug}/verbs/forget/", {}, 1))

    assert (refused[0], "no verb" in refused[1]) == (404, True)


def test_acting_asks_for_an_account(in_review: RegistrationRequest) -> None:
    response = Program(Client()).post(f"{in_review.slug}/verbs/approve/", {}, in_review.revision)

    assert problem(response)[0] == 401
    assert response.headers["WWW-Authenticate"] == "Bearer, Token"


def test_session_acts_with_the_token_against_forgery_alone(
    in_review: RegistrationRequest, expert: User
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(expert)
    path = f"/api/v1/requests/{in_review.slug}/verbs/approve/"
    headers = {"if-match": f'"{in_review.revision}"'}

    response = client.post(path, {"comment": "Sound."}, JSON, headers=headers)

    assert problem(response)[0] == 403
    in_review.refresh_from_db()
    assert in_review.state == State.IN_REVIEW


def test_writing_too_often_is_told_when_there_is_room_again(
    in_review: RegistrationRequest, expert: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WritingThrottle, "THROTTLE_RATES", {"writing": "1/minute"})
    program = Program.of(expert)
    program.take(in_review.slug, "approve")

    response = program.take(in_review.slug, "approve")

    assert problem(response)[0] == 429
    assert 0 < int(response.headers["Retry-After"]) <= 60


def test_throttled_person_writes_again_after_a_minute(
    in_review: RegistrationRequest, expert: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WritingThrottle, "THROTTLE_RATES", {"writing": "2/minute"})
    comment = {"text": "Which vaults?"}
    begun = timezone.now()
    statuses = []

    for seconds in (0, 20, 40, 61, 62, 63):
        with time_machine.travel(begun + datetime.timedelta(seconds=seconds), tick=False):
            program = Program.of(expert)
            statuses.append(program.post(f"{in_review.slug}/messages/", comment).status_code)

    assert statuses == [201, 201, 429, 201, 201, 429]


def test_refusal_for_writing_too_often_says_when_the_minute_is_over(
    in_review: RegistrationRequest, expert: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WritingThrottle, "THROTTLE_RATES", {"writing": "1/minute"})
    begun = timezone.now().replace(microsecond=0)
    waits = []

    for seconds in (0, 15, 45):
        with time_machine.travel(begun + datetime.timedelta(seconds=seconds), tick=False):
            response = Program.of(expert).post(f"{in_review.slug}/messages/", {"text": "Which?"})
            waits.append(response.headers.get("Retry-After"))

    assert waits == [None, "45", "15"]


def test_writing_of_one_person_leaves_another_their_room_and_reading_is_free(
    in_review: RegistrationRequest,
    expert: User,
    outsider: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(WritingThrottle, "THROTTLE_RATES", {"writing": "1/minute"})
    path, said = f"{in_review.slug}/messages/", {"text": "Which vaults?"}

    wrote = [Program.of(each).post(path, said).status_code for each in (expert, expert, outsider)]
    read = [Program.of(expert).get(f"{in_review.slug}/").status_code for _time in range(3)]

    assert (wrote, read) == ([201, 429, 201], [200, 200, 200])


def test_sending_says_how_much_must_be_fixed_first(
    registrant: User, organization: Organization
) -> None:
    asked = RequestFactory.create(
        author=registrant, organization=organization, path=RequestPath.FAST_TRACK, nid="tracked"
    )

    told = Program.of(registrant).get(f"{asked.slug}/").json()

    submit = next(each for each in told["verbs"] if each["verb"] == "submit")
    assert "must be fixed" in submit["obstacle"]
