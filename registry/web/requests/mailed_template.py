"""The page linked from the letter that asks the sender of a mailed template to confirm it.

Opening it does nothing; its button creates a draft.
"""

from __future__ import annotations

import textwrap
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from registry import selectors
from registry.actions import mailed_templates
from registry.forms.new_request import (
    NewRequestForm,
    build_new_request_form,
    start_request_from_form,
)
from registry.forms.paths import FACTS_CHOICE, build_path_choices
from registry.models import MailedTemplate, Round, User
from registry.presenters.editor import check_nid_availability
from registry.presenters.template_upload import (
    collect_template_changes,
    count_recognised_fields,
    derive_start_answers,
    list_field_readings,
)
from registry.template.reading import Reading, read
from registry.web.form_stash import clear_stashed_form, read_stashed_form, stash_and_sign_in
from registry.workflow import ActionRefused

MAX_ANSWER_LENGTH: Final = 200


@never_cache
@require_http_methods(["GET", "POST"])
def show_mailed_template(request: HttpRequest, key: str) -> HttpResponse:
    """Ask whether a template is the reader's; its buttons create a draft of it or discard it."""
    mailed = mailed_templates.find_mailed_template(key)
    if mailed is None or mailed.registration_request:
        return answer_used_letter(request, mailed)
    if request.method == "POST" and "disown" in request.POST:
        mailed_templates.disown_mailed_template(mailed)
        messages.success(request, _("The template was deleted. Thank you for telling us."))
        return redirect("home:index")
    reading = read(mailed.text)
    if request.method != "POST" or {"check", "try"} & request.POST.keys():
        form = build_new_request_form(initial=find_answers(request, reading))
        return render_mailed_template(request, mailed, reading, form)
    form = build_new_request_form(request.POST)
    offer_texts_alone(form)
    if not form.is_valid():
        return render_mailed_template(request, mailed, reading, form)
    if not isinstance(request.user, User):
        return stash_and_sign_in(request, form.fields)
    return make_draft(request, request.user, mailed, reading, form)


def answer_used_letter(request: HttpRequest, mailed: MailedTemplate | None) -> HttpResponse:
    """Redirect to the draft that was created, if the reader may see it; else say that nothing is
    here.
    """
    made = mailed.registration_request if mailed else None
    if made and selectors.requests_visible_to(request.user).filter(pk=made.pk).exists():
        return redirect(made)
    return render(request, "my_account/mailed_template_gone.html", status=404)


def offer_texts_alone(form: NewRequestForm) -> None:
    """Offer no change of facts: a template is a text."""
    path = form.fields["path"]
    assert isinstance(path, forms.ChoiceField)
    every = build_path_choices(selectors.expected_informal_nid())
    path.choices = [each for each in every if each[0] != FACTS_CHOICE]


def find_answers(request: HttpRequest, reading: Reading) -> dict[str, Any]:
    """Return what was typed so far, and for the rest what the template itself answers."""
    typed = {name: str(value) for name, value in request.POST.items()}
    if "try" in typed:
        typed["nid"] = typed["try"]
    first_sentence = reading.template.purpose.partition(". ")[0]
    first_line = reading.template.registrant.strip().partition("\n")[0]
    from_text = {
        "organization": "" if "@" in first_line else first_line[:MAX_ANSWER_LENGTH],
        "summary": textwrap.shorten(first_sentence, MAX_ANSWER_LENGTH, placeholder="…"),
        **derive_start_answers(reading, selectors.NidLookup()),
    }
    return {**from_text, **(typed or read_stashed_form(request, request.path) or {})}


def make_draft(
    request: HttpRequest,
    person: User,
    mailed: MailedTemplate,
    reading: Reading,
    form: NewRequestForm,
) -> HttpResponse:
    """Create the draft, with every field that a text can fill in, and redirect to its preview."""

    def choose(draft: Round) -> dict[str, Any]:
        rows = [row for row in list_field_readings(reading, draft) if row.is_offered]
        # The page asked for the identifier, and the answer there counts.
        offered = [row.name for row in rows if not (row.name == "nid" and row.replaces)]
        return collect_template_changes(reading, draft.template, offered, with_rest=False)

    try:
        started = mailed_templates.make_draft_of_template(
            mailed, partial(start_request_from_form, person, form), choose
        )
    except ActionRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("account:template", mailed.key)
    clear_stashed_form(request, request.path)
    found, _all = count_recognised_fields(reading)
    words = ngettext(
        "The draft is made, with %(count)d field from your letter. Only you see it. Check it "
        "before you send it.",
        "The draft is made, with %(count)d fields from your letter. Only you see it. Check it "
        "before you send it.",
        found,
    )
    messages.success(request, words % {"count": found})
    return redirect("requests:send", started.slug)


def render_mailed_template(
    request: HttpRequest, mailed: MailedTemplate, reading: Reading, form: NewRequestForm
) -> HttpResponse:
    """Show what arrived and what was understood, and ask."""
    offer_texts_alone(form)
    context = {
        "mailed": mailed,
        "reading": reading,
        "found": count_recognised_fields(reading),
        "until": mailed_templates.find_template_expiry(mailed),
        "form": form,
        "verdict": check_nid_availability(str(form["nid"].value() or "")),
        "expected": selectors.expected_informal_nid(),
        "registered": sorted(selectors.registered_nids()),
    }
    return render(request, "my_account/mailed_template.html", context)
