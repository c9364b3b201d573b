"""People for a play: who they are, and how they try things."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, ClassVar, Final

import time_machine
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine

from registry import permissions, workflow
from registry.enums import (
    AppealGround,
    AppealOutcome,
    EvidenceAbout,
    RequestPath,
    Role,
    Ruling,
)
from registry.models import Event, RegistrationRequest, User
from registry.permissions import Person
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_speak_for,
)
from tests.workflow.invariants import InvariantChecker

FIRST_DAY: Final = datetime.datetime(2026, 3, 2, 9, tzinfo=datetime.UTC)
MOST_REQUESTS: Final = 4
SPAN: Final = datetime.timedelta(-2), datetime.timedelta(60)


class Cast:
    """People of every role, some of whom have a stake somewhere, and their organizations.

    They are reread each time: what one did a moment ago may have changed what another is.
    """

    def __init__(self) -> None:
        self.vault, self.museum = (
            OrganizationFactory.create(name=name) for name in ("Seed vault", "Museum of letters")
        )
        created = [
            UserFactory.create(name="Author"),
            UserFactory.create(name="Author who is an expert", roles=[Role.EXPERT]),
            UserFactory.create(name="Expert", roles=[Role.EXPERT]),
            UserFactory.create(name="Other expert", roles=[Role.EXPERT]),
            UserFactory.create(name="Lead", roles=[Role.LEAD]),
            UserFactory.create(name="Lead of V", roles=[Role.LEAD], organization=self.vault),
            UserFactory.create(name="Registrar", roles=[Role.REGISTRAR]),
            UserFactory.create(name="Body", roles=[Role.STANDARDS_BODY]),
            UserFactory.create(
                name="Body and registrar", roles=[Role.STANDARDS_BODY, Role.REGISTRAR]
            ),
            UserFactory.create(name="Outsider"),
            UserFactory.create(name="Admin", roles=[Role.ADMINISTRATOR], is_staff=True),
            UserFactory.create(name="Other delegate of V"),
            UserFactory.create(name="Heir"),
        ]
        self.keys = [each.pk for each in created]
        let_speak_for(self.vault, created[0], created[11])
        let_speak_for(self.museum, created[12])
        NamespaceFactory.create(nid="imported", last_known_version="2", registrant=self.vault)

    @property
    def people(self) -> list[User]:
        """Everyone, in the order in which they were created."""
        found = User.objects.in_bulk(self.keys)
        return [found[key] for key in self.keys]


class Players(RuleBasedStateMachine):
    """People who act on a few requests; each example starts again."""

    cast: ClassVar[Cast]

    def __init__(self) -> None:
        super().__init__()
        self.days = time_machine.travel(FIRST_DAY, tick=False)
        self.traveller = self.days.start()
        self.example = transaction.atomic()
        self.example.__enter__()
        self.checker = InvariantChecker()

    def teardown(self) -> None:
        """Roll back the example."""
        transaction.set_rollback(True)
        self.example.__exit__(None, None, None)
        self.days.stop()

    def one(self, data: st.DataObject, things: Any) -> Any:
        """Return a random one of `things`."""
        return data.draw(st.sampled_from(list(things)))

    def request(self, data: st.DataObject) -> RegistrationRequest:
        """Return one of the requests."""
        found: RegistrationRequest = self.one(data, RegistrationRequest.objects.order_by("pk"))
        return found

    def everybody(self) -> list[Person]:
        """Return who acts: the people, and the scheduler."""
        return [*self.cast.people, permissions.CLOCK]

    def is_full(self) -> bool:
        """Whether there are as many requests as can be looked after."""
        return RegistrationRequest.objects.live().count() >= MOST_REQUESTS

    def attempt(self, act: Callable[[], object]) -> None:
        """Try it; if it is refused, nothing has changed."""
        before = Event.objects.count(), list(RegistrationRequest.objects.values().order_by("pk"))
        try:
            with transaction.atomic():
                act()
        except workflow.ActionRefused:
            after = Event.objects.count(), list(RegistrationRequest.objects.values().order_by("pk"))
            assert after == before

    def today(self) -> datetime.date:
        """Return the day it is."""
        return datetime.datetime.now(datetime.UTC).date()

    def perform(
        self,
        data: st.DataObject,
        registration_request: RegistrationRequest,
        verb: str,
        person: Person,
        **more: Any,
    ) -> None:
        """Try a step, with valid or invalid input."""
        said: dict[str, dict[str, Callable[[], Any]]] = {
            "assign": {
                "expert": lambda: self.one(data, (person, *self.cast.people)),
                "leaver": lambda: self.one(data, (None, None, *self.cast.people)),
            },
            "recuse": {"leaver": lambda: self.one(data, (None, None, *self.cast.people))},
            "extend": {"due_on": lambda: self.today() + data.draw(st.timedeltas(*SPAN))},
            "record_evidence": {
                "about": lambda: self.one(data, EvidenceAbout),
                "rfc": lambda: self.one(data, ("9999", "9999", "")),
                "section": lambda: "5",
            },
            "direct": {"ruling": lambda: self.one(data, ("", *Ruling))},
            "appeal": {"ground": lambda: self.one(data, AppealGround)},
            "decide_appeal": {"outcome": lambda: self.one(data, AppealOutcome)},
            "reroute": {
                "path": lambda: self.one(data, RequestPath),
                "standards_action": lambda: data.draw(st.booleans()),
            },
            "register": {
                "last_version": lambda: self.one(data, ("", "2")),
                "last_version_source": lambda: "A letter",
            },
        }
        told = {name: draw() for name, draw in said.get(verb, {}).items()} | more
        told["comment"] = self.one(data, ("Because.", "For good reasons.", "It is so.", ""))
        self.attempt(lambda: workflow.perform(registration_request, verb, actor=person, **told))
