"""nginx, before the registry as in life or in its place, and requests that nobody tidies up."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tests.programs import PATIENCE, free_port, program, running

# `proxy_pass` without a path hands on the target as it was sent. Buffers are as long as URNs are.
PROXY: Final = """\
{user}
daemon off;
worker_processes 1;
pid {home}/nginx.pid;
error_log {home}/errors;
events {{ }}
http {{
  access_log off;
  client_body_temp_path {home}/body;
  proxy_temp_path {home}/proxy;
  fastcgi_temp_path {home}/fastcgi;
  uwsgi_temp_path {home}/uwsgi;
  scgi_temp_path {home}/scgi;
  large_client_header_buffers 4 16k;
  proxy_buffer_size 16k;
  proxy_buffers 8 16k;
  server {{
    listen 127.0.0.1:{port};
    merge_slashes off;
    location / {{ proxy_pass {site}; proxy_set_header Host $http_host; }}
  }}
}}
"""


@contextmanager
def nginx(home: Path, text: str, **said: object) -> Iterator[str]:
    """Run nginx by a configuration, in which `said` is put in; give its URL."""
    binary, port = program("nginx", package="nginx-light"), free_port()
    # What root starts serves as somebody else, who cannot enter the folders of tests.
    user = "user root;" if os.geteuid() == 0 else ""
    configuration = home / "nginx.conf"
    configuration.write_text(text.format(home=home, port=port, user=user, **said), "ascii")
    with running([binary, "-e", home / "errors", "-c", configuration], port):
        yield f"http://127.0.0.1:{port}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered: status, where it leads, and the body."""

    status: int
    location: str
    body: bytes


def ask(site: str, target: bytes, method: str = "GET", version: str = "1.1") -> Answer:
    """Send `target` as it is, and return what is answered."""
    parts = urlsplit(site)
    fields = f"Host: {parts.netloc}\r\nConnection: close\r\n\r\n"
    request = f"{method} ".encode() + target + f" HTTP/{version}\r\n{fields}".encode()
    with socket.create_connection((parts.hostname or "", parts.port or 80), PATIENCE) as connection:
        connection.sendall(request)
        response = HTTPResponse(connection, method=method)
        response.begin()
        return Answer(response.status, response.headers.get("Location", ""), response.read())
