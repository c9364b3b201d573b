"""A line of a table, with a name and its locator, and the report of refused lines."""

from __future__ import annotations

import csv
import json
from bisect import insort
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _, ngettext

from registry.errors import RegistryError
from registry.exchange.csv_rows import format_csv_rows
from registry.exchange.text_lines import MAX_LINE_BYTES
from registry.models import LocatorTable, Namespace
from registry.namespace_rules import Outcome
from registry.resolution.sources import build_locator_key
from registry.selectors.name_rules import (
    NameRule,
    find_equivalence_of_namespace,
    find_rule_of_namespace,
    strip_explanations,
)
from registry.urn import URN, URNSyntaxError, parse
from registry.urn.equivalence import fold_percent_octets
from registry.urn.uri import (
    split_authority,
    split_reference,
    validate_reference,
)

LOCATOR_SCHEMES: Final = frozenset({"http", "https", "ftp", "ftps"})
MAX_CELL_LENGTH: Final = 2_000
LOCATOR_COLUMNS: Final = ["name", "locator"]


class LineRefused(RegistryError):
    """A line cannot be accepted: what is wrong with it, and how to fix it."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, what: str, how: str) -> None:
        super().__init__(what)
        self.what = what
        self.how = how


class LocatorRow(NamedTuple):
    """A name as it is looked up and as it was written, and the locator."""

    key: bytes
    name: str
    locator: str


class LocatorReader:
    """Reads lines of a table of one namespace, as CSV or as JSON."""

    def __init__(self, namespace: Namespace) -> None:
        self.nid = namespace.nid
        self.rule: NameRule | None = strip_explanations(find_rule_of_namespace(namespace))
        self.equivalence = find_equivalence_of_namespace(namespace)
        self.is_json: bool | None = None

    def read(self, text: str | None) -> LocatorRow | None:
        """Return the content of a line, or None for a header line.

        Raises `LineRefused`. The first line decides the format of all lines.
        """
        if text is None:
            most = f"{MAX_LINE_BYTES:,}"
            raise LineRefused(
                _("The line has more than %(most)s octets.") % {"most": most},
                _("Put each name on a line of its own."),
            )
        is_first = self.is_json is None
        if self.is_json is None:
            self.is_json = text.lstrip().startswith("{")
        cells = parse_json_line(text) if self.is_json else parse_csv_line(text)
        if is_first and [cell.strip().lower() for cell in cells] == LOCATOR_COLUMNS:
            return None
        name, locator = cells
        if not (name.isascii() and locator.isascii()):
            raise LineRefused(
                _("The line holds a character beyond ASCII."),
                _("Percent-encode it, in the name and in the locator."),
            )
        check_locator(locator)
        return self.row(name, locator)

    def row(self, name: str, locator: str) -> LocatorRow:
        """Return the row for a name whose locator is valid."""
        urn = self.named(name)
        ruling = self.rule.check(urn) if self.rule else None
        if ruling and ruling.outcome is Outcome.AGAINST:
            raise LineRefused(ruling.message, _("See %(source)s.") % {"source": ruling.source})
        # The rule was just applied, and need not be again.
        folded = fold_percent_octets(urn.nss)
        compared = self.equivalence.find_merged(folded) if self.equivalence else folded
        return LocatorRow(build_locator_key(compared), urn.nss, locator)

    def named(self, name: str) -> URN:
        """Return the name, given in full or as its NSS; refuse one in another namespace."""
        is_whole = name[:4].lower() == "urn:"
        try:
            urn = parse(name if is_whole else f"urn:{self.nid}:{name}")
        except URNSyntaxError as error:
            raise LineRefused(str(error), _("Write a URN, or the part after its NID.")) from None
        if urn.nid.lower() != self.nid:
            raise LineRefused(
                _("The name is one of “%(nid)s”.") % {"nid": urn.nid},
                _("A table holds names of one namespace, here of “%(nid)s”.") % {"nid": self.nid},
            )
        if len(urn.nss) != len(urn.text) - len(urn.nid) - len("urn::"):
            raise LineRefused(
                _("A component follows the name (?+, ?= or #)."),
                _("Leave it out: locators are looked up by the name alone."),
            )
        if len(urn.nss) > MAX_CELL_LENGTH:
            raise make_length_refusal(_("The name"))
        return urn


def parse_csv_line(text: str) -> list[str]:
    """Return the two cells of a line of CSV."""
    try:
        cells = next(csv.reader([text], strict=True))
    except csv.Error:
        raise LineRefused(
            _("The quotation marks do not match."),
            _("Close each, and double those inside a cell; no cell goes on in the next line."),
        ) from None
    if len(cells) != len(LOCATOR_COLUMNS):
        raise LineRefused(
            ngettext("The line has %(count)d cell.", "The line has %(count)d cells.", len(cells))
            % {"count": len(cells)},
            _("Write two, with a comma between them: the name and the locator."),
        )
    return cells


def parse_json_line(text: str) -> list[str]:
    """Return the name and the locator in a line of JSON."""
    try:
        said = json.loads(text)
        cells = [said[name] for name in LOCATOR_COLUMNS]
    except (ValueError, RecursionError, KeyError, TypeError):
        cells = []
    if not cells or not all(isinstance(cell, str) for cell in cells):
        raise LineRefused(
            _("The line is not a JSON object with the strings “name” and “locator”."),
            _('Write one object on each line: {"name": "…", "locator": "…"}.'),
        )
    return cells


def check_locator(locator: str) -> None:
    """Raise `LineRefused` unless it is an address that a client can be redirected to."""
    if len(locator) > MAX_CELL_LENGTH:
        raise make_length_refusal(_("The locator"))
    parts = split_reference(locator)
    if parts.scheme is None or parts.scheme.lower() not in LOCATOR_SCHEMES or not parts.authority:
        raise LineRefused(
            _("The locator is not a complete web address."),
            _("Begin it with https://, http://, ftps:// or ftp://, and name the server."),
        )
    for error in validate_reference(locator, "uri", most=1):
        raise LineRefused(str(error), _("Percent-encode characters that are not allowed there."))
    authority = split_authority(parts.authority)
    if authority.userinfo is not None or not authority.host:
        raise LineRefused(
            _("The locator contains a user name, or names no server."),
            _("Write the server alone between “//” and the next “/”."),
        )


def make_length_refusal(what: str) -> LineRefused:
    """Return the refusal of a text that is too long."""
    said = {"what": what, "most": f"{MAX_CELL_LENGTH:,}"}
    return LineRefused(_("%(what)s has more than %(most)s characters.") % said, _("Shorten it."))


REPORT_COLUMNS: Final = ("line", "what", "how")
MAX_REPORTED_LINES: Final = 1_000
"""How many refused lines are listed, first in the file; all are counted."""


class RefusalReport:
    """Counts refused lines and keeps the first of the file, in whatever order they are found."""

    def __init__(self) -> None:
        self.count = 0
        self.kept: list[tuple[int, str, str]] = []

    def refuse(self, number: int, unfit: LineRefused) -> None:
        """Add one line; line 0 is the file as a whole."""
        self.count += 1
        if len(self.kept) < MAX_REPORTED_LINES or number < self.kept[-1][0]:
            insort(self.kept, (number, unfit.what, unfit.how))
            del self.kept[MAX_REPORTED_LINES:]

    def as_rows(self) -> list[dict[str, Any]]:
        """Return what the table stores of it."""
        return [dict(zip(REPORT_COLUMNS, row, strict=True)) for row in self.kept]


def write_report_csv(table: LocatorTable) -> str:
    """Return the report of a refused table as a file."""
    return format_csv_rows(
        [REPORT_COLUMNS, *([row[name] for name in REPORT_COLUMNS] for row in table.report)]
    )
