"""What tests of several pages share: bare refusals, and providers of accounts elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.socialaccount.providers import registry as known_providers
from allauth.socialaccount.providers.github.provider import GitHubProvider
from allauth.socialaccount.providers.github.views import GitHubOAuth2Adapter
from allauth.socialaccount.providers.orcid.provider import OrcidProvider
from allauth.socialaccount.providers.orcid.views import OrcidOAuth2Adapter
from django.http import HttpRequest, HttpResponse
from pytest_django import Settings

from registry.web import errors
from registry.web.account.elsewhere import OPENID_PROVIDER
from registry.web.account.openid import OpenIDProvider
from tests.oauth_provider import OAuthProvider, oauth_provider
from tests.openid_provider import CLIENT, SECRET, Provider, openid_provider


@pytest.fixture
def elsewhere(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry that knows the providers which settings can name."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for known in (OpenIDProvider, GitHubProvider, OrcidProvider):
        monkeypatch.setitem(known_providers.provider_map, known.id, known)
    settings.ROOT_URLCONF = "tests.web.urls_elsewhere"
    settings.ACCOUNT_RATE_LIMITS = False


@pytest.fixture
def provider(elsewhere: None, settings: Settings) -> Iterator[Provider]:
    """An OpenID Connect provider named in the settings, which knows Wilma as `w-1`."""
    claims = {"sub": "w-1", "email": "wilma@northlight.example", "name": "Wilma"}
    with openid_provider(**claims, email_verified=True) as found:
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
        yield found


@pytest.fixture
def github(
    elsewhere: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OAuthProvider]:
    """GitHub, which knows Wilma as number 4711."""
    pages = {
        "/user": {"id": 4711, "login": "wilma", "name": "Wilma", "email": "wilma@github.example"},
        "/user/emails": [{"email": "wilma@github.example", "primary": True, "verified": True}],
    }
    with oauth_provider(pages) as found:
        settings.SOCIALACCOUNT_PROVIDERS = {
            "github": {"APPS": [{"client_id": CLIENT, "secret": SECRET}]}
        }
        paths = {
            "authorize_url": "/authorize",
            "access_token_url": "/token",
            "profile_url": "/user",
            "emails_url": "/user/emails",
        }
        for name, path in paths.items():
            monkeypatch.setattr(GitHubOAuth2Adapter, name, f"{found.address}{path}")
        yield found


@pytest.fixture
def orcid(
    elsewhere: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OAuthProvider]:
    """ORCID, which knows Wilma by her iD."""
    number = "0000-0002-1825-0097"
    record = {
        "orcid-identifier": {"path": number, "uri": f"https://orcid.org/{number}"},
        "person": {
            "name": {"given-names": {"value": "Wilma"}, "family-name": {"value": "West"}},
            "emails": {"email": [{"email": "wilma@orcid.example", "verified": True}]},
        },
    }
    with oauth_provider({f"/v3.0/{number}/record": record}, orcid=number) as found:
        settings.SOCIALACCOUNT_PROVIDERS = {
            "orcid": {"APPS": [{"client_id": CLIENT, "secret": SECRET}]}
        }
        paths = {
            "authorize_url": "/authorize",
            "access_token_url": "/token",
            "profile_url": "/v3.0/%s/record",
        }
        for name, path in paths.items():
            monkeypatch.setattr(OrcidOAuth2Adapter, name, f"{found.address}{path}")
        yield found


@pytest.fixture
def bare_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the page around refusals, which takes four times as long."""

    def refuse(request: HttpRequest, template: str, *_about: Any, status: int) -> HttpResponse:
        return HttpResponse(template, status=status)

    monkeypatch.setattr(errors, "render", refuse)
