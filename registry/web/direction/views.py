"""The standards body's working screens: reports, appeals, and recognition for the fast track."""

from __future__ import annotations

from functools import partial
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import permissions, selectors, workflow
from registry.actions import recognition
from registry.enums import State, VerbKind
from registry.forms.direction import RecognitionForm, RecognitionStatementForm, RulingForm
from registry.journal.event_messages import describe_events
from registry.models import Event, Recognition, RegistrationRequest, User
from registry.presenters import direction
from registry.presenters.available_steps import AvailableStep, build_available_step
from registry.presenters.review_queue import pair_with_obstacles
from registry.selectors.appeals import find_pending_appeal
from registry.selectors.case import open_case
from registry.selectors.consent import find_missing_consent, list_unconfirmed_changes
from registry.selectors.events import RECOGNITION_VERBS, list_latest_rulings
from registry.selectors.held_nids import list_appealed_holds
from registry.selectors.publication import list_other_obstacles
from registry.selectors.shown_states import find_shown_state
from registry.web.form_stash import stash_and_sign_in
from registry.web.step_view import (
    find_public_request,
    get_signed_in_user,
    pop_stashed_form,
    require_sign_in,
    take_step,
)
from registry.workflow import VERBS

MAX_LATEST_RULINGS: Final = 10


@login_required
@require_http_methods(["GET", "HEAD"])
def list_standards_body_work(request: HttpRequest) -> HttpResponse:
    """List what is waiting for the standards body, and its latest decisions."""
    person = get_signed_in_user(request)
    require_standards_body(person)
    context = {
        "asking": direction.build_recognition_rows(),
        "reported": direction.build_ruling_rows(person, State.REPORTED),
        "objected": direction.build_objection_rows(person),
        "stopped": direction.list_stopped_speakers(),
        "appealed": direction.build_appeal_rows(person),
        "holds": list(list_appealed_holds()),
        "unconfirmed": pair_with_obstacles(list_unconfirmed_changes()),
        "others": direction.build_other_rows(person),
        "latest": describe_events(list_latest_rulings()[:MAX_LATEST_RULINGS]),
    }
    return render(request, "direction/index.html", context)


def require_standards_body(person: User) -> None:
    """Refuse people who do not speak for the standards body, and tell them who may."""
    if not permissions.may_recognise(person):
        raise PermissionDenied(
            _("Only the standards body can direct. Your account does not have that role.")
        )


@require_http_methods(["GET", "HEAD", "POST"])
@require_sign_in("verb", "comment")
def show_ruling(request: HttpRequest, reference: str) -> HttpResponse:
    """Show a request: its report or appeal, the text, earlier decisions, and the decision form."""
    person, registration_request = find_public_request(request, reference, require_standards_body)
    if request.method == "POST":
        return post_ruling(request, person, registration_request)
    form = build_ruling_form(registration_request, person, initial=pop_stashed_form(request))
    return render_ruling(request, person, registration_request, form)


def build_ruling_form(
    registration_request: RegistrationRequest, person: User, *args: object, **kwargs: object
) -> RulingForm | None:
    """Return the form with the decisions open to `person`, or None if there are none."""
    offers = [
        each
        for each in workflow.available_transitions(registration_request, person)
        if each.find_page(registration_request) == "direction:detail"
        and VerbKind.APPEAL_OUTCOME not in each.kinds
    ]
    if not offers:
        return None
    return RulingForm(*args, registration_request=registration_request, offers=offers, **kwargs)


def list_appeal_steps(
    registration_request: RegistrationRequest, person: User
) -> list[AvailableStep]:
    """Return what `person` can do about the pending appeal."""
    if find_pending_appeal(registration_request) is None:
        return []
    offered = workflow.available_transitions(registration_request, person)
    verbs = {"decide_appeal", "extend"}
    return [
        build_available_step(each, each.page, registration_request.slug)
        for each in offered
        if each.verb in verbs
    ]


def explain_no_ruling(registration_request: RegistrationRequest, person: User) -> str:
    """Return why the standards body cannot decide on a request now."""
    if registration_request.state != State.REPORTED:
        state = find_shown_state(open_case(registration_request))
        return _("The standards body does not have it now: its state is “%(state)s”.") % {
            "state": state
        }
    return direction.explain_other_ruling(permissions.name_stake(person, registration_request))


def post_ruling(
    request: HttpRequest, person: User, registration_request: RegistrationRequest
) -> HttpResponse:
    """Take the chosen decision, or show the page again with what prevents it."""

    def build_form() -> RulingForm:
        form = build_ruling_form(registration_request, person, request.POST)
        if form is None:
            raise PermissionDenied(explain_no_ruling(registration_request, person))
        return form

    return take_step(
        request,
        registration_request,
        [request.POST.get("verb", "")],
        build_form=build_form,
        render_page=partial(render_ruling, request, person, registration_request),
        redirect_after=partial(redirect_after_ruling, request, registration_request),
        back=reverse("direction:detail", args=[registration_request.slug]),
    )


def redirect_after_ruling(
    request: HttpRequest, registration_request: RegistrationRequest, event: Event
) -> HttpResponse:
    """Report the decision on the lists."""
    told = {"request": registration_request, "label": VERBS[event.verb].label}
    messages.success(request, _("Recorded for %(request)s: %(label)s.") % told)
    return redirect("direction:index")


