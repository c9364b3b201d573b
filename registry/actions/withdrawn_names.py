"""Withdrawing the name of a person: from pages, dumps and letters, but not from the log.

The log has no names, only commitments to them. This deletes what opens the commitments, and the
name wherever we store it; every proof stays valid. Copies that others made stay with them, and so
does the Registrant section of a published text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.utils import formataddr, parseaddr
from functools import partial
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import CharField, JSONField, Q, QuerySet, TextField
from django.utils.html import escape

from registry import journal, search
from registry.actions.account_security import end_sessions
from registry.actions.incoming_mail import find_letters_from
from registry.journal.row_digests import digest_stored_rows
from registry.models import (
    Event,
    Follow,
    IdempotencyRecord,
    Invitation,
    Letter,
    Locator,
    MailedTemplate,
    Message,
    PendingComment,
    Report,
    SearchDocument,
    SearchWord,
    Speaker,
    Token,
    User,
    Webhook,
)
from registry.transparency.entries import WITHDRAWN_NAME

WITHDRAWN_MAIL_DOMAIN: Final = "withdrawn.invalid"
"""Mail to this domain reaches nobody (RFC 6761, section 6.4)."""


NAMELESS_MODELS: Final = (Locator, SearchDocument, SearchWord)
"""Where no name is looked for: millions of names of other things, and what is built from texts."""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What was withdrawn: how many events, messages and letters had the name.

    `texts` are those that people wrote and that still have it: a row and its columns each.
    """

    lines: int
    messages: int
    letters: int
    texts: tuple[str, ...]


@transaction.atomic
def withdraw_name(person: User) -> Withdrawal:
    """Withdraw the names that `person` acted under, close the account, and record it.

    Events, messages and letters stay without the name; nobody can sign in to the account any more.
    """
    names = {name for name in list_names(person) if name and name != WITHDRAWN_NAME}
    acted = Event.objects.filter(actor=person).exclude(actor_salt="")
    lines = acted.update(actor_name=WITHDRAWN_NAME, actor_salt="")
    lines += sum(withdraw_from_line(line, names) for line in find_lines_naming(names))
    # Letters to the list from somebody without an account have the name that they came with.
    named = Message.objects.filter(Q(author=person) | Q(author=None, author_name__in=names))
    messages = withdraw_from_messages(named | Message.objects.mailed_by(person))
    received = Q(recipient=person) | Q(address__in=list_addresses(person))
    letters = withdraw_from_letters(received, names)
    IdempotencyRecord.objects.filter(person=person).delete()
    withdraw_from_responses(names)
    withdraw_from_papers(person)
    rows = digest_stored_rows([person])
    close_account(person)
    journal.append(
        person, actor=None, verb="admin.forget", data={"account_id": person.pk}, rows=rows
    )
    search.rebuild_index()
    return Withdrawal(lines, messages, letters, tuple(find_texts_naming(names)))


@transaction.atomic
def withdraw_sender(address: str) -> Withdrawal:
    """Withdraw the name of somebody who has no account and mailed to discussions, and record it.

    Their letters stay without it, and nothing recognizes later ones. Raises `UnknownSender`.
    """
    mailed = find_letters_from(address)
    first, names = mailed.earliest("pk"), find_unshared_names(mailed)
    messages = withdraw_from_messages(mailed)
    letters = withdraw_from_letters(Q(address__iexact=address), names)
    withdraw_from_responses(names)
    MailedTemplate.objects.filter(registration_request=None, address__iexact=address).delete()
    journal.append(first, actor=None, verb="admin.forget")
    search.rebuild_index()
    return Withdrawal(0, messages, letters, tuple(find_texts_naming(names | {address})))


def find_texts_naming(names: Iterable[str]) -> Iterator[str]:
    """Yield each row that still has one of the names in a text, with the columns that do."""
    pattern = compile_names(names)
    for model in apps.get_app_config("registry").get_models():
        columns = [
            column
            for column in model._meta.concrete_fields
            if isinstance(column, CharField | TextField | JSONField)
        ]
        if not columns or model in NAMELESS_MODELS:
            continue
        rows = model._base_manager.values_list("pk", *(column.name for column in columns))
        for pk, *values in rows.order_by("pk").iterator():
            texts = zip(columns, map(write_text, values), strict=True)
            found = [str(column.verbose_name) for column, text in texts if pattern.search(text)]
            if found:
                row = model._base_manager.get(pk=pk)
                yield f"{model._meta.verbose_name} {pk}, {row}: {', '.join(found)}"


def write_text(value: Any) -> str:
    """Return the value of a column as one text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def find_unshared_names(mailed: QuerySet[Message]) -> set[str]:
    """Return the names that these letters came with and nobody else has: any can be claimed."""
    names = set(mailed.values_list("author_name", flat=True))
    others = Message.objects.exclude(pk__in=mailed).filter(author_name__in=names)
    accounts = User.objects.filter(name__in=names)
    return names.difference(
        others.values_list("author_name", flat=True), accounts.values_list("name", flat=True)
    )


def withdraw_from_messages(messages: QuerySet[Message]) -> int:
    """Remove the names of messages, and what recognizes their senders; return how many."""
    return messages.update(author_name=WITHDRAWN_NAME, sender_digest="")


def list_names(person: User) -> Iterator[str]:
    """Yield the names that a person has or had when they acted, and the mail addresses."""
    yield person.name
    yield from list_addresses(person)
    yield from Event.objects.filter(actor=person).values_list("actor_name", flat=True).distinct()
    yield from Message.objects.filter(author=person).values_list("author_name", flat=True)


def list_addresses(person: User) -> list[str]:
    """Return the mail addresses of an account."""
    others = EmailAddress.objects.filter(user=person).values_list("email", flat=True)
    return list(dict.fromkeys([person.email, *others]))


def find_lines_naming(names: set[str]) -> Iterator[Event]:
    """Yield other people's events that name a person in their details."""
    for event in Event.objects.order_by("number").iterator():
        if event.subject in names or replace_names(event.data, names) != event.data:
            yield event


