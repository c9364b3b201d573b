"""Namespaces, requests and lists as plain text, set in 72 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from django.utils.translation import gettext as _

from registry.exchange.exports.bioregistry import find_document_url
from registry.exchange.exports.entries import NamespaceEntry
from registry.models import Organization, RegistrationRequest, Round, Sighting
from registry.selectors import CurrentTurn
from registry.template import write
from registry.template.text import indent_lines, wrap_text

PLAIN_TEXT_WIDTH: Final = 72
PLAIN_TEXT_INDENT: Final = 3


def write_namespace_text(entry: NamespaceEntry, site: str) -> str:
    """Return the text of the version in force; else what is known, and where the text may be."""
    if entry.current:
        return write(entry.current.template)
    return format_labelled_facts(list_labelled_facts(entry, site))


def list_labelled_facts(entry: NamespaceEntry, site: str) -> Iterator[tuple[str, str]]:
    """Yield what is known of a namespace whose text is not held here."""
    known = entry.namespace
    yield _("Namespace Identifier"), known.nid_as_registered
    yield _("Kind"), str(known.get_kind_display())
    yield _("Status"), str(known.get_status_display())
    yield _("Notice"), known.notice
    yield _("Names"), known.summary
    yield _("Registrant"), entry.registrant
    yield _("Contact"), known.contact
    yield _("Registered"), known.registered_on
    yield _("Last known version"), known.last_known_version
    yield _("Documents of record"), "\n".join(map(cite_document, entry.references))
    provenance = getattr(known, "provenance", None)
    elsewhere = provenance.template_url if provenance else ""
    yield (
        _("Template"),
        "\n".join(
            [_("The text is not held here. These facts are all there is."), elsewhere]
        ).strip(),
    )
    yield _("This namespace"), site + known.get_absolute_url()


def cite_document(reference: str) -> str:
    """Return a document of record with where it is read."""
    where = find_document_url(reference)
    return reference if where in {"", reference} else f"{reference} <{where}>"


def format_labelled_facts(facts: Iterable[tuple[str, str]]) -> str:
    """Return facts under their labels, those alone that are known."""
    return "\n".join(format_under_label(label, text) for label, text in facts if text)


def format_under_label(label: str, text: str) -> str:
    """Return a fact behind its label where both fit in a line, else below it."""
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
    """Return where a request stands, and below it the text that was sent last."""
    sent = list(rounds)
    stands = [
        (_("Request"), asked.reference),
        (_("Identifier"), asked.nid),
        (_("Names"), asked.summary),
        (_("Asks for"), str(asked.get_change_display())),
        (_("Path"), str(asked.get_path_display())),
        (_("Organization"), asked.organization.name),
        (_("State"), f"{asked.get_state_display()}, {asked.state_since:%Y-%m-%d}"),
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
    """Return a round with when it was sent and the digest of its text."""
    return f"{sent.number}: {sent.submitted_at:%Y-%m-%d}, SHA-256 {sent.sha256}"


def write_requests_text(found: Iterable[RegistrationRequest]) -> Iterator[str]:
    """Yield requests, each with where it stands; the first line says what stands where."""
    yield f"{'Request':14}{'Identifier':24}{'Since':12}State\n"
    for each in found:
        yield (
            f"{each.reference:14}{each.nid or '-':24}{each.state_since:%Y-%m-%d}  "
            f"{each.get_state_display()}\n"
        )


def write_organizations_text(found: Iterable[Organization]) -> Iterator[str]:
    """Yield organizations by name."""
    return (f"{each.name}\n" for each in found)


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
