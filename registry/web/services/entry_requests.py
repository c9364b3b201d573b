"""Requests for entries in the two vocabularies: made, commented on, decided."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import permissions
from registry.actions import entry_requests
from registry.enums import VocabularyName
from registry.exchange.exports.vocabularies import VOCABULARIES
from registry.forms.entry_requests import (
    ENTRY_REQUEST_FORMS,
    EntryCommentForm,
    EntryDecisionForm,
    EntryWithdrawalForm,
)
from registry.models import EntryRequest
from registry.web.form_page import FormPage, take_form
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_new_entry_request(request: HttpRequest, name: str) -> HttpResponse:
    if name not in ENTRY_REQUEST_FORMS:
        raise Http404(name)
    form = ENTRY_REQUEST_FORMS[name](request.POST or None)
    page = FormPage(
        _("Ask for a word"),
        [
            str(VOCABULARIES[name].policy),
            _("Everybody can comment for some time, an expert advises, and the registrar decides."),
        ],
        _("Ask for it"),
        reverse("vocabularies:detail", args=[name]),
        [(str(VOCABULARIES[name].title), reverse("vocabularies:detail", args=[name]))],
    )

    def act() -> str:
        person = get_signed_in_user(request)
        return entry_requests.request_entry(
            VocabularyName(name), form.word, actor=person, **form.proposed
        ).get_absolute_url()

    return take_form(request, page, form, act, _("Your request is public now."))


def find_entry_request(name: str, pk: int) -> EntryRequest:
    """Return the request of that vocabulary and number."""
    found = EntryRequest.objects.select_related("asked_by", "decided_by")
    return get_object_or_404(found, vocabulary=name, pk=pk)


@require_http_methods(["GET", "HEAD", "POST"])
def show_entry_request(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    """Show a request with its comments, and accept a comment."""
    asked = find_entry_request(name, pk)
    form, status = EntryCommentForm(request.POST or None), 200
    if request.method == "POST" and not request.user.is_authenticated:
        raise PermissionDenied(_("Sign in to comment."))
    if form.is_valid():
        try:
            entry_requests.comment_on_entry(
                asked, actor=get_signed_in_user(request), **form.cleaned_data
            )
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
            status = 409
        else:
            messages.success(request, _("Your comment is public now."))
            return redirect(asked)
    context = {
        "asked": asked,
        "vocabulary": VOCABULARIES[name],
        "comments": list(asked.comments.all()),
        "proposed": list_proposed_facts(asked),
        "missing": entry_requests.explain_early_decision(asked) if asked.is_open else "",
        "form": form if asked.is_open and permissions.has_confirmed_address(request.user) else None,
        "may_decide": permissions.may_manage_vocabularies(request.user),
        "is_own": asked.asked_by_id == request.user.pk,
    }
    return render(request, "vocabularies/request.html", context, status=status)


def list_proposed_facts(asked: EntryRequest) -> list[tuple[str, str]]:
    """Return the proposed entry, each fact under its label."""
    model = entry_requests.VOCABULARIES_BY_NAME[asked.vocabulary].model
    labels = {field.name: str(field.verbose_name) for field in model._meta.concrete_fields}
    return [
        (labels[name].capitalize(), "; ".join(" ".join(pair) for pair in value))
        if isinstance(value, list)
        else (labels[name].capitalize(), str(value))
        for name, value in asked.proposed.items()
    ]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_entry_decision(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    """Enter or decline a word, as the registrar."""
    asked, person = find_entry_request(name, pk), get_signed_in_user(request)
    if not permissions.may_manage_vocabularies(person):
        raise PermissionDenied(_("Only the registrar can change these registries."))
    form = EntryDecisionForm(request.POST or None)
    missing = entry_requests.explain_early_decision(asked)
    page = FormPage(
        _("Decide on “%(word)s”") % {"word": asked.word},
        [
            _(
                "It can be entered once the time for comment is over and an expert has advised. It "
                "can be declined at any time."
            ),
            *([missing] if missing else []),
        ],
        _("Record decision"),
        asked.get_absolute_url(),
        [(asked.word, asked.get_absolute_url())],
    )

    def act() -> str:
        entry_requests.decide_entry_request(asked, actor=person, **form.cleaned_data)
        return asked.get_absolute_url()

    return take_form(request, page, form, act, _("The decision is recorded."))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_entry_withdrawal(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    """Withdraw one's own request."""
    asked, person = find_entry_request(name, pk), get_signed_in_user(request)
    if asked.asked_by != person:
        raise PermissionDenied(
            _("Only the person who asked for the word can withdraw the request.")
        )
    form = EntryWithdrawalForm(request.POST or None)
    page = FormPage(
        _("Withdraw the request for “%(word)s”") % {"word": asked.word},
        [_("Its page stays, with what was said.")],
        _("Withdraw it"),
        asked.get_absolute_url(),
        [(asked.word, asked.get_absolute_url())],
    )

    def act() -> str:
        entry_requests.withdraw_entry_request(asked, actor=person, **form.cleaned_data)
        return asked.get_absolute_url()

    return take_form(request, page, form, act, _("The request is withdrawn."))
