"""The memory of one worker for public answers."""

from __future__ import annotations

import math
import time
from typing import Final

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone

from registry import queries
from registry.serving.addresses import Sent, is_manifold, key_of, path_of
from registry.serving.answers import Answer, Given
from registry.serving.shelf import Epoch, Shelf

ASIDE: Final = 8
"""One part in so many is for answers that somebody could ask for without end."""


def now() -> Epoch:
    """Return the version of the registry, and the day: pages speak of days."""
    return queries.registry_version(), timezone.localdate()


class Memory:
    """Answers by what was asked, as far as there is room."""

    def __init__(self, room: int) -> None:
        self.shelf = Shelf(room)
        self.aside = Shelf(room // ASIDE)
        self.confirmed_at = -math.inf

    def find(self, epoch: Epoch, sent: Sent) -> Given | None:
        """Return what the request is given, none where that has to be made."""
        self.confirmed_at = time.monotonic()
        return self.look_up(epoch, sent)

    def find_stale(self, sent: Sent) -> Given | None:
        """Return what the request would have been given when the database was last asked.

        That it is given instead of an error is bounded (`stale-if-error`, RFC 5861, section 4).
        """
        age = time.monotonic() - self.confirmed_at
        return self.look_up(None, sent) if age <= settings.REGISTRY_STALE_IF_ERROR_SECONDS else None

    def look_up(self, epoch: Epoch | None, sent: Sent) -> Given | None:
        """Return what the request is given of what was kept in that epoch."""
        key = key_of(sent)
        # What is not found stands aside, whatever its address is.
        shelves = (self.aside,) if is_manifold(sent) else (self.shelf, self.aside)
        for shelf in shelves:
            answer = shelf.find(epoch, key, sent)
            if answer is not None:
                return answer.given_to(sent)
        return None

    def keep(self, epoch: Epoch, sent: Sent, response: HttpResponse) -> Given:
        """Keep a response that everybody is answered, and return what the request is given."""
        has_cookies = bool(sent.get("HTTP_COOKIE"))
        answer = Answer.of(response, path_of(sent), has_cookies=has_cookies)
        is_aside = is_manifold(sent) or answer.status != 200
        (self.aside if is_aside else self.shelf).keep(epoch, key_of(sent), sent, answer)
        return answer.given_to(sent)
