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
from registry.models import Dispute, Event, HeldNid, Organization, User
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
    """An act as it is taken, on rows of both folders of addresses, and by whom it may be."""

    act: Act[Any]
    address: str
    people: set[str]
    data: dict[str, Any]
    needs: tuple[str, ...] = ()
    """Verbs that come before, by the first who may."""


EXAMPLES: Final = {
    example.act.verb: example
    for example in (
        Example(
            HELD_NIDS.acts[0],
            "held/new/",
            {"registrar", "standards_body"},
            {"nid": "seedbank", "ground": "court", "until": UNTIL.isoformat(), **ORDER},
        ),
        Example(
            HELD_NIDS.acts[1],
            "held/{hold}/renew/",
            {"registrar", "standards_body"},
            {**ORDER, "source": "Order 13/2026", "until": LATER.isoformat()},
            ("hold_nid",),
        ),
        Example(
            HELD_NIDS.acts[2],
            "held/{hold}/end/",
            {"registrar", "standards_body"},
            {"ending": "Settled."},
            ("hold_nid",),
        ),
        Example(
            HELD_NIDS.acts[3],
            "held/{hold}/appeal/",
            PEOPLE - {"standards_body"},
            {"reasons": "They are ours."},
            ("hold_nid",),
        ),
        Example(
            HELD_NIDS.acts[4],
            "held/{hold}/answer/",
            {"standards_body"},
            {"lifts": "yes", "answer": "Void since May."},
            ("hold_nid", "appeal_hold"),
        ),
        Example(
            DISPUTES.acts[0],
            "namespaces/accession/disputes/new/",
            {"registrar"},
            {"kind": "dispute", "parties": "A and B", "text": "Both say so.", "source": "Letters"},
        ),
        Example(
            DISPUTES.acts[1],
            "namespaces/accession/disputes/{dispute}/end/",
            {"registrar"},
            {"ending": "They agreed to share."},
            ("record_dispute",),
        ),
    )
}
TABLE = pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)


@pytest.fixture
def cast(request: pytest.FixtureRequest, organization: Organization) -> dict[str, User]:
    NamespaceFactory.create(nid="accession", registrant=organization)
    return {name: request.getfixturevalue(name) for name in sorted(PEOPLE)}


def find_row(model: type[models.Model]) -> Any:
    return model._default_manager.order_by("pk").last()


def find_page(example: Example) -> str:
    """Return the address of an act's page, on the newest row."""
    hold, dispute = find_row(HeldNid), find_row(Dispute)
    return "/" + example.address.format(hold=hold and hold.pk, dispute=dispute and dispute.pk)


def find_operation(example: Example) -> str:
    """Return the address of the same for programs."""
    page = find_page(example).replace("/held/", "/held-nids/").replace("/new/", "/")
    return f"/api/v1{page}"


def find_mark(example: Example) -> str | None:
    """Return the mark of the row that an act needs, if it needs one."""
    return HELD_NIDS.mark(find_row(HeldNid)) if example.act.needs_mark else None


def post_page(example: Example, browser: Client, **changes: Any) -> Any:
    """Post the form of the page; a row's mark as it is now."""
    data = {**example.data, **changes, "seen": find_mark(example) or ""}
    return browser.post(find_page(example), data)


def post_operation(example: Example, person: User, data: dict[str, Any]) -> Any:
    """Post the same as JSON."""
    answers = {"yes": True, "no": False}
    sent = {name: answers.get(value, value) for name, value in data.items()}
    headers = matching(find_mark(example))
    return Program.of(person).client.post(find_operation(example), sent, JSON, headers=headers)


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
    declared = {act.verb for resource in (HELD_NIDS, DISPUTES) for act in resource.acts}

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

    assert answer.status_code == (201 if example.act.creates else 200)
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
    assert client.post(find_operation(example), example.data, JSON).status_code == 401
    assert list_verbs() == list(example.needs)


@TABLE
def test_act_is_refused_under_its_lock_to_whoever_lost_the_role(
    example: Example, cast: dict[str, User]
) -> None:
    person = prepare(example, cast)
    if example.people > {"outsider"}:
        person.emailaddress_set.all().delete()
    User.objects.get(pk=person.pk).groups.clear()
    row = find_row(Dispute if example.act.resource is DISPUTES else HeldNid)
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

    for name in example.data:
        page = post_page(example, sign_in(person), **{name: ""})
        without = {other: value for other, value in example.data.items() if other != name}
        answer = post_operation(example, person, without)

        assert (page.status_code, list(page.context["form"].errors)) == (200, [name])
        assert (answer.status_code, list(answer.json()["errors"])) == (400, [name])
    assert list_verbs() == list(example.needs)


@pytest.mark.parametrize(
    "example",
    [each for each in EXAMPLES.values() if each.act.needs_mark],
    ids=lambda each: each.act.verb,
)
def test_act_on_what_has_changed_since_it_was_read_is_refused_at_both_doors(
    example: Example, cast: dict[str, User], sign_in: SignIn
) -> None:
    person = prepare(example, cast)
    page = find_page(example)
    operation = Program.of(person).client

    stale = sign_in(person).post(page, {**example.data, "seen": "older"})
    answers = [
        operation.post(find_operation(example), example.data, JSON, headers=matching(seen))
        for seen in ("older", None)
    ]

    assert (stale.status_code, [answer.status_code for answer in answers]) == (409, [412, 428])
    assert 'value="older"' in stale.content.decode()
    assert list_verbs() == list(example.needs)
