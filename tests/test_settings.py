"""Production settings, as the environment sets them."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pytest
from django.core.exceptions import ImproperlyConfigured

from registry import env

ROOT: Final = Path(__file__).resolve().parent.parent
PRODUCTION: Final = {
    "REGISTRY_MODE": "production",
    "REGISTRY_SECRET_KEY": "tests-settings-only-0123456789-abcdefghijklmnopqrstuvwxyz",
    "REGISTRY_HOSTS": "urn.example",
    "REGISTRY_SITE": "https://urn.example",
    "REGISTRY_EMAIL_URL": "smtp+tls://registry:secret@mail.example:587",
    "REGISTRY_MAIL_FROM": "registry@urn.example",
}
ASK: Final = """\
import django
from django.http import HttpRequest, HttpResponse
django.setup()
from django.middleware.security import SecurityMiddleware
request = HttpRequest()
request.META = {"HTTP_X_FORWARDED_PROTO": "https"}
answer = SecurityMiddleware(lambda request: HttpResponse())(request)
print(answer.headers["Strict-Transport-Security"])
"""


def load_settings(**variables: str) -> dict[str, Any]:
    """Return the production settings in the module, with these additional variables."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("REGISTRY_")}
    own = {"REGISTRY_DATABASE_URL": "postgres://registry@localhost/registry"}
    with patch.dict(os.environ, known | PRODUCTION | own | variables, clear=True):
        return runpy.run_path(str(ROOT / "registry" / "settings.py"))


