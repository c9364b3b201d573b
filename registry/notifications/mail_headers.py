"""The headers by which mail programs put a letter into its thread, and let people end letters."""

from __future__ import annotations

from email.utils import formataddr
from urllib.parse import urlsplit

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from registry.models import (
    Event,
    Follow,
    Message,
    RegistrationRequest,
    User,
)

UNFOLLOW_SALT = "registry.notices.everything"


def find_letter_host() -> str:
    """Return the host name that Message-IDs end with."""
    return urlsplit(settings.SITE).hostname or "localhost"


def build_general_headers() -> dict[str, str]:
    """Return what every letter says: which list it belongs to, and that a program wrote it."""
    return {
        "List-Id": f"URN Namespace Registry <requests.{find_letter_host()}>",
        "Auto-Submitted": "auto-generated",
    }


def build_letter_id(event: Event, address: str) -> str:
    """Return the Message-ID of a letter: the same, however often it is sent."""
    subject = event.registration_request.reference if event.registration_request else "registry"
    mark = salted_hmac("registry.notices.headers", address.lower()).hexdigest()[:12]
    return f"<{subject}.event-{event.number}.{mark}@{find_letter_host()}>"


def build_thread_id(registration_request: RegistrationRequest) -> str:
    """Return the Message-ID that all letters about a request are in answer to."""
    return f"<{registration_request.reference}@{find_letter_host()}>"


def build_thread_headers(event: Event, address: str) -> dict[str, str]:
    """Return the place of a letter in the thread of its request (RFC 5322, section 3.6.4)."""
    own = {"Message-ID": build_letter_id(event, address)}
    if event.registration_request is None:
        return own
    parent = build_thread_id(event.registration_request)
    return own | {"In-Reply-To": parent, "References": parent}


def build_message_headers(message: Message) -> dict[str, str]:
    """Return what a letter with a message of the discussion says: it is that very message."""
    parents = [build_thread_id(message.registration_request)]
    if message.answers:
        parents.append(message.answers.message_id)
    name = _("%(who)s, by the URN Namespace Registry") % {"who": message.author_name}
    return {
        "From": formataddr((name, settings.DEFAULT_FROM_EMAIL)),
        "Message-ID": message.message_id,
        "In-Reply-To": parents[-1],
        "References": " ".join(parents),
    }


def build_unsubscribe_headers(address: str) -> dict[str, str]:
    """Return how to end letters by one click, without signing in (RFC 8058)."""
    return {
        "List-Unsubscribe": f"<{address}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def build_unfollow_url(watch: Follow) -> str:
    """Return the address at which a person stops following one thing."""
    return settings.SITE + reverse("following:leave", args=[watch.key])


def build_unfollow_all_url(person: User) -> str:
    """Return the address at which a person stops following all they follow."""
    return settings.SITE + reverse("following:leave_all", args=[sign_person(person)])


def sign_person(person: User) -> str:
    """Return a word that only the registry can make for `person`."""
    return signing.Signer(salt=UNFOLLOW_SALT).sign(str(person.pk))


def find_signed_person(word: str) -> User | None:
    """Return the person for whom `word` was made; none for any other word."""
    try:
        key = signing.Signer(salt=UNFOLLOW_SALT).unsign(word)
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=key).first()
