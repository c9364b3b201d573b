"""Accounts as other people know them, and what the navigation shows to its reader."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import Exists, F

from registry import permissions
from registry.enums import AccountEventKind, State
from registry.models import AccountEvent, Assignment, RegistrationRequest, User
from registry.models.account import SECOND_FACTORS
from registry.permissions import provide_fact, remember_fact
from registry.selectors.counts import MAX_COUNTED


def find_account(address: str) -> User | None:
    """Return the active account with that confirmed mail address, ignoring case."""
    confirmed = User.objects.filter(
        is_active=True, emailaddress__email__iexact=address.strip(), emailaddress__verified=True
    )
    return confirmed.first()


def list_dead_addresses(person: User | None = None) -> list[str]:
    """Return the addresses that returned letters, until they are confirmed again.

    Those of active accounts; if `person` is given, only theirs.
    """
    bounced = AccountEvent.objects.filter(kind=AccountEventKind.LETTER_BOUNCED)
    people = User.objects.filter(is_active=True, pk__in=bounced.values("user"))
    if person is not None:
        people, bounced = people.filter(pk=person.pk), bounced.filter(user=person)
    unconfirmed = EmailAddress.objects.filter(user__in=people, verified=False)
    said = {
        detail.partition(": ")[0].lower() for detail in bounced.values_list("detail", flat=True)
    }
    return sorted(each.email for each in unconfirmed if each.email.lower() in said)


@dataclass(frozen=True, slots=True)
class WrittenRequests:
    """Whether a person writes any requests, and how many wait for them to continue."""

    is_any: bool
    unfinished: int


def read_standing(person: User) -> WrittenRequests:
    """Return what a person writes; their roles are read along with it, and remembered.

    Within `permissions.ask_each_fact_once` it is read once.
    """
    return remember_fact((read_standing, person.pk), lambda: ask_for_standing(person))


def ask_for_standing(person: User) -> WrittenRequests:
    """Read what a person writes, their roles, and whether their mail address is confirmed."""
    if not person.is_active:
        return WrittenRequests(is_any=False, unfinished=0)
    requests = RegistrationRequest.objects.order_by()
    # Each way to write a request has its own index: in one condition, all requests would be read.
    ways = (permissions.q_is_author, permissions.q_is_delegate, permissions.q_is_co_editor)
    temporary = Assignment.objects.filter(permissions.LIVE_TEMPORARY_ASSIGNMENT, expert=person)
    rows = User.objects.filter(pk=person.pk).values(
        role=F("groups__name"),
        has_factor=Exists(Authenticator.objects.filter(user=person, type__in=SECOND_FACTORS)),
        has_confirmed_address=Exists(EmailAddress.objects.filter(user=person, verified=True)),
        judges_one_request=Exists(temporary),
        writes=reduce(or_, (Exists(requests.filter(way(person))) for way in ways)),
    )
    if not rows:
        return WrittenRequests(is_any=False, unfinished=0)
    known = rows[0]
    roles = [row["role"] for row in rows if row["role"]]
    person.remember_roles(roles, has_factor=bool(known["has_factor"]))
    provide_fact(("judges_one_request", person.pk), bool(known["judges_one_request"]))
    provide_fact(("has_confirmed_address", person.pk), bool(known["has_confirmed_address"]))
    if not known["writes"]:
        return WrittenRequests(is_any=False, unfinished=0)
    unfinished = requests.filter(
        permissions.q_may_write(person), state__in=(State.DRAFT, State.CHANGES_REQUESTED)
    )
    return WrittenRequests(is_any=True, unfinished=unfinished[:MAX_COUNTED].count())
