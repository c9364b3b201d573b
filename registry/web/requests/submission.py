"""The draft as a whole: read as plain text, compared with the last round, and sent."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from registry import permissions, workflow
from registry.enums import State
from registry.forms.draft import SubmissionForm
from registry.http.file_responses import serve_plain_text, serve_template
from registry.models import RegistrationRequest, Round, User
from registry.presenters import facts
from registry.presenters.available_steps import SUBMISSION_VERBS, is_repeated_step
from registry.presenters.editor import (
    build_editor_rail,
    list_draft_tabs,
    locate_findings,
)
from registry.presenters.facts import RequestedFacts
from registry.presenters.remarks import list_remarks_to_answer
from registry.presenters.requests import compare_rounds
from registry.template import PAGES, Page, write
from registry.web.requests.editor import find_editable_draft, list_requests_to_edit
from registry.web.step_view import read_revision_seen
from registry.workflow import VERBS


def find_own_draft(
    request: HttpRequest, reference: str
) -> tuple[RegistrationRequest, Round | None]:
    """Return a request that the reader writes, and its draft while there is one."""
    registration_request = get_object_or_404(
        list_requests_to_edit(get_writer(request)), reference=reference.upper()
    )
    return registration_request, find_editable_draft(registration_request)


def get_writer(request: HttpRequest) -> User:
    """Return the person who is signed in, whom these pages ask for first."""
    assert isinstance(request.user, User)
    return request.user


def read_editor_page(request: HttpRequest) -> Page:
    """Return the page of the editor that the reader came from, else the first."""
    asked = request.GET.get("section")
    return next((page for page in PAGES if page.slug == asked), PAGES[0])


@login_required
@require_GET
def preview_draft(request: HttpRequest, reference: str) -> HttpResponse:
    """Show the draft as the plain text that a round is; as a file with `format=txt`."""
    registration_request, draft = find_own_draft(request, reference)
    if draft is None:
        return redirect("requests:template", registration_request.slug)
    if registration_request.changes_facts:
        return redirect("requests:facts", registration_request.slug)
    if request.GET.get("format") == "txt":
        return serve_plain_text(draft.template, f"{registration_request.slug}-draft.txt")
    context = build_draft_context(request, registration_request, draft, "preview")
    return render(request, "requests/preview.html", context | {"text": write(draft.template)})


@login_required
@require_safe
def serve_draft(request: HttpRequest, reference: str, form: str) -> HttpResponseBase:
    """Return the draft as a file."""
    registration_request, draft = find_own_draft(request, reference)
    if draft is None:
        raise Http404
    return serve_template(request, draft.template, form, f"{registration_request.slug}-draft")


@login_required
@require_GET
def show_draft_changes(request: HttpRequest, reference: str) -> HttpResponse:
    """Show what the draft changes in the last round."""
    registration_request, draft = find_own_draft(request, reference)
    last = registration_request.last_round
    if draft is None or last is None:
        return redirect(registration_request)
    if registration_request.changes_facts:
        return redirect("requests:facts", registration_request.slug)
    context = build_draft_context(request, registration_request, draft, "changes") | {
        "last_round": last,
        "differences": compare_rounds(last, draft),
    }
    return render(request, "requests/draft_changes.html", context)


def build_draft_context(
    request: HttpRequest, registration_request: RegistrationRequest, draft: Round, current: str
) -> dict[str, Any]:
    """Return what stands around the draft when it is read as a whole."""
    page = read_editor_page(request)
    return {
        "registration_request": registration_request,
        "draft": draft,
        "page": page,
        "tabs": list_draft_tabs(
            registration_request, registration_request.last_round, page, current
        ),
        "nav_current": "mine",
        **build_editor_rail(registration_request, draft.template, None),
    }


@login_required
@require_http_methods(["GET", "POST"])
def show_submission(request: HttpRequest, reference: str) -> HttpResponse:
    """Show everything there is to say of the draft at once, and send it as the next round."""
    registration_request, draft = find_own_draft(request, reference)
    if request.method == "POST" and is_submitted_twice(request, registration_request):
        return redirect_after_submission(request, registration_request)
    if draft is None:
        messages.info(request, _("There is no draft to send: it was sent, or the request ended."))
        return redirect(registration_request)
    transition = VERBS["revise" if registration_request.state == State.ADVISORY else "submit"]
    form = SubmissionForm(
        request.POST or None,
        registration_request=registration_request,
        transition=transition,
        draft=draft,
    )
    status = 200
    if form.is_valid():
        try:
            workflow.perform(
                registration_request,
                transition.verb,
                actor=get_writer(request),
                **form.cleaned_data,
            )
        except workflow.ConcurrentChange as refusal:
            # The faster of two clicks may have been at work while this one was read.
            registration_request.refresh_from_db()
            if is_submitted_twice(request, registration_request):
                return redirect_after_submission(request, registration_request)
            form.add_error(None, str(refusal))
            status = 409
        except workflow.ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect_after_submission(request, registration_request)
    context = build_submission_context(registration_request, draft) | {
        "form": form,
        "transition": transition,
        "may_send": permissions.is_registrant(request.user, registration_request),
    }
    return render(request, "requests/send.html", context, status=status)


def build_submission_context(
    registration_request: RegistrationRequest, draft: Round
) -> dict[str, Any]:
    """Return what the registrant reads before sending."""
    last, asked = registration_request.last_round, None
    if registration_request.changes_facts:
        asked = RequestedFacts(registration_request, draft.facts)
        blocking, to_consider = facts.locate_fact_findings(registration_request, asked.findings)
    else:
        blocking, to_consider = locate_findings(registration_request, draft.template)
    remarks = list_remarks_to_answer(registration_request)
    return {
        "asked": asked,
        "registration_request": registration_request,
        "draft": draft,
        "blocking": blocking,
        "to_consider": to_consider,
        "to_answer": remarks,
        "must_answer": [each for each in remarks if each.is_must and not each.is_answered],
        "last_round": last,
        "differences": compare_rounds(last, draft) if last else (),
        "nav_current": "mine",
    }


def is_submitted_twice(request: HttpRequest, registration_request: RegistrationRequest) -> bool:
    """Whether the very draft that is posted was sent by the same person a moment ago."""
    seen = read_revision_seen(request)
    return seen is not None and any(
        is_repeated_step(registration_request, verb, request.user, seen)
        for verb in SUBMISSION_VERBS
    )


def redirect_after_submission(
    request: HttpRequest, registration_request: RegistrationRequest
) -> HttpResponse:
    """Say that the round was sent, on the public page of the request."""
    last = registration_request.last_round
    messages.success(
        request,
        _("Round %(number)d of %(reference)s is sent. From now on everybody can read it.")
        % {"number": last.number if last else 0, "reference": registration_request.reference},
    )
    return redirect(registration_request)
