"""How accounts of ours are made and led on by allauth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.forms import BaseForm
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from registry.forms.entrance import SignUpForm
from registry.models import User
from registry.notices import headers
from registry.notices.account_letters import write_account_letter
from registry.views.redirects import is_own_path


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
            "Signing in failed several times. Wait five minutes, or set a new password."
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
        given = {**put_on_site(context), "email": email, "host": headers.host()}
        subject = " ".join(render_to_string(f"{template_prefix}_subject.txt", given).split())
        text = render_to_string(f"{template_prefix}_message.txt", given).strip()
        write_account_letter(email, self.format_email_subject(subject), f"{text}\n")


def put_on_site(context: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a letter is written from, with each link leading to the site itself."""
    return {
        name: settings.SITE + urlunsplit(("", "", *urlsplit(value)[2:]))
        if name.endswith("_url")
        else value
        for name, value in context.items()
    }
