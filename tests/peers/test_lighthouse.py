"""Lighthouse gives ten of the main pages full marks for what it checks.

These are accessibility, best practices and search engine optimisation, on a desktop.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest
from django.core.management import call_command
from pytest_django import Settings

from tests.browser import scene
from tests.live.servers import build_exports, gunicorn
from tests.peers.node import PAGES, install_peers, run_node
from tests.programs import lack
from tools.browser import find_browser

pytestmark = pytest.mark.django_db(transaction=True)

# The pages, and what is not checked on them.
MAIN_PAGES: Final[dict[str, tuple[str, ...]]] = {
    "/": (),
    "/namespaces/": (),
    "/namespaces/isbn/": (),
    "/inspect/?urn=urn:isbn:0451450523": (),
    "/requests/": (),
    "/requests/{second-round}/": (),
    "/guide/how-it-works/": (),
    "/api/": (),
    "/about/": (),
    # Search results should not be found by search engines: they say noindex.
    "/find/?q=library": ("is-crawlable",),
}
PERFECT: Final = {"scores": [100, 100, 100], "error": "", "lost": {}}


@pytest.fixture
def browser() -> str:
    return find_browser() or lack("chromium")


def test_lighthouse_has_nothing_to_wish_for(
    browser: str, tmp_path: Path, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "registry.demonstration.mailbox.DemonstrationMailBackend"
    built = scene.build(scene.cast())
    call_command("rebuild_search", verbosity=0)
    program = Path(__file__).with_name("lighthouse.mjs")

    with gunicorn(tmp_path) as site:
        build_exports(tmp_path, site)
        asked = {f"{site}{built.address(path)}": skip for path, skip in MAIN_PAGES.items()}
        # The browser keeps its own data in its home folder.
        arguments = (install_peers(PAGES), browser, json.dumps(asked))
        said = run_node(program, *arguments, folder=tmp_path)

    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout) == dict.fromkeys(asked, PERFECT)
