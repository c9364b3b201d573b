"""The editor of a draft: its pages, saving, and conflicts when two people saved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from registry import selectors
from registry.actions import dismissed_findings, remarks
from registry.enums import WRITABLE_STATES
from registry.forms.draft import (
    DismissForm,
    DraftSnapshot,
    EditorForm,
    UpdateForm,
    is_typed_by_registrant,
)
from registry.forms.inspect import SecondRuleForm
from registry.forms.remarks import (
    SAVE_ANSWER_BUTTON,
    AnswerForm,
    find_answer_fields,
    find_answered_numbers,
    get_answer_prefix,
)
from registry.models import RegistrationRequest, Round, User
from registry.models.request import RequestQuerySet
from registry.presenters.editor import (
    build_editor_rail,
    check_nid_availability,
    find_neighbouring_pages,
    get_edit_url,
    list_draft_tabs,
)
from registry.presenters.grammar_trial import GrammarTrialInput, run_grammar_trial
from registry.presenters.remarks import list_remarks_to_answer, select_remarks_on_page
from registry.selectors.base_versions import find_newer_version
from registry.selectors.case import open_case
from registry.selectors.events import find_last_change_request
from registry.selectors.shown_states import find_shown_state
from registry.template import ORDER, PAGES, Page, diff, field, page as page_named, page_of
from registry.urn import nid as nids
from registry.web.form_stash import (
    clear_stashed_form,
    read_stashed_form,
    stash_and_sign_in,
    stash_form,
)
from registry.web.htmx import is_htmx_request
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused, ConcurrentChange


def is_autosave_request(request: HttpRequest) -> bool:
    """Whether the page saves itself, and expects data in response."""
    return "X-Autosave" in request.headers


def stash_draft_and_sign_in(request: HttpRequest, page: Page) -> HttpResponse:
    """Keep what was typed and redirect to the sign-in page."""
    if is_autosave_request(request):
        return JsonResponse({"message": _("You were signed out.")}, status=401)
    return stash_and_sign_in(request, ["seen", *page.fields, *find_answer_fields(request.POST)])


def show_draft_closed(
    request: HttpRequest, registration_request: RegistrationRequest, page: Page
) -> HttpResponse:
    """Say that the text cannot be edited now, and show what was typed."""
    if request.method == "GET":
        state = find_shown_state(open_case(registration_request))
        messages.info(
            request,
            _("The text cannot be edited now: the request is in the state “%(state)s”.")
            % {"state": state},
        )
        return redirect(registration_request)
    if is_autosave_request(request):
        return JsonResponse({"compare": registration_request.get_absolute_url()}, status=409)
    typed = [(field(name), request.POST[name]) for name in page.fields if request.POST.get(name)]
    answers = [
        (number, text)
        for number in sorted(find_answered_numbers(request.POST))
        if (text := request.POST.get(f"{get_answer_prefix(number)}-text"))
    ]
    context = {"registration_request": registration_request, "typed": typed, "answers": answers}
    return render(request, "requests/closed.html", context, status=409)


def show_draft_conflict(request: HttpRequest, form: EditorForm) -> HttpResponse:
    """Show both texts: the one saved meanwhile, and the one typed."""
    if is_autosave_request(request):
        stash_form(request, request.path, ["seen", *form.page.fields])
        return JsonResponse({"compare": request.path}, status=409)
    now = DraftSnapshot.of(form.draft, form.page)
    typed = {name: form[name].value() for name in form.fields} | {"seen": str(now)}
    context = selectors.build_check_context(form.draft.registration_request)
    mine = EditorForm(typed, page=form.page, draft=form.draft, context=context)
    return render(
        request,
        "requests/conflict.html",
        {
            "registration_request": form.draft.registration_request,
            "form": mine,
            "page": form.page,
            "draft": form.draft,
            "go": request.POST.get("go", ""),
            "answers": [(name, request.POST[name]) for name in find_answer_fields(request.POST)],
            "differences": diff(form.draft.template, form.text_typed),
            "nav_current": "mine",
        },
        status=409,
    )


TypedValues = Mapping[str, Any]


def build_answer_forms(
    registration_request: RegistrationRequest, page: Page, typed: TypedValues | None
) -> dict[int, AnswerForm]:
    """Return the forms of a page of the editor in which answers were typed, by remark."""
    if not typed or not (numbers := find_answered_numbers(typed)):
        return {}
    answered = registration_request.remarks.filter(number__in=numbers, section__in=page.fields)
    forms = {}
    for remark in answered.select_related("author").order_by("number"):
        remark.registration_request = registration_request
        form = AnswerForm(typed, remark=remark, in_editor=True)
        if form.is_changed:
            forms[remark.number] = form
    return forms


def save_typed_answers(forms: Mapping[int, AnswerForm], actor: User) -> dict[int, AnswerForm]:
    """Save the answers that can be saved; return the other forms, which say why not."""
    kept = {number: save_typed_answer(form, actor) for number, form in forms.items()}
    return {number: form for number, form in kept.items() if form is not None}


def save_typed_answer(form: AnswerForm, actor: User) -> AnswerForm | None:
    """Save the answer of a form; return the form with an error if it cannot be saved, else None."""
    if not form.is_valid():
        return form
    try:
        remarks.answer_remark(form.remark, actor=actor, **form.cleaned_data)
    except ConcurrentChange as refusal:
        return build_overtaken_form(form, str(refusal))
    except ActionRefused as refusal:
        form.add_error(None, str(refusal))
        return form
    return None


def build_overtaken_form(form: AnswerForm, refusal: str) -> AnswerForm:
    """Return the form with what was typed, next to what somebody else has saved."""
    remark = form.remark
    remark.refresh_from_db(fields=["settlement", "draft_settlement", "draft_answer"])
    typed = {form.add_prefix(name): form[name].value() for name in form.fields}
    typed[form.add_prefix("seen")] = remarks.format_prepared_answer(remark)
    again = AnswerForm(typed, remark=remark, in_editor=bool(form.prefix))
    theirs = {"settlement": remark.get_draft_settlement_display(), "text": remark.draft_answer}
    beside = _("It now says: %(settlement)s. %(text)s") % theirs if remark.draft_settlement else ""
    again.add_error(None, f"{refusal} {beside}".strip())
    return again


@require_http_methods(["GET", "POST"])
def edit_draft(request: HttpRequest, reference: str, section: str) -> HttpResponse:
    """Show one page of the draft and save it."""
    page = find_editor_page(section)
    if not isinstance(request.user, User):
        return stash_draft_and_sign_in(request, page)
    registration_request = get_object_or_404(
        list_requests_to_edit(request.user), reference=reference.upper()
    )
    if registration_request.changes_facts:
        return redirect("requests:facts", registration_request.slug)
    draft = find_editable_draft(registration_request)
    if draft is None:
        return show_draft_closed(request, registration_request, page)
    form = build_editor_form(request, draft, page)
    if is_htmx_request(request):
        return render(request, "requests/progress.html", build_editor_context(form))
    if "theirs" in request.POST:
        clear_stashed_form(request, request.path)
        return finish_draft_page(request, form.draft, page, request.path)
    if not form.is_bound or {"by_hand", "try_rule"} & request.POST.keys() or not form.is_valid():
        return render_editor(request, form, read_typed_answers(request, form.draft, form.page))
    return (
        save_draft_page(request, form)
        if request.method == "POST"
        else restore_stashed_draft(request, form)
    )


def find_editor_page(section: str) -> Page:
    """Return the page of the editor with that slug."""
    try:
        return page_named(section)
    except KeyError:
        raise Http404(section) from None


def list_requests_to_edit(person: User) -> RequestQuerySet:
    """Return the requests that `person` writes, with what the editor shows of them."""
    return selectors.requests_written_by(person).select_related("organization", "namespace")


def find_editable_draft(registration_request: RegistrationRequest) -> Round | None:
    """Return the draft, while it can be edited."""
    draft = registration_request.draft if registration_request.state in WRITABLE_STATES else None
    if draft:
        draft.registration_request = registration_request
    return draft


def build_editor_form(request: HttpRequest, draft: Round, page: Page) -> EditorForm:
    """Return the form with what was posted, kept from before, or saved in the draft."""
    typed: Mapping[str, Any] | None = read_stashed_form(request, request.path)
    if request.method == "POST":
        posted = request.POST.copy()
        if "try" in posted:
            posted["nid"] = request.POST["try"]
        if "by_hand" in posted:
            posted["seen"] = str(DraftSnapshot.of(draft, page))
        typed = posted
    context = selectors.build_check_context(draft.registration_request)
    return EditorForm(typed, page=page, draft=draft, context=context)


def read_typed_answers(request: HttpRequest, draft: Round, page: Page) -> dict[int, AnswerForm]:
    """Return the answers to remarks typed next to the text, posted or kept from before."""
    typed = request.POST if request.method == "POST" else read_stashed_form(request, request.path)
    return build_answer_forms(draft.registration_request, page, typed)


def build_editor_context(form: EditorForm) -> dict[str, Any]:
    """Return what surrounds the form, based on what is typed in it now."""
    registration_request = form.draft.registration_request
    return {
        "registration_request": registration_request,
        "page": form.page,
        "form": form,
        **build_editor_rail(registration_request, form.text_typed, form.page),
    }


def render_editor(
    request: HttpRequest, form: EditorForm, answers: Mapping[int, AnswerForm]
) -> HttpResponse:
    """Show the page with what was typed; if it saves itself, say what prevents saving."""
    if is_autosave_request(request):
        wrong = [str(error) for errors in form.errors.values() for error in errors]
        return JsonResponse({"message": " ".join(wrong)}, status=422)
    registration_request = form.draft.registration_request
    last = registration_request.last_round
    before, after = find_neighbouring_pages(form.page)
    context = {
        **build_editor_context(form),
        "draft": form.draft,
        "last_round": last,
        "number": PAGES.index(form.page) + 1,
        "count": len(PAGES),
        "before": before,
        "after": after,
        "tabs": list_draft_tabs(registration_request, last, form.page, "write"),
        "asked_for": find_last_change_request(registration_request),
        "newer": find_newer_version(registration_request, form.draft),
        "to_answer": select_remarks_on_page(
            list_remarks_to_answer(registration_request, answers), form.page
        ),
        "is_kept": request.method == "GET" and form.is_bound,
        "verdict": check_nid_availability(form.text_typed["nid"], registration_request)
        if "nid" in form.fields
        else None,
        "by_registry": list_registry_fields(form),
        "nav_current": "mine",
    }
    if "grammar" in form.fields:
        context |= build_syntax_context(request, form)
    return render(request, "requests/edit.html", context)


def build_syntax_context(request: HttpRequest, form: EditorForm) -> dict[str, Any]:
    """Return the trial of the rule as typed; a second rule is posted with the form."""
    second = SecondRuleForm(request.POST if "other" in request.POST else None)
    kind, other = (str(second[name].value() or "") for name in ("other_kind", "other"))
    question = GrammarTrialInput.of(form.text_typed, kind or "regex", other)
    return {
        "second_rule": second,
        "bench": None if question.is_blank else run_grammar_trial(question),
    }


def list_registry_fields(form: EditorForm) -> list[tuple[Any, str]]:
    """Return the fields of the page that the registry fills in, with their values."""
    registration_request = form.draft.registration_request
    context = selectors.build_check_context(registration_request)
    said = {
        "nid": form.draft.template["nid"] or nids.PLACEHOLDER,
        "version": _("Version %(number)d, when it is published") % {"number": context.version}
        if context.version
        else _("The next after the last, which the registrar looks up"),
        "date": _("The day on which you send the round"),
    }
    return [
        (field(name), said[name])
        for name in form.page.fields
        if name in said and not is_typed_by_registrant(field(name), context)
    ]


def restore_stashed_draft(request: HttpRequest, form: EditorForm) -> HttpResponse:
    """Show what was kept: as it was typed, or next to the text that has changed meanwhile."""
    if form.is_overtaken and form.text_typed != form.draft.template:
        return show_draft_conflict(request, form)
    return render_editor(request, form, read_typed_answers(request, form.draft, form.page))


def save_draft_page(request: HttpRequest, form: EditorForm) -> HttpResponse:
    """Save the valid form, and go where the button said."""
    try:
        draft = form.save()
    except ConcurrentChange:
        return show_draft_conflict(request, form)
    clear_stashed_form(request, request.path)
    if is_autosave_request(request):
        seen = str(DraftSnapshot.of(draft, form.page))
        return JsonResponse({"saved_at": f"{draft.saved_at:%H:%M}", "seen": seen})
    place = get_next_editor_url(request.POST.get("go", ""), draft, form.page)
    return finish_draft_page(request, draft, form.page, place)


def finish_draft_page(request: HttpRequest, draft: Round, page: Page, place: str) -> HttpResponse:
    """Save the answers typed next to the text, which has been handled, and redirect to `place`.

    If one of them cannot be saved, show the page again with the reason.
    """
    refused = save_typed_answers(
        read_typed_answers(request, draft, page), get_signed_in_user(request)
    )
    if refused:
        context = selectors.build_check_context(draft.registration_request)
        return render_editor(request, EditorForm(page=page, draft=draft, context=context), refused)
    pressed = request.POST.get(SAVE_ANSWER_BUTTON, "")
    if pressed not in map(str, find_answered_numbers(request.POST)):
        return redirect(place)
    messages.success(request, _("Your answer to remark %(number)s is kept.") % {"number": pressed})
    return redirect(f"{request.path}#m{pressed}")


def get_next_editor_url(go: str, draft: Round, page: Page) -> str:
    """Return the address of the next page, the previous one, or the same."""
    before, after = find_neighbouring_pages(page)
    registration_request = draft.registration_request
    if go == "next" and after is None:
        return reverse("requests:send", args=[registration_request.slug])
    wanted = {"next": after, "previous": before}.get(go) or page
    return get_edit_url(registration_request, wanted)


@login_required
@require_http_methods(["GET", "POST"])
def update_draft(request: HttpRequest, reference: str) -> HttpResponse:
    """Show what a newer version and the draft change, and bring the draft up to date."""
    registration_request = get_object_or_404(
        list_requests_to_edit(get_signed_in_user(request)), reference=reference.upper()
    )
    draft = find_editable_draft(registration_request)
    newer = find_newer_version(registration_request, draft) if draft else None
    if draft is None or newer is None:
        messages.info(request, _("The text is written from the version in force."))
        return redirect(registration_request)
    context = selectors.build_check_context(registration_request)
    form = UpdateForm(request.POST or None, draft=draft, newer=newer, context=context)
    if form.is_valid():
        try:
            form.save()
        except ConcurrentChange as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(
                request,
                _("The text is up to date with version %(number)d.") % {"number": newer.number},
            )
            return redirect("requests:send", registration_request.slug)
    return render(request, "requests/update.html", build_update_context(form))


def build_update_context(form: UpdateForm) -> dict[str, Any]:
    """Return what both texts change in each section, next to the field if both change it."""
    mine, theirs = form.merge.changes_of_mine, form.merge.changes_of_newer
    return {
        "registration_request": form.draft.registration_request,
        "draft": form.draft,
        "newer": form.newer,
        "form": form,
        "sections": [
            {
                "label": field(name).label,
                "mine": mine.get(name),
                "theirs": theirs.get(name),
                "input": form[name] if name in form.fields else None,
            }
            for name in ORDER
            if name in mine or name in theirs
        ],
        "nav_current": "mine",
    }


@login_required
@require_http_methods(["GET", "POST"])
def dismiss_note(request: HttpRequest, reference: str) -> HttpResponse:
    """Ask why a note of the checks does not apply, and hide it."""
    person = get_signed_in_user(request)
    registration_request = get_object_or_404(
        list_requests_to_edit(person), reference=reference.upper()
    )
    draft = find_editable_draft(registration_request)
    asked = request.GET.get("check", ""), request.GET.get("section", "")
    found = selectors.list_findings(registration_request, draft.template) if draft else ()
    finding = next((each for each in found if (each.check, each.section) == asked), None)
    if finding is None:
        raise Http404
    back = get_edit_url(registration_request, page_of(finding.section or "nid"))
    form = DismissForm(request.POST or None)
    if form.is_valid():
        try:
            dismissed_findings.dismiss_finding(
                registration_request, finding, actor=person, **form.cleaned_data
            )
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The note is dismissed. Experts will read your reason."))
            return redirect(back)
    context = {
        "registration_request": registration_request,
        "draft": draft,
        "finding": finding,
        "form": form,
        "back": back,
        "nav_current": "mine",
    }
    return render(request, "requests/dismiss.html", context)


@login_required
@require_POST
def post_note_again(request: HttpRequest, reference: str, key: int) -> HttpResponse:
    """Show a dismissed note again; a second click finds nothing left to do."""
    person = get_signed_in_user(request)
    registration_request = get_object_or_404(
        list_requests_to_edit(person), reference=reference.upper()
    )
    dismissed = registration_request.dismissed_findings.filter(pk=key).first()
    page = page_of((dismissed.section if dismissed else "") or "nid")
    try:
        dismissed_findings.show_finding_again(registration_request, person, key)
    except ActionRefused as refusal:
        messages.error(request, str(refusal))
    return redirect(get_edit_url(registration_request, page))
