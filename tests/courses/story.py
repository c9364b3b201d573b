"""What happens in a course: people act through the pages, on days of a clock that we move."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import time_machine

from registry.enums import RequestPath, State
from registry.models import RegistrationRequest, User
from registry.template import Template, write
from tests.courses.window import Window

UTC = datetime.UTC


class Story:
    """The requests of one course, the people who act in them, and the day it is."""

    def __init__(self, traveller: time_machine.Traveller) -> None:
        self.traveller = traveller

    def on(self, day: str) -> None:
        """Let it be that day, in the morning."""
        self.traveller.move_to(datetime.datetime.fromisoformat(f"{day}T09:00:00+00:00"))

    def later(self, days: float) -> None:
        """Let so many days go by."""
        self.traveller.shift(datetime.timedelta(days))

    def start(self, author: User, *, path: str = RequestPath.COMMUNITY, **answers: object) -> str:
        """Ask for a path and an identifier at Start; return the reference, in lower case."""
        asked: dict[str, object] = {
            "organization": "Northlight Seed Vault Federation",
            "summary": "Accessions held by federated seed vaults",
            "standards_action": "no",
        }
        window = Window(author).go("/requests/new/")
        window.press("Continue to the template", path=path, **{**asked, **answers})
        assert "/edit/" in window.url, window.text
        return window.url.split("/")[2]

    def write(self, author: User, reference: str, text: Template) -> None:
        """Bring a whole text into the draft, by pasting it."""
        window = Window(author).go(f"/requests/{reference}/paste/")
        window.press("Read it", text=write(text))
        window.press("Write into the draft")
        assert "written into the draft" in window.text, window.text

    def send(self, author: User, reference: str, comment: str = "") -> Window:
        """Send the draft as the next round."""
        window = Window(author).go(f"/requests/{reference}/send/")
        said = {"comment": comment} if comment else {}
        window.press("Send", **said)
        assert "is sent" in window.text, window.text
        return window

    def take(self, expert: User, reference: str) -> None:
        """Have an expert take the request."""
        window = Window(expert).go(f"/review/{reference}/")
        window.press("Take")
        assert "You have taken" in window.text, window.text

    def decide(self, expert: User, reference: str, verb: str, comment: str) -> Window:
        """Record a decision of an expert."""
        window = Window(expert).go(f"/review/{reference}/")
        window.press("Record decision", verb=verb, comment=comment)
        assert "Recorded for" in window.text, window.text
        return window

    def act(self, person: User, reference: str, verb: str, button: str, **said: object) -> Window:
        """Take a step on the page of its own that it has."""
        return Window(person).go(f"/requests/{reference}/act/{verb}/").press(button, **said)

    def publish(self, registrar: User, reference: str, confirmation: str, **said: object) -> Window:
        """Publish what is approved."""
        window = Window(registrar).go(f"/publish/{reference}/")
        window.press("Register and publish", confirmation=confirmation, **said)
        assert "Registered:" in window.text, window.text
        return window


def found(reference: str) -> RegistrationRequest:
    """Return the request as it stands."""
    return RegistrationRequest.objects.get(reference=reference.upper())


def state(reference: str) -> State:
    """Return where the request stands."""
    return State(found(reference).state)


def told(reference: str) -> list[str]:
    """Return what the journal tells of the request, verb by verb."""
    return list(found(reference).events.order_by("number").values_list("verb", flat=True))


def travelling() -> Iterator[Story]:
    """Give a story whose clock stands until it is moved on."""
    with time_machine.travel(datetime.datetime(2026, 1, 5, 9, tzinfo=UTC), tick=True) as traveller:
        yield Story(traveller)


def named(text: Template, nid: str) -> Template:
    """Return the same text for another NID, in its prose and its examples too."""
    return text.replace(**{name: text[name].replace(text.nid, nid) for name in text.to_dict()})


def with_round(text: Template, number: int) -> Template:
    """Return the text as a registrant changes it for round `number`."""
    return text.replace(assignment=f"{text.assignment}\n\nAgreed in round {number}.")
