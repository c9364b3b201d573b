"""One line of a table: a name of the namespace, and the locator of what it names."""

from __future__ import annotations

import csv
import json
from typing import Final, NamedTuple

from django.utils.translation import gettext as _, ngettext

from registry.loading.octets import LONGEST
from registry.models import Namespace
from registry.queries.name_rules import Held, held_for, sparing
from registry.resolution.locators import key, merges
from registry.rulebook import Outcome, Rule
from registry.urn import URN, URNSyntaxError, parse
from registry.urn.uri import split, split_authority, validate

SCHEMES: Final = frozenset({"http", "https", "ftp", "ftps"})
MOST: Final = 2_000
HEADER: Final = ["name", "locator"]


class Unfit(Exception):
    """A line cannot be taken: what is wrong with it, and how to mend it."""

    def __init__(self, what: str, how: str) -> None:
        super().__init__(what)
        self.what = what
        self.how = how


class Row(NamedTuple):
    """A name as it is found and as it was written, and the locator."""

    key: bytes
    name: str
    locator: str


class Reader:
    """Reads lines of a table of one namespace, as CSV or as JSON."""

    def __init__(self, namespace: Namespace) -> None:
        self.nid = namespace.nid
        self.rule: Held | None = sparing(held_for(namespace))
        self.is_json: bool | None = None

    def read(self, text: str | None) -> Row | None:
        """Return what a line says; none for the line that names the columns.

        Raises `Unfit`. The first line tells which of the two kinds all lines are of.
        """
        if text is None:
            most = f"{LONGEST:,}"
            raise Unfit(
                _("The line has more than %(most)s octets.") % {"most": most},
                _("Put each name on a line of its own."),
            )
        is_first = self.is_json is None
        if self.is_json is None:
            self.is_json = text.lstrip().startswith("{")
        cells = from_json(text) if self.is_json else from_csv(text)
        if is_first and [cell.strip().lower() for cell in cells] == HEADER:
            return None
        name, locator = cells
        if not (name.isascii() and locator.isascii()):
            raise Unfit(
                _("The line holds a character beyond ASCII."),
                _("Percent-encode it, in the name and in the locator."),
            )
        check_locator(locator)
        return self.row(name, locator)

    def row(self, name: str, locator: str) -> Row:
        """Return the row of a name, whose locator is good."""
        urn = self.named(name)
        ruling = self.rule.check(urn) if self.rule else None
        if ruling and ruling.outcome is Outcome.AGAINST:
            raise Unfit(ruling.message, _("See %(source)s.") % {"source": ruling.source})
        # The rule that we ship has just been asked; it is what knows the equivalences.
        left_out = self.rule.merges if isinstance(self.rule, Rule) else merges(urn)
        return Row(key(left_out, urn.nss), urn.nss, locator)

    def named(self, name: str) -> URN:
        """Return the name, given in full or as its NSS; raise `Unfit` where it is none of ours."""
        is_whole = name[:4].lower() == "urn:"
        try:
            urn = parse(name if is_whole else f"urn:{self.nid}:{name}")
        except URNSyntaxError as error:
            raise Unfit(str(error), _("Write a URN, or what stands behind its NID.")) from None
        if urn.nid.lower() != self.nid:
            raise Unfit(
                _("The name is one of “%(nid)s”.") % {"nid": urn.nid},
                _("A table holds names of one namespace, here of “%(nid)s”.") % {"nid": self.nid},
            )
        if len(urn.nss) != len(urn.text) - len(urn.nid) - len("urn::"):
            raise Unfit(
                _("Behind the name stands a component (?+, ?= or #)."),
                _("Leave it out: locators are looked up by the name alone."),
            )
        if len(urn.nss) > MOST:
            raise too_long(_("The name"))
        return urn


def from_csv(text: str) -> list[str]:
    """Return the two cells of a line of CSV."""
    try:
        cells = next(csv.reader([text], strict=True))
    except csv.Error:
        raise Unfit(
            _("The quotation marks do not match."),
            _("Close each, and double those inside a cell; no cell goes on in the next line."),
        ) from None
    if len(cells) != len(HEADER):
        raise Unfit(
            ngettext("The line has %(count)d cell.", "The line has %(count)d cells.", len(cells))
            % {"count": len(cells)},
            _("Write two, with a comma between them: the name and the locator."),
        )
    return cells


def from_json(text: str) -> list[str]:
    """Return the name and the locator in a line of JSON."""
    try:
        said = json.loads(text)
        cells = [said[name] for name in HEADER]
    except (ValueError, RecursionError, KeyError, TypeError):
        cells = []
    if not cells or not all(isinstance(cell, str) for cell in cells):
        raise Unfit(
            _("The line is no JSON object with the texts “name” and “locator”."),
            _('Write one object on each line: {"name": "…", "locator": "…"}.'),
        )
    return cells


def check_locator(locator: str) -> None:
    """Raise `Unfit` for anything but an address that a client can be sent to."""
    if len(locator) > MOST:
        raise too_long(_("The locator"))
    parts = split(locator)
    if parts.scheme is None or parts.scheme.lower() not in SCHEMES or not parts.authority:
        raise Unfit(
            _("The locator is no whole address of the web."),
            _("Begin it with https://, http://, ftps:// or ftp://, and name the server."),
        )
    for error in validate(locator, "uri", most=1):
        raise Unfit(str(error), _("Percent-encode what cannot stand there."))
    authority = split_authority(parts.authority)
    if authority.userinfo is not None or not authority.host:
        raise Unfit(
            _("The locator holds a user name, or names no server."),
            _("Write the server alone between “//” and the next “/”."),
        )


def too_long(what: str) -> Unfit:
    """Return the refusal of a text that does not fit."""
    said = {"what": what, "most": f"{MOST:,}"}
    return Unfit(_("%(what)s has more than %(most)s characters.") % said, _("Shorten it."))
