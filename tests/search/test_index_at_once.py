"""Two act at the same time on what one document says of both: the index knows both.

One has described what the index is to say and not yet numbered its event when the other acts from
beginning to end. SQLite lets nobody begin then, so there the other waits for the first.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Final

import pytest
from django.db import connection, connections, transaction

from registry import workflow
from registry.actions import discussion
from registry.enums import ChangeKind, RequestPath
from registry.journal import find_last_number
from registry.models import Organization, RegistrationRequest, SearchDocument, User
from registry.search import IndexUpdate, find_stale_documents, rebuild_index
from registry.workflow.events import EventBatch, record_event
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    formal_text,
    let_speak_for,
    start,
)
from tests.small_changes import send

PATIENCE: Final = 60.0

Act = Callable[[], object]


def act_in_between(monkeypatch: pytest.MonkeyPatch, first: Act, second: Act) -> None:
    """Begin `first`; before it numbers its events do `second` by another connection."""
    write, started = EventBatch.write, list[Future[object]]()

    def act_alone() -> object:
        try:
            return second()
        finally:
            connections.close_all()

    def write_after_second(batch: EventBatch) -> None:
        if not started:
            started.append(pool.submit(act_alone))
            if connection.vendor == "postgresql":
                started[0].result(PATIENCE)
        write(batch)

    with ThreadPoolExecutor(1) as pool, monkeypatch.context() as patch:
        patch.setattr(EventBatch, "write", write_after_second)
        first()
        started[0].result(PATIENCE)


def rename(organization: Organization, person: User) -> None:
    """Give an organization another name, as the administration does."""
    with transaction.atomic():
        held = Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)
        held.name = "Hornswoggled Vaults"
        held.save()
        record_event(held, actor=person, verb="admin.change", is_silent=True)


@pytest.mark.django_db(transaction=True)
def test_two_namespaces_of_one_body_are_both_found_with_it(
    registrant: User,
    organization: Organization,
    expert: User,
    registrar: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let_speak_for(organization, registrant)
    acts = []
    for nid in ("grain-one", "grain-two"):
        asked = start(registrant, organization, formal_text(nid), RequestPath.COMMUNITY)
        workflow.perform(asked, "submit", actor=registrant)
        workflow.perform(asked, "assign", actor=expert)
        workflow.perform(asked, "approve", actor=expert, comment="Sound.")
        acts.append(partial(workflow.perform, asked, "register", actor=registrar))

    rebuild_index()

    act_in_between(monkeypatch, *acts)

    said = SearchDocument.objects.get(kind="organization", key=organization.pk).summary
    assert said.endswith(" grain-one, grain-two")
    assert list(find_stale_documents()) == []


@pytest.mark.parametrize("is_sent_first", [True, False])
@pytest.mark.django_db(transaction=True)
def test_body_that_is_renamed_while_its_first_request_is_sent_is_found_by_its_new_name(
    draft: RegistrationRequest,
    registrant: User,
    organization: Organization,
    administrator: User,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_sent_first: bool,
) -> None:
    acts: list[Act] = [
        partial(workflow.perform, draft, "submit", actor=registrant),
        partial(rename, organization, administrator),
    ]
    rebuild_index()

    act_in_between(monkeypatch, *(acts if is_sent_first else acts[::-1]))

    assert SearchDocument.objects.filter(title="Hornswoggled Vaults").exists()
    assert list(find_stale_documents()) == []


@pytest.mark.django_db
def test_only_events_that_can_concern_it_have_a_document_described_anew(
    in_review: RegistrationRequest, outsider: User, registrar: User, organization: Organization
) -> None:
    other = start(
        outsider, OrganizationFactory.create(), formal_text("grain-two"), RequestPath.COMMUNITY
    )
    same = start(outsider, organization, formal_text("grain-three"), RequestPath.COMMUNITY)
    namespace = NamespaceFactory.create(registrant=OrganizationFactory.create())
    author, heir = UserFactory.create(), OrganizationFactory.create()

    def is_outdated_by(act: Act) -> bool:
        update = IndexUpdate()
        update.begin()
        update.add(in_review)
        act()
        return update.is_outdated(find_last_number() + 1)

    assert not is_outdated_by(lambda: workflow.perform(other, "submit", actor=outsider))
    assert not is_outdated_by(lambda: post_comment(in_review, outsider))
    assert is_outdated_by(lambda: workflow.perform(same, "submit", actor=outsider))
    assert is_outdated_by(lambda: workflow.perform(in_review, "withdraw", actor=in_review.author))
    assert is_outdated_by(lambda: send(namespace, ChangeKind.TRANSFER, author, heir))
    assert is_outdated_by(lambda: rename(OrganizationFactory.create(), registrar))


def post_comment(registration_request: RegistrationRequest, author: User) -> None:
    """Comment on a request."""
    discussion.add_comment(registration_request, author=author, text="Good.", key=uuid.uuid4())
