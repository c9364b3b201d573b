"""Django's `changepassword`, also ending sessions and tokens as the page does."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.management.commands import changepassword
from django.core.management.base import CommandError
from django.db import transaction

from registry.actions.account_security import (
    end_sessions,
    end_tokens,
    notify_account,
    record_account_event,
)
from registry.enums import AccountEventKind
from registry.models import User
from registry.rate_limits import forget_factor_failures


class Command(changepassword.Command):
    """`manage.py changepassword ADDRESS`."""

    def handle(self, *args: Any, **options: Any) -> Any:
        """Change the password, and end what was opened with the old one."""
        if not options["username"]:
            raise CommandError("Name the account by its mail address.")
        with transaction.atomic():
            said = super().handle(*args, **options)
            person = User.objects.get_by_natural_key(options["username"])
            end_sessions(person)
            forget_factor_failures(person)
            end_tokens(person, why=str(AccountEventKind.PASSWORD_CHANGED.label))
            record_account_event(person, AccountEventKind.PASSWORD_CHANGED, detail="changepassword")
            notify_account(person, "password_changed")
        return said
