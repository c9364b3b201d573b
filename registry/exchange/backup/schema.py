"""The JSON Schema of a public dump's lines: every table with every column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import (
    BinaryField,
    BooleanField,
    CharField,
    DateField,
    DateTimeField,
    Field,
    FloatField,
    IntegerField,
    JSONField,
    TextField,
    UUIDField,
)

from registry.exchange.backup.format import (
    FORMAT_NAME,
    FORMAT_VERSION,
    BackupExtent,
    find_target_field,
    get_table_model,
    has_natural_keys,
)

JSON_SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"
DUMP_SCHEMA_NAME: Final = "registry-dump.schema.json"
COLUMN_SCHEMAS: Final[tuple[tuple[type[Field[Any, Any]], Mapping[str, Any]], ...]] = (
    (BooleanField, {"type": "boolean"}),
    (IntegerField, {"type": "integer"}),
    (FloatField, {"type": "number"}),
    (JSONField, {"type": ["array", "object", "string", "number", "boolean", "null"]}),
    (DateTimeField, {"type": "string", "format": "date-time"}),
    (DateField, {"type": "string", "format": "date"}),
    (UUIDField, {"type": "string", "format": "uuid"}),
    (BinaryField, {"type": "string", "contentEncoding": "base64"}),
    (CharField, {"type": "string"}),
    (TextField, {"type": "string"}),
)
"""The JSON type of each kind of column; the first that fits is used."""
DIGEST_SCHEMA: Final = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


def make_dump_schema(site: str) -> dict[str, Any]:
    """Return the schema of a public dump's lines: its header, a row of one of its tables, its seal.

    A row has all public columns of its table and no others, as loading requires.
    """
    tables = BackupExtent.PUBLIC.tables
    row = {
        "type": "array",
        "prefixItems": [{"enum": list(tables)}, {"type": "object"}],
        "minItems": 2,
        "maxItems": 2,
        "allOf": [
            {
                "if": {"prefixItems": [{"const": label}]},
                "then": {"prefixItems": [True, {"$ref": f"#/$defs/{label}"}]},
            }
            for label in tables
        ],
    }
    return {
        "$schema": JSON_SCHEMA,
        "$id": f"{site}/exports/{DUMP_SCHEMA_NAME}",
        "title": "A line of a dump",
        "description": "The first line says what the dump is of, the last has the SHA-256 of all "
        "others; between them stand the rows, each behind the name of its table.",
        "oneOf": [make_header_schema(), row, make_seal_schema()],
        "$defs": {label: describe_table_row(label) for label in tables},
    }


def make_header_schema() -> dict[str, Any]:
    properties = {
        "format": {"const": FORMAT_NAME},
        "version": {"const": FORMAT_VERSION},
        "extent": {"const": BackupExtent.PUBLIC.value},
        "site": {"type": "string", "format": "uri"},
        "at": {"type": ["string", "null"], "format": "date-time"},
        "log": {"type": ["object", "null"]},
        "migrations": {"type": "array", "items": {"type": "string"}},
        "licences": {"type": "object", "additionalProperties": {"type": "string"}},
        "rows": {
            "type": "object",
            "propertyNames": {"enum": list(BackupExtent.PUBLIC.tables)},
            "additionalProperties": {"type": "integer", "minimum": 0},
        },
    }
    return make_closed_object(properties)


def make_seal_schema() -> dict[str, Any]:
    return make_closed_object({"sha256": DIGEST_SCHEMA})


def describe_table_row(label: str) -> dict[str, Any]:
    """Return the schema of a table's row: its public columns."""
    title = str(get_table_model(label)._meta.verbose_name)
    columns = BackupExtent.PUBLIC.columns_of(label)
    return {
        "title": title,
        **make_closed_object({column.attname: describe_column(column) for column in columns}),
    }


def make_closed_object(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def describe_column(column: Field[Any, Any]) -> dict[str, Any]:
    """Return the schema of a column; raise `TypeError` for a new kind of column."""
    told = {"type": "string"} if has_natural_keys(column) else find_column_schema(column)
    if column.null and not isinstance(column, JSONField):
        told |= {"type": [told["type"], "null"]}
    return {"title": str(column.verbose_name), **told}


def find_column_schema(column: Field[Any, Any]) -> dict[str, Any]:
    """Return the JSON type of a column, or of the column it refers to."""
    target = find_target_field(column)
    for kind, schema in COLUMN_SCHEMAS:
        if isinstance(target, kind):
            return dict(schema)
    raise TypeError(f"{column} is of a kind that the schema of dumps does not know.")
