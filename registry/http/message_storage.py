"""Messages to whoever is asked next, in a cookie whose name says that it is this host's alone."""

from __future__ import annotations

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class NamedCookieStorage(CookieStorage):
    """Messages in the cookie that the settings name."""

    cookie_name = settings.MESSAGES_COOKIE_NAME


class MessageStorage(FallbackStorage):
    """Messages in that cookie, and what is too long for one in the session, as Django has it."""

    storage_classes = (NamedCookieStorage, SessionStorage)
