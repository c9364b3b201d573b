"""Publication: a version is permanent, a NID is taken, a number is given once (RFC 8141, 5.2 and
6.2).
"""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from registry import selectors, workflow
from registry.enums import (
    ChangeKind,
    NamespaceKind,
    RequestPath,
    State,
)
from registry.journal.row_digests import build_row_key
from registry.models import (
    Counter,
    Namespace,
    Organization,
    Registration,
    RegistrationRequest,
    User,
)
from registry.selectors.publication import NOT_RECOGNISED
from registry.workflow import drafts, publication
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_speak_for,
    start,
)
from tests.refusals import expect_refusal, list_obstacle_labels
from tests.small_changes import record_consent, send
from tests.template.samples import FORMAL, INFORMAL, REVISION

pytestmark = pytest.mark.django_db


def revise(
    namespace: Namespace, registrant: User, organization: Organization, expert: User
) -> RegistrationRequest:
    """Bring a revision of `namespace` to the registrar."""
    registration_request = drafts.start_request(
        author=registrant,
        path=RequestPath.INFORMAL if namespace.informal_number else RequestPath.COMMUNITY,
        organization=organization,
        summary="Accessions, with duplicates",
        namespace=namespace,
    )
    draft = registration_request.draft
    assert draft is not None
    text = REVISION.replace(
        nid=namespace.nid,
        examples=[f"urn:{namespace.nid}:NVF/42", f"urn:{namespace.nid}:ISB/120455/B"],
    )
    drafts.save_draft(draft, text.to_dict(), seen=draft.edition)
    workflow.perform(registration_request, "submit", actor=registrant)
    record_consent(registration_request)
    workflow.perform(registration_request, "assign", actor=expert)
    workflow.perform(registration_request, "approve", actor=expert, comment="Sound.")
    return registration_request


def test_formal_nid_is_registered_as_asked_with_version_1(
    approved: RegistrationRequest, registrar: User
) -> None:
    workflow.perform(approved, "register", actor=registrar, references=["Accession names"])

    namespace = Namespace.objects.get(nid="seedbank")
    registration = namespace.current
    assert registration is not None
    assert (namespace.kind, namespace.informal_number) == (NamespaceKind.FORMAL, None)
    assert (registration.number, registration.template.version) == (1, "1")
    assert registration.sha256 == registration.canonical_sha256
    assert namespace.references == ["Accession names"]
    assert (approved.state, approved.namespace) == (State.REGISTERED, namespace)


def test_line_of_a_publication_proves_version_namespace_and_who_holds_it(
    approved: RegistrationRequest, registrar: User
) -> None:
    event = workflow.perform(approved, "register", actor=registrar)

    namespace = Namespace.objects.get()
    assert namespace.current is not None
    assert set(event.rows) == {
        build_row_key(each) for each in (namespace, namespace.current, approved.organization)
    }


def test_informal_request_gets_the_next_number_written_into_its_text(
    informal_approved: RegistrationRequest, registrar: User
) -> None:
    Counter.objects.raise_to(Counter.INFORMAL, 8)

    event = workflow.perform(informal_approved, "register", actor=registrar)

    registration = Registration.objects.get()
    assert (registration.namespace.nid, registration.namespace.informal_number) == ("urn-9", 9)
    assert "urn-N" not in str(registration.template.to_dict())
    assert all(name.startswith("urn:urn-9:") for name in registration.template.examples)
    assert event.data["nid"] == "urn-9"


def test_two_informal_requests_get_consecutive_numbers(
    informal_approved: RegistrationRequest,
    registrant: User,
    organization: Organization,
    expert: User,
    registrar: User,
) -> None:
    let_speak_for(organization, registrant)
    second = start(registrant, organization, INFORMAL, RequestPath.INFORMAL)
    workflow.perform(second, "submit", actor=registrant)
    workflow.perform(second, "assign", actor=expert)
    workflow.perform(second, "approve", actor=expert, comment="Sound.")

    workflow.perform(informal_approved, "register", actor=registrar)
    workflow.perform(second, "register", actor=registrar)

    assert (informal_approved.nid, second.nid) == ("urn-1", "urn-2")


