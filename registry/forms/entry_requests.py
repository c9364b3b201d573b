"""Requests for vocabulary entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from registry.enums import VocabularyName
from registry.forms.office import make_reason_field
from registry.forms.organizations import BareForm
from registry.forms.resolution import DesignatorForm, KeywordForm, VocabularyEntryForm


class EntryRequestForm(VocabularyEntryForm, BareForm):
    """A requested entry, and why it is needed."""

    reasons = make_reason_field(_("Why is it needed?"), _("Public."))

    @property
    def proposed(self) -> dict[str, Any]:
        """The proposed entry, and why it is needed, for the action."""
        return self.said | {"reasons": self.cleaned_data["reasons"]}


class KeywordRequestForm(KeywordForm, EntryRequestForm):
    """A requested query keyword."""

    field_order = [*KeywordForm.field_order, "reasons"]


class DesignatorRequestForm(DesignatorForm, EntryRequestForm):
    """A requested resolution service designator."""

    field_order = [*DesignatorForm.field_order, "reasons"]


ENTRY_REQUEST_FORMS: Final[Mapping[str, type[EntryRequestForm]]] = {
    VocabularyName.KEYWORDS: KeywordRequestForm,
    VocabularyName.DESIGNATORS: DesignatorRequestForm,
}


class EntryCommentForm(BareForm):
    """A comment on a request; an expert's is advice."""

    text = make_reason_field(_("Your comment"), _("Public. What an expert says is advice."))


class EntryDecisionForm(BareForm):
    enters = forms.TypedChoiceField(
        label=_("What do you decide?"),
        choices=[("yes", _("Enter the word")), ("no", _("Decline the request"))],
        coerce=lambda answer: answer == "yes",
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose one of the two.")},
    )
    reasons = make_reason_field(_("Reasons, public"))


class EntryWithdrawalForm(BareForm):
    """Why a request is withdrawn."""

    reasons = make_reason_field(_("Reason, public"))
