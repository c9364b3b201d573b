"""What is typed with a step of the workflow: reasons, paths, experts, dates, documents."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Field, Hidden, Layout, Submit
from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext, gettext_lazy as _

from registry import permissions
from registry.enums import RequestPath, ReturnGround
from registry.forms.fields import (
    ConsequenceRadios,
    RadioOption,
    RadioOptionSelect,
    ReferencesField,
)
from registry.forms.paths import STANDARDS_ACTION_CHOICES, build_path_choices
from registry.models import RegistrationRequest, User
from registry.permissions import Person
from registry.validators import validate_no_control_characters
from registry.workflow import Transition
from registry.workflow.step import Step
from registry.workflow.verb_labels import Words

MAX_COMMENT_LENGTH = 20_000
PLACEHOLDER_COMMENT: Final = "."
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
            self.fields["comment"] = build_comment_field(transition)
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
        step = Step(self.registration_request, self.actor, PLACEHOLDER_COMMENT, data)
        return self.transition.obstacle(step)


class RerouteForm(StepForm):
    """The path by which the request goes on, and whether a standard is to come of it."""

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
            self.obstacle_to({"path": path, "standards_action": flag}) for flag in (False, True)
        ]
        return barriers[0] if all(barriers) else ""

    def obstacle(self) -> Words:
        """Return why there is no path to choose, as for a change of facts."""
        barriers = [self.barrier(path) for path in RequestPath]
        return barriers[0] if all(barriers) else ""


STEP_FORMS: Final[Mapping[str, type[StepForm]]] = {"reroute": RerouteForm}
"""Verbs that are told more than reasons."""
STASHED_STEP_FIELDS: Final = ("comment", "path", "standards_action")
"""What is kept over a sign-in; what the person saw is not, since they look again."""


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


class RecuseForm(StepForm):
    """Stepping back, with a reason or without, from one request or all of its organization."""

    for_good = forms.BooleanField(required=False)

    def __init__(self, *args: Any, action: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["for_good"].label = gettext(
            "Also for every other request of %(organization)s"
        ) % {"organization": kwargs["registration_request"].organization}
        self.fields["comment"].widget.attrs["rows"] = 2
        self.helper = FormHelper()
        self.helper.form_action = action
        self.helper.layout = Layout(
            "seen",
            "comment",
            "for_good",
            StrictButton(_("Recuse yourself"), type="submit", css_class="btn-outline-secondary"),
        )


class ExpertForm(StepForm):
    """Which expert is put on a request; those who cannot judge it are shown with the reason."""

    button = _("Put on the request")

    def __init__(
        self, *args: Any, experts: Sequence[tuple[User, RadioOption]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        by_key = {str(expert.pk): expert for expert, _option in experts}
        self.fields["expert"] = forms.TypedChoiceField(
            label=_("Who judges it"),
            choices=[(expert.pk, option) for expert, option in experts],
            coerce=by_key.__getitem__,
            empty_value=None,
            widget=RadioOptionSelect,
            error_messages={"required": _("Choose an expert.")},
        )
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "seen", *self.rows(), StrictButton(self.button, type="submit", css_class="btn-primary")
        )

    def rows(self) -> tuple[Any, ...]:
        """Return the fields in their order."""
        return (ConsequenceRadios("expert"),)


class HandOverForm(ExpertForm):
    """Who leaves a request, who comes to it, and why."""

    button = _("Hand over")

    def __init__(self, *args: Any, leavers: Sequence[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        by_key = {str(leaver.pk): leaver for leaver in leavers}
        self.fields["leaver"] = forms.TypedChoiceField(
            label=_("Who leaves it"),
            choices=[(leaver.pk, str(leaver)) for leaver in leavers],
            coerce=by_key.__getitem__,
            empty_value=None,
        )
        self.fields["expert"].label = _("Who comes to it")

    def rows(self) -> tuple[Any, ...]:
        """Return the fields in their order."""
        return (Field("leaver", css_class="narrow--30"), ConsequenceRadios("expert"), "comment")


class ExtendForm(StepForm):
    """Until when a decision is put off, and why."""

    due_on = forms.DateField(
        label=_("New date"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": _("Name the new date.")},
    )

    def __init__(self, *args: Any, promised_by: datetime.date | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["due_on"].help_text = (
            gettext("Promised so far: %(day)s.") % {"day": f"{promised_by:%-d %B %Y}"}
            if promised_by
            else ""
        )
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "seen",
            Field("due_on", css_class="narrow--16"),
            "comment",
            StrictButton(_("Extend the date"), type="submit", css_class="btn-primary"),
        )


VERSION_NUMBER_VALIDATOR = RegexValidator(
    r"\A[0-9]{1,6}(\.[0-9]{1,6}){0,2}\Z", _("Write the last version as a number, such as 2 or 2.1.")
)


class ConfirmedStepForm(StepForm):
    """What is published only once `asked` was typed, a NID or the reference of the request."""

    confirmation = forms.CharField(
        max_length=64,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
        ),
        error_messages={"required": _("Type it to confirm.")},
    )

    def __init__(self, *args: Any, asked: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.asked = asked
        self.fields["confirmation"].label = gettext("Type %(asked)s to confirm") % {"asked": asked}
        self.helper = FormHelper()
        self.helper.form_class = "stack"

    def clean_confirmation(self) -> str:
        """Refuse anything but what was asked for, whatever its case, with `urn:` or without."""
        typed: str = self.cleaned_data["confirmation"]
        if typed.strip().casefold().removeprefix("urn:") != self.asked.casefold():
            raise forms.ValidationError(
                gettext("You typed “%(typed)s”. To confirm, type %(asked)s.")
                % {"typed": typed, "asked": self.asked}
            )
        return typed


class PublishForm(ConfirmedStepForm):
    """Documents of record, the last version where it is not known, and the confirmation."""

    references = ReferencesField(required=True)
    last_version = forms.CharField(
        label=_("Last version"),
        max_length=20,
        help_text=_("Not known to the registry. The new version is the next whole number."),
        validators=[VERSION_NUMBER_VALIDATOR],
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    last_version_source = forms.CharField(
        label=_("Where the last version is known from"),
        max_length=300,
        validators=[validate_no_control_characters],
    )

    def __init__(self, *args: Any, needs_version: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not needs_version:
            del self.fields["last_version"], self.fields["last_version_source"]
        self.helper.layout = Layout(
            Hidden("verb", "register"),
            "seen",
            *(Field(name, css_class="narrow--34") for name in self.described),
            HTML("{% include 'publish/consequence.html' only %}"),
            Field("confirmation", css_class="mono narrow--16"),
            Submit("register", _("Register and publish")),
        )

    @property
    def described(self) -> list[str]:
        """The fields that say something of the entry."""
        return [name for name in self.fields if name not in {"seen", "confirmation"}]


class AmendForm(ConfirmedStepForm):
    """The proof that the registrar has seen of a change of facts, and the confirmation.

    `needs_proof` where the registry found none, or not enough.
    """

    proof = forms.CharField(
        label=_("Proof you have seen"),
        max_length=2_000,
        validators=[validate_no_control_characters],
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Say what proof you have seen, or send the request back.")},
    )

    def __init__(self, *args: Any, needs_proof: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        proof = self.fields["proof"]
        proof.required = needs_proof
        proof.help_text = (
            _("The registry did not find enough. Say what document you have seen, and where it is.")
            if needs_proof
            else _("Beside what the registry found. It stands in the journal.")
        )
        self.helper.layout = Layout(
            Hidden("verb", "register"),
            "seen",
            "proof",
            Field("confirmation", css_class="mono narrow--16"),
            Submit("register", _("Publish the change")),
        )


class BounceForm(StepForm):
    """What is wrong with an approved request, and on which ground it is sent back."""

    ground = forms.ChoiceField(
        label=_("Ground"),
        choices=ReturnGround,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose the ground on which you send it back.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ground = self.fields["ground"]
        assert isinstance(ground, forms.ChoiceField)
        if not kwargs["registration_request"].needs_holder_consent:
            ground.choices = [
                each for each in ReturnGround.choices if each[0] != ReturnGround.PROOF
            ]
        self.fields["comment"].error_messages["required"] = _("Say what is wrong; it is public.")
        self.helper = FormHelper()
        self.helper.layout = Layout(
            Hidden("verb", "bounce"),
            "seen",
            "ground",
            "comment",
            StrictButton(
                _("Send back to the registrant"), type="submit", css_class="btn-outline-secondary"
            ),
        )


class ReturnForm(StepForm):
    """Everything that is wrong with form or path of a request in review, at once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["comment"].error_messages["required"] = _("Say what is wrong; it is public.")
        self.helper = FormHelper()
        self.helper.layout = Layout(
            Hidden("verb", "return"),
            "seen",
            "comment",
            StrictButton(_("Return"), type="submit", css_class="btn-outline-secondary"),
        )