def test_refused_registration_uses_up_no_number(
    informal_approved: RegistrationRequest, registrar: User
) -> None:
    NamespaceFactory.create(nid="urn-1", kind=NamespaceKind.INFORMAL, informal_number=1)

    with pytest.raises(workflow.ActionRefused, match="registered already"):
        workflow.perform(informal_approved, "register", actor=registrar)

    assert Counter.objects.expected(Counter.INFORMAL) == 1


def test_nid_is_not_registered_twice_whatever_its_case(
    approved: RegistrationRequest, registrar: User
) -> None:
    NamespaceFactory.create(nid="seedbank", nid_as_registered="SeedBank", status="obsolete")

    with pytest.raises(workflow.ActionRefused, match="registered"):
        workflow.perform(approved, "register", actor=registrar)

    assert Registration.objects.count() == 0


def test_published_version_cannot_be_changed_even_behind_our_back(
    approved: RegistrationRequest, registrar: User
) -> None:
    workflow.perform(approved, "register", actor=registrar)

    with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
        Registration.objects.update(purpose="Otherwise.")

    assert Registration.objects.get().sha256 == Registration.objects.get().canonical_sha256


@pytest.mark.whole
def test_revision_makes_version_2_beside_version_1(
    approved: RegistrationRequest,
    registrant: User,
    organization: Organization,
    expert: User,
    registrar: User,
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    namespace = Namespace.objects.get(nid="seedbank")
    revision = revise(namespace, registrant, organization, expert)

    workflow.perform(revision, "register", actor=registrar)

    assert [each.number for each in namespace.registrations.all()] == [2, 1]
    assert namespace.registrations.get(number=1).template.purpose == FORMAL.purpose
    assert Namespace.objects.filter(nid="seedbank").count() == 1


def test_full_revision_runs_the_whole_course_and_says_what_changed(
    registrant: User, organization: Organization, expert: User
) -> None:
    namespace = NamespaceFactory.create(nid="seedlings", last_known_version="1")
    revision = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Accessions",
        namespace=namespace,
    )
    draft = revision.draft
    assert draft is not None
    examples = ["urn:seedlings:NVF/42"]
    silent = REVISION.replace(nid="seedlings", examples=examples, revision_information="")
    draft = drafts.save_draft(draft, silent.to_dict(), seen=draft.edition)
    with expect_refusal("nothing_blocks"):
        workflow.perform(revision, "submit", actor=registrant)

    drafts.save_draft(draft, {"revision_information": "Codes may be longer."}, seen=draft.edition)
    workflow.perform(revision, "submit", actor=registrant)

    last = revision.last_round
    assert last is not None
    assert (revision.state, last.template.version) == (State.IN_REVIEW, "2")
    assert "assign" in {each.verb for each in workflow.available_transitions(revision, expert)}


def test_revision_read_before_the_facts_changed_does_not_change_them_back(
    registrant: User, organization: Organization, expert: User, registrar: User
) -> None:
    """The registrar has the page of the revision open while a change of contact is published."""
    let_speak_for(organization, registrant)
    namespace = NamespaceFactory.create(
        nid="seedlings", last_known_version="1", registrant=organization, contact="Old desk"
    )
    revision = revise(namespace, registrant, organization, expert)
    old_page = RegistrationRequest.objects.select_related("namespace").get(pk=revision.pk)
    contact = send(namespace, ChangeKind.CONTACT, registrant, contact="New desk")
    workflow.perform(contact, "register", actor=registrar)

    workflow.perform(old_page, "register", actor=registrar)

    namespace.refresh_from_db()
    assert (namespace.contact, namespace.summary) == ("New desk", revision.summary)


def test_publishing_on_an_old_page_writes_over_nothing_else_of_the_request(
    approved: RegistrationRequest, registrar: User, organization: Organization
) -> None:
    renamed = "Accessions, by another name"
    RegistrationRequest.objects.filter(pk=approved.pk).update(summary=renamed)

    workflow.perform(approved, "register", actor=registrar)

    approved.refresh_from_db()
    assert (approved.summary, approved.state) == (renamed, State.REGISTERED)


