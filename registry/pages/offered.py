"""The steps that a request offers to its reader, and where each is taken."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from registry import rules
from registry.models import RegistrationRequest
from registry.rules import Person
from registry.workflow import VERBS, Transition, offers

OF_EXPERTS = frozenset(
    {
        "assign",
        "declare",
        "recuse",
        "reassign",
        "extend",
        "advise",
        "request_changes",
        "approve",
        "report",
        "decline",
    }
)
OF_THE_BODY = frozenset({"direct", "send_back", "refuse", "remand", "uphold"})
SENDING = frozenset({"submit", "revise"})


@dataclass(frozen=True, slots=True)
class Step:
    """A step open to the reader: where it is taken, and with what consequence."""

    label: str | Promise
    url: str
    consequence: str | Promise = ""
    is_main: bool = False


def steps(person: Person, registration_request: RegistrationRequest) -> list[Step]:
    """Return the steps open to `person`, as links to the pages where they are taken."""
    open_now = offers(registration_request, person)
    slug = registration_request.slug
    found = []
    if rules.may_edit(person, registration_request):
        edit = reverse("requests:edit", args=[slug, "identifier"])
        found.append(Step(_("Edit the draft"), edit, is_main=True))
    if any(transition.verb in OF_EXPERTS for transition in open_now):
        found.append(
            Step(_("Open the review page"), reverse("review:detail", args=[slug]), is_main=True)
        )
    found += [
        step_of(transition, slug) for transition in open_now if transition.verb not in OF_EXPERTS
    ]
    return found


def step_of(transition: Transition, slug: str) -> Step:
    """Return a step that anybody but an expert takes."""
    return Step(
        transition.label,
        own_page(transition.verb, slug) or reverse("requests:act", args=[slug, transition.verb]),
        transition.consequence,
        is_main=transition.verb in {"register", "direct"},
    )


def own_page(verb: str, slug: str) -> str:
    """Return the address of the page on which alone a step is taken; nothing for most."""
    if verb in SENDING:
        return reverse("requests:send", args=[slug])
    if verb == "register":
        return reverse("publish:detail", args=[slug])
    if verb in OF_THE_BODY:
        return reverse("direction:detail", args=[slug])
    if verb in {"assign", "declare", "recuse"}:
        return reverse("review:detail", args=[slug])
    if verb in {"reassign", "extend"}:
        return reverse(f"review:{verb}", args=[slug])
    return ""


def is_repeated(
    registration_request: RegistrationRequest, verb: str, person: Person, seen: int
) -> bool:
    """Whether `person` has just taken this very step: the second click of a double one."""
    if verb not in VERBS or registration_request.revision != seen + 1:
        return False
    last = registration_request.events.order_by("number").last()
    return last is not None and last.verb == verb and last.actor_id == person.pk