def withdraw_from_line(event: Event, names: set[str]) -> bool:
    """Remove names from an event's details, which can then no longer be proved."""
    subject = WITHDRAWN_NAME if event.subject in names else event.subject
    Event.objects.filter(pk=event.pk).update(
        subject=subject, data=replace_names(event.data, names), details_salt=""
    )
    return True


def replace_names(value: Any, names: set[str]) -> Any:
    """Return JSON data with each text that is a name replaced."""
    return replace_texts(value, lambda text: WITHDRAWN_NAME if text in names else text)


def replace_texts(value: Any, replace: Callable[[str], str]) -> Any:
    """Return JSON data with each of its texts replaced, except the names of members."""
    match value:
        case str():
            return replace(value)
        case list():
            return [replace_texts(each, replace) for each in value]
        case dict():
            return {key: replace_texts(each, replace) for key, each in value.items()}
    return value


def withdraw_from_letters(received: Q, names: set[str]) -> int:
    """Delete the letters that a person `received`, and remove names from those to others; return
    how many.
    """
    count, _tables = Letter.objects.filter(received).delete()
    pattern = compile_names(names)
    for letter in Letter.objects.order_by("pk").iterator():
        before = (letter.subject, letter.text, letter.html, letter.headers)
        letter.subject = pattern.sub(WITHDRAWN_NAME, letter.subject)
        letter.text = pattern.sub(WITHDRAWN_NAME, letter.text)
        letter.html = pattern.sub(WITHDRAWN_NAME, letter.html)
        letter.headers = {
            header: withdraw_from_header(value, pattern) for header, value in letter.headers.items()
        }
        if before != (letter.subject, letter.text, letter.html, letter.headers):
            letter.save(update_fields=["subject", "text", "html", "headers"])
            count += 1
    return count


def withdraw_from_responses(names: set[str]) -> None:
    """Remove names from stored responses of the API.

    They stay: programs may ask again, and must get the response instead of acting twice.
    """
    pattern = compile_names(names)
    for record in IdempotencyRecord.objects.exclude(body="").iterator():
        body = json.loads(record.body)
        if (withdrawn := replace_texts(body, partial(pattern.sub, WITHDRAWN_NAME))) != body:
            record.body = json.dumps(withdrawn, ensure_ascii=False)
            record.save(update_fields=["body"])


def compile_names(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for `names`, also where a letter breaks one across lines, and in HTML.

    It finds whole words only: Ana is not in Anatolia.
    """
    spelled = {form for name in names for form in (name, escape(name))}
    longest_first = sorted(spelled, key=len, reverse=True)
    words = "|".join(r"\s+".join(map(re.escape, form.split())) for form in longest_first)
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)" if words else r"(?!)")


def withdraw_from_header(value: str, pattern: re.Pattern[str]) -> str:
    """Return a letter's header without the names, which it may have encoded (RFC 2047)."""
    shown, address = parseaddr(value)
    try:
        readable = str(make_header(decode_header(shown)))
    except (HeaderParseError, LookupError, UnicodeDecodeError):
        readable = shown
    if address and (said := pattern.sub(WITHDRAWN_NAME, readable)) != readable:
        value = formataddr((said, address))
    return pattern.sub(WITHDRAWN_NAME, value)


def withdraw_from_papers(person: User) -> None:
    """Remove name and address from other rows that store them."""
    gone = build_withdrawn_address(person)
    Report.objects.filter(Q(author=person) | Q(address__iexact=person.email)).update(
        name=WITHDRAWN_NAME, address=""
    )
    Speaker.objects.filter(person=person, address__iexact=person.email).update(address=gone)
    Speaker.objects.filter(objected_by__iexact=person.email).update(objected_by=gone)
    Invitation.objects.filter(joined_by=person).update(address=gone)
    MailedTemplate.objects.filter(registration_request=None, address__iexact=person.email).delete()
    LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(User), object_id=str(person.pk)
    ).update(object_repr=WITHDRAWN_NAME)


def build_withdrawn_address(person: User) -> str:
    """Return the address of a closed account."""
    return f"account-{person.pk}@{WITHDRAWN_MAIL_DOMAIN}"


def close_account(person: User) -> None:
    """Remove everything from an account that identifies it or allows using it."""
    EmailAddress.objects.filter(user=person).delete()
    SocialAccount.objects.filter(user=person).delete()
    Authenticator.objects.filter(user=person).delete()
    Token.objects.filter(user=person).delete()
    Webhook.objects.filter(owner=person).delete()
    Follow.objects.filter(person=person).delete()
    PendingComment.objects.filter(author=person).delete()
    Invitation.objects.filter(address__iexact=person.email, joined_by=None).delete()
    end_sessions(person)
    person.groups.clear()
    person.name = WITHDRAWN_NAME
    person.email = build_withdrawn_address(person)
    person.organization = None
    person.is_active = person.is_staff = person.is_superuser = False
    person.set_unusable_password()
    person.save()
