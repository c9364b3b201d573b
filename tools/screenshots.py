"""Take pictures of the twelve main pages: `python -m tools.screenshots FOLDER`.

This tree's demonstration is created in a folder of its own, with a frozen clock, served on this
machine, and opened in the browser that tools/browser.py finds; so a picture only changes with its
page. The files are WebP, one per page in `PAGES`, the size of a window.

`--width`, `--height` and `--theme` set the window, `--whole` captures a page down to its foot,
`--format png` is for programs that cannot read WebP. `--data FOLDER` keeps the demonstration there,
and reuses it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final

from tools.browser import find_browser
from tools.snapshot import KEY, MADE_AT, STRANGER, WALKED_AT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

QUALITY: Final = 75
"""WebP quality: text stays sharp, and no picture exceeds 120 KB."""


@dataclass(frozen=True)
class Shot:
    """A page, and its reader: a stranger, or one of the cast by the name before the @."""

    address: str
    person: str = STRANGER


PAGES: Final[Mapping[str, Shot]] = {
    "home": Shot("/"),
    "namespaces": Shot("/namespaces/"),
    "namespace": Shot("/namespaces/isbn/"),
    "inspect": Shot("/inspect/?urn=urn:isbn:0-395-36341-2"),
    "find": Shot("/find/?q=books"),
    "requests": Shot("/requests/"),
    "request": Shot("/requests/r-2026-0006/"),
    "editor": Shot("/requests/r-2026-0011/edit/syntax/", "registrant"),
    "queue": Shot("/review/", "lead"),
    "review": Shot("/review/r-2026-0006/", "expert"),
    "publish": Shot("/publish/r-2026-0007/", "registrar"),
    "guide": Shot("/guide/"),
}


@dataclass(frozen=True)
class Window:
    """The window to capture, and the file format."""

    width: int = 1280
    height: int = 800
    theme: str = "light"
    format: str = "webp"
    is_whole: bool = False


def start_django(data: Path) -> None:
    """Set up Django for a demonstration in `data`, whatever the environment says."""
    for name in [name for name in os.environ if name.startswith("REGISTRY_")]:
        if name != "REGISTRY_TEST_BROWSER":
            del os.environ[name]
    os.environ |= {
        "DJANGO_ALLOW_ASYNC_UNSAFE": "true",  # Playwright's loop never awaits the database.
        "DJANGO_SETTINGS_MODULE": "registry.settings",
        "REGISTRY_DATA_DIR": str(data),
        "TZ": "UTC",
    }
    data.mkdir(parents=True, exist_ok=True)
    key = data / "secret-key"
    if not key.exists():
        key.write_text(KEY, encoding="ascii")

    import django

    django.setup()


def make_demonstration() -> None:
    """Create the demonstration on its own date, as `make run` does."""
    import time_machine
    from django.core.management import call_command

    with time_machine.travel(MADE_AT, tick=False):
        call_command("demonstration", port="8000", stdout=sys.stderr)


@contextmanager
def serve() -> Iterator[str]:
    """Serve the registry to this machine only, at a free port; yield its address."""
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

    class QuietHandler(WSGIRequestHandler):
        def log_message(self, *arguments: object) -> None:
            """Log nothing."""

    server = ThreadedWSGIServer(("127.0.0.1", 0), QuietHandler)
    server.set_app(import_module("registry.wsgi").application)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def sign_in_cast() -> dict[str, str]:
    """Sign in each person of `PAGES`; return their session keys."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    from tools.sign_in import sign_in

    keys = {}
    for person in sorted({shot.person for shot in PAGES.values()} - {STRANGER}):
        client = Client(headers={"host": "127.0.0.1"})
        sign_in(client, get_user_model()._default_manager.get(email=f"{person}@people.example"))
        keys[person] = client.cookies["sessionid"].value
    return keys


def take(folder: Path, window: Window, data: Path) -> None:
    import time_machine
    from playwright.sync_api import sync_playwright

    start_django(data)
    make_demonstration()
    folder.mkdir(parents=True, exist_ok=True)
    with time_machine.travel(WALKED_AT, tick=False):
        keys = sign_in_cast()
        with serve() as site, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"]
            )
            for name, shot in PAGES.items():
                picture = look_at(browser, site, shot, keys.get(shot.person, ""), window)
                (folder / f"{name}.{window.format}").write_bytes(picture)
                print(f"{name}: {len(picture) / 1024:.0f} KB", file=sys.stderr)
            browser.close()


def look_at(browser: Browser, site: str, shot: Shot, session: str, window: Window) -> bytes:
    """Return the picture of one page; raise if the page cannot be opened."""
    context = browser.new_context(
        base_url=site,
        viewport={"width": window.width, "height": window.height},
        color_scheme="dark" if window.theme == "dark" else "light",
        reduced_motion="reduce",
    )
    context.set_default_timeout(120_000)
    if session:
        context.add_cookies([{"name": "sessionid", "value": session, "url": site}])
    page = context.new_page()
    answer = page.goto(shot.address)
    if answer is None or not answer.ok or "sign-in" in page.url:
        raise SystemExit(f"{shot.address} is not to be had by {shot.person}: {page.url}")
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    picture = photograph(page, window)
    context.close()
    return picture


def photograph(page: Page, window: Window) -> bytes:
    """Return the picture of an open page."""
    if window.format == "png":
        return page.screenshot(full_page=window.is_whole)
    # Playwright writes no WebP, but the browser does.
    asked: dict[str, object] = {"format": window.format, "quality": QUALITY}
    if window.is_whole:
        height = page.evaluate("document.documentElement.scrollHeight")
        clip = {"x": 0, "y": 0, "width": window.width, "height": height, "scale": 1}
        asked |= {"captureBeyondViewport": True, "clip": clip}
    answer = page.context.new_cdp_session(page).send("Page.captureScreenshot", asked)
    return b64decode(answer["data"])


def main(arguments: Sequence[str]) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.screenshots", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path)
    parser.add_argument("--width", type=int, default=Window.width)
    parser.add_argument("--height", type=int, default=Window.height)
    parser.add_argument("--theme", choices=["light", "dark"], default=Window.theme)
    parser.add_argument("--format", choices=["webp", "png"], default=Window.format)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--data", type=Path)
    asked = parser.parse_args(arguments)
    window = Window(asked.width, asked.height, asked.theme, asked.format, asked.whole)
    with tempfile.TemporaryDirectory(prefix="screenshots-") as own:
        take(asked.folder, window, (asked.data or Path(own)).absolute())


if __name__ == "__main__":
    main(sys.argv[1:])
