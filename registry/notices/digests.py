"""What is followed, together in one letter a day, for those who read it so."""

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

from registry.choices import Delivery, Reason
from registry.models import Letter, User
from registry.models.letter import LetterQuerySet
from registry.notices import headers
from registry.notices.asking import still_goes
from registry.notices.sending import enqueue
from registry.notices.words import said
from registry.notices.writing import drawn


def send_digests(now: datetime.datetime) -> int:
    """Write one letter to each person for whom letters wait since before today; return how many.

    A day (in the site's time zone) ends before its letter is written, so that it does not matter
    when or how often this is called. Nobody gets two on one day.
    """
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    people = waiting(midnight).order_by().values_list("recipient", flat=True).distinct()
    return sum(gather(key, midnight, now) for key in list(people))


def waiting(midnight: datetime.datetime) -> LetterQuerySet:
    """Return the letters that wait to be gathered."""
    return Letter.objects.waiting().filter(delivery=Delivery.DIGEST, written_at__lt=midnight)


def gather(key: int, midnight: datetime.datetime, now: datetime.datetime) -> bool:
    """Put what waits for one person into one letter; return whether there was anything to say."""
    with transaction.atomic():
        # The row is ours until the transaction ends: of two clocks one writes the letter.
        person = User.objects.select_for_update(no_key=True).get(pk=key)
        name = f"digest:{midnight.date().isoformat()}:{person.pk}"
        if Letter.objects.filter(key=name).exists():
            return False
        found = list(
            waiting(midnight)
            .filter(recipient=person)
            .select_related("recipient", "registration_request", "event__registration_request")
            .select_related("event__namespace", "watch")
        )
        wanted = [letter for letter in found if still_goes(letter)]
        kept = [letter.pk for letter in wanted]
        gone = [letter.pk for letter in found if letter.pk not in kept]
        Letter.objects.filter(pk__in=gone).update(dropped_at=now)
        Letter.objects.filter(pk__in=kept).update(sent_at=now)
        if wanted:
            digest = write(person, wanted, name, now)
            enqueue(digest)
    return bool(wanted)


def write(person: User, letters: Sequence[Letter], name: str, now: datetime.datetime) -> Letter:
    """Return the letter that holds all of `letters`, saved."""
    with translation.override(settings.LANGUAGE_CODE):
        context = summary(person, letters)
        text, html = drawn("digest", context)
        return Letter.objects.create(
            key=name,
            recipient=person,
            address=person.email,
            reason=Reason.DIGEST,
            subject=context["title"],
            text=text,
            html=html,
            headers=heading(name, context["leave"]),
            written_at=now,
        )


def summary(person: User, letters: Sequence[Letter]) -> dict[str, Any]:
    """Return what the letter says, in the order in which it happened."""
    follows = any(letter.watch_id for letter in letters)
    return {
        "title": ngettext(
            "[Registry] %(count)d thing happened",
            "[Registry] %(count)d things happened",
            len(letters),
        )
        % {"count": len(letters)},
        "entries": [said(letter.event) for letter in letters if letter.event],
        "why": Reason.DIGEST.label,
        "leave": headers.end_of_all(person) if follows else "",
        "follows": settings.SITE + reverse("following:index"),
    }


def heading(name: str, leave: str) -> dict[str, str]:
    """Return the headers of a digest; it stands in no thread."""
    mark = salted_hmac("registry.notices.digests", name).hexdigest()[:20]
    own = {"Message-ID": f"<digest.{mark}@{headers.host()}>"}
    return headers.general() | own | (headers.leaving(leave) if leave else {})
