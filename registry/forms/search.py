"""What people type into the search box, and how it is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlencode

from django import forms
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from registry.models import Namespace
from registry.urn import nid as nids
from registry.urn.syntax import NID
from registry.validators import validate_no_control_characters

MAX_SEARCH_LENGTH: Final = 2_000
_BARE_NID_PATTERN: Final = re.compile(rf"(?:([Uu][Rr][Nn]:)({NID}):?|({NID}))")


class SearchBoxForm(forms.Form):
    """A NID, a URN or words; a URN may hold anything, since its page says what is wrong."""

    q = forms.CharField(
        label=_("A namespace identifier, a full URN, or words"),
        max_length=MAX_SEARCH_LENGTH,
        required=False,
        error_messages={
            "max_length": _(
                "That is %(show_value)d characters; %(limit_value)d are the most that can be"
                " looked up at once. Try the beginning of it."
            )
        },
    )

    def clean_q(self) -> str:
        """Refuse control characters in words, where they would find nothing."""
        typed: str = self.cleaned_data["q"]
        if not is_meant_as_urn(typed):
            validate_no_control_characters(typed)
        return typed


@dataclass(frozen=True, slots=True)
class SearchInterpretation:
    """What a text in the search box is taken for; a NID is in lower case."""

    kind: Literal["nothing", "nid", "urn", "words"]
    text: str

    @property
    def url(self) -> str:
        """Where looking it up leads."""
        if self.kind == "nid":
            return reverse("namespaces:detail", args=[self.text])
        if self.kind == "urn":
            return inspect_url(self.text)
        if self.kind == "words":
            return f"{reverse('namespaces:index')}?{urlencode({'q': self.text}, errors='replace')}"
        return reverse("home:index")


def interpret_search(typed: str) -> SearchInterpretation:
    """Tell a NID from a URN from words; without `urn:` only a registered NID is taken for one."""
    text = typed.strip()
    alone = _BARE_NID_PATTERN.fullmatch(text)
    if alone:
        nid = nids.canonical(alone[2] or alone[3])
        if alone[1] or Namespace.objects.filter(nid=nid).exists():
            return SearchInterpretation("nid", nid)
    if is_meant_as_urn(text):
        return SearchInterpretation("urn", text)
    return SearchInterpretation("words" if text else "nothing", text)


def is_meant_as_urn(text: str) -> bool:
    """Whether `text` is meant for a URN, right or wrong."""
    return text.lstrip()[:4].lower() == "urn:"


def inspect_url(text: str) -> str:
    """Return the address of the page that reads `text` as a URN: every such link is made here."""
    return f"{reverse('inspect:index')}?{urlencode({'urn': text}, errors='replace')}"


def resolve_url(text: str, service: str = "") -> str:
    """Return the address at which the URN `text` is resolved, as a link can carry it unharmed.

    Behind `/resolve/` it would stand verbatim, and browsers would take steps such as `..` in it.
    """
    asked = {"urn": text} | ({"s": service} if service else {})
    return f"{reverse('resolve:index')}?{urlencode(asked, errors='replace')}"
