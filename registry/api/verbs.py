"""The verbs of the workflow: which are open, what each asks for, and taking them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied, ValidationError

from registry import permissions
from registry.api.problems import Conflict, refuse_invalid_form
from registry.enums import State, VerbKind
from registry.forms.steps import StepForm, build_step_form
from registry.models import RegistrationRequest, User
from registry.permissions import Person
from registry.presenters.available_steps import describe_who_may, explain_unavailable_step
from registry.selectors.experts import list_experts
from registry.serializers.base import JSONObject, OutputSerializer, SiteURLField, text_field
from registry.workflow import Transition
from registry.workflow.conditions import may_assign_anybody
from registry.workflow.drafts import find_licence_to_agree_to


def refuse_impossible_verb(
    registration_request: RegistrationRequest, transition: Transition, person: Person
) -> None:
    """Refuse a verb that the state does not allow, or not to this person; say who may."""
    if State(registration_request.state) not in transition.sources:
        raise Conflict(explain_unavailable_step(transition, registration_request))
    if not transition.by(person, registration_request):
        missing = permissions.explain_missing_factor(person)
        raise PermissionDenied(missing or describe_who_may(transition, registration_request))


def perform_verb(
    registration_request: RegistrationRequest,
    transition: Transition,
    person: User,
    said: Mapping[str, Any],
) -> None:
    """Take the step with the input, using the page's form; raise its errors."""
    posted = convert_step_input(registration_request, person, said)
    form = build_step_form(registration_request, transition, person, posted)
    refuse_unknown_fields(form, said)
    refuse_invalid_form(form)
    form.perform(person)


def convert_step_input(
    registration_request: RegistrationRequest, person: User, said: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the input as a person would type it, with the revision they saw.

    What programs may omit (`StepForm.programs_may_omit`) is filled in.
    """
    flag = "yes" if registration_request.standards_action else "no"
    stays: dict[str, Any] = {
        "path": registration_request.path,
        "standards_action": flag,
        "expert": person.pk,
    }
    on_it = User.objects.filter(permissions.q_person_has_taken(registration_request))
    people = {"leaver": on_it}
    if may_assign_anybody(person, registration_request):
        stays["expert"] = person.email
    else:
        people["expert"] = list_experts()
    named = {
        name: find_person_key(name, people[name], said[name]) for name in people if name in said
    }
    return {**stays, "seen": registration_request.revision, **said, **named}


def find_person_key(name: str, among: QuerySet[User], address: str) -> int:
    """Return the key of the person with that mail address, as the pages' forms name people."""
    found = among.filter(email__iexact=address).first()
    if found is None:
        raise ValidationError({name: [_("No expert who could be meant has this email address.")]})
    return found.pk


def refuse_unknown_fields(form: StepForm, said: Mapping[str, Any]) -> None:
    """Refuse input that the verb does not use: the caller expects it to have an effect."""
    words = _("“%(label)s” does not ask for this.") % {"label": form.transition.label}
    unasked = said.keys() - (form.fields.keys() - {"seen"})
    if unasked:
        raise ValidationError({name: [words] for name in sorted(unasked)})


PERSON_FIELDS = frozenset({"expert", "leaver"})
"""Fields that name people by mail address; the API does not list their choices."""
BOOLEAN_FIELDS = frozenset({"changed_elsewhere", "standards_action", "for_good"})


class VerbFieldSerializer(OutputSerializer[tuple[StepForm, str]]):
    """One field that a verb asks for."""

    name = serializers.SerializerMethodField()
    label_ = serializers.SerializerMethodField()
    required_ = serializers.SerializerMethodField()
    choices = serializers.SerializerMethodField(help_text="Empty where anything can be said.")

    @extend_schema_field(serializers.CharField())
    def get_name(self, asked: tuple[StepForm, str]) -> str:
        """Return the name of its input field."""
        return asked[1]

    @extend_schema_field(serializers.CharField())
    def get_label(self, asked: tuple[StepForm, str]) -> str:
        """Return its label on the page."""
        form, name = asked
        return str(form.fields[name].label or name)

    @extend_schema_field(serializers.BooleanField())
    def get_required(self, asked: tuple[StepForm, str]) -> bool:
        """Return whether it is required."""
        form, name = asked
        return form.fields[name].required and name not in form.programs_may_omit

    def get_choices(self, asked: tuple[StepForm, str]) -> list[str]:
        """Return the choices."""
        form, name = asked
        return list_field_choices(name, form.fields[name])


class VerbSerializer(OutputSerializer[StepForm]):
    """A verb of the workflow that is open to the caller."""

    verb = text_field(source="transition.verb")
    label_ = text_field("What its button says.", source="transition.label")
    consequence = text_field("What follows from it.", source="transition.consequence")
    text_licence = serializers.SerializerMethodField(
        help_text="Under which licence, by its SPDX identifier, whoever takes it agrees that "
        "everybody may use the text; null where no text is sent."
    )
    obstacle = serializers.SerializerMethodField(
        help_text="What stands in the way, null where nothing does."
    )
    asks = serializers.SerializerMethodField()
    url = SiteURLField(
        "api:request-verb",
        "registration_request.slug",
        "transition.verb",
        help_text="Where it is taken, with POST.",
    )

    def get_text_licence(self, form: StepForm) -> str | None:
        """Return the licence that sending agrees to."""
        if VerbKind.SENDS_ROUND not in form.transition.kinds:
            return None
        licence = find_licence_to_agree_to(form.registration_request)
        return licence.identifier if licence else None

    def get_obstacle(self, form: StepForm) -> str | None:
        """Return what prevents it."""
        return str(form.obstacle()) or None

    @extend_schema_field(VerbFieldSerializer(many=True))
    def get_asks(self, form: StepForm) -> list[JSONObject]:
        """Return its input fields, except the revision, which `If-Match` names."""
        asked = ((form, name) for name in form.fields if name != "seen")
        return list(VerbFieldSerializer.serialize_each(asked))


def list_field_choices(name: str, field: forms.Field) -> list[str]:
    """Return the choices, if there are any."""
    if name in PERSON_FIELDS | BOOLEAN_FIELDS or not isinstance(field, forms.ChoiceField):
        return []
    offered: Any = field.choices
    return [str(value) for value, _label in offered]
