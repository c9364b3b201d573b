"""Requests as activities, and their rounds as entities that revise one another (PROV)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from registry.exports.rdf.graph import IRI, Node, checksum, moment, node, text, typed
from registry.exports.rdf.namespaces import (
    namespace_id,
    organization,
    organization_id,
    request_id,
    version_id,
)
from registry.models import Registration, RegistrationRequest, Round


def activities(found: Iterable[RegistrationRequest], site: str) -> Iterator[Node]:
    """Yield requests, and each organization that asks."""
    named: set[int] = set()
    for each in found:
        yield activity(each, site)
        if each.organization_id not in named:
            named.add(each.organization_id)
            yield organization(each.organization, site)


def activity(
    asked: RegistrationRequest,
    site: str,
    rounds: Sequence[Round] = (),
    published: Registration | None = None,
) -> Node:
    """Return a request: what it asks for, where it stands, and what came of it."""
    namespace, identity = asked.namespace, request_id(asked.slug, site)
    return node(
        identity,
        "prov:Activity reg:Request",
        ("dcterms:identifier", text(asked.reference)),
        ("dcterms:title", text(asked.summary)),
        ("reg:nid", text(asked.nid)),
        ("reg:change", IRI(f"reg:change-{asked.change}")),
        ("reg:path", IRI(f"reg:path-{asked.path}")),
        ("adms:status", IRI(f"reg:state-{asked.state}")),
        ("dcterms:created", moment(asked.created_at)),
        ("dcterms:modified", moment(asked.state_since)),
        ("prov:wasAssociatedWith", organization_id(asked.organization_id, site)),
        ("dcterms:subject", namespace_id(namespace.nid, site) if namespace else None),
        *(("prov:used", round_id(asked, each, site)) for each in rounds),
        (
            "prov:generated",
            version_id(published.namespace.nid, published.number, site) if published else None,
        ),
        ("foaf:isPrimaryTopicOf", IRI(f"{site}/requests/{asked.slug}/")),
    )


def round_id(asked: RegistrationRequest, sent: Round, site: str) -> IRI:
    """Return what stands for a round."""
    return IRI(f"{site}/requests/{asked.slug}/#round-{sent.number}")


def course(
    asked: RegistrationRequest,
    rounds: Sequence[Round],
    published: Registration | None,
    site: str,
) -> Iterator[Node]:
    """Yield one request with its rounds and the version that came of it."""
    yield activity(asked, site, rounds, published)
    yield organization(asked.organization, site)
    for before, sent in zip((None, *rounds), rounds, strict=False):
        yield from entity(asked, sent, before, site)


def entity(
    asked: RegistrationRequest, sent: Round, before: Round | None, site: str
) -> Iterator[Node]:
    """Yield a round: when it was sent, what it revises, and the digest of its text."""
    identity = round_id(asked, sent, site)
    yield node(
        identity,
        "prov:Entity reg:Round",
        ("reg:number", typed(sent.number, "xsd:integer")),
        ("prov:generatedAtTime", moment(sent.submitted_at) if sent.submitted_at else None),
        ("prov:wasRevisionOf", round_id(asked, before, site) if before else None),
        ("spdx:checksum", IRI(f"{identity}-sha256")),
    )
    yield from checksum(f"{identity}-sha256", sent.sha256)
