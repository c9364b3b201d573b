"""Errata of an entry: one public list, from anybody, shown once the registrar has looked."""

from __future__ import annotations

import datetime
from http import HTTPStatus
from typing import Final

from django import forms
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from registry import permissions, rate_limits
from registry.forms.fields import PlainTextField
from registry.forms.organizations import BareForm
from registry.models import Erratum, Namespace, User
from registry.workflow import ActionRefused
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person

MAX_ERRATA_PER_DAY: Final = 5
"""From one network address."""


class ErratumForm(BareForm):
    """What is wrong in the entry."""

    text = PlainTextField(
        most=2_000,
        label=gettext_lazy("What is wrong, and how do you know?"),
        help_text=gettext_lazy("It is public, without your name, once the registrar has looked."),
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={"required": gettext_lazy("Say what is wrong.")},
    )


class ErratumAnswerForm(BareForm):
    """The registrar's answer, and whether the erratum is shown."""

    erratum = forms.ModelChoiceField(Erratum.objects.all(), widget=forms.HiddenInput)
    answer = PlainTextField(
        most=2_000,
        label=gettext_lazy("Answer, public"),
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Write an answer.")},
    )
    show = forms.BooleanField(label=gettext_lazy("Show both to everybody"), required=False)


@never_cache
@require_http_methods(["GET", "POST"])
def show_errata(request: HttpRequest, nid: str) -> HttpResponse:
    """Show the errata of an entry, and take another; the registrar answers them here."""
    namespace = get_object_or_404(Namespace, nid=nid)
    may_answer = permissions.may_keep_entries(request.user)
    is_answer = "erratum" in request.POST
    form = ErratumForm(None if is_answer else request.POST or None)
    answer = ErratumAnswerForm(request.POST if is_answer else None)
    try:
        if form.is_valid():
            network = rate_limits.find_client_network(request.META)
            send_erratum(namespace, form.cleaned_data["text"], network=network)
            return redirect(f"{request.path}?sent")
        if answer.is_valid():
            answer_erratum(actor=request.user, **answer.cleaned_data)
            return redirect(request.path)
    except ActionRefused as refusal:
        (answer if is_answer else form).add_error(None, str(refusal))
    context = {
        "namespace": namespace,
        "errata": Erratum.objects.filter(namespace=namespace, is_shown=True),
        "unanswered": [
            (each, answer if str(each.pk) == request.POST.get("erratum") else open_answer(each))
            for each in Erratum.objects.filter(namespace=namespace, answered_at=None)
            if may_answer
        ],
        "form": form,
        "is_sent": "sent" in request.GET,
    }
    is_refused = form.is_bound or answer.is_bound
    status = HTTPStatus.CONFLICT if is_refused else HTTPStatus.OK
    return render(request, "namespaces/errata.html", context, status=status)


def open_answer(erratum: Erratum) -> ErratumAnswerForm:
    """Return an empty form to answer it."""
    initial = {"erratum": erratum, "show": True}
    return ErratumAnswerForm(initial=initial, auto_id=f"e{erratum.pk}_%s")


def send_erratum(namespace: Namespace, text: str, *, network: str) -> None:
    """Save an erratum; the same text counts once. Raises `ActionRefused` if there were many."""
    if Erratum.objects.filter(namespace=namespace, text=text).exists():
        return
    limit = rate_limits.consume(
        f"erratum:{network}", MAX_ERRATA_PER_DAY, datetime.timedelta(days=1)
    )
    if not limit:
        raise ActionRefused(_("Five a day are taken from one address. Send it tomorrow."))
    Erratum.objects.create(namespace=namespace, text=text, sent_at=timezone.now())


def answer_erratum(*, actor: permissions.Person, erratum: Erratum, answer: str, show: bool) -> None:
    """Answer an erratum as the registrar, once; what is shown is an event of the namespace."""
    with transaction.atomic():
        found = Erratum.objects.select_for_update(no_key=True).get(pk=erratum.pk)
        if not permissions.may_keep_entries(reload_person(actor)):
            raise ActionRefused(_("Errata are answered by the registrar."))
        if found.answered_at:
            return
        found.answer, found.answered_at, found.is_shown = answer, timezone.now(), show
        found.save()
        if show and isinstance(actor, User):
            data = {"nid": found.namespace.nid, "text": found.text}
            record_event(
                found.namespace, actor=actor, verb="answer_erratum", comment=answer, data=data
            )
