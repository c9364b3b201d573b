"""docs/security.md on cookies, headers, codes and code, where no other test covers it."""

from __future__ import annotations

import ast
import datetime
import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
import time_machine
from django.contrib.auth.hashers import make_password
from django.core import mail, signing
from django.test import Client
from django.utils import timezone
from django.utils.crypto import get_random_string
from lxml import html
from pytest_django import Settings

from registry.models import User
from tests.factories import PASSWORD, NamespaceFactory
from tests.letters import go_on_from_reset_link, link_in_last_letter, send_account_letters
from tools.sign_in import record_sign_in

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
ROOT: Final = Path(__file__).resolve().parent.parent.parent
THERE: Final = "/account/confirm/?next=/account/"


@pytest.fixture(autouse=True)
def unlimited(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = False


# What the code does not do.


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """Yield every call in our code: its file, what is called, and the call."""
    for path in sorted((ROOT / "registry").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield str(path.relative_to(ROOT)), ast.unparse(node.func), node


FORBIDDEN: Final = re.compile(
    r"^(eval|exec|compile|__import__|os\.(system|popen|exec\w+|spawn\w+)|subprocess\.getoutput"
    r"|(pickle|marshal|shelve|dill)\.\w+|yaml\.(load|unsafe_load)|.*\.from_string)$"
)


def test_input_is_never_evaluated_unpickled_or_rendered() -> None:
    found = [(path, name) for path, name, _node in calls() if FORBIDDEN.match(name)]

    assert found == []


def test_shell_is_given_no_command() -> None:
    shells = [
        (path, name)
        for path, name, node in calls()
        if any(
            word.arg == "shell"
            and not (isinstance(word.value, ast.Constant) and not word.value.value)
            for word in node.keywords
        )
    ]

    assert shells == []


def test_markup_is_made_in_four_modules_and_statements_of_our_own_have_parameters() -> None:
    trusted = {
        path
        for path, name, node in calls()
        if name.rpartition(".")[2] in {"mark_safe", "SafeString"}
    }
    raw = [(path, name) for path, name, _node in calls() if re.search(r"\.(raw|extra)$", name)]

    assert trusted == {
        "registry/presenters/linked_data.py",
        "registry/presenters/railroad.py",
        "registry/templatetags/components.py",
        "registry/templatetags/prose.py",
    }
    assert raw == []


def test_scripts_write_text_and_never_markup_or_code() -> None:
    written = re.compile(
        r"\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function"
        r"|addEventListener\(\s*['\"]message['\"]|__proto__"
    )
    scripts = sorted((ROOT / "static" / "js").glob("*.js"))

    assert len(scripts) > 5
    assert [each.name for each in scripts if written.search(each.read_text("utf-8"))] == []


def test_page_templates_never_switch_escaping_off() -> None:
    """Plain text letters do: they are not markup. Help texts of fields are our own."""
    pages = [
        path.relative_to(ROOT / "templates")
        for path in sorted((ROOT / "templates").rglob("*.html"))
        if re.search(r"\|\s*safe\b|autoescape off", path.read_text("utf-8"))
    ]

    assert [str(page) for page in pages] == ["bootstrap5/layout/help_text.html"]


# Headers and cookies.


def test_pages_tell_other_sites_no_referrer() -> None:
    assert Client().get("/").headers["Referrer-Policy"] == "same-origin"


def test_pages_whose_address_has_a_key_name_it_to_nobody() -> None:
    page = Client().get("/officers/stop/key-of-a-letter/")

    assert page.headers["Referrer-Policy"] == "strict-origin"


def test_pages_give_no_script_a_camera_and_no_other_site_their_content() -> None:
    page, data = Client().get("/"), Client().get("/api/v1/namespaces/")

    assert page.headers["Permissions-Policy"].startswith("camera=(), ")
    assert page.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert data.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_scripts_do_not_read_the_session(outsider: User) -> None:
    client = Client()

    page = client.post("/accounts/sign-in/", {"login": outsider.email, "password": PASSWORD})

    for name in ("sessionid", "browser"):
        assert page.cookies[name]["httponly"]
        assert page.cookies[name]["samesite"] == "Lax"
        for address in ("/account/", "/account/sessions/", "/account/log/", "/account/data/file/"):
            assert page.cookies[name].value not in client.get(address).content.decode()


def test_sign_out_has_the_browser_forget_its_pages(outsider: User) -> None:
    client = Client()
    client.force_login(outsider)

    asked, done = client.get("/accounts/sign-out/"), client.post("/accounts/sign-out/")

    assert "Clear-Site-Data" not in asked.headers
    assert (done.status_code, done.headers["Clear-Site-Data"]) == (302, '"cache"')


@pytest.mark.parametrize("address", ["/", "/accounts/sign-in/", "/namespaces/seedbank/"])
def test_pages_load_nothing_from_another_host(address: str) -> None:
    NamespaceFactory.create(nid="seedbank")

    page = html.fromstring(Client().get(address).content)

    loaded = page.xpath(
        "//script/@src | //img/@src | //iframe/@src | //link[@rel='stylesheet']/@href"
    )
    assert loaded
    assert [each for each in loaded if "//" in each] == []


def test_forms_that_another_site_could_have_sent_are_refused(outsider: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(outsider)

    for address in ("/account/", "/account/sessions/", "/account/tokens/", "/account/data/"):
        assert client.post(address, {"name": "Mallory"}).status_code == 403
        forged = {"origin": "https://elsewhere.example"}
        assert client.post(address, {"name": "Mallory"}, headers=forged).status_code == 403
    answer = client.post("/api/v1/account/follows/", "{}", "application/json")
    assert answer.status_code == 403


# Passwords and codes.


def test_registry_begins_without_accounts() -> None:
    assert not User.objects.exists()


def test_present_password_is_asked_for_before_another_is_set(outsider: User) -> None:
    client = Client()
    client.force_login(outsider)
    fresh = "otter gravel sonnet twelve"

    client.post(
        "/accounts/password/change/",
        {"oldpassword": "wrong", "password1": fresh, "password2": fresh},
    )

    outsider.refresh_from_db()
    assert outsider.check_password(PASSWORD)


def test_password_is_compared_as_it_was_typed_to_the_last_character(outsider: User) -> None:
    phrase = "  Kelp viola DUNE " + get_random_string(120) + " "
    outsider.password = make_password(phrase)
    outsider.save()

    def may_enter(typed: str) -> bool:
        client = Client()
        client.post("/accounts/sign-in/", {"login": outsider.email, "password": typed})
        return client.get("/account/requests/").status_code == 200

    assert may_enter(phrase)
    for typed in (phrase.strip(), phrase.lower(), phrase[:-2] + "! ", phrase[:72]):
        assert not may_enter(typed)


@pytest.mark.parametrize("address", ["/accounts/sign-in/", "/accounts/sign-up/"])
def test_password_fields_hide_what_is_typed_and_can_be_filled_by_a_manager(address: str) -> None:
    page = html.fromstring(Client().get(address).content)

    fields = page.xpath("//input[contains(@name, 'password')]")
    assert fields
    for field in fields:
        assert field.get("type") == "password"
        assert field.get("autocomplete") in {"current-password", "new-password"}
        assert field.get("onpaste") is None
        assert field.get("maxlength") is None


def ask_for_code(client: Client) -> str:
    """Have a confirmation code sent, and return it."""
    client.post(THERE, {"send": "1"})
    send_account_letters()
    [code] = re.findall(r"\b[A-Z]{4}-[A-Z]{4}\b", str(mail.outbox[-1].body))
    return str(code)


def is_confirmed(client: Client) -> bool:
    """Whether a session may download its person's data now, which requires confirmation."""
    return client.get("/account/data/file/").status_code == 200


@pytest.fixture
def stale(outsider: User, sign_in: SignIn) -> Client:
    """A session without a recent confirmation."""
    client = sign_in(outsider)
    record_sign_in(client, outsider, ago=3000)
    return client


def test_code_of_a_letter_works_once_where_it_was_asked_for(
    stale: Client, outsider: User, sign_in: SignIn
) -> None:
    code, another = ask_for_code(stale), sign_in(outsider)
    record_sign_in(another, outsider, ago=3000)

    another.post(THERE, {"code": code})
    before = is_confirmed(stale)
    stale.post(THERE, {"code": code})
    confirmed = is_confirmed(stale)
    record_sign_in(stale, outsider, ago=3000)
    stale.post(THERE, {"code": code})

    assert not is_confirmed(another)
    assert not before
    assert confirmed
    assert not is_confirmed(stale)


def test_code_of_a_letter_works_for_ten_minutes_and_five_tries(stale: Client) -> None:
    first = ask_for_code(stale)
    for _try in range(5):
        stale.post(THERE, {"code": "BBBB-BBBB"})
    stale.post(THERE, {"code": first})
    after_tries = is_confirmed(stale)
    second = ask_for_code(stale)

    with time_machine.travel(timezone.now() + datetime.timedelta(minutes=11)):
        stale.post(THERE, {"code": second})
        late = is_confirmed(stale)

    assert not after_tries
    assert not late


def test_codes_of_letters_are_random_and_of_eight_letters_of_twenty(stale: Client) -> None:
    codes = {ask_for_code(stale) for _time in range(4)}

    assert len(codes) == 4
    assert all(re.fullmatch(r"[BCDFGHJKLMNPQRSTVWXZ-]{9}", code) for code in codes)


def ask_for_reset_link(person: User) -> str:
    """Have a link sent that chooses a new password, and return it."""
    Client().post("/accounts/password/reset/", {"email": person.email})
    return urlsplit(link_in_last_letter(person.email)).path


def is_alive(link: str) -> bool:
    """Whether a browser in which nobody has opened the link yet could go on from it."""
    page = Client().get(link, follow=True).text
    assert ("This link no longer works" in page) != ("works once" in page)
    return "works once" in page


@pytest.mark.parametrize(("minutes", "works"), [(58, True), (62, False)])
def test_reset_link_works_for_an_hour(outsider: User, minutes: int, works: bool) -> None:
    link = ask_for_reset_link(outsider)

    with time_machine.travel(timezone.now() + datetime.timedelta(minutes=minutes), tick=False):
        assert is_alive(link) == works


def test_reset_link_ends_in_all_other_browsers_when_somebody_goes_on(outsider: User) -> None:
    link, earlier = ask_for_reset_link(outsider), ask_for_reset_link(outsider)
    here, there = Client(), Client()
    there_form = there.get(link).headers["Location"]
    opened = is_alive(link)

    form = go_on_from_reset_link(here, link)
    there.post(there_form)
    there.post(there_form, dict.fromkeys(("password1", "password2"), "of somebody else 12"))

    assert opened
    assert not is_alive(link)
    assert not is_alive(earlier)
    assert "This link no longer works" in there.get(there_form).text
    assert "Set the password" in here.get(form).text
    outsider.refresh_from_db()
    assert outsider.check_password(PASSWORD)


def test_reset_link_ends_when_it_was_used(outsider: User) -> None:
    link, here = ask_for_reset_link(outsider), Client()
    form = go_on_from_reset_link(here, link)
    phrase = "otter gravel sonnet twelve"

    here.post(form, dict.fromkeys(("password1", "password2"), phrase))
    here.post(form, dict.fromkeys(("password1", "password2"), f"{phrase}, again"))

    outsider.refresh_from_db()
    assert outsider.check_password(phrase)
    assert not is_alive(link)
    assert "This link no longer works" in here.get(form).text


def test_password_of_ten_years_ago_signs_in(outsider: User) -> None:
    with time_machine.travel(timezone.now() + datetime.timedelta(days=3_650)):
        client = Client()
        client.post("/accounts/sign-in/", {"login": outsider.email, "password": PASSWORD})

        assert client.get("/account/requests/").status_code == 200


def test_times_are_kept_in_utc(settings: Settings) -> None:
    assert settings.USE_TZ
    assert settings.TIME_ZONE == "UTC"


def test_codes_are_limited_to_five_an_hour(stale: Client) -> None:
    for _time in range(8):
        stale.post(THERE, {"send": "1"})

    send_account_letters()
    assert len(mail.outbox) == 5


# Sessions, links and logs.


def test_session_begins_anew_with_a_sign_in(outsider: User) -> None:
    client = Client()
    client.get("/accounts/sign-in/")
    session = client.session
    session["of a stranger"] = True
    session.save()
    client.cookies["sessionid"] = fixed = str(session.session_key)
    assert len(fixed) == 32

    client.post("/accounts/sign-in/", {"login": outsider.email, "password": PASSWORD})

    assert client.cookies["sessionid"].value != fixed
    attacker = Client()
    attacker.cookies["sessionid"] = fixed
    assert attacker.get("/account/requests/").status_code == 302


def test_session_has_a_new_key_after_authenticating_again(outsider: User) -> None:
    client = Client()
    client.post("/accounts/sign-in/", {"login": outsider.email, "password": PASSWORD})
    before = client.cookies["sessionid"].value

    client.post("/accounts/reauthenticate/", {"password": PASSWORD})

    after = client.cookies["sessionid"].value
    assert after != before
    assert client.get("/account/requests/").status_code == 200
    assert outsider.usersession_set.get().session_key == after
    stale = Client()
    stale.cookies["sessionid"] = before
    assert stale.get("/account/requests/").status_code == 302


def test_sign_out_is_on_every_page_and_ends_the_session_on_the_server(
    outsider: User,
) -> None:
    client = Client()
    client.force_login(outsider)
    key = client.cookies["sessionid"].value
    pages = [client.get(path).content.decode() for path in ("/", "/account/", "/requests/")]

    client.post("/accounts/sign-out/")

    assert all("/accounts/sign-out/" in page for page in pages)
    again = Client()
    again.cookies["sessionid"] = key
    assert again.get("/account/requests/").status_code == 302


def test_signature_for_one_use_is_good_for_no_other() -> None:
    signed = signing.dumps("value", salt="registry.one")

    for forged in (signed[:-1] + ("A" if signed[-1] != "A" else "B"), "e30:" + signed):
        with pytest.raises(signing.BadSignature):
            signing.loads(forged, salt="registry.one")
    with pytest.raises(signing.BadSignature):
        signing.loads(signed, salt="registry.two")
    uses = [
        ast.unparse(word.value)
        for path, name, node in calls()
        if re.search(r"signing\.(dumps|loads)|TimestampSigner|signing\.Signer|salted_hmac", name)
        for word in node.keywords
        if word.arg == "salt"
    ]
    assert "''" not in uses


def test_passwords_and_codes_are_not_logged(
    outsider: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    client = Client()
    typed = "a-wrong-password-that-was-typed"

    client.post("/accounts/sign-in/", {"login": outsider.email, "password": typed})
    client.post("/accounts/sign-in/", {"login": outsider.email, "password": PASSWORD})
    code = ask_for_code(client)
    client.get("/api/v1/account/", headers={"authorization": "Token of-no-use-at-all"})

    secrets = (typed, PASSWORD, code, "of-no-use-at-all", client.cookies["sessionid"].value)
    assert [each for each in secrets if each in caplog.text] == []


def test_log_takes_no_lines_from_an_address(
    caplog: pytest.LogCaptureFixture,
) -> None:
    Client().get("/nothing/%0d%0aERROR%20forged%20line%1b%5b2J/")

    assert caplog.messages
    assert not any(character in line for line in caplog.messages for character in "\r\n\x1b")


def test_errors_show_no_code_and_no_setting(settings: Settings) -> None:
    assert not settings.DEBUG
    said = Client().get("/nothing-here/").content.decode()

    assert "Traceback" not in said
    assert "INSTALLED_APPS" not in said


def test_session_of_a_deactivated_account_ends(outsider: User) -> None:
    client = Client()
    client.force_login(outsider)
    outsider.is_active = False
    outsider.save()

    assert client.get("/account/requests/").status_code == 302


def test_static_files_are_served_and_nothing_else() -> None:
    for path in ("/.git/config", "/static/", "/static/../manage.py", "/var/", "/manage.py"):
        assert Client().get(path).status_code in {302, 404}
