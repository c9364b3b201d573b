"""The log reports what is wrong with the site, and little of what clients do wrong."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import Settings

from registry.key_paths import KEY_PATHS, mask_keys
from registry.models import Letter
from registry.notifications.error_reports import ErrorReportHandler

pytestmark = pytest.mark.django_db
ROOT: Final = Path(__file__).resolve().parents[2]


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What a server prints to the console."""
    [console] = [each for each in logging.getLogger().handlers if each.filters]
    assert isinstance(console, logging.StreamHandler)
    written = io.StringIO()
    before = console.setStream(written)
    yield written
    console.setStream(before)


@pytest.mark.parametrize(
    ("address", "host", "said"),
    [
        ("/theme/", "elsewhere.example", "Invalid HTTP_HOST header"),
        ("/theme/", "testserver", "Unable to parse request body"),
        ("/nowhere/", "testserver", "Not Found"),
    ],
    ids=["host", "body", "address"],
)
def test_refused_request_is_logged_in_one_line_as_a_warning(
    client: Client, log: io.StringIO, address: str, host: str, said: str
) -> None:
    kind = "multipart/form-data; boundary="

    response = client.generic("POST", address, b"x", content_type=kind, headers={"host": host})

    assert 400 <= response.status_code < 500
    [line] = log.getvalue().splitlines()
    assert line.startswith("WARNING django.")
    assert said in line


def test_fault_of_ours_is_an_error_with_the_way_to_it(
    log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.web.home.views.selectors", None)

    response = Client(raise_request_exception=False).get("/")

    assert response.status_code == 500
    assert "ERROR django.request: Internal Server Error: /" in log.getvalue()
    assert "Traceback" in log.getvalue()


KEY: Final = "Kq7:sealed-w0rd"
OPEN_PARAMETERS: Final = frozenset(
    "a act b delivery dated delegate first format form identifier kind name nid number other path "
    "pk prefix provider_id reference second section uidb36 verb".split()
)
"""Parameters of addresses that never are keys of letters."""
OPEN_PATHS: Final = frozenset(
    {
        "account/tokens/<key>/revoke/",
        "api/v1/account/tokens/<key>/",
        "api/v1/query-keywords/<word>/",
        "api/v1/service-designators/<word>/",
        "registries/<name>/<key>/change/",
        "requests/<reference>/comment/<key>/back/",
        "requests/<reference>/note/<key>/again/",
        "review/away/<key>/back/",
        "review/conflicts/<key>/end/",
    }
)
"""Addresses that name a row, which only those who may will find there."""


def list_paths(patterns: Iterable[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    """Yield all addresses, their parameters as `<name>`."""
    for each in patterns:
        path = prefix + str(each.pattern).removeprefix("^").removesuffix("$")
        if isinstance(each, URLResolver):
            yield from list_paths(each.url_patterns, path)
        else:
            named = re.sub(r"\(\?P<(\w+)>(?:\[[^]]*\]|\([^)]*\)|[^()])*\)", r"<\1>", path)
            yield re.sub(r"<\w+:(\w+)>", r"<\1>", named)


def list_key_paths() -> list[tuple[str, str]]:
    """Return each address that takes a key: as described, and with a key in it."""
    key_paths = []
    for path in list_paths(get_resolver().url_patterns):
        names = re.findall(r"<(\w+)>", path)
        if path.startswith("admin/") or path in OPEN_PATHS or OPEN_PARAMETERS.issuperset(names):
            continue
        filled = re.sub(
            r"<(\w+)>", lambda found: "isbn" if found[1] in OPEN_PARAMETERS else KEY, path
        )
        key_paths.append((path, f"/{filled}"))
    return key_paths


def test_mask_keys_knows_every_address_that_takes_one() -> None:
    key_paths = list_key_paths()
    expected = {"accounts/password/reset/key/<uidb36>-<key>/", "account/invitations/<key>/"}

    assert expected <= {path for path, _filled in key_paths}
    assert [path for path, filled in key_paths if KEY in mask_keys(filled)] == []


def test_mask_keys_leaves_all_other_addresses_as_they_are() -> None:
    key_paths = {path for path, _filled in list_key_paths()}
    others = [
        f"/{path}" for path in list_paths(get_resolver().url_patterns) if path not in key_paths
    ]

    assert len(others) > 200
    assert [path for path in others if mask_keys(path) != path] == []


def test_nginx_masks_the_same_addresses() -> None:
    text = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")

    assert f"location ~ {KEY_PATHS.pattern.replace('?P<', '?<')} {{" in text


def test_log_names_no_key_of_a_letter(client: Client, log: io.StringIO) -> None:
    key_paths = list_key_paths()

    for _path, filled in key_paths:
        client.get(f"{filled}of/nothing/")

    assert log.getvalue().count("Not Found: ") == log.getvalue().count("[key]") > 10
    assert KEY not in log.getvalue()


def test_log_names_no_key_where_a_fault_is_reported(
    log: io.StringIO, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.REGISTRY_ERROR_MAIL = ["operator@registry.example"]
    cache.clear()
    reports = ErrorReportHandler()
    logging.getLogger().addHandler(reports)
    monkeypatch.setattr("registry.web.officers.views.OfficerChange", None)

    Client(raise_request_exception=False).get(f"/officers/stop/{KEY}/")
    logging.getLogger().removeHandler(reports)

    letter = Letter.objects.get()
    assert "Internal Server Error: /officers/stop/[key]" in log.getvalue()
    assert "/officers/stop/[key]" in letter.subject
    assert KEY not in log.getvalue() + letter.subject + letter.text
