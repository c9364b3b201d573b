"""Answers to remarks as they were typed, in the editor or on a page of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from registry.forms.remarks import AnswerForm, numbers_answered
from registry.models import RegistrationRequest, User
from registry.reviewing import remarks
from registry.template import Page
from registry.workflow import Refused, Superseded

Typed = Mapping[str, Any]


def answer_forms(
    registration_request: RegistrationRequest, page: Page, typed: Typed | None
) -> dict[int, AnswerForm]:
    """Return the forms in which an answer was typed on a page of the editor, by remark."""
    if not typed or not (numbers := numbers_answered(typed)):
        return {}
    answered = registration_request.remarks.filter(number__in=numbers, section__in=page.fields)
    forms = {}
    for remark in answered.select_related("author").order_by("number"):
        remark.registration_request = registration_request
        form = AnswerForm(typed, remark=remark, in_editor=True)
        if form.is_changed:
            forms[remark.number] = form
    return forms


def save_answers(forms: Mapping[int, AnswerForm], actor: User) -> dict[int, AnswerForm]:
    """Keep the answers that can be kept; return the forms of the others, which say why not."""
    kept = {number: save_answer(form, actor) for number, form in forms.items()}
    return {number: form for number, form in kept.items() if form is not None}


def save_answer(form: AnswerForm, actor: User) -> AnswerForm | None:
    """Keep the answer of a form; return the form that says why it cannot be, None where it was."""
    if not form.is_valid():
        return form
    try:
        remarks.answer(form.remark, actor=actor, **form.cleaned_data)
    except Superseded as refusal:
        return overtaken(form, str(refusal))
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return form
    return None


def overtaken(form: AnswerForm, refusal: str) -> AnswerForm:
    """Return the form with what was typed, beside what somebody else has put there."""
    remark = form.remark
    remark.refresh_from_db(fields=["settlement", "draft_settlement", "draft_answer"])
    typed = {form.add_prefix(name): form[name].value() for name in form.fields}
    typed[form.add_prefix("seen")] = remarks.as_answered(remark)
    again = AnswerForm(typed, remark=remark, in_editor=bool(form.prefix))
    theirs = {"settlement": remark.get_draft_settlement_display(), "text": remark.draft_answer}
    beside = _("It now says: %(settlement)s. %(text)s") % theirs if remark.draft_settlement else ""
    again.add_error(None, f"{refusal} {beside}".strip())
    return again
