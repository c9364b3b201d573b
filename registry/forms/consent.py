"""Input for the consent of others: evidence, rulings, and objections by the button of a letter."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from registry.enums import EvidenceAbout, Ruling, State, Words
from registry.forms.organizations import BareForm
from registry.forms.steps import MAX_COMMENT_LENGTH, StepForm
from registry.models import RegistrationRequest
from registry.selectors.case import open_case
from registry.selectors.consent import list_consents
from registry.validators import validate_no_control_characters
from registry.workflow.conditions import MAX_RFC_SECTION_LENGTH


class EvidenceForm(StepForm):
    """What the registrar has seen: about what, and of whom."""

    programs_may_omit = frozenset({"organization", "rfc", "section"})

    def add_fields(self) -> None:
        """Ask what it is about, and what that needs."""
        self.fields["about"] = forms.ChoiceField(
            label=gettext("What is it about?"),
            choices=EvidenceAbout,
            widget=forms.RadioSelect,
            error_messages={"required": gettext("Say what the evidence is about.")},
        )
        bodies = [
            (each.party.key[0], str(each.party) or gettext("the holder, whom nobody knows"))
            for each in list_consents(open_case(self.registration_request))
            if not each.is_given
        ]
        if len(bodies) > 1:
            self.fields["organization"] = forms.TypedChoiceField(
                label=gettext("Whose consent?"),
                choices=bodies,
                coerce=int,
                required=False,
                empty_value=None,
            )
        self.fields["rfc"] = forms.CharField(
            label=gettext("RFC"),
            max_length=10,
            required=False,
            help_text=gettext("Its number, such as RFC 9499, where it makes the change."),
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        )
        self.fields["section"] = forms.CharField(
            label=gettext("Section"),
            max_length=MAX_RFC_SECTION_LENGTH,
            required=False,
            help_text=gettext("Of that RFC, in which it makes the change."),
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        )


class DirectForm(StepForm):
    """A direction to register, or what the standards body rules on."""

    programs_may_omit = frozenset({"ruling"})

    def add_fields(self) -> None:
        """Ask for the ruling; without one it is a direction to register."""
        self.fields["ruling"] = build_ruling_field(self.registration_request)


def build_ruling_field(registration_request: RegistrationRequest) -> forms.ChoiceField:
    """Return the field for what a direction says: to register, after a report, or a ruling."""
    to_register = [("", gettext("Register it"))]
    is_reported = registration_request.state == State.REPORTED
    return forms.ChoiceField(
        label=gettext("What a direction says"),
        choices=[*(to_register if is_reported else []), *Ruling.choices],
        required=not is_reported,
        error_messages={"required": gettext("Say what you rule.")},
    )


def build_text_field(label: Words, *, help_text: Words = "", required: bool = True) -> Any:
    """Return a field for reasons, evidence or a source."""
    return forms.CharField(
        label=cast(str, label),
        help_text=cast(str, help_text),
        required=required,
        max_length=MAX_COMMENT_LENGTH,
        validators=[validate_no_control_characters],
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": _("Say it in a few words.")},
    )


class ObjectionForm(BareForm):
    """Why the reader of a letter objects, or takes that back."""

    comment = build_text_field(_("Why, public"))
