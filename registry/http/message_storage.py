"""Messages for the next page, in a cookie whose name says that it belongs to this host only."""

from __future__ import annotations

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class NamedCookieStorage(CookieStorage):
    """Messages in the cookie that the settings name."""

    cookie_name = settings.MESSAGES_COOKIE_NAME


class MessageStorage(FallbackStorage):
    """Messages in that cookie, or in the session if they are too long, as in Django."""

    storage_classes = (NamedCookieStorage, SessionStorage)
