"""A person's own data: exported to a file, deleted with the account, and deleted in time."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import PROTECT, ForeignKey, ManyToManyField, Q
from django.db.models.fields.related import ForeignObject
from django.utils.translation import gettext as _

from registry.actions.account_security import notify_account
from registry.enums import END_STATES
from registry.errors import RegistryError
from registry.models import Event, Invitation, Letter, User
from registry.models.dates import load_calendar

OWN_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "account.emailaddress.user": ("email", "verified", "primary"),
    "mfa.authenticator.user": ("type", "created_at", "last_used_at"),
    "registry.absence.expert": ("first_day", "last_day"),
    "registry.accountevent.user": ("at", "kind", "detail", "network"),
    "registry.assignment.expert": (
        "registration_request__reference",
        "assigned_at",
        "declared_at",
        "due_on",
        "recused_at",
        "reason",
    ),
    "registry.checklistanswer.expert": (
        "round__registration_request__reference",
        "round__number",
        "question",
        "answer",
    ),
    "registry.conflictofinterest.expert": ("organization__name", "reason", "declared_at"),
    "registry.dismissedfinding.person": (
        "registration_request__reference",
        "check_name",
        "section",
        "word",
        "at",
    ),
    "registry.enquiry.asked_by": ("question", "is_public", "asked_at", "answer", "answered_at"),
    "registry.event.actor": ("number", "at", "actor_name", "verb", "subject", "comment"),
    "registry.follow.person": ("registration_request__reference", "nid", "since"),
    "registry.invitation.invited_by": ("registration_request__reference", "address", "invited_at"),
    "registry.invitation.joined_by": ("registration_request__reference", "address", "closed_at"),
    "registry.letter.recipient": ("written_at", "sent_at", "address", "subject", "text"),
    "registry.message.author": (
        "registration_request__reference",
        "number",
        "author_name",
        "posted_at",
        "text",
    ),
    "registry.pendingcomment.author": (
        "registration_request__reference",
        "text",
        "written_at",
        "publish_at",
    ),
    "registry.recognition.asked_by": ("organization__name", "asked_at", "statement", "decided_at"),
    "registry.registrationrequest.author": ("reference", "nid", "state", "created_at"),
    "registry.registrationrequest.co_editors": ("reference", "nid", "state", "created_at"),
    "registry.remark.author": (
        "registration_request__reference",
        "number",
        "made_at",
        "section",
        "quote",
        "text",
    ),
    "registry.report.author": ("page", "text", "name", "address", "sent_at", "answer"),
    "registry.sighting.noted_by": ("nid", "evidence", "user_of_it", "address", "noted_at"),
    "registry.speaker.person": (
        "organization__name",
        "namespace__nid",
        "basis",
        "state",
        "domain",
        "address",
        "asked_at",
        "effective_at",
        "state_since",
    ),
    "registry.token.user": ("name", "scopes", "created", "expiry", "last_used_at"),
    "registry.webhook.owner": ("name", "url", "topic", "subject", "made_at", "stopped_at"),
    "socialaccount.socialaccount.user": ("provider", "uid", "date_joined", "last_login"),
    "usersessions.usersession.user": ("created_at", "last_seen_at", "ip", "user_agent"),
}
"""What the export contains of each row that names a person, by model and column.

Keys, secrets and digests are left out, and so is what others wrote.
"""


class DeletionRefused(RegistryError):
    """The account stays; the message can be shown."""


def iterate_mentions() -> Iterator[tuple[str, ForeignObject[Any, Any] | ManyToManyField[Any, Any]]]:
    """Yield every table and column that refers to people, with its name."""
    for relation in User._meta.get_fields(include_hidden=True):
        field = getattr(relation, "field", None)
        if not relation.auto_created or field is None or field.model is User:
            continue
        if not field.model._meta.auto_created:
            yield f"{field.model._meta.label_lower}.{field.name}", field


def collect_own_data(person: User) -> dict[str, Any]:
    """Return what is stored about and by a person, as JSON values.

    Rows that are not theirs to read, such as another's message that they hid, are only counted.
    """
    found: dict[str, Any] = {
        "account": {
            "mail address": person.email,
            "name": person.name,
            "organization": str(person.organization or ""),
            "roles": sorted(person.granted_roles),
            "letters": person.delivery,
            "shortcuts": person.has_shortcuts,
            "joined": person.date_joined,
            "signed in last": person.last_login,
        },
        "rows": {},
        "named in": {},
    }
    for name, field in iterate_mentions():
        rows = field.model._base_manager.filter(**{field.name: person.pk}).order_by("pk")
        if columns := OWN_COLUMNS.get(name):
            found["rows"][name] = list(rows.values(*columns))
        elif number := rows.count():
            found["named in"][name] = number
    return found


def find_deletion_obstacle(person: User) -> str:
    """Return why the account cannot be deleted, or nothing if it never acted and holds nothing.

    What somebody did here refers to them for good, and the database protects it.
    """
    if person.is_superuser or person.is_staff or person.groups.exists():
        return _("The account holds a role. An administrator must remove it first.")
    if person.speaking.in_effect().exists() or person.co_edited_requests.exists():
        return _("The account acts for an organization or writes a request. Leave those first.")
    if Event.objects.filter(data__account_id=person.pk).exists():
        return _("The registry's journal has permanent entries about this account.")
    for _name, field in iterate_mentions():
        if not (isinstance(field, ForeignKey) and field.remote_field.on_delete is PROTECT):
            continue
        if field.model._base_manager.filter(**{field.name: person.pk}).exists():
            return _(
                "This account has done something, and that record stays. Its name can be withdrawn."
            )
    return ""


def delete_unused_account(person: User) -> None:
    """Delete an account that never acted, with all its data, and write to its addresses.

    Raises `DeletionRefused` if it did anything; then nothing changes.
    """
    try:
        with transaction.atomic():
            locked = User.objects.select_for_update(no_key=True).get(pk=person.pk)
            if obstacle := find_deletion_obstacle(locked):
                raise DeletionRefused(obstacle)
            notify_account(locked, "account_deleted", to_all=True)
            Invitation.objects.filter(address__iexact=locked.email, joined_by=None).delete()
            locked.delete()
    except (IntegrityError, User.DoesNotExist):
        raise DeletionRefused(_("The account has just been used or deleted.")) from None


def delete_old_letters(now: datetime.datetime) -> int:
    """Delete letters sent or dropped long ago; return how many.

    Letters about open requests stay, since later ones refer to them, and so do rounds sent to the
    discussion list.
    """
    oldest = load_calendar().subtract_days(now, settings.REGISTRY_LETTER_DAYS)
    over = Q(sent_at__lt=oldest) | Q(dropped_at__lt=oldest)
    of_none = Q(registration_request=None) | Q(registration_request__state__in=END_STATES)
    told_of_none = (
        Q(event=None)
        | Q(event__registration_request=None)
        | Q(event__registration_request__state__in=END_STATES)
    )
    old = Letter.objects.filter(over, of_none, told_of_none, round=None)
    deleted, _by_table = Letter.objects.filter(pk__in=old.values("pk")).delete()
    return deleted


def delete_old_invitations(now: datetime.datetime) -> int:
    """Delete invitations that nobody accepted and nobody can accept; return how many.

    They contain the address of somebody who never came. The journal says that there was one.
    """
    days = settings.REGISTRY_INVITATION_DAYS + settings.REGISTRY_LETTER_DAYS
    oldest = load_calendar().subtract_days(now, days)
    old = Invitation.objects.filter(joined_by=None, invited_at__lt=oldest)
    deleted, _by_table = old.delete()
    return deleted
