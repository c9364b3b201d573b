"""Second factors as django-allauth keeps them, under our names, encrypted, and logged."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy as _

from registry import rate_limits
from registry.actions.account_security import (
    end_sessions,
    end_tokens,
    record_account_event,
)
from registry.actions.officer_changes import drop_factor_reset
from registry.enums import AccountEventKind
from registry.models import User
from registry.models.account import SECOND_FACTORS
from registry.rate_limits import find_network_prefix
from registry.secret_box import decrypt_secret, encrypt_secret
from registry.web.account.adapter import find_sign_in_source


class FactorAdapter(DefaultMFAAdapter):
    """Takes the site's name from the settings, never from `Host`, and encrypts secrets."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "cannot_generate_recovery_codes": _("Set up a passkey or an app for codes first."),
        "incorrect_code": _("This code is wrong, used or expired. Use the next one."),
    }

    def encrypt(self, text: str) -> str:
        """Encrypt a secret for the database."""
        return encrypt_secret(text)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt_secret(encrypted_text)

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return the relying party of the settings, which passkeys are bound to."""
        return {"id": settings.REGISTRY_RELYING_PARTY, "name": str(settings.MFA_TOTP_ISSUER)}

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:  # noqa: A002
        """Return the default name of a passkey."""
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return gettext("Passkey %(number)d") % {"number": number}


def note_added_factor(
    request: HttpRequest, user: User, authenticator: Authenticator, **_more: Any
) -> None:
    """End what was opened before the account had a factor; a receiver of `authenticator_added`.

    So every session and token of an account with a factor was opened with it, except the session
    that has just added it. Nor does the account know a browser any longer that it was used from
    without the factor: wrong codes are counted separately in known browsers.
    """
    if authenticator.type not in SECOND_FACTORS:
        return
    user.forget_factor()
    others = user.authenticator_set.filter(type__in=SECOND_FACTORS).exclude(pk=authenticator.pk)
    record_authentication(request, user, "mfa", type=authenticator.type, reauthenticated=True)
    if others.exists():
        return
    network = find_network_prefix(request.META)
    drop_factor_reset(user)
    rate_limits.forget_factor_failures(user)
    rate_limits.forget_other_sources(user, find_sign_in_source(request))
    end_tokens(user, network=network, why=str(AccountEventKind.FACTOR_ADDED.label))
    keep_this_session_alone(request, user)


def note_failed_factor(request: HttpRequest, user: User, **_more: Any) -> None:
    """Log a wrong code; a receiver of `authentication_failed`."""
    network = find_network_prefix(request.META)
    record_account_event(user, AccountEventKind.FACTOR_FAILED, network=network)


def note_reauthentication(
    request: HttpRequest, user: User, *, reauthenticated: bool = False, **_more: Any
) -> None:
    """Log that somebody confirmed who they are, and renew the session key (ASVS 5.0, 7.2.4).

    A receiver of `authentication_step_completed`, by factor, password or letter. Signing in renews
    the key anyway.
    """
    if not reauthenticated:
        return
    network = find_network_prefix(request.META)
    record_account_event(user, AccountEventKind.REAUTHENTICATED, network=network)
    old = request.session.session_key
    if old is not None:
        request.session.cycle_key()
        listed = UserSession.objects.filter(user=user, session_key=old)
        listed.update(session_key=request.session.session_key)


def keep_this_session_alone(request: HttpRequest, person: User) -> None:
    """End every session of a person except this one, including unlisted ones."""
    end_sessions(person)
    request.user = person
    update_session_auth_hash(request, person)
    UserSession.objects.create_from_request(request)
