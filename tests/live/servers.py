"""The registry as it is served in production, and its visitors: gunicorn, forms, cookies."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from http.client import HTTPResponse
from http.cookiejar import Cookie, CookieJar
from pathlib import Path
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urljoin
from urllib.request import (
    HTTPCookieProcessor,
    HTTPErrorProcessor,
    ProxyHandler,
    Request,
    build_opener,
)

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client, override_settings
from lxml import html

from registry.models import User

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PATIENCE: Final = 60.0
STARTING: Final = 0.1
PAUSE: Final = 0.5
"""Seconds until somebody tries again who was told that others are writing."""


def database_url() -> str:
    """Return the address of this test's database, for another process."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    return f"postgresql://{database['USER']}@{quote(database['HOST'], safe='')}/{database['NAME']}"


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a process that works on this test's database."""
    (home / "secret-key").write_text(settings.SECRET_KEY, encoding="ascii")
    own = {"REGISTRY_DATABASE_URL": database_url(), "REGISTRY_DATA_DIR": str(home)}
    return os.environ | own


@cache
def collect_static_files() -> Path:
    """Collect the static files as in production, once for all servers; return their folder."""
    home = Path(tempfile.mkdtemp(prefix="registry-static-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    hashed = {"BACKEND": "registry.http.storage.HashedStaticFilesStorage"}
    with override_settings(STATIC_ROOT=home, STORAGES={**settings.STORAGES, "staticfiles": hashed}):
        call_command("collectstatic", interactive=False, verbosity=0)
    return home


@contextmanager
def gunicorn(home: Path, **variables: str) -> Iterator[str]:
    """Serve the registry with the project's own settings and data in `home`; yield its URL.

    The environment also has these `variables`, such as `REGISTRY_MODE`.
    """
    with socket.create_server(("127.0.0.1", 0)) as door:
        url = f"http://127.0.0.1:{door.getsockname()[1]}"
        surroundings = environment(home) | {"REGISTRY_SITE": url} | variables
        if not (home / "static").exists():
            (home / "static").symlink_to(collect_static_files())
        with (home / "log").open("wb") as log:
            server = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", f"--bind=fd://{door.fileno()}", "registry.wsgi"],
                cwd=ROOT,
                env=surroundings,
                stdout=log,
                stderr=log,
                pass_fds=[door.fileno()],
            )
            try:
                wait_for(url, server)
                yield url
            finally:
                server.send_signal(signal.SIGTERM)
                server.wait(PATIENCE)
                # Pytest shows it if a test fails.
                sys.stderr.write((home / "log").read_text("utf-8", "replace"))


def build_exports(home: Path, url: str) -> None:
    """Build the files of the registry for the server at `url`, as its worker would."""
    surroundings = environment(home) | {"REGISTRY_SITE": url}
    command = [sys.executable, "manage.py", "build_exports"]
    subprocess.run(command, cwd=ROOT, env=surroundings, check=True, timeout=PATIENCE)


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server responds."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up and server.poll() is None:
        try:
            # In production it would redirect to TLS, which the proxy provides.
            request = Request(f"{url}/about/", headers={"X-Forwarded-Proto": "https"})
            build_opener(ProxyHandler({})).open(request, timeout=PATIENCE).close()
        except (HTTPError, URLError, ConnectionError):
            time.sleep(STARTING)
        else:
            return
    raise RuntimeError("The server does not answer.")


class AnyAnswer(HTTPErrorProcessor):
    """A refusal is a response too; only redirects are followed."""

    def http_response(self, request: Request, response: HTTPResponse) -> HTTPResponse:
        """Return every response but a redirect as it is."""
        answer: HTTPResponse = response
        if 300 <= response.status < 400:
            answer = super().http_response(request, response)
        return answer


@dataclass(frozen=True, slots=True)
class Page:
    """What somebody has on the screen."""

    url: str
    status: int
    text: str

    @property
    def words(self) -> str:
        """The text of the page."""
        return " ".join(html.document_fromstring(self.text).text_content().split())

    def form_with(self, name: str) -> html.FormElement:
        """Return the form that has a field or a button of that name."""
        for form in html.document_fromstring(self.text, base_url=self.url).forms:
            if form.xpath(".//*[@name=$name]", name=name):
                return form
        raise AssertionError(f"No form with {name} at {self.url}: {self.words[:2000]}")


class Visitor:
    """One person with a browser of their own, signed in."""

    def __init__(self, site: str, person: User) -> None:
        self.site, cookies = site, CookieJar()
        cookies.set_cookie(session_of(person))
        self.opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(cookies), AnyAnswer())

    def ask(self, path: str, data: bytes | None = None) -> Page:
        """Return the response at `path`, or to posting `data` there."""
        with self.opener.open(urljoin(self.site, path), data, timeout=PATIENCE) as answer:
            return Page(answer.url, answer.status, answer.read().decode())

    def send(self, page: Page, field: str, **typed: str) -> Page:
        """Fill in the form of `page` that has `field`, and send it."""
        form = page.form_with(field)
        fields = [(name, value) for name, value in form.form_values() if name not in typed]
        data = urlencode([*fields, *typed.items()]).encode()
        return self.ask(urljoin(page.url, form.get("action") or page.url), data)


def session_of(person: User) -> Cookie:
    """Return the cookie of somebody who has signed in."""
    client = Client()
    client.force_login(person)
    return Cookie(
        version=0,
        name=settings.SESSION_COOKIE_NAME,
        value=client.cookies[settings.SESSION_COOKIE_NAME].value,
        port=None,
        port_specified=False,
        domain="127.0.0.1",
        domain_specified=False,
        domain_initial_dot=False,
        path="/",
        path_specified=True,
        secure=False,
        expires=None,
        discard=True,
        comment=None,
        comment_url=None,
        rest={},
    )
