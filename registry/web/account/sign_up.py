"""Making an account."""

from __future__ import annotations

import secrets

from allauth.account import views
from allauth.account.models import EmailAddress
from allauth.account.utils import setup_user_email
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse

from registry.forms.account import SignUpForm
from registry.models import User


class SignUpView(views.SignupView):
    """allauth's page, with the account and the letter that confirms it in one transaction."""

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Make the account; of two clicks the second is answered as for an address that has one."""
        try:
            with transaction.atomic():
                if form.account_already_exists:
                    rehearse_sign_up(self.request, form)
                return super().form_valid(form)
        except IntegrityError:
            form.account_already_exists = True
        with transaction.atomic():
            return super().form_valid(form)


def rehearse_sign_up(request: HttpRequest, form: SignUpForm) -> None:
    """Make an account and take it back, so that time does not tell that the address has one."""
    address = f"{secrets.token_hex(16)}@nobody.invalid"
    with transaction.atomic():
        stand_in = User(name=form.cleaned_data["name"], email=address)
        stand_in.password = form.hashed_password
        stand_in.save()
        setup_user_email(request, stand_in, [EmailAddress(email=address)])
        transaction.set_rollback(True)
