"""A registry in which every namespace has a published version, with further requests."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Concat
from django.utils import timezone

from benchmarks import crowd as crowds
from benchmarks.crowd import SAMPLE, Crowd
from registry.enums import RequestPath, State
from registry.models import Namespace, Organization, Registration, RegistrationRequest


@transaction.atomic
def fill(requests: int, rounds: int) -> None:
    """Publish a version of every namespace, and create `requests` other requests."""
    bodies = Organization.objects.filter(name__startswith="Body ")
    bodies.update(name=Concat("name", Value(" of old")))
    crowd = crowds.make_people()
    namespaces = list(Namespace.objects.filter(registrations=None))
    asked = RegistrationRequest.objects.bulk_create(
        make_registered_request(crowd, number, each) for number, each in enumerate(namespaces)
    )
    Registration.objects.bulk_create(make_versions(asked), batch_size=100)
    crowds.add_requests(crowd, requests, rounds)


def make_registered_request(crowd: Crowd, number: int, namespace: Namespace) -> RegistrationRequest:
    """Return the request that a namespace came from."""
    now = timezone.now()
    return RegistrationRequest(
        reference=f"R-2024-{number + 1:04}",
        path=RequestPath.COMMUNITY,
        state=State.REGISTERED,
        state_since=now,
        nid=namespace.nid,
        summary=namespace.summary or "Names",
        organization=crowd.organizations[0],
        author=crowd.author,
        namespace=namespace,
        created_at=now,
        start_key=uuid.uuid4(),
    )


def make_versions(asked: list[RegistrationRequest]) -> Iterator[Registration]:
    """Yield the resulting version of each request."""
    for each in asked:
        version = Registration(
            namespace=each.namespace,
            number=1,
            registered_on=timezone.localdate(),
            registration_request=each,
        )
        version.template = SAMPLE.replace(nid=each.nid)
        version.sha256 = version.canonical_sha256
        yield version
