"""Several requests of one document, published together: all of them, or none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from registry import workflow
from registry.actions import held_nids
from registry.actions.joint_publication import publish_together
from registry.enums import HoldGround, RequestPath, State
from registry.models import Event, Namespace, Organization, RegistrationRequest, User
from registry.workflow import ActionRefused
from tests.api.clients import JSON, Program
from tests.factories import formal_text, start
from tests.template.samples import INFORMAL
from tests.web.pages import error_codes
from tests.web.test_held_nids import in_days

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
PAGE = "/publish/together/"


@pytest.fixture
def approvals(
    registrant: User, organization: Organization, expert: User
) -> list[RegistrationRequest]:
    """Two formal requests and an informal one, all waiting for the registrar."""
    texts = [
        (formal_text("seedbank"), RequestPath.COMMUNITY),
        (formal_text("seedlot"), RequestPath.COMMUNITY),
        (INFORMAL, RequestPath.INFORMAL),
    ]
    made = [start(registrant, organization, text, path) for text, path in texts]
    for each in made:
        workflow.perform(each, "submit", actor=registrant)
        workflow.perform(each, "assign", actor=expert)
        workflow.perform(each, "approve", actor=expert, comment=name_others(each, made))
    return made


def name_others(asked: RegistrationRequest, made: list[RegistrationRequest]) -> str:
    return f"Sound. {' '.join(each.reference for each in made if each != asked)}"


def choosing(*chosen: RegistrationRequest, **changes: object) -> dict[str, object]:
    """Return what the form posts if everything is filled in correctly."""
    return {
        "chosen": [f"{each.slug}.{each.revision}" for each in chosen],
        "references": "RFC 9999",
        "iana_reference": "IANA #1234567",
        "confirmation": " ".join(each.nid or each.reference for each in chosen),
        **changes,
    }


def registered() -> dict[str, tuple[list[str], str]]:
    known = Namespace.objects.order_by("nid")
    return {each.nid: (each.references, each.iana_reference) for each in known}


@pytest.mark.whole
def test_namespaces_of_one_document_are_published_by_one_act(
    approvals: list[RegistrationRequest], registrar: User, sign_in: SignIn
) -> None:
    answer = sign_in(registrar).post(PAGE, choosing(*approvals), follow=True)

    assert answer.redirect_chain == [("/publish/", 302)]
    entry = (["RFC 9999"], "IANA #1234567")
    assert registered() == {"seedbank": entry, "seedlot": entry, "urn-1": entry}
    names = sorted(each.reference for each in approvals)
    together = Event.objects.filter(verb="register").values_list("data__together", flat=True)
    assert list(together) == [names] * 3


def test_none_is_published_if_one_cannot_be(
    approvals: list[RegistrationRequest], registrar: User
) -> None:
    held_nids.hold_nid(
        "seedlot",
        actor=registrar,
        ground=HoldGround.COURT,
        reasons="Two say it is theirs.",
        source="Order 1",
        until=in_days(30),
    )
    chosen = [(each, each.revision) for each in approvals]

    with pytest.raises(ActionRefused, match=r"seedlot.* held back"):
        publish_together(chosen, actor=registrar, references=["RFC 9999"])

    states = RegistrationRequest.objects.values_list("state", flat=True)
    assert (registered(), set(states)) == ({}, {State.APPROVED})
    assert not Event.objects.filter(verb="register").exists()


def test_requests_that_cannot_be_published_are_not_offered(
    approvals: list[RegistrationRequest], registrar: User, sign_in: SignIn
) -> None:
    held_nids.hold_nid(
        "seedlot",
        actor=registrar,
        ground=HoldGround.DIRECTION,
        reasons="It waits for a standard.",
        source="Minutes",
        until=in_days(30),
    )

    offered = sign_in(registrar).get(PAGE).context["form"].fields["chosen"].choices

    assert [mark.partition(".")[0] for mark, _label in offered] == [
        approvals[0].slug,
        approvals[2].slug,
    ]


@pytest.mark.whole
def test_identifier_of_each_is_typed_and_one_alone_is_refused(
    approvals: list[RegistrationRequest], registrar: User, sign_in: SignIn
) -> None:
    browser = sign_in(registrar)
    formal = approvals[:2]

    wrong = browser.post(PAGE, choosing(*formal, confirmation="seedbank"))
    alone = browser.post(PAGE, choosing(approvals[0]))
    again = browser.post(PAGE, choosing(*formal, confirmation="urn:SEEDLOT seedbank"))

    assert error_codes(wrong, "confirmation") == ["confirmation"]
    assert (alone.status_code, bool(alone.context["form"].non_field_errors())) == (409, True)
    assert again.status_code == 302
    assert set(registered()) == {"seedbank", "seedlot"}


def test_stale_page_publishes_nothing(
    approvals: list[RegistrationRequest], registrar: User, sign_in: SignIn
) -> None:
    seen = choosing(*approvals)
    workflow.perform(approvals[1], "request_changes", actor=registrar, comment="A defect.")

    answer = sign_in(registrar).post(PAGE, seen)

    assert error_codes(answer, "chosen") == ["invalid_choice"]
    assert registered() == {}


@pytest.mark.whole
def test_programs_publish_several_too_and_nobody_but_the_registrar_does(
    approvals: list[RegistrationRequest], registrar: User, expert: User, sign_in: SignIn
) -> None:
    said = choosing(*approvals, references=["RFC 9999"])
    del said["chosen"]
    said["requests"] = [
        {"reference": each.reference, "revision": each.revision} for each in approvals
    ]
    refused = Program.of(expert).client.post("/api/v1/publications/", said, JSON)

    answer = Program.of(registrar).client.post("/api/v1/publications/", said, JSON)

    assert (refused.status_code, sign_in(expert).get(PAGE).status_code) == (403, 403)
    assert answer.status_code == 201
    assert [each["nid"] for each in answer.json()] == ["seedbank", "seedlot", "urn-1"]
