"""Every declared act: who may, a second click, a stale page, a lost role and wrong input.

What is expected stands here, apart from the declarations; both doors are tried with all of it.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest
from django.db import models
from django.test import Client
from django.utils import timezone

from registry.acts import Act
from registry.disputes import DISPUTES
from registry.held_nids import HELD_NIDS
from registry.models import Dispute, Event, HeldNid, Organization, Sighting, User
from registry.sightings import SIGHTINGS
from registry.workflow import ActionRefused
from tests.api.clients import JSON, Program, matching
from tests.factories import NamespaceFactory

pytestmark = [pytest.mark.django_db, pytest.mark.pages]

SignIn = Callable[[User], Client]
PEOPLE: Final = {
    "registrant", "expert", "lead", "registrar", "standards_body", "administrator", "outsider"
}  # fmt: skip
UNTIL, LATER = (timezone.localdate() + datetime.timedelta(days) for days in (90, 180))
ORDER: Final = {"reasons": "Two vaults are before the court.", "source": "Order 12/2026"}


@dataclass(frozen=True)
class Example:
    """An act as it is taken, at its address below the registry's own, and by whom it may be.

    `needs` are the verbs that come before, each by the first who may.
    """

    act: Act[Any]
    address: str
    people: set[str]
    data: dict[str, Any]
    needs: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


OFFICERS: Final = {"registrar", "standards_body"}
OBSERVERS: Final = {"expert", "lead", "registrar"}
SEEN: Final = {
    "evidence": "https://leaves.example/sheets",
    "user_of_it": "Leaves Project",
    "address": "desk@leaves.example",
}
EXAMPLES: Final = {
    example.act.verb: example
    for example in (
        Example(
            HELD_NIDS.acts[0],
            "held/new/",
            OFFICERS,
            {"nid": "seedbank", "ground": "court", "until": UNTIL.isoformat(), **ORDER},
        ),
        Example(
            HELD_NIDS.acts[1],
            "held/{pk}/renew/",
            OFFICERS,
            {**ORDER, "source": "Order 13/2026", "until": LATER.isoformat()},
            needs=("hold_nid",),
        ),
        Example(
            HELD_NIDS.acts[2],
            "held/{pk}/end/",
            OFFICERS,
            {"ending": "Settled."},
            needs=("hold_nid",),
        ),
        Example(
            HELD_NIDS.acts[3],
            "held/{pk}/appeal/",
            PEOPLE - {"standards_body"},
            {"reasons": "They are ours."},
            needs=("hold_nid",),
        ),
        Example(
            HELD_NIDS.acts[4],
            "held/{pk}/answer/",
            {"standards_body"},
            {"lifts": "yes", "answer": "Void since May."},
            needs=("hold_nid", "appeal_hold"),
        ),
        Example(
            DISPUTES.acts[0],
            "namespaces/accession/disputes/new/",
            {"registrar"},
            {"kind": "dispute", "parties": "A and B", "text": "Both say so.", "source": "Letters"},
        ),
        Example(
            DISPUTES.acts[1],
            "namespaces/accession/disputes/{pk}/end/",
            {"registrar"},
            {"ending": "They agreed to share."},
            needs=("record_dispute",),
        ),
        Example(
            SIGHTINGS.acts[0],
            "sightings/new/",
            OBSERVERS,
            {"nid": "herbarium", **SEEN},
            optional=("user_of_it", "address"),
        ),
        Example(
            SIGHTINGS.acts[1],
            "sightings/{pk}/edit/",
            OBSERVERS,
            {**SEEN, "evidence": "Elsewhere.", "address": "names@leaves.example"},
            needs=("note_sighting",),
            optional=("user_of_it", "address"),
        ),
        Example(
            SIGHTINGS.acts[2],
            "sightings/{pk}/notify/",
            OBSERVERS,
            {},
            needs=("note_sighting",),
        ),
        Example(
            SIGHTINGS.acts[3],
            "sightings/{pk}/withdraw/",
            OBSERVERS,
            {"reason": "A test."},
            needs=("note_sighting",),
        ),
    )
}
MODELS: Final[dict[Any, type[models.Model]]] = {
    HELD_NIDS: HeldNid,
    DISPUTES: Dispute,
    SIGHTINGS: Sighting,
}
TABLE = pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
MARKED = [example for example in EXAMPLES.values() if example.act.needs_mark]


@pytest.fixture
def cast(request: pytest.FixtureRequest, organization: Organization) -> dict[str, User]:
    NamespaceFactory.create(nid="accession", registrant=organization)
    return {name: request.getfixturevalue(name) for name in sorted(PEOPLE)}


def find_row(example: Example) -> Any:
    """Return the newest row of the example's kind."""
    return MODELS[example.act.resource]._default_manager.order_by("pk").last()


def find_page(example: Example) -> str:
    """Return the address of an act's page, on the newest row."""
    row = find_row(example)
    return "/" + example.address.format(pk=row and row.pk)


def find_operation(example: Example) -> str:
    """Return the address of the same for programs."""
    page = find_page(example).replace("/held/", "/held-nids/").replace("/new/", "/")
    return f"/api/v1{page.removesuffix('edit/')}"


