"""Who speaks for a namespace: codes, objections, claims and searches."""

from __future__ import annotations

from typing import Any, ClassVar, Final, cast

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from registry import permissions
from registry.actions import delegate_changes, holder_searches, rfc_references
from registry.actions.holder_searches import SearchFinding
from registry.enums import Words
from registry.forms.fields import ReferencesField
from registry.forms.organizations import INVALID_ADDRESS_MESSAGE, BareForm
from registry.forms.steps import MAX_COMMENT_LENGTH
from registry.models import DelegateChange, Namespace, User
from registry.permissions import Person
from registry.selectors.holder_clock import find_opening_time
from registry.selectors.holder_consent import find_offer
from registry.validators import validate_no_control_characters
from registry.workflow.conditions import MAX_RFC_SECTION_LENGTH
from registry.workflow.holder_signs import answer_search, find_search

MAX_SEARCH_ADDRESSES: Final = 10


def build_text_field(label: Words, *, help_text: Words = "", required: bool = True) -> Any:
    """Return a field for reasons, evidence or a source."""
    return forms.CharField(
        label=cast(str, label),
        help_text=cast(str, help_text),
        required=required,
        max_length=MAX_COMMENT_LENGTH,
        validators=[validate_no_control_characters],
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": _("Say it in a few words.")},
    )


class CodeForm(BareForm):
    code = forms.CharField(
        label=_("Code from the letter"),
        max_length=20,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters"}
        ),
        error_messages={"required": _("Type the code from the letter.")},
    )


class AddressesField(forms.CharField):
    """Mail addresses, typed one per line."""

    def clean(self, value: Any) -> list[str]:
        """Return the addresses, or say which line is invalid."""
        found = list(dict.fromkeys(super().clean(value).split()))
        if len(found) > MAX_SEARCH_ADDRESSES:
            raise ValidationError(
                _("These are more than %(most)d addresses."), params={"most": MAX_SEARCH_ADDRESSES}
            )
        for line in found:
            try:
                validate_email(line)
            except ValidationError:
                words = _("“%(start)s” is not an email address.")
                raise ValidationError(words, params={"start": line[:60]}) from None
        return found


class ObjectionForm(BareForm):
    """Why the published contact objects."""

    comment = build_text_field(_("Why, public"))


