"""Starting a request: the path and the identifier."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from registry import queries
from registry.forms.pasting import PastingForm
from registry.forms.paths import REVISION
from registry.forms.start import StartForm
from registry.forms.starting import form_with, start
from registry.models import Counter, Organization, User
from registry.pages.pasting import answers, count_of
from registry.pages.verdict import verdict
from registry.template import PAGES
from registry.template.reading import read
from registry.views import pasting
from registry.views.htmx import HtmxRequest
from registry.views.kept import forget, keep_and_sign_in, kept

ASKED = ("path", "nid", "namespace", "change")


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Ask for path and identifier; with an account, start the request and lead to its template."""
    if request.method == "GET":
        return ask(request, form_with(initial=typed_before(request)))
    if {"check", "try"} & request.POST.keys():
        return ask(request, form_with(initial=checked(request)))
    form = form_with(request.POST)
    if not form.is_valid():
        return ask(request, form)
    if not isinstance(request.user, User):
        return keep_and_sign_in(request, form.fields)
    registration_request = start(request.user, form)
    forget(request, request.path)
    if form.cleaned_data["statement"]:
        messages.info(request, asked_to_be_recognised(registration_request.organization))
    if registration_request.changes_facts:
        return redirect("requests:facts", registration_request.slug)
    if text := pasting.put_by_before(request):
        pasting.put_by(request, text, registration_request.reference)
        return redirect("requests:paste", registration_request.slug)
    return redirect("requests:edit", registration_request.slug, PAGES[0].slug)


def typed_before(request: HttpRequest) -> dict[str, str]:
    """Return what the address asks for, or else what was typed before signing in.

    What neither answers, a template that was brought may.
    """
    asked = {name: request.GET[name] for name in ASKED if request.GET.get(name)}
    if "namespace" in asked:
        asked.setdefault("path", REVISION)
    text = pasting.put_by_before(request)
    from_text = answers(read(text), queries.registered_nids()) if text else {}
    return {**from_text, **(asked or kept(request, request.path) or {})}


def checked(request: HttpRequest) -> dict[str, str]:
    """Return what was posted for a check, with the suggestion that was chosen, if any."""
    typed = {name: str(value) for name, value in request.POST.items()}
    return {**typed, "nid": typed.get("try", typed.get("nid", ""))}


def ask(request: HttpRequest, form: StartForm) -> HttpResponse:
    """Show the form, with what there is to say of its NID."""
    text = pasting.put_by_before(request)
    context = {
        "form": form,
        "found": count_of(read(text)) if text else None,
        "pasting": PastingForm(rows=8, auto_id="id_pasted_%s"),
        "verdict": verdict(str(form["nid"].value() or "")),
        "expected": Counter.objects.expected(Counter.INFORMAL),
        "registered": sorted(queries.registered_nids()),
        "kept": not form.is_bound and not request.GET and kept(request, request.path) is not None,
    }
    return render(request, "requests/new.html", context)


def asked_to_be_recognised(organization: Organization) -> str:
    """Say that the standards body was asked, and what goes on meanwhile."""
    return _(
        "The standards body is asked to recognise %(organization)s. Write and get advice "
        "meanwhile; you need its answer when you ask for registration."
    ) % {"organization": organization}


@require_GET
def nid(request: HtmxRequest) -> HttpResponse:
    """Say what there is to say of a NID as it is typed; without htmx, on the page itself."""
    typed = request.GET.get("nid", "")
    if not request.htmx:
        return redirect(f"{reverse('requests:new')}?{urlencode({'nid': typed})}")
    asking = queries.visible_to(request.user).filter(
        reference=request.GET.get("reference", "").upper()
    )
    return render(request, "requests/nid.html", {"verdict": verdict(typed, asking.first())})
