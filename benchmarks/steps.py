"""What the steps of docs/scaling.md gain on one machine, each beside the state without it.

Run from the top of the repository as `python -m benchmarks.steps`; prints tables in Markdown. Needs
PostgreSQL, PgBouncer, Redis, nginx and wrk, and takes about ten minutes. There are no targets: a
step that gains nothing is a finding too. All rows of a table are measured in turns, and its figures
are medians of the rounds. Microseconds are CPU time of all processes of a kind, unless they are
said to be on the wall.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

from benchmarks.scale import SMALL, fill
from benchmarks.servers import ASKING, ROOT, SERVING, Server, gunicorn, read_family_processor
from tests.live import databases
from tests.live.proxies import CACHING_PROXY, PROXY, nginx, pgbouncer
from tests.programs import free_port, redis_server
from tools.test_tools import find_program

ENGINES: Final = ("nginx", "pgbouncer", "redis-server", "wrk")
POSTGRESQL: Final = """
max_connections = 120
shared_preload_libraries = 'pg_stat_statements'
"""
ROUNDS: Final = 3
SECONDS: Final = 3
"""How long nginx is asked in each round. Slower answers are counted, so that none is left over."""
REQUESTS: Final = 160
READERS: Final = 8
THREADS: Final = 32
POOL_SIZE: Final = 4
BOTH: Final = f"{SERVING},{ASKING}"
ANEW: Final = {"REGISTRY_CACHE_BYTES": "0"}
PAGE, SEARCH = "/namespaces/isbn/", "/namespaces/?q=archive"
SIGN_UP, CHECK = "/accounts/sign-up/", "/api/v1/urn/check/"
SIGN_UPS_PER_MINUTE: Final = 20
FULL: Final = 40_000
"""How many addresses the shared cache in the database has counted; it has room for 50,000."""
FILL_CACHE: Final = f"""
INSERT INTO registry_cache
SELECT 'address ' || n, '', now() + interval '1 day' FROM generate_series(1, {FULL}) n
"""
COUNT_STATEMENTS: Final = "SELECT sum(calls)::int FROM pg_stat_statements"
COUNT_CONNECTIONS: Final = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"

Figures = dict[str, float]
Rows = Iterator[tuple[str, Callable[[], Figures]]]
"""The name of each row, and what measures it once."""
Processes = dict[str, list[int]]
"""By kind; the children of each process are meant too."""


class Registry:
    """A registry on a primary and its replica; `stack` ends what serves it."""

    def __init__(self, home: Path, primary: databases.Server, replica: databases.Server) -> None:
        self.home, self.primary, self.replica = home, primary, replica
        self.stack, self.turns = ExitStack(), count()
        self.environment = {
            "REGISTRY_DATA_DIR": str(home),
            "PYTHONPATH": str(ROOT),
            "DJANGO_SETTINGS_MODULE": "registry.settings",
            "REGISTRY_DATABASE_URL": primary.url,
            "REGISTRY_TRUSTED_PROXIES": "1",
            "REGISTRY_CHECK_SECONDS_PER_MINUTE": "100000",
        }

    def serve(self, settings: dict[str, str], workers: int = 1, cores: str = SERVING) -> Server:
        """Serve it with gunicorn, with these settings besides."""
        environment = self.environment | settings
        server = gunicorn(Path(sys.executable), "registry.wsgi", environment, workers, cores)
        self.stack.callback(server.end)
        return server

    def open_nginx(self, text: str, *servers: Server) -> tuple[str, list[int]]:
        """Run nginx in front of servers; return its URL and its process."""
        home = Path(self.stack.enter_context(TemporaryDirectory(prefix="registry-")))
        sites = [each.url for each in servers]
        url = self.stack.enter_context(nginx(home, text, sites=sites, tls=free_port()))
        return url, read_process(home / "nginx.pid")

    def list_processes(self, *servers: Server) -> Processes:
        """Return the processes of servers, and of the primary."""
        return {
            "workers": [each.process.pid for each in servers],
            "PostgreSQL": read_process(self.primary.data / "postmaster.pid"),
        }

    def run_sql(self, statement: str) -> None:
        """Execute a statement on the primary."""
        subprocess.run(["psql", self.primary.url, "-qc", statement], check=True)


def main() -> int:
    """Fill a registry and print all tables; return the exit status."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(TemporaryDirectory(prefix="registry-")))
        configuration = home / "postgresql.conf"
        configuration.write_text(POSTGRESQL, "ascii")
        try:
            for name in ENGINES:
                if not find_program(name):
                    raise LookupError(name)
            servers = stack.enter_context(
                databases.primary_and_replica(configuration, configuration)
            )
        except LookupError as missing:
            print(missing, file=sys.stderr)
            return 1
        registry = Registry(home, *servers)
        fill(registry.environment, *SMALL)
        registry.run_sql("CREATE EXTENSION pg_stat_statements")
        print(f"{SMALL[0]:,} namespaces, {SMALL[1]:,} requests")
        for title, list_rows in {
            "an anonymous answer": list_stored_answers,
            f"a page built anew, {THREADS} threads": list_connections,
            "a request that is counted": list_counted_requests,
            f"the same, {FULL:,} addresses counted before": list_counted_in_full_table,
            "an anonymous page built anew": list_replicas,
            "a page built anew, on both cores": list_workers,
        }.items():
            with ExitStack() as registry.stack:
                print_table(title, dict(list_rows(registry)))
    return 0