def test_revision_asked_for_by_another_body_does_not_change_hands(
    registrant: User, organization: Organization, expert: User, registrar: User
) -> None:
    holder = OrganizationFactory.create(name="Seedling Council")
    namespace = NamespaceFactory.create(nid="seedlings", last_known_version="1", registrant=holder)
    revision = revise(namespace, registrant, organization, expert)

    workflow.perform(revision, "register", actor=registrar)

    namespace.refresh_from_db()
    assert (namespace.registrant, namespace.summary) == (holder, revision.summary)


@pytest.mark.parametrize(
    ("last_known", "expected"), [("5", 6), ("2.1", 3), ("1", 2)], ids=["nbn", "iso", "most"]
)
def test_first_revision_of_an_imported_namespace_takes_the_next_whole_number(
    last_known: str,
    expected: int,
    registrant: User,
    organization: Organization,
    expert: User,
    registrar: User,
) -> None:
    namespace = NamespaceFactory.create(nid="seedlings", last_known_version=last_known)
    revision = revise(namespace, registrant, organization, expert)

    workflow.perform(revision, "register", actor=registrar)

    assert namespace.current is not None
    assert namespace.current.number == expected


def test_registrar_enters_an_unknown_version_with_its_source(
    registrant: User, organization: Organization, expert: User, registrar: User
) -> None:
    namespace = NamespaceFactory.create(nid="seedlings", last_known_version="")
    revision = revise(namespace, registrant, organization, expert)
    with expect_refusal("version_known"):
        workflow.perform(revision, "register", actor=registrar)
    with expect_refusal("version_known"):
        workflow.perform(revision, "register", actor=registrar, last_version="2")

    workflow.perform(
        revision,
        "register",
        actor=registrar,
        last_version="2",
        last_version_source="A letter",
    )

    registration = namespace.current
    assert registration is not None
    assert (registration.number, registration.number_source) == (3, "A letter")


@pytest.mark.parametrize("said", ["two", "-1"])
def test_last_version_that_is_no_number_publishes_nothing(
    said: str, registrant: User, organization: Organization, expert: User, registrar: User
) -> None:
    namespace = NamespaceFactory.create(nid="seedlings", last_known_version="")
    revision = revise(namespace, registrant, organization, expert)

    with expect_refusal("version_not_number"):
        workflow.perform(
            revision, "register", actor=registrar, last_version=said, last_version_source="A list"
        )

    namespace.refresh_from_db()
    assert (namespace.registrations.count(), namespace.last_known_version) == (0, "")


def test_nid_that_was_registered_in_the_very_moment_is_told(
    approved: RegistrationRequest,
) -> None:
    NamespaceFactory.create(nid="seedbank")

    with expect_refusal("nid_taken"):
        publication.create_namespace(approved, "SeedBank")

    assert Namespace.objects.count() == 1


def publish_with_other_facts(
    known: str,
    registrant: User,
    organization: Organization,
    expert: User,
    registrar: User,
) -> RegistrationRequest:
    """Publish version 4 here, let the facts say `known`, and return the next revision, approved."""
    namespace = NamespaceFactory.create(nid="seedlings", last_known_version="3")
    workflow.perform(
        revise(namespace, registrant, organization, expert), "register", actor=registrar
    )
    Namespace.objects.filter(pk=namespace.pk).update(last_known_version=known)
    namespace = Namespace.objects.get(pk=namespace.pk)
    follower = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Accessions, with duplicates and herbaria",
        namespace=namespace,
    )
    draft = follower.draft
    assert draft is not None
    said = "Syntax has a part for herbaria."
    text = {"revision_information": said, "syntax": f"{draft.template.syntax}\n\nHerbaria: H/."}
    drafts.save_draft(draft, text, seen=draft.edition)
    workflow.perform(follower, "submit", actor=registrant)
    record_consent(follower)
    workflow.perform(follower, "assign", actor=expert)
    workflow.perform(follower, "approve", actor=expert, comment="Sound.")
    return RegistrationRequest.objects.get(pk=follower.pk)


