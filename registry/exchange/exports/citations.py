"""Citations of a registration: BibTeX and CSL-JSON, which reference managers read."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from registry.exchange.exports.entries import NamespaceEntry
from registry.models import Registration

PUBLISHER: Final = "URN Namespace Registry"
BIBTEX_ESCAPES: Final = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}
BIBTEX_SPECIAL: Final = re.compile(r"[\\~^&%$#_{}]")
MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def write_csl(entry: NamespaceEntry, site: str, registration: Registration | None = None) -> str:
    """Return the citation of a namespace or version as CSL-JSON: a list of one item."""
    return (
        json.dumps([make_csl_item(entry, site, registration)], ensure_ascii=False, indent=2) + "\n"
    )


def make_csl_item(
    entry: NamespaceEntry, site: str, registration: Registration | None
) -> dict[str, Any]:
    """Return one item of a bibliography; unknown values are left out, as in CSL."""
    date = registration.registered_on.isoformat() if registration else entry.registered_on
    summary = entry.namespace.summary
    facts: dict[str, Any] = {
        "id": make_citation_key(entry, registration),
        "type": "entry",
        "title": make_citation_title(entry, registration),
        "container-title": PUBLISHER,
        "publisher": PUBLISHER,
        "author": [{"literal": entry.registrant}] if entry.registrant else None,
        "abstract": summary,
        "version": str(registration.number) if registration else "",
        "issued": {"date-parts": [[int(part) for part in date.split("-")]]} if date else None,
        "URL": make_citation_url(entry, site, registration),
    }
    return {name: value for name, value in facts.items() if value}


def write_bibtex(entry: NamespaceEntry, site: str, registration: Registration | None = None) -> str:
    """Return the citation of a namespace or version as a BibTeX entry."""
    date = registration.registered_on.isoformat() if registration else entry.registered_on
    year, month, *_day = [*date.split("-"), "", ""]
    author, url = entry.registrant, make_citation_url(entry, site, registration)
    note = f"Version {registration.number}, SHA-256 {registration.sha256}" if registration else ""
    facts = {
        "title": f"{{{{{escape_bibtex(make_citation_title(entry, registration))}}}}}",
        "author": f"{{{{{escape_bibtex(author)}}}}}" if author else "",
        "howpublished": f"{{{PUBLISHER}}}",
        "year": f"{{{year}}}" if year else "",
        "month": MONTHS[int(month) - 1] if month else "",
        "note": f"{{{escape_bibtex(note)}}}" if note else "",
        "url": f"{{{url}}}",
    }
    lines = [f"  {name} = {value}" for name, value in facts.items() if value]
    return f"@misc{{{make_citation_key(entry, registration)},\n" + ",\n".join(lines) + "\n}\n"


def escape_bibtex(text: str) -> str:
    """Return text without characters that TeX would take for commands."""
    plain = " ".join(text.split())
    return BIBTEX_SPECIAL.sub(lambda found: BIBTEX_ESCAPES[found[0]], plain)


def make_citation_key(entry: NamespaceEntry, registration: Registration | None) -> str:
    """Return the key that texts cite the entry by."""
    return f"urn-{entry.nid}" + (f"-v{registration.number}" if registration else "")


def make_citation_title(entry: NamespaceEntry, registration: Registration | None) -> str:
    """Return the title of what is cited."""
    version = f", version {registration.number}" if registration else ""
    return f"URN namespace {entry.namespace.nid_as_registered}{version}"


def make_citation_url(entry: NamespaceEntry, site: str, registration: Registration | None) -> str:
    """Return the permanent address of the namespace or the version."""
    page = f"{site}/namespaces/{entry.nid}/"
    return f"{page}versions/{registration.number}/" if registration else page