def list_stored_answers(registry: Registry) -> Rows:
    """Yield the same page from a worker's memory, and from what nginx has stored."""
    plain, shared = registry.serve({}), registry.serve({"REGISTRY_SHARED_CACHE_SECONDS": "10"})
    yield "no nginx", partial(load, plain, {"workers": [plain.process.pid]})
    for name, text, server in (
        ("nginx that asks each time", PROXY, plain),
        ("nginx that stores", CACHING_PROXY, shared),
    ):
        url, process = registry.open_nginx(text, server)
        processes = {"workers": [server.process.pid], "nginx": process}
        yield name, partial(load, server, processes, url)


def list_connections(registry: Registry) -> Rows:
    """Yield the ways to connect to the database, with how many connections are open afterwards."""
    bouncer = registry.stack.enter_context(pgbouncer(registry.primary, POOL_SIZE))
    bouncer_process = read_process(registry.primary.home / "pgbouncer.pid")
    direct = registry.primary.url
    for number, (name, url, settings) in enumerate(
        (
            ("one for each thread", direct, {}),
            ("one for each request", direct, {"REGISTRY_DATABASE_CONN_MAX_AGE": "0"}),
            ("`REGISTRY_DATABASE_POOL`", direct, {"REGISTRY_DATABASE_POOL": str(POOL_SIZE)}),
            ("PgBouncer", bouncer, {"REGISTRY_DATABASE_BOUNCER": "yes"}),
        )
    ):
        address = {"REGISTRY_DATABASE_URL": f"{url}?application_name=way-{number}"}
        threads = {"GUNICORN_CMD_ARGS": f"--threads={THREADS}"}
        server = registry.serve(ANEW | threads | address | settings)
        processes = registry.list_processes(server)
        if url == bouncer:
            processes["PgBouncer"] = bouncer_process
        yield name, partial(read_and_count, registry, f"way-{number}", server, processes)


def read_and_count(registry: Registry, way: str, server: Server, processes: Processes) -> Figures:
    """Have all threads read a page, and count the connections that are open afterwards."""
    figures = read_often(server, PAGE, processes, THREADS)
    return figures | {"connections": registry.primary.ask(COUNT_CONNECTIONS, way)}


def list_counted_requests(registry: Registry) -> Rows:
    """Yield requests that are counted, with the shared cache in the database and in Redis."""
    url = registry.stack.enter_context(redis_server(registry.home))
    redis = {"Redis": read_process(registry.home / "redis.pid")}
    yield from count_requests(registry, "in the database", {}, {})
    yield from count_requests(registry, "in Redis", {"REGISTRY_CACHE_URL": url}, redis)


def list_counted_in_full_table(registry: Registry) -> Rows:
    """Yield them in the database, where very many addresses are counted."""
    registry.run_sql(FILL_CACHE)
    return count_requests(registry, "in the database", {}, {})


def count_requests(
    registry: Registry, where: str, settings: dict[str, str], others: Processes
) -> Rows:
    """Yield a sign-up that is refused, one that is counted, and a list of names."""
    server = registry.serve(settings)
    processes = registry.list_processes(server) | others

    def measure(path: str, addresses: list[str], status: HTTPStatus) -> Figures:
        statements, before = registry.primary.ask(COUNT_STATEMENTS), read_clocks(processes)
        began = time.perf_counter()
        send_often(server, path, addresses, status)
        wall = time.perf_counter() - began
        return divide_clocks(before, read_clocks(processes), len(addresses)) | {
            "on the wall, µs": wall / len(addresses) * 1e6,
            "statements": (registry.primary.ask(COUNT_STATEMENTS) - statements) / len(addresses),
        }

    def refuse() -> Figures:
        address = f"10.0.{next(registry.turns)}.1"
        send_often(server, SIGN_UP, [address] * SIGN_UPS_PER_MINUTE, HTTPStatus.OK)
        return measure(SIGN_UP, [address] * REQUESTS, HTTPStatus.TOO_MANY_REQUESTS)

    def count_each(path: str) -> Figures:
        turn = next(registry.turns)
        return measure(path, [f"10.0.{turn}.{n}" for n in range(REQUESTS)], HTTPStatus.OK)

    yield f"a sign-up refused, counted {where}", refuse
    yield f"a sign-up form, counted {where}", partial(count_each, SIGN_UP)
    yield f"a list of names, with sign-ups counted {where}", partial(count_each, CHECK)


