"""Organizations: their public pages, who acts for them, and proving that one does."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest, PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from registry import permissions, selectors
from registry.actions import delegates as delegation, organization_proofs
from registry.actions.delegate_changes import holds_namespace
from registry.actions.organization_proofs import find_proof_expiry, find_website_domain
from registry.enums import ProofMethod
from registry.errors import RegistryError
from registry.forms.organizations import (
    DelegateForm,
    OrganizationSearchForm,
    ProofForm,
    WebsiteForm,
)
from registry.http.formats import negotiate_formats
from registry.models import DelegateChange, Organization, Proof, RegistrationRequest, Round, User
from registry.presenters import organizations as pages
from registry.presenters.requests import pair_with_turns
from registry.selectors import holder_consent
from registry.selectors.organizations import (
    filter_organizations_by_words,
    list_organization_requests,
)
from registry.web.htmx import answer_polling, is_htmx_request
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused, holder_words

ORGANIZATIONS_PER_PAGE = 25


@require_safe
@negotiate_formats("organizations")
def list_organizations(request: HttpRequest) -> HttpResponse:
    """List the organizations, or only those whose name contains every word typed."""
    form, found = filter_organizations(request.GET)
    page = Paginator(found, ORGANIZATIONS_PER_PAGE).get_page(request.GET.get("page"))
    is_narrowed = bool(form.cleaned_data.get("q", "").split())
    context = {"form": form, "page": page, "is_narrowed": is_narrowed}
    return render(request, "organizations/index.html", context)


def filter_organizations(asked: QueryDict) -> tuple[OrganizationSearchForm, QuerySet[Organization]]:
    """Return what was typed, and the organizations whose name contains every word of it."""
    form = OrganizationSearchForm(asked)
    found = selectors.public_organizations().order_by("name", "pk")
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
    context |= {"page": page, "rows": pair_with_turns(list(page))}
    return render(request, "organizations/detail.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def edit_delegates(request: HttpRequest, pk: int) -> HttpResponse:
    """Show who acts for an organization, and add a delegate."""
    person, organization = get_signed_in_user(request), find_visible_organization(request, pk)
    require_concerned_person(person, organization)
    if request.method == "POST":
        require_delegate_manager(person, organization)
    form = DelegateForm(request.POST or None)
    if form.is_valid():
        try:
            named = delegation.name_delegate(
                organization, form.cleaned_data["address"], actor=person
            )
            if isinstance(named, DelegateChange):
                return redirect_to_change(request, named)
        except ActionRefused as refusal:
            form.add_error("address", str(refusal))
        else:
            words = _("%(who)s acts for %(organization)s.")
            messages.success(request, words % {"who": named, "organization": organization})
            return redirect("organizations:delegates", pk)
    context = pages.build_organization_context(organization, person) | {"form": form}
    return render(request, "organizations/delegates.html", context)


def redirect_to_change(request: HttpRequest, change: DelegateChange) -> HttpResponse:
    """Redirect to a change that must be confirmed with a code from a letter."""
    messages.info(request, _("A letter with a code is on its way to you. Type it here."))
    return redirect(change)


def require_concerned_person(person: User, organization: Organization) -> None:
    """Raise `PermissionDenied` if `person` may not see who acts for the organization."""
    if not permissions.may_see_delegates(person, organization):
        raise PermissionDenied(
            _("Only its delegates and the registrar can see who acts for %(organization)s.")
            % {"organization": organization}
        )


def require_delegate_manager(person: User, organization: Organization) -> None:
    """Raise `PermissionDenied` if `person` may not decide who acts for the organization."""
    if not permissions.may_name_delegates(person, organization):
        raise PermissionDenied(
            _("Only the delegates of %(organization)s can say who acts for it.")
            % {"organization": organization}
        )


@login_required
@require_http_methods(["GET", "POST"])
def show_delegate_removal(request: HttpRequest, pk: int, delegate: int) -> HttpResponse:
    """Explain what removing a delegate means, and do it."""
    person, organization = get_signed_in_user(request), find_visible_organization(request, pk)
    if delegate != person.pk:
        require_delegate_manager(person, organization)
    # A second click may find the delegate removed already, also when people remove themselves.
    known = User.objects.filter(pk=person.pk) | delegation.current_and_former_delegates(
        organization
    )
    found = get_object_or_404(known, pk=delegate)
    refusal = ""
    if request.method == "POST":
        try:
            knows = "last" in request.POST
            change = delegation.remove_delegate(organization, found, actor=person, knows_last=knows)
            if change:
                return redirect_to_change(request, change)
        except ActionRefused as refused:
            refusal = str(refused)
        else:
            words = _("%(who)s no longer acts for %(organization)s.")
            messages.success(request, words % {"who": found, "organization": organization})
            return redirect(get_url_after_removal(request, organization))
    acting = User.objects.speaking_for(organization)
    context = {
        "organization": organization,
        "delegate": get_object_or_404(acting, pk=delegate),
        "is_last": not acting.exclude(pk=delegate).exists(),
        "is_oneself": found == person,
        "refusal": refusal,
    }
    return render(request, "organizations/remove.html", context, status=409 if refusal else 200)


def get_url_after_removal(request: HttpRequest, organization: Organization) -> str:
    """Return the next page: people who left may no longer see an organization that is in drafts."""
    known = selectors.organizations_visible_to(request.user)
    if known.filter(pk=organization.pk).exists():
        return organization.get_absolute_url()
    return reverse("account:index")


@login_required
@require_http_methods(["GET", "POST"])
def edit_website(request: HttpRequest, pk: int) -> HttpResponse:
    person, organization = get_signed_in_user(request), find_visible_organization(request, pk)
    if not permissions.may_set_website(person):
        raise PermissionDenied(_("Only the registrar can enter the website of an organization."))
    form = WebsiteForm(request.POST or None, organization=organization)
    if form.is_valid():
        try:
            organization_proofs.set_website(organization, actor=person, **form.cleaned_data)
        except ActionRefused as refusal:
            form.add_error("website", str(refusal))
        else:
            words = _("The website of %(organization)s is entered.")
            messages.success(request, words % {"organization": organization})
            return redirect(organization)
    context = {"organization": organization, "form": form}
    return render(request, "organizations/website.html", context)


RECENT_PROOF_AGE: Final = datetime.timedelta(minutes=5)


@login_required
@require_http_methods(["GET", "POST"])
def start_proof(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask to act for an organization, or only for one request if the address names one."""
    person, organization = get_signed_in_user(request), find_visible_organization(request, pk)
    asked = find_request_in_question(request)
    form = ProofForm(
        request.POST or None,
        domain=find_website_domain(organization),
        addresses=pages.list_holder_proof_addresses(organization),
    )
    if request.method == "POST" and "agree" in request.POST and asked:
        return back_round(request, organization, asked)
    if form.is_valid():
        try:
            proof = organization_proofs.request_proof(
                organization,
                person,
                ProofMethod(form.cleaned_data["method"]),
                address=form.cleaned_data["address"],
                registration_request=asked,
            )
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("organizations:proof", pk, proof.pk)
    return render_proof_methods(request, organization, asked, form)


