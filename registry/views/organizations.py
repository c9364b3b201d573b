"""Organizations: what everybody reads of one, and who acts for it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from registry import queries, rules
from registry.delegation import delegates as delegation, websites
from registry.forms.organizations import DelegateForm, SearchForm, WebsiteForm
from registry.models import Organization, User
from registry.pages import organization as pages
from registry.pages.course import with_turns
from registry.views.acting import signed_in
from registry.views.machine import also_as
from registry.workflow import Refused

PAGE = 25


@require_safe
@also_as("organizations")
def index(request: HttpRequest) -> HttpResponse:
    """List the organizations, those alone whose name has every word that was typed."""
    form, found = named(request.GET)
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    is_narrowed = bool(form.cleaned_data.get("q", "").split())
    context = {"form": form, "page": page, "is_narrowed": is_narrowed}
    return render(request, "organizations/index.html", context)


def named(asked: QueryDict) -> tuple[SearchForm, QuerySet[Organization]]:
    """Return what was typed, and the organizations whose name has every word of it."""
    form = SearchForm(asked)
    found = queries.public_organizations().order_by("name", "pk")
    for word in form.cleaned_data["q"].split() if form.is_valid() else []:
        found = found.filter(name__icontains=word)
    return form, found


def organization_of(request: HttpRequest, pk: int) -> Organization:
    """Return the organization of that number, if whoever asks may know of it."""
    return get_object_or_404(queries.organizations_visible_to(request.user), pk=pk)


@require_safe
def detail(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what an organization holds and asks for; who acts for it, only to those concerned."""
    organization = organization_of(request, pk)
    asked = pages.requests_of(organization)
    page = Paginator(asked, PAGE).get_page(request.GET.get("page"))
    context = pages.shown(organization, request.user)
    context |= {"page": page, "rows": with_turns(list(page))}
    return render(request, "organizations/detail.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def delegates(request: HttpRequest, pk: int) -> HttpResponse:
    """Show who acts for an organization, and name another."""
    person, organization = signed_in(request), organization_of(request, pk)
    ask_for_one_concerned(person, organization)
    if request.method == "POST":
        ask_for_one_who_names(person, organization)
    form = DelegateForm(request.POST or None)
    if form.is_valid():
        try:
            named = delegation.name(organization, form.cleaned_data["address"], actor=person)
        except Refused as refusal:
            form.add_error("address", str(refusal))
        else:
            words = _("%(who)s acts for %(organization)s.")
            messages.success(request, words % {"who": named, "organization": organization})
            return redirect("organizations:delegates", pk)
    context = pages.shown(organization, person) | {"form": form}
    return render(request, "organizations/delegates.html", context)


def ask_for_one_concerned(person: User, organization: Organization) -> None:
    """Raise `PermissionDenied` where `person` is not told who acts for the organization."""
    if not rules.may_see_delegates(person, organization):
        raise PermissionDenied(
            _("Who acts for %(organization)s is for its delegates and the registrar to see.")
            % {"organization": organization}
        )


def ask_for_one_who_names(person: User, organization: Organization) -> None:
    """Raise `PermissionDenied` where `person` does not say who acts for the organization."""
    if not rules.may_name_delegates(person, organization):
        raise PermissionDenied(
            _("Who acts for %(organization)s is said by its delegates.")
            % {"organization": organization}
        )


@login_required
@require_http_methods(["GET", "POST"])
def remove(request: HttpRequest, pk: int, delegate: int) -> HttpResponse:
    """Say what follows from taking a delegate off, and do it."""
    person, organization = signed_in(request), organization_of(request, pk)
    if delegate != person.pk:
        ask_for_one_who_names(person, organization)
    # Whoever is taken off may be so by two clicks, whoever takes themselves off too.
    known = User.objects.filter(pk=person.pk) | delegation.current_and_former(organization)
    found = get_object_or_404(known, pk=delegate)
    refusal = ""
    if request.method == "POST":
        try:
            knows = "last" in request.POST
            delegation.remove(organization, found, actor=person, knows_last=knows)
        except Refused as refused:
            refusal = str(refused)
        else:
            words = _("%(who)s does not act for %(organization)s any more.")
            messages.success(request, words % {"who": found, "organization": organization})
            return redirect(after(request, organization))
    others = organization.delegates.exclude(pk=delegate)
    context = {
        "organization": organization,
        "delegate": get_object_or_404(organization.delegates, pk=delegate),
        "is_last": not others.exists(),
        "is_oneself": found == person,
        "refusal": refusal,
    }
    return render(request, "organizations/remove.html", context, status=409 if refusal else 200)


def after(request: HttpRequest, organization: Organization) -> str:
    """Return where to go on: whoever has left one in drafts does not find it any more."""
    known = queries.organizations_visible_to(request.user)
    if known.filter(pk=organization.pk).exists():
        return organization.get_absolute_url()
    return reverse("account:index")


@login_required
@require_http_methods(["GET", "POST"])
def website(request: HttpRequest, pk: int) -> HttpResponse:
    """Enter the website of an organization."""
    person, organization = signed_in(request), organization_of(request, pk)
    if not rules.may_say_website(person):
        raise PermissionDenied(_("The website of an organization is entered by the registrar."))
    form = WebsiteForm(request.POST or None, organization=organization)
    if form.is_valid():
        try:
            websites.say(organization, actor=person, **form.cleaned_data)
        except Refused as refusal:
            form.add_error("website", str(refusal))
        else:
            words = _("The website of %(organization)s is entered.")
            messages.success(request, words % {"organization": organization})
            return redirect(organization)
    context = {"organization": organization, "form": form}
    return render(request, "organizations/website.html", context)
