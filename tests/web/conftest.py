"""Providers of accounts elsewhere, on this machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from allauth.socialaccount.providers import registry as known_providers
from pytest_django import Settings

from registry.web.account.elsewhere import OPENID_PROVIDER
from registry.web.account.openid import OpenIDProvider
from tests.openid_provider import CLIENT, SECRET, Provider, openid_provider


@pytest.fixture
def provider(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A provider named in the settings, which knows Wilma as `w-1`."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setitem(known_providers.provider_map, OpenIDProvider.id, OpenIDProvider)
    with openid_provider(
        sub="w-1", email="wilma@northlight.example", email_verified=True, name="Wilma"
    ) as found:
        app = {
            "provider_id": OPENID_PROVIDER,
            "name": "Northlight",
            "client_id": CLIENT,
            "secret": SECRET,
            "settings": {"server_url": found.issuer, "fetch_userinfo": False},
        }
        settings.SOCIALACCOUNT_PROVIDERS = {
            "openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}
        }
        settings.ROOT_URLCONF = "tests.web.urls_elsewhere"
        settings.ACCOUNT_RATE_LIMITS = False
        yield found
