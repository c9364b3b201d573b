"""Accounts elsewhere, such as ORCID's, that open one here."""

from __future__ import annotations

from typing import Final

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext as _

from registry.assurance import require_confirmation
from registry.models import User
from registry.web.account.openid import was_asked_for

OPENID_PROVIDER: Final = "oidc"
"""The id of the one OpenID Connect provider that the settings may name."""


class ElsewhereAdapter(DefaultSocialAccountAdapter):
    """Trusts a provider to say whose account it is, and nothing else.

    Accounts here are never matched by a provider's email address: anyone running a provider could
    open all of them. We ask for a second factor whatever the provider asked for.
    """

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Keep no address from the provider; connect only people who confirmed who they are.

        What the provider says only pre-fills the sign-up form.
        """
        is_openid = sociallogin.account.provider == OPENID_PROVIDER
        if is_openid and not was_asked_for(sociallogin.state, sociallogin.account.extra_data):
            raise PermissionDenied(_("The provider’s answer did not match our request."))
        sociallogin.email_addresses = []
        if sociallogin.state.get("process") == "connect" and isinstance(request.user, User):
            require_confirmation(request.user)

    def is_email_verified(self, provider: object, email: str) -> bool:
        """No provider confirms an address for us."""
        return False
