"""A word to whoever runs the site: a proxy seems to stand before it, and none is trusted."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponseBase

from registry.checks import UNTRUSTED_PROXY, note_forwarded_for

logger = logging.getLogger(__name__)


class ForwardedForNotice:
    """Writes once into the log, and down for `manage.py check`, that `X-Forwarded-For` was seen."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if settings.REGISTRY_TRUSTED_PROXIES:
            raise MiddlewareNotUsed
        self.get_response = get_response
        self.is_noted = False

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Have the request answered."""
        if not self.is_noted and "HTTP_X_FORWARDED_FOR" in request.META:
            self.is_noted = True
            logger.warning(UNTRUSTED_PROXY)
            note_forwarded_for()
        return self.get_response(request)
