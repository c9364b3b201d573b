"""Namespaces, requests and lists as plain text, grammars as ABNF, and the NAPTR zone file."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from registry.exchange.exports.bioregistry import find_document_url
from registry.exchange.exports.entries import NamespaceEntry
from registry.models import (
    ImportedRecord,
    Organization,
    Registration,
    RegistrationRequest,
    Round,
    Sighting,
)
from registry.namespace_rules import find_namespace_rule
from registry.selectors import CurrentTurn
from registry.selectors.case import open_cases_in_batches
from registry.selectors.imported_records import ImportedTemplate
from registry.selectors.shown_states import find_shown_state
from registry.template import write
from registry.template.text import indent_lines, wrap_text

PLAIN_TEXT_WIDTH: Final = 72
PLAIN_TEXT_INDENT: Final = 3


def write_namespace_text(entry: NamespaceEntry, site: str) -> str:
    """Return the text of the version in force; else what is known, and what was imported."""
    if entry.current:
        return write(entry.current.template)
    facts = format_labelled_facts(list_labelled_facts(entry, site))
    if entry.imported is None:
        return facts
    return f"{facts}\n{'-' * PLAIN_TEXT_WIDTH}\n\n{write(entry.imported.template)}"


def list_labelled_facts(entry: NamespaceEntry, site: str) -> Iterator[tuple[str, str]]:
    """Yield what is known of a namespace whose text we do not hold."""
    known = entry.namespace
    yield _("Namespace Identifier"), known.nid_as_registered
    yield _("Kind"), str(known.get_kind_display())
    yield _("Status"), str(known.get_status_display())
    yield _("Notice"), known.notice
    yield _("Replaced by"), str(known.replaced_by or "")
    yield _("Names"), known.summary
    yield _("Background"), known.background
    yield _("Registrant"), entry.registrant
    yield _("Contact"), known.contact
    yield _("Registered"), known.registered_on
    yield _("Last known version"), known.last_known_version
    yield _("Documents of record"), "\n".join(map(cite_document, entry.references))
    yield _("IANA reference"), known.iana_reference
    provenance = getattr(known, "provenance", None)
    elsewhere = provenance.template_url if provenance else ""
    if entry.imported:
        yield (
            _("Template"),
            "\n".join([describe_imported_sources(entry.imported), elsewhere]).strip(),
        )
    else:
        words = _("The text is not held here. These facts are all there is.")
        yield _("Template"), f"{words}\n{elsewhere}".strip()
    yield _("This namespace"), site + known.get_absolute_url()


def describe_imported_sources(imported: ImportedTemplate) -> str:
    """Say which lines of which documents the template below comes from."""
    sources = ", ".join(f"{each.document}, lines {each.lines}" for each in imported.records)
    words = _("Below, as a program understood it: %(sources)s. The document is what counts.")
    terms = dict.fromkeys(say_terms(each) for each in imported.records)
    return " ".join([words % {"sources": sources}, *terms])


def say_terms(record: ImportedRecord) -> str:
    """State the terms on which a record's text can be read here."""
    terms = record.document.terms
    words = _("Its text is on the terms of others: %(publisher)s, %(url)s")
    return words % {"publisher": terms.publisher, "url": terms.url}


def write_record_text(record: ImportedRecord) -> str:
    """Return the text as found, followed by its source and terms."""
    source = f"{record.document}, {record.place}: {record.document.address}"
    return f"{record.text}\n\n{'-' * PLAIN_TEXT_WIDTH}\n{source}\n{say_terms(record)}\n"


def cite_document(reference: str) -> str:
    """Return a document of record with its address."""
    where = find_document_url(reference)
    return reference if where in {"", reference} else f"{reference} <{where}>"


def format_labelled_facts(facts: Iterable[tuple[str, str]]) -> str:
    """Return the known facts, each under its label."""
    return "\n".join(format_under_label(label, text) for label, text in facts if text)


def format_under_label(label: str, text: str) -> str:
    """Return a fact after its label if both fit on a line, else below it."""
    line = f"{label}: {text}"
    if "\n" not in text and len(line) <= PLAIN_TEXT_WIDTH:
        return f"{line}\n"
    return "\n".join(
        (
            f"{label}:",
            *indent_lines(wrap_text(text, PLAIN_TEXT_WIDTH - PLAIN_TEXT_INDENT), PLAIN_TEXT_INDENT),
            "",
        )
    )


