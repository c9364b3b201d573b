"""The steps that a request offers to its reader, and where each is taken."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from registry import permissions, selectors
from registry.enums import RemarkWeight, Turn
from registry.models import RegistrationRequest, Remark
from registry.permissions import Person
from registry.presenters.remarks import get_answer_url
from registry.selectors.turns import join_names
from registry.template import PAGES
from registry.workflow import Transition, available_transitions
from registry.workflow.perform import explain_impossible_step as refusal_by_state


@dataclass(frozen=True, slots=True)
class AvailableStep:
    """A step open to the reader: where it is taken, and its consequences."""

    label: str | Promise
    url: str
    consequence: str | Promise = ""
    is_main: bool = False
    is_light: bool = False
    """Whether it ends or abandons something: then it is shown less prominently."""


LIGHT_VERBS = frozenset({"withdraw", "appeal"})


def list_available_steps(
    person: Person, registration_request: RegistrationRequest
) -> list[AvailableStep]:
    """Return the steps open to `person`, as links to the pages where they are taken."""
    open_now = available_transitions(registration_request, person)
    slug = registration_request.slug
    found = []
    if permissions.may_edit(person, registration_request):
        edit = find_editing_start(registration_request)
        found.append(AvailableStep(_("Edit the draft"), edit, is_main=True))
    pages = [transition.find_page(registration_request) for transition in open_now]
    on_review_page = any(page.startswith("review:") for page in pages)
    reviews = permissions.is_expert(person) or permissions.is_temporarily_assigned(
        person, registration_request
    )
    if reviews and on_review_page:
        page = reverse("review:detail", args=[slug])
        found.append(AvailableStep(_("Open the review page"), page, is_main=True))
    found += [
        build_available_step(transition, page, slug)
        for transition, page in zip(open_now, pages, strict=True)
        # Where no expert can judge, the standards body assigns one.
        if not (reviews and page.startswith("review:"))
    ]
    if permissions.may_invite(person, registration_request):
        found.append(AvailableStep(_("Invite co-editors"), reverse("requests:people", args=[slug])))
    return found


def build_available_step(transition: Transition, page: str, slug: str) -> AvailableStep:
    """Return a step that is not on the experts' page."""
    return AvailableStep(
        transition.label,
        reverse(page, args=[slug])
        if page
        else reverse("requests:act", args=[slug, transition.verb]),
        transition.consequence,
        is_main=transition.is_main,
        is_light=transition.verb in LIGHT_VERBS,
    )


def find_editing_start(registration_request: RegistrationRequest) -> str:
    """Return where editing begins: at the first open unanswered remark, else at the top."""
    return map_editing_starts([registration_request])[registration_request.pk]


def map_editing_starts(requests: Collection[RegistrationRequest]) -> dict[int, str]:
    """Return where editing begins in each of `requests`, by key, in one query."""
    starts = {
        each.pk: reverse("requests:edit", args=[each.slug, PAGES[0].slug]) for each in requests
    }
    unanswered = Remark.objects.open().unanswered().filter(registration_request__in=requests)
    # Must-fix remarks come first, then the earliest: reversed, since later ones overwrite earlier
    # ones.
    for remark in sorted(
        unanswered.select_related("registration_request"),
        key=lambda each: (each.weight == RemarkWeight.MUST_FIX, -each.number),
    ):
        starts[remark.registration_request_id] = get_answer_url(remark)
    return starts


def describe_who_may(transition: Transition, registration_request: RegistrationRequest) -> str:
    """Say who may take a step: the role, and the names that the request's page shows."""
    words = _("“%(label)s” is for %(role)s.") % {
        "label": transition.label,
        "role": transition.role,
    }
    names = name_permitted_people(transition.by.__name__, registration_request)
    return f"{words} {_('That is %(names)s.') % {'names': names}}" if names else words


def explain_unavailable_step(
    transition: Transition, registration_request: RegistrationRequest
) -> str:
    """Say that the state does not allow a step, and whose turn it is instead."""
    words = refusal_by_state(transition, registration_request)
    waiting = selectors.find_current_turn(registration_request)
    if waiting.turn != Turn.EXPERTS:
        return words
    names = join_names(waiting.people)
    return f"{words} {_('That is %(names)s.') % {'names': names}}" if names else words


def name_permitted_people(predicate: str, registration_request: RegistrationRequest) -> str:
    """Return the names for which a predicate of `registry.permissions` holds, if they are public.

    The history names the experts on a request, and its page the author; who else acts for the
    registrant is private.
    """
    if predicate == "is_registrant":
        return str(registration_request.author)
    if predicate != "is_assigned_expert":
        return ""
    active = registration_request.assignments.active().select_related("expert")
    people = [each.expert for each in active]
    return join_names(
        str(each) for each in people if permissions.is_assigned_expert(each, registration_request)
    )
