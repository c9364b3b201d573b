"""The list of namespaces as one page of rows, with its sorting and paging."""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.core.paginator import Page, Paginator
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from registry import selectors
from registry.forms.filters import NamespaceFilter
from registry.models import Namespace
from registry.models.namespace import NamespaceQuerySet

DEFAULT_TABLE_ROWS = 50
MAX_TABLE_ROWS = 1_000
"""How many rows a page has when all are requested: the list grows, and a page is built at once."""
TABLE_COLUMNS = {"nid": _("NID"), "registrant": _("Registrant"), "registered": _("Registered")}


@dataclass(frozen=True, slots=True)
class LetterLink:
    """One letter of the alphabet bar; without namespaces under it, it is not a link."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A sortable column: its heading, what a click does, and how it is sorted now."""

    label: str
    url: str
    direction: str = ""


class CountedPaginator(Paginator[Namespace]):
    """Pages of a list that was counted already."""

    def __init__(self, rows: NamespaceQuerySet, per_page: int, count: int) -> None:
        super().__init__(rows, per_page)
        self.counted = count

    @property
    def count(self) -> int:
        return self.counted


class NamespaceTable:
    """What a page of the list shows, for one state of the filters."""

    def __init__(self, filtered: NamespaceFilter, asked: QueryDict) -> None:
        self.filtered = filtered
        self.asked = asked
        self.is_whole = asked.get("show") == "all"

    @cached_property
    def page(self) -> Page[Namespace]:
        """The rows to show; for a page that does not exist, the nearest one."""
        rows = MAX_TABLE_ROWS if self.is_whole else DEFAULT_TABLE_ROWS
        paginator = CountedPaginator(self.filtered.qs, rows, self.filtered.facets.total)
        return paginator.get_page(self.asked.get("page"))

    @property
    def max_rows(self) -> int:
        return MAX_TABLE_ROWS

    @property
    def is_by_letter(self) -> bool:
        """Whether the rows are in alphabetical order."""
        return self.filtered.order == "nid"

    @property
    def whole_url(self) -> str:
        """Where all rows are on one page."""
        return self.url(page=None, show="all")

    @property
    def columns(self) -> dict[str, TableColumn]:
        """The sortable columns; a second click on one reverses the order."""
        return {key: self.column(key, str(label)) for key, label in TABLE_COLUMNS.items()}

    def column(self, key: str, label: str) -> TableColumn:
        """Return the column `key` as the list is sorted now."""
        directions = {key: "ascending", f"-{key}": "descending"}
        order = self.filtered.order
        return TableColumn(
            label,
            self.url(page=None, sort=f"-{key}" if order == key else key),
            directions.get(order, ""),
        )

    @property
    def letters(self) -> Iterator[LetterLink]:
        """The alphabet bar: digits first, each linking to the page where its namespaces begin."""
        counts = self.filtered.facets.count_letters()
        before = 0
        for character in "0" + string.ascii_lowercase:
            text = "#" if character == "0" else character.upper()
            page = before // (MAX_TABLE_ROWS if self.is_whole else DEFAULT_TABLE_ROWS) + 1
            url = self.url(sort=None, page=page if page > 1 else None) + f"#l-{character}"
            yield LetterLink(text, url if counts.get(character) else "")
            before += counts.get(character, 0)

    @property
    def near(self) -> list[selectors.SimilarNid]:
        """Identifiers similar to words without results."""
        words = self.filtered.form.cleaned_data.get("q", "")
        return selectors.find_similar_nids(words) if words else []

    def url(self, **changes: object) -> str:
        """Return the address of this list with some parameters changed, or removed by None."""
        asked = self.asked.copy()
        for name, value in changes.items():
            asked.pop(name, None)
            if value is not None:
                asked[name] = str(value)
        return f"?{asked.urlencode()}"
