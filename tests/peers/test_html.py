"""The Nu HTML checker finds no error on any page that has an address."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from django.template.loader import render_to_string
from django.test import Client
from pytest_django import Settings

from registry.models import User
from tests.browser import scene
from tests.browser.places import PLACES
from tests.peers.node import PAGES, install_peers, run_command
from tests.programs import program

pytestmark = pytest.mark.django_db(transaction=True)

# What the checker reports and we do not follow, each with the reason.
NOT_OURS: Final = {
    "Forbidden code point U+0007.": "What was typed is given back, a control character too.",
}
# An invalid page, with which the checker shows that it reads its input.
WRONG: Final = "<!doctype html><html lang=en><title>Wrong</title><p><span><p>x</p></span>"
FEWEST: Final = 60


def test_nu_checker_finds_no_error(
    tmp_path: Path, settings: Settings, sign_in: Callable[[User], Client]
) -> None:
    settings.DEMONSTRATION = True
    settings.EMAIL_BACKEND = "registry.demonstration.mailbox.DemonstrationMailBackend"
    pages = keep_pages(tmp_path, sign_in) | keep_standing_pages(tmp_path)
    wrong = tmp_path / "wrong.html"
    wrong.write_text(WRONG, encoding="utf-8")

    found = check_html(pages | {wrong: "wrong"})

    assert [each for each in found if each[0] != "wrong"] == []
    assert [each for each in found if each[0] == "wrong"]
    assert len(pages) >= FEWEST


def keep_pages(folder: Path, sign_in: Callable[[User], Client]) -> dict[Path, str]:
    """Write each read-only page to a file; return which page is in which."""
    built = scene.build(scene.cast())
    clients: dict[str, Client] = {"": Client()}
    kept: dict[Path, str] = {}
    for place in PLACES:
        if place.act:
            continue
        if place.person not in clients:
            clients[place.person] = sign_in(built.people[place.person])
        answer = clients[place.person].get(built.address(place.address), follow=True)
        assert answer.status_code == place.status, place
        if not answer.headers["Content-Type"].startswith("text/html"):
            continue  # A list of addresses in plain text, where no browser requests a page.
        file = folder / f"{len(kept):03}.html"
        file.write_bytes(answer.content)
        kept[file] = str(place)
    return kept


def keep_standing_pages(folder: Path) -> dict[Path, str]:
    """Write the static error pages."""
    kept: dict[Path, str] = {}
    for template in ("500.html", "503.html"):
        file = folder / template
        text = render_to_string(template, {"number": "0a1b2c3d", "until": "15:00 UTC"})
        file.write_text(text, encoding="utf-8")
        kept[file] = template
    return kept


def check_html(pages: dict[Path, str]) -> list[tuple[str, str, str]]:
    """Return the errors that the checker finds: page, error, and the text around it."""
    java = program("java")
    jar = install_peers(PAGES) / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"
    settled = ("--format", "json", "--stdout", "--exit-zero-always")
    files = sorted(pages)

    said = run_command(Path(java), "-jar", jar, *settled, *files, folder=files[0].parent)

    assert said.returncode == 0, said.stderr
    messages: list[dict[str, Any]] = json.loads(said.stdout)["messages"]
    names = {file.as_uri(): page for file, page in pages.items()}
    return [
        (
            names.get(re.sub("^file:/+", "file:///", each.get("url", "")), each.get("url", "")),
            each["message"],
            each.get("extract", ""),
        )
        for each in messages
        if each["type"] != "info" and each["message"] not in NOT_OURS
    ]
