"""Forms that take a code to sign in or to confirm who somebody is, and count the wrong ones."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager

from allauth.account.forms import ConfirmLoginCodeForm
from allauth.account.internal.flows.login import get_authentication_records
from allauth.core import context
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as factor_forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from registry import rate_limits
from registry.actions.account_security import notify_account, record_account_event
from registry.enums import AccountEventKind
from registry.forms.account import FactorCodeMixin, FieldTextsMixin
from registry.models import User
from registry.rate_limits import ONE_DAY, SignInOrigin, find_network_prefix
from registry.web.account.adapter import find_sign_in_source


class ConfirmCodeForm(FieldTextsMixin, ConfirmLoginCodeForm):
    """The code that was sent; after too many attempts, none is checked."""

    def clean_code(self) -> str:
        """Return the code if it is right.

        Where no account has the address, no code was sent. Attempts are counted all the same, so
        that nobody learns who has an account.
        """
        sent = self.expected_code or context.request.session.session_key
        if not rate_limits.count_code_attempt(str(sent)):
            raise ValidationError(
                gettext("A wrong code was typed too often. Ask for a new one."),
                code="too_many_codes",
            )
        return str(super().clean_code())


class CountedFactorForm(FactorCodeMixin, factor_forms.BaseAuthenticateForm):
    """An app's code or a recovery code; after too many wrong ones, none is checked."""

    def clean_code(self) -> str:
        """Return the code if it is right and unused, and count it if it is not."""
        with counting_wrong_factor(context.request, self.user):
            code = str(super().clean_code())
            if not rate_limits.use_factor_code(self.user, normalize_user_code(code)):
                self._emit_authentication_failed(self.authenticator)
                raise get_adapter().validation_error("incorrect_code")
            return code


class FactorForm(CountedFactorForm, factor_forms.AuthenticateForm):
    """The code asked for when signing in."""


class FactorAgainForm(CountedFactorForm, factor_forms.ReauthenticateForm):
    """The code once more, to confirm who somebody is."""


@contextmanager
def counting_wrong_factor(request: HttpRequest, person: User) -> Iterator[None]:
    """Count a wrong code, for which the block raises `ValidationError`.

    The block does not run after too many; `ValidationError` then says until when.
    """
    source = find_sign_in_source(request)
    usages = rate_limits.count_factor_attempt(person, source)
    if usages is None:
        network = find_network_prefix(request.META)
        record_account_event(person, AccountEventKind.LOCKED, network=network)
        until = rate_limits.find_factor_lock(person, source) or timezone.now()
        raise ValidationError(
            gettext(
                "Too many wrong codes. Try again after %(until)s UTC. Passkeys still work, and "
                "so do other browsers in which you have signed in before."
            )
            % {"until": date_format(until, "j F Y, H:i")},
            code="too_many_codes",
        )
    try:
        yield
    except ValidationError:
        if lock_end := rate_limits.find_factor_lock(person, source):
            note_locked_factor(request, person, source, lock_end)
        raise
    rate_limits.count_success(usages)


def note_locked_factor(
    request: HttpRequest, person: User, source: SignInOrigin, until: datetime.datetime
) -> None:
    """Log that no more codes are checked, and write to the person, once a day at most.

    The letter says how somebody got as far as the second factor, and how to get in meanwhile. One
    about a short wait does not stand in for that about a wait of days.
    """
    network = find_network_prefix(request.META)
    record_account_event(person, AccountEventKind.LOCKED, network=network)
    wait = "days" if until - timezone.now() > ONE_DAY else "minutes"
    if not rate_limits.consume(f"factors-letter:{person.pk}:{wait}", 1, ONE_DAY):
        return
    records = get_authentication_records(request, person)
    notify_account(
        person,
        "factor_locked",
        network=network,
        until=until,
        is_known_browser=rate_limits.is_known_browser(person, source),
        is_signed_in=request.user.is_authenticated,
        by_password=bool(records) and records[-1]["method"] == "password",
    )
