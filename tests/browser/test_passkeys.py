"""Passkeys in a real browser, with its virtual authenticator, on http://localhost."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import Group
from django.test import override_settings
from playwright.sync_api import Browser, CDPSession, Page, expect
from pytest_django.live_server_helper import LiveServer

from registry.enums import Role
from registry.models import User
from tests.browser.conftest import PATIENCE
from tests.factories import PASSWORD, UserFactory

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def officer(transactional_db: None) -> User:
    """Somebody with a role and no second factor."""
    person = UserFactory.create(name="Pia Passkey")
    person.groups.add(Group.objects.get(name=Role.EXPERT))
    return person


@pytest.fixture
def page(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A page at localhost (an IP address cannot be a relying party) and a device without keys."""
    port = live_server.url.rpartition(":")[2]
    context = browser.new_context(base_url=f"http://localhost:{port}")
    context.set_default_timeout(PATIENCE)
    opened = context.new_page()
    devices: CDPSession = context.new_cdp_session(opened)
    devices.send("WebAuthn.enable")
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    yield opened
    context.close()


def enter_password(page: Page, person: User) -> None:
    page.goto("/accounts/sign-in/")
    page.get_by_label("Email address").fill(person.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def add_passkey(page: Page) -> None:
    page.goto("/accounts/factors/webauthn/add/")
    page.get_by_label("Sign in with it alone").check()
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()


def test_passkey_is_added_opens_the_office_and_signs_in_alone(page: Page, officer: User) -> None:
    enter_password(page, officer)
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    add_passkey(page)
    page.goto("/review/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("button", name="Sign out").click()

    page.goto("/accounts/sign-in/")
    page.get_by_role("button", name="Sign in with a passkey").click()

    page.get_by_role("button", name="Sign out").wait_for()
    page.goto("/review/")
    expect(page.get_by_role("heading", level=1)).not_to_contain_text("Not allowed")
    assert [*officer.account_events.filter(kind="signed_in").values_list("detail", flat=True)] == [
        "webauthn",
        "password",
    ]


def test_password_is_not_enough_once_there_is_a_passkey(page: Page, officer: User) -> None:
    enter_password(page, officer)
    add_passkey(page)
    page.get_by_role("button", name="Sign out").click()

    enter_password(page, officer)
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    page.goto("/review/")
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    page.get_by_role("button", name="Use a passkey").click()

    page.get_by_role("button", name="Sign out").wait_for()


def test_passkey_confirms_who_it_is(
    page: Page, officer: User, settings_at: Callable[..., None]
) -> None:
    enter_password(page, officer)
    add_passkey(page)
    settings_at(ACCOUNT_REAUTHENTICATION_TIMEOUT=0)
    confirmed = officer.account_events.filter(kind="reauthenticated")
    before = confirmed.count()

    page.goto("/accounts/factors/recovery-codes/generate/")
    page.get_by_role("link", name="Use a security key").click()
    settings_at(ACCOUNT_REAUTHENTICATION_TIMEOUT=600)
    page.get_by_role("button", name="Use your passkey").click()

    expect(page.get_by_role("heading", name="Make recovery codes")).to_be_visible()
    assert confirmed.count() == before + 1


@pytest.fixture
def settings_at() -> Iterator[Callable[..., None]]:
    """Return a function that changes settings for the rest of the test."""
    changed: list[override_settings] = []

    def change(**values: object) -> None:
        override = override_settings(**values)
        override.enable()
        changed.append(override)

    yield change
    for override in reversed(changed):
        override.disable()
