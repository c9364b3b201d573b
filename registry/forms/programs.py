"""What people's programs are called, typed once for each of them."""

from __future__ import annotations

import uuid

from django import forms


class ProgramForm(forms.Form):
    """A field `name`, which each form asks for in its own words, and a key made with the form.

    By the key a second click is known.
    """

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)

    def clean_name(self) -> str:
        """Return the name with single blanks."""
        return " ".join(str(self.cleaned_data["name"]).split())
