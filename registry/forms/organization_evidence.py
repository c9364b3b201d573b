"""What officers record of an organization, and taking it back."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.utils.translation import gettext, gettext_lazy as _

from registry.actions.organization_evidence import record_evidence, withdraw_evidence
from registry.enums import EvidenceKind
from registry.forms.organizations import BareForm
from registry.models import Organization, User
from registry.selectors.organizations import find_same_organization
from registry.validators import validate_name, validate_no_control_characters


class OrganizationEvidenceForm(BareForm):
    """Another name, a public identifier or another body, and where that is known from."""

    kind = forms.ChoiceField(label=_("What do you record?"), choices=EvidenceKind)
    value = forms.CharField(
        label=_("Name or address"),
        max_length=200,
        help_text=_("Of another body, its name as it is here; of an identifier, its address."),
        error_messages={"required": _("Enter the name or the address.")},
    )
    source = forms.CharField(
        label=_("Source"),
        required=False,
        max_length=300,
        validators=[validate_no_control_characters],
        help_text=_("A document or register by somebody else, public."),
    )
    since = forms.DateField(
        label=_("Since when the domain is the organization’s"),
        required=False,
        help_text=_(
            "Of a website: the day on which its domain was registered, such as 1999-03-31. One "
            "registered anew since the entry was made proves nothing."
        ),
    )
    withdraw = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, organization: Organization) -> None:
        super().__init__(*args)
        self.organization = organization

    def clean(self) -> dict[str, Any]:
        """Find the other body, and refuse names of others and what is no address."""
        answers = super().clean() or {}
        if not {"kind", "value"} <= answers.keys() or answers["withdraw"]:
            return answers
        if answers["kind"] == EvidenceKind.WEBSITE and not answers.get("since"):
            self.add_error("since", gettext("Enter since when the domain is the organization’s."))
        try:
            answers["value"] = self.clean_value_of_kind(
                EvidenceKind(answers["kind"]), answers["value"]
            )
        except forms.ValidationError as error:
            self.add_error("value", error)
        return answers

    def clean_value_of_kind(self, kind: EvidenceKind, value: str) -> str:
        """Return the value to be recorded: for another body, its key."""
        if kind in {EvidenceKind.PUBLIC_ID, EvidenceKind.WEBSITE}:
            URLValidator(["https", "http"])(value)
            return value
        if kind == EvidenceKind.OTHER_BODY:
            other = Organization.objects.filter(name__iexact=value).first()
            if other is None or other == self.organization:
                words = gettext("No other organization here is called “%(name)s”.")
                raise forms.ValidationError(words, code="unknown_body", params={"name": value})
            return str(other.pk)
        validate_name(value)
        same = find_same_organization(value)
        if same and same != self.organization:
            words = gettext("“%(name)s” is the name of another organization here: %(same)s.")
            raise forms.ValidationError(
                words, code="other_body", params={"name": value, "same": same}
            )
        return value

    def perform(self, actor: User) -> None:
        """Do what the valid form says; raises `ActionRefused`."""
        answers = self.cleaned_data
        entry = {"kind": EvidenceKind(answers["kind"]), "value": answers["value"]}
        if answers["withdraw"]:
            withdraw_evidence(self.organization, actor=actor, **entry)
        else:
            since = answers["since"].isoformat() if answers["since"] else ""
            record_evidence(
                self.organization, actor=actor, source=answers["source"], since=since, **entry
            )
