"""Namespaces, requests and lists as plain text, set in 72 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from django.utils.translation import gettext as _

from registry.exports.entries import Entry
from registry.exports.prefixes import address
from registry.models import Organization, RegistrationRequest, Round, Sighting
from registry.queries import Waiting
from registry.template import write
from registry.template.wrapping import indent, wrap

WIDTH: Final = 72
DEPTH: Final = 3


def namespace(entry: Entry, site: str) -> str:
    """Return the text of the version in force; else what is known, and where the text may be."""
    if entry.current:
        return write(entry.current.template)
    return labelled(facts(entry, site))


def facts(entry: Entry, site: str) -> Iterator[tuple[str, str]]:
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
    yield _("Documents of record"), "\n".join(map(cited, entry.references))
    provenance = getattr(known, "provenance", None)
    elsewhere = provenance.template_url if provenance else ""
    yield (
        _("Template"),
        "\n".join(
            [_("The text is not held here. These facts are all there is."), elsewhere]
        ).strip(),
    )
    yield _("This namespace"), site + known.get_absolute_url()


def cited(reference: str) -> str:
    """Return a document of record with where it is read."""
    where = address(reference)
    return reference if where in {"", reference} else f"{reference} <{where}>"


def labelled(facts: Iterable[tuple[str, str]]) -> str:
    """Return facts under their labels, those alone that are known."""
    return "\n".join(under(label, text) for label, text in facts if text)


def under(label: str, text: str) -> str:
    """Return a fact behind its label where both fit in a line, else below it."""
    line = f"{label}: {text}"
    if "\n" not in text and len(line) <= WIDTH:
        return f"{line}\n"
    return "\n".join((f"{label}:", *indent(wrap(text, WIDTH - DEPTH), DEPTH), ""))


def request(
    asked: RegistrationRequest, waiting: Waiting, rounds: Iterable[Round], site: str
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
        (_("Rounds"), "\n".join(map(dated, sent))),
        (_("This request"), site + asked.get_absolute_url()),
    ]
    if not sent or asked.changes_facts:
        return labelled(stands)
    return f"{labelled(stands)}\n{'-' * WIDTH}\n\n{write(sent[-1].template)}"


def dated(sent: Round) -> str:
    """Return a round with when it was sent and the digest of its text."""
    return f"{sent.number}: {sent.submitted_at:%Y-%m-%d}, SHA-256 {sent.sha256}"


def requests(found: Iterable[RegistrationRequest]) -> Iterator[str]:
    """Yield requests, each with where it stands; the first line says what stands where."""
    yield f"{'Request':14}{'Identifier':24}{'Since':12}State\n"
    for each in found:
        yield (
            f"{each.reference:14}{each.nid or '-':24}{each.state_since:%Y-%m-%d}  "
            f"{each.get_state_display()}\n"
        )


def organizations(found: Iterable[Organization]) -> Iterator[str]:
    """Yield organizations by name."""
    return (f"{each.name}\n" for each in found)


def sightings(found: Iterable[Sighting]) -> Iterator[str]:
    """Yield what was seen of each NID."""
    for each in found:
        about = [
            (_("NID"), each.nid),
            (_("Used by"), each.user_of_it),
            (_("Noted"), f"{each.noted_at:%Y-%m-%d}"),
            (_("Evidence"), each.evidence),
        ]
        yield f"{labelled(about)}\n"
