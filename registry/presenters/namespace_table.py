"""The list of namespaces as one page of rows, with the ways to sort it and to move in it."""

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
"""So many rows a page has where all are asked for: the list grows, and a page is made at once."""
TABLE_COLUMNS = {"nid": _("NID"), "registrant": _("Registrant"), "registered": _("Registered")}


@dataclass(frozen=True, slots=True)
class LetterLink:
    """One place in the bar of letters; without names of that letter it leads nowhere."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column the list can be sorted by: its heading, what a click does, how it is sorted now."""

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
        """How many rows there are."""
        return self.counted


class NamespaceTable:
    """What a page of the list shows, for one state of the filters."""

    def __init__(self, filtered: NamespaceFilter, asked: QueryDict) -> None:
        self.filtered = filtered
        self.asked = asked
        self.is_whole = asked.get("show") == "all"

    @cached_property
    def page(self) -> Page[Namespace]:
        """The rows to show; a page that is not there is taken for the nearest one."""
        rows = MAX_TABLE_ROWS if self.is_whole else DEFAULT_TABLE_ROWS
        paginator = CountedPaginator(self.filtered.qs, rows, self.filtered.facets.total)
        return paginator.get_page(self.asked.get("page"))

    @property
    def max_rows(self) -> int:
        """How many rows a page has at most."""
        return MAX_TABLE_ROWS

    @property
    def is_by_letter(self) -> bool:
        """Whether letters are in the order of the alphabet."""
        return self.filtered.order == "nid"

    @property
    def whole_url(self) -> str:
        """Where all rows are on one page."""
        return self.url(page=None, show="all")

    @property
    def columns(self) -> dict[str, TableColumn]:
        """The columns that sort; a second click on one turns the order round."""
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
        """The bar of letters: digits first, each leading to the page where its names begin."""
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
        """Identifiers that resemble the words nothing was found for."""
        words = self.filtered.form.cleaned_data.get("q", "")
        return selectors.find_similar_nids(words) if words else []

    def url(self, **changes: object) -> str:
        """Return the address of this list with some parameters changed, or left out for None."""
        asked = self.asked.copy()
        for name, value in changes.items():
            asked.pop(name, None)
            if value is not None:
                asked[name] = str(value)
        return f"?{asked.urlencode()}"
