"""What a person says with a step of the workflow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms
from django.utils.translation import gettext as _, gettext_lazy

from registry import rules
from registry.choices import Path
from registry.forms.layout import Choices, Option, OptionSelect
from registry.forms.paths import STANDARDS, path_options
from registry.models import RegistrationRequest
from registry.rules import Person
from registry.validators import validate_no_control_characters
from registry.workflow import Transition
from registry.workflow.step import Step
from registry.workflow.words import Words

COMMENT_LENGTH = 20_000
SOMETHING: Final = "."
"""Stands for reasons not written yet, where a step is only asked what else is in its way."""


class StepForm(forms.Form):
    """The words for one transition, and the revision of the request that the person saw.

    A form for one verb adds what else that verb is told; `actor` takes the step.
    """

    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        registration_request: RegistrationRequest,
        transition: Transition,
        actor: Person | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.registration_request, self.transition = registration_request, transition
        self.actor = actor
        self.fields["seen"].initial = registration_request.revision
        self.add_fields()
        if transition.comment:
            self.fields["comment"] = comment_field(transition)
            self.fields["comment"].required = self.explains

    @property
    def explains(self) -> bool:
        """Whether this person has to give reasons."""
        return self.transition.explains

    def add_fields(self) -> None:
        """Add what the verb is told beside the reasons."""

    def obstacle(self) -> Words:
        """Return what stands in the way whatever is typed, nothing where all depends on that."""
        return self.obstacle_to({})

    def obstacle_to(self, data: Mapping[str, Any]) -> Words:
        """Return what stands in the way of the step with `data`, reasons given."""
        if self.actor is None:
            return ""
        step = Step(self.registration_request, self.actor, SOMETHING, data)
        return self.transition.obstacle(step)


class RerouteForm(StepForm):
    """The path by which the request goes on, and whether a standard is to come of it."""

    def add_fields(self) -> None:
        """Ask for both, each choice with its consequences and with what stands in its way."""
        now = self.registration_request
        self.fields["path"] = forms.ChoiceField(
            label=_("Which path?"),
            choices=[(path.value, self.route(path)) for path in Path],
            widget=OptionSelect,
            initial=now.path,
            error_messages={"required": _("Choose a path.")},
        )
        self.fields["standards_action"] = forms.TypedChoiceField(
            label=_("Is the namespace to become part of a standard?"),
            choices=STANDARDS,
            coerce=lambda answer: answer == "yes",
            widget=OptionSelect,
            initial="yes" if now.standards_action else "no",
            error_messages={"required": _("Answer whether a standard is to come of it.")},
        )
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout("seen", Choices("path"), Choices("standards_action"), "comment")

    @property
    def explains(self) -> bool:
        """Whoever changes the path of somebody else's request says why."""
        if self.actor is None:
            return False
        return not rules.is_registrant(self.actor, self.registration_request)

    def route(self, path: Path) -> Option:
        """Return one path as a choice."""
        points = {value: option.points for value, option in path_options("")}
        is_now = path == self.registration_request.path
        return Option(
            path.label,
            hint=_("As it is now.") if is_now else "",
            points=points[path.value],
            barred=self.barrier(path),
        )

    def barrier(self, path: Path) -> Words:
        """Return why the request cannot go by `path`, whatever is said of a standard."""
        barriers = [
            self.obstacle_to({"path": path, "standards_action": flag}) for flag in (False, True)
        ]
        return barriers[0] if all(barriers) else ""

    def obstacle(self) -> Words:
        """Return why there is no path to choose, as for a change of facts."""
        barriers = [self.barrier(path) for path in Path]
        return barriers[0] if all(barriers) else ""


FORMS: Final[Mapping[str, type[StepForm]]] = {"reroute": RerouteForm}
"""Verbs that are told more than reasons."""
KEPT: Final = ("comment", "path", "standards_action")
"""What is kept over a sign-in; what the person saw is not, since they look again."""


def comment_field(transition: Transition) -> forms.CharField:
    """Return the field that asks for what `transition` wants to be told."""
    return forms.CharField(
        label=str(transition.comment),
        required=transition.explains,
        max_length=COMMENT_LENGTH,
        validators=[validate_no_control_characters],
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": gettext_lazy("Give your reasons; they are public.")},
    )
