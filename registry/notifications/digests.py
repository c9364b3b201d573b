"""Daily digests of what people follow, for those who want them."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from registry.enums import LetterDelivery, LetterReason
from registry.models import Letter, User
from registry.models.notification import LetterQuerySet
from registry.notifications import letters
from registry.notifications.letters import build_letter_context, render_letter
from registry.notifications.outbox import enqueue_letter, is_letter_still_due


def send_digests(now: datetime.datetime) -> int:
    """Write one letter to each person with letters waiting since before today; return how many.

    A day (in the site's time zone) ends before its letter is written, so it does not matter when or
    how often this is called. Nobody gets two in one day.
    """
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    people = letters_for_digest(midnight).order_by().values_list("recipient", flat=True).distinct()
    return sum(send_digest(key, midnight, now) for key in list(people))


def letters_for_digest(midnight: datetime.datetime) -> LetterQuerySet:
    """Return the letters that wait for a digest."""
    return Letter.objects.waiting().filter(delivery=LetterDelivery.DIGEST, written_at__lt=midnight)


def send_digest(key: int, midnight: datetime.datetime, now: datetime.datetime) -> bool:
    """Put one person's waiting letters into one; return whether there was anything to send."""
    with transaction.atomic():
        # The row stays locked until the transaction ends: of two schedulers, one writes the letter.
        person = User.objects.select_for_update(no_key=True).get(pk=key)
        name = f"digest:{midnight.date().isoformat()}:{person.pk}"
        if Letter.objects.filter(key=name).exists():
            return False
        found = list(
            letters_for_digest(midnight)
            .filter(recipient=person)
            .select_related("recipient", "registration_request", "event__registration_request")
            .select_related("event__namespace", "follow")
        )
        wanted = [letter for letter in found if is_letter_still_due(letter)]
        kept = [letter.pk for letter in wanted]
        gone = [letter.pk for letter in found if letter.pk not in kept]
        Letter.objects.filter(pk__in=gone).update(dropped_at=now)
        Letter.objects.filter(pk__in=kept).update(sent_at=now)
        if wanted:
            digest = write_digest(person, wanted, name, now)
            enqueue_letter(digest)
    return bool(wanted)


def write_digest(
    person: User, letters: Sequence[Letter], name: str, now: datetime.datetime
) -> Letter:
    """Return the letter that holds all of `letters`, saved."""
    with translation.override(settings.LANGUAGE_CODE):
        context = summarize_letters(person, letters)
        text, html = render_letter("digest", context)
        return Letter.objects.create(
            key=name,
            recipient=person,
            address=person.email,
            reason=LetterReason.DIGEST,
            subject=context["title"],
            text=text,
            html=html,
            headers=build_digest_headers(name, context["leave"]),
            written_at=now,
        )


def summarize_letters(person: User, listed: Sequence[Letter]) -> dict[str, Any]:
    """Return the letter's text, in the order in which things happened."""
    follows = any(letter.follow_id for letter in listed)
    return {
        "title": ngettext(
            "[Registry] %(count)d thing happened",
            "[Registry] %(count)d things happened",
            len(listed),
        )
        % {"count": len(listed)},
        "entries": [build_letter_context(letter.event) for letter in listed if letter.event],
        "why": LetterReason.DIGEST.label,
        "leave": letters.build_unfollow_all_url(person) if follows else "",
        "follows": settings.SITE + reverse("following:index"),
    }


def build_digest_headers(name: str, leave: str) -> dict[str, str]:
    """Return the headers of a digest, which belongs to no thread."""
    mark = salted_hmac("registry.notices.digests", name).hexdigest()[:20]
    own = {"Message-ID": f"<digest.{mark}@{letters.find_letter_host()}>"}
    return (
        letters.build_general_headers()
        | own
        | (letters.build_unsubscribe_headers(leave) if leave else {})
    )
