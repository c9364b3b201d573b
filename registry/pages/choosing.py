"""The experts among whom the lead chooses: what each has to do, and why some cannot come."""

from __future__ import annotations

from typing import Final

from django.db.models import F
from django.utils.dateformat import format as date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from registry.forms.layout import Option
from registry.models import RegistrationRequest, User
from registry.reviewing import conflicts
from registry.reviewing.candidates import candidates

BARRIERS: Final[dict[str, str | Promise]] = {
    "author": gettext_lazy("Started this request."),
    "delegate": gettext_lazy("Is a delegate of the organization that asks."),
    "co_editor": gettext_lazy("Helps to write this request."),
    "organization": gettext_lazy("Belongs to the organization that asks."),
    "conflict": gettext_lazy("Declared a conflict of interest with the organization."),
    "on_it": gettext_lazy("Is on this request already."),
    "stepped_back": gettext_lazy("Stepped back from this request."),
}


def choices(registration_request: RegistrationRequest) -> list[tuple[User, Option]]:
    """Return every expert as a choice, in the order of the rota, those who cannot come last."""
    turn = (F("open_assignments"), F("last_assigned_at").asc(nulls_first=True), "pk")
    listed = candidates(registration_request).order_by(*turn)
    found = [(expert, option(expert, registration_request)) for expert in listed]
    return sorted(found, key=lambda choice: bool(choice[1].barred))


def option(expert: User, registration_request: RegistrationRequest) -> Option:
    """Return one expert from `candidates` as a choice: their load, days away, and hints."""
    facts = vars(expert)
    load = ngettext(
        "%(count)d open request", "%(count)d open requests", facts["open_assignments"]
    ) % {"count": facts["open_assignments"]}
    points = conflicts.warnings(expert, registration_request)
    if facts["away_until"]:
        until = date_format(facts["away_until"], "j F Y")
        points = [_("Away until %(day)s.") % {"day": until}, *points]
    barred = BARRIERS.get(facts["barrier"], "")
    return Option(str(expert), hint=load, points=tuple(points), barred=barred)
