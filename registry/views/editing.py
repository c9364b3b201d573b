"""The editor: one page of the draft at a time, and nothing that was typed is ever lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import queries
from registry.choices import WRITABLE
from registry.forms.bench import SecondRuleForm
from registry.forms.editor import EditorForm, Seen, is_typed
from registry.forms.remarks import KEEP_ANSWER, AnswerForm, numbers_answered
from registry.models import RegistrationRequest, Round, User
from registry.models.request import RequestQuerySet
from registry.pages.bench import Question, try_out
from registry.pages.surroundings import (
    asked_for,
    edit_url,
    neighbours,
    surroundings,
    views_of_draft,
)
from registry.pages.to_answer import on_page, to_answer
from registry.pages.verdict import verdict
from registry.template import PAGES, Page, field, page as page_named
from registry.urn import nid as nids
from registry.views.acting import signed_in
from registry.views.htmx import HtmxRequest
from registry.views.kept import forget, kept
from registry.views.rescue import closed, conflict, is_autosave, signed_out
from registry.views.typed_answers import answer_forms, save_answers
from registry.workflow import Superseded


@require_http_methods(["GET", "POST"])
def edit(request: HtmxRequest, reference: str, section: str) -> HttpResponse:
    """Show one page of the draft and write it."""
    page = page_or_404(section)
    if not isinstance(request.user, User):
        return signed_out(request, page)
    registration_request = get_object_or_404(written_by(request.user), reference=reference.upper())
    if registration_request.changes_facts:
        return redirect("requests:facts", registration_request.slug)
    draft = draft_of(registration_request)
    if draft is None:
        return closed(request, registration_request, page)
    form = form_of(request, draft, page)
    if request.htmx:
        return render(request, "requests/progress.html", around(form))
    if "theirs" in request.POST:
        forget(request, request.path)
        return finish(request, form.draft, page, request.path)
    if not form.is_bound or {"by_hand", "try_rule"} & request.POST.keys() or not form.is_valid():
        return show(request, form, answers_typed(request, form.draft, form.page))
    return save(request, form) if request.method == "POST" else put_back(request, form)


def page_or_404(section: str) -> Page:
    """Return the page of the editor with that slug."""
    try:
        return page_named(section)
    except KeyError:
        raise Http404(section) from None


def written_by(person: User) -> RequestQuerySet:
    """Return the requests that `person` writes, with what the editor shows of them."""
    return queries.written_by(person).select_related("organization", "namespace")


def draft_of(registration_request: RegistrationRequest) -> Round | None:
    """Return the draft, while it may be written."""
    draft = registration_request.draft if registration_request.state in WRITABLE else None
    if draft:
        draft.registration_request = registration_request
    return draft


def form_of(request: HtmxRequest, draft: Round, page: Page) -> EditorForm:
    """Return the form with what was posted, or kept from before, or stands in the draft."""
    typed: Mapping[str, Any] | None = kept(request, request.path)
    if request.method == "POST":
        posted = request.POST.copy()
        if "try" in posted:
            posted["nid"] = request.POST["try"]
        if "by_hand" in posted:
            posted["seen"] = str(Seen.of(draft, page))
        typed = posted
    context = queries.context(draft.registration_request)
    return EditorForm(typed, page=page, draft=draft, context=context)


def answers_typed(request: HtmxRequest, draft: Round, page: Page) -> dict[int, AnswerForm]:
    """Return the answers to remarks that were typed beside the text, posted or kept from before."""
    typed = request.POST if request.method == "POST" else kept(request, request.path)
    return answer_forms(draft.registration_request, page, typed)


def around(form: EditorForm) -> dict[str, Any]:
    """Return what stands around the form, by what is typed in it now."""
    registration_request = form.draft.registration_request
    return {
        "registration_request": registration_request,
        "page": form.page,
        "form": form,
        **surroundings(registration_request, form.text_typed, form.page),
    }


def show(request: HtmxRequest, form: EditorForm, answers: Mapping[int, AnswerForm]) -> HttpResponse:
    """Show the page with what was typed; where it saves itself, say what keeps it from that."""
    if is_autosave(request):
        wrong = [str(error) for errors in form.errors.values() for error in errors]
        return JsonResponse({"message": " ".join(wrong)}, status=422)
    registration_request = form.draft.registration_request
    last = registration_request.last_round
    before, after = neighbours(form.page)
    context = {
        **around(form),
        "draft": form.draft,
        "last_round": last,
        "number": PAGES.index(form.page) + 1,
        "count": len(PAGES),
        "before": before,
        "after": after,
        "tabs": views_of_draft(registration_request, last, form.page, "write"),
        "asked_for": asked_for(registration_request),
        "to_answer": on_page(to_answer(registration_request, answers), form.page),
        "is_kept": request.method == "GET" and form.is_bound,
        "verdict": verdict(form.text_typed["nid"], registration_request)
        if "nid" in form.fields
        else None,
        "by_registry": by_registry(form),
        "nav_current": "mine",
    }
    if "grammar" in form.fields:
        context |= beside_syntax(request, form)
    return render(request, "requests/edit.html", context)


def beside_syntax(request: HtmxRequest, form: EditorForm) -> dict[str, Any]:
    """Return the bench, with the rule as it is typed; a second rule is posted with the form."""
    second = SecondRuleForm(request.POST if "other" in request.POST else None)
    kind, other = (str(second[name].value() or "") for name in ("other_kind", "other"))
    question = Question.of(form.text_typed, kind or "regex", other)
    return {
        "second_rule": second,
        "bench": None if question.is_blank else try_out(question),
    }


def by_registry(form: EditorForm) -> list[tuple[Any, str]]:
    """Return the fields of the page that nobody types here, with what they say."""
    registration_request = form.draft.registration_request
    context = queries.context(registration_request)
    said = {
        "nid": form.draft.template["nid"] or nids.PLACEHOLDER,
        "version": _("Version %(number)d, when it is published") % {"number": context.version}
        if context.version
        else _("The one after the last, which the registrar looks up"),
        "date": _("The day on which you send the round"),
    }
    return [
        (field(name), said[name])
        for name in form.page.fields
        if name in said and not is_typed(field(name), context)
    ]


def put_back(request: HtmxRequest, form: EditorForm) -> HttpResponse:
    """Show what was kept: as it was typed, or beside the text that has changed meanwhile."""
    if form.is_overtaken and form.text_typed != form.draft.template:
        return conflict(request, form)
    return show(request, form, answers_typed(request, form.draft, form.page))


def save(request: HtmxRequest, form: EditorForm) -> HttpResponse:
    """Save the valid form, and go where the button said."""
    try:
        draft = form.save()
    except Superseded:
        return conflict(request, form)
    forget(request, request.path)
    if is_autosave(request):
        seen = str(Seen.of(draft, form.page))
        return JsonResponse({"saved_at": f"{draft.saved_at:%H:%M}", "seen": seen})
    place = next_place(request.POST.get("go", ""), draft, form.page)
    return finish(request, draft, form.page, place)


def finish(request: HtmxRequest, draft: Round, page: Page, place: str) -> HttpResponse:
    """Keep the answers that were typed beside the text, which is dealt with, and go to `place`.

    Where one of them cannot be kept, the page is shown again and says why.
    """
    refused = save_answers(answers_typed(request, draft, page), signed_in(request))
    if refused:
        context = queries.context(draft.registration_request)
        return show(request, EditorForm(page=page, draft=draft, context=context), refused)
    pressed = request.POST.get(KEEP_ANSWER, "")
    if pressed not in map(str, numbers_answered(request.POST)):
        return redirect(place)
    messages.success(request, _("Your answer to remark %(number)s is kept.") % {"number": pressed})
    return redirect(f"{request.path}#m{pressed}")


def next_place(go: str, draft: Round, page: Page) -> str:
    """Return the address of the next page, the one before, or the same."""
    before, after = neighbours(page)
    registration_request = draft.registration_request
    if go == "next" and after is None:
        return reverse("requests:send", args=[registration_request.slug])
    wanted = {"next": after, "previous": before}.get(go) or page
    return edit_url(registration_request, wanted)
