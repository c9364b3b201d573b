"""Readers who are signed in, and what is compared of the pages that they are given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from django.test import Client

from registry.actions.follows import FollowTarget, start_following
from registry.enums import Role
from registry.models import Organization, User
from tests.factories import UserFactory
from tests.populated_registry import Cast
from tests.sign_in import remove_factors

MASK: Final = re.compile(rb'(name="(?:csrfmiddlewaretoken|key)" value=")[-\w]{36,64}')
"""A token in a form, masked anew in each answer, and the key of a comment, which is new too."""


def list_people(cast: Cast) -> Iterator[User]:
    """Yield people of each role and tie, with and without a second factor, and what they set."""
    yield from (cast.registrant, cast.expert, cast.lead, cast.registrar, cast.outsider)
    for role in Role:
        yield UserFactory.create(roles=[role], is_staff=role == Role.ADMINISTRATOR)
    resting = UserFactory.create(roles=[Role.REGISTRAR])
    remove_factors(resting)
    yield resting
    yield UserFactory.create(has_shortcuts=False)
    holder = Organization.objects.filter(namespaces__nid="seedbank").first() or cast.organization
    delegate = UserFactory.create()
    holder.delegates.add(delegate)
    yield delegate
    follower = UserFactory.create()
    for thing in (FollowTarget(), FollowTarget(nid="seedbank")):
        start_following(follower, thing)
    yield follower


def sign_in(client: Client, person: User) -> Client:
    """Return a browser with another session, by the same worker."""
    client.cookies.clear()
    client.force_login(person)
    return client


def read(response: Any) -> tuple[int, dict[str, str], bytes]:
    """Return what is compared of two answers: all but the masks of tokens."""
    return response.status_code, dict(response.headers), MASK.sub(rb"\1", response.content)
