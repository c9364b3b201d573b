"""Proving to act for an organization."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import queries, rules
from registry.choices import ProofMethod
from registry.delegation import looking, proofs
from registry.delegation.domains import domain_of
from registry.delegation.refusals import open_until
from registry.forms.organizations import ProofForm
from registry.models import Organization, Proof, RegistrationRequest, Round, User
from registry.queries import holder
from registry.views.acting import signed_in
from registry.views.htmx import HtmxRequest, wait
from registry.views.organizations import organization_of
from registry.workflow import Refused

JUST_NOW: Final = datetime.timedelta(minutes=5)


@login_required
@require_http_methods(["GET", "POST"])
def prove(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask to act for an organization, or for one request alone where the address names one."""
    person, organization = signed_in(request), organization_of(request, pk)
    asked = request_in_question(request)
    form = ProofForm(request.POST or None, domain=domain_of(organization))
    if request.method == "POST" and "agree" in request.POST and asked:
        return agree(request, organization, asked)
    if form.is_valid():
        try:
            proof = proofs.ask(
                organization,
                person,
                ProofMethod(form.cleaned_data["method"]),
                address=form.cleaned_data["address"],
                registration_request=asked,
            )
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("organizations:proof", pk, proof.pk)
    return choose(request, organization, asked, form)


def request_in_question(request: HttpRequest) -> RegistrationRequest | None:
    """Return the request that the address names, or raise `Http404` where nobody may know of it."""
    reference = request.GET.get("request")
    if not reference:
        return None
    return get_object_or_404(queries.visible_to(request.user), reference=reference.upper())


def choose(
    request: HttpRequest,
    organization: Organization,
    asked: RegistrationRequest | None,
    form: ProofForm,
) -> HttpResponse:
    """Show the ways of proof, with what follows from it."""
    person = signed_in(request)
    context = {
        "organization": organization,
        "registration_request": asked,
        "form": form,
        "domain": domain_of(organization),
        "is_delegate": rules.is_delegate_of(person, organization),
        "last_round": round_to_back(person, asked, organization),
        "is_confirmed": rules.has_confirmed_address(person),
    }
    return render(request, "organizations/prove.html", context)


def round_to_back(
    person: User, asked: RegistrationRequest | None, organization: Organization
) -> Round | None:
    """Return the round that `person` can stand behind at once, with nothing to prove."""
    if asked and holder.speakers(organization, asked).filter(pk=person.pk).exists():
        return asked.last_round
    return None


def agree(
    request: HttpRequest, organization: Organization, asked: RegistrationRequest
) -> HttpResponse:
    """Have somebody who speaks for the organization stand behind a request of somebody else."""
    seen = request.POST.get("agree", "")
    if not seen.isdecimal():
        raise BadRequest("The button says which round was read.")
    try:
        proofs.agree(organization, asked, actor=signed_in(request), seen=int(seen))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect(asked)
    return proved(request, organization, asked)


def proved(
    request: HttpRequest, organization: Organization, asked: RegistrationRequest | None
) -> HttpResponse:
    """Say that the proof stands, where it is of use."""
    if asked:
        words = _("%(organization)s stands behind %(reference)s.")
        said = {"organization": organization, "reference": asked.reference}
    else:
        words, said = _("You act for %(organization)s."), {"organization": organization}
    messages.success(request, words % said)
    return redirect(asked or organization)


@login_required
@require_http_methods(["GET", "POST"])
def proof(request: HtmxRequest, pk: int, number: int) -> HttpResponse:
    """Say what has to be done for a proof, have it looked for, and show what was found."""
    asked = mine(signed_in(request), pk, number)
    is_pending = proofs.is_being_looked_for(asked)
    if request.htmx:
        return wait(is_over=not is_pending)
    refusal = attempt(request, lambda: proofs.request_look(asked))
    if request.method == "POST" and not refusal and asked.proved_at is None:
        return redirect("organizations:proof", pk, number)
    if is_over(request, asked, refusal):
        return over(request, asked)
    context = {
        "proof": asked,
        "organization": asked.organization,
        "until": open_until(asked),
        "record_name": looking.name_of_record(asked),
        "record": looking.record_of(asked),
        "file": looking.address_of_file(asked),
        "is_pending": is_pending,
        "refusal": refusal or ("" if is_pending else asked.finding),
    }
    return render(request, "organizations/proof.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, pk: int, number: int, secret: str) -> HttpResponse:
    """Take the link of a letter: opening it does nothing, pressing Confirm proves."""
    asked = mine(signed_in(request), pk, number)
    refusal = attempt(request, lambda: proofs.confirm(asked, secret))
    if is_over(request, asked, refusal):
        return over(request, asked)
    context = {"proof": asked, "organization": asked.organization, "refusal": refusal}
    return render(request, "organizations/confirm.html", context)


def attempt(request: HttpRequest, act: Callable[[], None]) -> str:
    """Do what a button asks for; return why it is refused, nothing where it is not."""
    if request.method != "POST":
        return ""
    try:
        act()
    except Refused as refusal:
        return str(refusal)
    return ""


def is_over(request: HttpRequest, asked: Proof, refusal: str) -> bool:
    """Whether there is nothing left to do for the proof."""
    return not refusal and (request.method == "POST" or asked.proved_at is not None)


def over(request: HttpRequest, asked: Proof) -> HttpResponse:
    """Lead on from a proof that stands; say so only to whoever has just given it."""
    if request.method == "POST" or was_just_found(asked):
        return proved(request, asked.organization, asked.registration_request)
    return redirect(asked.registration_request or asked.organization)


def was_just_found(asked: Proof) -> bool:
    """Whether its person may be waiting to hear that the worker has found it."""
    lately = timezone.now() - JUST_NOW
    return asked.looked_at is not None and asked.looked_at > lately and stands(asked)


def stands(asked: Proof) -> bool:
    """Whether its person was not taken off the delegates since."""
    return bool(asked.registration_request) or rules.is_delegate_of(
        asked.person, asked.organization
    )


def mine(person: User, pk: int, number: int) -> Proof:
    """Return a proof that `person` asked for; those of others are not found."""
    asked = Proof.objects.select_related("organization", "person", "registration_request")
    return get_object_or_404(asked, pk=number, organization=pk, person=person)
