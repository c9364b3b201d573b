"""The people of the demonstration, and the organizations they act for."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa import app_settings as mfa_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.conf import settings
from django.contrib.auth.models import Group
from django.db import transaction

from registry import journal
from registry.enums import Role, SpeakerBasis
from registry.journal.row_digests import NEW_ROW, build_row_key
from registry.models import Organization, Speaker, User
from registry.secret_box import SecretUnreadable, decrypt_secret

PASSWORD = "weir-lantern-tide-seed"  # Known to everybody: the cast exists on this machine only.

NORTHLIGHT = "Northlight Seed Vault Federation"
SALTMARSH = "Saltmarsh Charts Cooperative"


@dataclass(frozen=True, slots=True)
class CastMember:
    """A member of the cast: mail address, name, what they do here, and their role or body."""

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
    """Return the accounts of the cast, and how many were created."""
    people = {}
    made = 0
    for member in CAST:
        user = User.objects.filter(email__iexact=member.email).first()
        made += user is None
        user = user or make_account(member)
        give_sample_factor(user, member)
        people[member.email.partition("@")[0]] = user
    return people, made


@dataclass(frozen=True, slots=True)
class SampleCode:
    """The code that a sample officer's authenticator app shows now."""

    email: str
    code: str


def make_sample_secret(member: CastMember) -> str:
    """Return the secret of a sample officer's app, which is public."""
    return base64.b32encode(hashlib.sha1(f"sample {member.email}".encode()).digest()).decode()


def give_sample_factor(user: User, member: CastMember) -> None:
    """Give a sample officer the app whose codes the sign-in page shows, unless they have one."""
    if member.role and not user.has_second_factor:
        TOTP.activate(user, make_sample_secret(member))
        user.forget_factor()


def list_sample_codes() -> list[SampleCode]:
    """Return the codes of existing sample officers, only in the demonstration."""
    if not settings.DEMONSTRATION:
        return []
    counter = int(time.time()) // mfa_settings.TOTP_PERIOD
    officers = {member.email: make_sample_secret(member) for member in CAST if member.role}
    kept = Authenticator.objects.filter(type=Authenticator.Type.TOTP, user__email__in=officers)
    return [
        SampleCode(email, format_hotp_value(hotp_value(officers[email], counter)))
        for email, data in kept.order_by("user__pk").values_list("user__email", "data")
        if is_sample_secret(data["secret"], officers[email])
    ]


def is_sample_secret(kept: str, secret: str) -> bool:
    """Whether the stored secret is the public one; not somebody's own, or an unreadable one."""
    try:
        return decrypt_secret(kept) == secret
    except SecretUnreadable:
        return False


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
    changed: dict[str, Any] = {}
    rows: dict[str, str | None] = {build_row_key(user): NEW_ROW}
    if member.role:
        user.groups.add(Group.objects.get(name=member.role))
        changed["groups"] = {"from": [], "to": [member.role]}
    if member.organization:
        user.organization = Organization.objects.named(member.organization)
        speaker = Speaker.objects.put_in_effect(
            user, SpeakerBasis.NAMED, organization=user.organization
        )
        rows[build_row_key(speaker)] = NEW_ROW
        user.save()
        changed["organization"] = {"from": None, "to": member.organization}
    if changed:
        data = {"changed": changed, "account_id": user.pk}
        journal.append(user, actor=None, verb="admin.add", data=data, rows=rows)
    return user
