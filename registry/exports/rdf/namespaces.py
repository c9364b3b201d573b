"""Namespaces as concepts of a scheme (SKOS), and their versions as entities (PROV)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from registry.exports.entries import Entry
from registry.exports.prefixes import address
from registry.exports.rdf.graph import (
    IRI,
    Node,
    Term,
    checksum,
    day,
    iri,
    moment,
    node,
    text,
    typed,
)
from registry.models import Namespace, Organization, Registration
from registry.template import FIELDS

Said = tuple[str, Term | None]


def scheme(found: Iterable[Entry], site: str) -> Iterator[Node]:
    """Yield the scheme, then each of the namespaces and what belongs to them."""
    yield node(
        scheme_id(site),
        "skos:ConceptScheme",
        ("dcterms:title", text("URN namespaces", "en")),
        ("dcterms:description", text("The namespaces of RFC 8141, formal and informal.", "en")),
        ("dcterms:conformsTo", IRI("https://www.rfc-editor.org/info/rfc8141")),
        ("rdfs:isDefinedBy", IRI(f"{site}/namespaces/")),
    )
    named: set[int] = set()
    for entry in found:
        yield concept(entry, site)
        for registration in entry.versions:
            yield from version(entry, registration, site)
        registrant = entry.namespace.registrant
        if registrant and registrant.pk not in named:
            named.add(registrant.pk)
            yield organization(registrant, site)


def scheme_id(site: str) -> str:
    """Return what stands for the scheme of all namespaces."""
    return f"{site}/namespaces/#scheme"


def namespace_id(nid: str, site: str) -> IRI:
    """Return what stands for a namespace, as distinct from its page."""
    return IRI(f"{site}/namespaces/{nid}/#namespace")


def version_id(nid: str, number: int, site: str) -> IRI:
    """Return what stands for a version, as distinct from its page."""
    return IRI(f"{site}/namespaces/{nid}/versions/{number}/#version")


def organization_id(pk: int, site: str) -> IRI:
    """Return what stands for an organization, as distinct from its page."""
    return IRI(f"{site}/organizations/{pk}/#organization")


def request_id(slug: str, site: str) -> IRI:
    """Return what stands for a request, as distinct from its page."""
    return IRI(f"{site}/requests/{slug}/#request")


def concept(entry: Entry, site: str) -> Node:
    """Return a namespace: what it is called, what it is, and where more is said of it."""
    namespace = entry.namespace
    registrant = namespace.registrant_id
    return node(
        namespace_id(entry.nid, site),
        "skos:Concept reg:Namespace",
        ("skos:notation", typed(entry.nid, "reg:NID")),
        ("skos:prefLabel", text(entry.nid)),
        *spellings(namespace),
        ("skos:definition", text(namespace.summary, "en")),
        ("skos:note", text(namespace.notice, "en")),
        ("skos:inScheme", IRI(scheme_id(site))),
        ("skos:topConceptOf", IRI(scheme_id(site))),
        ("adms:status", IRI(f"reg:status-{namespace.status}")),
        ("owl:deprecated", typed("true", "xsd:boolean") if namespace.status != "active" else None),
        ("reg:kind", IRI(f"reg:kind-{namespace.kind}")),
        ("sh:prefix", text(entry.nid)),
        ("sh:namespace", typed(f"urn:{entry.nid}:", "xsd:anyURI")),
        ("skos:example", text(entry.example)),
        ("dcterms:rightsHolder", organization_id(registrant, site) if registrant else None),
        ("dcterms:issued", day(entry.registered_on)),
        ("dcterms:modified", moment(namespace.updated_at)),
        *documents(entry),
        *(("dcterms:hasVersion", version_id(entry.nid, v.number, site)) for v in entry.versions),
        ("foaf:isPrimaryTopicOf", IRI(f"{site}/namespaces/{entry.nid}/")),
    )


def spellings(namespace: Namespace) -> Iterator[Said]:
    """Yield the spelling as registered, where it is another."""
    if namespace.nid_as_registered != namespace.nid:
        yield "skos:altLabel", text(namespace.nid_as_registered)


def documents(entry: Entry) -> Iterator[Said]:
    """Yield the documents of record: by address, or in words where that is all there is."""
    for reference in entry.references:
        known = iri(address(reference))
        yield (
            ("rdfs:isDefinedBy", known)
            if known
            else (
                "dcterms:bibliographicCitation",
                text(reference),
            )
        )


def version(entry: Entry, registration: Registration, site: str) -> Iterator[Node]:
    """Yield a version: what it revises, what replaced it, and the digest of its text."""
    numbers = [each.number for each in entry.versions]
    before = max((n for n in numbers if n < registration.number), default=None)
    after = min((n for n in numbers if n > registration.number), default=None)
    identity = version_id(entry.nid, registration.number, site)
    yield node(
        identity,
        "prov:Entity reg:Version",
        ("dcterms:isVersionOf", namespace_id(entry.nid, site)),
        ("dcat:version", text(registration.number)),
        ("dcterms:issued", day(registration.registered_on)),
        ("prov:wasRevisionOf", version_id(entry.nid, before, site) if before else None),
        ("dcterms:isReplacedBy", version_id(entry.nid, after, site) if after else None),
        ("spdx:checksum", IRI(f"{identity}-sha256")),
        ("foaf:isPrimaryTopicOf", IRI(identity.removesuffix("#version"))),
    )
    yield from checksum(f"{identity}-sha256", registration.sha256)


def wording(entry: Entry, registration: Registration, site: str) -> Iterator[Node]:
    """Yield a version with its text, field by field, and the request that it comes from."""
    first, *others = version(entry, registration, site)
    template = registration.template
    said: list[Said] = [(f"reg:{field.name}", text(template[field.name])) for field in FIELDS]
    said += [("skos:example", text(each)) for each in template.examples]
    said.append(("reg:grammar", text(template.grammar)))
    request = registration.registration_request
    said.append(("prov:wasGeneratedBy", request_id(request.slug, site)))
    yield node(first.id, " ".join(first.types), *first.said, *said)
    yield from others


def organization(known: Organization, site: str) -> Node:
    """Return an organization."""
    return node(
        organization_id(known.pk, site),
        "foaf:Organization prov:Organization",
        ("foaf:name", text(known.name)),
        ("foaf:homepage", iri(known.website)),
    )
