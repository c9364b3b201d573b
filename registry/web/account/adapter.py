"""How accounts of ours are made and led on by allauth."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.models import Login
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from registry import rate_limits
from registry.forms.account import SignUpForm
from registry.http.redirects import is_own_path
from registry.models import User
from registry.notifications import letters
from registry.notifications.outbox import write_account_letter
from registry.rate_limits import (
    SOURCE_LIFETIME,
    SignInOrigin,
    find_client_address,
    find_client_network,
)

BROWSER_COOKIE: Final = "browser"
BROWSER_COOKIE_PATH: Final = "/accounts/"
"""Sent where somebody signs in and nowhere else: public pages come from memory without it."""
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")


class AccountAdapter(DefaultAccountAdapter):
    """Takes the name along when an account is made, and speaks in our words."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": _(
            "This email address and password do not belong together. Check both, or ask for a "
            "code by email."
        ),
        "incorrect_code": _("This is not the code from the letter. Copy it once more."),
        "invalid_or_expired_key": _("This link was used, or is too old. Ask for a new one."),
        "rate_limited": _("That was often in a short time. Wait a minute and try again."),
        "too_many_login_attempts": _(
            "Signing in failed often in a short time. Wait a minute and try again."
        ),
    }

    def is_safe_url(self, url: str) -> bool:
        """Whether a form may lead on to `url`: a page of this site."""
        return is_own_path(url)

    def save_user(
        self, request: HttpRequest, user: AbstractBaseUser, form: BaseForm, commit: bool = True
    ) -> AbstractBaseUser:
        """Fill `user` from the sign-up `form`, which has hashed the password, and save it."""
        assert isinstance(user, User)
        assert isinstance(form, SignUpForm)
        user.name, user.email = form.cleaned_data["name"], form.cleaned_data["email"]
        user.password = form.hashed_password
        if commit:
            user.save()
        return user

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Put a letter into the outbox, from where the worker sends it.

        The letter names the site as its settings do. allauth makes links from the `Host` header,
        which is whatever the client says.
        """
        given = {
            **make_links_absolute(context),
            "email": email,
            "host": letters.find_letter_host(),
        }
        subject = " ".join(render_to_string(f"{template_prefix}_subject.txt", given).split())
        text = render_to_string(f"{template_prefix}_message.txt", given).strip()
        write_account_letter(email, self.format_email_subject(subject), f"{text}\n")

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that allauth's limits count by; it takes the /64 itself."""
        return find_client_address(request.META)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Return whose password it is; refuse to look at it where too many were wrong."""
        usages = rate_limits.count_attempt(
            find_sign_in_source(request), str(credentials.get("email", ""))
        )
        if usages is None:
            raise self.validation_error("too_many_login_attempts")
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user:
            rate_limits.count_success(usages)
        return user

    def is_login_by_code_required(self, login: Login) -> bool:
        """Whether a password that was right is not enough for this browser at this address."""
        records = get_authentication_records(self.request, login.user)
        by_password = bool(records) and records[-1]["method"] == "password"
        if not by_password or not isinstance(login.user, User):
            return False
        return rate_limits.needs_code(login.user, find_sign_in_source(self.request))

    def post_login(
        self, request: HttpRequest, user: AbstractBaseUser, **about: Any
    ) -> HttpResponse:
        """Lead on whoever has signed in, and remember browser and address."""
        response = super().post_login(request, user, **about)
        if isinstance(user, User):
            source = find_sign_in_source(request)
            token = source.browser or secrets.token_urlsafe(32)
            rate_limits.remember_source(user, SignInOrigin(source.network, token))
            response.set_cookie(
                BROWSER_COOKIE,
                token,
                max_age=SOURCE_LIFETIME,
                path=BROWSER_COOKIE_PATH,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response


def make_links_absolute(context: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a letter is written from, with each link leading to the site itself."""
    return {
        name: settings.SITE + urlunsplit(("", "", *urlsplit(value)[2:]))
        if name.endswith("_url")
        else value
        for name, value in context.items()
    }


def find_sign_in_source(request: HttpRequest) -> SignInOrigin:
    """Return from where somebody signs in."""
    token = request.COOKIES.get(BROWSER_COOKIE, "")
    browser = token if _TOKEN.fullmatch(token) else ""
    return SignInOrigin(find_client_network(request.META), browser)