def find_request_in_question(request: HttpRequest) -> RegistrationRequest | None:
    """Return the request in the address; raise `Http404` if the person may not know of it."""
    reference = request.GET.get("request")
    if not reference:
        return None
    return get_object_or_404(
        selectors.requests_visible_to(request.user), reference=reference.upper()
    )


def render_proof_methods(
    request: HttpRequest,
    organization: Organization,
    asked: RegistrationRequest | None,
    form: ProofForm,
) -> HttpResponse:
    """Show the methods of proof, and what a proof allows."""
    person = get_signed_in_user(request)
    context = {
        "organization": organization,
        "registration_request": asked,
        "form": form,
        "domain": find_website_domain(organization),
        "addresses": pages.list_holder_proof_addresses(organization),
        "is_delegate": permissions.is_delegate_of(person, organization),
        "renews": organization_proofs.is_renewal_due(organization, person),
        "waits": holds_namespace(organization)
        and not permissions.is_delegate_of(person, organization),
        "last_round": find_round_to_back(person, asked, organization),
        "is_confirmed": permissions.has_confirmed_address(person),
    }
    return render(request, "organizations/prove.html", context)


def find_round_to_back(
    person: User, asked: RegistrationRequest | None, organization: Organization
) -> Round | None:
    """Return the round that `person` can consent to at once, with nothing to prove."""
    if (
        asked
        and holder_consent.representatives_of(organization, asked).filter(pk=person.pk).exists()
    ):
        return asked.last_round
    return None


def back_round(
    request: HttpRequest, organization: Organization, asked: RegistrationRequest
) -> HttpResponse:
    """Let somebody who speaks for the organization consent to another person's request."""
    seen = request.POST.get("agree", "")
    if not seen.isdecimal():
        raise BadRequest("The button says which round was read.")
    try:
        organization_proofs.give_consent(
            organization, asked, actor=get_signed_in_user(request), seen=int(seen)
        )
    except ActionRefused as refusal:
        messages.error(request, str(refusal))
        return redirect(asked)
    return redirect_after_proof(request, organization, asked)


