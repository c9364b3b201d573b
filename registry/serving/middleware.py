"""The first of the middleware: public answers come from memory, others from the application.

An answer is known by the version of the registry and the day, so that a publication, by another
process too, is visible with the next request, and pages that speak of days are right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from registry.serving.addresses import is_personal, is_public
from registry.serving.answers import is_for_all
from registry.serving.conditions import Conditions, take_away
from registry.serving.memory import Memory, now

LOOKED: Final = "registry.looked"
"""Where a request says that it was looked for already, and in which epoch."""


class PublicAnswers:
    """Answers what is public and was asked before; has it answered where it was not."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.REGISTRY_CACHE_BYTES:
            raise MiddlewareNotUsed
        self.get_response = get_response
        self.memory = Memory(settings.REGISTRY_CACHE_BYTES)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        sent = request.META
        if not is_public(sent):
            return not_for_all(self.get_response(request))
        epoch = sent.get(LOOKED)
        if epoch is None:
            epoch = now()
            given = self.memory.find(epoch, sent)
            if given is not None:
                return given.response
        before = dict(sent)
        take_away(request)
        vars(request)["registry_version"] = epoch[0]
        response = self.get_response(request)
        if isinstance(response, HttpResponse) and is_for_all(
            response, personal=is_personal(before)
        ):
            return self.memory.keep(epoch, before, response).response
        return Conditions.of(before).applied_to(not_for_all(response))


def not_for_all(response: HttpResponseBase) -> HttpResponseBase:
    """Have no network keep a response for others, unless it says itself who may."""
    response.headers.setdefault("Cache-Control", "private")
    return response
