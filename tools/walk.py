"""Follows real requests through the code, and counts the modules and functions that they run.

    python -m tools.walk [--list ACT]

Creates the demonstration in a folder of its own and uses it with Django's test client: posting a
decision and a comment, reading a request as a page, for review and by the API, resolving and
inspecting a URN. It counts what runs of `registry/`, from the middleware to the template tags, and
the database queries. `--list` prints the modules of one action in the order in which they are
reached. The figures are in `docs/ARCHITECTURE.md`: they say how much a newcomer must open.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from django.test import Client

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGE: Final = str(ROOT / "registry") + os.sep
HIDDEN_FIELD: Final = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
EXPERT: Final = "expert@people.example"
REGISTRANT: Final = "registrant@people.example"


@dataclass
class Trace:
    """What one action ran: our code in the order of its first call, and the queries."""

    codes: dict[CodeType, None] = field(default_factory=dict)
    queries: int = 0

    @property
    def modules(self) -> list[str]:
        """The modules reached, in order, as paths below `registry/`."""
        return list(dict.fromkeys(code.co_filename.removeprefix(PACKAGE) for code in self.codes))

    @property
    def functions(self) -> list[CodeType]:
        """Functions and methods; comprehensions and the like have no name to look for."""
        return [code for code in self.codes if not code.co_name.startswith("<")]


@contextmanager
def tracing() -> Iterator[Trace]:
    """Record our code that runs in the block, and count the database queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    trace = Trace()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            trace.codes.setdefault(frame.f_code)

    with CaptureQueriesContext(connection) as captured:
        sys.setprofile(note)
        try:
            yield trace
        finally:
            sys.setprofile(None)
    trace.queries = len(captured)


def sign_in(email: str) -> Client:
    """Return a client with a member of the cast signed in."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    from tools import sign_in as doors

    client = Client(headers={"host": "127.0.0.1:8000"})
    if email:
        doors.sign_in(client, get_user_model()._default_manager.get(email=email))
    return client


def read_hidden_fields(client: Client, address: str) -> dict[str, str]:
    """Return the hidden fields of a page's forms, as a browser would send them."""
    return dict(HIDDEN_FIELD.findall(client.get(address).content.decode()))


def find_request(**facts: Any) -> Any:
    """Return the first sample request that has these `facts`."""
    from django.apps import apps

    found = apps.get_model("registry", "RegistrationRequest").objects.filter(**facts)
    return found.order_by("pk").first()


def trace_act(email: str, method: str, address: str, page: str = "", **typed: str) -> Trace:
    """Do a request once to warm caches, and trace the second time.

    A form is posted only once, after the `page` that contains it was read.
    """
    client = sign_in(email)
    data = read_hidden_fields(client, page or address) | typed if method == "post" else None
    send: Callable[..., Any] = getattr(client, method)
    if data is None:
        client.get(address)
    with tracing() as trace:
        response = send(address, data) if data else send(address)
    if response.status_code >= 400:
        raise SystemExit(f"{method} {address} was answered {response.status_code}")
    if method == "post" and response.status_code != 302:
        raise SystemExit(
            f"{address} asked again: {response.context and response.context['form'].errors}"
        )
    return trace


def trace_acts() -> dict[str, Trace]:
    """Do each action once in the demonstration, and return what each ran."""
    in_review = find_request(state="in_review", assignments__expert__email=EXPERT)
    reference = in_review.reference.lower()
    return {
        "a request's page": trace_act("", "get", f"/requests/{reference}/"),
        "its API form": trace_act("", "get", f"/api/v1/requests/{in_review.reference}/"),
        "a resolution": trace_act("", "get", "/resolve/?urn=urn:isbn:0451450523"),
        "an inspection": trace_act("", "get", "/inspect/?urn=urn:isbn:0451450523"),
        "a review": trace_act(EXPERT, "get", f"/review/{reference}/"),
        "a posted comment": trace_act(
            REGISTRANT,
            "post",
            f"/requests/{reference}/comment/",
            page=f"/requests/{reference}/",
            text="Which codes are meant?",
        ),
        "a posted decision": trace_act(
            EXPERT,
            "post",
            f"/review/{reference}/",
            verb="request_changes",
            comment="Please say more.",
            confirmed="True",
        ),
    }


def main() -> None:
    """Create the demonstration, trace, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", metavar="ACT", help="print the modules of one act, in order")
    chosen = parser.parse_args().list
    with tempfile.TemporaryDirectory(prefix="walk-") as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "registry.settings",
            "REGISTRY_CACHE_BYTES": "0",  # pages are rendered, not cached
            "REGISTRY_DATA_DIR": folder,
        }
        import django
        from django.core.management import call_command

        django.setup()
        with Path(os.devnull).open("w", encoding="ascii") as nothing:
            call_command("demonstration", stdout=nothing)
        traces = trace_acts()
    if chosen:
        print("\n".join(traces[chosen].modules))
        return
    print(f"{'':<20}{'modules':>9}{'functions':>11}{'queries':>9}")
    for act, trace in traces.items():
        print(f"{act:<20}{len(trace.modules):>9}{len(trace.functions):>11}{trace.queries:>9}")


if __name__ == "__main__":
    main()
