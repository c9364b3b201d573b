"""People who open a page, or call the API, and send what they read there later, or never.

What was read before somebody else acted decides nothing: a form says which revision it was read
from, and so does `If-Match`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.core.cache import cache
from django.urls import reverse
from hypothesis import strategies as st
from lxml import html

from registry import workflow
from registry.models import RegistrationRequest, User
from registry.workflow import VERBS, Transition
from tests.api.clients import Program
from tests.courses.window import Window, fill
from tests.workflow.players import Players

MOST_OPENED: Final = 6
OUTDATED: Final = 412
REFUSED: Final = {400, 401, 403, 404, 409, OUTDATED, 422, 429}
TAKEN: Final = {200, 201}


@dataclass(frozen=True)
class OpenedForm:
    """An open step: the person, the request, the revision, and sending it."""

    person: User
    reference: str
    seen: int
    send: Callable[[], int]


class FormPlayers(Players):
    """People who act through pages and programs."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[OpenedForm] = []

    def open_form(self, data: st.DataObject) -> None:
        """Somebody opens the page of a step that is open to them, or reads it through the API."""
        asked = self.request(data)
        offered = [
            (person, each.verb)
            for person in self.cast.people
            for each in workflow.available_transitions(asked, person)
        ]
        if not offered or len(self.opened) >= MOST_OPENED:
            return
        cache.clear()
        person, verb = self.one(data, offered)
        opens = self.one(data, (self.read_page, self.read_record))
        opens(data, asked, person, VERBS[verb])

    def read_page(
        self,
        data: st.DataObject,
        asked: RegistrationRequest,
        person: User,
        transition: Transition,
    ) -> None:
        """Open the page of the step, and fill in its form, if there is one."""
        window = Window(person).go(find_page(asked, transition))
        assert window.response.status_code in {200, *REFUSED}, window.url
        self.fill_in(data, window, asked, person)

    def fill_in(
        self, data: st.DataObject, window: Window, asked: RegistrationRequest, person: User
    ) -> None:
        """Fill in one of the forms of a page that take a step, without sending it."""
        forms = list_step_forms(window)
        if not forms:
            return
        form = self.one(data, forms)
        said = find_answers(asked)
        for name in set(form.fields.keys()) & said.keys():
            fill(form, name, said[name])
        choices = form.inputs["verb"] if "verb" in form.fields else None
        if isinstance(choices, html.RadioGroup):
            choices.value = self.one(data, sorted(choices.value_options))
        sent = [(name, value) for name, value in form.form_values()]
        buttons = form.xpath(".//button[not(@type) or @type='submit'] | .//input[@type='submit']")
        pressed = self.one(data, buttons) if buttons else form
        if pressed.get("name") and pressed is not form:
            sent.append((pressed.get("name"), pressed.get("value", "")))

        def send() -> int:
            window.sign_in_again()
            status = window.send(form, pressed, sent).response.status_code
            if status == 200:
                # A decision is previewed first; that page is one more that is open.
                self.fill_in(data, window, asked, person)
            return status

        seen = int(form.fields["seen"] or 0)
        self.opened.append(OpenedForm(person, asked.reference, seen, send))

    def read_record(
        self,
        data: st.DataObject,
        asked: RegistrationRequest,
        person: User,
        transition: Transition,
    ) -> None:
        """Read the request as a program does, with the step and its fields."""
        program, path = Program.of(person), f"{asked.slug}/"
        answer = program.get(path)
        if answer.status_code != 200:
            assert answer.status_code in REFUSED
            return
        record = answer.json()
        step = next(each for each in record["verbs"] if each["verb"] == transition.verb)
        said = find_answers(asked)
        words = {each["name"]: said[each["name"]] for each in step["asks"] if each["name"] in said}
        verb, seen = transition.verb, record["revision"]
        self.opened.append(
            OpenedForm(
                person,
                asked.reference,
                seen,
                lambda: program.post(f"{path}verbs/{verb}/", words, seen).status_code,
            )
        )

    def send_form(self, data: st.DataObject) -> None:
        """Somebody sends what they opened, whatever has happened since."""
        if not self.opened:
            return
        form = self.opened.pop(data.draw(st.integers(0, len(self.opened) - 1)))
        asked = RegistrationRequest.objects.get(reference=form.reference)
        taken = asked.events.filter(verb__in=VERBS, actor=form.person)
        before, revision = taken.count(), asked.revision
        cache.clear()

        status = form.send()

        assert status in TAKEN | REFUSED, status
        if form.seen != revision:
            assert taken.count() == before, f"{form} decided, from a page that was out of date"


def find_page(asked: RegistrationRequest, transition: Transition) -> str:
    """Return the address of the page on which a step is taken."""
    if page := transition.find_page(asked):
        return reverse(page, args=[asked.slug])
    return reverse("requests:act", args=[asked.slug, transition.verb])


def list_step_forms(window: Window) -> list[html.FormElement]:
    """Return the forms of a page that say which revision they were read from."""
    if not window.response.headers["Content-Type"].startswith("text/html"):
        return []
    return [each for each in window.page.forms if each.fields.get("seen")]


def find_answers(asked: RegistrationRequest) -> dict[str, Any]:
    """Return input for the fields of steps, by name."""
    last = asked.last_round
    named = asked.reference if asked.is_informal and not asked.namespace_id else ""
    return {
        "comment": "For good reasons.",
        "unanswered": "The text answers them.",
        "haste": "A conference starts tomorrow.",
        "acts_for": "She signs its letters.",
        "proof": "A deed.",
        "confirmation": named or (last.nid if last and last.nid else asked.nid),
        "last_version": "2",
        "last_version_source": "A letter.",
        "rfc": "9999",
        "section": "5",
        "address": "expert@people.example",
    }
