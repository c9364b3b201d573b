"""Changes of who may decide: announced, stopped, decided, and put into effect after a day."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.actions.account_security import (
    end_sessions,
    end_tokens,
    notify_account,
    record_account_event,
)
from registry.actions.bans import ban_account, refuse_unfit_ban
from registry.actions.roles import OPERATOR_NAME, RoleError, change_role, refuse_unfit_role
from registry.enums import AccountEventKind, OfficerChangeKind, Role
from registry.errors import RegistryError
from registry.journal.row_digests import digest_stored_rows
from registry.models import Event, OfficerChange, User
from registry.models.dates import ONE_DAY, Calendar, load_calendar
from registry.notifications.outbox import write_direct_letter
from registry.notifications.recipients import reachable_people
from registry.permissions import CLOCK, Person
from registry.workflow.events import record_event, write_events_last
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused, ConcurrentChange

MINUTES_PER_DAY: Final = 1_440


def find_effective_time(change: OfficerChange, calendar: Calendar) -> datetime.datetime:
    """Return when a change takes effect unless somebody stops it."""
    days = settings.REGISTRY_OFFICER_CHANGE_MINUTES / MINUTES_PER_DAY
    due = calendar.add_days(change.asked_at, days)
    # The day on which the scheduler came back was not a whole one.
    is_interrupted = due - change.asked_at >= (days + 1) * ONE_DAY
    return due + ONE_DAY if is_interrupted else due


# The doors: the administration, the account page and the commands.


def give_role(person: User, role: Role, *, actor: User | None, network: str = "") -> OfficerChange:
    """Announce that `person` gets a role; raise `RoleError` if they cannot."""
    refuse_unfit_role(person, role)
    return announce_change(
        person, OfficerChangeKind.GIVE_ROLE, role=role, actor=actor, network=network
    )


def take_role(person: User, role: Role, *, actor: User | None, network: str = "") -> OfficerChange:
    """Announce that `person` loses a role."""
    return announce_change(
        person, OfficerChangeKind.TAKE_ROLE, role=role, actor=actor, network=network
    )


def grant_role(person: User, role: Role) -> OfficerChange | Event:
    """Give `person` a role in the name of the operator: at once while nobody holds it.

    Returns the journal's event if it was done at once, otherwise what was announced. Raises
    `RoleError` for an account that is disabled, or already has the role.
    """
    if User.objects.filter(groups__name=role, is_active=True).exists():
        return give_role(person, role, actor=None)
    refuse_unfit_role(person, role)
    return change_role(person, role, is_given=True, actor=None)


def close_account(
    person: User, *, reason: str, actor: User | None, network: str = ""
) -> OfficerChange | Event:
    """Close an account: announced for somebody who may decide, at once for others.

    Raises `BanError` as `ban_account` does.
    """
    if not (person.is_active and permissions.may_decide(person)):
        return ban_account(person, reason=reason, actor=actor, network=network)
    refuse_unfit_ban(person, reason, actor)
    return announce_change(
        person, OfficerChangeKind.CLOSE_ACCOUNT, reason=reason, actor=actor, network=network
    )


def change_address(
    person: User, address: str, *, actor: User | None, network: str = ""
) -> OfficerChange | None:
    """Give an account another main address: announced for somebody who may decide, at once for
    others, of whom nothing is announced.
    """
    if permissions.may_decide(person):
        return announce_change(
            person,
            OfficerChangeKind.CHANGE_ADDRESS,
            address=address.lower(),
            actor=actor,
            network=network,
        )
    replace_address(person, address, actor=actor, network=network)
    return None


def reset_factor(person: User, *, actor: User | None = None) -> OfficerChange:
    """Announce that an account's second factor will be removed; raise `RegistryError` if it has
    none.
    """
    if not person.has_second_factor:
        raise RegistryError(_("%(who)s has no second factor.") % {"who": person.email})
    return announce_change(person, OfficerChangeKind.RESET_FACTOR, actor=actor)


def announce_change(
    person: User,
    kind: OfficerChangeKind,
    *,
    actor: User | None,
    role: str = "",
    address: str = "",
    reason: str = "",
    network: str = "",
) -> OfficerChange:
    """Announce a change to all officers and to the person's addresses; return it.

    `actor` is None for a command. The same twice counts once.
    """
    with transaction.atomic(), write_events_last():
        locked = User.objects.select_for_update(no_key=True).get(pk=person.pk)
        pending = OfficerChange.objects.pending().filter(person=locked, kind=kind, role=role)
        if known := pending.first():
            if known.address != address:
                raise ActionRefused(_("Another change of this address waits. Stop that first."))
            return known
        change = OfficerChange.objects.create(
            person=locked,
            kind=kind,
            role=role,
            address=address,
            reason=reason.strip(),
            asked_by=actor,
            asked_at=timezone.now(),
        )
        record_account_event(
            locked,
            AccountEventKind.CHANGE_ANNOUNCED,
            network=network,
            detail=str(change.get_kind_display()),
            actor=actor,
        )
        record_change_event(change, "announce_officer_change", actor)
        tell_officers(change, "announced")
        stop_path = reverse("officers:stop_by_letter", args=[change.key])
        notify_account(
            locked,
            "officer_change",
            to_all=True,
            change=change,
            due=find_effective_time(change, load_calendar()),
            stop_link=settings.SITE + stop_path,
        )
    return change


def record_change_event(
    change: OfficerChange, verb: str, actor: Person | None, comment: str = ""
) -> Event:
    """Write the public event of an announcement, an objection or a decision."""
    return record_event(
        change,
        actor=actor or CLOCK,
        in_name_of="" if actor else OPERATOR_NAME,
        verb=verb,
        comment=comment,
        data={"change": str(change), "officer_change": change.pk},
        is_silent=True,
    )


def tell_officers(change: OfficerChange, step: str) -> None:
    """Write to all officers, except the person it is about, who gets another letter."""
    officers = reachable_people().filter(groups__name__in=Role).exclude(pk=change.person_id)
    due = find_effective_time(change, load_calendar())
    for officer in officers.order_by("pk").distinct():
        write_direct_letter(
            "officer_change",
            {"change": change, "due": due, "link": settings.SITE + change.get_absolute_url()},
            why=_("You are an officer of the registry."),
            key=f"officer-change:{change.pk}:{step}:{officer.pk}",
            address=officer.email,
            person=officer,
        )


# Stopping, and what follows.


def stop_change(
    change: OfficerChange, *, actor: User | None, reason: str, network: str = ""
) -> None:
    """Stop a change, as an officer or the person it is about; None for a command.

    Raises `ActionRefused` for others, and once it is stopped or in effect.
    """
    with transaction.atomic(), write_events_last():
        change = lock_change(change)
        if actor is not None and not permissions.may_stop_officer_change(
            reload_person(actor), change
        ):
            raise ActionRefused(_("Only officers and the person it is about can stop it."))
        if not reason.strip():
            raise ActionRefused(_("Say why; this is public."), code="no_reasons")
        if change.ended_at or change.stopped_at:
            raise ConcurrentChange(_("It has been stopped, or is in effect."), code="superseded")
        change.stopped_by, change.stopped_at = actor, timezone.now()
        change.objection = reason.strip()
        change.save(update_fields=["stopped_by", "stopped_at", "objection"])
        record_account_event(
            change.person,
            AccountEventKind.CHANGE_STOPPED,
            network=network,
            detail=str(change.get_kind_display()),
            actor=actor,
        )
        record_change_event(change, "stop_officer_change", actor, reason.strip())
        tell_officers(change, "stopped")


def decide_change(
    change: OfficerChange, *, actor: User, is_right: bool, reason: str
) -> OfficerChange:
    """Decide about a stopped change; of administrators the second who agrees does.

    Raises `ActionRefused` for others, and for the person it is about.
    """
    with transaction.atomic(), write_events_last():
        change = lock_change(change)
        if not permissions.may_decide_officer_change(reload_person(actor), change):
            raise ActionRefused(
                _("The standards body or two administrators decide, but not about themselves.")
            )
        if not reason.strip():
            raise ActionRefused(_("Give your reasons; they are public."), code="no_reasons")
        if not change.is_stopped:
            raise ConcurrentChange(_("There is nothing left to decide."), code="superseded")
        record_change_event(change, "decide_officer_change", actor, reason.strip())
        is_agreed = change.first_decision == is_right and change.first_decided_by_id != actor.pk
        if not (permissions.holds_role(actor, Role.STANDARDS_BODY) or is_agreed):
            change.first_decided_by, change.first_decision = actor, is_right
            change.save(update_fields=["first_decided_by", "first_decision"])
            return change
        change.decided_by, change.decision = actor, reason.strip()
        if is_right:
            put_into_effect(change)
        else:
            end_change(change)
    return change


def lock_change(change: OfficerChange) -> OfficerChange:
    """Return the change as it is now, locked until the transaction ends."""
    pending = OfficerChange.objects.select_for_update(no_key=True, of=("self",))
    return pending.select_related("person", "asked_by").get(pk=change.pk)


def end_change(change: OfficerChange) -> None:
    """End a change that is in effect or dropped."""
    change.ended_at = timezone.now()
    change.address = ""
    change.save(update_fields=["ended_at", "is_in_effect", "address", "decided_by", "decision"])


def drop_factor_reset(person: User) -> None:
    """Drop an announced reset: the person has set up another factor."""
    for change in OfficerChange.objects.pending().filter(
        person=person, kind=OfficerChangeKind.RESET_FACTOR
    ):
        end_change(change)


def tick_officer_changes(now: datetime.datetime) -> int:
    """Put into effect what nobody stopped in time; return how many."""
    calendar, done = load_calendar(), 0
    for waiting in OfficerChange.objects.waiting():
        if find_effective_time(waiting, calendar) > now:
            continue
        with transaction.atomic(), write_events_last():
            change = lock_change(waiting)
            if change.ended_at is None and change.stopped_at is None:
                put_into_effect(change)
                done += 1
    return done


# Effects.


def put_into_effect(change: OfficerChange) -> None:
    """Do what was announced, unless it has become impossible since."""
    try:
        with transaction.atomic():
            EFFECTS[OfficerChangeKind(change.kind)](change)
    except RegistryError as refusal:
        change.decision = str(refusal)
    else:
        change.is_in_effect = True
    end_change(change)


def put_role_into_effect(change: OfficerChange) -> None:
    is_given = change.kind == OfficerChangeKind.GIVE_ROLE
    change_role(change.person, Role(change.role), is_given=is_given, actor=change.asked_by)


def put_closing_into_effect(change: OfficerChange) -> None:
    for role in sorted(change.person.granted_roles):
        change_role(change.person, Role(role), is_given=False, actor=change.asked_by)
    ban_account(change.person, reason=change.reason, actor=change.asked_by)


def put_address_into_effect(change: OfficerChange) -> None:
    replace_address(change.person, change.address, actor=change.asked_by)


def put_reset_into_effect(change: OfficerChange) -> None:
    person = change.person
    person.authenticator_set.all().delete()
    person.forget_factor()
    end_sessions(person)
    end_tokens(person, why=str(AccountEventKind.RESET_DONE.label))
    record_account_event(person, AccountEventKind.RESET_DONE)
    notify_account(person, "factor_reset_done", to_all=True)


EFFECTS: Final[Mapping[OfficerChangeKind, Callable[[OfficerChange], Any]]] = {
    OfficerChangeKind.GIVE_ROLE: put_role_into_effect,
    OfficerChangeKind.TAKE_ROLE: put_role_into_effect,
    OfficerChangeKind.CLOSE_ACCOUNT: put_closing_into_effect,
    OfficerChangeKind.CHANGE_ADDRESS: put_address_into_effect,
    OfficerChangeKind.RESET_FACTOR: put_reset_into_effect,
}


def replace_address(person: User, address: str, *, actor: User | None, network: str = "") -> None:
    """Replace an account's main address; one that is not confirmed yet is confirmed first.

    By its owner it becomes the main one of several; an administrator replaces all of them.
    """
    if User.objects.filter(email__iexact=address).exclude(pk=person.pk).exists():
        raise RoleError(_("Another account has this address."))
    is_own = actor is not None and actor.pk == person.pk
    rows = digest_stored_rows([person])
    with transaction.atomic(), write_events_last():
        # The letter goes to the account's previous address.
        notify_account(person, "email_changed_by_office", network=network)
        record_account_event(person, AccountEventKind.ADDRESS_CHANGED, network=network, actor=actor)
        end_sessions(person)
        end_tokens(person, network=network, actor=actor)
        person.email = address.lower()
        person.save(update_fields=["email"])
        addresses = EmailAddress.objects.filter(user=person)
        if is_own:
            addresses.update(primary=False)
            addresses.filter(email=person.email).update(primary=True)
        else:
            addresses.delete()
            EmailAddress.objects.create(user=person, email=person.email, primary=True)
        record_event(
            person,
            actor=actor or CLOCK,
            in_name_of="" if actor else OPERATOR_NAME,
            verb="admin.change",
            data={"changed": {"email": {}}},
            rows=rows,
            is_silent=True,
        )
