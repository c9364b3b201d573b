"""The experts' working screens: the queue, one request, and stepping on and off it."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from registry import queries, rules, workflow
from registry.forms.act import StepForm
from registry.forms.review import DecisionForm, QueueForm, RecuseForm
from registry.models import RegistrationRequest, User
from registry.pages import workload
from registry.pages.dossier import Dossier
from registry.pages.queue import Checks, row, rows, why_not
from registry.views.acting import (
    is_second_click,
    saw_an_older_revision,
    sign_in_first,
    signed_in,
    superseded,
    typed_before,
)
from registry.workflow import VERBS, Transition
from registry.workflow.step import Step
from registry.workflow.words import Words

PAGE: Final = 50
BESIDE: Final = 5
DECISIONS: Final = ("request_changes", "approve", "report", "decline", "advise")
STEPPED: Final = {
    "assign": gettext_lazy("You have taken %(request)s. Read it, then decide below."),
    "recuse": gettext_lazy("You stepped back from %(request)s."),
}


@login_required
@require_http_methods(["GET", "HEAD"])
def index(request: HttpRequest) -> HttpResponse:
    """The queue, one tab of it, filtered and in order."""
    person = signed_in(request)
    ask_for_an_expert(person)
    form = QueueForm(request.GET)
    form.is_valid()
    wanted, tab = form.cleaned_data, workload.tab(form.cleaned_data.get("tab"))
    found = workload.narrowed(workload.for_queue(person, tab.holds(person)), wanted)
    found = workload.in_order(found, wanted.get("sort") or tab.sort)
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    contended = workload.contended()
    untaken = queries.unassigned() if tab.key == "mine" else RegistrationRequest.objects.none()
    beside = workload.in_order(workload.for_queue(person, untaken), "oldest")[:BESIDE]
    context = {
        "tab": tab,
        "tabs": tabs(person, tab),
        "form": form,
        "page": page,
        "rows": rows(page, person, contended),
        "untaken": rows(beside, person, contended),
        "contended": contended,
        "assign": VERBS["assign"],
        "is_filtered": bool(wanted.get("words") or wanted.get("path")),
    }
    return render(request, "review/index.html", context)


def tabs(person: User, current: workload.Tab) -> list[dict[str, object]]:
    """Return the tabs for their component; what is decided is not counted."""
    return [
        {
            "title": tab.title,
            "url": f"?tab={tab.key}",
            "current": tab is current,
            "count": 0 if tab.key == "decided" else tab.holds(person).count(),
        }
        for tab in workload.TABS
    ]


def ask_for_an_expert(person: User) -> None:
    """Refuse whoever is not an expert, and say who may."""
    if not rules.is_expert(person):
        raise PermissionDenied(
            _("Reviewing requests is for designated experts. Your account does not have that role.")
        )


def find(request: HttpRequest, reference: str) -> tuple[User, RegistrationRequest]:
    """Return the expert who asks and the public request; 404 without one, 403 for others."""
    person = signed_in(request)
    requests = workload.for_queue(person, RegistrationRequest.objects.public())
    registration_request = get_object_or_404(requests, reference=reference.upper())
    ask_for_an_expert(person)
    return person, registration_request


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_first("verb", "comment")
def detail(request: HttpRequest, reference: str) -> HttpResponse:
    """One request: what an expert reads of it, and the decision."""
    person, registration_request = find(request, reference)
    if request.method == "POST":
        return decide(request, person, registration_request)
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


def recuse_form(registration_request: RegistrationRequest) -> RecuseForm:
    """Return the form with which an expert steps back."""
    return RecuseForm(
        registration_request=registration_request,
        transition=VERBS["recuse"],
        action=reverse("review:recuse", args=[registration_request.slug]),
        auto_id="recuse_%s",
    )


@login_required
@require_POST
def take(request: HttpRequest, reference: str) -> HttpResponse:
    """Put the expert on a request."""
    return step_on_or_off(request, reference, "assign")


@login_required
@require_POST
def recuse(request: HttpRequest, reference: str) -> HttpResponse:
    """Let the expert step back from a request, whether they had taken it or not."""
    return step_on_or_off(request, reference, "recuse")


def step_on_or_off(request: HttpRequest, reference: str, verb: str) -> HttpResponse:
    """Take the step and show the request; tell there what stood in the way."""
    person, registration_request = find(request, reference)
    transition = VERBS[verb]
    back = reverse("review:detail", args=[registration_request.slug])
    if saw_an_older_revision(request, registration_request):
        return superseded(request, registration_request, back)
    if verb == "assign" and rules.is_party(person, registration_request):
        raise PermissionDenied(why_not(registration_request, person))
    form = StepForm(request.POST, registration_request=registration_request, transition=transition)
    try:
        if form.is_valid():
            workflow.perform(registration_request, verb, actor=person, **form.cleaned_data)
            messages.success(request, STEPPED[verb] % {"request": registration_request})
    except workflow.Superseded:
        return superseded(request, registration_request, back)
    except workflow.Refused as refusal:
        messages.error(request, str(refusal))
    for errors in form.errors.values():
        messages.error(request, str(errors[0]))
    return redirect(back)
