"""Recognition for the fast track: an organization asks, and the standards body answers."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import queries, recognition, rules, workflow
from registry.forms.direction import RecognitionForm
from registry.forms.statement import StatementForm
from registry.models import Recognition, RegistrationRequest, User
from registry.views.acting import sign_in_first, signed_in, typed_before
from registry.views.direction import ask_for_the_body
from registry.views.kept import keep_and_sign_in

LATEST: Final = 10


@require_http_methods(["GET", "HEAD", "POST"])
def detail(request: HttpRequest, number: int) -> HttpResponse:
    """One body that asks to be recognised for the fast track, and the answer."""
    if not isinstance(request.user, User):
        if request.method == "POST":
            return keep_and_sign_in(request, ("verb", "recognised_on", "comment"))
        to_sign_in: HttpResponse = redirect_to_login(request.get_full_path())
        return to_sign_in
    every = Recognition.objects.select_related("organization", "asked_by", "decided_by")
    asked = get_object_or_404(every, pk=number)
    ask_for_the_body(request.user)
    if request.method == "POST":
        return answer(request, request.user, asked)
    return show_asked(request, asked, RecognitionForm(initial=typed_before(request)))


def answer(request: HttpRequest, person: User, asked: Recognition) -> HttpResponse:
    """Recognise or refuse, or show the page again with what stands in the way."""
    form = RecognitionForm(request.POST)
    if asked.is_granted is not None:
        return answered_already(request, person, asked)
    if form.is_valid():
        said = form.cleaned_data
        try:
            if said["verb"] == "recognise":
                recognition.recognise(
                    asked,
                    actor=person,
                    recognised_on=said["recognised_on"],
                    source=said["comment"],
                )
            else:
                recognition.refuse(asked, actor=person, reasons=said["comment"])
        except workflow.Superseded:
            asked.refresh_from_db()
            return answered_already(request, person, asked)
        except workflow.Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return answer_recorded(request, asked)
    return show_asked(request, asked, form)


def answered_already(request: HttpRequest, person: User, asked: Recognition) -> HttpResponse:
    """Say that it was answered, unless it was the same person's first click."""
    wanted = {"recognise": True, "refuse_recognition": False}.get(request.POST.get("verb", ""))
    if asked.decided_by == person and asked.is_granted is wanted:
        return answer_recorded(request, asked)
    told = {"who": asked.decided_by, "what": outcome(asked)}
    context = {
        "message": _("Nothing you asked for was done: %(who)s answered before you. %(what)s")
        % told,
        "back": reverse("direction:recognition", args=[asked.pk]),
        "yours": request.POST.get("comment", ""),
    }
    return render(request, "409.html", context, status=409)


def answer_recorded(request: HttpRequest, asked: Recognition) -> HttpResponse:
    """Say that the answer is given, on the lists."""
    messages.success(request, outcome(asked))
    return redirect("direction:index")


def outcome(asked: Recognition) -> str:
    """Return what was answered, in a sentence."""
    words = (
        _("%(organization)s is recognised for the fast track.")
        if asked.is_granted
        else _("%(organization)s is not recognised for the fast track.")
    )
    return words % {"organization": asked.organization}


def show_asked(request: HttpRequest, asked: Recognition, form: RecognitionForm) -> HttpResponse:
    """Draw the page of one body that asks to be recognised."""
    person = signed_in(request)
    requests = RegistrationRequest.objects.public().filter(organization=asked.organization)
    context = {
        "asked": asked,
        "outcome": "" if asked.is_granted is None else outcome(asked),
        "form": form,
        "why_not": recognition.why_not(asked, person),
        "requests": requests.order_by("-created_at")[:LATEST],
        "before": asked.organization.recognitions.exclude(pk=asked.pk).order_by("-asked_at"),
    }
    return render(request, "direction/recognition.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_first("statement")
def ask(request: HttpRequest, reference: str) -> HttpResponse:
    """Ask that the organization of a request be recognised, as before it changes its path."""
    person = signed_in(request)
    registration_request = get_object_or_404(
        queries.visible_to(person).select_related("organization"), reference=reference.upper()
    )
    if not rules.is_registrant(person, registration_request):
        raise PermissionDenied(_("Asking for recognition is for the registrant."))
    form = StatementForm(request.POST or None, initial=typed_before(request))
    if form.is_valid():
        try:
            statement = form.cleaned_data["statement"]
            recognition.ask(registration_request.organization, person, statement)
        except workflow.Refused as refusal:
            messages.info(request, str(refusal))
        else:
            messages.success(request, _("The standards body is asked."))
        return redirect(registration_request)
    context = {
        "registration_request": registration_request,
        "form": form,
        "standing": recognition.standing(registration_request.organization).value,
    }
    return render(request, "requests/recognition.html", context)
