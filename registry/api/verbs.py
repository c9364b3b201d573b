"""The verbs of the workflow: which are open, what each asks for, and taking them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import PermissionDenied, ValidationError

from registry import permissions, workflow
from registry.actions import conflicts_of_interest
from registry.actions.expert_assignment import list_experts
from registry.api.problems import Conflict, refuse_invalid_form
from registry.enums import State
from registry.forms.draft import SubmissionForm
from registry.forms.steps import (
    PLACEHOLDER_COMMENT,
    STEP_FORMS,
    AmendForm,
    BounceForm,
    ExpertForm,
    ExtendForm,
    HandOverForm,
    PublishForm,
    RecuseForm,
    StepForm,
)
from registry.models import RegistrationRequest, User
from registry.permissions import Person
from registry.presenters.available_steps import describe_who_may, explain_unavailable_step
from registry.presenters.facts import Amendment
from registry.presenters.publication import EntryPreview
from registry.presenters.reviewers import list_expert_choices
from registry.serializers.values import JSONObject, build_url
from registry.workflow import Transition, conditions
from registry.workflow.step import Step
from registry.workflow.verb_labels import Words

StepValues = Mapping[str, Any] | None
OPTIONAL_FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "assign": frozenset({"expert"}),
    "reroute": frozenset({"path", "standards_action"}),
}
"""What need not be said: who names no expert comes, and what is not changed stays as it is."""
INPUT_CONDITIONS: Final = frozenset(
    {
        conditions.draft_as_seen,
        conditions.expert_can_judge,
        conditions.leaver_is_on_it,
        conditions.later_date,
        conditions.version_known,
        conditions.ground_given,
        conditions.transfer_proved,
    }
)
"""Conditions that say nothing of a step before it is known what is said with it."""


def make_verb_form(
    registration_request: RegistrationRequest,
    transition: Transition,
    person: Person,
    typed: StepValues = None,
) -> StepForm:
    """Return the form of the pages for the step, with what was said."""
    make = FORM_FACTORIES.get(transition.verb) or STEP_FORMS.get(transition.verb, StepForm)
    return make(
        typed, registration_request=registration_request, transition=transition, actor=person
    )


def make_submit_form(typed: StepValues, **asked: Any) -> StepForm:
    """Return the form that sends the draft."""
    draft = asked["registration_request"].draft
    return SubmissionForm(typed, draft=draft, **asked) if draft else StepForm(typed, **asked)


def make_assign_form(typed: StepValues, **asked: Any) -> StepForm:
    """Return the form that puts an expert on: the lead names whom, others come themselves."""
    registration_request = asked["registration_request"]
    if not permissions.may_lead(asked["actor"], registration_request):
        return StepForm(typed, **asked)
    return ExpertForm(
        typed, experts=list_expert_choices(registration_request) if typed else [], **asked
    )


def make_reassign_form(typed: StepValues, **asked: Any) -> StepForm:
    """Return the form that has one expert leave and another come."""
    registration_request = asked["registration_request"]
    on_it = registration_request.assignments.active().select_related("expert")
    return HandOverForm(
        typed,
        experts=list_expert_choices(registration_request) if typed else [],
        leavers=[each.expert for each in on_it],
        **asked,
    )


def make_extend_form(typed: StepValues, **asked: Any) -> StepForm:
    """Return the form that puts the decision off."""
    return ExtendForm(typed, promised_by=asked["registration_request"].promised_by, **asked)


def make_recuse_form(typed: StepValues, **asked: Any) -> StepForm:
    """Return the form for stepping back from one request, or from all of its organization."""
    return RecuseForm(typed, action="", **asked)


def make_register_form(typed: StepValues, **asked: Any) -> StepForm:
    """Return the form that publishes: an entry, or a change of facts."""
    registration_request = asked["registration_request"]
    if registration_request.changes_facts:
        amendment = Amendment.of(registration_request)
        needs_proof = bool(amendment.missing)
        return AmendForm(typed, asked=amendment.asked, needs_proof=needs_proof, **asked)
    entry = EntryPreview.of(registration_request)
    return PublishForm(typed, asked=entry.asked, needs_version=entry.needs_version, **asked)


FORM_FACTORIES: Final[Mapping[str, Callable[..., StepForm]]] = {
    "submit": make_submit_form,
    "revise": make_submit_form,
    "assign": make_assign_form,
    "reassign": make_reassign_form,
    "extend": make_extend_form,
    "recuse": make_recuse_form,
    "register": make_register_form,
    "bounce": BounceForm,
}
"""Verbs whose forms are made for working screens; all others are made from the table alone."""


def find_verb_obstacle(form: StepForm) -> Words:
    """Return what stands in the way of a step, whatever will be said with it."""
    if form.transition.verb in STEP_FORMS:
        return form.obstacle()
    assert form.actor is not None, "the forms of programs know who acts"
    step = Step(form.registration_request, form.actor, PLACEHOLDER_COMMENT)
    needs = (need for need in form.transition.needs if need not in INPUT_CONDITIONS)
    return next((words for need in needs if (words := need(step))), "")


def refuse_impossible_verb(
    registration_request: RegistrationRequest, transition: Transition, person: Person
) -> None:
    """Refuse what the state does not allow, or not to this person; say who may."""
    if State(registration_request.state) not in transition.sources:
        raise Conflict(explain_unavailable_step(transition, registration_request))
    if not transition.by(person, registration_request):
        raise PermissionDenied(describe_who_may(transition, registration_request))


def perform_verb(
    registration_request: RegistrationRequest,
    transition: Transition,
    person: User,
    said: Mapping[str, Any],
) -> None:
    """Take the step with what was said, by the form of the pages; raise what refuses it."""
    form = make_verb_form(
        registration_request,
        transition,
        person,
        convert_step_input(registration_request, person, said),
    )
    refuse_unknown_fields(form, said)
    refuse_invalid_form(form)
    told = {name: value for name, value in form.cleaned_data.items() if name != "confirmation"}
    if transition.verb == "recuse":
        conflicts_of_interest.step_back_from_request(registration_request, person, **told)
    else:
        workflow.perform(registration_request, transition.verb, actor=person, **told)


def convert_step_input(
    registration_request: RegistrationRequest, person: User, said: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what was said as it would be typed, with the revision that was seen.

    What may be left out (`OPTIONAL_FIELDS`) is filled in.
    """
    flag = "yes" if registration_request.standards_action else "no"
    stays = {"path": registration_request.path, "standards_action": flag, "expert": person.pk}
    on_it = User.objects.filter(permissions.q_person_has_taken(registration_request))
    people = {"expert": list_experts(), "leaver": on_it}
    named = {
        name: find_person_key(name, people[name], said[name]) for name in people if name in said
    }
    return {**stays, "seen": registration_request.revision, **said, **named}


