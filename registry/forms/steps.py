"""Input for steps of the workflow, including publication, and the one way to build its form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Field, Hidden, Layout, Submit
from django import forms
from django.core.validators import RegexValidator
from django.utils.module_loading import import_string
from django.utils.translation import gettext, gettext_lazy as _

from registry import permissions, workflow
from registry.enums import RequestPath, Words
from registry.forms.fields import (
    MAX_FACT_LENGTH,
    ConsequenceRadios,
    IanaReferenceField,
    PlainTextField,
    RadioOption,
    RadioOptionSelect,
    ReferencesField,
)
from registry.forms.paths import STANDARDS_ACTION_CHOICES, build_path_choices
from registry.models import Event, RegistrationRequest
from registry.permissions import Person
from registry.selectors.publication import (
    awaits_informal_number,
    explain_low_version,
    explain_unknown_version,
    propose_contact,
)
from registry.validators import validate_no_control_characters
from registry.workflow import Transition
from registry.workflow.conditions import require_last_round
from registry.workflow.step import Step

MAX_COMMENT_LENGTH = 20_000
PLACEHOLDER_COMMENT: Final = "."
"""Stands for reasons not written yet, when checking a step for other obstacles."""


class PostedStep(forms.Form):
    """A posted step: its input, and the revision that the person saw."""

    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, registration_request: RegistrationRequest, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.registration_request = registration_request
        self.fields["seen"].initial = registration_request.revision

    @property
    def step_data(self) -> dict[str, Any]:
        """The verb and its input, once the form is valid."""
        return self.cleaned_data

    def perform(self, actor: Person) -> Event:
        """Take the step in the valid form; raises what `workflow.perform` raises."""
        return workflow.perform(self.registration_request, actor=actor, **self.step_data)

    def add_refusal(self, refusal: workflow.ActionRefused) -> None:
        """Show in the form why the step was refused."""
        self.add_error(None, str(refusal))


class StepForm(PostedStep):
    """The comment for one transition, and the revision of the request that the person saw.

    A subclass for one verb adds that verb's other fields; `actor` takes the step.
    """

    programs_may_omit: ClassVar[frozenset[str]] = frozenset()
    """What programs may leave out: by default the caller is the expert, and the rest stays as it
    is.
    """

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
        """The verb and its input, once the form is valid."""
        return {"verb": self.transition.verb, **self.cleaned_data}

    @property
    def explains(self) -> bool:
        """Whether this person must give reasons."""
        return self.transition.explains

    def add_fields(self) -> None:
        """Add the verb's other fields after the reasons."""

    def obstacle(self) -> Words:
        """Return what prevents the step whatever is typed; empty if it depends on the input."""
        if self.actor is None:
            return ""
        step = Step(self.registration_request, self.actor, PLACEHOLDER_COMMENT)
        return self.transition.obstacle_before_input(step)


class RerouteForm(StepForm):
    """The path by which the request continues, and whether a standard will result."""

    programs_may_omit = frozenset({"path", "standards_action"})

    def add_fields(self) -> None:
        """Ask for both, each choice with its consequences and obstacles."""
        now = self.registration_request
        self.fields["path"] = forms.ChoiceField(
            label=gettext("Which path?"),
            choices=[(path.value, self.route(path)) for path in RequestPath],
            widget=RadioOptionSelect,
            initial=now.path,
            error_messages={"required": gettext("Choose a path.")},
        )
        self.fields["standards_action"] = forms.TypedChoiceField(
            label=gettext("Will the namespace become part of a standard?"),
            choices=STANDARDS_ACTION_CHOICES,
            coerce=lambda answer: answer == "yes",
            widget=RadioOptionSelect,
            initial="yes" if now.standards_action else "no",
            error_messages={"required": gettext("Say whether it will become part of a standard.")},
        )
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout(
            "seen", ConsequenceRadios("path"), ConsequenceRadios("standards_action"), "comment"
        )

    @property
    def explains(self) -> bool:
        """Changing the path of somebody else's request requires a reason."""
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
        """Return why the request cannot take `path`, whether or not a standard will result."""
        barriers = [
            self.explain_obstacle_to(path, is_standards_action=flag) for flag in (False, True)
        ]
        return barriers[0] if all(barriers) else ""

    def explain_obstacle_to(self, path: RequestPath, *, is_standards_action: bool) -> Words:
        """Return what prevents taking `path`, assuming reasons are given."""
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
"""What is kept during a sign-in; not the revision seen, since people look again."""


def build_step_form(
    registration_request: RegistrationRequest,
    transition: Transition,
    actor: Person,
    posted: Any = None,
    **kwargs: Any,
) -> StepForm:
    """Return the form that the verb's record names, for pages and programs."""
    make: Callable[..., StepForm] = import_string(transition.form)
    return make(
        posted,
        registration_request=registration_request,
        transition=transition,
        actor=actor,
        **kwargs,
    )


def build_comment_field(transition: Transition) -> forms.CharField:
    """Return the comment field for `transition`."""
    return forms.CharField(
        label=str(transition.comment),
        required=transition.explains,
        max_length=MAX_COMMENT_LENGTH,
        validators=[validate_no_control_characters],
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": _("Give your reasons; they are public.")},
    )