class HolderActForm(BareForm):
    """An action on the page of a namespace's holder, and who may do it when."""

    act: ClassVar[str]
    label: ClassVar[Words]
    consequence: ClassVar[Words]

    def __init__(self, *args: Any, namespace: Namespace, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": f"{self.act}_%s", **kwargs})
        self.namespace = namespace

    @staticmethod
    def is_open(person: Person, namespace: Namespace) -> bool:
        """Whether `person` may do it now."""
        raise NotImplementedError

    def perform(self, person: User) -> None:
        """Do what the valid form says; raises `ActionRefused`."""
        raise NotImplementedError


class AcceptOfferForm(HolderActForm):
    """The author of a new namespace accepts the offer to speak for it alone."""

    act = "accept_offer"
    label = _("Speak for this namespace")
    consequence = _(
        "You speak only for this namespace, until somebody acts for the organization itself."
    )

    @staticmethod
    def is_open(person: Person, namespace: Namespace) -> bool:
        return isinstance(person, User) and find_offer(namespace) == person

    def perform(self, person: User) -> None:
        holder_searches.accept_offer(self.namespace, actor=person)


class AnswerSearchForm(HolderActForm):
    """Somebody who speaks for the holder says that the holder is there."""

    act = "answer_search"
    label = _("Confirm that the holder is there")
    consequence = _("The search ends at once.")

    @staticmethod
    def is_open(person: Person, namespace: Namespace) -> bool:
        return find_search(namespace) is not None and permissions.may_answer_search(
            person, namespace
        )

    def perform(self, person: User) -> None:
        if search := find_search(self.namespace):
            answer_search(search, actor=person, by="")


class RecordSignForm(HolderActForm):
    """The registrar records a sign of the holder that came another way."""

    act = "record_sign"
    label = _("Record a sign of the holder")
    consequence = _("The search ends at once.")

    comment = build_text_field(_("Who answered, when and how, public"))

    @staticmethod
    def is_open(person: Person, namespace: Namespace) -> bool:
        return find_search(namespace) is not None and (
            permissions.is_registrar(person) or permissions.may_search_holder(person, namespace)
        )

    def perform(self, person: User) -> None:
        if search := find_search(self.namespace):
            answer_search(search, actor=person, by=self.cleaned_data["comment"])


class BeginSearchForm(HolderActForm):
    """The registrar writes to every address on record."""

    act = "begin_search"
    label = _("Write to the holder")
    consequence = _(
        "Every address on record gets a letter, and a second one if nobody answers. Then the "
        "search can be opened."
    )

    addresses = AddressesField(
        required=False,
        label=_("Further addresses"),
        help_text=_("One on each line, where the registry has none or an old one."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    comment = build_text_field(
        _("Source of these addresses, public"),
        help_text=_("A document or record by somebody else, not the claimant’s own word."),
        required=False,
    )

    @staticmethod
    def is_open(person: Person, namespace: Namespace) -> bool:
        return find_search(namespace) is None and permissions.may_search_holder(person, namespace)

    def perform(self, person: User) -> None:
        said = self.cleaned_data
        holder_searches.begin_search(
            self.namespace, actor=person, addresses=said["addresses"], source=said["comment"]
        )


class OpenSearchForm(HolderActForm):
    """The registrar opens the search."""

    act = "open_search"
    label = _("Open the search")
    consequence = _("A public notice is shown here; then the standards body says what it found.")

    @staticmethod
    def is_open(person: Person, namespace: Namespace) -> bool:
        search = find_search(namespace)
        opening = find_opening_time(search) if search else None
        return (
            search is not None
            and search.opened_at is None
            and opening is not None
            and opening <= timezone.now()
            and permissions.may_search_holder(person, namespace)
        )

    def perform(self, person: User) -> None:
        if search := find_search(self.namespace):
            holder_searches.open_search(search, actor=person)


class DecideSearchForm(HolderActForm):
    """The standards body decides who speaks for the namespace, or which text may be published."""

    act = "decide_search"
    label = _("Say what was found")
    consequence = _("It takes effect some weeks later, and can be appealed until then.")

    speaker = forms.EmailField(
        label=_("Who speaks for the namespace"),
        required=False,
        help_text=_("The email address of their account."),
        error_messages={"invalid": INVALID_ADDRESS_MESSAGE},
    )
    reference = forms.CharField(
        label=_("Or the request whose last round may be published"),
        required=False,
        max_length=14,
        help_text=_("Its reference."),
    )
    comment = build_text_field(_("The evidence, public"))

    @staticmethod
    def is_open(person: Person, namespace: Namespace) -> bool:
        search = find_search(namespace)
        return (
            search is not None
            and search.decided_at is None
            and search.notice_until is not None
            and search.notice_until <= timezone.now()
            and permissions.may_decide_search(person, namespace)
        )

    def perform(self, person: User) -> None:
        said = self.cleaned_data
        finding = SearchFinding(
            evidence=said["comment"],
            speaker=holder_searches.find_speaker(said["speaker"]) if said["speaker"] else None,
            round=holder_searches.find_round_to_publish(self.namespace, said["reference"])
            if said["reference"]
            else None,
        )
        if search := find_search(self.namespace):
            holder_searches.decide_search(search, finding, actor=person)


class AppealSearchForm(HolderActForm):
    """Anyone affected appeals against the finding."""

    act = "appeal_search"
    label = _("Appeal")
    consequence = _("It does not take effect before the standards body has answered.")

    comment = build_text_field(_("Why it should be overturned, public"))

    @staticmethod
    def is_open(person: Person, namespace: Namespace) -> bool:
        search = find_search(namespace)
        return (
            search is not None
            and search.decided_at is not None
            and search.appealed_at is None
            and permissions.has_confirmed_address(person)
        )

    def perform(self, person: User) -> None:
        if search := find_search(self.namespace):
            holder_searches.appeal_search(search, self.cleaned_data["comment"], actor=person)


APPEAL_OUTCOME_CHOICES: Final = [
    ("uphold", _("The finding is upheld")),
    ("drop", _("The finding is dropped, and the search ends")),
]


class RuleSearchForm(HolderActForm):
    """The standards body answers the appeal."""

    act = "rule_search"
    label = _("Answer the appeal")
    consequence = _("The outcome is public, and everybody on record gets a letter.")

    outcome = forms.ChoiceField(
        label=_("Outcome"),
        choices=APPEAL_OUTCOME_CHOICES,
        error_messages={"required": _("Choose the outcome.")},
    )
    comment = build_text_field(_("Reasons, public"))

    @staticmethod
    def is_open(person: Person, namespace: Namespace) -> bool:
        search = find_search(namespace)
        return (
            search is not None
            and search.is_stayed
            and permissions.may_decide_search(person, namespace)
        )

    def perform(self, person: User) -> None:
        said = self.cleaned_data
        if search := find_search(self.namespace):
            is_upheld = said["outcome"] == "uphold"
            holder_searches.rule_on_search(
                search, is_upheld=is_upheld, reasons=said["comment"], actor=person
            )


class EnterReferenceForm(HolderActForm):
    """The registrar enters a reference that a published RFC changes."""

    act = "enter_reference"
    label = _("Enter a reference that an RFC changes")
    consequence = _("The holder is told, and can object; some days later it is published.")

    references = ReferencesField(required=True)
    rfc = forms.CharField(
        label=_("RFC"),
        max_length=10,
        help_text=_("Its number, such as RFC 9499."),
        error_messages={"required": _("Enter the number of the RFC.")},
    )
    section = forms.CharField(
        label=_("Section"),
        max_length=MAX_RFC_SECTION_LENGTH,
        help_text=_("Of that RFC, in which it changes the reference."),
        error_messages={"required": _("Enter the section.")},
    )

    @staticmethod
    def is_open(person: Person, namespace: Namespace) -> bool:
        return permissions.is_registrar(person)

    def perform(self, person: User) -> None:
        said = self.cleaned_data
        rfc_references.enter_rfc_reference(
            self.namespace, said["references"], said["rfc"], said["section"], actor=person
        )


HOLDER_ACT_FORMS: Final[dict[str, type[HolderActForm]]] = {
    form.act: form
    for form in (
        AcceptOfferForm,
        AnswerSearchForm,
        RecordSignForm,
        BeginSearchForm,
        OpenSearchForm,
        DecideSearchForm,
        AppealSearchForm,
        RuleSearchForm,
        EnterReferenceForm,
    )
}
"""The actions on the page of a namespace's holder, in the order of the page."""


class ChangeActForm(BareForm):
    """An action on a change to who acts for a body."""

    act: ClassVar[str]
    label: Words

    def __init__(self, *args: Any, change: DelegateChange, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": f"{self.act}_%s", **kwargs})
        self.change = change

    @staticmethod
    def is_open(person: Person, change: DelegateChange) -> bool:
        """Whether `person` may do it now."""
        raise NotImplementedError

    def perform(self, person: User) -> None:
        """Do what the valid form says; raises `ActionRefused`."""
        raise NotImplementedError


class ConfirmChangeForm(ChangeActForm):
    """The code from the letter, typed by the person who asked for the change."""

    act = "confirm"
    label = _("Confirm")

    code = CodeForm.base_fields["code"]

    @staticmethod
    def is_open(person: Person, change: DelegateChange) -> bool:
        return change.ended_at is None and change.needs_code and person == change.asked_by

    def perform(self, person: User) -> None:
        delegate_changes.confirm_delegate_change(
            self.change, self.cleaned_data["code"], actor=person
        )


class ConfirmSourceForm(ChangeActForm):
    """The registrar says since when a claimed domain is the body's, or who acts for the body."""

    act = "confirm_source"
    label = _("Confirm the domain")

    comment = build_text_field(
        _("Since when the organization has had the domain, and your source"),
        help_text=_(
            "It must have had it before the last record of the namespace: cite an archive, a "
            "document or a register, not the claimant’s own word."
        ),
    )

    def __init__(self, *args: Any, change: DelegateChange, **kwargs: Any) -> None:
        super().__init__(*args, change=change, **kwargs)
        if change.proof_id is None:
            self.label = _("Confirm who acts")
            comment = self.fields["comment"]
            comment.label = _("How you know that they act for the organization, with a source")
            comment.help_text = _(
                "The organization has no representative yet, and nothing has been proved: cite "
                "one of its own letters, documents or registers."
            )

    @staticmethod
    def is_open(person: Person, change: DelegateChange) -> bool:
        return (
            change.ended_at is None
            and change.needs_source
            and not change.needs_code
            and permissions.may_confirm_claim(person, change)
        )

    def perform(self, person: User) -> None:
        delegate_changes.confirm_claim_source(
            self.change, self.cleaned_data["comment"], actor=person
        )


class StopChangeForm(ChangeActForm):
    """Somebody concerned stops the change."""

    act = "stop"
    label = _("Stop it")

    comment = build_text_field(_("Why"))

    @staticmethod
    def is_open(person: Person, change: DelegateChange) -> bool:
        return change.ended_at is None and delegate_changes.may_stop_change(person, change)

    def perform(self, person: User) -> None:
        delegate_changes.stop_delegate_change(
            self.change, actor=person, by=str(person), reason=self.cleaned_data["comment"]
        )


CHANGE_ACT_FORMS: Final[dict[str, type[ChangeActForm]]] = {
    form.act: form for form in (ConfirmChangeForm, ConfirmSourceForm, StopChangeForm)
}
"""The actions on the page of such a change."""
