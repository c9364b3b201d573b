"""What the registrar types: where a namespace is documented, and that it shall be published."""

from __future__ import annotations

from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Field, Hidden, Layout, Submit
from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext, gettext_lazy as _

from registry.choices import Ground
from registry.forms.act import StepForm
from registry.forms.references import References
from registry.validators import validate_no_control_characters

WHOLE_OR_POINT = RegexValidator(
    r"\A[0-9]{1,6}(\.[0-9]{1,6}){0,2}\Z", _("Write the last version as a number, such as 2 or 2.1.")
)


class ConfirmedForm(StepForm):
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


class PublishForm(ConfirmedForm):
    """Documents of record, the last version where it is not known, and the confirmation."""

    references = References(required=True)
    last_version = forms.CharField(
        label=_("Last version"),
        max_length=20,
        help_text=_("Not known to the registry. The new version is the next whole number."),
        validators=[WHOLE_OR_POINT],
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


class AmendForm(ConfirmedForm):
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
        choices=Ground,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose the ground on which you send it back.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ground = self.fields["ground"]
        assert isinstance(ground, forms.ChoiceField)
        if not kwargs["registration_request"].needs_holder_word:
            ground.choices = [each for each in Ground.choices if each[0] != Ground.PROOF]
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
