"""The experts' working screen of one request: what they read of it, and what they decide."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import queries, workflow
from registry.forms.review import DecisionForm
from registry.models import RegistrationRequest, User
from registry.pages import workload
from registry.pages.company import Company
from registry.pages.dossier import Dossier
from registry.pages.next_step import why_not
from registry.pages.queue import Checks, row
from registry.reviewing import absences, visits
from registry.views.acting import (
    is_second_click,
    saw_an_older_revision,
    sign_in_first,
    superseded,
    typed_before,
)
from registry.views.assigning import declaration, recuse_form
from registry.views.queue import find
from registry.workflow import VERBS, Transition
from registry.workflow.step import Step
from registry.workflow.words import Words

DECISIONS: Final = ("request_changes", "approve", "report", "decline", "advise")


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_first("verb", "comment")
def detail(request: HttpRequest, reference: str) -> HttpResponse:
    """One request: what an expert reads of it, and the decision."""
    person, registration_request = find(request, reference)
    if page := declaration(request, person, registration_request):
        return page
    if request.method == "POST":
        return decide(request, person, registration_request)
    visits.note(person, registration_request)
    offers = choices(registration_request, person)
    form = None
    if offers:
        form = DecisionForm(
            registration_request=registration_request,
            offers=offers,
            initial=typed_before(request),
        )
    return show(request, person, registration_request, form)


def decide(
    request: HttpRequest, person: User, registration_request: RegistrationRequest
) -> HttpResponse:
    """Take the step that was chosen, or show the page again with what stands in the way."""
    if saw_an_older_revision(request, registration_request):
        return too_late(request, registration_request)
    offers = choices(registration_request, person)
    if not offers:
        raise PermissionDenied(why_not(registration_request, person))
    form = DecisionForm(request.POST, registration_request=registration_request, offers=offers)
    if form.is_valid():
        try:
            workflow.perform(registration_request, actor=person, **form.cleaned_data)
        except workflow.Superseded:
            return too_late(request, registration_request)
        except workflow.Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return recorded(request, registration_request, form.cleaned_data["verb"])
    return show(request, person, registration_request, form)


def too_late(request: HttpRequest, registration_request: RegistrationRequest) -> HttpResponse:
    """Say that somebody was faster, unless it was the same person's first click."""
    verb = request.POST.get("verb", "")
    if is_second_click(request, registration_request, verb):
        return recorded(request, registration_request, verb)
    back = reverse("review:detail", args=[registration_request.slug])
    return superseded(request, registration_request, back)


def recorded(
    request: HttpRequest, registration_request: RegistrationRequest, verb: str
) -> HttpResponse:
    """Say that the decision is taken, on the queue."""
    told = {"request": registration_request, "label": VERBS[verb].label}
    messages.success(request, _("Recorded for %(request)s: %(label)s.") % told)
    return redirect("review:index")


def choices(
    registration_request: RegistrationRequest, person: User
) -> list[tuple[Transition, Words]]:
    """Return the decisions open to `person` now, each with what stands in its way, if anything."""
    step = Step(registration_request, person, comment=_("Reasons are given with the decision."))
    return [
        (transition, transition.obstacle(step))
        for transition in workflow.offers(registration_request, person)
        if transition.verb in DECISIONS
    ]


def show(
    request: HttpRequest,
    person: User,
    registration_request: RegistrationRequest,
    form: DecisionForm | None,
) -> HttpResponse:
    """Draw the page of one request."""
    dossier = Dossier.of(registration_request)
    shows_changes = dossier.before is not None and request.GET.get("view") != "text"
    line = row(registration_request, person, queries.rivals_of(registration_request))
    previous, following = workload.neighbours(person, registration_request)
    context = {
        "registration_request": registration_request,
        "dossier": dossier,
        "row": line,
        "company": Company.of(registration_request, absences.away_today()),
        "checks": Checks.of(finding.severity for finding in dossier.findings),
        "shows_changes": shows_changes,
        "rail": dossier.rail(shows_changes=shows_changes),
        "form": form,
        "why_not": "" if form else why_not(registration_request, person),
        "assign": VERBS["assign"],
        "recuse": recuse_form(registration_request) if line.may_step_back else None,
        "previous": previous,
        "following": following,
    }
    return render(request, "review/detail.html", context)
