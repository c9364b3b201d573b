"""Acts posted as a browser does: CPU milliseconds and statements, compared with a bare view."""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import include, path, reverse

from benchmarks import seed as seeds
from benchmarks.seed import Seed
from benchmarks.tables import Table, judge
from registry.enums import State
from registry.models import Counter, RegistrationRequest, User
from tools.sign_in import sign_in

SIZE: Final = (1_000, 2_000)
"""How many namespaces and requests."""
RUNS: Final = 15
MAX_STATEMENTS: Final = 50
"""Of a decision, from the button to the journal."""
HIDDEN_FIELD: Final = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
FLOOR: Final = "/floor/"
FLOOR_COUNTER: Final = "floor"


def post_floor(request: HttpRequest) -> HttpResponse:
    """Take a number, as every act does, and nothing else."""
    if request.method == "POST":
        with transaction.atomic():
            Counter.objects.take(FLOOR_COUNTER)
    return redirect("/")


urlpatterns = [path(FLOOR.lstrip("/"), post_floor), path("", include("registry.urls"))]


@dataclass(frozen=True, slots=True)
class Form:
    """The page that has a form, where it is posted, and what is filled in."""

    page: str
    address: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Act:
    """A form of a request in some state, and who posts it."""

    name: str
    person: User
    state: State
    find_form: Callable[[RegistrationRequest], Form]
    max_statements: int | None = None


def find_floor(registration_request: RegistrationRequest) -> Form:
    return Form(FLOOR, FLOOR, {})


def find_comment_form(registration_request: RegistrationRequest) -> Form:
    address = reverse("requests:comment", args=[registration_request.slug])
    fields = {"text": "Which codes are meant?"}
    return Form(registration_request.get_absolute_url(), address, fields)


def find_decision_form(registration_request: RegistrationRequest) -> Form:
    page = reverse("review:detail", args=[registration_request.slug])
    fields = {"verb": "request_changes", "comment": "Say more.", "confirmed": "True"}
    return Form(page, page, fields)


def find_registration_form(registration_request: RegistrationRequest) -> Form:
    page = reverse("publish:detail", args=[registration_request.slug])
    nid = registration_request.nid
    return Form(page, page, {"verb": "register", "references": "RFC 8141", "confirmation": nid})


def list_acts(seed: Seed) -> list[Act]:
    """Return the acts to measure, the floor first."""
    return [
        Act("a bare view", seed.expert, State.IN_REVIEW, find_floor),
        Act("a comment", seed.author, State.IN_REVIEW, find_comment_form),
        Act(
            "a decision: changes requested",
            seed.expert,
            State.IN_REVIEW,
            find_decision_form,
            max_statements=MAX_STATEMENTS,
        ),
        Act("a registration", seed.registrar, State.APPROVED, find_registration_form),
    ]


def measure(is_smallest: bool) -> Iterator[Table]:
    """Post each form on some requests, by turns."""
    settings.ROOT_URLCONF = __name__
    settings.ALLOWED_HOSTS = ["testserver"]
    namespaces, requests = (110, 150) if is_smallest else SIZE
    seed, runs = seeds.load_registry(), 1 if is_smallest else RUNS
    seeds.fill(seed, namespaces, requests)
    acts = list_acts(seed)
    clients = {}
    for act in acts:
        clients[act.name] = Client()
        sign_in(clients[act.name], act.person)
    waiting = {act.name: seeds.list_requests(seed, act.state) for act in acts}
    times: dict[str, list[float]] = {act.name: [] for act in acts}
    statements = {}
    for run in range(runs + 1):
        for act in acts:
            registration_request = waiting[act.name].pop()
            taken, queries = post_form(clients[act.name], act, registration_request)
            if run:  # The first one does the one-time work of a process.
                times[act.name].append(taken)
                statements[act.name] = queries
    floor = statistics.median(times[acts[0].name])
    rows = []
    for act in acts:
        taken, queries = statistics.median(times[act.name]), statements[act.name]
        most = act.max_statements
        target = "" if most is None else judge(f"{most} statements", queries <= most)
        figures = (f"{taken:.1f}", f"{taken / floor:.1f}", str(queries), target)
        rows.append((act.name, *figures))
    columns = ("", "ms", "times the bare view", "statements", "target")
    yield Table(f"Acts among {namespaces:,} namespaces and {requests:,} requests", columns, rows)


def post_form(
    client: Client, act: Act, registration_request: RegistrationRequest
) -> tuple[float, int]:
    """Read the page of a form and post it; return milliseconds and statements of the post."""
    form = act.find_form(registration_request)
    page = client.get(form.page).content.decode()
    data = {**dict(HIDDEN_FIELD.findall(page)), **form.fields}
    before = read_counters()
    with CaptureQueriesContext(connection) as captured:
        started = time.process_time()
        response = client.post(form.address, data)
        taken = (time.process_time() - started) * 1e3
    if read_counters() == before:
        raise RuntimeError(f"{act.name}, {form.address}: {response.status_code}, nothing was done.")
    return taken, len(captured)


def read_counters() -> dict[str, int]:
    """Return the counters, one of which each act raises."""
    return dict(Counter.objects.values_list("name", "value"))
