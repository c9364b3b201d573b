"""Many copies of a crowd's requests, made by PostgreSQL itself: Python would take hours.

The copies have journal events with numbers, entries and digests, and search documents. They ask for
other NIDs; the texts of their rounds are those of the original.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import connection, models, transaction

from registry.models import (
    Assignment,
    Counter,
    Event,
    Message,
    RegistrationRequest,
    Remark,
    Round,
    SearchDocument,
    SearchWord,
)
from registry.search import fill_nid_keys

COPIED: Final = "R-2025-%"
"""The references of the requests that are copied."""
NUMBER: Final = "(split_part({0}, '-', 3)::integer + copy * {{requests}})"
REFERENCE: Final = f"'R-2025-' || lpad({NUMBER}::text, greatest(4, length({NUMBER}::text)), '0')"
ENTRY: Final = (
    "regexp_replace(regexp_replace(entry, '\"n\":[0-9]+', '\"n\":' || (number + copy * {lines})),"
    " '\"request\":[0-9]+', '\"request\":' || (registration_request_id + copy * {stride}))"
)
ASKED: Final = "registration_request_id + copy * {stride}"
COLUMNS: Final[dict[type[models.Model], dict[str, str]]] = {
    RegistrationRequest: {
        "reference": REFERENCE.format("reference"),
        "nid": "replace(nid, 'vault', 'vault' || copy || '-')",
        "start_key": "gen_random_uuid()",
    },
    Round: {"registration_request_id": ASKED},
    Assignment: {"registration_request_id": ASKED},
    Remark: {
        "registration_request_id": ASKED,
        "round_id": "round_id + copy * {rounds}",
        "answered_in_id": "answered_in_id + copy * {rounds}",
    },
    Message: {
        "registration_request_id": ASKED,
        "message_id": "replace(message_id, '<', '<copy-' || copy || '-')",
    },
    Event: {
        "registration_request_id": ASKED,
        "number": "number + copy * {lines}",
        "entry": ENTRY,
        # The hash of a leaf (RFC 9162, section 2.1.1).
        "digest": f"encode(sha256('\\x00'::bytea || convert_to({ENTRY}, 'UTF8')), 'hex')",
    },
    SearchDocument: {
        "key": REFERENCE.format("key"),
        "url": f"replace(url, lower(key), lower({REFERENCE.format('key')}))",
    },
}
"""What differs in a copy, besides its key; everything else is as it was."""


@transaction.atomic
def multiply_requests(factor: int) -> None:
    """Multiply the existing requests by `factor`, with everything that belongs to them."""
    asked = RegistrationRequest.objects.filter(reference__startswith=COPIED[:-1])
    facts = {
        "requests": asked.count(),
        "stride": find_last_key(RegistrationRequest),
        "rounds": find_last_key(Round),
        "lines": Event.objects.filter(registration_request__in=asked).count(),
    }
    for model, columns in COLUMNS.items():
        copy_rows(model, columns, facts, factor)
    words = (
        f"UPDATE {SearchWord._meta.db_table} AS known SET documents = documents + n * %s FROM "
        "(SELECT word, count(*) AS n FROM registry_searchdocument, "
        "jsonb_array_elements_text(words) AS word WHERE key LIKE %s GROUP BY word) AS counted "
        "WHERE known.word = counted.word"
    )
    execute(words, [factor - 1, COPIED])
    Counter.objects.raise_to(Counter.EVENT, Event.objects.count())
    fill_nid_keys()


def copy_rows(
    model: type[models.Model], columns: dict[str, str], facts: dict[str, int], factor: int
) -> None:
    """Copy the rows of a table that belong to the requests."""
    table, last = model._meta.db_table, find_last_key(model)
    names = [str(field.column) for field in model._meta.concrete_fields]
    values = {"id": f"id + copy * {last}"} | {
        name: value.format(**facts) for name, value in columns.items()
    }
    wanted = {RegistrationRequest: "reference", SearchDocument: "key"}.get(model)
    which = (
        f"{wanted} LIKE %s"
        if wanted
        else "registration_request_id IN (SELECT id FROM registry_registrationrequest "
        f"WHERE reference LIKE %s AND id <= {facts['stride']})"
    )
    quoted = ", ".join(f'"{name}"' for name in names)
    chosen = ", ".join(values.get(name, f'"{name}"') for name in names)
    execute(
        f"INSERT INTO {table} ({quoted}) SELECT {chosen} FROM {table}, "
        f"generate_series(1, {factor - 1}) AS copy WHERE {which} AND id <= {last}",
        [COPIED],
    )
    execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {factor} * {last})", [])


def find_last_key(model: type[models.Model]) -> int:
    return model._default_manager.order_by("-pk").values_list("pk", flat=True).first() or 0


def execute(sql: str, values: Sequence[str | int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
