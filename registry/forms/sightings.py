"""NIDs seen in use without registration."""

from __future__ import annotations

import re

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from registry import selectors
from registry.forms.fields import PlainTextField
from registry.urn import nid as nids
from registry.urn.syntax import NID


class SightingForm(forms.Form):
    """Where a NID was seen, and who uses it."""

    evidence = PlainTextField(
        most=5_000,
        label=_("Where was it seen?"),
        help_text=_("Addresses, documents, names in full. Public."),
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={"required": _("Say where you saw it, so that others can check.")},
    )
    user_of_it = PlainTextField(
        most=200,
        required=False,
        label=_("Who uses it?"),
        help_text=_("An organization or a project, as far as is known. Public."),
        widget=forms.TextInput,
    )
    address = forms.EmailField(
        required=False,
        label=_("Their mail address"),
        help_text=_("Where a notice can be sent. Not public."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={
            "invalid": _("Enter an email address with an @, like office@northlight.example")
        },
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    @property
    def helper(self) -> FormHelper:
        """The layout: fields only, since the page draws the form around them."""
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        helper.layout = Layout(
            *(
                Field(name, css_class="mono narrow--34" if name == "nid" else "")
                for name in self.fields
            )
        )
        return helper


class NewSightingForm(SightingForm):
    """The same, for a NID that is named first."""

    nid = PlainTextField(
        most=40,
        label=_("Which identifier?"),
        help_text=_("The part between the first and the second colon."),
        widget=forms.TextInput(attrs={"autocapitalize": "off", "spellcheck": "false"}),
        error_messages={"required": _("Type the identifier that you saw.")},
    )
    field_order = ["nid", "evidence", "user_of_it", "address"]

    def clean_nid(self) -> str:
        """Return the NID in lower case; refuse invalid and registered ones."""
        typed = str(self.cleaned_data["nid"]).strip()
        nid = re.sub(r"\A[Uu][Rr][Nn]:|:\Z", "", typed)
        if not re.fullmatch(NID, nid):
            raise forms.ValidationError(
                gettext(
                    "“%(typed)s” is not an identifier: 2 to 32 letters, digits and hyphens, "
                    "with no hyphen at either end. RFC 8141, section 2."
                ),
                code="invalid",
                params={"typed": typed},
            )
        if nids.canonical(nid) in selectors.NidLookup():
            raise forms.ValidationError(
                gettext("“%(nid)s” is registered, so its use is not a sighting."),
                code="registered",
                params={"nid": nid},
            )
        return nids.canonical(nid)


class WithdrawSightingForm(forms.Form):
    """Why a sighting is withdrawn."""

    reason = PlainTextField(
        most=1_000,
        label=_("Reason"),
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Say why; the journal keeps it.")},
    )
