"""The people of the demonstration, and the organizations they act for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.db import transaction

from registry.enums import Role
from registry.models import Organization, User

PASSWORD = "weir-lantern-tide-seed"  # Known to everybody: the cast exists on this machine alone.

NORTHLIGHT = "Northlight Seed Vault Federation"
SALTMARSH = "Saltmarsh Charts Cooperative"


@dataclass(frozen=True, slots=True)
class CastMember:
    """One of the cast: mail address, name, what they do here, and by which role or body."""

    email: str
    name: str
    does: str
    role: Role | None = None
    organization: str = ""


CAST = (
    CastMember(
        "registrant@people.example",
        "Runa Registrant",
        f"writes requests for the {NORTHLIGHT} and others",
        organization=NORTHLIGHT,
    ),
    CastMember(
        "delegate@people.example",
        "Dagny Delegate",
        f"writes requests for the {SALTMARSH} and others",
        organization=SALTMARSH,
    ),
    CastMember("expert@people.example", "Ede Expert", "reviews and decides", Role.EXPERT),
    CastMember("second-expert@people.example", "Sefa Expert", "reviews and decides", Role.EXPERT),
    CastMember("lead@people.example", "Lova Lead", "leads the experts", Role.LEAD),
    CastMember("registrar@people.example", "Rafe Registrar", "publishes", Role.REGISTRAR),
    CastMember(
        "standards@people.example",
        "Stine Standards",
        "decides on namespaces that become part of a standard",
        Role.STANDARDS_BODY,
    ),
    CastMember(
        "administrator@people.example",
        "Ada Administrator",
        "keeps accounts and lists at /admin/",
        Role.ADMINISTRATOR,
    ),
)

Cast = Mapping[str, User]
"""The accounts of the cast, by the part of the mail address before the @."""


def make_cast() -> tuple[Cast, int]:
    """Return the accounts of the cast, and how many of them had to be made."""
    people = {}
    made = 0
    for member in CAST:
        user = User.objects.filter(email__iexact=member.email).first()
        made += user is None
        people[member.email.partition("@")[0]] = user or make_account(member)
    return people, made


@transaction.atomic
def make_account(member: CastMember) -> User:
    """Return a new account with its mail address confirmed."""
    user = User.objects.create_user(
        member.email,
        PASSWORD,
        name=member.name,
        is_staff=member.role == Role.ADMINISTRATOR,
    )
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    if member.role:
        user.groups.add(Group.objects.get(name=member.role))
    if member.organization:
        user.organization = Organization.objects.named(member.organization)
        user.organization.delegates.add(user)
        user.save()
    return user
