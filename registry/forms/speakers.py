"""Who speaks for a body or a namespace: each act as a form, for its page and for the API."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from registry import permissions
from registry.actions import speakers
from registry.enums import SpeakerState, Words
from registry.forms.consent import build_text_field
from registry.forms.organizations import INVALID_ADDRESS_MESSAGE, BareForm
from registry.models import Namespace, Organization, Speaker, User
from registry.permissions import Person
from registry.selectors.speakers import Subject, find_body, find_offer


def build_address_field() -> forms.EmailField:
    return forms.EmailField(
        label=_("Email address of their account"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={
            "required": _("Enter the address of their account."),
            "invalid": INVALID_ADDRESS_MESSAGE,
        },
    )


class SubjectActForm(BareForm):
    """An act on the page of who speaks for an organization, or for a namespace."""

    act: ClassVar[str]
    label: ClassVar[Words]
    consequence: ClassVar[Words]

    def __init__(self, *args: Any, subject: Subject, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": f"{self.act}_%s", **kwargs})
        self.subject = subject

    @staticmethod
    def is_open(person: Person, subject: Subject) -> bool:
        """Whether `person` may do it now."""
        raise NotImplementedError

    def perform(self, person: User) -> None:
        """Do what the valid form says; raises `ActionRefused`."""
        raise NotImplementedError


class NameSpeakerForm(SubjectActForm):
    act = "name"
    label = _("Name a delegate")
    consequence = _(
        "They can do what you can do for the organization, including naming others and removing "
        "you. Everybody on record gets a letter, and it takes effect some days later."
    )

    address = build_address_field()

    @staticmethod
    def is_open(person: Person, subject: Subject) -> bool:
        return isinstance(subject, Organization) and permissions.is_delegate_of(person, subject)

    def perform(self, person: User) -> None:
        assert isinstance(self.subject, Organization)
        speakers.name_speaker(self.subject, self.cleaned_data["address"], actor=person)


class AcceptOfferForm(SubjectActForm):
    act = "accept_offer"
    label = _("Speak for this namespace")
    consequence = _("You speak for this one namespace, and for nothing else the organization does.")

    @staticmethod
    def is_open(person: Person, subject: Subject) -> bool:
        return isinstance(subject, Namespace) and find_offer(subject) == person

    def perform(self, person: User) -> None:
        assert isinstance(self.subject, Namespace)
        speakers.accept_offer(self.subject, actor=person)


class RecordSpeakerForm(SubjectActForm):
    act = "record"
    label = _("Record who speaks for it")
    consequence = _(
        "Where it holds a namespace, a second officer countersigns it, everybody on record gets a "
        "letter, and it takes effect some days later."
    )

    address = build_address_field()
    comment = build_text_field(
        _("What you have seen, how, and where it is recorded"),
        help_text=_("A document or register by somebody else, not the claimant’s own word."),
    )

    @staticmethod
    def is_open(person: Person, subject: Subject) -> bool:
        body = find_body(subject)
        return permissions.may_record_speakers(person) and not (
            body and permissions.is_tied_to(person, body)
        )

    def perform(self, person: User) -> None:
        answers = self.cleaned_data
        speakers.record_speaker(self.subject, answers["address"], answers["comment"], actor=person)


class RuleForm(SubjectActForm):
    act = "rule"
    label = _("Say who speaks for it")
    consequence = _(
        "Those you choose speak for it at once, and all others no longer. Each of them gets a "
        "letter, and the reasons are public."
    )

    speaking = forms.MultipleChoiceField(
        label=_("Who speaks for it"), required=False, widget=forms.CheckboxSelectMultiple
    )
    comment = build_text_field(_("Reasons, and where the ruling is recorded, public"))

    def __init__(self, *args: Any, subject: Subject, **kwargs: Any) -> None:
        super().__init__(*args, subject=subject, **kwargs)
        field = self.fields["speaking"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            (str(row.pk), f"{row.person}, {row.subject}: {row.get_basis_display()}")
            for row in speakers.rows_to_rule_on(subject)
        ]

    @staticmethod
    def is_open(person: Person, subject: Subject) -> bool:
        body = find_body(subject)
        return (
            permissions.may_rule_on_speakers(person)
            and not (body and permissions.is_tied_to(person, body))
            and speakers.rows_to_rule_on(subject).exists()
        )

    def perform(self, person: User) -> None:
        answers = self.cleaned_data
        keys = [int(key) for key in answers["speaking"]]
        speakers.rule_on_speakers(self.subject, keys, answers["comment"], actor=person)


SUBJECT_ACT_FORMS: Final[dict[str, type[SubjectActForm]]] = {
    form.act: form for form in (AcceptOfferForm, NameSpeakerForm, RecordSpeakerForm, RuleForm)
}
"""The acts on who speaks for something, in the order of the page."""


class SpeakerActForm(BareForm):
    """An act on one row of who speaks for something."""

    act: ClassVar[str]
    label: ClassVar[Words]

    def __init__(self, *args: Any, speaker: Speaker, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": f"{self.act}_%s", **kwargs})
        self.speaker = speaker

    @staticmethod
    def is_open(person: User, speaker: Speaker) -> bool:
        """Whether `person` may do it now."""
        raise NotImplementedError

    def perform(self, person: User) -> None:
        """Do what the valid form says; raises `ActionRefused`."""
        raise NotImplementedError


class CountersignForm(SpeakerActForm):
    act = "countersign"
    label = _("Countersign")

    @staticmethod
    def is_open(person: User, speaker: Speaker) -> bool:
        return speaker.awaits_countersign and permissions.may_countersign_speaker(person, speaker)

    def perform(self, person: User) -> None:
        speakers.countersign_speaker(self.speaker, actor=person)


class ObjectForm(SpeakerActForm):
    act = "object"
    label = _("Object")

    comment = build_text_field(_("Why, public"))

    @staticmethod
    def is_open(person: User, speaker: Speaker) -> bool:
        return speakers.may_object(person, speaker)

    def perform(self, person: User) -> None:
        speakers.object_to_speaker(
            self.speaker, actor=person, by=person.email, reason=self.cleaned_data["comment"]
        )


class WithdrawObjectionForm(SpeakerActForm):
    act = "withdraw_objection"
    label = _("Take the objection back")

    @staticmethod
    def is_open(person: User, speaker: Speaker) -> bool:
        is_stopped = speaker.state == SpeakerState.STOPPED
        return is_stopped and speaker.objected_by == person.email

    def perform(self, person: User) -> None:
        speakers.withdraw_objection(self.speaker, actor=person, by=person.email)


class EndForm(SpeakerActForm):
    act = "end"
    label = _("End it")

    @staticmethod
    def is_open(person: User, speaker: Speaker) -> bool:
        return speakers.may_end_speaking(person, speaker)

    def perform(self, person: User) -> None:
        speakers.end_speaking(self.speaker, actor=person)


SPEAKER_ACT_FORMS: Final[dict[str, type[SpeakerActForm]]] = {
    form.act: form for form in (CountersignForm, ObjectForm, WithdrawObjectionForm, EndForm)
}
"""The acts on one row, in the order of its page."""
