"""Publishing several requests of one document."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from registry import permissions, selectors
from registry.forms.fields import IanaReferenceField, ReferencesField
from registry.forms.organizations import BareForm
from registry.forms.steps import find_text_to_confirm
from registry.models import RegistrationRequest, User
from registry.selectors.case import open_cases
from registry.selectors.publication import list_publication_obstacles


def list_joint_candidates(person: User) -> list[RegistrationRequest]:
    """Return the entries that `person` could publish with others, having no obstacles.

    Changes of facts, and versions whose number must be asked for, are published on their own pages.
    """
    waiting = selectors.publishable_requests().select_related("organization", "namespace")
    return [
        each.request
        for each in open_cases(waiting)
        if not each.request.changes_facts
        and permissions.may_publish(person, each.request)
        and each.version_in_force.next_number
        and not list_publication_obstacles(each)
    ]


class JointPublicationForm(BareForm):
    """Which requests, the document that they share, and the confirmation of each."""

    chosen = forms.MultipleChoiceField(
        label=_("Which requests?"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": _("Choose at least two."),
            "invalid_choice": _(
                "Somebody has acted on one of these since you opened the page. Look at them again."
            ),
        },
    )
    references = ReferencesField(required=True)
    iana_reference = IanaReferenceField()
    confirmation = forms.CharField(
        label=_("Type the identifier of each to confirm, with spaces between them"),
        help_text=_("An informal one by the reference of its request: its number comes later."),
        max_length=2_000,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
        ),
        error_messages={"required": _("Type them to confirm.")},
    )

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.candidates = {mark_candidate(each): each for each in list_joint_candidates(person)}
        field = self.fields["chosen"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [
            (mark, f"{find_text_to_confirm(each)}, {each.reference}, {each.organization}")
            for mark, each in self.candidates.items()
        ]

    @property
    def selected(self) -> list[tuple[RegistrationRequest, int]]:
        """The selected requests, each with the revision that was seen."""
        found = [self.candidates[mark] for mark in self.cleaned_data["chosen"]]
        return [(each, each.revision) for each in found]

    def clean(self) -> dict[str, Any]:
        """Refuse a confirmation that does not match every selected request."""
        answers = super().clean() or {}
        chosen, typed = answers.get("chosen"), answers.get("confirmation")
        if not chosen or not typed:
            return answers
        asked = sorted(find_text_to_confirm(self.candidates[mark]).casefold() for mark in chosen)
        given = sorted(word.casefold().removeprefix("urn:") for word in typed.split())
        if given != asked:
            error = forms.ValidationError(
                gettext("You typed “%(typed)s”. To confirm, type %(asked)s."),
                code="confirmation",
                params={"typed": typed, "asked": " ".join(asked)},
            )
            self.add_error("confirmation", error)
        return answers


def mark_candidate(registration_request: RegistrationRequest) -> str:
    """Return a request with the revision shown, as one choice."""
    return f"{registration_request.slug}.{registration_request.revision}"
