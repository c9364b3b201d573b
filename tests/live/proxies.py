"""nginx before or instead of the registry, PgBouncer before its database, and raw requests."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from typing import Final, cast
from urllib.parse import urlsplit

from tests.live.databases import Server
from tests.programs import PATIENCE, free_port, program, running

ROOT: Final = Path(__file__).resolve().parent.parent.parent
NGINX: Final = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
CERTIFICATE: Final = ROOT / "tests" / "loopback.pem"
WHERE: Final = {
    "listen 80;": "listen 127.0.0.1:{port};",
    "listen 443 ssl;": "listen 127.0.0.1:{tls} ssl;",
    "listen [::]:80;": "",
    "listen [::]:443 ssl;": "",
    "/etc/ssl/certs/urn.example.pem": str(CERTIFICATE),
    "/etc/ssl/private/urn.example.key": str(CERTIFICATE),
    "server 127.0.0.1:8000;": "{servers}",
    "root /var/lib/registry;": "root {home}/files;",
    "alias /var/lib/registry/exports/;": "alias {home}/exports/;",
    "/var/cache/nginx-registry": "{home}/cache",
    "/var/log/nginx/access.log": "{home}/access.log",
    "/var/log/nginx/error.log": "{home}/errors",
    "rate=2r/s": "rate=1000r/s",
    "rate=20r/s": "rate=1000r/s",
}
"""What differs in a test: ports, files, and how fast one address may post."""


def read_deployed_server() -> str:
    """Return `deploy/nginx.conf`, to be formatted with `port`, `tls` and `servers`."""
    text = NGINX.replace("{", "{{").replace("}", "}}")
    for there, here in WHERE.items():
        assert there in text, f"deploy/nginx.conf has no {there}"
        text = text.replace(there, here)
    return text


PROXY: Final = (
    """\
{user}
daemon off;
worker_processes 1;
pid {home}/nginx.pid;
error_log {home}/errors;
events {{ }}
http {{
client_body_temp_path {home}/body;
proxy_temp_path {home}/proxy;
fastcgi_temp_path {home}/fastcgi;
uwsgi_temp_path {home}/uwsgi;
scgi_temp_path {home}/scgi;
"""
    + read_deployed_server()
    + "}}\n"
)
CACHING_PROXY: Final = PROXY.replace('"" off;', '"" registry;')
"""The same with the change that the file names for caching public responses."""


@contextmanager
def nginx(home: Path, text: str, **said: object) -> Iterator[str]:
    """Run nginx with a configuration, formatted with `said`; yield its URL.

    The registry is at `site`, or with several servers at each of `sites`.
    """
    sites = said.pop("sites", [said.get("site", "http://127.0.0.1:8000")])
    servers = " ".join(f"server {urlsplit(str(each)).netloc};" for each in cast("list[str]", sites))
    binary, port = program("nginx"), free_port()
    # If root starts it, it serves as another user, who cannot enter the folders of tests.
    user = "user root;" if os.geteuid() == 0 else ""
    configuration = home / "nginx.conf"
    configuration.write_text(
        text.format(home=home, port=port, user=user, servers=servers, **said), "ascii"
    )
    with running([binary, "-e", home / "errors", "-c", configuration], port):
        yield f"http://127.0.0.1:{port}"


BOUNCER: Final = """
[databases]
postgres = host={server.home} dbname=postgres user=registry
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
pidfile = {server.home}/pgbouncer.pid
auth_type = any
pool_mode = transaction
default_pool_size = {size}
"""


@contextmanager
def pgbouncer(server: Server, size: int) -> Iterator[str]:
    """Run PgBouncer in transaction mode with `size` connections to a server; yield its address."""
    binary, port = program("pgbouncer"), free_port()
    configuration = server.home / "pgbouncer.ini"
    configuration.write_text(BOUNCER.format(server=server, port=port, size=size), "ascii")
    with running([binary, "-q", configuration], port, cwd=server.home, **server.person):
        yield f"postgresql://registry@127.0.0.1:{port}/postgres"


CADDY: Final = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")


@contextmanager
def caddy(
    home: Path, site: str, tls: int, changes: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Run Caddy in front of the registry at `site`, with the file from `deploy/`; yield its URL.

    `changes` are made to the file, besides those that every test needs.
    """
    binary, port = program("caddy"), free_port()
    text, bind = CADDY, "bind 127.0.0.1"
    for there, here in {
        "\nurn.example {": f"\n:{tls} {{\n\t{bind}\n\ttls {CERTIFICATE} {CERTIFICATE}",
        "\nhttp://urn.example {": f"\nhttp://:{port} {{\n\t{bind}",
        "127.0.0.1:8000": urlsplit(site).netloc,
        "root /var/lib/registry": f"root {home}/files",
        "root * /var/lib/registry": f"root * {home}/files",
        "\tservers {": "\tadmin off\n\tauto_https off\n\tservers {",
        **(changes or {}),
    }.items():
        assert there in text, f"The Caddyfile has no {there}"
        text = text.replace(there, here)
    configuration = home / "Caddyfile"
    configuration.write_text(text, "utf-8")
    places = {name: str(home) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME")}
    command = [binary, "run", "--adapter", "caddyfile", "--config", configuration]
    with (
        (home / "errors").open("ab") as errors,
        running(command, port, env=os.environ | places, stderr=errors),
    ):
        yield f"http://127.0.0.1:{port}"


@dataclass(frozen=True, slots=True)
class Answer:
    """The response: status, redirect target, and body."""

    status: int
    location: str
    body: bytes


def ask(site: str, target: bytes, method: str = "GET", version: str = "1.1") -> Answer:
    """Send `target` unchanged, and return the response."""
    parts = urlsplit(site)
    fields = f"Host: {parts.netloc}\r\nConnection: close\r\n\r\n"
    request = f"{method} ".encode() + target + f" HTTP/{version}\r\n{fields}".encode()
    with socket.create_connection((parts.hostname or "", parts.port or 80), PATIENCE) as connection:
        connection.sendall(request)
        response = HTTPResponse(connection, method=method)
        response.begin()
        return Answer(response.status, response.headers.get("Location", ""), response.read())
