"""The steps that a request offers to its reader, and where each is taken."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import Turn
from registry.models import RegistrationRequest
from registry.permissions import Person
from registry.selectors.turns import join_names
from registry.workflow import Transition, available_transitions
from registry.workflow.perform import explain_impossible_step as refusal_by_state


@dataclass(frozen=True, slots=True)
class AvailableStep:
    """A step open to the reader: where it is taken, and with what consequence."""

    label: str | Promise
    url: str
    consequence: str | Promise = ""
    is_main: bool = False


def list_available_steps(
    person: Person, registration_request: RegistrationRequest
) -> list[AvailableStep]:
    """Return the steps open to `person`, as links to the pages where they are taken."""
    open_now = available_transitions(registration_request, person)
    slug = registration_request.slug
    found = []
    if permissions.may_edit(person, registration_request):
        edit = reverse("requests:edit", args=[slug, "identifier"])
        found.append(AvailableStep(_("Edit the draft"), edit, is_main=True))
    if any(transition.is_on_review_page for transition in open_now):
        found.append(
            AvailableStep(
                _("Open the review page"), reverse("review:detail", args=[slug]), is_main=True
            )
        )
    found += [
        build_available_step(transition, slug)
        for transition in open_now
        if not transition.is_on_review_page
    ]
    if permissions.may_invite(person, registration_request):
        found.append(AvailableStep(_("Invite co-editors"), reverse("requests:people", args=[slug])))
    return found


def build_available_step(transition: Transition, slug: str) -> AvailableStep:
    """Return a step that anybody but an expert takes."""
    return AvailableStep(
        transition.label,
        get_step_url(transition, slug),
        transition.consequence,
        is_main=transition.is_main,
    )


def get_step_url(transition: Transition, slug: str) -> str:
    """Return where a step is taken: on a page of its own kind, or on the one for all others."""
    if transition.page:
        return reverse(transition.page, args=[slug])
    return reverse("requests:act", args=[slug, transition.verb])


def describe_who_may(transition: Transition, registration_request: RegistrationRequest) -> str:
    """Say who may take a step: the role, and the names that the page of the request tells."""
    words = _("“%(label)s” is for %(role)s.") % {
        "label": transition.label,
        "role": transition.role,
    }
    names = name_permitted_people(transition.by.__name__, registration_request)
    return f"{words} {_('That is %(names)s.') % {'names': names}}" if names else words


def explain_unavailable_step(
    transition: Transition, registration_request: RegistrationRequest
) -> str:
    """Say that the state does not allow a step, and for whom the request waits instead."""
    words = refusal_by_state(transition, registration_request)
    if registration_request.turn != Turn.EXPERTS:
        return words
    names = name_permitted_people("is_assigned_expert", registration_request)
    return f"{words} {_('That is %(names)s.') % {'names': names}}" if names else words


def name_permitted_people(predicate: str, registration_request: RegistrationRequest) -> str:
    """Return the names of those a predicate of `registry.permissions` holds for, where they are
    public.

    The history tells the experts on a request, and its page the author; who else acts for the
    registrant, or holds a role, is told nowhere.
    """
    if predicate in {"is_registrant", "may_withdraw"}:
        return str(registration_request.author)
    assignments = registration_request.assignments.select_related("expert")
    if predicate == "is_assigned_expert":
        return join_names(str(each.expert) for each in assignments.declared())
    if predicate == "has_to_declare":
        return join_names(str(each.expert) for each in assignments.undeclared())
    return ""
