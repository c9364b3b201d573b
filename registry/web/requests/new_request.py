"""Starting a request: the path and the identifier."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from registry import selectors
from registry.forms.new_request import (
    NewRequestForm,
    build_new_request_form,
    start_request_from_form,
)
from registry.forms.paths import REVISION_CHOICE
from registry.forms.template_upload import TemplateUploadForm
from registry.models import Organization, User
from registry.presenters.editor import check_nid_availability
from registry.presenters.template_upload import count_recognised_fields, derive_start_answers
from registry.template import PAGES
from registry.template.reading import read
from registry.web.form_stash import clear_stashed_form, read_stashed_form, stash_and_sign_in
from registry.web.htmx import is_htmx_request
from registry.web.requests import template_upload
from registry.web.requests.mirror import refuse_in_mirror
from registry.workflow import ActionRefused

START_PARAMETERS = ("path", "nid", "namespace", "change", "organization")


@require_http_methods(["GET", "POST"])
@refuse_in_mirror
def show_new_request(request: HttpRequest) -> HttpResponse:
    """Ask for path and identifier; with an account, start the request and open its template."""
    if request.method == "GET":
        return render_new_request(
            request, build_new_request_form(initial=read_start_values(request))
        )
    if {"check", "try"} & request.POST.keys():
        return render_new_request(
            request, build_new_request_form(initial=read_values_to_check(request))
        )
    form = build_new_request_form(request.POST)
    if not form.is_valid():
        return render_new_request(request, form)
    if not isinstance(request.user, User):
        return stash_and_sign_in(request, form.fields)
    try:
        registration_request = start_request_from_form(request.user, form)
    except ActionRefused as refusal:
        form.add_error(None, str(refusal))
        return render_new_request(request, form)
    clear_stashed_form(request, request.path)
    if form.cleaned_data["statement"]:
        messages.info(request, describe_recognition_request(registration_request.organization))
    if registration_request.changes_facts:
        return redirect("requests:facts", registration_request.slug)
    if text := template_upload.read_stashed_upload(request):
        template_upload.stash_upload(request, text, registration_request.reference)
        return redirect("requests:paste", registration_request.slug)
    return redirect("requests:edit", registration_request.slug, PAGES[0].slug)


def read_start_values(request: HttpRequest) -> dict[str, str]:
    """Return what the address says, or else what was typed before signing in.

    An uploaded template may answer what neither does.
    """
    asked = {name: request.GET[name] for name in START_PARAMETERS if request.GET.get(name)}
    if "namespace" in asked:
        asked.setdefault("path", REVISION_CHOICE)
    text = template_upload.read_stashed_upload(request)
    from_text = derive_start_answers(read(text), selectors.NidLookup()) if text else {}
    return {**from_text, **(asked or read_stashed_form(request, request.path) or {})}


def read_values_to_check(request: HttpRequest) -> dict[str, str]:
    """Return what was posted for a check, with the chosen suggestion, if any."""
    typed = {name: str(value) for name, value in request.POST.items()}
    return {**typed, "nid": typed.get("try", typed.get("nid", ""))}


def render_new_request(request: HttpRequest, form: NewRequestForm) -> HttpResponse:
    """Show the form, with findings about its NID."""
    text = template_upload.read_stashed_upload(request)
    context = {
        "form": form,
        "found": count_recognised_fields(read(text)) if text else None,
        "pasting": TemplateUploadForm(rows=8, auto_id="id_pasted_%s"),
        "verdict": check_nid_availability(str(form["nid"].value() or "")),
        "expected": selectors.expected_informal_nid(),
        "registered": sorted(selectors.registered_nids()),
        "kept": not form.is_bound
        and not request.GET
        and read_stashed_form(request, request.path) is not None,
    }
    return render(request, "requests/new.html", context)


def describe_recognition_request(organization: Organization) -> str:
    """Say that the standards body was asked, and what happens meanwhile."""
    return _(
        "The standards body is asked to recognise %(organization)s. Write and get advice "
        "meanwhile; you need its answer when you ask for registration."
    ) % {"organization": organization}


@require_GET
def show_nid_check(request: HttpRequest) -> HttpResponse:
    """Show findings about a NID as it is typed; without htmx, on the page itself."""
    typed = request.GET.get("nid", "")
    if not is_htmx_request(request):
        return redirect(f"{reverse('requests:new')}?{urlencode({'nid': typed})}")
    asking = selectors.requests_visible_to(request.user).filter(
        reference=request.GET.get("reference", "").upper()
    )
    return render(
        request, "requests/nid.html", {"verdict": check_nid_availability(typed, asking.first())}
    )
