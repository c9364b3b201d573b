"""How gunicorn serves the registry; options on its command line override these."""

from __future__ import annotations

import gc
import ipaddress
import os
import shutil
import signal
from importlib import import_module
from pathlib import Path
from typing import Any

bind = f"127.0.0.1:{os.environ.get('PORT', '8000')}"
workers = 2
# Browsers open connections in advance. A thread waits for them, not a whole worker.
worker_class = "gthread"
threads = 4
preload_app = True
graceful_timeout = 10
# The longest that gunicorn accepts: the address of a URN may be long.
limit_request_line = 8190
loglevel = "warning"
# The registry writes to var/; the control socket would be in the home directory.
control_socket_disable = True
# Nothing loaded at the start is garbage; looking for some takes a tenth of the time.
gc.disable()


if os.environ.get("REGISTRY_STATUS_TOKEN"):
    # Each worker counts in files of its own, which are read together: prometheus_client takes the
    # folder from this variable, before anything is imported.
    counts = Path(os.environ.get("REGISTRY_DATA_DIR", "var")) / "metrics"
    shutil.rmtree(counts, ignore_errors=True)
    counts.mkdir(parents=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(counts)


def is_reached_by_others(address: Any) -> bool:
    """Whether other machines can reach an address that gunicorn listens on.

    A path is a socket on this machine, a number is the descriptor of one that somebody else opened.
    """
    if not isinstance(address, tuple):
        return False
    host = str(address[0]).strip("[]")
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def on_starting(server: Any) -> None:
    """Refuse to serve the public in production without a proxy in front.

    A few clients that send a request an octet at a time occupy all of gunicorn's threads; a proxy
    reads requests whole first. Raises `RuntimeError`, whose text gunicorn prints before it exits.
    """
    settings = import_module("django.conf").settings
    open_to_others = [each for each in server.cfg.address if is_reached_by_others(each)]
    if settings.DEMONSTRATION or settings.REGISTRY_TRUSTED_PROXIES or not open_to_others:
        return
    host, port = open_to_others[0][:2]
    raise RuntimeError(
        f"The server is to listen at {host}:{port}, where others reach it, and "
        "REGISTRY_TRUSTED_PROXIES is 0: without a proxy before it, a few slow clients would keep "
        "everybody out. Listen at 127.0.0.1 or at a unix socket behind deploy/nginx.conf, or, "
        "where a proxy on another machine is all that reaches this address, set "
        "REGISTRY_TRUSTED_PROXIES to the number of proxies."
    )


def child_exit(server: object, worker: Any) -> None:
    """Keep counting the metrics of a worker that exited, without keeping its files open."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        import_module("prometheus_client.multiprocess").mark_process_dead(worker.pid)


def when_ready(server: object) -> None:
    """Collect garbage from now on, except in what was loaded, so that workers share it."""
    gc.freeze()
    gc.enable()


def post_worker_init(worker: object) -> None:
    """Leave ctrl-C to the arbiter, which then stops its workers.

    A terminal sends it to all of them at once; a worker that is stopped twice waits for itself.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
