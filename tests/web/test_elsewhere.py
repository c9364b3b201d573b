"""Accounts elsewhere: a provider says whose account it is, and nothing else counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialLogin, SocialToken
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client, RequestFactory
from pytest_django import Settings
from pytest_django.asserts import assertTemplateUsed

from registry.assurance import Assurance, ConfirmationNeeded, acting_with
from registry.models import User
from registry.web.account.elsewhere import OPENID_PROVIDER, ElsewhereAdapter
from tests.factories import PASSWORD
from tests.letters import link_in_last_letter
from tests.oauth_provider import OAuthProvider
from tests.openid_provider import SECRET, Provider, read_parameters
from tests.sign_in import make_totp_code
from tests.test_settings import run
from tests.web.pages import text_of
from tools.sign_in import record_sign_in

pytestmark = pytest.mark.django_db


def login_as(email: str, process: str) -> SocialLogin:
    """Return what a provider says: an account, and an allegedly confirmed address."""
    login = SocialLogin(
        user=User(email=email, name=""),
        account=SocialAccount(provider="orcid", uid="0000-0002-1825-0097"),
        email_addresses=[EmailAddress(email=email, verified=True, primary=True)],
    )
    login.state = {"process": process}
    return login


def test_address_of_a_provider_is_neither_stored_nor_confirmed(outsider: User) -> None:
    login = login_as(outsider.email, "login")
    request = RequestFactory().get("/")

    ElsewhereAdapter().pre_social_login(request, login)

    assert login.email_addresses == []
    assert isinstance(login.user, User)
    assert login.user.email == outsider.email
    assert not ElsewhereAdapter().is_email_verified("orcid", outsider.email)


def test_account_elsewhere_is_connected_by_whoever_confirmed_who_they_are(
    outsider: User,
) -> None:
    request = RequestFactory().get("/")
    request.user = outsider
    long_ago = Assurance(word_at=1.0)

    with acting_with(lambda: long_ago), pytest.raises(ConfirmationNeeded):
        ElsewhereAdapter().pre_social_login(request, login_as(outsider.email, "connect"))


ASK = """
import django
django.setup()
from django.conf import settings
from django.urls import reverse
print(sorted(settings.SOCIALACCOUNT_PROVIDERS), reverse("openid_connect_login", args=["oidc"]))
"""


@pytest.mark.whole
def test_providers_are_those_that_the_settings_name(tmp_path: object) -> None:
    asked = run(
        tmp_path,  # type: ignore[arg-type]
        "-c",
        ASK,
        REGISTRY_ORCID_CLIENT="APP-1",
        REGISTRY_ORCID_SECRET="s",
        REGISTRY_OIDC_CLIENT="registry",
        REGISTRY_OIDC_SECRET="s",
        REGISTRY_OIDC_ISSUER="https://login.example",
    )

    assert asked.stdout.split("]")[0] == "['openid_connect', 'orcid'", asked.stderr
    assert "/accounts/" in asked.stdout


@pytest.mark.whole
def test_issuer_is_asked_over_tls(tmp_path: object) -> None:
    asked = run(
        tmp_path,  # type: ignore[arg-type]
        "-c",
        ASK,
        REGISTRY_OIDC_CLIENT="registry",
        REGISTRY_OIDC_SECRET="s",
        REGISTRY_OIDC_ISSUER="http://login.example",
    )

    assert "REGISTRY_OIDC_ISSUER" in asked.stderr
    assert asked.returncode != 0


# An OpenID Connect provider, from the button and back.

BACK = "/accounts/oidc/oidc/login/callback/"
HERE = "http://testserver"
THERE = "wilma@northlight.example"
FAILED = "socialaccount/authentication_error.html"


def lead_there(client: Client, process: str = "login") -> str:
    """Press the provider's button, and return where the browser is redirected."""
    answer = client.post(f"/accounts/oidc/oidc/login/?process={process}")
    assert answer.status_code == 302, text_of(answer)
    return str(answer.headers["Location"])


def be_led_back(there: str) -> str:
    """Call the provider as the browser would, and return the path it redirects back to."""
    answer = requests.get(there, allow_redirects=False, timeout=10)
    back = str(answer.headers["Location"])
    assert back.startswith(HERE + BACK)
    return back.removeprefix(HERE)


def sign_in_elsewhere(client: Client, process: str = "login") -> Any:
    """Go to the provider and back, and return the response."""
    return client.get(be_led_back(lead_there(client, process)))


