"""What every public page of a request shows: its head, its parts, and what stands beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from registry import queries
from registry.choices import LIVE
from registry.models import RegistrationRequest, Round
from registry.pages import facts
from registry.pages.comparing import changed
from registry.pages.course import stages
from registry.pages.surroundings import Tab
from registry.queries.holder import missing_holder_word
from registry.rules import Person
from registry.template import SectionDiff


def head(
    registration_request: RegistrationRequest,
    rounds: Sequence[Round],
    current: str,
    reader: Person,
) -> dict[str, Any]:
    """Return what the head of every public page of a request shows."""
    waiting = queries.waiting_for(registration_request)
    is_live = registration_request.state in LIVE
    return {
        "registration_request": registration_request,
        "rounds": rounds,
        "last_round": rounds[-1] if rounds else None,
        "stages": stages(registration_request, rounds, waiting),
        "tabs": parts(registration_request, rounds, current) if rounds else [],
        "turn": waiting,
        "is_live": is_live,
        "rivals": queries.rivals_of(registration_request) if is_live and rounds else [],
        "reopened_as": reopened_as(registration_request, reader),
        "reopens": reopens(registration_request, reader),
        "missing_word": missing_holder_word(registration_request) if rounds else "",
    }


def reopens(
    registration_request: RegistrationRequest, reader: Person
) -> RegistrationRequest | None:
    """Return the request that this one goes on from, where the reader may know of it."""
    if registration_request.reopens_id is None:
        return None
    return queries.visible_to(reader).filter(pk=registration_request.reopens_id).first()


def reopened_as(
    registration_request: RegistrationRequest, reader: Person
) -> RegistrationRequest | None:
    """Return the request that goes on from this one, where the reader may know of it."""
    if registration_request.state in LIVE:
        return None
    return queries.visible_to(reader).filter(reopens=registration_request).first()


def differences(
    registration_request: RegistrationRequest, old: Round, new: Round
) -> tuple[SectionDiff, ...]:
    """Return what changed from one round to the next: in its text, or in the facts asked for."""
    if registration_request.changes_facts:
        return facts.differences(old.facts, new.facts)
    return changed(old, new)


def parts(
    registration_request: RegistrationRequest, rounds: Sequence[Round], current: str
) -> list[Tab]:
    """Return the parts of a public request, each with its own address."""
    slug, last = registration_request.slug, rounds[-1]
    said = registration_request.messages.public().count()
    title = _("Template, round %(number)d") % {"number": last.number}
    tabs = [
        Tab(
            _("Discussion"),
            registration_request.get_absolute_url(),
            current == "discussion",
            str(said or ""),
        ),
        Tab(title, reverse("requests:template", args=[slug]), current == "template"),
    ]
    if len(rounds) > 1:
        tabs.append(changes_tab(registration_request, rounds, current))
    tabs.append(Tab(_("History"), reverse("requests:history", args=[slug]), current == "history"))
    return tabs


def changes_tab(
    registration_request: RegistrationRequest, rounds: Sequence[Round], current: str
) -> Tab:
    """Return the part that compares the last two rounds."""
    before, last = rounds[-2], rounds[-1]
    count = len(differences(registration_request, before, last))
    return Tab(
        _("Changes from round %(number)d") % {"number": before.number},
        reverse("requests:changes", args=[registration_request.slug, before.number, last.number]),
        current == "changes",
        ngettext("%(count)d section", "%(count)d sections", count) % {"count": count},
    )
