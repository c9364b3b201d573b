"""The people and things of the tests. Every field can be given; none is required."""

from __future__ import annotations

import itertools
import uuid
from typing import Any

import factory
from django.contrib.auth.models import Group
from django.utils import timezone
from factory.django import DjangoModelFactory

from registry import selectors
from registry.enums import (
    EvidenceKind,
    NamespaceKind,
    RequestPath,
    Role,
    SpeakerBasis,
    SpeakerEnd,
    State,
)
from registry.models import (
    Assignment,
    Namespace,
    Organization,
    RegistrationRequest,
    ResolutionService,
    Round,
    ServiceDesignator,
    Speaker,
    User,
)
from registry.template import Template
from registry.urn.spec import SERVICE_DESIGNATORS
from registry.workflow import drafts
from tests.template.samples import FORMAL
from tools.sign_in import give_factor

PASSWORD = "correct horse battery staple"


class OrganizationFactory(DjangoModelFactory[Organization]):
    """A registrant body."""

    class Meta:
        model = Organization

    name = factory.Sequence(lambda n: f"Sample Body {n}")


class UserFactory(DjangoModelFactory[User]):
    """A person with a confirmed mail address; `roles` are their groups."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    name = factory.Sequence(lambda n: f"Person {n}")
    email = factory.Sequence(lambda n: f"person{n}@people.example")
    password = factory.django.Password(PASSWORD)

    @factory.post_generation
    def confirmed(self: Any, create: bool, extracted: bool | None, **kwargs: Any) -> None:
        """Confirm the mail address, unless told not to."""
        if create and extracted is not False:
            self.emailaddress_set.create(email=self.email, verified=True, primary=True)

    @factory.post_generation
    def roles(self: Any, create: bool, extracted: Any, **kwargs: Any) -> None:
        """Put the person into the groups of their roles, with the second factor these need."""
        if create and extracted:
            self.groups.set(Group.objects.get_or_create(name=role)[0] for role in extracted)
            give_factor(self)


class NamespaceFactory(DjangoModelFactory[Namespace]):
    """A registered namespace, like one imported without a text."""

    class Meta:
        model = Namespace

    nid = factory.Sequence(lambda n: f"sample{n}")
    nid_as_registered = factory.SelfAttribute("nid")
    kind = NamespaceKind.FORMAL
    summary = "Sample things"


class ServiceFactory(DjangoModelFactory[ResolutionService]):
    """A resolution service in use; `service` is a designator of RFC 2483."""

    class Meta:
        model = ResolutionService

    namespace = factory.SubFactory(NamespaceFactory)
    service = "I2L"
    template = "https://names.example/{+nss}"
    operator = "Names Office"
    source = "The office says so"

    @classmethod
    def _create(cls, model_class: Any, *args: Any, **kwargs: Any) -> Any:
        """Create the designator too, if the registry of them is empty."""
        name = kwargs.pop("service")
        defaults = {"purpose": SERVICE_DESIGNATORS[name], "reference": "RFC 2483"}
        designator, _made = ServiceDesignator.objects.get_or_create(name=name, defaults=defaults)
        made = model_class(*args, service=designator, **kwargs)
        made.save()
        selectors.raise_registry_version()
        return made


class RegistrantFactory(OrganizationFactory):
    """A registrant body that holds a namespace, and so is public."""

    class Meta:
        model = Organization
        skip_postgeneration_save = True

    @factory.post_generation
    def held(self: Any, create: bool, extracted: str | None, **kwargs: Any) -> None:
        """Register a namespace for it."""
        if create:
            NamespaceFactory.create(registrant=self)


class RequestFactory(DjangoModelFactory[RegistrationRequest]):
    """A request in any state, with a draft of its own; for a real history use the workflow."""

    class Meta:
        model = RegistrationRequest
        skip_postgeneration_save = True

    reference = factory.Sequence(lambda n: f"R-2026-{n + 5000:04}")
    path = RequestPath.COMMUNITY
    state = State.DRAFT
    state_since = factory.LazyFunction(timezone.now)
    created_at = factory.LazyFunction(timezone.now)
    start_key = factory.LazyFunction(uuid.uuid4)
    nid = factory.Sequence(lambda n: f"asked{n}")
    summary = "Things of a sample"
    organization = factory.SubFactory(OrganizationFactory)
    author = factory.SubFactory(UserFactory)

    @factory.post_generation
    def text(self: Any, create: bool, extracted: Template | None, **kwargs: Any) -> None:
        """Write the draft."""
        if create:
            draft = Round(registration_request=self, number=1)
            draft.template = extracted or Template.blank().replace(nid=self.nid)
            draft.save()


def start(
    author: User, organization: Organization, text: Template, path: RequestPath
) -> RegistrationRequest:
    """Start a request and fill its draft with `text`."""
    registration_request = drafts.start_request(
        author=author,
        path=path,
        organization=organization,
        summary="Accessions held by federated seed vaults",
        nid="" if path == RequestPath.INFORMAL else text["nid"],
    )
    draft = registration_request.draft
    assert draft is not None
    drafts.save_draft(draft, text.to_dict(), seen=draft.edition)
    registration_request.refresh_from_db()
    return registration_request


def create_sent_requests(count: int) -> list[RegistrationRequest]:
    """Return requests of one author, in review, sent back, approved and reported by turns.

    Each asks for another NID for another body, has a sent round, and is one expert's.
    """
    states = (State.IN_REVIEW, State.CHANGES_REQUESTED, State.APPROVED, State.REPORTED)
    author, expert = UserFactory.create(), UserFactory.create(roles=[Role.EXPERT])
    requests = [
        RequestFactory.create(
            author=author, state=state, standards_action=state == State.REPORTED, revision=1
        )
        for _number, state in zip(range(count), itertools.cycle(states), strict=False)
    ]
    now = timezone.now()
    for registration_request in requests:
        sent = registration_request.rounds.get()
        sent.submitted_at = sent.comments_since = now
        sent.sha256 = sent.canonical_sha256
        sent.save()
    Assignment.objects.bulk_create(
        Assignment(registration_request=each, expert=expert, assigned_at=now, declared_at=now)
        for each in requests
    )
    return requests


def formal_text(nid: str) -> Template:
    """Return a complete formal template for `nid`, with examples and grammar."""

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(FORMAL["nid"], nid)
        return [renamed(each) for each in value] if isinstance(value, (list, tuple)) else value

    return FORMAL.replace(**{name: renamed(value) for name, value in FORMAL.to_dict().items()})


def let_ask_often(person: User) -> None:
    """Make somebody a delegate of some body, who can have any number of requests at once."""
    let_speak_for(OrganizationFactory.create(), person)


def let_speak_for(subject: Organization | Namespace, *people: User) -> None:
    """Make people delegates of an organization, or speakers for one namespace, long ago."""
    for person in people:
        Speaker.objects.put_in_effect(
            person,
            SpeakerBasis.NAMED,
            organization=subject if isinstance(subject, Organization) else None,
            namespace=subject if isinstance(subject, Namespace) else None,
        )


def end_speaking_for(subject: Organization | Namespace, *people: User) -> None:
    """End that these people speak for something; without any, that anybody does."""
    for speaker in subject.speakers.in_effect():
        if not people or speaker.person in people:
            speaker.finish(SpeakerEnd.REMOVED)


def record_website(
    organization: Organization, website: str, since: str = "1999-03-31", **more: object
) -> None:
    """Record the website of an organization with its source, as officers do."""
    entry = {"kind": EvidenceKind.WEBSITE, "value": website, "source": "A register", "since": since}
    organization.website, organization.website_source = website, "A register"
    organization.evidence = [entry | more]
    organization.save()
