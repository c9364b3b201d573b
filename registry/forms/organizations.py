"""Organizations: who acts for them, proofs, and their website."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from registry.enums import SpeakerBasis
from registry.forms.fields import (
    ConsequenceRadios,
    RadioOption,
    RadioOptionSelect,
)

INVALID_ADDRESS_MESSAGE = _("Enter an email address with an @, like office@northlight.example")


class BareForm(forms.Form):
    """Fields only: the page draws the form around them, with its button."""

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        helper.layout = self.layout()
        return helper

    def layout(self) -> Layout:
        """Return the fields in order."""
        return Layout(*self.fields)


class OrganizationSearchForm(BareForm):
    """Words from the name of an organization."""

    optional_unmarked = True

    q = forms.CharField(label=_("Words of its name"), required=False, max_length=100, strip=True)


class InviteCoEditorForm(BareForm):
    """The mail address of a future co-editor."""

    address = forms.EmailField(
        label=_("Email address"),
        help_text=_("They get a letter with a link, and join once they have followed it."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={
            "required": _("Enter the address to invite."),
            "invalid": INVALID_ADDRESS_MESSAGE,
        },
    )


class ProofForm(BareForm):
    """How a person will prove that they act for an organization with this domain."""

    method = forms.ChoiceField(
        label=_("How do you prove it?"),
        widget=RadioOptionSelect,
        error_messages={"required": _("Choose how you prove it.")},
    )
    address = forms.EmailField(
        label=_("Address for the letter"),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={"invalid": INVALID_ADDRESS_MESSAGE},
    )

    def __init__(self, *args: Any, domain: str, addresses: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        method = self.fields["method"]
        assert isinstance(method, forms.ChoiceField)
        method.choices = list_proof_method_choices(domain, addresses)
        help_text = gettext("Only for proof by letter, one of these: %(known)s.")
        self.fields["address"].help_text = help_text % {"known": ", ".join(addresses)}

    @property
    def optional_unmarked(self) -> bool:
        """Whether the address is required depends on the choice above it."""
        return True

    def layout(self) -> Layout:
        """Return the choice with its consequences, and the address."""
        return Layout(
            Field("method", template=ConsequenceRadios.template),
            Field("address", css_class="narrow--34"),
        )

    def clean(self) -> dict[str, Any]:
        """Require the address that a letter needs."""
        answers = super().clean() or {}
        by_letter = answers.get("method") == SpeakerBasis.MAIL
        if by_letter and not answers.get("address") and "address" not in self.errors:
            words = gettext("Enter the address that the letter goes to.")
            self.add_error("address", forms.ValidationError(words, code="required"))
        return answers


def list_proof_method_choices(
    domain: str, addresses: Sequence[str]
) -> list[tuple[str, RadioOption]]:
    """Return the ways to prove it by `domain`, or by a letter to `addresses`, and what to do."""
    facts = {"domain": domain, "known": ", ".join(addresses)}
    letter = gettext("We write to %(known)s; you open the link in it.") % facts
    by_letter = (SpeakerBasis.MAIL.value, RadioOption(_("By a letter"), letter))
    if not domain:
        return [by_letter]
    return [
        by_letter,
        (
            SpeakerBasis.DNS.value,
            RadioOption(
                _("By a record of the name servers"),
                gettext("The people who run the DNS of %(domain)s add a TXT record.") % facts,
            ),
        ),
        (
            SpeakerBasis.FILE.value,
            RadioOption(
                _("By a file on the site"),
                _("The people who run the website put a small text file on it."),
            ),
        ),
    ]
