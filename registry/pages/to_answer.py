"""The remarks that the registrant is to answer, beside the draft."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from registry.choices import Weight
from registry.forms.remarks import AnswerForm
from registry.models import RegistrationRequest, Remark
from registry.pages.remarks import Carried, carried, edit_url
from registry.template import Page, page_of


@dataclass(frozen=True, slots=True)
class ToAnswer:
    """An open remark with the form for its answer, and where that is written."""

    shown: Carried
    form: AnswerForm

    @classmethod
    def of(cls, remark: Remark, form: AnswerForm) -> ToAnswer:
        """Return the remark of a request, in the text of its draft."""
        shown = next(
            each for each in in_draft(remark.registration_request) if each.remark == remark
        )
        return cls(shown, form)

    @property
    def is_answered(self) -> bool:
        """Whether an answer is prepared."""
        return bool(self.shown.remark.draft_settlement)

    @property
    def is_must(self) -> bool:
        """Whether nothing can be sent before it is answered."""
        return self.shown.remark.weight == Weight.MUST_FIX

    @property
    def url(self) -> str:
        """Where it is answered."""
        return edit_url(self.shown.remark)


def in_draft(registration_request: RegistrationRequest) -> list[Carried]:
    """Return the remarks of a request in the text of its draft."""
    rounds = list(registration_request.rounds.order_by("number"))
    sent = [each for each in rounds if each.submitted_at]
    return carried(registration_request, sent, shown=rounds[-1])


def to_answer(
    registration_request: RegistrationRequest, typed: Mapping[int, AnswerForm] | None = None
) -> list[ToAnswer]:
    """Return the open remarks: those that must be answered and are not first.

    `typed` holds forms with what was typed, by the number of the remark; these are shown even
    where the remark has been settled meanwhile.
    """
    typed = typed or {}
    found = [
        ToAnswer(each, form_of(each, typed))
        for each in in_draft(registration_request)
        if each.is_open or each.remark.number in typed
    ]
    return sorted(found, key=lambda each: (each.is_answered, not each.is_must))


def form_of(carried_remark: Carried, typed: Mapping[int, AnswerForm]) -> AnswerForm:
    """Return the form with what was typed, or with the answer that is prepared."""
    remark = carried_remark.remark
    return typed.get(remark.number) or AnswerForm(remark=remark, in_editor=True)


def on_page(found: Sequence[ToAnswer], page: Page) -> list[ToAnswer]:
    """Return those on one page of the editor, in the order in which they were made."""
    here = [each for each in found if each.shown.remark.section in page.fields]
    return sorted(here, key=lambda each: each.shown.remark.number)


def unanswered_by_page(registration_request: RegistrationRequest) -> Counter[str]:
    """Return how many open remarks without an answer each page has, by its slug."""
    sections = registration_request.remarks.open().filter(draft_settlement="")
    return Counter(page_of(each).slug for each in sections.values_list("section", flat=True))
