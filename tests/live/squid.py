"""The caching proxy Squid, with a registry that resolves URNs for it."""

from __future__ import annotations

import secrets
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tests.live.databases import UNPRIVILEGED
from tests.programs import program, running

# Squid takes the NID for the host to contact; the registry gets its own name instead. As root it
# serves as an unprivileged user; otherwise as whoever starts it.
CONFIGURATION: Final = """\
http_port 127.0.0.1:{port}
http_access allow all
cache_effective_user {person}
visible_hostname proxy.example
acl uri_res urlpath_regex ^/uri-res/
cache_peer {host} parent {peer} 0 no-query no-digest no-netdb-exchange originserver \
forceddomain={host} name=registry
cache_peer_access registry allow uri_res
never_direct allow uri_res
cache deny all
pid_filename none
access_log none
cache_log /dev/null
hosts_file none
dns_nameservers 127.0.0.1
pinger_enable off
shutdown_lifetime 0
"""


@contextmanager
def squid(home: Path, site: str) -> Iterator[tuple[str, int]]:
    """Run Squid, which asks the registry at `site` where URNs lead; yield its host and port."""
    binary, peer = program("squid"), urlsplit(site)
    with reserved() as port, (home / "squid.log").open("wb") as log:
        values = {"port": port, "person": UNPRIVILEGED, "host": peer.hostname, "peer": peer.port}
        (home / "squid.conf").write_text(CONFIGURATION.format(**values), encoding="ascii")
        # The name of its shared memory must be unique.
        options = ["-n", secrets.token_hex(8), "-N", "-d", "1", "-f", str(home / "squid.conf")]
        try:
            with running([binary, *options], port, cwd=home, stdout=log, stderr=log):
                yield "127.0.0.1", port
        finally:
            # Pytest shows it if a test fails.
            sys.stderr.write((home / "squid.log").read_text("utf-8", "replace"))


@contextmanager
def reserved() -> Iterator[int]:
    """Keep a port from others; Squid, which shares addresses as we do, can listen on it."""
    with socket.socket() as keeper:
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        keeper.bind(("127.0.0.1", 0))
        yield keeper.getsockname()[1]
