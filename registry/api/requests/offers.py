"""The verbs open to whoever asks, each with what follows, what it asks for and what bars it."""

from __future__ import annotations

from typing import Any

from django import forms

from registry import workflow
from registry.api.requests import steps
from registry.forms.act import StepForm
from registry.models import RegistrationRequest
from registry.pages.told.written import Told, at
from registry.rules import Person

PEOPLE = frozenset({"expert", "leaver"})
"""Fields that name people by mail address, which the API lists of nobody."""
TRUE_OR_FALSE = frozenset({"standards_action", "for_good"})


def verbs_told(registration_request: RegistrationRequest, reader: Person, site: str) -> list[Told]:
    """Return the verbs open to the reader, each made from its form on the pages."""
    offered = workflow.offers(registration_request, reader)
    made = (steps.form_of(registration_request, each, reader) for each in offered)
    return [verb_told(form, site) for form in made]


def verb_told(form: StepForm, site: str) -> Told:
    """Return a verb of the table, and what can be said with it."""
    transition = form.transition
    return {
        "verb": transition.verb,
        "label": str(transition.label),
        "consequence": str(transition.consequence),
        "obstacle": str(steps.obstacle(form)),
        "asks": [
            {
                "name": name,
                "label": str(field.label or name),
                "required": field.required and name not in stays(form),
                "choices": choices(name, field),
            }
            for name, field in form.fields.items()
            if name != "seen"
        ],
        "url": at(site, "api:verb", form.registration_request.slug, transition.verb),
    }


def stays(form: StepForm) -> frozenset[str]:
    """Return what a step takes from the request, or from who asks, where it is left out."""
    return steps.LEFT_OUT.get(form.transition.verb, frozenset())


def choices(name: str, field: forms.Field) -> list[str]:
    """Return what can be chosen, where there is a choice."""
    if name in PEOPLE | TRUE_OR_FALSE or not isinstance(field, forms.ChoiceField):
        return []
    offered: Any = field.choices
    return [str(value) for value, _label in offered]