def is_signed_in(client: Client) -> bool:
    return client.get("/account/requests/").status_code == 200


def test_account_elsewhere_opens_one_here_once_its_address_is_confirmed(
    provider: Provider,
) -> None:
    client = Client()
    button = client.get("/accounts/sign-in/").content.decode()

    back = sign_in_elsewhere(client)
    form = text_of(client.get(back.headers["Location"]))
    said = {"name": "Wilma West", "email": "wilma@people.example"}
    client.post("/accounts/elsewhere/signup/", said)
    unconfirmed = is_signed_in(client)
    path = urlsplit(link_in_last_letter("wilma@people.example")).path
    client.post(path)
    another = Client()
    sign_in_elsewhere(another)

    assert "Northlight" in button
    assert back.headers["Location"] == "/accounts/elsewhere/signup/"
    assert "Northlight" in form
    assert not unconfirmed
    assert is_signed_in(another)
    person = User.objects.get(email="wilma@people.example")
    kept = SocialAccount.objects.get(user=person)
    assert (kept.provider, kept.uid) == (OPENID_PROVIDER, "w-1")
    assert not person.has_usable_password()
    assert not EmailAddress.objects.filter(email=THERE).exists()
    assert not SocialToken.objects.exists()


def test_browser_is_led_there_with_state_challenge_and_nonce(provider: Provider) -> None:
    first, second = (read_parameters(lead_there(Client())) for _time in range(2))

    assert first["response_type"] == "code"
    assert first["code_challenge_method"] == "S256"
    assert first["redirect_uri"] == HERE + BACK
    for name in ("state", "code_challenge", "nonce"):
        assert len(first[name]) >= 16
        assert first[name] != second[name]


def test_get_of_the_button_signs_nobody_in(provider: Provider) -> None:
    answer = Client().get("/accounts/oidc/oidc/login/")

    assert answer.status_code == 200
    assert provider.server is not None
    assert not any("/authorize" in path for _host, path in provider.server.asked)


def connect(person: User) -> None:
    SocialAccount.objects.create(user=person, provider=OPENID_PROVIDER, uid="w-1")


def test_account_elsewhere_does_not_stand_in_for_the_second_factor(
    provider: Provider, expert: User
) -> None:
    connect(expert)
    client = Client()

    back = sign_in_elsewhere(client)
    before = is_signed_in(client)
    client.post("/accounts/factors/authenticate/", {"code": make_totp_code()})

    assert back.headers["Location"] == "/accounts/factors/authenticate/"
    assert not before
    assert is_signed_in(client)


def test_address_that_the_provider_confirmed_finds_no_account_here(
    provider: Provider, outsider: User
) -> None:
    provider.claims["email"] = outsider.email
    client = Client()

    back = sign_in_elsewhere(client)
    client.post(back.headers["Location"], {"name": "Wilma", "email": outsider.email})

    assert not is_signed_in(client)
    assert not SocialAccount.objects.filter(user=outsider).exists()


def test_connection_asks_to_confirm_who_it_is(provider: Provider, outsider: User) -> None:
    client = Client()
    client.force_login(outsider)
    record_sign_in(client, outsider, ago=3000)

    answer = sign_in_elsewhere(client, "connect")

    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    assert not SocialAccount.objects.exists()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    sign_in_elsewhere(client, "connect")
    assert SocialAccount.objects.get().user == outsider


def sign_with_a_key_of_ones_own(provider: Provider) -> None:
    provider.signs_with = ec.generate_private_key(ec.SECP256R1())


def sign_with_nothing(provider: Provider) -> None:
    provider.algorithm, provider.signs_with = "none", ""


def sign_with_the_secret(provider: Provider) -> None:
    provider.algorithm, provider.signs_with = "HS256", SECRET


def say(**claims: Any) -> Callable[[Provider], None]:
    def lie(provider: Provider) -> None:
        provider.claims.update(claims)

    return lie


