"""The first of the middleware: public answers come from memory, others from the application.

An answer is known by the version of the registry and the day, so that a publication, by another
process too, is visible with the next request, and pages that speak of days are right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from registry.database import is_locked, is_unavailable, outage
from registry.serving.addresses import is_public
from registry.serving.answers import Given, is_for_all
from registry.serving.conditions import Conditions, take_away
from registry.serving.memory import Memory, now
from registry.serving.privacy import is_personal
from registry.serving.shelf import Epoch

LOOKED: Final = "registry.looked"
"""Where a request says that it was looked for already, and in which epoch: none in an outage."""


class PublicAnswers:
    """Answers what is public and was asked before; has it answered where it was not.

    Says of every other answer who may keep it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        room = settings.REGISTRY_CACHE_BYTES
        self.memory = Memory(room) if room else None

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        sent = request.META
        if not is_public(sent):
            return limit_storage(request, self.get_response(request))
        if self.memory is None:
            response = self.get_response(request)
            is_kept = is_for_all(request, response)
            return response if is_kept else limit_storage(request, response)
        return self.remember(request, sent, self.memory)

    def remember(
        self, request: HttpRequest, sent: dict[str, Any], memory: Memory
    ) -> HttpResponseBase:
        """Answer a public request from memory, and keep there what is not in it."""
        if LOOKED not in sent:
            given = find(memory, sent)
            if given is not None:
                return given.response
        epoch: Epoch | None = sent[LOOKED]
        before = dict(sent)
        take_away(request)
        if epoch is not None:
            vars(request)["registry_version"] = epoch[0]
        response = self.get_response(request)
        if epoch and isinstance(response, HttpResponse) and is_for_all(request, response):
            return memory.keep(epoch, before, response).response
        return Conditions.of(before).applied_to(limit_storage(request, response))


def find(memory: Memory, sent: dict[str, Any]) -> Given | None:
    """Return what is in memory for a request, and note in it in which epoch was looked.

    Where the database cannot be asked, that is what it said last.
    """
    try:
        epoch = sent[LOOKED] = now()
    except Error as error:
        if not (is_unavailable(error) or is_locked(error)):
            raise
        outage.record_error(error)
        sent[LOOKED] = None
        return memory.find_stale(sent)
    outage.record_answer()
    return memory.find(epoch, sent)


def limit_storage(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Have nobody keep what belongs to a person, and no network what may not be for others."""
    if is_personal(request):
        response.headers["Cache-Control"] = "no-store"
    else:
        response.headers.setdefault("Cache-Control", "private")
    return response
