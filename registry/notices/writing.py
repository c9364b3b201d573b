"""What a letter says: what happened, why, whose turn it is now, and why somebody gets it."""

from __future__ import annotations

import re
import textwrap
from typing import Any, Final

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from registry.choices import State, Turn
from registry.models import Event, Letter, Message, RegistrationRequest, Watch
from registry.notices import headers, reasons
from registry.notices.concerned import Concern, carried
from registry.telling import THEN, what
from registry.template import field

LONGEST_SUBJECT: Final = 200
WIDTH: Final = 72


def letters(event: Event, concerns: list[Concern]) -> list[Letter]:
    """Return a letter to each of those concerned, not saved, in the language of the site."""
    with translation.override(settings.LANGUAGE_CODE):
        common = said(event)
        return [letter(event, concern, common) for concern in concerns]


def letter(event: Event, concern: Concern, common: dict[str, Any]) -> Letter:
    """Return the letter to one of those concerned."""
    context = common | tail(concern, common.get("turn"))
    return Letter(
        key=f"{event.number}:{concern.address.lower()}",
        recipient=concern.person,
        address=concern.address,
        reason=concern.reason,
        event=event,
        registration_request=concern.registration_request or event.registration_request,
        watch=concern.watch,
        delivery=concern.delivery(event),
        subject=subject(event, common["sentence"]),
        text=wrapped(render_to_string("mail/letter.txt", context)),
        html=render_to_string("mail/letter.html", context),
        headers=heading(event, concern, common["message"]),
        written_at=event.at,
    )


def said(event: Event) -> dict[str, Any]:
    """Return what all letters about `event` say alike."""
    registration_request, message = event.registration_request, carried(event)
    return {
        "event": event,
        "sentence": sentence(event, message),
        "registration_request": registration_request,
        "message": message,
        "remarks": remarks(event),
        "rivals": event.data.get("contended_with", ()),
        "link": settings.SITE + path(event) + (f"#{message.anchor}" if message else ""),
    } | (standing(registration_request) if registration_request else {})


def sentence(event: Event, message: Message | None) -> str:
    """Say who did what, without a full stop."""
    if message:
        return _("%(who)s wrote") % {"who": message.author_name}
    return _("%(who)s %(what)s") % {"who": event.actor_name, "what": what(event)}


def standing(registration_request: RegistrationRequest) -> dict[str, Any]:
    """Return where the request stands: whose turn it is, and what happens then."""
    turn = registration_request.turn
    return {
        "turn": None if turn == Turn.NOBODY else turn,
        "then": THEN.get(State(registration_request.state), ""),
    }


def remarks(event: Event) -> list[tuple[str, str, str]]:
    """Return what a decision points at: section, passage and text of each open remark."""
    registration_request, numbers = event.registration_request, event.data.get("remarks")
    if registration_request is None or not numbers:
        return []
    found = registration_request.remarks.filter(number__in=numbers)
    return [(field(each.section).label, each.quote, each.text) for each in found]


def path(event: Event) -> str:
    """Return the address on this site that a letter leads to."""
    if event.registration_request:
        return event.registration_request.get_absolute_url()
    return event.namespace.get_absolute_url() if event.namespace else reverse("home:index")


def subject(event: Event, sentence: str) -> str:
    """Return the subject: the reference first, by which people sort and search."""
    reference = f"[{event.registration_request.reference}] " if event.registration_request else ""
    return textwrap.shorten(reference + sentence, LONGEST_SUBJECT, placeholder="…")


def tail(concern: Concern, turn: Turn | None) -> dict[str, Any]:
    """Return what a letter says to this reader alone."""
    return {
        "is_your_turn": turn is not None and reasons.TURNS[turn] == concern.reason,
        "why": why(concern),
        "leave": headers.end_of(concern.watch) if concern.watch else "",
        "follows": settings.SITE + reverse("following:index") if concern.watch else "",
    }


def why(concern: Concern) -> str:
    """Say why this reader gets the letter."""
    if concern.watch:
        return followed(concern.watch)
    if concern.registration_request:
        return _("You write or review %(reference)s, which asks for the same identifier.") % {
            "reference": concern.registration_request.reference
        }
    return str(concern.reason.label)


def followed(watch: Watch) -> str:
    """Say what a person follows."""
    if watch.registration_request:
        reference = watch.registration_request.reference
        return _("You follow the request %(reference)s.") % {"reference": reference}
    if watch.nid:
        return _("You follow urn:%(nid)s.") % {"nid": watch.nid}
    return _("You follow everything in the registry.")


def heading(event: Event, concern: Concern, message: Message | None) -> dict[str, str]:
    """Return the headers of a letter beside those every mail has."""
    place = headers.of_message(message) if message else headers.threading(event, concern.address)
    leave = headers.leaving(headers.end_of(concern.watch)) if concern.watch else {}
    return headers.general() | place | leave


def wrapped(text: str) -> str:
    """Return plain text in lines that mail programs show whole; what stands alone stays whole."""
    lines = [in_width(line) for line in text.strip().splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def in_width(line: str) -> str:
    """Return a line as lines of at most `WIDTH`, all as far from the margin as it was."""
    if len(line) <= WIDTH:
        return line
    margin = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line, WIDTH, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
    )
