"""The events of a story: people act through the pages, on days of a clock that we move."""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Iterator

import time_machine
from django.conf import settings
from django.utils import timezone

from registry import scheduler
from registry.enums import LetterDelivery, RequestPath, State
from registry.models import Letter, RegistrationRequest, User
from registry.notifications.outbox import send_letter
from registry.template import Template, write
from tests.courses.window import Window
from tests.days import let_days_pass, record_days

UTC = datetime.UTC
EXPLANATIONS = {
    "unanswered": "The text answers them.",
    "haste": "Its users have waited for a year.",
    "acts_for": "She signs the letters of the federation.",
}
"""What experts explain where they are asked to."""


class Story:
    """The requests of one story, its people, and its current day."""

    def __init__(self, traveller: time_machine.Traveller) -> None:
        self.traveller = traveller

    def on(self, day: str) -> None:
        """Go to that day, in the morning; the scheduler runs on each day until then."""
        since = timezone.now()
        self.traveller.move_to(datetime.datetime.fromisoformat(f"{day}T09:00:00+00:00"))
        record_days(since, timezone.now())

    def later(self, days: float) -> None:
        """Let some days pass, on each of which the scheduler runs."""
        let_days_pass(self.traveller, days)

    def stand_still(self) -> None:
        """Stop the clock, so that everything happens at the same time."""
        self.traveller.move_to(datetime.datetime.now(UTC), tick=False)

    def pass_days(self, number: int, step: int = 1) -> None:
        """Run the scheduler for a number of days, daily or every few days."""
        for _time in range(0, number, step):
            self.later(step)
            assert scheduler.tick().failures == []

    def start(self, author: User, *, path: str = RequestPath.COMMUNITY, **answers: object) -> str:
        """Choose a path and an identifier at Start; return the reference, in lower case."""
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
        """Put a whole text into the draft, by pasting it."""
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
        window.press("Check your decision", verb=verb, comment=comment)
        asked = window.form_with("Record decision")[0].fields
        window.press(
            "Record decision",
            **{name: EXPLANATIONS[name] for name in EXPLANATIONS if name in asked},
        )
        assert "Recorded for" in window.text, window.text
        return window

    def act(self, person: User, reference: str, verb: str, button: str, **said: object) -> Window:
        """Take a step on its own page."""
        return Window(person).go(f"/requests/{reference}/act/{verb}/").press(button, **said)

    def publish(self, registrar: User, reference: str, confirmation: str, **said: object) -> Window:
        """Publish what is approved, once the discussion list has got the text."""
        deliver()
        window = Window(registrar).go(f"/publish/{reference}/")
        window.press("Register and publish", confirmation=confirmation, **said)
        assert "Registered:" in window.text, window.text
        return window


def found(reference: str) -> RegistrationRequest:
    """Return the current request."""
    return RegistrationRequest.objects.get(reference=reference.upper())


def state(reference: str) -> State:
    """Return the state of the request."""
    return State(found(reference).state)


def list_verbs(reference: str) -> list[str]:
    """Return the verbs of the request's events."""
    return list(found(reference).events.order_by("number").values_list("verb", flat=True))


def travelling() -> Iterator[Story]:
    """Return a story whose clock stands still until it is moved."""
    with time_machine.travel(datetime.datetime(2026, 1, 5, 9, tzinfo=UTC), tick=True) as traveller:
        yield Story(traveller)


def named(text: Template, nid: str) -> Template:
    """Return the same text for another NID, including its prose and examples."""
    return text.replace(**{name: text[name].replace(text.nid, nid) for name in text.to_dict()})


def with_round(text: Template, number: int) -> Template:
    """Return the text as a registrant changes it for round `number`."""
    return text.replace(assignment=f"{text.assignment}\n\nAgreed in round {number}.")


# Letters


def deliver() -> None:
    """Send what is waiting, as the worker does."""
    waiting = Letter.objects.waiting().filter(delivery=LetterDelivery.AT_ONCE)
    for key in waiting.order_by("pk").values_list("pk", flat=True):
        assert send_letter.call(key) in {"sent", "dropped"}


def letters() -> dict[str, str]:
    """Return the events that each person, and each address without an account, got letters about.

    In the order of the letters; repetitions in a row are given once with a count.
    """
    deliver()
    sent = Letter.objects.exclude(sent_at=None).order_by("pk").select_related("recipient", "event")
    subjects: dict[str, list[str]] = {}
    for letter in sent:
        address = "the list" if letter.address == settings.REGISTRY_LIST_ADDRESS else letter.address
        reader = letter.recipient.name if letter.recipient else address
        subjects.setdefault(reader, []).append(subject_of(letter))
    return {reader: " ".join(count_repetitions(words)) for reader, words in subjects.items()}


def subject_of(letter: Letter) -> str:
    """Return the event that a letter is about, or which reminder of a series it is."""
    if letter.event is None:
        return letter.key.partition(":")[0]
    return str(letter.event.data.get("kind", letter.event.verb))


def count_repetitions(words: list[str]) -> Iterator[str]:
    """Yield the words, repeated ones once with their count."""
    for word, same in itertools.groupby(words):
        number = len(list(same))
        yield word if number == 1 else f"{word}*{number}"


def last_letter(address: str, **about: object) -> Letter:
    """Return the last letter to an address."""
    return Letter.objects.filter(address=address, **about).latest("pk")


def link_in(letter: Letter, start: str = "/") -> str:
    """Return the path of the first link in a letter that begins with that."""
    links: list[str] = re.findall(r"https?://[^/\s]+(/\S*)", letter.text)
    return next(link for link in links if link.startswith(start))
