"""The static edition: the public registry as files that any web server can serve.

It has the pages of the sitemap in all their formats, the files of `/exports/`, the log, style and
script. What else a page links to leads to the registry's own site.
"""

from __future__ import annotations

import html
import math
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

from django.conf import settings
from django.test import Client
from django.urls import reverse

from registry import selectors
from registry.errors import RegistryError
from registry.exchange.exports import (
    find_current_builds,
    find_dated_name,
    list_dated_builds,
    read_export_chunks,
    refresh_exports,
)
from registry.journal.log_worker import KEY_PATH
from registry.models import BuiltExport, Namespace
from registry.selectors.public_pages import SITEMAP_PAGE_SIZE, list_public_pages
from registry.transparency.file_notes import get_note_path
from registry.transparency.tiles import CHECKPOINT_PATH

ALTERNATE: Final = re.compile(r'<([^>]+)>; rel="alternate"')
POST_FORM: Final = re.compile(r'<form\b[^>]*\smethod="post".*?</form>', re.DOTALL)
FORM: Final = re.compile(r"<form\b((?:(?!\saction=)[^>])*)>")
ADDRESS: Final = re.compile(r'(\s(?:href|src|action|data-search)=")([^"#][^"]*)"')
HTMX_REQUEST: Final = re.compile(r'\sdata-hx-(?:get|post)="[^"]*"')
NOT_FOUND_PATH: Final = "/404.html"
FOLDER_MODE: Final = 0o755
MAX_ATTEMPTS: Final = 5
"""How often to start again if the registry changes meanwhile."""


class PublishingRefused(RegistryError):
    """An edition cannot be published; the message says why."""


@dataclass(frozen=True, slots=True)
class PublishedSite:
    """How many files an edition has, and their size in octets."""

    files: int
    octets: int


def publish_site(directory: Path) -> PublishedSite:
    """Write the public registry into `directory`, all of it or nothing.

    `directory` is a link to a folder next to it, and is switched in one step: readers find the old
    edition or the new one, complete. Raises `PublishingRefused`.
    """
    if directory.exists() and not directory.is_symlink() and any(directory.iterdir()):
        raise PublishingRefused(
            f"{directory} is there already, and is no edition. Name another folder."
        )
    if not Path(settings.STATIC_ROOT).is_dir():
        raise PublishingRefused(f"{settings.STATIC_ROOT} is not there. Run collectstatic first.")
    directory.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix=f".{directory.name}.", dir=directory.parent))
    try:
        write_edition(folder)
        switch_link(directory, folder)
    except BaseException:
        shutil.rmtree(folder)
        raise
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return PublishedSite(len(sizes), sum(sizes))


def switch_link(directory: Path, folder: Path) -> None:
    """Make `directory` a link to `folder`, and remove the folders of other editions."""
    link = folder.with_name(f"{folder.name}.link")
    link.symlink_to(folder.name)
    if directory.is_dir() and not directory.is_symlink():
        directory.rmdir()
    link.replace(directory)
    for other in directory.parent.glob(f".{directory.name}.*"):
        if other != folder:
            shutil.rmtree(other)


def write_edition(folder: Path) -> None:
    """Write all files, of one state of the registry; raise `PublishingRefused` if it changes."""
    for _attempt in range(MAX_ATTEMPTS):
        version = selectors.find_registry_version()
        shutil.rmtree(folder)
        folder.mkdir(FOLDER_MODE)
        refresh_exports(at_once=True)
        copy_log(folder / "log")
        shutil.copytree(settings.STATIC_ROOT, folder / settings.STATIC_URL.strip("/"))
        write_exports(folder / "exports")
        for path in write_pages(folder):
            file = find_file(folder, path)
            file.write_text(adapt_page(file.read_text("utf-8"), path, folder), "utf-8")
        if selectors.find_registry_version() == version:
            return
    raise PublishingRefused(
        "The registry changed again and again meanwhile. Try it at a quieter time."
    )


def copy_log(folder: Path) -> None:
    """Copy the log: its head first, so that everything that it covers is there."""
    source: Path = settings.REGISTRY_LOG_DIR
    folder.mkdir()
    for name in (CHECKPOINT_PATH, KEY_PATH):
        if (source / name).is_file():
            shutil.copyfile(source / name, folder / name)
    if (source / "tile").is_dir():
        shutil.copytree(source / "tile", folder / "tile")


def write_exports(folder: Path) -> None:
    """Write the files of `/exports/`, and the dumps of earlier days, each with its note."""
    for name, built in find_current_builds().items():
        write_export(folder / name, built)
    for built in list_dated_builds():
        write_export(folder / find_dated_name(built) / built.name, built)


def write_export(path: Path, built: BuiltExport) -> None:
    """Write a built file, and the note about it if there is one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.writelines(read_export_chunks(built))
    if built.note:
        get_note_path(path).write_text(built.note, "utf-8")


def write_pages(folder: Path) -> list[str]:
    """Write the public pages and their other formats; return the paths of those in HTML.

    Raises `PublishingRefused` if one of them is not there.
    """
    site = urlsplit(settings.SITE)
    client = Client(raise_request_exception=False, headers={"host": site.netloc})
    pages, waiting = [], [*list_paths()]
    for path in waiting:
        client.cookies.clear()
        response = client.get(path, secure=site.scheme == "https")
        if response.status_code != (404 if path == NOT_FOUND_PATH else 200):
            raise PublishingRefused(f"{path} is not there: {response.status_code}.")
        file = find_file(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(response.getvalue())
        if response["Content-Type"].startswith("text/html"):
            pages.append(path)
            waiting.extend(ALTERNATE.findall(response.get("Link", "")))
    return pages


def list_paths() -> Iterator[str]:
    """Yield the paths of public pages, and of what only programs read."""
    pages = list_public_pages()
    yield from ("/robots.txt", "/sitemap.xml", NOT_FOUND_PATH)
    if len(pages) > SITEMAP_PAGE_SIZE:
        for number in range(1, math.ceil(len(pages) / SITEMAP_PAGE_SIZE) + 1):
            yield reverse("robots:sitemap_page", args=[number])
    yield from (page.path for page in pages)
    # Where IANA's layout has the templates.
    published = Namespace.objects.filter(registrations__isnull=False).distinct().order_by("nid")
    for kind, nid in published.values_list("kind", "nid"):
        yield reverse("exports:template", args=[kind, nid])


def find_file(folder: Path, path: str) -> Path:
    """Return the file of a path in an edition: `/about/` is `about/index.html`."""
    name = unquote(path).removeprefix("/")
    return folder / (f"{name}index.html" if name.endswith("/") or not name else name)


def adapt_page(page: str, path: str, folder: Path) -> str:
    """Return a page in which every address is that of a file here or the registry's own site.

    Forms that are sent are left out; those that search do so on the registry's site.
    """

    def resolve(match: re.Match[str]) -> str:
        attribute, written = match[1], html.unescape(match[2])
        address = urljoin(path, written)
        if not address.startswith("/") or address.startswith("//"):
            return match[0]
        plain = address.partition("#")[0]
        if "action=" not in attribute and "?" not in plain and find_file(folder, plain).is_file():
            return match[0]
        return f'{attribute}{html.escape(settings.SITE + address)}"'

    page = HTMX_REQUEST.sub("", POST_FORM.sub("", page))
    page = FORM.sub(lambda form: f'<form{form[1]} action="{html.escape(path)}">', page)
    return ADDRESS.sub(resolve, page)
