"""Roles of accounts, and how the journal records them."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import Group
from django.db import transaction
from django.dispatch import receiver
from django.utils.translation import gettext as _

from registry.actions.account_security import notify_account, record_account_event
from registry.enums import AccountEventKind, Role
from registry.errors import RegistryError
from registry.journal.row_digests import NEW_ROW, build_row_key, digest_stored_rows
from registry.models import Event, User
from registry.models.account import superuser_created
from registry.permissions import CLOCK
from registry.workflow.events import record_event, write_events_last

OPERATOR_NAME: Final = "The operator"
"""The journal's name for somebody who acts by a command instead of an account."""


class RoleError(RegistryError):
    """A role cannot be given. The message can be shown."""


def build_account_data(person: User, changed: dict[str, Any]) -> dict[str, Any]:
    """Return what the journal says about a changed account.

    It identifies the person who got a role: names can be shared, and change. The experts' history
    is built from these events (`registry.selectors.experts`).
    """
    data: dict[str, Any] = {"changed": changed}
    return data | {"account_id": person.pk} if "groups" in changed else data


def refuse_unfit_role(person: User, role: Role) -> None:
    """Raise `RoleError` for an account that is disabled, or already has the role and everything
    it allows.
    """
    if not person.is_active:
        raise RoleError(_("The account %s is disabled.") % person.email)
    is_complete = person.is_staff or role != Role.ADMINISTRATOR
    if is_complete and person.groups.filter(name=role).exists():
        raise RoleError(
            _("%(address)s already holds the role “%(role)s”.")
            % {"address": person.email, "role": role.value}
        )


def change_role(
    person: User, role: Role, *, is_given: bool, actor: User | None, network: str = ""
) -> Event:
    """Give a role or take it, and return the journal's event; the person is told by letter.

    `actor` is None for the operator. An administrator may use the admin site, and the journal says
    so.
    """
    with transaction.atomic(), write_events_last():
        locked = User.objects.select_for_update(no_key=True).get(pk=person.pk)
        before = sorted(locked.groups.values_list("name", flat=True))
        after = sorted({*before, role.value} if is_given else {*before} - {role.value})
        changed: dict[str, Any] = {}
        rows = digest_stored_rows([locked])
        if before != after:
            locked.groups.set(Group.objects.filter(name__in=after))
            changed["groups"] = {"from": before, "to": after}
        if role == Role.ADMINISTRATOR and locked.is_staff != is_given:
            changed["is_staff"] = {"from": locked.is_staff, "to": is_given}
            locked.is_staff = is_given
            locked.save(update_fields=["is_staff"])
        event = record_event(
            locked,
            actor=actor or CLOCK,
            in_name_of="" if actor else OPERATOR_NAME,
            verb="admin.change",
            data=build_account_data(locked, changed),
            rows=rows,
            is_silent=True,
        )
        tell_of_roles(locked, set(before), set(after), actor=actor, network=network)
    return event


@receiver(superuser_created, dispatch_uid="registry.record_superuser")
def record_superuser(person: User, **_kwargs: Any) -> None:
    """Record that the operator created a superuser, in the transaction that does so."""
    data = {"is_staff": {"from": False, "to": True}, "is_superuser": {"from": False, "to": True}}
    record_event(
        person,
        actor=CLOCK,
        in_name_of=OPERATOR_NAME,
        verb="admin.add",
        data=build_account_data(person, data),
        rows={build_row_key(person): NEW_ROW},
        is_silent=True,
    )


def tell_of_roles(
    person: User,
    before: set[str],
    after: set[str],
    *,
    actor: User | None = None,
    network: str = "",
) -> None:
    """Log the roles somebody gained and lost, and write to them.

    `actor` is the administrator, None for a command; `network` is where they act from.
    """
    kinds = [(role, AccountEventKind.ROLE_GIVEN) for role in sorted(after - before)]
    kinds += [(role, AccountEventKind.ROLE_TAKEN) for role in sorted(before - after)]
    for role, kind in kinds:
        record_account_event(person, kind, network=network, detail=role, actor=actor)
    if kinds:
        notify_account(
            person, "roles_changed", given=sorted(after - before), taken=sorted(before - after)
        )
