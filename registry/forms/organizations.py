"""Organizations: who acts for them, proofs, and their website."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from registry.enums import ProofMethod
from registry.forms.fields import (
    ConsequenceRadios,
    RadioOption,
    RadioOptionSelect,
)
from registry.models import Organization
from registry.validators import validate_no_control_characters

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


class DelegateForm(BareForm):
    """The mail address of a person's account."""

    address = forms.EmailField(
        label=_("Email address of their account"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={
            "required": _("Enter the address of their account."),
            "invalid": INVALID_ADDRESS_MESSAGE,
        },
    )


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

    def __init__(
        self, *args: Any, domain: str, addresses: Sequence[str] = (), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        method = self.fields["method"]
        assert isinstance(method, forms.ChoiceField)
        method.choices = list_proof_method_choices(domain, addresses)
        if addresses:
            help_text = gettext("Only for proof by letter, one of these: %(known)s.")
        else:
            help_text = gettext("Only for proof by letter: one that ends in @%(domain)s.")
        said = {"domain": domain, "known": ", ".join(addresses)}
        self.fields["address"].help_text = help_text % said

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
        by_letter = answers.get("method") == ProofMethod.MAIL
        if by_letter and not answers.get("address") and "address" not in self.errors:
            words = gettext("Enter the address that the letter goes to.")
            self.add_error("address", forms.ValidationError(words, code="required"))
        return answers


def list_proof_method_choices(
    domain: str, addresses: Sequence[str] = ()
) -> list[tuple[str, RadioOption]]:
    """Return the methods of proof, each with what to do.

    `addresses` are those that can prove who acts for a holder of a namespace.
    """
    said = {"domain": domain, "known": ", ".join(addresses)}
    letter = (
        gettext("We write to %(known)s; you open the link in it.")
        if addresses
        else gettext("We write to an address at %(domain)s; you open the link in it.")
    )
    by_letter = (ProofMethod.MAIL.value, RadioOption(_("By a letter"), letter % said))
    if not domain:
        return [by_letter]
    return [
        by_letter,
        (
            ProofMethod.DNS.value,
            RadioOption(
                _("By a record of the name servers"),
                gettext("The people who run the DNS of %(domain)s add a TXT record.") % said,
            ),
        ),
        (
            ProofMethod.FILE.value,
            RadioOption(
                _("By a file on the site"),
                _("The people who run the website put a small text file on it."),
            ),
        ),
    ]


class WebsiteForm(BareForm):
    """The website of an organization, and the one shown on the page."""

    website = forms.URLField(
        label=_("Website"),
        assume_scheme="https",
        max_length=200,
        help_text=_(
            "It must be its own: anyone with an email address there, or who runs it, "
            "can act for it."
        ),
        error_messages={
            "required": _("Enter the address of its website."),
            "invalid": _("Enter an address like https://northlight.example/"),
        },
    )
    source = forms.CharField(
        label=_("Source"),
        required=False,
        max_length=300,
        validators=[validate_no_control_characters],
        help_text=_(
            "A document or record by somebody else, not the claimant’s own word. Required if "
            "the organization holds a namespace."
        ),
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, organization: Organization) -> None:
        said = {
            "website": organization.website,
            "source": organization.website_source,
            "seen": organization.website,
        }
        super().__init__(*args)
        self.initial = said
