"""nginx sends long files itself where the registry tells it to, with `deploy/nginx.conf`."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest

from registry.models import BuiltExport, Namespace
from tests.live.proxies import PROXY, nginx
from tests.live.servers import build_exports, gunicorn
from tests.live.test_production import INSIDE, PRODUCTION, Browser, Ports
from tests.programs import PATIENCE, free_port

pytestmark = pytest.mark.django_db(transaction=True)

DUMP: Final = "/exports/registry-dump.jsonl"
FROM_REGISTRY: Final = "Content-Security-Policy"
"""Only the registry sends this header."""
PASSED_ON: Final = (
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
    "Cache-Control",
    "Content-Location",
    "Content-Type",
    "Last-Modified",
    "Link",
    "Strict-Transport-Security",
    "Vary",
    "X-Content-Type-Options",
)


@pytest.fixture
def site(db: None, tmp_path: Path) -> Iterator[Ports]:
    """A registry whose dump is long, behind nginx, which may send its files."""
    Namespace.objects.bulk_create(
        Namespace(nid=f"big{n}", nid_as_registered=f"big{n}", kind="formal", notice="n" * 20_000)
        for n in range(100)
    )
    tls = free_port()
    with (
        gunicorn(tmp_path, **PRODUCTION, REGISTRY_ACCEL_REDIRECT="/built-exports/") as inside,
        nginx(tmp_path, PROXY, site=inside, tls=tls) as outside,
    ):
        build_exports(tmp_path, PRODUCTION["REGISTRY_SITE"])
        yield Ports(int(outside.rpartition(":")[2]), tls, inside)


def test_long_file_comes_from_nginx_whole_packed_in_part_or_not_again(
    site: Ports, tmp_path: Path
) -> None:
    reader = Browser(site.tls)
    built = BuiltExport.objects.get(name="registry-dump.jsonl")
    octets = (tmp_path / "exports" / built.path).read_bytes()
    packed = (tmp_path / "exports" / f"{built.path}.gz").read_bytes()

    whole = reader.ask(DUMP, Accept_Encoding="identity")
    small = reader.ask(DUMP, "HEAD", Accept_Encoding="gzip")
    part = reader.ask(DUMP, Accept_Encoding="identity", Range="bytes=10-19")
    end = reader.ask(DUMP, Accept_Encoding="identity", Range=f"bytes={len(octets) - 10}-")
    beyond = reader.ask(DUMP, Accept_Encoding="identity", Range=f"bytes={len(octets)}-")
    known = [
        reader.ask(DUMP, Accept_Encoding=coding, If_None_Match=answer.headers["ETag"])
        for coding, answer in (("identity", whole), ("gzip", small))
    ]
    with closing(HTTPConnection(urlsplit(site.inside).netloc, timeout=PATIENCE)) as server:
        server.request("GET", DUMP, headers={**INSIDE, "Accept-Encoding": "identity"})
        own = dict(server.getresponse().headers.items())
    crossed = reader.ask(DUMP, "HEAD", Accept_Encoding="gzip", If_None_Match=whole.headers["ETag"])
    of_another = reader.ask(DUMP, Accept_Encoding="identity", Range="bytes=0-9", If_Range='"x"')

    assert hashlib.sha256(octets).hexdigest() == built.sha256
    assert gzip.decompress(packed) == octets
    assert (whole.status, whole.text) == (200, octets.decode())
    assert (small.status, small.headers["Content-Encoding"]) == (200, "gzip")
    assert small.headers["Content-Length"] == str(len(packed))
    assert (part.status, part.text) == (206, octets[10:20].decode())
    assert part.headers["Content-Range"] == f"bytes 10-19/{len(octets)}"
    assert (end.status, end.text) == (206, octets[-10:].decode())
    assert beyond.status == 416
    assert [(each.status, each.text) for each in known] == [(304, "")] * 2
    assert (crossed.status, of_another.status) == (200, 200)
    for answer in (whole, small, part):
        assert FROM_REGISTRY not in answer.headers
        assert answer.headers["Content-Type"] == "application/x-ndjson"
        assert {each: answer.headers[each] for each in PASSED_ON} == {
            each: own[each] for each in PASSED_ON
        }
    assert whole.headers["ETag"] == part.headers["ETag"] == f'"{built.sha256}"'
    assert small.headers["ETag"] == f'"{built.sha256}-gzip"'


def test_nobody_gets_the_folder_of_files_from_nginx_without_the_registry(site: Ports) -> None:
    built = BuiltExport.objects.get(name="registry-dump.jsonl")

    answer = Browser(site.tls).ask(f"/built-exports/{built.path}")

    assert answer.status == 404
    assert built.path not in answer.text