VERSION_NUMBER_VALIDATOR = RegexValidator(
    r"\A[0-9]{1,6}(\.[0-9]{1,6}){0,2}\Z", _("Write the last version as a number, such as 2 or 2.1.")
)


def find_text_to_confirm(registration_request: RegistrationRequest) -> str:
    """Return what must be typed to confirm: no page shows a number that is not assigned yet."""
    namespace = registration_request.namespace
    if registration_request.changes_facts:
        return namespace.nid if namespace else registration_request.reference
    if awaits_informal_number(registration_request):
        return registration_request.reference
    return require_last_round(registration_request).template.nid


class ConfirmedStepForm(StepForm):
    """Publication requires typing the NID, or the reference if there is none yet."""

    confirmation = forms.CharField(
        max_length=64,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
        ),
        error_messages={"required": _("Type it to confirm.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.asked = find_text_to_confirm(self.registration_request)
        self.fields["confirmation"].label = gettext("Type %(asked)s to confirm") % {
            "asked": self.asked
        }
        self.helper = FormHelper()
        self.helper.form_class = "stack"

    @property
    def step_data(self) -> dict[str, Any]:
        """The verb and its input, without the confirmation."""
        return {name: said for name, said in super().step_data.items() if name != "confirmation"}

    def clean_confirmation(self) -> str:
        """Refuse anything but the requested text, ignoring case, with or without `urn:`."""
        typed: str = self.cleaned_data["confirmation"]
        if typed.strip().casefold().removeprefix("urn:") != self.asked.casefold():
            raise forms.ValidationError(
                gettext("You typed “%(typed)s”. To confirm, type %(asked)s."),
                code="confirmation",
                params={"typed": typed, "asked": self.asked},
            )
        return typed


class PublishForm(ConfirmedStepForm):
    """Documents of record, the contact if there is none, IANA's identifier of the entry, the last
    version if the registrar must say it, and the confirmation.
    """

    references = ReferencesField(required=True)
    contact = PlainTextField(
        most=MAX_FACT_LENGTH,
        required=False,
        label=_("Contact"),
        help_text=_("From the Registrant section. Shown on the page of the namespace."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    iana_reference = IanaReferenceField()
    last_version = forms.CharField(
        label=_("Last version"),
        max_length=20,
        validators=[VERSION_NUMBER_VALIDATOR],
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    last_version_source = forms.CharField(
        label=_("Source of the last version"),
        max_length=300,
        validators=[validate_no_control_characters],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        namespace = self.registration_request.namespace
        self.fields["iana_reference"].initial = namespace.iana_reference if namespace else ""
        if namespace and namespace.contact:
            # It is replaced by a change of its own, of which the old contact hears.
            del self.fields["contact"]
        else:
            last = require_last_round(self.registration_request)
            self.fields["contact"].initial = propose_contact(last.template.registrant)
        if asked := explain_unknown_version(namespace):
            self.fields["last_version"].help_text = asked
        else:
            del self.fields["last_version"], self.fields["last_version_source"]
        self.helper.layout = Layout(
            Hidden("verb", "register"),
            "seen",
            *(Field(name, css_class="narrow--34") for name in self.described),
            HTML("{% include 'publish/consequence.html' only %}"),
            Field("confirmation", css_class="mono narrow--16"),
            Submit("register", _("Register and publish")),
        )

    def clean_contact(self) -> str:
        """Return what the registrar confirms; programs that say nothing confirm the proposal."""
        is_said = self.add_prefix("contact") in self.data
        return str(self.cleaned_data["contact"] if is_said else self.fields["contact"].initial)

    def clean_last_version(self) -> str:
        """Refuse a version lower than that of some source."""
        said: str = self.cleaned_data["last_version"]
        if too_low := explain_low_version(self.registration_request.namespace, said):
            raise forms.ValidationError(too_low, code="min_value")
        return said

    @property
    def described(self) -> list[str]:
        """The fields that describe the entry."""
        return [name for name in self.fields if name not in {"seen", "confirmation"}]


class AmendForm(ConfirmedStepForm):
    """The confirmation of a change of facts."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper.layout = Layout(
            Hidden("verb", "register"),
            "seen",
            Field("confirmation", css_class="mono narrow--16"),
            Submit("register", _("Publish the change")),
        )


def build_register_form(*args: Any, **kwargs: Any) -> StepForm:
    """Return the form that publishes an entry or a change of facts."""
    changes_facts = kwargs["registration_request"].changes_facts
    return (AmendForm if changes_facts else PublishForm)(*args, **kwargs)


class ChangesForm(StepForm):
    """What an approved text lacks, everything at once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            Hidden("verb", "request_changes"),
            "seen",
            "comment",
            StrictButton(self.transition.label, type="submit", css_class="btn-outline-secondary"),
            StrictButton(
                _("Read the letter first"),
                type="submit",
                name="preview",
                value="1",
                css_class="btn--text",
            ),
        )
