"""The facts that a request asks to change, one form for each kind of change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.utils.translation import gettext_lazy as _

from registry.enums import ChangeKind, NamespaceStatus
from registry.forms.fields import (
    GuidedFields,
    PlainTextField,
    RadioOption,
    RadioOptionSelect,
    ReferencesField,
)
from registry.models import Round
from registry.workflow import drafts

MAX_FACT_LENGTH: Final = 2_000
STATUS_CHOICES: Final = (
    (NamespaceStatus.ACTIVE.value, RadioOption(_("Active"), _("Names are assigned and used."))),
    (
        NamespaceStatus.DEPRECATED.value,
        RadioOption(
            _("Deprecated"), _("New names should not be made. Those that were stay valid.")
        ),
    ),
    (
        NamespaceStatus.OBSOLETE.value,
        RadioOption(_("Obsolete"), _("No longer in use. Names mean what they meant.")),
    ),
)


def build_fact_field(label: Any, help_text: Any, rows: int) -> PlainTextField:
    """Return a field for text; a draft may have gaps, of which the checks tell."""
    widget = forms.Textarea(attrs={"rows": rows})
    return PlainTextField(
        most=MAX_FACT_LENGTH, required=False, label=label, help_text=help_text, widget=widget
    )


def build_contact_field() -> PlainTextField:
    """Return the field for who can be reached how."""
    return build_fact_field(
        _("Contact"),
        _("Who can be reached how: a name or an office, and a mail address. Public."),
        4,
    )


FACT_FIELDS: Final[dict[str, dict[str, Callable[[], forms.Field]]]] = {
    ChangeKind.CONTACT: {"contact": build_contact_field},
    ChangeKind.REFERENCE: {"references": lambda: ReferencesField(required=False)},
    ChangeKind.TRANSFER: {
        "contact": build_contact_field,
        "succession": lambda: build_fact_field(
            _("Document of succession"),
            _("Where it can be read who succeeds whom, if the registrant of now cannot agree."),
            3,
        ),
    },
    ChangeKind.STATUS: {
        "status": lambda: forms.ChoiceField(
            label=_("Status"),
            choices=STATUS_CHOICES,
            required=False,
            widget=RadioOptionSelect,
        ),
        "notice": lambda: build_fact_field(
            _("Notice to readers"),
            _("Why, and what to use instead. It stands on the page of the namespace."),
            4,
        ),
    },
}
FACT_GUIDANCE: Final[dict[str, tuple[Any, ...]]] = {
    "contact": (
        _("Who answers for the namespace"),
        _("An office outlives a person: urn@ your domain reaches whoever holds it."),
    ),
    "references": (
        _("Where the namespace is described"),
        _(
            "The list names these documents. What they say of names is not changed by this: that "
            "takes a revision."
        ),
    ),
    "succession": (
        _("Both sides, or a document"),
        _(
            "A delegate of each side is proof enough. Where the registrant is gone, a law, a deed "
            "or minutes show who took over its duties."
        ),
    ),
    "status": (
        _("Nothing is ever freed"),
        _(
            "The identifier stays taken, the page stays at its address, and names that were given "
            "still check."
        ),
    ),
    "notice": (
        _("What readers need to know"),
        _("Required for deprecated and obsolete namespaces. Leave it empty for an active one."),
    ),
}


class FactsForm(forms.Form):
    """What a change of facts asks for; `seen` is the edition of the draft that was opened."""

    seen = forms.IntegerField(widget=forms.HiddenInput)

    use_required_attribute = False
    summary_above = True
    optional_unmarked = True

    def __init__(self, *args: Any, draft: Round, **kwargs: Any) -> None:
        kwargs["initial"] = {"seen": draft.edition, **draft.facts}
        super().__init__(*args, **kwargs)
        self.draft = draft
        names = FACT_FIELDS[draft.registration_request.change]
        for name, make in names.items():
            self.fields[name] = make()
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout(
            "seen", *(build_guided_fact_field(name, name == next(iter(names))) for name in names)
        )

    @property
    def facts(self) -> dict[str, Any]:
        """What the valid form asks for, beside what the draft says and nobody types."""
        typed = {name: value for name, value in self.cleaned_data.items() if name != "seen"}
        return {**self.draft.facts, **typed}

    @property
    def facts_typed(self) -> dict[str, Any]:
        """The facts of the draft with what was typed in their place, as far as it can be kept."""
        if not self.is_bound:
            return dict(self.draft.facts)
        self.is_valid()
        return self.facts

    @property
    def is_overtaken(self) -> bool:
        """Whether the draft was changed to something else since the writer opened it."""
        return bool(self.cleaned_data["seen"] != self.draft.edition)

    def save(self) -> Round:
        """Write the valid form into the draft, and return that.

        Raises `ConcurrentChange` when somebody saved something else since the writer opened it.
        """
        if self.facts == self.draft.facts:
            return self.draft
        return drafts.save_draft_facts(self.draft, self.facts, seen=self.cleaned_data["seen"])


def build_guided_fact_field(name: str, first: bool) -> GuidedFields:
    """Return a field with its guidance beside it."""
    title, *paragraphs = FACT_GUIDANCE[name]
    template = {"template": "components/choice.html"} if name == "status" else {}
    return GuidedFields(
        Field(name, **template),
        title=title,
        guidance=paragraphs,
        first=first,
        css_id=f"fact-{name}",
    )
