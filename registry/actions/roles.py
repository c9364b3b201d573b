"""Giving people their roles, and what the journal says of it."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import Group
from django.db import transaction
from django.utils.translation import gettext as _

from registry import journal, search
from registry.actions.account_security import notify_account, record_account_event
from registry.enums import AccountEventKind, Role
from registry.errors import RegistryError
from registry.models import Event, User

OPERATOR_NAME: Final = "The operator"
"""The journal's name for somebody who acts by a command, and not by an account."""


class RoleError(RegistryError):
    """A role cannot be given. The text is fit to show."""


def build_account_data(person: User, changed: dict[str, Any]) -> dict[str, Any]:
    """Return what the journal says of a changed account.

    Who was given a role stays known: a name may be that of two people, and change. The history of
    the experts reads these lines (`registry.selectors.experts`).
    """
    data: dict[str, Any] = {"changed": changed}
    return data | {"account_id": person.pk} if "groups" in changed else data


def grant_role(person: User, role: Role) -> Event:
    """Give `person` a role, in the name of the operator; return the journal's line.

    The person is told by letter. An administrator may enter the administration from then on, as
    the journal says too. Raises
    `RoleError` for an account that is switched off, or holds the role and all that it opens.
    """
    with transaction.atomic():
        locked = User.objects.select_for_update(no_key=True).get(pk=person.pk)
        if not locked.is_active:
            raise RoleError(_("The account %s is disabled.") % locked.email)
        before = sorted(locked.groups.values_list("name", flat=True))
        after = sorted({*before, role.value})
        opens_administration = role == Role.ADMINISTRATOR and not locked.is_staff
        if before == after and not opens_administration:
            raise RoleError(
                _("%(address)s already holds the role “%(role)s”.")
                % {"address": locked.email, "role": role.value}
            )
        changed: dict[str, Any] = {}
        if before != after:
            locked.groups.add(Group.objects.get(name=role))
            changed["groups"] = {"from": before, "to": after}
        if opens_administration:
            locked.is_staff = True
            locked.save(update_fields=["is_staff"])
            changed["is_staff"] = {"from": False, "to": True}
        event = journal.append(
            locked,
            actor=None,
            in_name_of=OPERATOR_NAME,
            verb="admin.change",
            data=build_account_data(locked, changed),
        )
        search.refresh_subject(locked)
        tell_of_roles(locked, set(before), set(after))
    return event


def tell_of_roles(
    person: User,
    before: set[str],
    after: set[str],
    *,
    actor: User | None = None,
    network: str = "",
) -> None:
    """Log which roles somebody was given and lost, and write to them.

    `actor` is the administrator, nobody for a command; `network` is where they act from.
    """
    kinds = [(role, AccountEventKind.ROLE_GIVEN) for role in sorted(after - before)]
    kinds += [(role, AccountEventKind.ROLE_TAKEN) for role in sorted(before - after)]
    for role, kind in kinds:
        record_account_event(person, kind, network=network, detail=role, actor=actor)
    if kinds:
        notify_account(
            person, "roles_changed", given=sorted(after - before), taken=sorted(before - after)
        )