def find_person_key(name: str, among: QuerySet[User], address: str) -> int:
    """Return the key of who has that mail address, as the forms of pages name people."""
    found = among.filter(email__iexact=address).first()
    if found is None:
        raise ValidationError({name: [_("No expert who could be meant has this mail address.")]})
    return found.pk


def refuse_unknown_fields(form: StepForm, said: Mapping[str, Any]) -> None:
    """Refuse what the verb does not ask for: whoever said it expects something of it."""
    words = _("“%(label)s” does not ask for this.") % {"label": form.transition.label}
    unasked = said.keys() - (form.fields.keys() - {"seen"})
    if unasked:
        raise ValidationError({name: [words] for name in sorted(unasked)})


PERSON_FIELDS = frozenset({"expert", "leaver"})
"""Fields that name people by mail address, which the API lists of nobody."""
BOOLEAN_FIELDS = frozenset({"standards_action", "for_good"})


def serialize_verbs(
    registration_request: RegistrationRequest, reader: Person, site: str
) -> list[JSONObject]:
    """Return the verbs open to the reader, each made from its form on the pages."""
    offered = workflow.available_transitions(registration_request, reader)
    made = (make_verb_form(registration_request, each, reader) for each in offered)
    return [serialize_verb(form, site) for form in made]


def serialize_verb(form: StepForm, site: str) -> JSONObject:
    """Return a verb of the table, and what can be said with it."""
    transition = form.transition
    return {
        "verb": transition.verb,
        "label": str(transition.label),
        "consequence": str(transition.consequence),
        "obstacle": str(find_verb_obstacle(form)),
        "asks": [
            {
                "name": name,
                "label": str(field.label or name),
                "required": field.required and name not in find_defaulted_fields(form),
                "choices": list_field_choices(name, field),
            }
            for name, field in form.fields.items()
            if name != "seen"
        ],
        "url": build_url(site, "api:verb", form.registration_request.slug, transition.verb),
    }


def find_defaulted_fields(form: StepForm) -> frozenset[str]:
    """Return what a step takes from the request, or from who asks, where it is left out."""
    return OPTIONAL_FIELDS.get(form.transition.verb, frozenset())


def list_field_choices(name: str, field: forms.Field) -> list[str]:
    """Return what can be chosen, where there is a choice."""
    if name in PERSON_FIELDS | BOOLEAN_FIELDS or not isinstance(field, forms.ChoiceField):
        return []
    offered: Any = field.choices
    return [str(value) for value, _label in offered]