def render_ruling(
    request: HttpRequest,
    person: User,
    registration_request: RegistrationRequest,
    form: RulingForm | None,
    status: int = 200,
) -> HttpResponse:
    case = open_case(registration_request)
    context = {
        "registration_request": registration_request,
        "hearing": direction.RulingContext(registration_request),
        "form": form,
        "appeal_steps": list_appeal_steps(registration_request, person),
        "why_not": "" if form else explain_no_ruling(registration_request, person),
        "missing_consent": find_missing_consent(case),
        "obstacles": list_other_obstacles(case),
    }
    return render(request, "direction/detail.html", context, status=status)


MAX_LATEST_RECOGNITIONS: Final = 10


@require_http_methods(["GET", "HEAD", "POST"])
def show_recognition(request: HttpRequest, number: int) -> HttpResponse:
    """Show a body that asks to be recognised for the fast track, and the form to answer it."""
    if not isinstance(request.user, User):
        if request.method == "POST":
            return stash_and_sign_in(request, ("verb", "recognised_on", "comment"))
        to_sign_in: HttpResponse = redirect_to_login(request.get_full_path())
        return to_sign_in
    every = Recognition.objects.select_related("organization", "asked_by", "decided_by")
    asked = get_object_or_404(every, pk=number)
    require_standards_body(request.user)
    if request.method == "POST":
        return post_recognition_answer(request, request.user, asked)
    form = RecognitionForm(initial=pop_stashed_form(request), asked=asked)
    return render_recognition(request, asked, form)


def post_recognition_answer(request: HttpRequest, person: User, asked: Recognition) -> HttpResponse:
    """Answer the body, or show the page again with what prevents it."""
    form = RecognitionForm(request.POST, asked=asked)
    verb = request.POST.get("verb", "")
    if verb in RECOGNITION_VERBS and verb not in recognition.list_possible_answers(asked):
        return show_already_answered(request, person, asked)
    if form.is_valid():
        said = form.cleaned_data
        try:
            if said["verb"] == "recognise":
                recognition.grant_recognition(
                    asked,
                    actor=person,
                    recognised_on=said["recognised_on"],
                    source=said["comment"],
                )
            elif said["verb"] == "refuse_recognition":
                recognition.refuse_recognition(asked, actor=person, reasons=said["comment"])
            else:
                recognition.withdraw_recognition(asked, actor=person, reasons=said["comment"])
        except workflow.ConcurrentChange:
            asked.refresh_from_db()
            return show_already_answered(request, person, asked)
        except workflow.ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect_after_recognition(request, asked)
    return render_recognition(request, asked, form)


def show_already_answered(request: HttpRequest, person: User, asked: Recognition) -> HttpResponse:
    """Say that it was answered already, unless by the same person's first click."""
    if asked.decided_by == person and asked.is_granted is (request.POST["verb"] == "recognise"):
        return redirect_after_recognition(request, asked)
    told = {"who": asked.decided_by, "what": describe_recognition_answer(asked)}
    context = {
        "message": _("Your action was not done: %(who)s answered before you. %(what)s") % told,
        "back": reverse("direction:recognition", args=[asked.pk]),
        "yours": request.POST.get("comment", ""),
    }
    return render(request, "409.html", context, status=409)


def redirect_after_recognition(request: HttpRequest, asked: Recognition) -> HttpResponse:
    """Report the answer on the lists."""
    messages.success(request, describe_recognition_answer(asked))
    return redirect("direction:index")


def describe_recognition_answer(asked: Recognition) -> str:
    """Describe the answer in a sentence."""
    words = (
        _("%(organization)s is recognised for the fast track.")
        if asked.is_granted
        else _("%(organization)s is not recognised for the fast track.")
    )
    return words % {"organization": asked.organization}


def render_recognition(
    request: HttpRequest, asked: Recognition, form: RecognitionForm
) -> HttpResponse:
    person = get_signed_in_user(request)
    requests = RegistrationRequest.objects.public().filter(organization=asked.organization)
    context = {
        "asked": asked,
        "outcome": "" if asked.is_granted is None else describe_recognition_answer(asked),
        "form": form,
        "is_open": bool(recognition.list_possible_answers(asked)),
        "why_not": recognition.explain_no_recognition(asked, person),
        "requests": requests.order_by("-created_at")[:MAX_LATEST_RECOGNITIONS],
        "before": asked.organization.recognitions.exclude(pk=asked.pk).order_by("-asked_at"),
    }
    return render(request, "direction/recognition.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@require_sign_in("statement")
def show_recognition_request(request: HttpRequest, reference: str) -> HttpResponse:
    """Ask for recognition of the organization of a request, before the request changes its path."""
    person = get_signed_in_user(request)
    registration_request = get_object_or_404(
        selectors.requests_visible_to(person).select_related("organization"),
        reference=reference.upper(),
    )
    if not permissions.is_registrant(person, registration_request):
        raise PermissionDenied(_("Asking for recognition is for the registrant."))
    form = RecognitionStatementForm(request.POST or None, initial=pop_stashed_form(request))
    if form.is_valid():
        try:
            statement = form.cleaned_data["statement"]
            recognition.request_recognition(registration_request.organization, person, statement)
        except workflow.ActionRefused as refusal:
            messages.info(request, str(refusal))
        else:
            messages.success(request, _("The standards body is asked."))
        return redirect(registration_request)
    context = {
        "registration_request": registration_request,
        "form": form,
        "standing": recognition.find_recognition_status(registration_request.organization).value,
    }
    return render(request, "requests/recognition.html", context)