@pytest.mark.whole
def test_registrar_is_asked_in_words_where_sources_of_the_version_disagree(
    registrant: User, organization: Organization, expert: User, registrar: User
) -> None:
    revision = publish_with_other_facts("5", registrant, organization, expert, registrar)
    source = "https://www.iana.org/assignments/urn-formal/seedlings"
    with pytest.raises(workflow.ActionRefused) as asked:
        workflow.perform(revision, "register", actor=registrar)
    with pytest.raises(workflow.ActionRefused) as low:
        workflow.perform(
            revision, "register", actor=registrar, last_version="4", last_version_source="Ours"
        )

    workflow.perform(
        revision, "register", actor=registrar, last_version="5", last_version_source=source
    )

    assert str(asked.value) == (
        "The sources of the last version disagree: version 4 was registered here; the facts on"
        " record have version 5. Enter the last version, with its source; the next number comes"
        " after the highest."
    )
    assert str(low.value) == (
        "The facts on record have version 5, which is higher than 4. The next number comes after"
        " the highest: enter 5, or a higher one, with its source."
    )
    namespace = Namespace.objects.get(nid="seedlings")
    assert namespace.current is not None
    assert (namespace.current.number, namespace.current.number_source) == (6, source)
    assert namespace.current.template.version == "6"


@pytest.mark.whole
def test_facts_older_than_what_was_registered_here_disagree_with_nothing(
    registrant: User, organization: Organization, expert: User, registrar: User
) -> None:
    revision = publish_with_other_facts("2", registrant, organization, expert, registrar)

    workflow.perform(revision, "register", actor=registrar)

    assert Namespace.objects.get(nid="seedlings").next_version == 6


def test_standards_track_request_is_not_published_without_direction_and_report(
    approved: RegistrationRequest, registrar: User
) -> None:
    RegistrationRequest.objects.filter(pk=approved.pk).update(standards_action=True)
    approved.refresh_from_db()

    with expect_refusal("direction_and_report"):
        workflow.perform(approved, "register", actor=registrar)

    assert not Namespace.objects.filter(nid="seedbank").exists()


def test_standards_track_request_is_published_after_report_and_direction(
    in_review: RegistrationRequest, expert: User, standards_body: User, registrar: User
) -> None:
    RegistrationRequest.objects.filter(pk=in_review.pk).update(standards_action=True)
    in_review.refresh_from_db()
    with expect_refusal("no_standards_action"):
        workflow.perform(in_review, "approve", actor=expert, comment="Sound.")

    workflow.perform(in_review, "report", actor=expert, comment="Fit for its purpose.")
    workflow.perform(in_review, "direct", actor=standards_body, comment="Minutes of 3 May.")
    workflow.perform(in_review, "register", actor=registrar)

    assert in_review.state == State.REGISTERED


def test_no_expert_can_block_a_fast_track_request(
    registrant: User, organization: Organization, expert: User
) -> None:
    registration_request = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(registration_request, "submit", actor=registrant)
    workflow.perform(registration_request, "assign", actor=expert)

    offered = {each.verb for each in workflow.available_transitions(registration_request, expert)}

    assert registration_request.state == State.ADVISORY
    assert offered == {"recuse"}


def test_only_a_recognised_body_completes_the_fast_track(
    registrant: User, organization: Organization, registrar: User
) -> None:
    registration_request = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(registration_request, "submit", actor=registrant)
    with expect_refusal("may_be_published_once_asked"):
        workflow.perform(registration_request, "complete", actor=registrant, comment="All taken.")
    assert list_obstacle_labels(registration_request) == [NOT_RECOGNISED]

    Organization.objects.update(recognised_on="2026-01-05", recognition_source="Minutes, item 3")
    registration_request.refresh_from_db()
    delegate = UserFactory.create()
    let_speak_for(organization, delegate)
    workflow.perform(registration_request, "consent", actor=delegate)
    with expect_refusal("speaks_for_the_body"):
        workflow.perform(registration_request, "complete", actor=registrant, comment="All taken.")
    let_speak_for(organization, registrant)
    workflow.perform(registration_request, "complete", actor=registrant, comment="All taken.")
    workflow.perform(registration_request, "register", actor=registrar)

    assert selectors.registered_nids() == {"seedbank"}
