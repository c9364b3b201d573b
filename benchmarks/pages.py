"""Pages in a small and in a large registry, signed in as each role: milliseconds and queries."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import include, path, reverse

from benchmarks import seed as seeds
from benchmarks.seed import Seed
from benchmarks.tables import Table, judge
from registry.enums import State
from registry.models import RegistrationRequest, User
from tools.sign_in import sign_in

SMALL: Final = (110, 100)
LARGE: Final = (1_000, 10_000)
"""How many namespaces and requests."""
RUNS: Final = 7
MAX_RATIO: Final = 2.0
SLACK: Final = 2.0
"""Milliseconds that a page may take longer whatever its ratio: short ones vary by as much."""
FLOOR: Final = "/floor/"


def show_floor(request: HttpRequest) -> HttpResponse:
    """Answer at once: only what Django and our middleware take."""
    return HttpResponse("So much for nothing.")


urlpatterns = [path(FLOOR.lstrip("/"), show_floor), path("", include("registry.urls"))]


@dataclass(frozen=True, slots=True)
class Figure:
    """The CPU milliseconds of a page in the median run, and its database queries."""

    milliseconds: float
    queries: int


def measure(is_smallest: bool) -> Iterator[Table]:
    """Open each page in a small registry, and again once it is large."""
    settings.ROOT_URLCONF = __name__
    settings.ALLOWED_HOSTS = ["testserver"]
    seed, runs = seeds.load_registry(), 1 if is_smallest else RUNS
    large = (115, 120) if is_smallest else LARGE
    figures: list[dict[str, Figure]] = []
    for namespaces, requests in (SMALL, large):
        seeds.fill(seed, namespaces, requests)
        figures.append(open_pages(seed, runs))
    yield make_table(figures[0], figures[1], large)


def list_pages(seed: Seed) -> dict[str, tuple[User | None, str]]:
    """Return the pages by name: who opens them, and their addresses."""
    in_review = find_assigned(seed, State.IN_REVIEW)
    approved = find_assigned(seed, State.APPROVED)
    reported = find_assigned(seed, State.REPORTED)
    request_page = in_review.get_absolute_url()
    queue, review = reverse("review:index"), reverse("review:detail", args=[in_review.slug])
    return {
        "a bare view": (None, FLOOR),
        "home": (None, "/"),
        "namespaces": (None, "/namespaces/"),
        "a namespace": (None, "/namespaces/isbn/"),
        "a search": (None, "/namespaces/?q=archive"),
        "requests": (None, "/requests/"),
        "figures of requests": (None, "/requests/figures/"),
        "feed of requests": (None, "/requests.atom"),
        "a request": (None, request_page),
        "its template": (None, f"{request_page}template/"),
        "its history": (None, f"{request_page}history/"),
        "organizations": (None, "/organizations/"),
        "site map": (None, "/sitemap.xml"),
        "namespaces in the API": (None, "/api/v1/namespaces/"),
        "events in the API": (None, "/api/v1/events/"),
        "another's request, signed in": (seed.outsider, request_page),
        "own request": (seed.author, request_page),
        "own requests": (seed.author, reverse("account:requests")),
        "account": (seed.author, reverse("account:index")),
        "expert: queue": (seed.expert, queue),
        "expert: with registrants": (seed.expert, f"{queue}?tab=registrants"),
        "expert: review": (seed.expert, review),
        "lead: what waits": (seed.lead, f"{queue}?tab=lead"),
        "lead: review": (seed.lead, review),
        "registrar: ready to register": (seed.registrar, reverse("publish:index")),
        "registrar: registering": (
            seed.registrar,
            reverse("publish:detail", args=[approved.slug]),
        ),
        "standards body: its work": (seed.standards_body, reverse("direction:index")),
        "standards body: a ruling": (
            seed.standards_body,
            reverse("direction:detail", args=[reported.slug]),
        ),
    }


def find_assigned(seed: Seed, state: State) -> RegistrationRequest:
    """Return the first request in a state that the expert is assigned to."""
    return RegistrationRequest.objects.filter(state=state, assignments__expert=seed.expert)[0]


def open_pages(seed: Seed, runs: int) -> dict[str, Figure]:
    """Open each page some times, by turns; the first time does not count."""
    pages = [
        (name, sign_in_client(person), address)
        for name, (person, address) in list_pages(seed).items()
    ]
    times: dict[str, list[float]] = {name: [] for name, _client, _address in pages}
    queries = {}
    for run in range(runs + 1):
        for name, client, address in pages:
            with CaptureQueriesContext(connection) as captured:
                started = time.process_time()
                response = client.get(address)
                response.getvalue()
                taken = (time.process_time() - started) * 1e3
            if response.status_code != 200:
                raise RuntimeError(f"{address} was answered with {response.status_code}.")
            if run:
                times[name].append(taken)
                queries[name] = len(captured)
    return {name: Figure(statistics.median(times[name]), queries[name]) for name in times}


def sign_in_client(person: User | None) -> Client:
    """Return a client, with `person` signed in if there is one."""
    client = Client()
    if person:
        sign_in(client, person)
    return client


def make_table(small: dict[str, Figure], large: dict[str, Figure], size: tuple[int, int]) -> Table:
    """Compare each page of the two registries."""
    rows = []
    for name, figure in large.items():
        before = small[name]
        milliseconds = (f"{each.milliseconds:.1f}" for each in (before, figure))
        queries = (str(each.queries) for each in (before, figure))
        is_soon = figure.milliseconds <= before.milliseconds * MAX_RATIO + SLACK
        are_as_many = figure.queries <= before.queries
        rows.append(
            (name, *milliseconds, judge("twice", is_soon), *queries, judge("as many", are_as_many))
        )
    few, many = (f"{namespaces:,} / {requests:,}" for namespaces, requests in (SMALL, size))
    columns = ("", f"{few}, ms", f"{many}, ms", "target", "queries", "queries", "target")
    return Table("Pages in a registry of so many namespaces / requests", columns, rows)
