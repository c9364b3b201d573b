"""The content of graphs: namespaces (SKOS, PROV), services, requests (PROV), and our vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from django.utils.translation import override

from registry.enums import (
    ChangeKind,
    NamespaceKind,
    NamespaceStatus,
    RequestPath,
    State,
    UnapprovedState,
)
from registry.exchange.exports.bioregistry import find_document_url
from registry.exchange.exports.entries import NamespaceEntry
from registry.exchange.exports.rdf import (
    IRI,
    RDFNode,
    RDFTerm,
    describe_checksum,
    make_day_literal,
    make_iri,
    make_moment_literal,
    make_node,
    make_text_literal,
    make_typed_literal,
)
from registry.licences import get_data_licence
from registry.models import (
    Namespace,
    Organization,
    Registration,
    RegistrationRequest,
    ResolutionService,
    Round,
)
from registry.selectors.case import RequestCase, open_case, open_cases_in_batches
from registry.selectors.shown_states import find_shown_state
from registry.template import FIELDS

Statement = tuple[str, RDFTerm | None]


ServicesByNamespace = Mapping[int, Sequence[ResolutionService]]


def describe_scheme(
    found: Iterable[NamespaceEntry], site: str, services: ServicesByNamespace | None = None
) -> Iterator[RDFNode]:
    """Yield the scheme, then each namespace and what belongs to it.

    `services` are those in use by the key of their namespace, if they are to be included.
    """
    yield make_node(
        make_scheme_iri(site),
        "skos:ConceptScheme",
        ("dcterms:title", make_text_literal("URN namespaces", "en")),
        (
            "dcterms:description",
            make_text_literal("The namespaces of RFC 8141, formal and informal.", "en"),
        ),
        ("dcterms:conformsTo", IRI("https://www.rfc-editor.org/info/rfc8141")),
        ("dcterms:license", IRI(get_data_licence().url)),
        ("rdfs:isDefinedBy", IRI(f"{site}/namespaces/")),
    )
    named: set[int] = set()
    for entry in found:
        yield describe_concept(entry, site)
        for registration in entry.versions:
            yield from describe_version(entry, registration, site)
        for service in (services or {}).get(entry.namespace.pk, ()):
            yield describe_service(service, entry.nid, site)
        registrant = entry.namespace.registrant
        if registrant and registrant.pk not in named:
            named.add(registrant.pk)
            yield describe_organization(registrant, site)


def make_scheme_iri(site: str) -> str:
    """Return the name of the scheme of all namespaces."""
    return f"{site}/namespaces/#scheme"


def make_namespace_iri(nid: str, site: str) -> IRI:
    """Return the name of a namespace, as distinct from its page."""
    return IRI(f"{site}/namespaces/{nid}/#namespace")


def make_version_iri(nid: str, number: int, site: str) -> IRI:
    """Return the name of a version, as distinct from its page."""
    return IRI(f"{site}/namespaces/{nid}/versions/{number}/#version")


def make_organization_iri(pk: int, site: str) -> IRI:
    """Return the name of an organization, as distinct from its page."""
    return IRI(f"{site}/organizations/{pk}/#organization")


def make_request_iri(slug: str, site: str) -> IRI:
    """Return the name of a request, as distinct from its page."""
    return IRI(f"{site}/requests/{slug}/#request")


def describe_concept(entry: NamespaceEntry, site: str) -> RDFNode:
    """Return a namespace: its name, what it is, and links to more."""
    namespace = entry.namespace
    registrant = namespace.registrant_id
    return make_node(
        make_namespace_iri(entry.nid, site),
        "skos:Concept reg:Namespace",
        ("skos:notation", make_typed_literal(entry.nid, "reg:NID")),
        ("skos:prefLabel", make_text_literal(entry.nid)),
        *state_spellings(namespace),
        ("skos:definition", make_text_literal(namespace.summary, "en")),
        ("skos:note", make_text_literal(namespace.notice, "en")),
        ("skos:inScheme", IRI(make_scheme_iri(site))),
        ("skos:topConceptOf", IRI(make_scheme_iri(site))),
        ("adms:status", IRI(f"reg:status-{namespace.status}")),
        (
            "dcterms:isReplacedBy",
            make_namespace_iri(namespace.replaced_by.nid, site) if namespace.replaced_by else None,
        ),
        (
            "owl:deprecated",
            make_typed_literal("true", "xsd:boolean") if namespace.status != "active" else None,
        ),
        ("reg:kind", IRI(f"reg:kind-{namespace.kind}")),
        ("sh:prefix", make_text_literal(entry.nid)),
        ("sh:namespace", make_typed_literal(f"urn:{entry.nid}:", "xsd:anyURI")),
        ("skos:example", make_text_literal(entry.example)),
        ("dcterms:rightsHolder", make_organization_iri(registrant, site) if registrant else None),
        ("dcterms:issued", make_day_literal(entry.registered_on)),
        ("dcterms:modified", make_moment_literal(namespace.updated_at)),
        *state_documents(entry),
        *(
            ("dcterms:hasVersion", make_version_iri(entry.nid, v.number, site))
            for v in entry.versions
        ),
        ("foaf:isPrimaryTopicOf", IRI(f"{site}/namespaces/{entry.nid}/")),
    )


def state_spellings(namespace: Namespace) -> Iterator[Statement]:
    """Yield the spelling as registered, if it differs."""
    if namespace.nid_as_registered != namespace.nid:
        yield "skos:altLabel", make_text_literal(namespace.nid_as_registered)


def state_documents(entry: NamespaceEntry) -> Iterator[Statement]:
    """Yield the documents of record: by address, or in words if there is nothing else."""
    for reference in entry.references:
        known = make_iri(find_document_url(reference))
        yield (
            ("rdfs:isDefinedBy", known)
            if known
            else (
                "dcterms:bibliographicCitation",
                make_text_literal(reference),
            )
        )


def describe_service(service: ResolutionService, nid: str, site: str) -> RDFNode:
    """Return a service that knows names of a namespace (RFC 2483), and its template."""
    return make_node(
        f"{site}/namespaces/{nid}/#service-{service.pk}",
        "reg:Service",
        ("dcterms:isPartOf", make_namespace_iri(nid, site)),
        ("reg:designator", make_text_literal(service.service_id)),
        ("reg:uriTemplate", make_text_literal(service.template)),
        ("reg:nssPrefix", make_text_literal(service.prefix)),
        ("dcterms:format", make_text_literal(service.media_type)),
        ("dcterms:language", make_text_literal(service.language)),
        ("dcterms:publisher", make_text_literal(service.operator)),
    )


def describe_version(
    entry: NamespaceEntry, registration: Registration, site: str
) -> Iterator[RDFNode]:
    """Yield a version: what it revises, what replaced it, and the digest of its text."""
    numbers = [each.number for each in entry.versions]
    before = max((n for n in numbers if n < registration.number), default=None)
    after = min((n for n in numbers if n > registration.number), default=None)
    identity = make_version_iri(entry.nid, registration.number, site)
    licence = registration.licence
    yield make_node(
        identity,
        "prov:Entity reg:Version",
        ("dcterms:isVersionOf", make_namespace_iri(entry.nid, site)),
        ("dcat:version", make_text_literal(registration.number)),
        ("dcterms:issued", make_day_literal(registration.registered_on)),
        ("dcterms:license", IRI(licence.url) if licence else None),
        ("prov:wasRevisionOf", make_version_iri(entry.nid, before, site) if before else None),
        ("dcterms:isReplacedBy", make_version_iri(entry.nid, after, site) if after else None),
        ("spdx:checksum", IRI(f"{identity}-sha256")),
        ("foaf:isPrimaryTopicOf", IRI(identity.removesuffix("#version"))),
    )
    yield from describe_checksum(f"{identity}-sha256", registration.sha256)


def describe_version_text(
    entry: NamespaceEntry, registration: Registration, site: str
) -> Iterator[RDFNode]:
    """Yield a version with its text, field by field, and the request that it comes from."""
    first, *others = describe_version(entry, registration, site)
    template = registration.template
    said: list[Statement] = [
        (f"reg:{field.name}", make_text_literal(template[field.name])) for field in FIELDS
    ]
    said += [("skos:example", make_text_literal(each)) for each in template.examples]
    said.append(("reg:grammar", make_text_literal(template.grammar)))
    request = registration.registration_request
    said.append(("prov:wasGeneratedBy", make_request_iri(request.slug, site)))
    yield make_node(first.id, " ".join(first.types), *first.said, *said)
    yield from others


def describe_organization(known: Organization, site: str) -> RDFNode:
    return make_node(
        make_organization_iri(known.pk, site),
        "foaf:Organization prov:Organization",
        ("foaf:name", make_text_literal(known.name)),
        *(("skos:altLabel", make_text_literal(other)) for other in known.names[1:]),
        *(("owl:sameAs", make_iri(address)) for address in known.public_ids),
        ("foaf:homepage", make_iri(known.website)),
    )


def describe_activities(found: Iterable[RegistrationRequest], site: str) -> Iterator[RDFNode]:
    """Yield requests, and the organizations that made them."""
    named: set[int] = set()
    for case in open_cases_in_batches(found):
        each = case.request
        yield describe_activity(case, site)
        if each.organization_id not in named:
            named.add(each.organization_id)
            yield describe_organization(each.organization, site)


def describe_activity(
    case: RequestCase,
    site: str,
    rounds: Sequence[Round] = (),
    published: Registration | None = None,
) -> RDFNode:
    """Return a request: what it asks for, its state and its result."""
    asked = case.request
    namespace, identity = asked.namespace, make_request_iri(asked.slug, site)
    shown = find_shown_state(case)
    return make_node(
        identity,
        "prov:Activity reg:Request",
        ("dcterms:identifier", make_text_literal(asked.reference)),
        ("dcterms:title", make_text_literal(asked.summary)),
        ("reg:nid", make_text_literal(asked.nid)),
        ("reg:change", IRI(f"reg:change-{asked.change}")),
        ("reg:path", IRI(f"reg:path-{asked.path}")),
        ("adms:status", IRI(f"reg:state-{shown.value}")),
        ("reg:stateWord", make_text_literal(shown.label)),
        ("reg:lacking", make_text_literal(str(shown.lacking))),
        ("dcterms:created", make_moment_literal(asked.created_at)),
        ("dcterms:modified", make_moment_literal(asked.state_since)),
        ("prov:wasAssociatedWith", make_organization_iri(asked.organization_id, site)),
        ("dcterms:subject", make_namespace_iri(namespace.nid, site) if namespace else None),
        *(("prov:used", make_round_iri(asked, each, site)) for each in rounds),
        (
            "prov:generated",
            make_version_iri(published.namespace.nid, published.number, site)
            if published
            else None,
        ),
        ("foaf:isPrimaryTopicOf", IRI(f"{site}/requests/{asked.slug}/")),
    )


def make_round_iri(asked: RegistrationRequest, sent: Round, site: str) -> IRI:
    """Return the name of a round."""
    return IRI(f"{site}/requests/{asked.slug}/#round-{sent.number}")


def describe_request_history(
    asked: RegistrationRequest,
    rounds: Sequence[Round],
    published: Registration | None,
    site: str,
) -> Iterator[RDFNode]:
    """Yield one request with its rounds and the resulting version."""
    yield describe_activity(open_case(asked), site, rounds, published)
    yield describe_organization(asked.organization, site)
    for before, sent in zip((None, *rounds), rounds, strict=False):
        yield from describe_round(asked, sent, before, site)


def describe_round(
    asked: RegistrationRequest, sent: Round, before: Round | None, site: str
) -> Iterator[RDFNode]:
    """Yield a round: when it was sent, what it revises, and the digest of its text."""
    identity = make_round_iri(asked, sent, site)
    yield make_node(
        identity,
        "prov:Entity reg:Round",
        ("reg:number", make_typed_literal(sent.number, "xsd:integer")),
        (
            "prov:generatedAtTime",
            make_moment_literal(sent.submitted_at) if sent.submitted_at else None,
        ),
        ("prov:wasRevisionOf", make_round_iri(asked, before, site) if before else None),
        ("spdx:checksum", IRI(f"{identity}-sha256")),
    )
    yield from describe_checksum(f"{identity}-sha256", sent.sha256)


OWN_CLASSES: Final = {
    "Namespace": "A URN namespace, as RFC 8141 registers it.",
    "Version": "A published version of the registration template of a namespace.",
    "Request": "A request to add or change a namespace.",
    "Service": "A service that resolves or describes names of a namespace (RFC 2483).",
    "Round": "A text that was sent with a request, and is frozen since.",
}
OWN_PROPERTIES: Final = {
    "kind": "The kind of a namespace: formal or informal (RFC 8141, section 5).",
    "change": "What a request asks for.",
    "path": "By which rules a request is decided.",
    "stateWord": "The state of a request as pages call it.",
    "lacking": "What a request to change a namespace lacks of its holder.",
    "number": "The number of a round, counted from 1.",
    "designator": "What a service does, in the words of RFC 2483, such as I2L.",
    "uriTemplate": "Which address a name leads to, as a URI template (RFC 6570).",
    "nssPrefix": "How the names begin that a service knows, where it does not know all.",
    "grammar": "The formal grammar of the names, beside Syntax.",
}
OWN_CHOICES: Final = (
    ("status", NamespaceStatus),
    ("kind", NamespaceKind),
    ("state", State),
    ("state", UnapprovedState),
    ("change", ChangeKind),
    ("path", RequestPath),
)


def describe_vocabulary(site: str) -> Iterator[RDFNode]:
    """Yield the vocabulary and each of its terms."""
    about = f"{site}/ns"
    yield make_node(
        about,
        "owl:Ontology",
        ("dcterms:title", make_text_literal("Words of the URN Namespace Registry", "en")),
    )
    for name, comment in OWN_CLASSES.items():
        yield describe_word(f"reg:{name}", "rdfs:Class", name, comment, about)
    for name, comment in OWN_PROPERTIES.items():
        yield describe_word(f"reg:{name}", "owl:AnnotationProperty", name, comment, about)
    for field in FIELDS:
        comment = f"The field “{field.label}” of the registration template."
        yield describe_word(
            f"reg:{field.name}", "owl:AnnotationProperty", str(field.label), comment, about
        )
    yield describe_word("reg:NID", "rdfs:Datatype", "NID", "A NID, in lower case.", about)
    with override("en"):
        values = [(f"reg:{name}-{each.value}", each) for name, of in OWN_CHOICES for each in of]
        named = [(identity, str(each.label)) for identity, each in values]
    for identity, label in named:
        yield make_node(
            identity,
            "skos:Concept",
            ("skos:prefLabel", make_text_literal(label, "en")),
            state_definition(about),
        )


def describe_word(identity: str, kind: str, label: str, comment: str, about: str) -> RDFNode:
    return make_node(
        identity,
        kind,
        ("rdfs:label", make_text_literal(label, "en")),
        ("rdfs:comment", make_text_literal(comment, "en")),
        state_definition(about),
    )


def state_definition(about: str) -> tuple[str, IRI]:
    """Return where a term is defined."""
    return "rdfs:isDefinedBy", IRI(about)
