"""The draft as a whole: read as plain text, compared with the last round, and sent."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from registry import permissions
from registry.enums import ObstacleKind
from registry.forms.draft import SubmissionForm
from registry.http.file_responses import serve_plain_text, serve_template
from registry.models import Event, RegistrationRequest, Round, User
from registry.presenters import facts
from registry.presenters.editor import build_editor_rail, list_draft_tabs, locate_findings
from registry.presenters.facts import RequestedFacts
from registry.presenters.remarks import list_remarks_to_answer
from registry.presenters.requests import compare_rounds
from registry.selectors.base_versions import find_newer_version
from registry.selectors.case import open_case
from registry.selectors.publication import list_obstacles_once_sent
from registry.template import PAGES, Page, write
from registry.web.form_stash import read_stashed_form
from registry.web.requests.editor import find_editable_draft, list_requests_to_edit
from registry.web.step_view import get_signed_in_user, take_step
from registry.workflow import VERBS
from registry.workflow.drafts import find_licence_to_agree_to


def find_own_draft(
    request: HttpRequest, reference: str
) -> tuple[RegistrationRequest, Round | None]:
    """Return a request that the reader writes, and its draft if there is one."""
    registration_request = get_object_or_404(
        list_requests_to_edit(get_writer(request)), reference=reference.upper()
    )
    return registration_request, find_editable_draft(registration_request)


def get_writer(request: HttpRequest) -> User:
    """Return the signed-in person; these pages require signing in first."""
    assert isinstance(request.user, User)
    return request.user


def read_editor_page(request: HttpRequest) -> Page:
    """Return the page of the editor that the reader came from, else the first."""
    asked = request.GET.get("section")
    return next((page for page in PAGES if page.slug == asked), PAGES[0])


@login_required
@require_GET
def preview_draft(request: HttpRequest, reference: str) -> HttpResponse:
    """Show the draft as the plain text of a round; as a file with `format=txt`."""
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
    """Return what surrounds the draft when it is read as a whole."""
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
    """Show all findings about the draft at once, and send it as the next round."""
    registration_request, draft = find_own_draft(request, reference)
    return take_step(
        request,
        registration_request,
        ["submit"],
        build_form=partial(build_submission_form, request, registration_request, draft),
        render_page=partial(render_submission, request),
        redirect_after=partial(redirect_after_submission, request, registration_request),
    )


def build_submission_form(
    request: HttpRequest, registration_request: RegistrationRequest, draft: Round | None
) -> SubmissionForm | HttpResponse:
    """Return the form that sends the draft, or a response if there is no draft."""
    if draft is None:
        messages.info(request, _("There is no draft to send: it was sent, or the request ended."))
        return redirect(registration_request)
    return SubmissionForm(
        request.POST or None,
        registration_request=registration_request,
        transition=VERBS["submit"],
        draft=draft,
    )


def render_submission(request: HttpRequest, form: SubmissionForm, status: int) -> HttpResponse:
    """Render the page on which the draft is sent."""
    registration_request = form.registration_request
    assert form.draft is not None, "without a draft there is no form on this page"
    context = build_submission_context(registration_request, form.draft) | {
        "form": form,
        "transition": form.transition,
        "licence": find_licence_to_agree_to(registration_request),
        "may_send": permissions.is_registrant(request.user, registration_request),
        "unsaved_pages": [
            page
            for page in PAGES
            if read_stashed_form(
                request, reverse("requests:edit", args=[registration_request.slug, page.slug])
            )
        ],
        "missing_later": [
            each.message
            for each in list_obstacles_once_sent(
                open_case(registration_request), get_signed_in_user(request), form.draft
            )
            if each.kind != ObstacleKind.TEXT
        ],
    }
    return render(request, "requests/send.html", context, status=status)


def build_submission_context(
    registration_request: RegistrationRequest, draft: Round
) -> dict[str, Any]:
    """Return what the registrant reads before sending."""
    last, asked = registration_request.last_round, None
    if registration_request.changes_facts:
        asked = RequestedFacts(registration_request, draft.facts)
        findings = facts.locate_fact_findings(registration_request, asked.findings)
    else:
        findings = locate_findings(draft)
    remarks = list_remarks_to_answer(registration_request)
    return {
        "asked": asked,
        "registration_request": registration_request,
        "draft": draft,
        "newer": find_newer_version(registration_request, draft),
        "findings": findings,
        "to_answer": remarks,
        "must_answer": [each for each in remarks if each.is_must and not each.is_answered],
        "last_round": last,
        "differences": compare_rounds(last, draft) if last else (),
        "nav_current": "mine",
    }


def redirect_after_submission(
    request: HttpRequest, registration_request: RegistrationRequest, event: Event
) -> HttpResponse:
    """Say on the public page of the request that the round was sent."""
    messages.success(
        request,
        _("Round %(number)d of %(reference)s is sent. From now on everybody can read it.")
        % {"number": event.data["round"], "reference": registration_request.reference},
    )
    return redirect(registration_request)
