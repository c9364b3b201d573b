"""Sessions of people who work in a busy registry, and the pages that they open."""

from __future__ import annotations

from collections.abc import Iterator

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from benchmarks.signed_in import WorkingPage
from registry.enums import Role, State
from registry.models import RegistrationRequest, User
from tools.sign_in import sign_in


def list_pages() -> Iterator[WorkingPage]:
    """Yield the crowd's working pages, and public ones that people open while signed in."""
    asked = RegistrationRequest.objects.filter(reference__startswith="R-2025-").order_by("pk")
    author, expert, registrar = (
        User.objects.get(email=f"{name}@people.example")
        for name in ("author", "expert", "registrar")
    )
    lead, outsider = appoint_lead(), invite_outsider()
    reviewed = asked.filter(state=State.IN_REVIEW, assignments__expert=expert)[:1].get()
    approved = asked.filter(state=State.APPROVED)[:1].get()
    places = [
        ("queue", expert, reverse("review:index")),
        ("queue, with registrants", expert, reverse("review:index") + "?tab=registrants"),
        ("what waits for the lead", lead, reverse("review:index") + "?tab=lead"),
        ("any page, for the lead", lead, reverse("guide:about")),
        ("review of one request", expert, reverse("review:detail", args=[reviewed.slug])),
        ("ready to register", registrar, reverse("publish:index")),
        ("registering one", registrar, reverse("publish:detail", args=[approved.slug])),
        ("own requests", author, reverse("account:requests")),
        ("account", author, reverse("account:index")),
        ("reader, home", author, reverse("home:index")),
        ("reader, namespaces", author, reverse("namespaces:index")),
        ("reader, a namespace", author, reverse("namespaces:detail", args=["isbn"])),
        ("reader, requests", author, reverse("requests:index")),
        ("reader, a request as an outsider", outsider, reviewed.get_absolute_url()),
        ("reader, a request as its author", author, reviewed.get_absolute_url()),
        ("reader, a request as its expert", expert, reviewed.get_absolute_url()),
    ]
    people = (author, expert, lead, registrar, outsider)
    cookies = {person: start_session(person) for person in people}
    for name, person, path in places:
        yield WorkingPage(name, path, cookies[person])


def appoint_lead() -> User:
    """Return the lead of the crowd's experts, which has none before."""
    lead, _is_new = User.objects.get_or_create(email="lead@people.example", name="Lead")
    lead.groups.add(Group.objects.get_or_create(name=Role.LEAD)[0])
    # Without a second factor a role is inactive.
    Authenticator.objects.get_or_create(user=lead, type=Authenticator.Type.WEBAUTHN, data={})
    return lead


def invite_outsider() -> User:
    """Return somebody with an account and a confirmed address who has no part in any request."""
    address = "outsider@people.example"
    outsider, _is_new = User.objects.get_or_create(email=address, name="Outsider")
    outsider.emailaddress_set.get_or_create(email=address, verified=True, primary=True)
    return outsider


def start_session(person: User) -> str:
    """Return the session cookie of a person who has just fully confirmed who they are."""
    client = Client()
    sign_in(client, person)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    return f"{cookie.key}={cookie.value}"