def write_request_text(
    asked: RegistrationRequest, waiting: CurrentTurn, rounds: Iterable[Round], site: str
) -> str:
    """Return the state of a request, followed by the text last sent."""
    sent, state = list(rounds), find_shown_state(waiting.case)
    stands = [
        (_("Request"), asked.reference),
        (_("Identifier"), asked.nid),
        (_("Names"), asked.summary),
        (_("Asks for"), str(asked.get_change_display())),
        (_("Path"), str(asked.get_path_display())),
        (_("Asked by"), asked.organization.name),
        (
            _("State"),
            f"{state.words}, {asked.state_since:%Y-%m-%d}",
        ),
        (_("State code"), str(state.value)),
        (_("Waiting for"), waiting.who),
        (_("Promised by"), waiting.promised_by.isoformat() if waiting.promised_by else ""),
        (_("Rounds"), "\n".join(map(format_round_line, sent))),
        (_("This request"), site + asked.get_absolute_url()),
    ]
    if not sent or asked.changes_facts:
        return format_labelled_facts(stands)
    return (
        f"{format_labelled_facts(stands)}\n{'-' * PLAIN_TEXT_WIDTH}\n\n{write(sent[-1].template)}"
    )


def format_round_line(sent: Round) -> str:
    """Return a round with its date and the digest of its text."""
    return f"{sent.number}: {sent.submitted_at:%Y-%m-%d}, SHA-256 {sent.sha256}"


def write_requests_text(found: Iterable[RegistrationRequest]) -> Iterator[str]:
    """Yield requests, one per line with their state; the first line explains the columns."""
    yield f"{'Request':14}{'Identifier':24}{'Since':12}State\n"
    for case in open_cases_in_batches(found):
        each = case.request
        yield (
            f"{each.reference:14}{each.nid or '-':24}{each.state_since:%Y-%m-%d}  "
            f"{find_shown_state(case).words}\n"
        )


def write_organizations_text(found: Iterable[Organization]) -> Iterator[str]:
    """Yield organizations by name."""
    return (f"{each.name}\n" for each in found)


def write_organization_text(told: Mapping[str, Any]) -> str:
    """Return the lines about one organization."""
    about = [
        (_("Name"), told["name"]),
        (_("Former names"), ", ".join(told["former_names"])),
        (_("Aliases"), ", ".join(told["aliases"])),
        (_("Identifiers"), ", ".join(told["public_ids"])),
        (_("Website"), told["website"] or ""),
        (_("Recognised"), told["recognised_on"] or ""),
        (_("Namespaces"), ", ".join(told["namespaces"])),
        (_("Requests"), ", ".join(told["requests"])),
        (_("Page"), told["page"]),
    ]
    return format_labelled_facts(about)


def write_sightings_text(found: Iterable[Sighting]) -> Iterator[str]:
    """Yield what was seen of each NID."""
    for each in found:
        about = [
            (_("NID"), each.nid),
            (_("Used by"), each.user_of_it),
            (_("Noted"), f"{each.noted_at:%Y-%m-%d}"),
            (_("Evidence"), each.evidence),
        ]
        yield f"{format_labelled_facts(about)}\n"


ABNF_COMMENT_WIDTH: Final = 70
ANY_NAME_GRAMMAR: Final = """\
assigned-name = "urn:{nid}:" NSS
NSS           = pchar *( pchar / "/" )
pchar         = unreserved / pct-encoded / sub-delims / ":" / "@"
unreserved    = ALPHA / DIGIT / "-" / "." / "_" / "~"
pct-encoded   = "%" HEXDIG HEXDIG
sub-delims    = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="
"""


def write_abnf(
    nid: str,
    registration: Registration | None,
    imported: ImportedTemplate | None = None,
    *,
    may_stand_in: bool = True,
) -> str:
    """Return the grammar of `registration`, else our rule if one `may_stand_in`, or an imported
    one.

    If there is none, the general one of RFC 8141, section 2, which applies here too.
    """
    if registration and registration.grammar_kind == "abnf" and registration.grammar.strip():
        about = f"Names of urn:{nid}, from its registration, version {registration.number}."
        if registration.grammar_start:
            about = f"{about} A name is described by the rule {registration.grammar_start}."
        return format_abnf_file(about, registration.grammar)
    held = find_namespace_rule(nid) if may_stand_in else None
    if held and held.kind == "abnf":
        about = (
            f"The part behind urn:{nid}: of its names. Not from a registration that is held here, "
            f"but the registry's own reading of {held.document}."
        )
        left_open = f"Left open: {held.left_open}" if held.left_open else ""
        return format_abnf_file(f"{about} {left_open}".rstrip(), held.grammar)
    if imported and registration is None and imported.grammar_kind == "abnf":
        about = f"Names of urn:{nid}, from {imported.rule_document}. The document is what counts."
        return format_abnf_file(about, imported.template.grammar)
    return format_abnf_file(
        explain_general_grammar(nid, registration), ANY_NAME_GRAMMAR.format(nid=nid)
    )


