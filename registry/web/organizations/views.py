"""Organizations: their public pages, who acts for them, and proving that one does."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from registry import permissions, selectors
from registry.actions import domain_proofs
from registry.enums import SpeakerBasis, SpeakerState
from registry.errors import RegistryError
from registry.forms.organizations import (
    OrganizationSearchForm,
    ProofForm,
)
from registry.http.formats import negotiate_formats
from registry.models import Organization, Speaker, User
from registry.presenters import organizations as pages
from registry.presenters.requests import pair_with_waiting
from registry.selectors.organizations import (
    filter_organizations_by_words,
    list_organization_requests,
)
from registry.selectors.speakers import list_offers
from registry.selectors.waiting_periods import find_waiting_days
from registry.web.htmx import answer_polling, is_htmx_request
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused

ORGANIZATIONS_PER_PAGE = 25


@require_safe
@negotiate_formats("organizations")
def list_organizations(request: HttpRequest) -> HttpResponse:
    """List the organizations, or only those whose name contains every word typed."""
    form, found = filter_organizations(request.GET)
    listed = found.prefetch_related("namespaces")
    page = Paginator(listed, ORGANIZATIONS_PER_PAGE).get_page(request.GET.get("page"))
    is_narrowed = bool(form.cleaned_data.get("q", "").split())
    context = {"form": form, "page": page, "is_narrowed": is_narrowed}
    return render(request, "organizations/index.html", context)


def filter_organizations(asked: QueryDict) -> tuple[OrganizationSearchForm, QuerySet[Organization]]:
    """Return what was typed, and the organizations whose name contains every word of it."""
    form = OrganizationSearchForm(asked)
    found = selectors.public_organizations().order_by(Lower("name"), "pk")
    words = form.cleaned_data["q"] if form.is_valid() else ""
    return form, filter_organizations_by_words(found, words)


def find_visible_organization(request: HttpRequest, pk: int) -> Organization:
    """Return the organization of that number, if the person may know of it."""
    return get_object_or_404(selectors.organizations_visible_to(request.user), pk=pk)


@require_safe
@negotiate_formats("organization")
def show_organization(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what an organization holds and asks for; only those concerned see who acts for it."""
    organization = find_visible_organization(request, pk)
    asked = list_organization_requests(organization)
    page = Paginator(asked, ORGANIZATIONS_PER_PAGE).get_page(request.GET.get("page"))
    context = pages.build_organization_context(organization, request.user)
    context |= {"page": page, "rows": pair_with_waiting(list(page))}
    return render(request, "organizations/detail.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def start_proof(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask to speak for an organization; show the offers that make a proof unnecessary."""
    person, organization = get_signed_in_user(request), find_visible_organization(request, pk)
    domain = domain_proofs.find_website_domain(organization)
    addresses = domain_proofs.list_proof_addresses(organization)
    form = ProofForm(request.POST or None, domain=domain, addresses=addresses)
    if form.is_valid():
        try:
            proof = domain_proofs.request_proof(
                organization,
                person,
                SpeakerBasis(form.cleaned_data["method"]),
                address=form.cleaned_data["address"],
            )
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("organizations:proof", pk, proof.pk)
    context = {
        "organization": organization,
        "form": form,
        "domain": domain,
        "addresses": addresses,
        "is_delegate": permissions.is_delegate_of(person, organization),
        "days": find_waiting_days(organization),
        "offers": [each for each in list_offers(person) if each.registrant == organization],
        "is_confirmed": permissions.has_confirmed_address(person),
    }
    return render(request, "organizations/prove.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def show_proof(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Explain what to do for a proof, check it, and show what was found."""
    proof = find_own_proof(get_signed_in_user(request), pk, number)
    is_pending = domain_proofs.is_proof_check_pending(proof)
    if is_htmx_request(request):
        return answer_polling(is_over=not is_pending)
    refusal = attempt(request, lambda: domain_proofs.request_proof_check(proof))
    if proof.state != SpeakerState.ASKED or proof.awaits_countersign:
        return redirect(proof)
    if request.method == "POST" and not refusal:
        return redirect("organizations:proof", pk, number)
    context = {
        "proof": proof,
        "organization": proof.organization,
        "until": domain_proofs.find_proof_expiry(proof),
        "record_name": domain_proofs.build_proof_record_name(proof),
        "record": domain_proofs.build_proof_record(proof),
        "file": domain_proofs.build_proof_file_url(proof),
        "is_pending": is_pending,
        "refusal": refusal or ("" if is_pending else proof.finding),
    }
    return render(request, "organizations/proof.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def show_proof_confirmation(
    request: HttpRequest, pk: int, number: int, secret: str
) -> HttpResponse:
    """Follow the link of a letter: opening it changes nothing, pressing Confirm proves."""
    proof = find_own_proof(get_signed_in_user(request), pk, number)
    refusal = attempt(request, lambda: domain_proofs.confirm_proof(proof, secret))
    if not refusal and (request.method == "POST" or proof.state != SpeakerState.ASKED):
        return redirect("organizations:proof", pk, number)
    context = {"proof": proof, "organization": proof.organization, "refusal": refusal}
    return render(request, "organizations/confirm.html", context)


def attempt(request: HttpRequest, act: Callable[[], None]) -> str:
    """Do what a button asks for; return why it is refused, or nothing."""
    if request.method != "POST":
        return ""
    try:
        act()
    except RegistryError as refusal:
        return str(refusal)
    return ""


def find_own_proof(person: User, pk: int, number: int) -> Speaker:
    """Return a proof that `person` started; other people's are not found."""
    proofs = Speaker.objects.select_related("organization", "person").exclude(domain="")
    return get_object_or_404(proofs, pk=number, organization=pk, person=person)
