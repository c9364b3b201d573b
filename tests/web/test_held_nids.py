"""NIDs held back: by whom, until when, what that blocks, and the appeal."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from registry import held_nids, workflow
from registry.enums import HoldGround, ObstacleKind, State
from registry.models import Event, HeldNid, Letter, RegistrationRequest, User
from registry.selectors.case import open_case
from registry.selectors.held_nids import explain_hold
from registry.selectors.publication import list_publication_obstacles
from registry.workflow import ActionRefused
from tests.factories import NamespaceFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


def in_days(days: int) -> datetime.date:
    return timezone.localdate() + datetime.timedelta(days)


REASONS = "Two vaults are before the court."
SOURCE = "Order 12/2026 of 3 May 2026"


def holding(**changes: object) -> dict[str, object]:
    """Return what the form posts if everything is filled in correctly."""
    return {
        "nid": "urn:Seedbank:",
        "ground": "court",
        "reasons": REASONS,
        "source": SOURCE,
        "until": in_days(90).isoformat(),
        **changes,
    }


def hold(actor: User, nid: str = "seedbank", days: int = 90) -> HeldNid:
    return held_nids.hold_nid(
        nid=nid,
        actor=actor,
        ground=HoldGround.COURT,
        reasons=REASONS,
        source=SOURCE,
        until=in_days(days),
    )


def verbs() -> list[str]:
    return list(Event.objects.filter(verb__contains="hold").values_list("verb", flat=True))


# Holding


@pytest.mark.parametrize("who", ["registrar", "standards_body"])
def test_nid_is_held_back_once_and_everybody_reads_why(
    who: str, client: Client, sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    browser = sign_in(request.getfixturevalue(who))

    for _click in "12":
        answer = browser.post("/held/new/", holding(), follow=True)
        assert [each.level_tag for each in answer.context["messages"]] == ["success"]

    assert verbs() == ["hold_nid"]
    sentence = explain_hold(HeldNid.objects.get())
    assert SOURCE in sentence
    for page in ("/held/", "/namespaces/seedbank/"):
        assert sentence in text_of(client.get(page))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"nid": "x-seeds"}, "x-seeds"),
        ({"nid": "accession"}, "registered"),
        ({"until": in_days(366).isoformat()}, "within a year"),
        ({"until": in_days(0).isoformat()}, "after today"),
        ({"source": " "}, "Name the document"),
        ({"ground": "taste"}, "Select a valid choice"),
    ],
)
def test_invalid_hold_is_refused_and_stays_in_the_form(
    sign_in: SignIn, registrar: User, changes: dict[str, object], words: str
) -> None:
    NamespaceFactory.create(nid="accession")

    answer = sign_in(registrar).post("/held/new/", holding(**changes))

    assert words in text_of(answer)
    assert answer.context["form"]["reasons"].value() == REASONS
    assert HeldNid.objects.count() == 0


# What it blocks


def test_held_nid_is_shown_before_sending_and_bars_every_later_step(
    draft: RegistrationRequest,
    registrant: User,
    expert: User,
    registrar: User,
    sign_in: SignIn,
    client: Client,
) -> None:
    sentence = explain_hold(hold(registrar))
    preview = sign_in(registrant).get(f"/requests/{draft.slug}/send/")

    workflow.perform(draft, "submit", actor=registrant)
    workflow.perform(draft, "assign", actor=expert)

    assert "nid.held" in {each.finding.check for each in preview.context["findings"].to_consider}
    assert sentence in text_of(preview)
    assert [each.kind for each in list_publication_obstacles(open_case(draft))] == [
        ObstacleKind.HELD_NID
    ]
    with pytest.raises(ActionRefused, match=re.escape(sentence)):
        workflow.perform(draft, "approve", actor=expert, comment="Sound.")
    assert sentence in text_of(client.get(draft.get_absolute_url()))
    told = client.get(f"/api/v1/requests/{draft.slug}/").json()["publication_obstacles"]
    assert [each["kind"] for each in told] == ["held_nid"]


def test_nid_held_back_after_approval_is_not_registered_until_that_is_over(
    approved: RegistrationRequest, registrar: User
) -> None:
    held = hold(registrar)
    with pytest.raises(ActionRefused, match=re.escape(explain_hold(held))):
        workflow.perform(approved, "register", actor=registrar)

    HeldNid.objects.filter(pk=held.pk).update(until=in_days(-1))
    approved.refresh_from_db()
    workflow.perform(approved, "register", actor=registrar)

    assert approved.state == State.REGISTERED


def test_check_of_a_nid_says_that_it_is_held_back(client: Client, registrar: User) -> None:
    before = client.get("/namespaces/seedbank/")
    sentence = explain_hold(hold(registrar))

    after = client.get("/namespaces/seedbank/")

    assert "nid.held" not in [each.check for each in before.context["findings"]]
    (finding,) = (each for each in after.context["findings"] if each.check == "nid.held")
    assert finding.message in text_of(after)
    assert (before.context["held"], after.context["held"]) == ("", sentence)
    links = [each.content.decode().count('href="/held/"') for each in (before, after)]
    assert links[1] == links[0] + 1


def test_hold_is_mailed_to_the_registrant_and_the_standards_body(
    in_review: RegistrationRequest, registrant: User, expert: User, registrar: User,
    standards_body: User, outsider: User,
) -> None:  # fmt: skip
    Letter.objects.all().delete()

    hold(registrar)

    told = set(Letter.objects.values_list("recipient__name", flat=True))
    assert told == {str(registrant), str(expert), str(standards_body)}
    letter = Letter.objects.get(recipient=registrant)
    assert letter.event is not None
    assert letter.event.verb == "hold_nid"
    assert "seedbank" in letter.text
    assert "/held/" in letter.text


# Renewing, ending, appealing


def test_renewal_is_an_event_of_its_own_with_its_own_document(
    sign_in: SignIn, registrar: User
) -> None:
    held = hold(registrar)
    browser = sign_in(registrar)
    said = {
        "seen": held_nids.HELD_NIDS.mark(held),
        "reasons": "Prolonged.",
        "source": "Order 13/2026",
    }

    browser.post(f"/held/{held.pk}/renew/", {**said, "until": in_days(365)})
    late = browser.post(f"/held/{held.pk}/renew/", {**said, "until": in_days(300)})

    held.refresh_from_db()
    assert (held.until, held.source) == (in_days(365), "Order 13/2026")
    assert (late.status_code, verbs()) == (409, ["hold_nid", "renew_hold"])


def test_nid_is_free_once_the_hold_is_ended_and_the_list_keeps_why(
    sign_in: SignIn, client: Client, registrar: User, approved: RegistrationRequest
) -> None:
    held = hold(registrar)

    sign_in(registrar).post(f"/held/{held.pk}/end/", {"ending": "Settled on appeal."})

    assert list_publication_obstacles(open_case(approved)) == ()
    assert "Settled on appeal." in text_of(client.get("/held/"))
    assert hold(registrar).pk != held.pk


def test_anybody_appeals_once_and_the_standards_body_answers(
    sign_in: SignIn, outsider: User, registrant: User, registrar: User, standards_body: User
) -> None:
    held = hold(registrar)
    reasons = {"reasons": "They are ours."}

    sign_in(outsider).post(f"/held/{held.pk}/appeal/", reasons)
    second = sign_in(registrant).post(f"/held/{held.pk}/appeal/", {"reasons": "Ours, too."})
    by_registrar = sign_in(registrar).get(f"/held/{held.pk}/answer/")
    body = sign_in(standards_body)
    waiting = list(body.get("/direction/").context["holds"])
    own = body.get(f"/held/{held.pk}/appeal/")
    body.post(f"/held/{held.pk}/answer/", {"lifts": "yes", "answer": "Void since May."})

    held.refresh_from_db()
    assert (second.status_code, by_registrar.status_code, own.status_code) == (409, 403, 403)
    assert (waiting, list(body.get("/direction/").context["holds"])) == ([held], [])
    assert (held.appeal, held.appealed_by) == ("They are ours.", outsider)
    assert (held.is_in_force, held.ending) == (False, "Void since May.")
    assert verbs() == ["hold_nid", "appeal_hold", "answer_hold_appeal"]
    assert Letter.objects.filter(recipient=outsider, text__contains="Void since May.").exists()


def test_hold_that_stays_can_be_appealed_again_only_after_a_renewal(
    outsider: User, registrar: User, standards_body: User
) -> None:
    held = hold(registrar)
    held_nids.appeal_hold(held, actor=outsider, reasons="Ours.")
    held_nids.answer_hold_appeal(held, actor=standards_body, lifts=False, answer="It stands.")
    with pytest.raises(ActionRefused, match="already been appealed"):
        held_nids.appeal_hold(held, actor=outsider, reasons="Still ours.")

    held_nids.renew_hold(
        held,
        actor=registrar,
        seen=held_nids.HELD_NIDS.mark(held),
        until=in_days(200),
        reasons="More.",
        source="Order",
    )
    held_nids.appeal_hold(held, actor=outsider, reasons="Still ours.")

    held.refresh_from_db()
    assert held.awaits_appeal


# Programs


def test_list_for_programs_has_one_nid_in_any_case(client: Client, registrar: User) -> None:
    held = [hold(registrar, nid) for nid in ("seedbank", "herbarium")]

    (listed,) = client.get("/api/v1/held-nids/?nid=SEEDBANK").json()["results"]

    assert (listed["nid"], listed["sentence"]) == ("seedbank", explain_hold(held[0]))