def list_replicas(registry: Registry) -> Rows:
    """Yield two pages, read from the primary and from a replica."""
    replicas = {"REGISTRY_REPLICA_URLS": registry.replica.url}
    replica = {"replica": read_process(registry.replica.data / "postmaster.pid")}
    alone, replicated = registry.serve(ANEW), registry.serve(ANEW | replicas)
    for path in (PAGE, SEARCH):
        for name, server in (("no replica", alone), ("a replica", replicated)):
            processes = registry.list_processes(server) | replica
            yield f"`{path}`, {name}", partial(read_often, server, path, processes)


def list_workers(registry: Registry) -> Rows:
    """Yield one worker, two, and two servers, on the cores that all else here uses too."""
    one, another = registry.serve(ANEW, cores=BOTH), registry.serve(ANEW, cores=BOTH)
    two = registry.serve(ANEW, workers=2, cores=BOTH)
    url, process = registry.open_nginx(PROXY, one, another)
    yield "one worker", partial(read_often, one, PAGE, registry.list_processes(one))
    yield "two workers", partial(read_often, two, PAGE, registry.list_processes(two))
    both = registry.list_processes(one, another) | {"nginx": process}
    yield "two servers behind nginx", partial(read_often, one, PAGE, both, proxy=url)


def read_process(file: Path) -> list[int]:
    """Return the process that has written its number there."""
    return [int(file.read_text("utf-8").split()[0])]


def read_clocks(processes: Processes) -> Figures:
    """Return the CPU seconds of each kind of process."""
    return {kind: sum(map(read_family_processor, each)) for kind, each in processes.items()}


def divide_clocks(before: Figures, after: Figures, times: int) -> Figures:
    """Return what each of so many requests has taken, in microseconds."""
    return {f"{kind}, µs": (after[kind] - before[kind]) / times * 1e6 for kind in after}


def load(server: Server, processes: Processes, proxy: str = "") -> Figures:
    """Request a page as fast as it is answered; return what each took, and how many a second."""
    before = read_clocks(processes)
    done = server.load(PAGE, SECONDS, proxy=proxy)
    if done.refused:
        raise RuntimeError(f"{done.refused} requests were refused.")
    return divide_clocks(before, read_clocks(processes), done.requests) | {"a second": done.rate}


def read_often(
    server: Server, path: str, processes: Processes, readers: int = READERS, proxy: str = ""
) -> Figures:
    """Have several readers request a page; return what each request took, and how many a second."""
    share: list[dict[str, str]] = [{}] * (REQUESTS // readers)
    before, began = read_clocks(processes), time.perf_counter()
    with ThreadPoolExecutor(readers) as pool:
        list(pool.map(lambda _n: ask_each(proxy or server.url, path, share), range(readers)))
    rate = REQUESTS / (time.perf_counter() - began)
    return divide_clocks(before, read_clocks(processes), REQUESTS) | {"a second": rate}


def send_often(server: Server, path: str, addresses: list[str], status: HTTPStatus) -> None:
    """Send the sign-up form or a list of names from each address, and expect that status."""
    body, headers = "urn:isbn:9780395363416", {"Content-Type": "text/plain"}
    if path == SIGN_UP:
        with urlopen(server.url + path) as answer:
            [token] = re.findall(r'csrfmiddlewaretoken" value="(\w+)"', answer.read().decode())
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
        body = urlencode({"csrfmiddlewaretoken": token, "email": "a@people.example"})
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
    each = [headers | {"X-Forwarded-For": address} for address in addresses]
    ask_each(server.url, path, each, body, status)


def ask_each(
    url: str,
    path: str,
    headers: list[dict[str, str]],
    body: str | None = None,
    status: HTTPStatus = HTTPStatus.OK,
) -> None:
    """Send a request with each of these headers on one connection, and expect that status."""
    with closing(HTTPConnection(urlsplit(url).netloc)) as line:
        for each in headers:
            line.request("POST" if body else "GET", path, body, each)
            answer = line.getresponse()
            answer.read()
            if answer.status != status:
                raise RuntimeError(f"{path} was answered with {answer.status}, not {status}.")


def print_table(title: str, rows: dict[str, Callable[[], Figures]]) -> None:
    """Measure all rows in turns, and print the medians."""
    before = os.getloadavg()[0]
    found: dict[str, list[Figures]] = {name: [] for name in rows}
    for turn in range(ROUNDS + 1):
        for name, measure in rows.items():
            figures = measure()
            # The first round loads what only first requests need.
            found[name] += [figures] if turn else []
    heads = list(dict.fromkeys(head for rounds in found.values() for head in rounds[0]))
    print(f"\nLoad {before:.0f} to {os.getloadavg()[0]:.0f}\n")
    print(f"| {title} | {' | '.join(heads)} |\n|---|{'--:|' * len(heads)}")
    for name, rounds in found.items():
        middle = {head: f"{median(each[head] for each in rounds):,.0f}" for head in rounds[0]}
        print(f"| {name} | {' | '.join(middle.get(head, '') for head in heads)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
