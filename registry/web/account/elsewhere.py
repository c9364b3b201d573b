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
"""The id of the one provider of OpenID Connect that the settings may name."""


class ElsewhereAdapter(DefaultSocialAccountAdapter):
    """Believes a provider whose account it is, and nothing else it says.

    No account here is found by a mail address of there: whoever runs a provider would open them
    all. A second factor is asked for here, whatever was asked for there.
    """

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Keep no address from there; connect only for whoever confirmed who they are.

        What the provider says is no more than a proposal in the form for signing up.
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
