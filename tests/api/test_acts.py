"""What pages do besides the verbs, done by programs: the same actions and refusals."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from registry.actions import discussion, recognition
from registry.models import (
    ConflictOfInterest,
    Enquiry,
    Follow,
    Letter,
    Organization,
    QueryKeyword,
    RegistrationRequest,
    ResolutionService,
    ServiceDesignator,
    Sighting,
    Speaker,
    Token,
    User,
)
from tests.api.clients import JSON, Program
from tests.factories import (
    NamespaceFactory,
    let_speak_for,
    record_website,
)
from tests.notifications.conftest import work

pytestmark = pytest.mark.django_db

API = "/api/v1/"


def read(program: Program, path: str) -> Any:
    """Return the response to reading."""
    return program.client.get(f"{API}{path}")


def write(program: Program, path: str, said: Any = None, method: str = "post") -> Any:
    """Return the response to writing; changes are based on what was just read."""
    headers = {}
    if method == "patch":
        headers["if-match"] = read(program, path).headers["ETag"]
    act = getattr(program.client, method)
    return act(f"{API}{path}", {} if said is None else said, JSON, headers=headers)


# Who writes a request


def test_co_editor_is_invited_joins_and_leaves(
    draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    author, other = Program.of(registrant), Program.of(outsider)
    path = f"requests/{draft.slug}/"

    invited = write(author, f"{path}invitations/", {"address": outsider.email})
    (waiting,) = read(other, "account/invitations/").json()
    joined = write(other, f"account/invitations/{waiting['id']}/join/")
    writers = read(other, f"{path}writers/").json()
    left = write(other, f"{path}co-editors/{outsider.pk}/", method="delete")

    assert (invited.status_code, invited.json()["invitations"]) == (201, [waiting])
    assert waiting["request"] == draft.reference
    assert [joined.status_code, left.status_code] == [204, 204]
    assert writers["co_editors"] == [{"id": outsider.pk, "name": outsider.name}]
    assert read(other, f"{path}writers/").status_code == 404


def test_invitation_is_taken_back_and_not_followed_by_others(
    draft: RegistrationRequest, registrant: User, outsider: User, expert: User
) -> None:
    author, path = Program.of(registrant), f"requests/{draft.slug}/"
    (made,) = write(author, f"{path}invitations/", {"address": outsider.email}).json()[
        "invitations"
    ]

    stranger = write(Program.of(expert), f"account/invitations/{made['id']}/join/")
    back = write(author, f"{path}invitations/{made['id']}/", method="delete")
    late = write(Program.of(outsider), f"account/invitations/{made['id']}/join/")

    assert (stranger.status_code, back.json()["invitations"]) == (404, [])
    assert (late.status_code, list(draft.co_editors.all())) == (409, [])


# Discussion


def test_notes_are_among_experts(
    in_review: RegistrationRequest, expert: User, registrant: User
) -> None:
    path = f"requests/{in_review.slug}/notes/"

    written = write(Program.of(expert), path, {"text": "Between us."})
    refused = write(Program.of(registrant), path, {"text": "And me?"})

    assert (written.status_code, written.json()["text"]) == (201, "Between us.")
    (note,) = read(Program.of(expert), path).json()["results"]
    assert note == written.json()
    assert (refused.status_code, read(Program.of(registrant), path).status_code) == (403, 403)


def test_message_is_hidden_and_shown_for_a_reason(
    in_review: RegistrationRequest, outsider: User, lead: User
) -> None:
    discussion.add_comment(in_review, author=outsider, text="Rude.", key=uuid.uuid4())
    moderator, path = Program.of(lead), f"requests/{in_review.slug}/messages/1/"

    silent = write(moderator, f"{path}hide/")
    hidden = write(moderator, f"{path}hide/", {"reason": "Rude words."})
    public = read(Program(Client()), f"requests/{in_review.slug}/messages/").json()["results"]
    shown = write(moderator, f"{path}show/", {"reason": "It was not."})
    refused = write(Program.of(outsider), f"{path}hide/", {"reason": "No."})

    assert list(silent.json()["errors"]) == ["reason"]
    assert (hidden.json()["hidden_by"], public[0]["text"]) == ("Lova Lead", None)
    assert (shown.json()["hidden_by"], refused.status_code) == (None, 403)


def test_checklist_is_answered_for_the_round_that_was_read(
    in_review: RegistrationRequest, expert: User, outsider: User
) -> None:
    program, path = Program.of(expert), f"requests/{in_review.slug}/checklist/"
    question = read(program, path).json()["questions"][0]["question"]

    kept = write(program, path, {"answers": {question: "yes"}}, "patch")
    wrong = write(program, path, {"answers": {"colour": "yes"}}, "patch")
    stale = program.client.patch(f"{API}{path}", {"answers": {}}, JSON, headers={"if-match": '"2"'})

    assert kept.json()["questions"][0]["answer"] == "yes"
    assert list(wrong.json()["errors"]) == ["answers.colour"]
    assert (stale.status_code, read(Program.of(outsider), path).status_code) == (412, 403)


def test_lead_asks_the_rota(sent: RegistrationRequest, lead: User, expert: User) -> None:
    path = f"requests/{sent.slug}/"
    tag = {"if-match": read(Program.of(lead), path).headers["ETag"]}

    refused = Program.of(expert).client.post(f"{API}{path}rota/", {}, JSON, headers=tag)
    done = Program.of(lead).client.post(f"{API}{path}rota/", {}, JSON, headers=tag)
    late = Program.of(lead).client.post(f"{API}{path}rota/", {}, JSON, headers=tag)

    assert [refused.status_code, done.status_code, late.status_code] == [403, 200, 412]
    assert [each.expert for each in sent.assignments.active()] == [expert]


# Organizations


def test_recognition_is_asked_for_and_granted(
    draft: RegistrationRequest, registrant: User, standards_body: User, outsider: User
) -> None:
    said = {"statement": "A learned society."}
    answer = {"verb": "recognise", "recognised_on": "2026-03-01", "comment": "Minutes of March"}

    asked = write(Program.of(registrant), f"requests/{draft.slug}/recognition/", said)
    path = f"recognitions/{asked.json()['id']}/answer/"
    refused = write(Program.of(outsider), path, answer)
    granted = write(Program.of(standards_body), path, answer)
    again = write(Program.of(standards_body), path, answer)

    assert (asked.status_code, asked.json()["is_granted"]) == (201, None)
    assert [refused.status_code, granted.status_code, again.status_code] == [403, 200, 409]
    (told,) = read(Program(Client()), "recognitions/?pending=false").json()["results"]
    assert (told["is_granted"], told["reasons"]) == (True, "Minutes of March")
    organization = read(Program(Client()), f"organizations/{draft.organization_id}/").json()
    assert organization["recognised_on"] == "2026-03-01"


def test_recognition_is_taken_back_with_reasons_once_it_is_granted(
    organization: Organization, registrant: User, standards_body: User
) -> None:
    asked = recognition.request_recognition(organization, registrant, "A society.")
    program, path = Program.of(standards_body), f"recognitions/{asked.pk}/answer/"
    answer = {"verb": "withdraw_recognition", "comment": "It closed its process."}

    early = write(program, path, answer)
    recognition.grant_recognition(
        asked, actor=standards_body, recognised_on=timezone.localdate(), source="Minutes"
    )
    done = write(program, path, answer)
    again = write(program, path, answer)

    assert [early.status_code, done.status_code, again.status_code] == [409, 200, 409]
    assert (done.json()["is_granted"], done.json()["reasons"]) == (False, "It closed its process.")
    organization.refresh_from_db()
    assert not organization.is_recognised


def test_refusal_of_recognition_says_why(
    organization: Organization, registrant: User, standards_body: User
) -> None:
    asked = recognition.request_recognition(organization, registrant, "A society.")
    path = f"recognitions/{asked.pk}/answer/"

    silent = write(Program.of(standards_body), path, {"verb": "refuse_recognition"})
    refused = write(
        Program.of(standards_body), path, {"verb": "refuse_recognition", "comment": "No."}
    )

    assert list(silent.json()["errors"]) == ["comment"]
    assert refused.json()["is_granted"] is False


def test_acting_for_an_organization_is_proved_by_a_letter(
    organization: Organization, outsider: User, expert: User
) -> None:
    NamespaceFactory.create(registrant=organization)
    record_website(organization, "https://northlight.example/")
    program = Program.of(outsider)
    said = {"method": "mail", "address": "postmaster@northlight.example"}

    asked = write(program, f"organizations/{organization.pk}/proofs/", said)
    path = f"proofs/{asked.json()['id']}/"
    secret = Speaker.objects.get().secret
    wrong = write(program, f"{path}confirm/", {"secret": "guessed"})
    other = write(Program.of(expert), f"{path}confirm/", {"secret": secret})
    done = write(program, f"{path}confirm/", {"secret": secret})
    work()
    given = program.client.get(done.headers["Location"]).json()

    assert (asked.status_code, asked.json()["state"]) == (201, "asked")
    assert secret not in asked.content.decode()
    assert [wrong.status_code, other.status_code, done.status_code] == [409, 404, 202]
    assert [done.json()["is_pending"], given["is_pending"]] == [True, False]
    assert (given["state"], given["evidence"] is None) == ("waiting", False)
    assert not User.objects.speaking_for(organization).exists()


# Sightings


def test_sighting_is_noted_corrected_notified_and_withdrawn(expert: User, outsider: User) -> None:
    program = Program.of(expert)
    said = {"nid": "seen-1", "evidence": "In a letter.", "address": "office@seen.example"}

    noted = write(program, "sightings/", said)
    path = f"sightings/{noted.json()['id']}/"
    seen = noted.headers["ETag"]
    corrected = write(program, path, {"user_of_it": "Some Body"}, "patch")
    stale = program.client.patch(f"{API}{path}", {}, JSON, headers={"if-match": seen})
    told = write(program, f"{path}notify/")
    refused = write(Program.of(outsider), f"{path}withdraw/", {"reason": "No."})
    gone = write(program, f"{path}withdraw/", {"reason": "A mistake."})

    assert noted.headers["Location"].endswith(path)
    assert (corrected.json()["user_of_it"], corrected.json()["evidence"]) == (
        "Some Body",
        "In a letter.",
    )
    assert told.json()["notice_sent_at"] is not None
    assert "office@seen.example" not in told.content.decode()
    assert Letter.objects.get().address == "office@seen.example"
    assert [stale.status_code, refused.status_code, gone.status_code] == [412, 403, 204]
    assert not Sighting.objects.exists()


# One's own data


def test_something_is_followed_and_no_longer(sent: RegistrationRequest, outsider: User) -> None:
    program = Program.of(outsider)

    followed = [
        write(program, "account/follows/", said)
        for said in ({"request": sent.slug}, {"nid": "SEEDBANK"}, {"everything": True})
    ]
    wrong = write(program, "account/follows/", {"request": "r-9999-0001"})
    both = write(program, "account/follows/", {"request": sent.slug, "nid": "seedbank"})
    unsaid = [
        write(program, "account/follows/", said).status_code for said in ({}, {"everything": False})
    ]
    ended = write(program, f"account/follows/{followed[0].json()['id']}/", method="delete")

    assert [each.status_code for each in followed] == [201, 201, 201]
    assert [each.json()["nid"] for each in followed] == [None, "seedbank", None]
    assert [wrong.status_code, both.status_code, ended.status_code] == [400, 400, 204]
    assert unsaid == [400, 400]
    assert Follow.objects.count() == 2
    assert len(read(program, "account/follows/").json()) == 2


def test_profile_is_changed_as_it_was_seen(outsider: User) -> None:
    program = Program.of(outsider)

    changed = write(program, "account/", {"delivery": "digest"}, "patch")
    unseen = program.client.patch(f"{API}account/", {"delivery": "at_once"}, JSON)

    assert (changed.json()["delivery"], changed.json()["name"]) == ("digest", "Olaf Outsider")
    assert unseen.status_code == 428


def test_token_takes_itself_back_and_none_of_another(outsider: User, expert: User) -> None:
    program = Program.of(outsider)
    (own,) = read(program, "account/tokens/").json()
    other = Program.of(expert)

    strange = write(other, f"account/tokens/{own['key']}/", method="delete")
    gone = write(program, f"account/tokens/{own['key']}/", method="delete")

    assert [strange.status_code, gone.status_code] == [404, 204]
    assert read(program, "account/").status_code == 401
    assert Token.objects.count() == 1


def test_days_away_are_noted_by_experts(expert: User, outsider: User) -> None:
    day = timezone.localdate() + datetime.timedelta(3)
    said = {"first_day": day.isoformat(), "last_day": day.isoformat()}
    over = {"first_day": "2020-01-01", "last_day": "2020-01-02"}
    program = Program.of(expert)

    noted = write(program, "account/absences/", said)
    wrong = write(program, "account/absences/", over)
    refused = write(Program.of(outsider), "account/absences/", said)
    gone = write(program, f"account/absences/{noted.json()['id']}/", method="delete")

    assert (noted.status_code, noted.json()["first_day"]) == (201, day.isoformat())
    assert list(wrong.json()["errors"]) == ["last_day"]
    assert [refused.status_code, gone.status_code] == [403, 204]


def test_conflict_is_declared_and_ended(
    in_review: RegistrationRequest, expert: User, outsider: User
) -> None:
    program, said = Program.of(expert), {"organization": in_review.organization_id}

    declared = write(program, "account/conflicts/", said)
    again = write(program, "account/conflicts/", said)
    refused = write(Program.of(outsider), "account/conflicts/", said)
    ended = write(program, f"account/conflicts/{declared.json()['id']}/", method="delete")

    assert (declared.status_code, not in_review.assignments.active().exists()) == (201, True)
    assert list(again.json()["errors"]) == ["organization"]
    assert [refused.status_code, ended.status_code] == [403, 204]
    assert not ConflictOfInterest.objects.exists()


# Where names resolve


def test_service_is_added_changed_and_taken_away(
    organization: Organization, registrant: User, outsider: User
) -> None:
    let_speak_for(organization, registrant)
    NamespaceFactory.create(nid="old", registrant=organization)
    ServiceDesignator.objects.create(name="I2L", purpose="URI to URL", reference="RFC 2483")
    program = Program.of(registrant)
    said = {"template": "https://old.example/{+nss}", "operator": "Body", "source": "We run it"}

    added = write(program, "namespaces/OLD/services/", said)
    path = f"services/{added.json()['id']}/"
    wrong = write(program, "namespaces/old/services/", {**said, "template": "{"})
    refused = write(Program.of(outsider), "namespaces/old/services/", said)
    changed = write(program, path, {"media_type": "text/html"}, "patch")
    stale = program.client.patch(
        f"{API}{path}", {}, JSON, headers={"if-match": added.headers["ETag"]}
    )
    gone = write(program, f"{path}withdraw/", {"reason": "Switched off."})

    assert (added.status_code, added.json()["service"]) == (201, "I2L")
    assert list(wrong.json()["errors"]) == ["template"]
    assert (changed.json()["media_type"], changed.json()["template"]) == (
        "text/html",
        said["template"],
    )
    assert [refused.status_code, stale.status_code] == [403, 412]
    assert gone.json()["withdrawn_at"] is not None
    assert read(Program(Client()), "namespaces/old/services/").json()["results"] == []
    assert ResolutionService.objects.count() == 1


def test_registrar_keeps_both_registries_of_words(registrar: User, outsider: User) -> None:
    program = Program.of(registrar)
    said = {
        "keyword": "x",
        "purpose": "Trials",
        "scope": "global",
        "reference": "A letter",
        "supported_by": [],
    }

    entered = write(program, "query-keywords/", said)
    changed = write(
        program, "query-keywords/x/", {"purpose": "Other trials", "ground": "Minutes"}, "patch"
    )
    refused = write(Program.of(outsider), "query-keywords/", said)
    wrong = write(program, "query-keywords/", {**said, "keyword": "1"})
    designator = {**said, "name": "I2X", "status": "provisional"}
    del designator["keyword"], designator["scope"], designator["supported_by"]
    added = write(program, "service-designators/", designator)
    known = read(Program(Client()), "service-designators/").json()["results"]

    assert (entered.status_code, changed.json()["purpose"]) == (201, "Other trials")
    assert (changed.json()["reference"], refused.status_code) == ("A letter", 403)
    assert list(wrong.json()["errors"]) == ["keyword"]
    assert QueryKeyword.objects.get(keyword="x").purpose == "Other trials"
    assert (added.status_code, known) == (201, [added.json()])


def test_representative_asks_to_be_listed_under_a_query_keyword(
    registrant: User, outsider: User, organization: Organization
) -> None:
    let_speak_for(organization, registrant)
    NamespaceFactory.create(nid="seedbank", registrant=organization)
    QueryKeyword.objects.create(keyword="x", purpose="Trials", reference="A letter")
    said = {"keyword": "x", "reference": "RFC 9902", "demonstration": "Send one to our resolver."}
    at = "namespaces/seedbank/supported-by/"

    refused = write(Program.of(outsider), at, said)
    unknown = write(Program.of(registrant), at, {**said, "keyword": "y"})
    asked = write(Program.of(registrant), at, said)

    assert (refused.status_code, list(unknown.json()["errors"])) == (403, ["keyword"])
    enquiry = Enquiry.objects.get()
    assert asked.status_code == 201
    assert asked.headers["Location"].endswith(f"/api/v1/enquiries/{enquiry.pk}/")
    assert (asked.json()["question"], enquiry.asked_by) == (enquiry.question, registrant)


# An existing template


def test_template_is_read_field_by_field(client: Client) -> None:
    text = "Namespace Identifier: seedbank\n\nPurpose: To name seeds.\n\nColour: green\n"

    told = client.post(f"{API}templates/read/", {"text": text}, JSON).json()

    assert told["template"]["nid"] == "seedbank"
    assert told["template"]["purpose"].startswith("To name seeds.")
    assert {each["name"] for each in told["found"]} == {"nid", "purpose"}
    assert client.post(f"{API}templates/read/", {"text": " "}, JSON).status_code == 400


def test_grammar_and_examples_within_syntax_are_told_apart(client: Client) -> None:
    text = "Namespace ID: hatpin\n\nSyntax:\n   pin = 1*DIGIT\n\n   as urn:hatpin:12\n"

    told = client.post(f"{API}templates/read/", {"text": text}, JSON).json()

    assert told["examples"] == ["urn:hatpin:12"]
    assert told["references"] == []
    assert told["grammars"] == [
        {
            "kind": "abnf",
            "grammar": "pin = 1*DIGIT",
            "start": "pin",
            "written": "pin = 1*DIGIT",
            "problem": None,
            "remarks": [],
        }
    ]


def test_rules_that_a_grammar_lacks_are_among_its_remarks(client: Client) -> None:
    rules = "pin = 1*digits\n   colour = the colour of a pin\n   pair = pin colour"
    text = f"Namespace ID: hatpin\n\nSyntax:\n   {rules}\n"

    told = client.post(f"{API}templates/read/", {"text": text}, JSON).json()

    assert told["grammars"][0]["remarks"] == [
        "The rule “colour” is used and not defined.",
        "The rule “digits” is used and not defined.",
        "Left out, line 5: “colour = the colour of a pin”. It is in words, and not in the signs of"
        " a grammar.",
    ]


# What is refused first


def test_missing_part_of_an_address_is_named(sent: RegistrationRequest, client: Client) -> None:
    unknown = client.get(f"{API}requests/r-1999-0001/rounds/1/").json()["detail"]
    too_far = client.get(f"{API}requests/{sent.slug}/rounds/9/").json()["detail"]

    assert "no request" in unknown
    assert "no round" in too_far


def test_method_that_an_address_does_not_have_is_refused_as_that(outsider: User) -> None:
    program = Program.of(outsider)

    forbidden = write(program, "sightings/", {"nid": "x1"})
    unknown = write(program, "sightings/", method="put")
    away = read(program, "account/absences/")
    none_such = read(program, "account/absences/1/")

    assert (forbidden.status_code, unknown.status_code) == (403, 405)
    assert unknown.headers["Allow"].split(", ") == ["GET", "POST", "HEAD", "OPTIONS"]
    assert (away.status_code, none_such.status_code) == (403, 405)


def test_query_is_read_before_anything_is_looked_for(client: Client) -> None:
    asked = client.get(f"{API}namespaces/nobody/services/", {"size": "1"})

    assert (asked.status_code, list(asked.json()["errors"])) == (400, ["size"])


def test_speakers_are_named_seen_and_ended(
    organization: Organization, registrant: User, outsider: User
) -> None:
    let_speak_for(organization, registrant)
    program, path = Program.of(registrant), f"organizations/{organization.pk}/speakers/"

    named = write(program, path, {"act": "name", "address": outsider.email})
    refused = write(Program.of(outsider), path, {"act": "name", "address": outsider.email})
    row = next(each for each in named.json() if each["person"] == outsider.name)
    ended = write(program, f"speakers/{row['id']}/act/", {"act": "end"})

    assert (row["state"], row["acts"]) == ("waiting", ["object", "end"])
    assert refused.status_code == 403
    assert (ended.json()["state"], ended.json()["end"]) == ("ended", "taken_back")
