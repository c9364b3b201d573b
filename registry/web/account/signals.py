"""Receivers of allauth's signals: each passes the event to one of our functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account.signals import authentication_step_completed, email_added
from allauth.mfa.signals import authentication_failed, authenticator_added
from allauth.usersessions.models import UserSession
from django.db.models.signals import pre_save
from django.dispatch import Signal

from registry.web.account.adapter import coarsen_session, note_added_address
from registry.web.account.factors import (
    note_added_factor,
    note_failed_factor,
    note_reauthentication,
)


def connect(signal: Signal, receiver: Callable[..., None], sender: Any = None) -> None:
    """Call `receiver` on `signal`, once however often this is imported."""

    def receive(**told: Any) -> None:
        del told["signal"], told["sender"]
        receiver(**told)

    signal.connect(receive, sender=sender, weak=False, dispatch_uid=f"registry.{receiver.__name__}")


connect(email_added, note_added_address)
connect(authenticator_added, note_added_factor)
connect(authentication_step_completed, note_reauthentication)
connect(authentication_failed, note_failed_factor)
connect(pre_save, coarsen_session, sender=UserSession)
