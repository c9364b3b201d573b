"""What people write is text in the letters that tell of it, whichever field it was written into.

Every column that somebody types into is filled with payloads, behind the forms and their checks, so
that nothing but what writes pages keeps them from running. `tests/browser/test_payloads.py` looks
at a share of it with a real browser.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any, Final

import pytest
from django.apps import apps
from django.core import mail
from django.db import models
from django.test import Client
from lxml import html

from registry.actions import discussion
from registry.models import Letter, Message, RegistrationRequest, User
from registry.notifications.outbox import build_mail
from tests.conftest import without_triggers
from tests.payloads import PAYLOADS

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
LONG: Final = "\n\n".join(PAYLOADS)
OF_OURS: Final = frozenset(
    {
        *("BuiltExport", "Counter", "IANASnapshot", "IdempotencyRecord", "Letter", "Locator"),
        *("LogOrigin", "RateLimit", "ReadMarker", "Reminder", "SearchDocument", "SearchWord"),
        *("SignInSource", "FactorReset", "WordConfirmation", "Follow"),
    }
)
"""Tables into which nobody types: keys, digests, counters, and what is made from other tables."""
MADE_BY_US: Final = frozenset(
    {
        *("key", "secret", "previous_secret", "digest", "sha256", "etag", "token_key", "password"),
        *("statement", "entry", "actor_salt", "details_salt", "seal_salt", "compared_by"),
        *("message_id", "generation", "last_modified", "code", "section", "question", "reader"),
        *("check_name", "template_generation", "registered_source", "network", "text_licence"),
        *("Event.verb", "Event.source", "Event.target", "RegistrationRequest.reference"),
        *("Webhook.subject", "ServiceDesignator.name", "DocumentSource.name"),
    }
)
"""Columns whose values we make, by column or by table and column."""
TYPED_ALL_THE_SAME: Final = frozenset({"Enquiry.question", "Recognition.statement"})
WELL_FORMED: Final = frozenset(
    {
        *("nid", "nid_as_registered", "version", "date", "grammar", "grammar_start", "url"),
        *("website", "template", "address", "email", "prefix", "media_type", "language"),
        *("keyword", "domain", "registered_on", "last_known_version", "template_url", "page"),
        *("template_date", "read_from", "asked_from", "answered_by", "stopped_by"),
        *("ReservedName.name", "EntryRequest.word", "updated_on"),
    }
)
"""What forms and readers take only where it is an identifier, an address, a date or a grammar."""
ADDRESSES: Final = frozenset({"href", "src", "action", "formaction", "data", "srcdoc", "poster"})
RUNS: Final = re.compile(r"[\x00-\x20]*(javascript|vbscript|data:text)", re.IGNORECASE)


def is_typed(column: models.Field[Any, Any]) -> bool:
    """Whether a column keeps what somebody types, as they typed it."""
    names = {column.name, f"{column.model.__name__}.{column.name}"}
    return (
        isinstance(column, models.CharField | models.TextField)
        and not column.choices
        and (bool(names & TYPED_ALL_THE_SAME) or not names & (MADE_BY_US | WELL_FORMED))
    )


def fill_with_payloads() -> set[str]:
    """Put payloads wherever somebody typed something; return into which columns."""
    filled, supply = set(), cycle(PAYLOADS)
    with without_triggers():
        for model in apps.get_app_config("registry").get_models():
            if model.__name__ in OF_OURS:
                continue
            for column in filter(is_typed, model._meta.concrete_fields):
                said = model._base_manager.exclude(**{column.name: ""})
                for pk in list(said.values_list("pk", flat=True)):
                    text = LONG if column.max_length is None else next(supply)[: column.max_length]
                    model._base_manager.filter(pk=pk).update(**{column.name: text})
                    filled.add(f"{model.__name__}.{column.name}")
    return filled


def find_markup(text: str) -> Iterator[str]:
    """Yield what in a page would run, load or lead somewhere by what was written into it."""
    for element in html.document_fromstring(text).iter():
        tag = element.tag
        if not isinstance(tag, str):
            continue
        if tag == "script" and not element.get("src") and "json" not in element.get("type", ""):
            yield f"script: {element.text}"
        if tag in {"iframe", "object", "embed", "base"} or (tag == "style" and element.text):
            yield tag
        for name, value in element.items():
            if name.lower().startswith("on"):
                yield f"{name}={value}"
            if name in ADDRESSES and (RUNS.match(value) or leads_away(value)):
                yield f"{name}={value}"


def leads_away(address: str) -> bool:
    """Whether an address leads to the host of the payloads."""
    return re.match(r"(\w+:)?//evil", address) is not None


def test_what_was_written_is_text_in_letters_and_one_line_in_their_headers(
    in_review: RegistrationRequest, outsider: User
) -> None:
    fill_with_payloads()
    outsider.refresh_from_db()
    before = {*Letter.objects.values_list("pk", flat=True)}

    for number in range(0, len(PAYLOADS), 25):
        words = "\n\n".join(PAYLOADS[number : number + 25])
        discussion.add_comment(in_review, author=outsider, text=words, key=uuid.uuid4())

    written = Letter.objects.exclude(pk__in=before)
    assert written.exclude(html="").exists()
    for letter in written:
        assert list(find_markup(letter.html or "<p></p>")) == []
        message = build_mail(letter).message()
        for name, value in message.items():
            assert "\n" not in value.replace("\n ", ""), name
        assert set(message.keys()) >= {"Subject", "To", "From"}
        assert message.get_all("Bcc") is None
    assert Message.objects.filter(author=outsider).count() == 8
    assert mail.outbox == []


def test_every_column_is_filled_or_said_to_be_none_that_somebody_types_into() -> None:
    names = {
        name
        for model in apps.get_app_config("registry").get_models()
        for column in model._meta.concrete_fields
        for name in (column.name, f"{model.__name__}.{column.name}")
    }
    known = {model.__name__ for model in apps.get_app_config("registry").get_models()}

    assert known >= OF_OURS
    assert names >= MADE_BY_US | WELL_FORMED | TYPED_ALL_THE_SAME
