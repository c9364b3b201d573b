"""The checklist of an expert, kept as they go."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from registry import rules
from registry.pages.deciding import Checklist
from registry.pages.next_step import why_not
from registry.pages.reading import of_expert
from registry.reviewing import checklist
from registry.views.htmx import HtmxRequest
from registry.views.queue import find
from registry.workflow import Refused


@login_required
@require_POST
def keep(request: HtmxRequest, reference: str) -> HttpResponse:
    """Keep the answers that were given so far; they become public with the decision."""
    person, registration_request = find(request, reference)
    if not rules.may_remark(person, registration_request):
        raise PermissionDenied(why_not(registration_request, person))
    last = registration_request.rounds.sent().latest("number")
    kept, form = of_expert(registration_request, last, person, request.POST)
    refusal = "" if form.is_valid() else _("One of the answers is none of Yes, No and Unsure.")
    if form.is_valid():
        try:
            answers = checklist.answer(registration_request, actor=person, **form.cleaned_data)
            kept = Checklist(kept.questions, answers)
        except Refused as refused:
            refusal = str(refused)
    if request.htmx:
        context = {"checklist": kept, "refusal": refusal}
        return render(request, "review/checklist_kept.html", context)
    if refusal:
        messages.error(request, refusal)
    else:
        told = {"done": kept.done, "count": kept.count}
        messages.success(request, _("Your answers are kept: %(done)d of %(count)d.") % told)
    return redirect(f"{reverse('review:detail', args=[registration_request.slug])}#checklist")