def find_mark(example: Example) -> str | None:
    """Return the mark of the row that an act needs, if it needs one."""
    return example.act.resource.mark(find_row(example)) if example.act.needs_mark else None


def post_page(example: Example, browser: Client, **changes: Any) -> Any:
    """Post the form of the page; a row's mark as it is now."""
    data = {**example.data, **changes, "seen": find_mark(example) or ""}
    return browser.post(find_page(example), data)


def send(example: Example, client: Client, data: dict[str, Any], seen: str | None = None) -> Any:
    """Send the same as JSON."""
    answers = {"yes": True, "no": False}
    sent = {name: answers.get(value, value) for name, value in data.items()}
    method = client.patch if example.act.corrects else client.post
    return method(find_operation(example), sent, JSON, headers=matching(seen))


def post_operation(example: Example, person: User, data: dict[str, Any]) -> Any:
    return send(example, Program.of(person).client, data, find_mark(example))


def prepare(example: Example, cast: dict[str, User]) -> User:
    """Take the acts that come before, and return the first who may take this one."""
    for verb in example.needs:
        earlier = EXAMPLES[verb]
        answer = post_operation(earlier, cast[min(earlier.people)], earlier.data)
        assert answer.status_code in (200, 201), answer.content
    return cast[min(example.people)]


def list_verbs() -> list[str]:
    return list(Event.objects.order_by("number").values_list("verb", flat=True))


def test_every_declared_act_has_an_example() -> None:
    declared = {act.verb for resource in MODELS for act in resource.acts}

    assert declared == EXAMPLES.keys()


@TABLE
def test_act_is_taken_on_its_page_once_however_often_it_is_sent(
    example: Example, cast: dict[str, User], sign_in: SignIn
) -> None:
    browser = sign_in(prepare(example, cast))
    page = find_page(example)
    shown = browser.get(page)
    data = {**example.data, "seen": find_mark(example) or ""}

    first, second = browser.post(page, data), browser.post(page, data)

    assert (shown.status_code, first.status_code) == (200, 302)
    assert second.status_code in (302, 409)
    assert list_verbs() == [*example.needs, example.act.verb]


@TABLE
def test_act_is_taken_by_a_program(example: Example, cast: dict[str, User]) -> None:
    person = prepare(example, cast)

    answer = post_operation(example, person, example.data)

    usual = 204 if example.act.deletes else 200
    assert answer.status_code == (201 if example.act.creates else usual)
    assert Event.objects.latest("number").verb == example.act.verb
    assert Event.objects.latest("number").actor == person


@TABLE
def test_act_is_refused_to_everybody_else_at_both_doors(
    example: Example, cast: dict[str, User], sign_in: SignIn, client: Client
) -> None:
    prepare(example, cast)

    others = PEOPLE - example.people
    refused = {
        name
        for name in others
        if post_page(example, sign_in(cast[name])).status_code == 403
        and post_operation(example, cast[name], example.data).status_code == 403
    }

    assert refused == others
    assert post_page(example, client).status_code == 302
    assert send(example, client, example.data).status_code == 401
    assert list_verbs() == list(example.needs)


@TABLE
def test_act_is_refused_under_its_lock_to_whoever_lost_the_role(
    example: Example, cast: dict[str, User]
) -> None:
    person = prepare(example, cast)
    if example.people > {"outsider"}:
        person.emailaddress_set.all().delete()
    User.objects.get(pk=person.pk).groups.clear()
    row = find_row(example)
    parent = [NamespaceFactory.create()] if example.act.resource is DISPUTES else []
    form = example.act.form(example.data)
    assert form.is_valid()

    with pytest.raises(ActionRefused, match=str(example.act.refusal)):
        example.act(
            *(parent if example.act.creates else [row]),
            actor=person,
            seen=find_mark(example),
            **form.cleaned_data,
        )


@TABLE
def test_act_with_a_field_left_empty_says_which_and_changes_nothing(
    example: Example, cast: dict[str, User], sign_in: SignIn
) -> None:
    person = prepare(example, cast)

    for name in example.data.keys() - set(example.optional):
        page = post_page(example, sign_in(person), **{name: ""})
        without = {other: value for other, value in example.data.items() if other != name}
        # What a correction leaves out stays as it is.
        sent = {**without, name: ""} if example.act.corrects else without
        answer = post_operation(example, person, sent)

        assert (page.status_code, list(page.context["form"].errors)) == (200, [name])
        assert (answer.status_code, list(answer.json()["errors"])) == (400, [name])
    assert list_verbs() == list(example.needs)


@pytest.mark.parametrize("example", MARKED, ids=lambda example: example.act.verb)
def test_act_on_what_has_changed_since_it_was_read_is_refused_at_both_doors(
    example: Example, cast: dict[str, User], sign_in: SignIn
) -> None:
    person = prepare(example, cast)
    program = Program.of(person).client

    page = sign_in(person).post(find_page(example), {**example.data, "seen": "older"})
    answers = [send(example, program, example.data, seen) for seen in ("older", None)]

    assert (page.status_code, [answer.status_code for answer in answers]) == (409, [412, 428])
    assert 'value="older"' in page.content.decode()
    assert page.context["form"].data.dict().items() >= example.data.items()
    assert list_verbs() == list(example.needs)