def run(home: Path, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in production mode, with these additional environment variables."""
    # Browser tests allow themselves what Django's checks forbid in production.
    not_meant = ("REGISTRY_", "DJANGO_")
    known = {name: value for name, value in os.environ.items() if not name.startswith(not_meant)}
    own = {
        "DJANGO_SETTINGS_MODULE": "registry.settings",
        "REGISTRY_DATA_DIR": str(home),
        "REGISTRY_DATABASE_URL": f"sqlite:///{home}/registry.sqlite3",
    }
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=known | PRODUCTION | own | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.whole
@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({}, "max-age=3600"),
        ({"REGISTRY_HSTS_SECONDS": "31536000"}, "max-age=31536000"),
        ({"REGISTRY_HSTS_SUBDOMAINS": "yes"}, "max-age=3600; includeSubDomains"),
        (
            {"REGISTRY_HSTS_SUBDOMAINS": "yes", "REGISTRY_HSTS_PRELOAD": "yes"},
            "max-age=3600; includeSubDomains; preload",
        ),
        ({"REGISTRY_HSTS_SUBDOMAINS": "no", "REGISTRY_HSTS_PRELOAD": "no"}, "max-age=3600"),
    ],
)
def test_tls_alone_is_asked_for_an_hour_and_one_host_unless_more_is_named(
    tmp_path: Path, variables: dict[str, str], said: str
) -> None:
    ran = run(tmp_path, "-c", ASK, **variables)

    assert (ran.stdout.strip(), ran.stderr) == (said, "")


@pytest.mark.whole
def test_wrong_word_is_refused_by_the_name_of_its_variable(tmp_path: Path) -> None:
    ran = run(tmp_path, "-c", ASK, REGISTRY_HSTS_PRELOAD="perhaps")

    assert "REGISTRY_HSTS_PRELOAD is 'perhaps'" in ran.stderr


@pytest.mark.whole
def test_settings_of_production_pass_the_checks_for_it(tmp_path: Path) -> None:
    ran = run(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "WARNING")

    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("REGISTRY_SITE", "https://urn.example/", "without the slash: 'https://urn.example'"),
        ("REGISTRY_SITE", "https://urn.example/registry", "takes no path: 'https://urn.example'"),
        ("REGISTRY_SITE", "https://urn.example?x=1", "takes no path: 'https://urn.example'"),
        ("REGISTRY_SITE", "https://me@urn.example", "names a user"),
        ("REGISTRY_SITE", "http://urn.example", "must begin with https:// and name a host"),
        ("REGISTRY_SITE", "urn.example", "must begin with https:// and name a host"),
        ("REGISTRY_SITE", "https://urn.example:port", "must begin with https:// and name a host"),
        ("REGISTRY_HOSTS", "https://urn.example", "without scheme, port and path, such as 'urn."),
        ("REGISTRY_HOSTS", "a.example, urn.example:443", "has 'urn.example:443'; it takes host"),
        ("REGISTRY_HOSTS", "urn.example/", "without scheme, port and path, such as 'urn.example'"),
        ("REGISTRY_HOSTS", ",", "names no host"),
        ("REGISTRY_PROOF_DAYS", "-1", "is '-1'; it must be a whole number"),
        ("REGISTRY_PROF_DAYS", "2", "no such variable; did you mean REGISTRY_PROOF_DAYS?"),
        ("REGISTRY_EMAIL_URL", "smtp://mail.example:mail", "must look like smtp+tls://"),
        ("REGISTRY_EMAIL_URL", "smtp://a:b/c@mail.example:25", "write / as %2F"),
        ("REGISTRY_DATABASE_URL", "postgres://a:b/c@db.example/r", "write / as %2F"),
        ("REGISTRY_DATABASE_URL", "postgres:///r", "is no address of a database"),
        ("REGISTRY_FETCH_NETWORKS", "192.0.2.0/24, 10.0.0.1/8", "has '10.0.0.1/8', which is no"),
        ("REGISTRY_FETCH_NETWORKS", "intranet", "has 'intranet', which is no network"),
        ("REGISTRY_BREACHED_PASSWORDS", "/nowhere.txt", "'/nowhere.txt', which cannot be read"),
        ("REGISTRY_BREACHED_PASSWORDS", __file__, "whose lines do not begin with a SHA-1"),
        ("REGISTRY_TOTP_TOLERANCE", "some", "must be a whole number"),
        ("REGISTRY_STATUS_TOKEN", "short", "is short; take 20 characters or more"),
        ("REGISTRY_CACHE_URL", "memcached://127.0.0.1:11211", "must look like rediss://"),
        ("REGISTRY_CACHE_URL", "redis://", "must look like rediss://"),
        ("REGISTRY_CACHE_URL", "redis://:a/b@127.0.0.1:6379", "write / as %2F"),
        ("REGISTRY_CACHE_URL", "redis://127.0.0.1/registry", "must look like rediss://"),
        ("REGISTRY_CACHE_URL", "redis://cache.example", "asks cache.example in plain. Use rediss"),
        ("REGISTRY_DATABASE_BOUNCER", "perhaps", "it can be no, yes"),
        ("REGISTRY_XYZZY", "2", "REGISTRY_XYZZY is set, and there is no such variable."),
    ],
)
def test_unworkable_setting_is_refused_by_its_name(name: str, value: str, told: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=re.escape(told)) as refused:
        load_settings(**{name: value})

    assert str(refused.value).startswith(name)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("REGISTRY_SITE", "https://urn.example:8443"),
        ("REGISTRY_HOSTS", "urn.example, .urn.example, 192.0.2.1, [2001:db8::1], *"),
        ("REGISTRY_PROOF_DAYS", "2"),
        ("REGISTRY_PROOF_DAYS", ""),
        ("REGISTRY_DATABASE_LOCK_SECONDS", "5"),
        ("REGISTRY_EMAIL_URL", "smtp+tls://a:b%2Fc@mail.example:25"),
        ("REGISTRY_DATABASE_URL", "postgres://a:b%2Fc@db.example:5432/r"),
        ("REGISTRY_DATABASE_URL", "sqlite:////var/lib/registry/registry.sqlite3"),
        ("REGISTRY_FETCH_NETWORKS", "192.0.2.0/24, 2001:db8::/32"),
        ("REGISTRY_EXPORTS_BUCKET", "registry-files"),
        ("REGISTRY_TEST_BROWSER", "/usr/bin/chromium"),
    ],
)
def test_workable_setting_is_taken(name: str, value: str) -> None:
    assert load_settings(**{name: value})["MODE"] == "production"


def test_sender_of_letters_is_asked_for() -> None:
    with pytest.raises(ImproperlyConfigured, match="Set REGISTRY_MAIL_FROM"):
        load_settings(REGISTRY_MAIL_FROM="")


def test_secrets_are_read_from_files(tmp_path: Path) -> None:
    key, mail = tmp_path / "key", tmp_path / "mail"
    key.write_text("from-a-file-0123456789-abcdefghijklmnopqrstuvwxyz-0123\n", "ascii")
    mail.write_text("smtp+tls://a:b%2Fc@mail.example:2525\n", "ascii")

    found = load_settings(
        REGISTRY_SECRET_KEY="",
        REGISTRY_SECRET_KEY_FILE=str(key),
        REGISTRY_EMAIL_URL="",
        REGISTRY_EMAIL_URL_FILE=str(mail),
    )

    assert found["SECRET_KEY"].startswith("from-a-file-")
    assert not found["SECRET_KEY"].endswith("\n")
    assert (found["EMAIL_HOST_PASSWORD"], found["EMAIL_PORT"]) == ("b/c", 2525)


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("REGISTRY_DATA_KEYS", lambda found: found["REGISTRY_DATA_KEYS"]),
        ("REGISTRY_SECRET_KEY_FALLBACKS", lambda found: found["SECRET_KEY_FALLBACKS"]),
        ("REGISTRY_ORCID_SECRET", lambda found: [find_provider_secret(found, "orcid")]),
        ("REGISTRY_GITHUB_SECRET", lambda found: [find_provider_secret(found, "github")]),
        ("REGISTRY_OIDC_SECRET", lambda found: [find_provider_secret(found, "openid_connect")]),
    ],
)
def test_keys_and_secrets_of_providers_are_read_from_files_too(
    tmp_path: Path, name: str, read: Callable[[dict[str, Any]], list[str]]
) -> None:
    (tmp_path / "secret").write_text("from-a-file-0123456789\n", "ascii")
    providers = {f"REGISTRY_{each}_CLIENT": "client" for each in ("ORCID", "GITHUB", "OIDC")}
    others = {f"REGISTRY_{each}_SECRET": "other" for each in ("ORCID", "GITHUB", "OIDC")}
    issuer = {"REGISTRY_OIDC_ISSUER": "https://accounts.example"}
    given = {name: "", f"{name}_FILE": str(tmp_path / "secret")}

    found = load_settings(**providers | others | issuer | given)

    assert read(found) == ["from-a-file-0123456789"]


def find_provider_secret(found: dict[str, Any], provider: str) -> str:
    """Return the secret that identifies us to an account provider."""
    secret: str = found["SOCIALACCOUNT_PROVIDERS"][provider]["APPS"][0]["secret"]
    return secret


@pytest.mark.parametrize("content", [None, ""])
def test_secret_that_is_not_in_its_file_is_told_by_the_name(
    tmp_path: Path, content: str | None
) -> None:
    path = tmp_path / "key"
    if content is not None:
        path.write_text(content, "ascii")

    with pytest.raises(ImproperlyConfigured, match=r"\AREGISTRY_SECRET_KEY_FILE is "):
        load_settings(REGISTRY_SECRET_KEY="", REGISTRY_SECRET_KEY_FILE=str(path))


def test_postgresql_is_asked_through_a_pool_where_that_is_wanted() -> None:
    pooled = load_settings(REGISTRY_DATABASE_POOL="8")["DATABASE"]
    plain = load_settings()["DATABASE"]

    assert pooled["OPTIONS"]["pool"] == {"min_size": 1, "max_size": 8, "timeout": 10}
    assert (pooled["CONN_MAX_AGE"], pooled["CONN_HEALTH_CHECKS"]) == (0, True)
    assert "pool" not in plain["OPTIONS"]
    assert plain["CONN_MAX_AGE"] == 60


def test_postgresql_compiles_no_statement_and_pgbouncer_is_sent_no_options() -> None:
    alone = load_settings()["DATABASE"]["OPTIONS"]
    behind = load_settings(REGISTRY_DATABASE_BOUNCER="yes")["DATABASE"]["OPTIONS"]

    assert (alone["options"], "options" in behind) == ("-c jit=off", False)


@pytest.mark.parametrize(
    "others",
    [
        {"REGISTRY_DATABASE_CONN_MAX_AGE": "60"},
        {"REGISTRY_DATABASE_URL": "sqlite:////var/lib/registry/registry.sqlite3"},
    ],
)
def test_pool_that_could_not_work_is_refused(others: dict[str, str]) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"\AREGISTRY_DATABASE_POOL "):
        load_settings(REGISTRY_DATABASE_POOL="8", **others)


def test_cursors_end_with_their_statement_behind_pgbouncer() -> None:
    bounced = load_settings(REGISTRY_DATABASE_BOUNCER="yes")["DATABASE"]
    plain = load_settings()["DATABASE"]

    assert bounced["DISABLE_SERVER_SIDE_CURSORS"] is True
    assert plain["DISABLE_SERVER_SIDE_CURSORS"] is False


@pytest.mark.parametrize(
    "others",
    [
        {"REGISTRY_DATABASE_POOL": "8"},
        {"REGISTRY_DATABASE_URL": "sqlite:////var/lib/registry/registry.sqlite3"},
    ],
)
def test_bouncer_that_could_not_work_is_refused(others: dict[str, str]) -> None:
    with pytest.raises(ImproperlyConfigured, match="REGISTRY_DATABASE_BOUNCER "):
        load_settings(REGISTRY_DATABASE_BOUNCER="yes", **others)


@pytest.mark.parametrize(
    "url",
    [
        "redis://127.0.0.1:6379/0",
        "redis://localhost",
        "rediss://registry:b%2Fc@cache.example:6380/2",
    ],
)
def test_shared_cache_is_a_table_or_the_server_that_is_named(url: str) -> None:
    named = load_settings(REGISTRY_CACHE_URL=url)["CACHES"]["default"]
    plain = load_settings()["CACHES"]["default"]

    assert (named["BACKEND"].rpartition(".")[2], named["LOCATION"]) == ("RedisCache", url)
    assert plain["BACKEND"].rpartition(".")[2] == "DatabaseCache"


def test_exports_go_to_a_bucket_or_to_a_folder_that_the_web_server_has() -> None:
    bucket = load_settings(
        REGISTRY_EXPORTS_BUCKET="files", REGISTRY_EXPORTS_ENDPOINT="https://s3.example"
    )["STORAGES"]["exports"]
    folder = load_settings(REGISTRY_EXPORTS_DIR="/srv/files")["STORAGES"]["exports"]

    assert bucket["OPTIONS"]["bucket_name"] == "files"
    assert folder["OPTIONS"]["location"] == Path("/srv/files")
    for wrong in (
        {"REGISTRY_EXPORTS_ENDPOINT": "https://s3.example"},
        {"REGISTRY_EXPORTS_BUCKET": "files", "REGISTRY_ACCEL_REDIRECT": "/built/"},
    ):
        with pytest.raises(ImproperlyConfigured):
            load_settings(**wrong)


def test_misspelt_mode_does_not_become_the_demonstration(tmp_path: Path) -> None:
    misspelt = {"REGISTRY_MODE": "", "REGISTRY_MOED": "production"}

    with pytest.raises(ImproperlyConfigured, match="mean REGISTRY_MODE"):
        load_settings(REGISTRY_DATA_DIR=str(tmp_path), **misspelt)


def test_log_of_the_demonstration_has_one_name_on_every_port() -> None:
    origins = {
        load_settings(REGISTRY_MODE="demonstration", REGISTRY_SITE=site)["REGISTRY_LOG_ORIGIN"]
        for site in ("http://127.0.0.1:8000", "http://127.0.0.1:8001")
    }

    assert origins == {"127.0.0.1:8000/log"}


def test_every_variable_is_documented_and_every_documented_one_is_read() -> None:
    document = (ROOT / "docs" / "settings.md").read_text("utf-8")
    table = re.findall(r"^\| `(REGISTRY_.*?)` \|", document, re.M)
    named = {each for cell in table for each in re.findall(r"REGISTRY_\w+", cell)}

    load_settings()

    assert named - (env.NAMES_READ | env.NAMES_READ_ELSEWHERE) == set()
    assert env.NAMES_READ - env.NAMES_READ_ELSEWHERE - named == set()


def test_every_variable_of_the_tests_and_of_make_is_read_or_begins_as_theirs() -> None:
    named = set(re.findall(r"\b(REGISTRY_\w+)=", (ROOT / "Makefile").read_text("utf-8")))
    for script in [*ROOT.glob("tests/**/*.py"), *ROOT.glob("tools/**/*.py")]:
        named |= set(
            re.findall(r'environ(?:\.get\(|\[)"(REGISTRY_\w+)"', script.read_text("utf-8"))
        )

    load_settings()

    own = {each for each in named if each.startswith(env.TEST_PREFIX)}
    assert named - own - (env.NAMES_READ | env.NAMES_READ_ELSEWHERE) == set()
    assert not any(each.startswith(env.TEST_PREFIX) for each in env.NAMES_READ)


def test_domain_of_passkeys_can_be_another_than_that_of_the_site() -> None:
    named = load_settings(REGISTRY_RELYING_PARTY="passkeys.example")

    assert load_settings()["REGISTRY_RELYING_PARTY"] == "urn.example"
    assert named["REGISTRY_RELYING_PARTY"] == "passkeys.example"


COOKIES: Final = """\
from registry import settings
from registry.http.message_storage import NamedCookieStorage
print(settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.BROWSER_COOKIE_NAME)
print(settings.THEME_COOKIE_NAME, NamedCookieStorage.cookie_name)
print(settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE)
print(len(settings.SECRET_KEY_FALLBACKS), len(settings.REGISTRY_DATA_KEYS))
print(settings.REGISTRY_RELYING_PARTY)
"""


@pytest.mark.whole
def test_cookies_of_production_are_bound_to_the_host_and_old_keys_are_read(tmp_path: Path) -> None:
    ran = run(tmp_path, "-c", COOKIES, REGISTRY_SECRET_KEY_FALLBACKS="one-before, another-before")

    assert ran.stdout.splitlines() == [
        "__Host-session __Host-csrf __Secure-browser",
        "__Host-theme __Host-messages",
        "True True",
        "2 3",
        "urn.example",
    ]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"REGISTRY_EMAIL_URL": "smtp://a:b@mail.example"}, "in plain. Use smtp+tls://"),
        (
            {"REGISTRY_DATABASE_URL": "postgres://a:b@db.example/r?sslmode=prefer"},
            "with sslmode=prefer. Use verify-full",
        ),
        (
            {"REGISTRY_DATABASE_URL": "postgres://a:b@db.example/r?sslmode=require"},
            "with sslmode=require. Use verify-full",
        ),
    ],
)
def test_mail_and_database_elsewhere_are_asked_over_tls(
    tmp_path: Path, variables: dict[str, str], said: str
) -> None:
    ran = run(tmp_path, "-c", COOKIES, **variables)

    assert said in ran.stderr
    assert ran.returncode != 0


SSL_MODE: Final = """\
from registry import settings
print(settings.DATABASE["OPTIONS"].get("sslmode"))
"""


@pytest.mark.whole
@pytest.mark.parametrize(
    ("variables", "mode"),
    [
        ({"REGISTRY_DATABASE_URL": "postgres://a:b@db.example/r"}, "verify-full"),
        ({"REGISTRY_DATABASE_URL": "postgres://a:b@127.0.0.1/r"}, "None"),
        ({"REGISTRY_DATABASE_URL": "postgres://a:b@%2Frun%2Fpostgresql/r"}, "None"),
        (
            {
                "REGISTRY_DATABASE_URL": "postgres://a:b@db/r",
                "REGISTRY_EMAIL_URL": "smtp://a:b@mail",
                "REGISTRY_PLAIN_HOSTS": "db, mail",
            },
            "None",
        ),
    ],
)
def test_database_elsewhere_shows_its_certificate_unless_its_network_is_ones_own(
    tmp_path: Path, variables: dict[str, str], mode: str
) -> None:
    ran = run(tmp_path, "-c", SSL_MODE, **variables)

    assert (ran.stdout.strip(), ran.stderr) == (mode, "")
