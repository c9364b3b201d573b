"""Opening the pages of the process: the time of each, and its database queries.

Also the registry's URLs together with a bare view, the floor.
"""

from __future__ import annotations

import io
import platform
import statistics
import time
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import include, path, reverse

from benchmarks import crowd as crowds
from benchmarks.crowd import Crowd
from registry.models import User
from tools.sign_in import sign_in

FEW: Final = (100, 2)
MANY: Final = (2_000, 10)
"""How many requests, and of how many rounds each."""
RUNS: Final = 7
FLOOR: Final = "/floor/"


def floor(request: HttpRequest) -> HttpResponse:
    """Answer at once: only what Django and our middleware take."""
    return HttpResponse("So much for nothing.")


urlpatterns = [path(FLOOR.lstrip("/"), floor), path("", include("registry.urls"))]


@dataclass(frozen=True, slots=True)
class Figure:
    """The figures of one page: milliseconds of the median run, and database queries."""

    milliseconds: float
    queries: int


def list_pages(crowd: Crowd) -> dict[str, tuple[User | None, str]]:
    """Return the pages to measure by name: who opens them, and their addresses."""
    before_experts = next(each for each in crowd.requests[::-1] if each.state == "in_review")
    approved = next(each for each in crowd.requests[::-1] if each.state == "approved")
    slug = before_experts.slug
    return {
        "a bare view": (None, FLOOR),
        "queue, mine": (crowd.expert, reverse("review:index")),
        "queue, with registrants": (crowd.expert, f"{reverse('review:index')}?tab=registrants"),
        "review of one request": (crowd.other, reverse("review:detail", args=[slug])),
        "list of requests": (None, reverse("requests:index")),
        "one request": (None, before_experts.get_absolute_url()),
        "its last round": (None, reverse("requests:template", args=[slug])),
        "its history": (None, reverse("requests:history", args=[slug])),
        "ready to register": (crowd.registrar, reverse("publish:index")),
        "registering one": (crowd.registrar, reverse("publish:detail", args=[approved.slug])),
        "turn-round figures": (None, reverse("requests:figures")),
    }


def sign_in_client(person: User | None) -> Client:
    """Return a client, with `person` signed in if there is one."""
    client = Client()
    if person:
        sign_in(client, person)
    return client


def measure(crowd: Crowd) -> dict[str, Figure]:
    """Open each page a few times, alternating, and return the figures."""
    opened = {
        name: (sign_in_client(person), address)
        for name, (person, address) in list_pages(crowd).items()
    }
    times: dict[str, list[float]] = {name: [] for name in opened}
    queries = dict.fromkeys(opened, 0)
    for run in range(RUNS + 1):
        for name, (client, address) in opened.items():
            with CaptureQueriesContext(connection) as captured:
                started = time.process_time()
                answer = client.get(address)
                took = (time.process_time() - started) * 1e3
            if answer.status_code != 200:
                raise RuntimeError(f"{address} was answered with {answer.status_code}.")
            if run:  # The first one warms up.
                times[name].append(took)
                queries[name] = len(captured)
    return {name: Figure(statistics.median(times[name]), queries[name]) for name in times}


def write_figures(few: dict[str, Figure], many: dict[str, Figure]) -> bool:
    """Print the table; true if no page makes more queries for many requests than for few."""
    few_requests, many_requests = (
        f"{count:,} requests of {rounds} rounds, ms" for count, rounds in (FEW, MANY)
    )
    print(f"| | {few_requests} | {many_requests} | queries | target |")
    print("|---|--:|--:|--:|---|")
    constant = True
    for name, figure in many.items():
        is_met = figure.queries <= few[name].queries
        constant = constant and is_met
        goal = "as many met" if is_met else f"{few[name].queries} **missed**"
        took = f"{few[name].milliseconds:.1f} | {figure.milliseconds:.1f}"
        print(f"| {name} | {took} | {figure.queries} | {goal} |")
    return constant


def run() -> bool:
    """Create few requests and measure, create many and measure again; true if all is well."""
    prepare()
    print(f"Python {platform.python_version()}, {connection.vendor}\n")
    crowd = crowds.make_people()
    crowds.add_requests(crowd, *FEW)
    few = measure(crowd)
    crowds.add_requests(crowd, *MANY)
    return write_figures(few, measure(crowd))


def prepare() -> None:
    """Prepare the database and the static files, and serve a bare view next to the registry."""
    call_command("migrate", verbosity=0)
    call_command("load_registry", stdout=io.StringIO())
    call_command("collectstatic", interactive=False, verbosity=0)
    settings.ROOT_URLCONF = __name__
    settings.ALLOWED_HOSTS = ["testserver"]
