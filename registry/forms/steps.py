"""What is typed with a step of the workflow, and the one way to build its form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms
from django.utils.module_loading import import_string
from django.utils.translation import gettext, gettext_lazy as _

from registry import permissions, workflow
from registry.enums import RequestPath
from registry.forms.fields import ConsequenceRadios, RadioOption, RadioOptionSelect
from registry.forms.paths import STANDARDS_ACTION_CHOICES, build_path_choices
from registry.models import Event, RegistrationRequest
from registry.permissions import Person
from registry.validators import validate_no_control_characters
from registry.verbs import Words
from registry.workflow import Transition
from registry.workflow.step import Step

MAX_COMMENT_LENGTH = 20_000
PLACEHOLDER_COMMENT: Final = "."
"""Stands for reasons not written yet, where a step is only asked what else is in its way."""


class PostedStep(forms.Form):
    """A step as it is posted: what is said with it, and the revision that the person saw."""

    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, registration_request: RegistrationRequest, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.registration_request = registration_request
        self.fields["seen"].initial = registration_request.revision

    @property
    def step_data(self) -> dict[str, Any]:
        """The verb and what is said with it, once the form is valid."""
        return self.cleaned_data

    def perform(self, actor: Person) -> Event:
        """Take the step that the valid form tells; raises what `workflow.perform` raises."""
        return workflow.perform(self.registration_request, actor=actor, **self.step_data)

    def add_refusal(self, refusal: workflow.ActionRefused) -> None:
        """Say in the form why the step was refused."""
        self.add_error(None, str(refusal))


class StepForm(PostedStep):
    """The words for one transition, and the revision of the request that the person saw.

    A form for one verb adds what else that verb is told; `actor` takes the step.
    """

    programs_may_omit: ClassVar[frozenset[str]] = frozenset()
    """What a program need not say: who names no expert comes, what is not changed stays."""

    def __init__(
        self, *args: Any, transition: Transition, actor: Person | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.transition, self.actor = transition, actor
        self.add_fields()
        if transition.comment:
            self.fields["comment"] = build_comment_field(transition)
            self.fields["comment"].required = self.explains

    @property
    def step_data(self) -> dict[str, Any]:
        """The verb and what is said with it, once the form is valid."""
        return {"verb": self.transition.verb, **self.cleaned_data}

    @property
    def explains(self) -> bool:
        """Whether this person has to give reasons."""
        return self.transition.explains

    def add_fields(self) -> None:
        """Add what the verb is told beside the reasons."""

    def obstacle(self) -> Words:
        """Return what stands in the way whatever is typed, nothing where all depends on that."""
        if self.actor is None:
            return ""
        step = Step(self.registration_request, self.actor, PLACEHOLDER_COMMENT)
        return self.transition.obstacle_before_input(step)


class RerouteForm(StepForm):
    """The path by which the request goes on, and whether a standard is to come of it."""

    programs_may_omit = frozenset({"path", "standards_action"})

    def add_fields(self) -> None:
        """Ask for both, each choice with its consequences and with what stands in its way."""
        now = self.registration_request
        self.fields["path"] = forms.ChoiceField(
            label=gettext("Which path?"),
            choices=[(path.value, self.route(path)) for path in RequestPath],
            widget=RadioOptionSelect,
            initial=now.path,
            error_messages={"required": gettext("Choose a path.")},
        )
        self.fields["standards_action"] = forms.TypedChoiceField(
            label=gettext("Is the namespace to become part of a standard?"),
            choices=STANDARDS_ACTION_CHOICES,
            coerce=lambda answer: answer == "yes",
            widget=RadioOptionSelect,
            initial="yes" if now.standards_action else "no",
            error_messages={"required": gettext("Answer whether a standard is to come of it.")},
        )
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout(
            "seen", ConsequenceRadios("path"), ConsequenceRadios("standards_action"), "comment"
        )

    @property
    def explains(self) -> bool:
        """Whoever changes the path of somebody else's request says why."""
        if self.actor is None:
            return False
        return not permissions.is_registrant(self.actor, self.registration_request)

    def route(self, path: RequestPath) -> RadioOption:
        """Return one path as a choice."""
        points = {value: option.points for value, option in build_path_choices("")}
        is_now = path == self.registration_request.path
        return RadioOption(
            path.label,
            hint=gettext("As it is now.") if is_now else "",
            points=points[path.value],
            barred=self.barrier(path),
        )

    def barrier(self, path: RequestPath) -> Words:
        """Return why the request cannot go by `path`, whatever is said of a standard."""
        barriers = [
            self.explain_obstacle_to(path, is_standards_action=flag) for flag in (False, True)
        ]
        return barriers[0] if all(barriers) else ""

    def explain_obstacle_to(self, path: RequestPath, *, is_standards_action: bool) -> Words:
        """Return what stands in the way of going by `path`, reasons given."""
        if self.actor is None:
            return ""
        data = {"path": path, "standards_action": is_standards_action}
        return self.transition.obstacle(
            Step(self.registration_request, self.actor, PLACEHOLDER_COMMENT, data)
        )

    def obstacle(self) -> Words:
        """Return why there is no path to choose, as for a change of facts."""
        barriers = [self.barrier(path) for path in RequestPath]
        return barriers[0] if all(barriers) else ""


STASHED_STEP_FIELDS: Final = ("comment", "path", "standards_action")
"""What is kept over a sign-in; what the person saw is not, since they look again."""


def build_step_form(
    registration_request: RegistrationRequest,
    transition: Transition,
    actor: Person,
    posted: Any = None,
    **kwargs: Any,
) -> StepForm:
    """Return the form that the record of the verb names, for pages and programs alike."""
    make: Callable[..., StepForm] = import_string(transition.form)
    return make(
        posted,
        registration_request=registration_request,
        transition=transition,
        actor=actor,
        **kwargs,
    )


def build_comment_field(transition: Transition) -> forms.CharField:
    """Return the field that asks for what `transition` wants to be told."""
    return forms.CharField(
        label=str(transition.comment),
        required=transition.explains,
        max_length=MAX_COMMENT_LENGTH,
        validators=[validate_no_control_characters],
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": _("Give your reasons; they are public.")},
    )
