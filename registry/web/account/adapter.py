"""How allauth creates our accounts and signs people in."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.models import EmailAddress, Login
from allauth.account.utils import filter_users_by_email
from allauth.core.exceptions import ReauthenticationRequired
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

from registry import permissions, rate_limits
from registry.actions.account_security import (
    end_sessions,
    end_tokens,
    notify_account,
    record_account_event,
)
from registry.assurance import is_confirmed
from registry.enums import AccountEventKind
from registry.forms.account import SignUpElsewhereForm, SignUpForm
from registry.http.assurance import read_session_assurance
from registry.http.redirects import is_own_path
from registry.models import User
from registry.notifications import letters
from registry.notifications.outbox import write_account_letter
from registry.rate_limits import (
    SOURCE_LIFETIME,
    SignInOrigin,
    find_client_address,
    find_client_network,
    find_network_prefix,
)
from registry.web.context_processors import list_waiting_screens

BROWSER_COOKIE_PATH: Final = "/accounts/"
"""The cookie goes only where people sign in: public pages are cached and must not vary by it."""
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")


class AccountAdapter(DefaultAccountAdapter):
    """Takes the name when an account is created, and words allauth's messages our way."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": _(
            "This email address and password do not match. Check both, or ask for a code by email."
        ),
        "incorrect_code": _("This is not the code from the letter. Copy it again."),
        "invalid_or_expired_key": _("This link has been used or has expired. Ask for a new one."),
        "rate_limited": _("Too many attempts. Wait a minute and try again."),
        "too_many_login_attempts": _("Too many failed attempts. Wait a minute and try again."),
    }

    def is_safe_url(self, url: str) -> bool:
        """Whether a form may redirect to `url`: a page of this site."""
        return is_own_path(url)

    def save_user(
        self, request: HttpRequest, user: AbstractBaseUser, form: BaseForm, commit: bool = True
    ) -> AbstractBaseUser:
        """Fill `user` from the sign-up `form`, which has hashed the password, and save it."""
        assert isinstance(user, User)
        assert isinstance(form, SignUpForm | SignUpElsewhereForm)
        user.name, user.email = form.cleaned_data["name"], form.cleaned_data["email"]
        if isinstance(form, SignUpForm):
            user.password = form.hashed_password
        if commit:
            user.save()
        return user

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Put a letter into the outbox, from which the worker sends it.

        The letter takes the site's name from the settings. allauth builds links from the `Host`
        header, which the client controls.
        """
        given = {
            **make_links_absolute(context),
            "email": email,
            "host": letters.find_letter_host(),
        }
        subject = " ".join(render_to_string(f"{template_prefix}_subject.txt", given).split())
        text = render_to_string(f"{template_prefix}_message.txt", given).strip()
        write_account_letter(email, self.format_email_subject(subject), f"{text}\n")

    def send_notification_mail(
        self,
        template_prefix: str,
        user: AbstractBaseUser,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Log what happened to an account, and write to its owner.

        The letter names the network it came from, as coarsely as the log does.
        """
        network = find_network_prefix(self.request.META)
        if isinstance(user, User) and (kind := KINDS_BY_TEMPLATE.get(template_prefix)):
            record_account_event(user, kind, network=network)
        given = {"ip": network, **(context or {})}
        super().send_notification_mail(template_prefix, user, given, email)

    def set_password(self, user: AbstractBaseUser, password: str) -> None:
        """Set a password, and end the sessions and tokens opened with the old one."""
        assert isinstance(user, User)
        with transaction.atomic():
            super().set_password(user, password)
            end_sessions(user)
            rate_limits.forget_factor_failures_seldom(user)
            end_tokens(
                user,
                network=find_network_prefix(self.request.META),
                why=str(AccountEventKind.PASSWORD_CHANGED.label),
            )

    def is_reauthentication_required(self, *, app: str, **about: Any) -> bool:
        """Whether the person must confirm who they are before what allauth is about to do.

        allauth would accept a password even if there is a second factor, and would ask for nothing
        if the account has neither. So the rule of `assurance` applies, as for our own actions.
        """
        person = self.request.user
        if isinstance(person, User) and is_confirmed(person, read_session_assurance(self.request)):
            return False
        raise ReauthenticationRequired

    def get_reauthentication_methods(
        self, user: AbstractBaseUser | AnonymousUser
    ) -> list[dict[str, Any]]:
        """Return how a person confirms who they are: with a second factor if they have one, else
        with a password or a code sent by letter.
        """
        if not isinstance(user, User):
            return []
        found = super().get_reauthentication_methods(user)
        if user.has_second_factor:
            factors = [each for each in found if each["id"].startswith("mfa_")]
            return sorted(factors, key=lambda each: each["id"])
        words = [each for each in found if not each["id"].startswith("mfa_")]
        by_letter = {
            "id": "letter",
            "description": gettext("Email me a code"),
            "url": reverse("account:confirm"),
        }
        return [*words, by_letter]

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that allauth's limits count by; allauth takes its /64 itself."""
        return find_client_address(request.META)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Return the account that the password opens; check none after too many wrong ones."""
        usages = rate_limits.count_attempt(
            find_sign_in_source(request), str(credentials.get("email", ""))
        )
        if usages is None:
            self.log_failure(request, credentials, AccountEventKind.LOCKED)
            raise self.validation_error("too_many_login_attempts")
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user:
            rate_limits.count_success(usages)
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Log a wrong password, even without an account, so that timing reveals nothing."""
        super().authentication_failed(request, **credentials)
        self.log_failure(request, credentials, AccountEventKind.SIGN_IN_FAILED)

    def log_failure(
        self, request: HttpRequest, credentials: Mapping[str, Any], kind: AccountEventKind
    ) -> None:
        """Log a failed attempt, under the account of the address if there is one."""
        users = filter_users_by_email(str(credentials.get("email", "")), prefer_verified=True)
        person = users[0] if len(users) == 1 else None
        record_account_event(person, kind, network=find_network_prefix(request.META))

    def is_login_by_code_required(self, login: Login) -> bool:
        """Whether the correct password is not enough for this browser at this address."""
        records = get_authentication_records(self.request, login.user)
        by_password = bool(records) and records[-1]["method"] == "password"
        if not by_password or not isinstance(login.user, User):
            return False
        if not rate_limits.needs_code(login.user, find_sign_in_source(self.request)):
            return False
        network = find_network_prefix(self.request.META)
        record_account_event(login.user, AccountEventKind.LOCKED, network=network)
        return True

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return the page after sign-in if none was requested: where something is waiting.

        People with a role but no second factor go to set one up. If nothing waits, officers go to
        their office's screen, and everyone else to their own requests.
        """
        if permissions.lacks_factor(request.user):
            return reverse("mfa_index")
        screens = list_waiting_screens(request)
        offices = [each for each in screens if each.key != "mine"]
        waiting = [each for each in screens if each.count]
        for landing in (*waiting, *offices, *screens):
            return landing.url
        return str(super().get_login_redirect_url(request))

    def post_login(
        self, request: HttpRequest, user: AbstractBaseUser, **about: Any
    ) -> HttpResponse:
        """Finish the sign-in, and remember the browser and the address."""
        response = super().post_login(request, user, **about)
        if isinstance(user, User):
            source = find_sign_in_source(request)
            note_sign_in(request, user, source)
            token = source.browser or secrets.token_urlsafe(32)
            rate_limits.remember_source(user, SignInOrigin(source.network, token))
            response.set_cookie(
                settings.BROWSER_COOKIE_NAME,
                token,
                max_age=SOURCE_LIFETIME,
                path=BROWSER_COOKIE_PATH,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response


KINDS_BY_TEMPLATE: Final = {
    "account/email/password_changed": AccountEventKind.PASSWORD_CHANGED,
    "account/email/password_set": AccountEventKind.PASSWORD_CHANGED,
    "account/email/password_reset": AccountEventKind.PASSWORD_CHANGED,
    "account/email/email_changed": AccountEventKind.ADDRESS_CHANGED,
    "account/email/email_deleted": AccountEventKind.ADDRESS_REMOVED,
    "mfa/email/totp_activated": AccountEventKind.FACTOR_ADDED,
    "mfa/email/totp_deactivated": AccountEventKind.FACTOR_REMOVED,
    "mfa/email/webauthn_added": AccountEventKind.FACTOR_ADDED,
    "mfa/email/webauthn_removed": AccountEventKind.FACTOR_REMOVED,
    "mfa/email/recovery_codes_generated": AccountEventKind.CODES_MADE,
    "socialaccount/email/account_connected": AccountEventKind.CONNECTED,
    "socialaccount/email/account_disconnected": AccountEventKind.DISCONNECTED,
}
"""The kind of log entry for each letter that allauth sends, by its template."""


def note_sign_in(request: HttpRequest, person: User, source: SignInOrigin) -> None:
    """Log the sign-in and its method, and write to the person if the browser is new.

    Somebody signing in for the first time has just created the account, and knows.
    """
    network = find_network_prefix(request.META)
    methods = [
        str(record.get("type") or record["method"])
        for record in get_authentication_records(request, person)
    ]
    detail = ", ".join(dict.fromkeys(methods))
    record_account_event(person, AccountEventKind.SIGNED_IN, network=network, detail=detail)
    if rate_limits.was_used_before(person) and not rate_limits.is_known_browser(person, source):
        device = request.headers.get("User-Agent", "")[:200]
        notify_account(person, "new_device", network=network, device=device)


def note_added_address(
    request: HttpRequest, user: User, email_address: EmailAddress, **_more: Any
) -> None:
    """Log that an address was added, and write to the main one; a receiver of `email_added`."""
    network = find_network_prefix(request.META)
    record_account_event(user, AccountEventKind.ADDRESS_ADDED, network=network)
    notify_account(user, "email_added", network=network, added=email_address.email)


def coarsen_session(instance: UserSession, **_more: Any) -> None:
    """Store a session's network instead of its address; a receiver of `pre_save`."""
    network = rate_limits.coarsen_address(str(instance.ip))
    instance.ip = network.partition("/")[0] or "0.0.0.0"


def make_links_absolute(context: Mapping[str, Any]) -> dict[str, Any]:
    """Return a letter's context with every link pointing to the site itself."""
    return {
        name: settings.SITE + urlunsplit(("", "", *urlsplit(value)[2:]))
        if name.endswith("_url")
        else value
        for name, value in context.items()
    }


def find_sign_in_source(request: HttpRequest) -> SignInOrigin:
    """Return the network and the browser that somebody signs in from."""
    token = request.COOKIES.get(settings.BROWSER_COOKIE_NAME, "")
    browser = token if _TOKEN.fullmatch(token) else ""
    return SignInOrigin(find_client_network(request.META), browser)
