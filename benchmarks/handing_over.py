"""Which web servers pass on the address as it was sent, and how fast they send a redirect.

Run from the top of the repository as `python -m benchmarks.handing_over [FOLDER]`; needs wrk and
taskset. Servers other than gunicorn are looked for in FOLDER, after `pip install --target FOLDER
uvicorn hypercorn granian waitress cheroot pyuwsgi`. Each has one worker on one core and its own
settings otherwise; they take turns. Prints a table in Markdown.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.servers import ROOT, Load, Server, free_port
from benchmarks.web import DISTINCT

ROUNDS: Final = 5
SECONDS: Final = 2
NAME: Final = "/resolve/urn:nbn:fi:a%2Cb,cNUMBER"
EXPECTED_LOCATION: Final = "https://urn.fi/urn:nbn:fi:a%2Cb,c"
WSGI, ASGI = "registry.wsgi:application", "benchmarks.asgi:application"
CHEROOT: Final = (
    "import sys; from cheroot.wsgi import Server; from registry.wsgi import application; "
    "Server(('127.0.0.1', int(sys.argv[1])), application, numthreads=4).safe_start()"
)
UWSGI: Final = "import pyuwsgi; pyuwsgi.run()"
COMMANDS: Final[Mapping[str, str]] = {
    "gunicorn, gthread": "-m gunicorn --workers=1 registry.wsgi",
    "gunicorn, sync": "-m gunicorn --workers=1 --worker-class=sync --threads=1 registry.wsgi",
    "waitress": f"-m waitress --listen=127.0.0.1:PORT {WSGI}",
    "cheroot": "",
    "uWSGI": "",
    "granian, WSGI": f"-m granian --no-ws --interface wsgi --port PORT {WSGI}",
    "granian, ASGI": f"-m granian --no-ws --interface asgi --port PORT {ASGI}",
    "uvicorn": f"-m uvicorn --port=PORT --log-level=error --no-access-log {ASGI}",
    "hypercorn": f"-m hypercorn --bind=127.0.0.1:PORT {ASGI}",
}


@dataclass
class Measured:
    """A server: whether the name arrived as it was sent, and the results of each round."""

    name: str
    server: Server
    hands_over: bool = False
    loads: list[Load] = field(default_factory=list)

    def look(self) -> None:
        """Check where a name with a comma and an encoded one is redirected."""
        status, body, _etag = self.server.get(NAME.replace("NUMBER", ""))
        self.hands_over = (status, body.decode().strip()) == (303, EXPECTED_LOCATION)

    def written(self) -> str:
        """Return the row of the table."""
        if not self.hands_over:
            return f"| {self.name} | no | | |"
        cost = statistics.median(load.microseconds for load in self.loads)
        rate = statistics.median(load.rate for load in self.loads)
        return f"| {self.name} | yes | {cost:,.0f} | {rate:,.0f} |"


def make_command(name: str, port: int) -> list[str]:
    """Return the command that starts a server."""
    if name == "cheroot":
        return [sys.executable, "-c", CHEROOT, str(port)]
    if name == "uWSGI":
        options = ["--master", "--die-on-term", "--processes=1", "--threads=4", "--disable-logging"]
        place = [f"--http-socket=127.0.0.1:{port}", "--module=registry.wsgi:application"]
        return [sys.executable, "-c", UWSGI, *options, *place, "--buffer-size=32768"]
    return [sys.executable, *COMMANDS[name].replace("PORT", str(port)).split()]


@contextmanager
def run_server(name: str, folder: Path, data: Path) -> Iterator[Measured]:
    port = free_port()
    own = {
        "PORT": str(port),
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, folder))),
        "REGISTRY_DATA_DIR": str(data),
        "REGISTRY_SITE": f"http://127.0.0.1:{port}",
    }
    server = Server(make_command(name, port), port, own)
    try:
        yield Measured(name, server)
    finally:
        server.end()


def measure(folder: Path, data: Path, names: list[str]) -> list[str]:
    """Return the rows of the table."""
    script = data / "distinct.lua"
    script.write_text(DISTINCT, "ascii")
    with ExitStack() as stack:
        found = [stack.enter_context(run_server(name, folder, data)) for name in names]
        for each in found:
            each.look()
        for _round in range(ROUNDS):
            for each in found:
                if each.hands_over:
                    each.loads.append(each.server.load(NAME, SECONDS, script))
        return [each.written() for each in found]


def main() -> None:
    folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
    names = [name for name in COMMANDS if folder or name.startswith("gunicorn")]
    with tempfile.TemporaryDirectory() as home:
        data = Path(home)
        surroundings = os.environ | {"REGISTRY_DATA_DIR": home}
        for words in ("migrate --noinput", "load_registry", "collectstatic --noinput"):
            quiet = [sys.executable, "manage.py", *words.split(), "--verbosity=0"]
            subprocess.run(quiet, cwd=ROOT, env=surroundings, check=True, capture_output=True)
        rows = measure(folder or data, data, names)
    print("| server | as sent | µs of the processor | requests/s |")
    print("|---|---|---:|---:|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
