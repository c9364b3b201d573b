"""NIDs held back: by whom, until when, what that blocks, and the appeal."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from registry import workflow
from registry.actions import held_nids
from registry.enums import HoldGround, State
from registry.models import Event, HeldNid, Letter, RegistrationRequest, User
from registry.selectors.publication import ObstacleKind, list_publication_obstacles
from registry.workflow import ActionRefused
from tests.api.clients import JSON, Program, matching
from tests.factories import NamespaceFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


def in_days(days: int) -> datetime.date:
    return timezone.localdate() + datetime.timedelta(days)


def holding(**changes: object) -> dict[str, object]:
    """Return what the form posts if everything is filled in correctly."""
    return {
        "nid": "urn:Seedbank:",
        "ground": "court",
        "reasons": "Two vaults are before the court.",
        "source": "Order 12/2026 of 3 May 2026",
        "until": in_days(90).isoformat(),
        **changes,
    }


def hold(actor: User, nid: str = "seedbank", days: int = 90) -> HeldNid:
    return held_nids.hold_nid(
        nid,
        actor=actor,
        ground=HoldGround.COURT,
        reasons="Two vaults are before the court.",
        source="Order 12/2026 of 3 May 2026",
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
        assert "The identifier is held back." in text_of(answer)

    assert verbs() == ["hold_nid"]
    sentence = "“seedbank” is held back by a court order until"
    assert sentence in text_of(client.get("/held/"))
    assert "Order 12/2026 of 3 May 2026" in text_of(client.get("/held/"))
    assert sentence in text_of(client.get("/namespaces/seedbank/"))


@pytest.mark.parametrize("who", ["registrant", "expert", "lead", "outsider", "administrator"])
def test_nobody_else_holds_back_renews_or_ends(
    who: str, sign_in: SignIn, registrar: User, request: pytest.FixtureRequest
) -> None:
    held, person = hold(registrar), request.getfixturevalue(who)

    for act in ("new", f"{held.pk}/renew", f"{held.pk}/end"):
        answer = sign_in(person).post(f"/held/{act}/", holding())
        assert answer.status_code == 403
        assert "Only the registrar or the standards body" in text_of(answer)
    with pytest.raises(ActionRefused):
        hold(person, "other")

    assert verbs() == ["hold_nid"]


def test_officer_who_lost_the_role_since_holds_back_nothing(
    registrar: User, standards_body: User, outsider: User
) -> None:
    held = hold(registrar)
    held_nids.appeal_hold(held, actor=outsider, reasons="It is our name.")
    for officer in (registrar, standards_body):
        assert officer.roles
        User.objects.get(pk=officer.pk).groups.clear()

    acts: list[Callable[[], object]] = [
        lambda: hold(registrar, "herbarium"),
        lambda: held_nids.renew_hold(
            held, actor=registrar, seen=held.until, until=in_days(120), reasons="R", source="S"
        ),
        lambda: held_nids.end_hold(held, actor=registrar, ending="Over."),
        lambda: held_nids.answer_hold_appeal(
            held, actor=standards_body, lifts=True, answer="It is yours."
        ),
    ]
    for act in acts:
        with pytest.raises(ActionRefused, match="Only the"):
            act()

    assert verbs() == ["hold_nid", "appeal_hold"]


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
    assert answer.context["form"]["reasons"].value() == "Two vaults are before the court."
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
    hold(registrar)
    preview = text_of(sign_in(registrant).get(f"/requests/{draft.slug}/send/"))

    workflow.perform(draft, "submit", actor=registrant)
    workflow.perform(draft, "assign", actor=expert)

    assert "“seedbank” is held back by a court order" in preview
    assert [each.kind for each in list_publication_obstacles(draft)] == [ObstacleKind.HELD_NID]
    with pytest.raises(ActionRefused, match="is held back by a court order"):
        workflow.perform(draft, "approve", actor=expert, comment="Sound.")
    assert "is held back by a court order" in text_of(client.get(draft.get_absolute_url()))
    told = client.get(f"/api/v1/requests/{draft.slug}/").json()["publication_obstacles"]
    assert [each["kind"] for each in told] == ["held_nid"]


def test_nid_held_back_after_approval_is_not_registered_until_that_is_over(
    approved: RegistrationRequest, registrar: User
) -> None:
    held = hold(registrar)
    with pytest.raises(ActionRefused, match="nobody can have it before"):
        workflow.perform(approved, "register", actor=registrar)

    HeldNid.objects.filter(pk=held.pk).update(until=in_days(-1))
    approved.refresh_from_db()
    workflow.perform(approved, "register", actor=registrar)

    assert approved.state == State.REGISTERED


def test_check_of_a_nid_says_that_it_is_held_back(client: Client, registrar: User) -> None:
    before = text_of(client.get("/namespaces/seedbank/"))
    hold(registrar)

    after = text_of(client.get("/namespaces/seedbank/"))

    assert "Choose another, wait until then, or appeal" not in before
    assert "Choose another, wait until then, or appeal to the standards body." in after


def test_hold_is_mailed_to_the_registrant_and_the_standards_body(
    in_review: RegistrationRequest, registrant: User, expert: User, registrar: User,
    standards_body: User, outsider: User,
) -> None:  # fmt: skip
    Letter.objects.all().delete()

    hold(registrar)

    told = set(Letter.objects.values_list("recipient__name", flat=True))
    assert told == {str(registrant), str(expert), str(standards_body)}
    letter = Letter.objects.get(recipient=registrant)
    assert "held back seedbank until" in letter.text
    assert "/held/" in letter.text


# Renewing, ending, appealing


def test_renewal_is_an_event_of_its_own_with_its_own_document(
    sign_in: SignIn, registrar: User
) -> None:
    held = hold(registrar)
    browser = sign_in(registrar)
    said = {"seen": held.until, "reasons": "Prolonged.", "source": "Order 13/2026"}

    browser.post(f"/held/{held.pk}/renew/", {**said, "until": in_days(365)})
    late = browser.post(f"/held/{held.pk}/renew/", {**said, "until": in_days(300)})

    held.refresh_from_db()
    assert (held.until, held.source) == (in_days(365), "Order 13/2026")
    assert (late.status_code, verbs()) == (409, ["hold_nid", "renew_hold"])


def test_nid_is_free_once_the_hold_is_ended_and_the_list_keeps_why(
    sign_in: SignIn, client: Client, registrar: User, approved: RegistrationRequest
) -> None:
    held = hold(registrar)

    sign_in(registrar).post(f"/held/{held.pk}/end/", {"ending": "The order was set aside."})

    assert list_publication_obstacles(approved) == ()
    assert "The order was set aside." in text_of(client.get("/held/"))
    assert hold(registrar).pk != held.pk


def test_anybody_appeals_once_and_the_standards_body_answers(
    sign_in: SignIn, outsider: User, registrant: User, registrar: User, standards_body: User
) -> None:
    held = hold(registrar)
    reasons = {"reasons": "The names are ours."}

    sign_in(outsider).post(f"/held/{held.pk}/appeal/", reasons)
    second = sign_in(registrant).post(f"/held/{held.pk}/appeal/", {"reasons": "Ours, too."})
    by_registrar = sign_in(registrar).get(f"/held/{held.pk}/answer/")
    body = sign_in(standards_body)
    waiting = list(body.get("/direction/").context["holds"])
    own = body.get(f"/held/{held.pk}/appeal/")
    body.post(f"/held/{held.pk}/answer/", {"lifts": "yes", "answer": "The order is void."})

    held.refresh_from_db()
    assert (second.status_code, by_registrar.status_code, own.status_code) == (409, 403, 403)
    assert (waiting, list(body.get("/direction/").context["holds"])) == ([held], [])
    assert (held.appeal, held.appealed_by) == ("The names are ours.", outsider)
    assert (held.is_in_force, held.ending) == (False, "The order is void.")
    assert verbs() == ["hold_nid", "appeal_hold", "answer_hold_appeal"]
    assert Letter.objects.filter(recipient=outsider, text__contains="The order is void.").exists()


def test_hold_that_stays_can_be_appealed_again_only_after_a_renewal(
    outsider: User, registrar: User, standards_body: User
) -> None:
    held = hold(registrar)
    held_nids.appeal_hold(held, actor=outsider, reasons="Ours.")
    held_nids.answer_hold_appeal(held, actor=standards_body, lifts=False, answer="It stands.")
    with pytest.raises(ActionRefused, match="already been appealed"):
        held_nids.appeal_hold(held, actor=outsider, reasons="Still ours.")

    held_nids.renew_hold(
        held, actor=registrar, seen=held.until, until=in_days(200), reasons="More.", source="Order"
    )
    held_nids.appeal_hold(held, actor=outsider, reasons="Still ours.")

    held.refresh_from_db()
    assert held.awaits_appeal


# Programs


def test_programs_hold_renew_appeal_answer_and_end(
    registrar: User, outsider: User, standards_body: User
) -> None:
    office, stranger, body = map(Program.of, (registrar, outsider, standards_body))
    at = "/api/v1/held-nids/"
    said = holding(nid="seedbank")

    made = office.client.post(at, said, JSON)
    one = f"{at}{made.json()['id']}/"
    renewal = {"reasons": "More.", "source": "Order 13", "until": in_days(200).isoformat()}
    seen = made.headers["etag"].strip('"')
    answers = [
        stranger.client.post(at, said, JSON).status_code,
        office.client.post(f"{one}renew/", renewal, JSON).status_code,
        office.client.post(f"{one}renew/", renewal, JSON, headers=matching(seen)).status_code,
        stranger.client.post(f"{one}appeal/", {"reason": "Ours."}, JSON).status_code,
        office.client.post(f"{one}answer/", {"lifts": True, "answer": "-"}, JSON).status_code,
        body.client.post(f"{one}answer/", {"lifts": False, "answer": "No."}, JSON).status_code,
        office.client.post(f"{one}end/", {"ending": "Over."}, JSON).status_code,
    ]

    assert answers == [403, 428, 200, 200, 403, 200, 200]
    (told,) = Client().get(f"{at}?nid=SEEDBANK").json()["results"]
    assert (told["is_in_force"], told["ending"], told["appeal_answer"]) == (False, "Over.", "No.")
