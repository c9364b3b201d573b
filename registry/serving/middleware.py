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
from django.utils import timezone

from registry import queries
from registry.serving.addresses import is_manifold, is_personal, is_public, key_of
from registry.serving.answers import Answer, is_for_all
from registry.serving.conditions import Conditions
from registry.serving.shelf import Epoch, Key, Shelf

ASIDE: Final = 8
"""One part in so many is for answers that somebody could ask for without end."""


class PublicAnswers:
    """Answers what is public and was asked before; has it answered where it was not."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.REGISTRY_CACHE_BYTES:
            raise MiddlewareNotUsed
        self.get_response = get_response
        self.shelf = Shelf(settings.REGISTRY_CACHE_BYTES)
        self.aside = Shelf(settings.REGISTRY_CACHE_BYTES // ASIDE)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        if not is_public(request):
            return not_for_all(self.get_response(request))
        asked, key, personal = Conditions.taken_from(request), key_of(request), is_personal(request)
        epoch = (queries.registry_version(), timezone.localdate())
        shelf = self.aside if is_manifold(request) else self.shelf
        answer = shelf.find(epoch, key, request.META, personal=personal)
        if answer is None and shelf is self.shelf:
            answer = self.aside.find(epoch, key, request.META, personal=personal)
        if answer is not None:
            return answer.given_to(request, asked)
        response = self.get_response(request)
        if isinstance(response, HttpResponse) and is_for_all(response, personal=personal):
            return self.kept(epoch, key, request, response).given_to(request, asked)
        return asked.applied_to(not_for_all(response))

    def kept(self, epoch: Epoch, key: Key, request: HttpRequest, response: HttpResponse) -> Answer:
        """Keep a response and return what everybody is answered from now on."""
        answer = Answer.of(response, request.path_info)
        is_aside = is_manifold(request) or answer.status != 200
        (self.aside if is_aside else self.shelf).keep(epoch, key, request.META, answer)
        return answer


def not_for_all(response: HttpResponseBase) -> HttpResponseBase:
    """Have no network keep a response for others, unless it says itself who may."""
    response.headers.setdefault("Cache-Control", "private")
    return response
