"""A registrant gets another name: with its consent, on every namespace, and never another's."""

from __future__ import annotations

import pytest

from registry import workflow
from registry.enums import ChangeKind, EvidenceKind, RequestPath, State
from registry.models import Event, Namespace, Organization, RegistrationRequest, User
from registry.selectors import list_findings
from registry.template import Template
from registry.workflow import drafts
from tests.factories import NamespaceFactory, RegistrantFactory, UserFactory, let_speak_for
from tests.refusals import expect_refusal, explain_missing_consent
from tests.small_changes import ASKED, begin, bring_second_officer, send

pytestmark = pytest.mark.django_db

NEW_NAME = ASKED[ChangeKind.RENAME]["registrant"]


@pytest.fixture
def namespace(organization: Organization, registrant: User) -> Namespace:
    """One of two namespaces whose registrant has a delegate."""
    let_speak_for(organization, registrant)
    NamespaceFactory.create(nid="accession", registrant=organization)
    return NamespaceFactory.create(nid="seedbank", registrant=organization)


def test_rename_gives_the_body_another_name_with_an_event_on_every_namespace(
    namespace: Namespace, organization: Organization, registrant: User, registrar: User
) -> None:
    before = organization.name
    sent = send(namespace, ChangeKind.RENAME, registrant)
    bring_second_officer(sent)

    workflow.perform(sent, "register", actor=registrar)

    organization.refresh_from_db()
    assert (sent.state, organization.name) == (State.REGISTERED, NEW_NAME)
    assert organization.former_names == [before]
    own = Event.objects.get(namespace=namespace, verb="register")
    other = Event.objects.get(namespace__nid="accession")
    assert (own.data["before"], other.verb) == ({"registrant": before}, "rename_registrant")
    assert other.data["after"] == own.data["after"] == {"registrant": NEW_NAME}


def test_rename_is_not_consented_to_by_who_speaks_for_one_namespace_alone(
    namespace: Namespace,
) -> None:
    speaker = UserFactory.create()
    let_speak_for(namespace, speaker)

    renamed = send(namespace, ChangeKind.RENAME, speaker)
    deprecated = send(namespace, ChangeKind.STATUS, speaker)

    assert explain_missing_consent(renamed)
    assert not explain_missing_consent(deprecated)


@pytest.mark.parametrize(
    "name", ["Westlight Archive", "The Westlíght Archive", "Westlight Archives"]
)
def test_rename_to_a_name_that_can_be_taken_for_another_body_is_refused(
    name: str, namespace: Namespace, organization: Organization, registrant: User
) -> None:
    other = RegistrantFactory.create(name="Westlight Archive")
    begun = begin(namespace, ChangeKind.RENAME, registrant, registrant=name, source="Statutes")

    with expect_refusal("nothing_blocks"):
        workflow.perform(begun, "submit", actor=registrant)

    organization.evidence = [
        {"kind": EvidenceKind.OTHER_BODY, "value": str(other.pk), "source": "Statutes"}
    ]
    organization.save()
    assert draft_checks(begun) == (["facts.registrant"] if name == other.name else [])


def draft_checks(begun: RegistrationRequest) -> list[str]:
    """Return what blocks the draft now."""
    current = RegistrationRequest.objects.get(pk=begun.pk)
    facts = current.rounds.get().facts
    return [finding.check for finding in list_findings(current, Template.blank(), facts=facts)]


def test_rename_of_a_body_that_does_not_hold_the_namespace_is_refused(
    namespace: Namespace, registrant: User
) -> None:
    other = RegistrantFactory.create()

    begun = begin(namespace, ChangeKind.RENAME, registrant, other)

    with expect_refusal("nothing_blocks"):
        workflow.perform(begun, "submit", actor=registrant)


def test_rename_of_a_body_that_holds_a_namespace_is_asked_for_on_the_namespace(
    organization: Organization, registrant: User
) -> None:
    let_speak_for(organization, registrant)
    asked = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Rename",
        change=ChangeKind.RENAME,
    )

    before = list_findings(asked, Template.blank(), facts=ASKED[ChangeKind.RENAME])
    NamespaceFactory.create(nid="seedbank", registrant=organization)
    after = list_findings(asked, Template.blank(), facts=ASKED[ChangeKind.RENAME])

    assert before == ()
    assert [each.check for each in after] == ["facts.holder"]
