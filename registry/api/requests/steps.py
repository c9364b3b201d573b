"""The verbs of the table, for programs: which are open, what each asks for, and taking them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import PermissionDenied, ValidationError

from registry import rules, workflow
from registry.api.door import refusals_told
from registry.api.problems import InTheWay, refuse_invalid
from registry.choices import State
from registry.forms.act import FORMS, SOMETHING, StepForm
from registry.forms.assigning import ExpertForm, ExtendForm, HandOverForm, RecuseForm
from registry.forms.editor import SendForm
from registry.forms.publish import AmendForm, BounceForm, PublishForm
from registry.models import RegistrationRequest, User
from registry.pages.choosing import choices
from registry.pages.entry import Entry
from registry.pages.facts import Amendment
from registry.pages.offered import for_whom, impossible
from registry.reviewing import conflicts
from registry.reviewing.candidates import experts
from registry.rules import Person
from registry.workflow import Transition, conditions
from registry.workflow.step import Step
from registry.workflow.words import Words

Typed = Mapping[str, Any] | None
LEFT_OUT: Final[Mapping[str, frozenset[str]]] = {
    "assign": frozenset({"expert"}),
    "reroute": frozenset({"path", "standards_action"}),
}
"""What need not be said: who names no expert comes, and what is not changed stays as it is."""
HANGS_ON_WHAT_IS_SAID: Final = frozenset(
    {
        conditions.draft_as_seen,
        conditions.expert_can_judge,
        conditions.leaver_is_on_it,
        conditions.later_date,
        conditions.version_known,
        conditions.ground_given,
        conditions.proved,
    }
)
"""Conditions that say nothing of a step before it is known what is said with it."""


def form_of(
    registration_request: RegistrationRequest,
    transition: Transition,
    person: Person,
    typed: Typed = None,
) -> StepForm:
    """Return the form of the pages for the step, with what was said."""
    make = MAKERS.get(transition.verb) or FORMS.get(transition.verb, StepForm)
    return make(
        typed, registration_request=registration_request, transition=transition, actor=person
    )


def sending(typed: Typed, **asked: Any) -> StepForm:
    """Return the form that sends the draft."""
    draft = asked["registration_request"].draft
    return SendForm(typed, draft=draft, **asked) if draft else StepForm(typed, **asked)


def assigning(typed: Typed, **asked: Any) -> StepForm:
    """Return the form that puts an expert on: the lead names whom, others come themselves."""
    registration_request = asked["registration_request"]
    if not rules.may_lead(asked["actor"], registration_request):
        return StepForm(typed, **asked)
    return ExpertForm(typed, experts=choices(registration_request) if typed else [], **asked)


def handing_over(typed: Typed, **asked: Any) -> StepForm:
    """Return the form that has one expert leave and another come."""
    registration_request = asked["registration_request"]
    on_it = registration_request.assignments.active().select_related("expert")
    return HandOverForm(
        typed,
        experts=choices(registration_request) if typed else [],
        leavers=[each.expert for each in on_it],
        **asked,
    )


def extending(typed: Typed, **asked: Any) -> StepForm:
    """Return the form that puts the decision off."""
    return ExtendForm(typed, promised_by=asked["registration_request"].promised_by, **asked)


def stepping_back(typed: Typed, **asked: Any) -> StepForm:
    """Return the form for stepping back from one request, or from all of its organization."""
    return RecuseForm(typed, action="", **asked)


def registering(typed: Typed, **asked: Any) -> StepForm:
    """Return the form that publishes: an entry, or a change of facts."""
    registration_request = asked["registration_request"]
    if registration_request.changes_facts:
        amendment = Amendment.of(registration_request)
        needs_proof = bool(amendment.missing)
        return AmendForm(typed, asked=amendment.asked, needs_proof=needs_proof, **asked)
    entry = Entry.of(registration_request)
    return PublishForm(typed, asked=entry.asked, needs_version=entry.needs_version, **asked)


MAKERS: Final[Mapping[str, Callable[..., StepForm]]] = {
    "submit": sending,
    "revise": sending,
    "assign": assigning,
    "reassign": handing_over,
    "extend": extending,
    "recuse": stepping_back,
    "register": registering,
    "bounce": BounceForm,
}
"""Verbs whose forms are made for working screens; all others are made from the table alone."""


def obstacle(form: StepForm) -> Words:
    """Return what stands in the way of a step, whatever will be said with it."""
    if form.transition.verb in FORMS:
        return form.obstacle()
    assert form.actor is not None, "the forms of programs know who acts"
    step = Step(form.registration_request, form.actor, SOMETHING)
    needs = (need for need in form.transition.needs if need not in HANGS_ON_WHAT_IS_SAID)
    return next((words for need in needs if (words := need(step))), "")


def refuse_impossible(
    registration_request: RegistrationRequest, transition: Transition, person: Person
) -> None:
    """Refuse what the state does not allow, or not to this person; say who may."""
    if State(registration_request.state) not in transition.sources:
        raise InTheWay(impossible(transition, registration_request))
    if not transition.by(person, registration_request):
        raise PermissionDenied(for_whom(transition, registration_request))


def take(
    registration_request: RegistrationRequest,
    transition: Transition,
    person: User,
    said: Mapping[str, Any],
) -> None:
    """Take the step with what was said, by the form of the pages; raise what refuses it."""
    form = form_of(
        registration_request, transition, person, typed(registration_request, person, said)
    )
    refuse_what_is_not_asked(form, said)
    refuse_invalid(form)
    told = {name: value for name, value in form.cleaned_data.items() if name != "confirmation"}
    with refusals_told():
        if transition.verb == "recuse":
            conflicts.step_back(registration_request, person, **told)
        else:
            workflow.perform(registration_request, transition.verb, actor=person, **told)


def typed(
    registration_request: RegistrationRequest, person: User, said: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what was said as it would be typed, with the revision that was seen.

    What may be left out (`LEFT_OUT`) is filled in.
    """
    flag = "yes" if registration_request.standards_action else "no"
    stays = {"path": registration_request.path, "standards_action": flag, "expert": person.pk}
    on_it = User.objects.filter(assignments__in=registration_request.assignments.active())
    people = {"expert": experts(), "leaver": on_it}
    named = {name: key_of(name, people[name], said[name]) for name in people if name in said}
    return {**stays, "seen": registration_request.revision, **said, **named}


def key_of(name: str, among: QuerySet[User], address: str) -> int:
    """Return the key of who has that mail address, as the forms of pages name people."""
    found = among.filter(email__iexact=address).first()
    if found is None:
        raise ValidationError({name: [_("No expert who could be meant has this mail address.")]})
    return found.pk


def refuse_what_is_not_asked(form: StepForm, said: Mapping[str, Any]) -> None:
    """Refuse what the verb does not ask for: whoever said it expects something of it."""
    words = _("“%(label)s” does not ask for this.") % {"label": form.transition.label}
    unasked = said.keys() - (form.fields.keys() - {"seen"})
    if unasked:
        raise ValidationError({name: [words] for name in sorted(unasked)})
