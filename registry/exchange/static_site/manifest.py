"""The files of a static site with their headers, and the configuration of servers for them."""

from __future__ import annotations

import hashlib
import json
import mimetypes
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from registry import selectors
from registry.exchange.static_site.crawler import Crawl, CrawledResponse

INDEX_NAMES: Final = {"text/html": "index.html", "application/json": "index.json"}


def find_file_path(answered: CrawledResponse) -> str:
    """Return the path of the file with the response, from the top of the edition.

    `/namespaces/nbn/` is `namespaces/nbn/index.html`, and `/namespaces/nbn.json` stays the same. A
    later page of a list, `/namespaces/?page=2`, is `namespaces/_page=2.html`.
    """
    path, _mark, query = unquote(answered.path).removeprefix("/").partition("?")
    if path and not path.endswith("/"):
        return f"{path}_{query}" if query else path
    media_type = answered.media_type
    name = INDEX_NAMES.get(media_type, f"index{mimetypes.guess_extension(media_type) or ''}")
    return path + (f"_{query}{Path(name).suffix}" if query else name)


def find_path_conflicts(places: set[str]) -> list[str]:
    """Return the files that would have to be folders too."""
    folders = {place.rpartition("/")[0] for place in places}
    above = {"/".join(folder.split("/")[:n]) for folder in folders for n in range(1, 20)}
    return sorted(places & (folders | above))


MANIFEST_NAME: Final = "manifest.json"


@dataclass(frozen=True)
class Manifest:
    """The description of an edition; the same registry gives the same, octet by octet."""

    site: str
    version: int
    files: dict[str, dict[str, Any]]
    moved: dict[str, tuple[int, str]]
    needing: list[str]

    @classmethod
    def of(cls, found: Crawl, site: str) -> Manifest:
        """Return the description of what was found."""
        files = {path: describe_file(found.files[path]) for path in sorted(found.files)}
        moved = dict(sorted(found.moved.items()))
        return cls(site, selectors.find_registry_version(), files, moved, sorted(found.needing))

    @property
    def written(self) -> bytes:
        """The manifest as a file."""
        said = {
            "site": self.site,
            "registry_version": self.version,
            "files": self.files,
            "moved": self.moved,
            "need_the_application": self.needing,
        }
        return f"{json.dumps(said, ensure_ascii=False, indent=1)}\n".encode()


def describe_file(answered: CrawledResponse) -> dict[str, Any]:
    """Return the description of one file."""
    return {
        "file": find_file_path(answered),
        "status": answered.status,
        "sha256": hashlib.sha256(answered.octets).hexdigest(),
        "bytes": len(answered.octets),
        "headers": answered.served_with,
    }


