"""What an expert keeps about themselves: days away, and conflicts of interest that stand."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from registry import workflow
from registry.forms.standing import AbsenceForm, ConflictForm
from registry.models import User
from registry.reviewing import absences, conflicts as declared
from registry.views.acting import signed_in
from registry.views.queue import ask_for_an_expert


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def away(request: HttpRequest) -> HttpResponse:
    """The days on which the expert is away, and a form for more."""
    person = expert(request)
    form = AbsenceForm(request.POST or None)
    if form.is_valid():
        absences.add(person, **form.cleaned_data)
        messages.success(request, _("Noted. The rota passes you over on these days."))
        return redirect("review:away")
    context = {"form": form, "absences": absences.ahead(person)}
    return render(request, "review/away.html", context)


@login_required
@require_POST
def back(request: HttpRequest, key: int) -> HttpResponse:
    """Take days away out again; a second click finds nothing left to do."""
    expert(request).absences.filter(pk=key).delete()
    messages.success(request, _("Taken out. The rota counts on you on these days."))
    return redirect("review:away")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def conflicts(request: HttpRequest) -> HttpResponse:
    """The conflicts of interest that the expert has declared, and a form for more."""
    person = expert(request)
    form = ConflictForm(request.POST or None, expert=person)
    if form.is_valid():
        try:
            declared.declare(person, **form.cleaned_data)
        except workflow.Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            said = {"organization": form.cleaned_data["organization"]}
            messages.success(
                request, _("Declared. No request of %(organization)s is yours to judge.") % said
            )
            return redirect("review:conflicts")
    context = {"form": form, "conflicts": person.conflicts.select_related("organization")}
    return render(request, "review/conflicts.html", context)


@login_required
@require_POST
def end(request: HttpRequest, key: int) -> HttpResponse:
    """End a declared conflict; a second click finds nothing left to do."""
    for conflict in expert(request).conflicts.filter(pk=key):
        declared.end(conflict)
    messages.success(request, _("Ended. The journal keeps that there was a conflict."))
    return redirect("review:conflicts")


def expert(request: HttpRequest) -> User:
    """Return the expert who asks; refuse everybody else."""
    person = signed_in(request)
    ask_for_an_expert(person)
    return person
