"""What readers get has no note of whoever made it, no command, and no code in place of a word."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client

from registry.enums import State, UnapprovedState
from registry.exchange import seed
from registry.exchange.exports import refresh_exports
from registry.exchange.seed.csv_files import PROVENANCE_COLUMNS, read_csv_table
from registry.models import Letter, Namespace
from tests.addresses import list_addresses
from tests.populated_registry import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

MARKS = (
    "manage.py",
    "general knowledge",
    "Public knowledge",
    "not checked against the",
    "Worth knowing",
)
CODES = [each for each in (*State.values, *UnapprovedState.values) if "_" in each]
UNREAD = re.compile(r"<(code|pre|script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
"""What of a page is no running text: tags, and what is for programs."""


@pytest.fixture
def texts(populated: Cast) -> list[tuple[str, str]]:
    """What each address answers a stranger and the registrar, with all that is shipped; and all
    letters.
    """
    seed.load_namespaces(seed.read_namespaces())
    seed.load_services(seed.read_services())
    seed.load_sightings(seed.read_sightings())
    refresh_exports(at_once=True)
    nids = Namespace.objects.values_list("nid", flat=True)
    endings = ("/", "/services/", ".json", ".txt")
    more = [f"/namespaces/{nid}{ending}" for nid in nids for ending in endings]
    stranger, registrar = Client(raise_request_exception=False), Client()
    registrar.raise_request_exception = False
    registrar.force_login(populated.registrar)
    return [
        *ask(stranger, [*list_addresses(), *more]),
        *ask(registrar, list_addresses()),
        *((each.subject, f"{each.text} {each.html}") for each in Letter.objects.all()),
    ]


def ask(client: Client, addresses: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each address with what it answers."""
    for address in addresses:
        yield address, b"".join(client.get(address)).decode("utf-8", "replace")


def test_texts_for_readers_have_no_working_notes_and_words_for_states(
    texts: list[tuple[str, str]],
) -> None:
    rows = read_csv_table(seed.PROVENANCE_FILE, list(PROVENANCE_COLUMNS)).rows
    notes = {row["working_note"] for row in rows if len(row["working_note"]) > 12}
    codes = re.compile(rf"\b({'|'.join(CODES)})\b")

    noted = {(name, each) for name, text in texts for each in (*MARKS, *notes) if each in text}
    coded = {name for name, text in texts if "<html" in text and codes.search(UNREAD.sub("", text))}

    assert len(notes) > 50
    assert len(texts) > 1_000
    assert (noted, coded) == (set(), set())
