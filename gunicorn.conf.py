"""How gunicorn serves the registry; options on its command line win over these."""

from __future__ import annotations

import gc
import os
import signal

bind = f"127.0.0.1:{os.environ.get('PORT', '8000')}"
workers = 2
# Browsers open connections ahead of need. A thread waits for them, not a whole worker.
worker_class = "gthread"
threads = 4
preload_app = True
graceful_timeout = 10
# The longest that gunicorn takes: a URN in an address may be long.
limit_request_line = 8190
loglevel = "warning"
# What the registry writes is under var/; the control socket would be in the home directory.
control_socket_disable = True
# Nothing that is loaded at the start is garbage; looking for some takes a tenth of the time.
gc.disable()


def when_ready(server: object) -> None:
    """Look for garbage from now on, and never in what was loaded, so that workers share it."""
    gc.freeze()
    gc.enable()


def post_worker_init(worker: object) -> None:
    """Leave ctrl-C to the arbiter, which then stops its workers.

    A terminal sends it to all of them at once; a worker that is stopped twice waits for itself.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