@pytest.mark.parametrize(
    "lie",
    [
        sign_with_a_key_of_ones_own,
        sign_with_nothing,
        sign_with_the_secret,
        say(aud="another-site"),
        say(iss="https://another.example"),
        say(exp=1_000_000_000),
        say(nonce="of another answer"),
        say(nonce=None),
    ],
    ids=[
        "a stranger's key",
        "no signature",
        "a shared secret",
        "for another site",
        "of another provider",
        "too old",
        "asked by another",
        "asked by nobody",
    ],
)
def test_answer_not_signed_for_us_now_signs_nobody_in(
    lie: Callable[[Provider], None], provider: Provider, outsider: User
) -> None:
    connect(outsider)
    lie(provider)
    client = Client()

    answer = sign_in_elsewhere(client)

    assertTemplateUsed(answer, FAILED)
    assert not is_signed_in(client)


def test_answer_is_good_in_the_browser_that_asked_and_once(
    provider: Provider, outsider: User
) -> None:
    connect(outsider)
    asker, stranger = Client(), Client()
    back = be_led_back(lead_there(asker))

    forged = stranger.get(back)
    asker.get(back)
    asker.post("/accounts/sign-out/")
    again = asker.get(back)

    assertTemplateUsed(forged, FAILED)
    assertTemplateUsed(again, FAILED)
    assert not is_signed_in(stranger)
    assert not is_signed_in(asker)
    assert len(provider.redeemed) == 1


def test_provider_that_calls_itself_another_is_not_asked(provider: Provider) -> None:
    provider.calls_itself = "https://another.example"

    answer = Client().post("/accounts/oidc/oidc/login/?process=login")

    assertTemplateUsed(answer, FAILED)


def test_silent_provider_leads_to_a_page(provider: Provider, settings: Settings) -> None:
    [app] = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
    app["settings"]["server_url"] = f"{provider.issuer}/nothing"

    answer = Client().post("/accounts/oidc/oidc/login/?process=login")

    assertTemplateUsed(answer, FAILED)


# GitHub and ORCID, from the button and back.

PROVIDERS = pytest.mark.parametrize(
    ("name", "button", "uid"),
    [("github", "GitHub", "4711"), ("orcid", "Orcid.org", "0000-0002-1825-0097")],
    ids=["GitHub", "ORCID"],
)


def sign_in_at(name: str, client: Client) -> Any:
    """Go to GitHub or ORCID and back, and return the response."""
    asked = client.post(f"/accounts/{name}/login/?process=login")
    assert asked.status_code == 302, text_of(asked)
    back = requests.get(asked.headers["Location"], allow_redirects=False, timeout=10)
    address = str(back.headers["Location"])
    assert address.startswith(f"{HERE}/accounts/{name}/login/callback/?")
    return client.get(address.removeprefix(HERE))


@PROVIDERS
def test_account_at_github_or_orcid_opens_one_here_once_its_address_is_confirmed(
    name: str, button: str, uid: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(name)
    client = Client()
    page = text_of(client.get("/accounts/sign-in/"))

    back = sign_in_at(name, client)
    form = text_of(client.get(back.headers["Location"]))
    said = {"name": "Wilma West", "email": "wilma@people.example"}
    client.post("/accounts/elsewhere/signup/", said)
    unconfirmed = is_signed_in(client)
    client.post(urlsplit(link_in_last_letter("wilma@people.example")).path)
    another = Client()
    sign_in_at(name, another)

    assert button in page
    assert back.headers["Location"] == "/accounts/elsewhere/signup/"
    assert button in form
    assert not unconfirmed
    assert is_signed_in(another)
    person = User.objects.get(email="wilma@people.example")
    kept = SocialAccount.objects.get(user=person)
    assert (kept.provider, kept.uid) == (name, uid)
    assert [each.email for each in person.emailaddress_set.all()] == ["wilma@people.example"]
    assert not SocialToken.objects.exists()


@pytest.mark.parametrize("is_verified", [False, True], ids=["unconfirmed", "confirmed there"])
def test_address_from_github_confirms_nothing_here(
    is_verified: bool, github: OAuthProvider, outsider: User
) -> None:
    for address in ("wilma@github.example", outsider.email):
        github.pages["/user"]["email"] = address
        github.pages["/user/emails"] = [
            {"email": address, "primary": True, "verified": is_verified}
        ]
        client = Client()

        back = sign_in_at("github", client)
        client.post(back.headers["Location"], {"name": "Wilma", "email": address})

        assert back.headers["Location"] == "/accounts/elsewhere/signup/"
        assert not is_signed_in(client)
        github.pages["/user"]["id"] += 1

    made = EmailAddress.objects.get(email="wilma@github.example")
    assert not made.verified
    assert not SocialAccount.objects.filter(user=outsider).exists()
