"""Officers' input that is not about requests: holds, disputes, IANA's references."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from registry.enums import DisputeKind, HoldGround, Words
from registry.forms.fields import IanaReferenceField, PlainTextField
from registry.forms.organizations import BareForm
from registry.models.office import MAX_SOURCE_LENGTH


def make_reason_field(label: Words, help_text: Words = "", rows: int = 4) -> PlainTextField:
    """Return a required field for public words."""
    return PlainTextField(
        most=5_000,
        label=label,
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": rows}),
        error_messages={"required": _("Describe it; this is public.")},
    )


def make_source_field(help_text: Words) -> PlainTextField:
    """Return a field for where something is recorded."""
    return PlainTextField(
        most=MAX_SOURCE_LENGTH,
        label=_("Where is it recorded?"),
        help_text=help_text,
        widget=forms.TextInput,
        error_messages={"required": _("Name the document, so that others can read it.")},
    )


class IanaReferenceForm(BareForm):
    """IANA's identifier of an entry, and the one shown on the page."""

    iana_reference = IanaReferenceField()
    seen = forms.CharField(required=False, widget=forms.HiddenInput)


class DisputeForm(BareForm):
    """A dispute or an agreement between parties about a namespace."""

    kind = forms.ChoiceField(
        label=_("What is it?"),
        choices=DisputeKind,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what it is.")},
    )
    parties = PlainTextField(
        most=300,
        label=_("Between whom?"),
        widget=forms.TextInput,
        error_messages={"required": _("Name the parties.")},
    )
    text = make_reason_field(
        _("What is it about?"),
        _("In the words of the parties. Public; it does not block anything."),
    )
    source = make_source_field(_("A letter, a filing or a contract, with its date. Public."))


class EndingForm(BareForm):
    """How a recorded dispute or agreement ended; public."""

    ending = make_reason_field(_("How did it end?"), _("Public."))


UNTIL_HELP = _("At most a year from today; it ends automatically after that day.")


def make_until_field() -> forms.DateField:
    """Return a field for the last day of a hold."""
    return forms.DateField(
        label=_("Until which day?"),
        help_text=UNTIL_HELP,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={
            "required": _("Enter the last day."),
            "invalid": _("Write the day as 2026-12-31."),
        },
    )


class HoldForm(BareForm):
    """Which NID to hold back, on which ground, and until when."""

    nid = PlainTextField(
        most=40,
        label=_("Which identifier?"),
        widget=forms.TextInput(attrs={"autocapitalize": "off", "spellcheck": "false"}),
        error_messages={"required": _("Type the identifier.")},
    )
    ground = forms.ChoiceField(
        label=_("On which ground?"),
        choices=HoldGround,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose the ground; there are no others.")},
    )
    reasons = make_reason_field(_("What is the order or direction?"), _("Public."))
    source = make_source_field(_("The order with its number and date, or the minutes. Public."))
    until = make_until_field()

    def clean_nid(self) -> str:
        """Return the NID without `urn:` and colon; the action validates it."""
        return str(self.cleaned_data["nid"]).strip().lower().removeprefix("urn:").removesuffix(":")


class RenewHoldForm(BareForm):
    """The new end of a hold, and its grounds."""

    reasons = make_reason_field(_("What is the order or direction?"), _("Public."))
    source = make_source_field(_("The new order or minutes. Public."))
    until = make_until_field()
    seen = forms.DateField(widget=forms.HiddenInput)


class HoldAppealForm(BareForm):
    """Why a NID should not be held back."""

    reasons = make_reason_field(
        _("Why should it not be held back?"), _("Say how it affects you. Public.")
    )


class HoldAppealAnswerForm(BareForm):
    lifts = forms.TypedChoiceField(
        label=_("What do you decide?"),
        choices=[("yes", _("It is no longer held back")), ("no", _("It stays held back"))],
        coerce=lambda answer: answer == "yes",
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose one of the two.")},
    )
    answer = make_reason_field(_("Reasons, public"))
