"""IANA's reference of an entry."""

from __future__ import annotations

from django import forms

from registry.forms.fields import IanaReferenceField
from registry.forms.organizations import BareForm


class IanaReferenceForm(BareForm):
    """IANA's identifier of an entry, and the one shown on the page."""

    iana_reference = IanaReferenceField()
    seen = forms.CharField(required=False, widget=forms.HiddenInput)
