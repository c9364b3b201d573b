"""How accounts of ours are made and led on by allauth."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.base_user import AbstractBaseUser
from django.forms import BaseForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from registry.models import User
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
        """Fill `user` from the sign-up `form`, and save it if `commit`."""
        if isinstance(user, User):
            user.name = form.cleaned_data.get("name", "")
        return super().save_user(request, user, form, commit)
