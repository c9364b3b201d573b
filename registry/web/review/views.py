"""The review page of one request: what an expert reads, the checklist, and the decision."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from registry import permissions
from registry.actions import read_markers, remarks
from registry.actions.letter_preview import preview_letters
from registry.forms.review import (
    ConfirmedDecisionForm,
    DecisionForm,
    build_explanation_fields,
    list_decision_offers,
)
from registry.forms.steps import PLACEHOLDER_COMMENT
from registry.models import Event, RegistrationRequest, User
from registry.presenters.review import ChecklistState, ReviewPage, load_expert_checklist
from registry.presenters.review_queue import CheckSummary
from registry.presenters.reviewers import explain_no_decision
from registry.selectors.case import open_case
from registry.selectors.checklist import list_unanswered_questions, read_checklist_answers
from registry.selectors.publication import list_other_obstacles, list_publication_obstacles
from registry.selectors.requests import MAX_SIMILAR_SHOWN, list_similar_requests
from registry.selectors.review_queue import find_queue_neighbours
from registry.web.form_stash import clear_stashed_for_later, read_stashed_for_later, stash_for_later
from registry.web.htmx import is_htmx_request
from registry.web.review.expert_assignment import build_recuse_form
from registry.web.review.queue import find_request_as_expert
from registry.web.review.remarks import build_blank_remark_form
from registry.web.step_view import pop_stashed_form, require_sign_in, take_step
from registry.workflow import VERBS, ActionRefused, perform
from registry.workflow.conditions import require_last_round


@require_http_methods(["GET", "HEAD", "POST"])
@require_sign_in("verb", "comment")
def show_review(request: HttpRequest, reference: str) -> HttpResponse:
    """Show one request as an expert reads it, with the decision form."""
    person, registration_request = find_request_as_expert(request, reference)
    with permissions.ask_each_fact_once():
        if request.method != "POST":
            return show_review_page(request, person, registration_request)
    return post_decision(request, person, registration_request)


def show_review_page(
    request: HttpRequest, person: User, registration_request: RegistrationRequest
) -> HttpResponse:
    """Show what an expert reads of a request, whether or not they may decide on it."""
    read_markers.mark_request_read(person, registration_request)
    typed = read_stashed_for_later(request).get(request.path, {}) | pop_stashed_form(request)
    offers = list_decision_offers(registration_request, person)
    form = (
        DecisionForm(initial=typed, registration_request=registration_request, offers=offers)
        if offers
        else None
    )
    return render_review(request, person, registration_request, form)


def post_decision(
    request: HttpRequest, person: User, registration_request: RegistrationRequest
) -> HttpResponse:
    """Take the chosen step, or show the page again with what prevents it."""
    if "later" in request.POST:
        return stash_decision(request, registration_request)

    def build_form() -> DecisionForm | HttpResponse:
        offers = list_decision_offers(registration_request, person)
        if not offers:
            raise PermissionDenied(explain_no_decision(registration_request, person))
        asked: dict[str, Any] = {"registration_request": registration_request, "offers": offers}
        if "change" in request.POST:
            typed = {name: request.POST.get(name, "") for name in ("verb", "comment")}
            return render_review(
                request, person, registration_request, DecisionForm(initial=typed, **asked)
            )
        asked["explanations"] = build_explanation_fields(registration_request, person)
        is_confirmed = "confirmed" in request.POST
        form = (ConfirmedDecisionForm if is_confirmed else DecisionForm)(request.POST, **asked)
        if not form.is_valid():
            lacks_explanation = form.errors.keys() <= asked["explanations"].keys()
            return read_back_decision(request, person, form) if lacks_explanation else form
        return form if is_confirmed else read_back_decision(request, person, form)

    return take_step(
        request,
        registration_request,
        [request.POST.get("verb", "")],
        build_form=build_form,
        render_page=partial(render_review, request, person, registration_request),
        redirect_after=partial(redirect_after_decision, request, registration_request),
        back=reverse("review:detail", args=[registration_request.slug]),
    )


def read_back_decision(
    request: HttpRequest, person: User, form: DecisionForm
) -> DecisionForm | HttpResponse:
    """Preview what would be recorded and the letters about it; the form if it is refused."""
    registration_request = form.registration_request
    if isinstance(form, ConfirmedDecisionForm):
        shown, said = form, form.cleaned_data
    else:
        said = form.cleaned_data
        shown = ConfirmedDecisionForm(
            initial={name: said[name] for name in ("verb", "comment")},
            registration_request=registration_request,
            offers=form.offers,
            explanations=build_explanation_fields(registration_request, person),
        )
    held = RegistrationRequest.objects.get(pk=registration_request.pk)
    explained: dict[str, Any] = dict.fromkeys(form.explanations, PLACEHOLDER_COMMENT)
    try:
        letters = preview_letters(
            lambda: perform(
                held,
                said["verb"],
                actor=person,
                comment=said["comment"],
                **explained,
            )
        )
    except ActionRefused as refusal:
        form.add_refusal(refusal)
        return form
    last = require_last_round(registration_request)
    context = {
        "registration_request": registration_request,
        "round": last,
        "form": shown,
        "transition": form.transition,
        "comment": said["comment"],
        "open_remarks": registration_request.remarks.open(),
        "answered": len(read_checklist_answers(last, person)),
        "unanswered": list_unanswered_questions(registration_request, last, person),
        "explanations": [shown[name] for name in form.explanations if form.must_explain],
        "letters": letters,
    }
    return render(request, "review/read_back.html", context)


def stash_decision(request: HttpRequest, registration_request: RegistrationRequest) -> HttpResponse:
    """Keep what was typed for next time, and go back to the queue."""
    stash_for_later(request, ("verb", "comment"))
    words = _("What you typed about %(request)s is kept for you until you sign out.")
    messages.success(request, words % {"request": registration_request})
    return redirect("review:index")


def redirect_after_decision(
    request: HttpRequest, registration_request: RegistrationRequest, event: Event
) -> HttpResponse:
    """Report the decision on the queue."""
    clear_stashed_for_later(request)
    told = {"request": registration_request, "label": VERBS[event.verb].label}
    messages.success(request, _("Recorded for %(request)s: %(label)s.") % told)
    return redirect("review:index")


def render_review(
    request: HttpRequest,
    person: User,
    registration_request: RegistrationRequest,
    form: DecisionForm | None,
    status: int = 200,
) -> HttpResponse:
    """Draw the page of one request, for people who may decide on it and for others."""
    with permissions.ask_each_fact_once():
        context = build_review_context(request, person, registration_request, form)
        return render(request, "review/detail.html", context, status=status)


def build_review_context(
    request: HttpRequest,
    person: User,
    registration_request: RegistrationRequest,
    form: DecisionForm | None,
) -> dict[str, Any]:
    reading = ReviewPage.of(registration_request, person)
    if form:
        reading.show_points(form)
    dossier, row = reading.dossier, reading.row
    loaded = open_case(registration_request)
    shows_changes = dossier.before is not None and request.GET.get("view") != "text"
    previous, following = find_queue_neighbours(person, registration_request)
    return {
        "registration_request": reading.registration_request,
        "dossier": dossier,
        "row": row,
        "checks": CheckSummary.of_now(
            (finding.severity for finding in dossier.findings),
            list_publication_obstacles(loaded),
        ),
        "obstacles": list_other_obstacles(loaded),
        "shows_changes": shows_changes,
        # Most texts resemble nothing else: the checks of the round say whether to look.
        "similar": list_similar_requests(reading.registration_request, MAX_SIMILAR_SHOWN)
        if row.likeness
        else [],
        "rail": dossier.rail(shows_changes=shows_changes),
        "may_remark": reading.may_remark,
        "may_confer": permissions.may_read_expert_notes(person, registration_request),
        "remark_form": build_blank_remark_form(dossier) if reading.may_remark else None,
        "checklist": reading.checklist if reading.may_remark else None,
        "checklist_form": reading.checklist_form,
        "form": form,
        "why_not": "" if form else explain_no_decision(registration_request, person),
        "may_advise": permissions.may_advise(person, registration_request),
        "assign": VERBS["assign"],
        "recuse": build_recuse_form(registration_request, person) if row.may_step_back else None,
        "previous": previous,
        "following": following,
    }


@login_required
@require_POST
def save_expert_checklist(request: HttpRequest, reference: str) -> HttpResponse:
    """Save the answers so far; they become public with the decision."""
    person, registration_request = find_request_as_expert(request, reference)
    if not permissions.may_remark(person, registration_request):
        raise PermissionDenied(explain_no_decision(registration_request, person))
    last = registration_request.rounds.sent().latest("number")
    kept, form = load_expert_checklist(registration_request, last, person, request.POST)
    refusal = "" if form.is_valid() else _("One of the answers is not Yes, No or Unsure.")
    if form.is_valid():
        try:
            answers = remarks.answer_checklist(
                registration_request, actor=person, **form.cleaned_data
            )
            kept = ChecklistState(kept.questions, answers)
        except ActionRefused as refused:
            refusal = str(refused)
    if is_htmx_request(request):
        context = {"checklist": kept, "refusal": refusal}
        return render(request, "review/checklist_kept.html", context)
    if refusal:
        messages.error(request, refusal)
    else:
        told = {"done": kept.done, "count": kept.count}
        messages.success(request, _("Your answers are kept: %(done)d of %(count)d.") % told)
    return redirect(f"{reverse('review:detail', args=[registration_request.slug])}#checklist")
