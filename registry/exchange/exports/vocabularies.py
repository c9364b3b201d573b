"""The two registries of draft -03, section 9.2, in IANA's layout."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.enums import KeywordScope
from registry.exchange.csv_rows import format_csv_rows
from registry.exchange.exports.csv_tables import escape_formula
from registry.models import QueryKeyword, ServiceDesignator

IETF_REVIEW: Final = _(
    "IETF Review (BCP 26) for keywords of global scope. Keywords of specific scope follow the"
    " procedure that registers the namespaces they are for."
)
RFC_REQUIRED: Final = _(
    "RFC required (BCP 26): Standards Track for “std”, Experimental for “exp”. “provisional” may be"
    " given to what is pending (BCP 100); “deprecated” takes IESG Approval."
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One of the vocabularies: its name in addresses, its title, policy, columns and rows."""

    name: str
    title: str | Promise
    policy: str | Promise
    section: str
    header: tuple[str, ...]
    rows: Callable[[], Iterable[tuple[str, ...]]]


def list_keyword_rows() -> Iterable[tuple[str, ...]]:
    return (
        (
            each.keyword,
            each.purpose,
            str(KeywordScope(each.scope).value),
            each.reference,
            "; ".join(f"{nid} ({reference})" for nid, reference in each.supported_by),
        )
        for each in QueryKeyword.objects.order_by("keyword")
    )


def list_designator_rows() -> Iterable[tuple[str, ...]]:
    return ServiceDesignator.objects.values_list("name", "purpose", "status", "reference")


VOCABULARIES: Final[Mapping[str, Vocabulary]] = {
    each.name: each
    for each in (
        Vocabulary(
            "query-keywords",
            _("URN Query Keywords"),
            IETF_REVIEW,
            "draft-ietf-urnbis-rfc2141bis-urn-03, section 9.2.1",
            ("Keyword", "Purpose", "Scope", "Reference", "Supported by"),
            list_keyword_rows,
        ),
        Vocabulary(
            "resolution-services",
            _("URN Resolution Service Designators"),
            RFC_REQUIRED,
            "draft-ietf-urnbis-rfc2141bis-urn-03, section 9.2.2",
            ("Name", "Purpose", "Status", "Reference"),
            list_designator_rows,
        ),
    )
}


def write_vocabulary_csv(vocabulary: Vocabulary) -> str:
    """Write a vocabulary as comma-separated values with a heading."""
    rows = ([escape_formula(cell) for cell in row] for row in vocabulary.rows())
    return format_csv_rows([vocabulary.header, *rows])


def write_vocabulary_json(vocabulary: Vocabulary) -> str:
    """Write a vocabulary in JSON, including its policy."""
    told: dict[str, Any] = {
        "title": str(vocabulary.title),
        "policy": str(vocabulary.policy),
        "reference": vocabulary.section,
        "entries": [dict(zip(vocabulary.header, row, strict=True)) for row in vocabulary.rows()],
    }
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def write_vocabulary_text(vocabulary: Vocabulary) -> str:
    """Write a vocabulary as plain text, in columns."""
    rows = [vocabulary.header, *vocabulary.rows()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    head = [str(vocabulary.title), "", f"Registration procedure: {vocabulary.policy}"]
    head += [f"Reference: {vocabulary.section}", ""]
    return "\n".join([*head, *(pad_row(row, widths) for row in rows)]) + "\n"


def pad_row(row: Sequence[str], widths: Sequence[int]) -> str:
    """Return a row in columns, without trailing spaces."""
    cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
    return "  ".join(cells).rstrip()


VOCABULARY_FORMATS: Final[Mapping[str, tuple[str, Callable[[Vocabulary], str]]]] = {
    "csv": ("text/csv; charset=utf-8; header=present", write_vocabulary_csv),
    "json": ("application/json", write_vocabulary_json),
    "txt": ("text/plain; charset=utf-8", write_vocabulary_text),
}
