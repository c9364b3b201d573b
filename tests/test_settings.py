"""What production says of itself, by the settings that the environment asks for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
PRODUCTION: Final = {
    "REGISTRY_MODE": "production",
    "REGISTRY_SECRET_KEY": "tests-settings-only-0123456789-abcdefghijklmnopqrstuvwxyz",
    "REGISTRY_HOSTS": "urn.example",
    "REGISTRY_SITE": "https://urn.example",
    "REGISTRY_EMAIL_URL": "smtp+tls://registry:secret@mail.example:587",
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


def run(home: Path, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in production mode, with these variables of the environment too."""
    # Tests in a browser allow themselves what Django's checks forbid in production.
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


def test_a_wrong_word_is_refused_by_the_name_of_its_variable(tmp_path: Path) -> None:
    ran = run(tmp_path, "-c", ASK, REGISTRY_HSTS_PRELOAD="perhaps")

    assert "REGISTRY_HSTS_PRELOAD is 'perhaps'; it can be no, yes." in ran.stderr


def test_the_settings_of_production_pass_the_checks_for_it(tmp_path: Path) -> None:
    ran = run(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "WARNING")

    assert (ran.returncode, ran.stderr) == (0, "")
