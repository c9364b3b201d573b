"""Changes of facts: no experts and no new version; proof decides (docs/process.md)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from registry import journal, permissions, workflow
from registry.enums import (
    ChangeKind,
    ObstacleKind,
    RequestPath,
    State,
)
from registry.journal.event_messages import describe_events
from registry.journal.row_digests import build_row_key
from registry.models import Namespace, Organization, RegistrationRequest, User
from registry.selectors.case import open_case
from registry.selectors.consent import list_people_who_can_consent
from registry.workflow import drafts
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    end_speaking_for,
    let_speak_for,
)
from tests.refusals import expect_refusal, list_obstacle_kinds
from tests.small_changes import ASKED, begin, bring_second_officer, record_consent, send
from tests.workflow.test_at_once import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def namespace(organization: Organization, registrant: User) -> Namespace:
    """A namespace whose registrant named a delegate."""
    let_speak_for(organization, registrant)
    return NamespaceFactory.create(
        nid="seedbank", registrant=organization, contact="Old desk", references=["RFC 3187"]
    )


@pytest.fixture
def successor(db: None) -> Organization:
    return OrganizationFactory.create(name="Southlight Seed Trust")


@pytest.mark.parametrize("change", [ChangeKind.CONTACT, ChangeKind.REFERENCE, ChangeKind.STATUS])
def test_change_of_facts_goes_to_the_registrar_and_changes_the_namespace_alone(
    change: ChangeKind, namespace: Namespace, registrant: User, registrar: User
) -> None:
    sent = send(namespace, change, registrant)
    waits_for = sent.state
    bring_second_officer(sent)

    event = workflow.perform(sent, "register", actor=registrar)

    namespace.refresh_from_db()
    assert (waits_for, sent.state) == (State.APPROVED, State.REGISTERED)
    assert drafts.read_stated_facts(sent) == ASKED[change]
    assert (namespace.registrations.count(), namespace.registrant) == (0, sent.organization)
    assert event.data["after"] == ASKED[change]
    assert event.data["before"] != event.data["after"]
    assert event.namespace == namespace


def test_line_of_a_change_proves_the_namespace_and_who_asked(
    namespace: Namespace, registrant: User, registrar: User
) -> None:
    sent = send(namespace, ChangeKind.CONTACT, registrant)

    event = workflow.perform(sent, "register", actor=registrar)

    assert set(event.rows) == {build_row_key(namespace), build_row_key(sent.organization)}


def test_versions_stay_as_they_were(
    approved: RegistrationRequest, registrant: User, registrar: User
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    published = Namespace.objects.get(nid="seedbank")
    let_speak_for(approved.organization, registrant)
    sent = send(published, ChangeKind.CONTACT, registrant)

    workflow.perform(sent, "register", actor=registrar)

    assert [each.number for each in published.registrations.all()] == [1]
    assert published.next_version == 2


def test_no_expert_comes_to_it(
    namespace: Namespace, registrant: User, expert: User, lead: User, registrar: User
) -> None:
    sent = send(namespace, ChangeKind.CONTACT, registrant)

    offered = {
        who.name: [each.verb for each in workflow.available_transitions(sent, who)]
        for who in (expert, lead, registrar)
    }

    assert [set(offered[each.name]) - {"appeal", "recuse"} for each in (expert, lead)] == [
        set(),
        set(),
    ]
    assert {"request_changes", "record_evidence", "register"} <= set(offered[registrar.name])


def test_registrar_verifies_the_word_of_the_holder_without_a_known_delegate(
    namespace: Namespace, organization: Organization, outsider: User, registrar: User
) -> None:
    end_speaking_for(organization)
    sent = send(namespace, ChangeKind.CONTACT, outsider)
    with expect_refusal("may_be_published"):
        workflow.perform(sent, "register", actor=registrar)
    assert list_obstacle_kinds(sent) == [ObstacleKind.CONSENT]
    assert list_people_who_can_consent(open_case(sent)) == []

    record_consent(sent)
    workflow.perform(sent, "register", actor=registrar)

    assert sent.state == State.REGISTERED


def test_delegate_of_another_body_is_no_proof_where_nobody_knows_the_registrant(
    registrant: User, organization: Organization, registrar: User
) -> None:
    let_speak_for(organization, registrant)
    unheld = NamespaceFactory.create(nid="seedlings", registrant=None)
    sent = send(unheld, ChangeKind.CONTACT, registrant, organization)

    with expect_refusal("may_be_published"):
        workflow.perform(sent, "register", actor=registrar)
    assert list_obstacle_kinds(sent) == [ObstacleKind.CONSENT]
    assert list_people_who_can_consent(open_case(sent)) == []

    assert sent.events.filter(verb="register").count() == 0


def test_transfer_needs_both_sides(
    namespace: Namespace,
    organization: Organization,
    successor: Organization,
    registrant: User,
    registrar: User,
) -> None:
    heir = UserFactory.create(name="Hedda Heir")
    let_speak_for(successor, heir)
    sent = send(namespace, ChangeKind.TRANSFER, heir, successor)
    with expect_refusal("may_be_published"):
        workflow.perform(sent, "register", actor=registrar)
    assert list_obstacle_kinds(sent) == [ObstacleKind.CONSENT]
    assert list_people_who_can_consent(open_case(sent)) != []

    workflow.perform(sent, "consent", actor=registrant)
    bring_second_officer(sent)
    event = workflow.perform(sent, "register", actor=registrar)

    namespace.refresh_from_db()
    assert (namespace.registrant, namespace.contact) == (
        successor,
        "Registry office, names@southlight.example",
    )
    assert event.data["before"] == {
        "registrant": organization.name,
        "contact": "Old desk",
    }
    assert event.data["after"]["registrant"] == "Southlight Seed Trust"


def test_side_that_gives_away_does_not_transfer_alone(
    namespace: Namespace, successor: Organization, registrant: User, registrar: User
) -> None:
    sent = send(namespace, ChangeKind.TRANSFER, registrant, successor)

    with expect_refusal("may_be_published"):
        workflow.perform(sent, "register", actor=registrar)

    record_consent(sent)
    bring_second_officer(sent)
    workflow.perform(sent, "register", actor=registrar)
    assert sent.state == State.REGISTERED


def test_publish_facts_ends_the_part_of_who_spoke_for_the_namespace_under_its_old_holder(
    namespace: Namespace, successor: Organization, registrar: User, outsider: User
) -> None:
    sent = ask_as_only_speaker(namespace, outsider, ChangeKind.TRANSFER, successor)
    record_consent(sent)
    bring_second_officer(sent)

    workflow.perform(sent, "register", actor=registrar)

    namespace.refresh_from_db()
    assert namespace.registrant == successor
    assert not permissions.speaks_for_namespace(outsider, namespace)


def test_publish_facts_leaves_who_speaks_for_the_namespace_if_its_holder_stays(
    namespace: Namespace, registrar: User, outsider: User
) -> None:
    sent = ask_as_only_speaker(namespace, outsider, ChangeKind.CONTACT)

    workflow.perform(sent, "register", actor=registrar)

    assert permissions.speaks_for_namespace(outsider, namespace)


def ask_as_only_speaker(
    namespace: Namespace,
    person: User,
    change: ChangeKind,
    organization: Organization | None = None,
) -> RegistrationRequest:
    """Have `person`, who speaks for the namespace and nobody else does, ask for a change of it."""
    assert namespace.registrant is not None
    end_speaking_for(namespace.registrant)
    let_speak_for(namespace, person)
    assert permissions.speaks_for_namespace(person, namespace)
    return send(namespace, change, person, organization)


def test_start_request_finds_what_its_author_started_with_the_key_and_nothing_of_others(
    draft: RegistrationRequest, registrant: User, outsider: User, organization: Organization
) -> None:
    def start_again(author: User) -> RegistrationRequest:
        return drafts.start_request(
            author=author,
            path=RequestPath.COMMUNITY,
            organization=organization,
            summary="Another",
            nid="another",
            key=draft.start_key,
        )

    assert start_again(registrant) == draft
    assert start_again(outsider).author == outsider
    assert set(RegistrationRequest.objects.values_list("author", flat=True)) == {
        registrant.pk,
        outsider.pk,
    }


def test_former_delegate_is_no_proof(
    namespace: Namespace, registrant: User, registrar: User
) -> None:
    sent = send(namespace, ChangeKind.CONTACT, registrant)
    end_speaking_for(sent.organization)

    with expect_refusal("may_be_published"):
        workflow.perform(sent, "register", actor=registrar)
    assert list_obstacle_kinds(sent) == [ObstacleKind.CONSENT]
    assert list_people_who_can_consent(open_case(sent)) == []

    assert Namespace.objects.get().contact == "Old desk"


def test_want_of_proof_sends_it_back_with_the_facts_to_go_on_with(
    namespace: Namespace, outsider: User, registrar: User
) -> None:
    sent = send(namespace, ChangeKind.CONTACT, outsider)

    workflow.perform(sent, "request_changes", actor=registrar, comment="Nobody vouches for you.")

    draft = sent.draft
    assert draft is not None
    assert (sent.state, draft.facts) == (State.CHANGES_REQUESTED, ASKED[ChangeKind.CONTACT])


def test_second_round_may_change_facts_alone(
    namespace: Namespace, registrant: User, registrar: User
) -> None:
    sent = send(namespace, ChangeKind.CONTACT, registrant)
    workflow.perform(sent, "request_changes", actor=registrar, comment="No such desk.")
    draft = sent.draft
    assert draft is not None
    drafts.save_draft_facts(draft, {"contact": "New desk"}, seen=draft.edition)

    workflow.perform(sent, "submit", actor=registrant)
    workflow.perform(sent, "register", actor=registrar)

    namespace.refresh_from_db()
    first, second = sent.rounds.sent()
    assert (first.facts, first.template) != (second.facts, second.template)
    assert first.template == second.template
    assert namespace.contact == "New desk"


def test_second_round_with_the_same_facts_is_not_sent(
    namespace: Namespace, registrant: User, registrar: User
) -> None:
    sent = send(namespace, ChangeKind.CONTACT, registrant)
    workflow.perform(sent, "request_changes", actor=registrar, comment="No such desk.")

    with expect_refusal("something_changed"):
        workflow.perform(sent, "submit", actor=registrant)

    assert sent.rounds.sent().count() == 1


def test_facts_are_not_written_into_a_round_that_was_sent(
    namespace: Namespace, registrant: User
) -> None:
    begun = begin(namespace, ChangeKind.CONTACT, registrant)
    open_page = begun.draft
    assert open_page is not None
    workflow.perform(begun, "submit", actor=registrant)

    with pytest.raises(workflow.ConcurrentChange):
        drafts.save_draft_facts(open_page, {"contact": "Another"}, seen=open_page.edition)

    last = begun.last_round
    assert last is not None
    assert (last.facts, last.sha256) == (ASKED[ChangeKind.CONTACT], last.canonical_sha256)


def test_facts_are_not_written_over_those_somebody_else_saved(
    namespace: Namespace, registrant: User
) -> None:
    begun = begin(namespace, ChangeKind.CONTACT, registrant)
    open_page = begun.draft
    assert open_page is not None
    before = open_page.edition
    drafts.save_draft_facts(open_page, {"contact": "The one desk"}, seen=before)

    with pytest.raises(workflow.ConcurrentChange):
        drafts.save_draft_facts(open_page, {"contact": "The other desk"}, seen=before)

    assert begun.draft is not None
    assert (begun.draft.facts, begun.draft.edition) == ({"contact": "The one desk"}, before + 1)


def test_facts_that_the_registry_has_already_are_not_asked_for(
    namespace: Namespace, registrant: User
) -> None:
    begun = begin(namespace, ChangeKind.CONTACT, registrant, contact="Old desk")

    with expect_refusal("nothing_blocks"):
        workflow.perform(begun, "submit", actor=registrant)

    assert begun.state == State.DRAFT


def test_deprecated_namespace_needs_a_notice(namespace: Namespace, registrant: User) -> None:
    begun = begin(namespace, ChangeKind.STATUS, registrant, status="obsolete", notice=" ")

    with expect_refusal("nothing_blocks"):
        workflow.perform(begun, "submit", actor=registrant)

    assert begun.state == State.DRAFT


def test_two_changes_of_one_namespace_do_not_undo_each_other(
    namespace: Namespace, registrant: User, registrar: User
) -> None:
    """Both pages were read before either was published."""
    contact = send(namespace, ChangeKind.CONTACT, registrant)
    status = send(namespace, ChangeKind.STATUS, registrant)
    bring_second_officer(status)
    pages = [
        RegistrationRequest.objects.select_related("namespace").get(pk=each.pk)
        for each in (contact, status)
    ]

    for page in pages:
        workflow.perform(page, "register", actor=registrar)

    namespace.refresh_from_db()
    assert (namespace.contact, namespace.status) == (
        "Identifier desk, urn@northlight.example",
        "deprecated",
    )


@pytest.mark.django_db(transaction=True)
def test_one_of_two_registrars_at_once_changes_the_facts_and_the_other_is_told(
    namespace: Namespace, registrant: User
) -> None:
    sent = send(namespace, ChangeKind.CONTACT, registrant)
    registrars = [UserFactory.create(roles=["registrar"]) for _n in range(2)]

    def change(registrar: User) -> Callable[[], object]:
        page = RegistrationRequest.objects.get(pk=sent.pk)
        return lambda: workflow.perform(page, "register", actor=registrar)

    results = at_once([change(registrar) for registrar in registrars])

    assert sum(isinstance(result, workflow.ConcurrentChange) for result in results) == 1
    assert sent.events.filter(verb="register").count() == 1
    assert list(journal.verify()) == []


def test_journal_tells_that_facts_changed(
    namespace: Namespace, registrant: User, registrar: User
) -> None:
    sent = send(namespace, ChangeKind.CONTACT, registrant)

    workflow.perform(sent, "register", actor=registrar)

    assert (
        describe_events(sent.events.all())[-1].words == "changed what the registry says of seedbank"
    )
