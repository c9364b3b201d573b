"""The text of each round for the discussion list (RFC 8141, section 6.2, step 2).

A round goes there in full, as plain text in the body of the letter, preceded by the differences
from the second round on. The list gets at most one per request and day: if more are sent in a day,
the last one goes, with the differences from the text that the list saw before.
"""

from __future__ import annotations

import datetime
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from registry import selectors
from registry.enums import LetterReason
from registry.models import Event, Letter, Namespace, RegistrationRequest, Round
from registry.notifications.letters import (
    build_event_sentence,
    build_general_headers,
    find_letter_host,
    format_fact,
    shorten_subject,
    wrap_letter,
)
from registry.selectors.case import open_case
from registry.selectors.consent import find_missing_consent
from registry.selectors.mailing_list import (
    LISTED_STATES,
    find_free_time,
    find_unlisted_round,
    list_sent_texts,
)
from registry.template import diff, write, write_differences


def compose_text_for_list(event: Event) -> Letter | None:
    """Return the letter with a request's last round, if the list should get it.

    It is not saved: see `save_text_for_list`.
    """
    registration_request = event.registration_request
    last = find_unlisted_round(registration_request) if registration_request else None
    if registration_request is None or last is None:
        return None
    waiting = list_waiting_texts(registration_request, event.at)
    before = list_sent_texts(registration_request).exclude(pk__in=waiting).last()
    with translation.override(settings.LANGUAGE_CODE):
        return Letter(
            address=settings.REGISTRY_LIST_ADDRESS,
            reason=LetterReason.LIST,
            event=event,
            registration_request=registration_request,
            round=last,
            subject=build_text_subject(registration_request, last),
            text=write_letter_with_text(event, last, before.round if before else None),
            headers=build_general_headers() | {"Message-ID": build_text_id(last)},
        )


def save_text_for_list(event: Event, text: Letter) -> None:
    """Save the letter with a text together with its event, dropping texts that wait for their day.

    Call it in the transaction of the action.
    """
    last = text.round
    if last is None:
        raise ValueError("A text for the list is that of a round.")
    list_waiting_texts(last.registration_request, event.at).update(dropped_at=event.at)
    text.key = f"{event.number}:round-{last.number}:list"
    text.event, text.written_at = event, event.at
    text.not_before = find_free_time(last.registration_request, event.at)
    text.save(force_insert=True)


def list_waiting_texts(
    registration_request: RegistrationRequest, now: datetime.datetime
) -> QuerySet[Letter]:
    """Return the texts of the request that wait for their day."""
    texts = list_sent_texts(registration_request).filter(sent_at__isnull=True)
    return texts.filter(not_before__gt=now, attempts=0)


def is_text_still_due(letter: Letter) -> bool:
    """Whether the text should still go: it is still wanted if it waited.

    If the request has ended since, the list gets only its first text, so that the end makes sense.
    """
    registration_request = letter.registration_request
    if registration_request is None:
        return False
    is_first = not list_sent_texts(registration_request).filter(sent_at__isnull=False).exists()
    return is_first or registration_request.state in LISTED_STATES


def build_text_id(last: Round) -> str:
    """Return the Message-ID of the letter with a round: the same, however often it is sent."""
    mark = salted_hmac("registry.notices.rounds", str(last.pk)).hexdigest()[:12]
    reference = last.registration_request.reference
    return f"<{reference}.round-{last.number}.{mark}@{find_letter_host()}>"


def build_text_subject(registration_request: RegistrationRequest, last: Round) -> str:
    """Return the subject: reference, NID, and the round that the letter contains."""
    words = _("[%(reference)s] %(nid)s%(change)s, round %(round)d for review") % {
        "reference": registration_request.reference,
        "nid": f"{registration_request.nid}: " if registration_request.nid else "",
        "change": registration_request.get_change_display(),
        "round": last.number,
    }
    return shorten_subject(words)


def write_letter_with_text(event: Event, last: Round, before: Round | None) -> str:
    """Return the letter: what happened, the differences, the whole text, and how to answer.

    Differences and text are not wrapped again.
    """
    context = describe_text(event, last, before)
    head = wrap_letter(render_to_string("mail/round_head.txt", context))
    foot = wrap_letter(render_to_string("mail/round_foot.txt", context))
    parts = [head, *list_titled_parts(last, before), foot]
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def describe_text(event: Event, last: Round, before: Round | None) -> dict[str, Any]:
    """Return the context for what surrounds the text."""
    registration_request = last.registration_request
    first = before.number + 1 if before else 1
    between = registration_request.rounds.sent().filter(number__gte=first, number__lt=last.number)
    return {
        "sentence": build_event_sentence(event, None),
        "registration_request": registration_request,
        "round": last,
        "between": [(each.number, build_round_url(each)) for each in between],
        "missing_consent": find_missing_consent(open_case(registration_request)),
        "waiting": selectors.find_current_turn(registration_request),
        "link": settings.SITE + registration_request.get_absolute_url(),
        "round_link": build_round_url(last),
        "why": LetterReason.LIST.label,
    }


def build_round_url(sent: Round) -> str:
    slug = sent.registration_request.slug
    return settings.SITE + reverse("requests:round", args=[slug, sent.number])


def list_titled_parts(last: Round, before: Round | None) -> list[str]:
    """Return the differences, if there was an earlier text, and the whole text, each with a title.

    A change of facts has no text; its parts are the facts it asks for.
    """
    if last.registration_request.changes_facts:
        return [add_title(_("What is asked for"), write_asked_facts(last))]
    text = add_title(
        _("The template of round %(number)d, whole") % {"number": last.number},
        write(last.template),
    )
    if before is None:
        return [text]
    words = write_differences(diff(before.template, last.template)) or _("The words are the same.")
    title = _("What differs between round %(before)d and round %(now)d")
    title %= {"before": before.number, "now": last.number}
    return [add_title(title, words), text]


def add_title(title: str, text: str) -> str:
    """Return a text below its title."""
    return f"{title}\n{'=' * len(title)}\n\n{text}"


def write_asked_facts(last: Round) -> str:
    """Return the facts that a change asks for, and the namespace's current ones, as plain text."""
    namespace = last.registration_request.namespace
    labels = {field.name: str(field.verbose_name) for field in Namespace._meta.fields}
    lines = []
    for name, asked in last.facts.items():
        label = labels.get(name, name).capitalize()
        lines.append(f"{label}: {format_fact(asked)}")
        if hasattr(namespace, name):
            now = getattr(namespace, name)
            fact = now if isinstance(now, list) else str(now or "")
            lines.append(_("    now: %(fact)s") % {"fact": format_fact(fact)})
    return "\n".join(lines)
