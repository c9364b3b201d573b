"""What the registrar types: the confirmation of what is published, and why something goes back."""

from __future__ import annotations

from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Field, Hidden, Layout, Submit
from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext, gettext_lazy as _

from registry.enums import ReturnGround
from registry.forms.fields import ReferencesField
from registry.forms.steps import StepForm
from registry.models import RegistrationRequest
from registry.validators import validate_no_control_characters
from registry.workflow.conditions import require_last_round
from registry.workflow.drafts import explain_missing_proof
from registry.workflow.publication import awaits_informal_number

VERSION_NUMBER_VALIDATOR = RegexValidator(
    r"\A[0-9]{1,6}(\.[0-9]{1,6}){0,2}\Z", _("Write the last version as a number, such as 2 or 2.1.")
)


def find_text_to_confirm(registration_request: RegistrationRequest) -> str:
    """Return what has to be typed: no page holds a number that is not assigned yet."""
    namespace = registration_request.namespace
    if registration_request.changes_facts and namespace:
        return namespace.nid
    if awaits_informal_number(registration_request):
        return registration_request.reference
    return require_last_round(registration_request).template.nid


class ConfirmedStepForm(StepForm):
    """What is published only once its NID was typed, or the reference where it has none yet."""

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
        """The verb and what is said with it; the confirmation is no part of that."""
        return {name: said for name, said in super().step_data.items() if name != "confirmation"}

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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        namespace = self.registration_request.namespace
        if namespace is None or namespace.next_version is not None:
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

    They have to have seen one where the registry found none, or not enough.
    """

    proof = forms.CharField(
        label=_("Proof you have seen"),
        max_length=2_000,
        validators=[validate_no_control_characters],
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Say what proof you have seen, or send the request back.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        needs_proof = bool(explain_missing_proof(self.registration_request, ""))
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


def build_register_form(*args: Any, **kwargs: Any) -> StepForm:
    """Return the form that publishes: an entry, or a change of facts."""
    changes_facts = kwargs["registration_request"].changes_facts
    return (AmendForm if changes_facts else PublishForm)(*args, **kwargs)


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
        if not self.registration_request.needs_holder_consent:
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
