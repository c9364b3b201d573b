"""Changes of one namespace know of each other: nobody takes back a version unseen."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

import pytest
import time_machine
from django.utils import timezone

from registry import selectors, workflow
from registry.enums import ChangeKind, RequestPath
from registry.models import Namespace, Organization, RegistrationRequest, Round, User
from registry.selectors.base_versions import find_newer_version, merge_newer_version
from registry.workflow import drafts
from tests.factories import let_speak_for
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def namespace(
    approved: RegistrationRequest, organization: Organization, registrant: User, registrar: User
) -> Namespace:
    """A namespace in version 1, for whose holder its author speaks."""
    workflow.perform(approved, "register", actor=registrar, confirmation=approved.nid)
    let_speak_for(organization, registrant)
    return Namespace.objects.get(nid=approved.nid)


def begin(
    author: User,
    namespace: Namespace,
    texts: Mapping[str, str],
    change: ChangeKind = ChangeKind.REVISION,
) -> RegistrationRequest:
    """Start a change of the namespace, and write on its text."""
    assert namespace.registrant
    registration_request = drafts.start_request(
        author=author,
        path=RequestPath.COMMUNITY,
        organization=namespace.registrant,
        summary=namespace.summary,
        namespace=namespace,
        change=change,
    )
    if texts:
        drafts.save_draft(find_draft(registration_request), texts, seen=0)
    return registration_request


def find_draft(registration_request: RegistrationRequest) -> Round:
    draft = registration_request.draft
    assert draft
    return draft


def publish(registration_request: RegistrationRequest, expert: User, registrar: User) -> None:
    """Have a request that was sent reviewed and registered."""
    workflow.perform(registration_request, "assign", actor=expert)
    workflow.perform(registration_request, "approve", actor=expert, comment="Sound.")
    workflow.perform(
        registration_request, "register", actor=registrar, confirmation=registration_request.nid
    )


def bring_up_to_date(registration_request: RegistrationRequest) -> None:
    """Take over what the version in force changed, as nothing is in conflict."""
    draft = find_draft(registration_request)
    newer = find_newer_version(registration_request, draft)
    assert newer
    merge = merge_newer_version(draft, newer)
    assert merge.conflicts == ()
    drafts.bring_draft_up_to_date(draft, newer, merge.template.to_dict(), seen=draft.edition)


MINE = {"purpose": "Names of seeds, and of jars.", "revision_information": "Purpose says more."}
THEIRS = {
    "assignment": "Only the federation assigns names, in sequence. None is given twice.",
    "revision_information": "Assignment is stricter.",
}


def test_text_of_an_earlier_version_is_sent_once_it_is_up_to_date(
    namespace: Namespace, registrant: User, expert: User, registrar: User
) -> None:
    mine = begin(registrant, namespace, MINE)
    theirs = begin(registrant, namespace, THEIRS)
    workflow.perform(theirs, "submit", actor=registrant)
    publish(theirs, expert, registrar)

    with expect_refusal("written_from_version_in_force"):
        workflow.perform(mine, "submit", actor=registrant)
    bring_up_to_date(mine)
    workflow.perform(mine, "submit", actor=registrant)

    assert mine.last_round
    sent = mine.last_round.template
    assert (sent.assignment, sent.purpose) == (THEIRS["assignment"], MINE["purpose"])
    assert mine.last_round.base == namespace.current


@pytest.mark.whole
def test_round_written_from_an_earlier_version_is_named_and_cannot_be_approved(
    namespace: Namespace, registrant: User, expert: User, registrar: User
) -> None:
    mine, theirs = begin(registrant, namespace, MINE), begin(registrant, namespace, THEIRS)
    for each in (mine, theirs):
        workflow.perform(each, "submit", actor=registrant)
    workflow.perform(theirs, "assign", actor=expert)
    workflow.perform(theirs, "approve", actor=expert, comment=f"Before {mine.reference}.")
    workflow.perform(theirs, "register", actor=registrar, confirmation=theirs.nid)

    mine.refresh_from_db()
    assert mine.last_round
    assert find_newer_version(mine, mine.last_round) == namespace.current
    with pytest.raises(workflow.ActionRefused):
        workflow.perform(mine, "approve", actor=expert, comment="Sound.")


def test_changes_of_one_namespace_name_each_other(namespace: Namespace, registrant: User) -> None:
    first = begin(registrant, namespace, MINE)
    second = begin(registrant, namespace, THEIRS)
    workflow.perform(first, "submit", actor=registrant)

    event = workflow.perform(second, "submit", actor=registrant)

    assert event.data["contended_with"] == [first.reference]
    assert selectors.list_rival_requests(first) == [second]
    assert selectors.list_rival_requests(second) == [first]


def test_newer_fact_is_a_finding(namespace: Namespace, registrant: User, registrar: User) -> None:
    mine = begin(registrant, namespace, MINE)
    contact = begin(registrant, namespace, {}, ChangeKind.CONTACT)
    drafts.save_draft_facts(find_draft(contact), {"contact": "urn@desk.example"}, seen=0)
    before = selectors.list_findings(mine, find_draft(mine).template)
    workflow.perform(contact, "submit", actor=registrant)
    workflow.perform(contact, "register", actor=registrar, confirmation=contact.nid)

    after = selectors.list_findings(mine, find_draft(mine).template)

    (added,) = set(after) - set(before)
    assert added.check == "base.newer-fact"
    assert contact.reference in added.message


@pytest.mark.whole
@pytest.mark.parametrize(("more", "days"), [({}, 0), ({"documentation": "None: oral."}, 10)])
def test_round_that_only_brings_a_text_up_to_date_keeps_its_comment_date(
    namespace: Namespace,
    registrant: User,
    expert: User,
    registrar: User,
    more: dict[str, str],
    days: int,
) -> None:
    mine, theirs = begin(registrant, namespace, MINE), begin(registrant, namespace, THEIRS)
    workflow.perform(mine, "submit", actor=registrant)
    workflow.perform(mine, "assign", actor=expert)
    workflow.perform(mine, "request_changes", actor=expert, comment="Say more.")
    assert mine.last_round
    first = mine.last_round.comments_until
    workflow.perform(theirs, "submit", actor=registrant)
    with time_machine.travel(timezone.now() + datetime.timedelta(10)):
        workflow.perform(theirs, "assign", actor=expert)
        workflow.perform(theirs, "approve", actor=expert, comment=f"Before {mine.reference}.")
        workflow.perform(theirs, "register", actor=registrar, confirmation=theirs.nid)
        mine.refresh_from_db()
        bring_up_to_date(mine)
        if more:
            draft = find_draft(mine)
            drafts.save_draft(draft, more, seen=draft.edition)
        workflow.perform(mine, "submit", actor=registrant)

    assert first
    assert mine.last_round.comments_until == first + datetime.timedelta(days)
