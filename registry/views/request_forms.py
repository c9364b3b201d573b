"""Requests and their rounds at the other addresses of their pages, for programs.

Nobody's session is looked at: everybody is told what is public, from the first round on.
"""

from __future__ import annotations

import datetime

from django.conf import settings
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from registry.models import RegistrationRequest
from registry.pages.endings import REQUEST, ROUND
from registry.views.delivery import answer
from registry.views.machine import in_form
from registry.views.moved import moved


@in_form("request")
@require_safe
def file(request: HttpRequest, reference: str, form: str) -> HttpResponseBase:
    """Return a request in one of its forms."""
    asked = found(reference)
    if reference != asked.slug:
        return moved(request, "requests:file", asked.slug, form)
    text = REQUEST[form](asked, settings.SITE)
    return answer(request, form, text, name=asked.slug, changed_at=changed_at(asked))


@in_form("round")
@require_safe
def round_file(request: HttpRequest, reference: str, number: str, form: str) -> HttpResponseBase:
    """Return one round in one of its forms, at an address that stays."""
    asked = found(reference)
    if reference != asked.slug:
        return moved(request, "requests:round_file", asked.slug, number, form)
    sent = asked.rounds.sent().filter(number=number).first()
    if sent is None:
        raise Http404(_("There is no round %(number)s.") % {"number": number})
    text, name = ROUND[form](sent, settings.SITE), f"{asked.slug}-round-{sent.number}"
    return answer(request, form, text, name=name, changed_at=sent.submitted_at)


def found(reference: str) -> RegistrationRequest:
    """Return the public request of that reference, or raise `Http404`."""
    public = RegistrationRequest.objects.public().select_related(
        "organization", "namespace", "author"
    )
    asked = public.filter(reference=reference.upper()).first()
    if asked is None:
        raise Http404(_("There is no request %(name)s.") % {"name": reference.upper()})
    return asked


def changed_at(asked: RegistrationRequest) -> datetime.datetime:
    """Return when anybody last did anything about a request."""
    last = asked.events.aggregate(at=Max("at"))["at"]
    return max(last or asked.created_at, asked.state_since)