def read_file_digests(edition: Path) -> dict[str, str]:
    """Return the digests of the files of an existing edition; none for another format."""
    try:
        said = json.loads((edition / MANIFEST_NAME).read_bytes())
        return {each["file"]: each["sha256"] for each in said["files"].values()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def write_headers_file(manifest: Manifest) -> str:
    """Return `_headers`: an address, followed by its headers."""
    lines = []
    for path, about in manifest.files.items():
        if "?" in path:  # CDNs look at paths only.
            continue
        lines.append(path)
        lines += [f"  {name}: {text}" for name, text in about["headers"].items()]
    return "\n".join([*lines, ""])


def write_redirects_file(manifest: Manifest) -> str:
    """Return `_redirects`: an address, its target, and the status."""
    lines = [f"{path} {target} {status}" for path, (status, target) in manifest.moved.items()]
    return "\n".join([*lines, ""])


NGINX_HTTP_CONFIG: Final = """\
# The static edition, at the level of http; nginx-server.conf beside it belongs in a server block.
map_hash_bucket_size 1024;
map_hash_max_size 65536;
# Only addresses of files have their query looked at; others are what they are without it.
map $request_uri $edition_bare { default ""; "~^(?<edition_asked>[^?]*)" $edition_asked; }
"""
NGINX_SERVER_CONFIG: Final = """\
# The static edition, in a server block that names the folder as its root.
index index.html index.json;
error_page 404 /404.html;
location = /404.html { internal; }
gzip_static on;
absolute_redirect off;
if ($edition_page) { rewrite ^ $edition_page last; }
"""


def write_nginx_http_file(manifest: Manifest) -> str:
    """Return `nginx.conf`: the headers of each address."""
    lines = [NGINX_HTTP_CONFIG, *write_query_maps(manifest)]
    for name, texts in group_by_header(manifest).items():
        lines += write_nginx_map(name_nginx_variable(name), texts)
    for status, targets in group_redirects_by_status(manifest).items():
        lines += write_exact_nginx_map(f"edition_moved_{status}", targets)
    return "\n".join([*lines, ""])


def write_nginx_server_file(manifest: Manifest) -> str:
    """Return `nginx-server.conf`: how files are served, with which media types."""
    lines = [NGINX_SERVER_CONFIG]
    lines += [
        f"add_header {name} ${name_nginx_variable(name)} always;"
        for name in group_by_header(manifest)
    ]
    for status in group_redirects_by_status(manifest):
        moved = f"$edition_moved_{status}"
        lines.append(f"if ({moved}) {{ return {status} {moved}; }}")
    types = find_usual_types(manifest)
    lines += [
        "types {",
        *(f"  {quote_for_nginx(text)} {end};" for end, text in types.items() if end),
        "}",
    ]
    lines.append(f"default_type {quote_for_nginx(types.get('', 'application/octet-stream'))};")
    lines += write_unusual_types(manifest, types)
    return "\n".join([*lines, ""])


def write_query_maps(manifest: Manifest) -> Iterator[str]:
    """Yield maps from addresses with a query to their files, and from all to what they are."""
    further = {path: about["file"] for path, about in manifest.files.items() if "?" in path}
    yield 'map $request_uri $edition_page {\n  default "";'
    yield from (
        f"  {quote_for_nginx(path)} {quote_for_nginx(f'/{file}')};"
        for path, file in further.items()
    )
    yield '}\nmap $edition_page $edition_path {\n  default $request_uri;\n  "" $edition_bare;\n}'


def group_by_header(manifest: Manifest) -> dict[str, dict[str, str]]:
    """Return the values of each header but the media type, by address."""
    names = {name for about in manifest.files.values() for name in about["headers"]}
    return {
        name: {path: about["headers"].get(name, "") for path, about in manifest.files.items()}
        for name in sorted(names - {"Content-Type"})
    }


def group_redirects_by_status(manifest: Manifest) -> dict[int, dict[str, str]]:
    """Return redirects by their status."""
    found: dict[int, dict[str, str]] = {}
    for path, (status, target) in manifest.moved.items():
        found.setdefault(status, {})[path] = target
    return dict(sorted(found.items()))


def find_usual_types(manifest: Manifest) -> dict[str, str]:
    """Return the usual media type of each extension."""
    counted: dict[str, Counter[str]] = {}
    for about in manifest.files.values():
        types = counted.setdefault(get_file_suffix(about["file"]), Counter())
        types[about["headers"]["Content-Type"]] += 1
    return {end: types.most_common(1)[0][0] for end, types in sorted(counted.items())}


def write_unusual_types(manifest: Manifest, types: Mapping[str, str]) -> Iterator[str]:
    """Yield a location for each file whose type is unusual for its extension."""
    for path, about in manifest.files.items():
        text = about["headers"]["Content-Type"]
        if text != types[get_file_suffix(about["file"])]:
            yield f"location = {path} {{ types {{ }} default_type {quote_for_nginx(text)}; }}"


def get_file_suffix(file: str) -> str:
    """Return what nginx takes for the file extension, empty if there is none."""
    name = file.rpartition("/")[2]
    return name.rpartition(".")[2] if "." in name else ""


def write_nginx_map(name: str, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield a map from addresses to texts, with the most common text as its default."""
    usual = Counter(texts.values()).most_common(1)[0][0] if all(texts.values()) else ""
    yield f"map $edition_path ${name} {{"
    yield f"  default {quote_for_nginx(usual)};"
    yield from (
        f"  {quote_for_nginx(path)} {quote_for_nginx(text)};"
        for path, text in texts.items()
        if text != usual
    )
    yield "}"


def write_exact_nginx_map(name: str, targets: Mapping[str, str]) -> Iterator[str]:
    """Yield a map with case-sensitive addresses: nginx otherwise ignores case."""
    yield f"map $edition_path ${name} {{"
    yield '  default "";'
    for path, target in targets.items():
        yield f"  {quote_for_nginx(f'~^{re.escape(path)}$')} {quote_for_nginx(target)};"
    yield "}"


def name_nginx_variable(header: str) -> str:
    """Return nginx's name for a header's variable."""
    return f"edition_{header.lower().replace('-', '_')}"


def quote_for_nginx(text: str) -> str:
    """Return a text quoted for nginx."""
    return json.dumps(text, ensure_ascii=False)