def redirect_after_proof(
    request: HttpRequest, organization: Organization, asked: RegistrationRequest | None
) -> HttpResponse:
    """Say that the proof is valid, on the page where it is useful."""
    if asked and is_word_to_confirm(request, asked):
        return redirect("requests:word", asked.slug)
    waiting = find_waiting_claim(request, organization)
    if waiting:
        messages.success(request, _("Your proof is recorded. It takes effect on the day below."))
        return redirect(waiting)
    if asked:
        words = _("%(organization)s supports %(reference)s.")
        said = {"organization": organization, "reference": asked.reference}
    else:
        words, said = _("You act for %(organization)s."), {"organization": organization}
    messages.success(request, words % said)
    return redirect(asked or organization)


def is_word_to_confirm(request: HttpRequest, asked: RegistrationRequest) -> bool:
    """Whether the person must still enter the code from a letter."""
    own = holder_words.find_own_confirmation(asked, get_signed_in_user(request))
    return own is not None and own.confirmed_at is None


def find_waiting_claim(request: HttpRequest, organization: Organization) -> DelegateChange | None:
    """Return the person's claim that is waiting to take effect, or None."""
    own = organization.delegate_changes.pending().filter(person=get_signed_in_user(request))
    return own.filter(proof__isnull=False).first()


@login_required
@require_http_methods(["GET", "POST"])
def show_proof(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Explain what to do for a proof, check it, and show what was found."""
    asked = find_own_proof(get_signed_in_user(request), pk, number)
    is_pending = organization_proofs.is_proof_check_pending(asked)
    if is_htmx_request(request):
        return answer_polling(is_over=not is_pending)
    refusal = attempt_proof_action(request, lambda: organization_proofs.request_proof_check(asked))
    if request.method == "POST" and not refusal and asked.proved_at is None:
        return redirect("organizations:proof", pk, number)
    if is_proof_over(request, asked, refusal):
        return redirect_from_finished_proof(request, asked)
    context = {
        "proof": asked,
        "organization": asked.organization,
        "until": find_proof_expiry(asked),
        "record_name": organization_proofs.build_proof_record_name(asked),
        "record": organization_proofs.build_proof_record(asked),
        "file": organization_proofs.build_proof_file_url(asked),
        "is_pending": is_pending,
        "refusal": refusal or ("" if is_pending else asked.finding),
    }
    return render(request, "organizations/proof.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def show_proof_confirmation(
    request: HttpRequest, pk: int, number: int, secret: str
) -> HttpResponse:
    """Follow the link of a letter: opening it changes nothing, pressing Confirm proves."""
    asked = find_own_proof(get_signed_in_user(request), pk, number)
    refusal = attempt_proof_action(
        request, lambda: organization_proofs.confirm_proof(asked, secret)
    )
    if is_proof_over(request, asked, refusal):
        return redirect_from_finished_proof(request, asked)
    context = {"proof": asked, "organization": asked.organization, "refusal": refusal}
    return render(request, "organizations/confirm.html", context)


def attempt_proof_action(request: HttpRequest, act: Callable[[], None]) -> str:
    """Do what a button asks for; return why it is refused, or nothing."""
    if request.method != "POST":
        return ""
    try:
        act()
    except RegistryError as refusal:
        return str(refusal)
    return ""


def is_proof_over(request: HttpRequest, asked: Proof, refusal: str) -> bool:
    """Whether the proof needs nothing more."""
    return not refusal and (request.method == "POST" or asked.proved_at is not None)


def redirect_from_finished_proof(request: HttpRequest, asked: Proof) -> HttpResponse:
    """Redirect from a valid proof, and say so only to the person who has just given it."""
    if request.method == "POST" or is_recently_found(asked):
        return redirect_after_proof(request, asked.organization, asked.registration_request)
    return redirect(asked.registration_request or asked.organization)


def is_recently_found(asked: Proof) -> bool:
    """Whether the person may still be waiting to hear that the worker found it."""
    lately = timezone.now() - RECENT_PROOF_AGE
    return asked.looked_at is not None and asked.looked_at > lately and is_standing_proof(asked)


def is_standing_proof(asked: Proof) -> bool:
    """Whether the person has not been removed from the delegates since."""
    if asked.effective_at is None:
        return asked.proved_at is not None
    return bool(asked.registration_request) or permissions.is_delegate_of(
        asked.person, asked.organization
    )


def find_own_proof(person: User, pk: int, number: int) -> Proof:
    """Return a proof that `person` started; other people's are not found."""
    asked = Proof.objects.select_related("organization", "person", "registration_request")
    return get_object_or_404(asked, pk=number, organization=pk, person=person)
