"""The experts' working screen of one request: what they read of it, and what they decide."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import queries, rules, workflow
from registry.forms.review import DecisionForm
from registry.models import RegistrationRequest, User
from registry.pages import workload
from registry.pages.company import Company
from registry.pages.next_step import why_not
from registry.pages.queue import Checks, row
from registry.pages.reading import Reading
from registry.reviewing import absences, visits
from registry.views.acting import (
    is_second_click,
    saw_an_older_revision,
    sign_in_first,
    superseded,
    typed_before,
)
from registry.views.assigning import declaration, recuse_form
from registry.views.kept import set_aside, set_aside_before, take_up
from registry.views.queue import find
from registry.views.remarks import blank_form
from registry.workflow import VERBS


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
    reading = Reading.of(registration_request, person)
    typed = set_aside_before(request).get(request.path, {}) | typed_before(request)
    form = reading.form(initial=typed) if reading.offers else None
    return show(request, reading, form)


def decide(
    request: HttpRequest, person: User, registration_request: RegistrationRequest
) -> HttpResponse:
    """Take the step that was chosen, or show the page again with what stands in the way."""
    if "later" in request.POST:
        return later(request, registration_request)
    if saw_an_older_revision(request, registration_request):
        return too_late(request, registration_request)
    reading = Reading.of(registration_request, person)
    if not reading.offers:
        raise PermissionDenied(why_not(registration_request, person))
    form = reading.form(request.POST)
    if form.is_valid():
        try:
            workflow.perform(registration_request, actor=person, **form.cleaned_data)
        except workflow.Superseded:
            return too_late(request, registration_request)
        except workflow.Refused as refusal:
            # Without a word of reason it is most often that which was missing.
            form.add_error(None if form.cleaned_data["comment"] else "comment", str(refusal))
        else:
            return recorded(request, registration_request, form.cleaned_data["verb"])
    return show(request, reading, form)


def later(request: HttpRequest, registration_request: RegistrationRequest) -> HttpResponse:
    """Keep what was typed for the next time, and go back to the queue."""
    set_aside(request, ("verb", "comment"))
    words = _("What you typed about %(request)s is kept for you until you sign out.")
    messages.success(request, words % {"request": registration_request})
    return redirect("review:index")


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
    take_up(request)
    told = {"request": registration_request, "label": VERBS[verb].label}
    messages.success(request, _("Recorded for %(request)s: %(label)s.") % told)
    return redirect("review:index")


def show(request: HttpRequest, reading: Reading, form: DecisionForm | None) -> HttpResponse:
    """Draw the page of one request."""
    person, dossier = reading.person, reading.dossier
    registration_request = reading.registration_request
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
        "may_remark": reading.may_remark,
        "may_confer": rules.may_confer(person, registration_request),
        "remark_form": blank_form(dossier) if reading.may_remark else None,
        "checklist": reading.checklist if reading.may_remark else None,
        "checklist_form": reading.checklist_form,
        "form": form,
        "why_not": "" if form else why_not(registration_request, person),
        "assign": VERBS["assign"],
        "recuse": recuse_form(registration_request) if line.may_step_back else None,
        "previous": previous,
        "following": following,
    }
    return render(request, "review/detail.html", context)
