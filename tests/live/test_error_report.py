"""Whoever runs the registry is told of an error by mail, once, and never what somebody sent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from django.db import connection

from registry.models import Letter, PendingComment, RegistrationRequest, User
from tests.live.servers import Page, Visitor, gunicorn, session_of

pytestmark = pytest.mark.django_db(transaction=True)

OPERATOR: Final = "operator@registry.example"
TYPED: Final = "Typed in confidence."


@contextmanager
def table_missing(table: str) -> Iterator[None]:
    """Rename a table for the duration of the block: whatever needs it breaks."""
    quote = connection.ops.quote_name
    rename = f"ALTER TABLE {quote(table)} RENAME TO {quote(f'{table}_away')}"
    back = f"ALTER TABLE {quote(f'{table}_away')} RENAME TO {quote(table)}"
    with connection.cursor() as cursor:
        cursor.execute(rename)
        try:
            yield
        finally:
            cursor.execute(back)


def test_error_is_told_to_the_operator_in_one_letter_without_forms_and_cookies(
    tmp_path: Path, in_review: RegistrationRequest, registrant: User
) -> None:
    with gunicorn(tmp_path, REGISTRY_ERROR_MAIL=OPERATOR, REGISTRY_LOG="json") as site:
        visitor = Visitor(site, registrant)
        place = visitor.ask(f"/requests/{in_review.slug}/")
        with table_missing(PendingComment._meta.db_table):
            answers = [visitor.send(place, "text", text=TYPED) for _time in range(3)]

    letters = Letter.objects.filter(address=OPERATOR)
    assert [each.status for each in answers] == [500] * 3
    assert letters.count() == 1
    letter = letters.get()
    assert letter.subject.startswith("[URN Namespace Registry] ERROR: ")
    assert find_number(answers[0]) in letter.text
    assert "send_comment" in letter.text
    cookies = (str(session_of(registrant).value), "sessionid", "csrftoken")
    for secret in (TYPED, TYPED.split()[0], registrant.email, *cookies):
        assert secret not in letter.subject + letter.text


def find_number(page: Page) -> str:
    """Return the number of the error that a page shows."""
    found = re.search(r"<code>([0-9a-f]{8})</code>", page.text)
    assert found, page.text
    return found[1]
