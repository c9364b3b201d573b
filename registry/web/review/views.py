"""The review page of one request: what an expert reads of it, the checklist, and the decision."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from registry import permissions, selectors
from registry.actions import expert_assignment, read_markers, remarks
from registry.forms.review import DecisionForm
from registry.models import Event, RegistrationRequest, User
from registry.presenters import workload
from registry.presenters.review_decision import ChecklistState, ReviewPage, load_expert_checklist
from registry.presenters.review_queue import CheckSummary, build_queue_row
from registry.presenters.reviewers import Reviewers, explain_no_decision
from registry.web.form_stash import (
    clear_stashed_for_later,
    read_stashed_for_later,
    stash_for_later,
)
from registry.web.htmx import HtmxRequest
from registry.web.review.expert_assignment import build_recuse_form, show_declaration
from registry.web.review.queue import find_request_as_expert
from registry.web.review.remarks import build_blank_remark_form
from registry.web.step_view import (
    pop_stashed_form,
    require_sign_in,
    take_step,
)
from registry.workflow import VERBS, ActionRefused


@require_http_methods(["GET", "HEAD", "POST"])
@require_sign_in("verb", "comment")
def show_review(request: HttpRequest, reference: str) -> HttpResponse:
    """One request: what an expert reads of it, and the decision."""
    person, registration_request = find_request_as_expert(request, reference)
    if request.method == "POST":
        page = show_declaration(request, person, registration_request)
        return page or post_decision(request, person, registration_request)
    with permissions.ask_each_fact_once():
        page = show_declaration(request, person, registration_request)
        return page or show_review_page(request, person, registration_request)


def show_review_page(
    request: HttpRequest, person: User, registration_request: RegistrationRequest
) -> HttpResponse:
    """What an expert reads of a request, who may decide on it or not."""
    read_markers.mark_request_read(person, registration_request)
    reading = ReviewPage.of(registration_request, person)
    typed = read_stashed_for_later(request).get(request.path, {}) | pop_stashed_form(request)
    form = reading.form(initial=typed) if reading.offers else None
    return render_review(request, reading, form)


def post_decision(
    request: HttpRequest, person: User, registration_request: RegistrationRequest
) -> HttpResponse:
    """Take the step that was chosen, or show the page again with what stands in the way."""
    if "later" in request.POST:
        return stash_decision(request, registration_request)
    reading = ReviewPage.of(registration_request, person)

    def build_form() -> DecisionForm:
        if not reading.offers:
            raise PermissionDenied(explain_no_decision(registration_request, person))
        return reading.form(request.POST)

    return take_step(
        request,
        registration_request,
        [request.POST.get("verb", "")],
        build_form=build_form,
        render_page=partial(render_review, request, reading),
        redirect_after=partial(redirect_after_decision, request, registration_request),
        back=reverse("review:detail", args=[registration_request.slug]),
    )


def stash_decision(request: HttpRequest, registration_request: RegistrationRequest) -> HttpResponse:
    """Keep what was typed for the next time, and go back to the queue."""
    stash_for_later(request, ("verb", "comment"))
    words = _("What you typed about %(request)s is kept for you until you sign out.")
    messages.success(request, words % {"request": registration_request})
    return redirect("review:index")


def redirect_after_decision(
    request: HttpRequest, registration_request: RegistrationRequest, event: Event
) -> HttpResponse:
    """Say that the decision is taken, on the queue."""
    clear_stashed_for_later(request)
    told = {"request": registration_request, "label": VERBS[event.verb].label}
    messages.success(request, _("Recorded for %(request)s: %(label)s.") % told)
    return redirect("review:index")


def render_review(
    request: HttpRequest, reading: ReviewPage, form: DecisionForm | None, status: int = 200
) -> HttpResponse:
    """Draw the page of one request."""
    person, dossier = reading.person, reading.dossier
    registration_request = reading.registration_request
    shows_changes = dossier.before is not None and request.GET.get("view") != "text"
    line = build_queue_row(
        registration_request, person, selectors.list_rival_requests(registration_request)
    )
    previous, following = workload.find_queue_neighbours(person, registration_request)
    context = {
        "registration_request": registration_request,
        "dossier": dossier,
        "row": line,
        "company": Reviewers.of(registration_request, expert_assignment.map_absent_experts()),
        "checks": CheckSummary.of(finding.severity for finding in dossier.findings),
        "shows_changes": shows_changes,
        "rail": dossier.rail(shows_changes=shows_changes),
        "may_remark": reading.may_remark,
        "may_confer": permissions.may_read_expert_notes(person, registration_request),
        "remark_form": build_blank_remark_form(dossier) if reading.may_remark else None,
        "checklist": reading.checklist if reading.may_remark else None,
        "checklist_form": reading.checklist_form,
        "form": form,
        "why_not": "" if form else explain_no_decision(registration_request, person),
        "assign": VERBS["assign"],
        "recuse": build_recuse_form(registration_request, person) if line.may_step_back else None,
        "previous": previous,
        "following": following,
    }
    return render(request, "review/detail.html", context, status=status)


@login_required
@require_POST
def save_expert_checklist(request: HtmxRequest, reference: str) -> HttpResponse:
    """Keep the answers that were given so far; they become public with the decision."""
    person, registration_request = find_request_as_expert(request, reference)
    if not permissions.may_remark(person, registration_request):
        raise PermissionDenied(explain_no_decision(registration_request, person))
    last = registration_request.rounds.sent().latest("number")
    kept, form = load_expert_checklist(registration_request, last, person, request.POST)
    refusal = "" if form.is_valid() else _("One of the answers is none of Yes, No and Unsure.")
    if form.is_valid():
        try:
            answers = remarks.answer_checklist(
                registration_request, actor=person, **form.cleaned_data
            )
            kept = ChecklistState(kept.questions, answers)
        except ActionRefused as refused:
            refusal = str(refused)
    if request.htmx:
        context = {"checklist": kept, "refusal": refusal}
        return render(request, "review/checklist_kept.html", context)
    if refusal:
        messages.error(request, refusal)
    else:
        told = {"done": kept.done, "count": kept.count}
        messages.success(request, _("Your answers are kept: %(done)d of %(count)d.") % told)
    return redirect(f"{reverse('review:detail', args=[registration_request.slug])}#checklist")