def has_own_grammar(
    nid: str, registration: Registration | None, imported: ImportedTemplate | None = None
) -> bool:
    """Whether the namespace has a grammar of its own."""
    if registration and registration.grammar_kind == "abnf":
        return bool(registration.grammar.strip())
    held = find_namespace_rule(nid)
    if held is not None and held.kind == "abnf":
        return True
    return imported is not None and registration is None and imported.grammar_kind == "abnf"


def explain_general_grammar(nid: str, registration: Registration | None) -> str:
    """Say why the grammar is the general one."""
    if registration and registration.grammar.strip():
        found = "gives a grammar that is not ABNF; its .txt has it"
    elif registration:
        found = "gives no grammar"
    else:
        return f"No ABNF for urn:{nid} is held here. RFC 8141, section 2 says of every namespace:"
    return (
        f"Version {registration.number} of urn:{nid} {found}. "
        "RFC 8141, section 2 says of every namespace:"
    )


def format_abnf_file(about: str, grammar: str) -> str:
    """Return a grammar below a comment that says what it is."""
    comment = "\n".join(f"; {line}" for line in wrap_text(about, ABNF_COMMENT_WIDTH))
    return f"{comment}\n\n{grammar.strip()}\n"


# A client of the Dynamic Delegation Discovery System with a name such as `urn:isbn:…` looks up
# `isbn.urn.arpa` (RFC 3404, sections 4.2 and 4.5) and rewrites the whole URN by the rule that it
# finds. The flag `u` says that the result is a URI and the last step (section 4.3); the services
# are those of RFC 2483 that the resolver supports, without a protocol, since the URI has its own
# (4.4).

ORIGIN: Final = "urn.arpa."
TTL: Final = 86_400
ORDER: Final = 100
PREFERENCE: Final = 10
NAPTR_DESIGNATORS: Final = (
    (frozenset({"I2L", "I2R"}), "+I2L+I2Ls"),
    (frozenset({"I2Ls", "I2Rs"}), "+I2Ls"),
    (frozenset({"I2C", "I2Cs"}), "+I2C"),
)
"""What the resolver does for a namespace, by the first of its services that it leads to."""
MAX_CHARACTER_STRING: Final = 255
"""How many octets fit into one character-string (RFC 1035, section 3.3)."""


def write_zone(
    found: Iterable[NamespaceEntry],
    site: str,
    at: datetime.datetime | None,
    offered: Mapping[int, Collection[str]],
) -> str:
    """Return the zone as it has been since `at`; `site` is where this registry resolves.

    The serial number is that time in seconds, so that it grows with every change (RFC 1982). Names
    are relative to the origin. `offered` are the services by namespace key; a namespace without one
    has no record.
    """
    host = make_domain_name(urlsplit(site).hostname or "")
    serial = int(at.timestamp()) if at else 1
    return "\n".join(
        [
            f"; NAPTR records of {site} (RFC 3403; flags and services: RFC 3404).",
            f"$ORIGIN {ORIGIN}",
            f"$TTL {TTL}",
            f"@ IN SOA ns.{host} registry.{host} ( {serial} 7200 3600 1209600 3600 )",
            f"@ IN NS ns.{host}",
            *(
                write_naptr_record(entry.nid, site, services)
                for entry in found
                if (services := choose_naptr_services(offered.get(entry.namespace.pk, ())))
            ),
            "",
        ]
    )


def make_domain_name(host: str) -> str:
    """Return a host as a domain name; IP addresses have none."""
    return "localhost." if not host or re.fullmatch(r"[0-9.]+|.*:.*", host) else f"{host}."


def choose_naptr_services(offered: Collection[str]) -> str:
    """Return a record's services, or empty if the resolver leads nowhere."""
    known = (said for designators, said in NAPTR_DESIGNATORS if designators & set(offered))
    return next(known, "")


def write_naptr_record(nid: str, site: str, services: str) -> str:
    """Return the rule of one namespace: our resolver's address followed by the unchanged URN."""
    rule = quote_character_string(write_rewrite_rule(nid, site))
    return f'{nid} IN NAPTR {ORDER} {PREFERENCE} "u" "{services}" {rule} .'


def write_rewrite_rule(nid: str, site: str) -> str:
    """Return the substitution of RFC 3402, section 3.2; `i` since NIDs ignore case.

    Raises `ValueError` if it cannot contain the registry's address.
    """
    address = f"{site}/resolve/"
    if "!" in address or "\\" in address:
        raise ValueError(f"{site} cannot stand in a NAPTR record.")
    written = rf"!^(urn:{nid}:.*)$!{address}\1!i"
    if len(written.encode()) > MAX_CHARACTER_STRING:
        raise ValueError(f"{site} is too long for a NAPTR record.")
    return written


def quote_character_string(text: str) -> str:
    """Return a character-string in zone file syntax (RFC 1035, section 5.1)."""
    escaped = text.replace("\\", r"\\").replace('"', r"\"")
    return f'"{escaped}"'
