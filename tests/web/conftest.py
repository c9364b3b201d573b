"""What tests of several pages share: bare refusals, and providers of accounts elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from allauth.socialaccount.providers import registry as known_providers
from allauth.socialaccount.providers.github.provider import GitHubProvider
from allauth.socialaccount.providers.github.views import GitHubOAuth2Adapter
from allauth.socialaccount.providers.oauth2.views import OAuth2Adapter
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
    for provider_class in (OpenIDProvider, GitHubProvider, OrcidProvider):
        monkeypatch.setitem(known_providers.provider_map, provider_class.id, provider_class)
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


@dataclass(frozen=True)
class KnownProvider:
    """A provider that allauth knows: where it asks, and what it is answered about Wilma."""

    name: str
    adapter: type[OAuth2Adapter]
    paths: Mapping[str, str]
    pages: Mapping[str, Any]
    adds_to_token: Mapping[str, Any] = field(default_factory=dict)


GITHUB: Final = KnownProvider(
    "github",
    GitHubOAuth2Adapter,
    {"profile_url": "/user", "emails_url": "/user/emails"},
    {
        "/user": {"id": 4711, "login": "wilma", "name": "Wilma", "email": "wilma@github.example"},
        "/user/emails": [{"email": "wilma@github.example", "primary": True, "verified": True}],
    },
)
WILMAS_ORCID: Final = "0000-0002-1825-0097"
ORCID: Final = KnownProvider(
    "orcid",
    OrcidOAuth2Adapter,
    {"profile_url": "/v3.0/%s/record"},
    {
        f"/v3.0/{WILMAS_ORCID}/record": {
            "orcid-identifier": {"path": WILMAS_ORCID, "uri": f"https://orcid.org/{WILMAS_ORCID}"},
            "person": {
                "name": {"given-names": {"value": "Wilma"}, "family-name": {"value": "West"}},
                "emails": {"email": [{"email": "wilma@orcid.example", "verified": True}]},
            },
        }
    },
    {"orcid": WILMAS_ORCID},
)


@contextmanager
def provide(
    known: KnownProvider, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OAuthProvider]:
    """Serve a provider on this machine, and name it in the settings."""
    with oauth_provider(deepcopy(dict(known.pages)), **known.adds_to_token) as found:
        settings.SOCIALACCOUNT_PROVIDERS = {
            known.name: {"APPS": [{"client_id": CLIENT, "secret": SECRET}]}
        }
        paths = {"authorize_url": "/authorize", "access_token_url": "/token", **known.paths}
        for name, path in paths.items():
            monkeypatch.setattr(known.adapter, name, f"{found.address}{path}")
        yield found


@pytest.fixture
def github(
    elsewhere: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OAuthProvider]:
    """GitHub, which knows Wilma as number 4711."""
    with provide(GITHUB, settings, monkeypatch) as found:
        yield found


@pytest.fixture
def orcid(
    elsewhere: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OAuthProvider]:
    """ORCID, which knows Wilma by her iD."""
    with provide(ORCID, settings, monkeypatch) as found:
        yield found


@pytest.fixture
def bare_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the page around refusals, which takes four times as long."""

    def refuse(request: HttpRequest, template: str, *_about: Any, status: int) -> HttpResponse:
        return HttpResponse(template, status=status)

    monkeypatch.setattr(errors, "render", refuse)
