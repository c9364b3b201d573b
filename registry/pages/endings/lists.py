"""Lists in each of their forms: all rows that the filters of the page let through."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from django.db.models import QuerySet

from registry import queries
from registry.exports import iana, plain
from registry.exports.entries import entries
from registry.exports.markup import markup
from registry.exports.rdf import jsonld, turtle
from registry.exports.rdf.namespaces import scheme
from registry.exports.rdf.requests import activities
from registry.exports.tables import table
from registry.models import Organization, RegistrationRequest, Sighting
from registry.models.namespace import NamespaceQuerySet
from registry.models.request import RequestQuerySet
from registry.pages.endings.namespaces import COLUMNS as OF_NAMESPACES
from registry.pages.endings.requests import COLUMNS as OF_REQUESTS
from registry.pages.endings.written import listed
from registry.pages.sightings import rows
from registry.pages.told import namespace_listed, request_listed
from registry.pages.told.organizations import organization_listed
from registry.pages.told.sightings import sighting_told
from registry.pages.told.written import Told

AT_ONCE: Final = 500
"""So many rows are in memory together."""
OF_ORGANIZATIONS: Final = ("name", "website", "recognised_on", "page")
OF_SIGHTINGS: Final = ("nid", "user_of_it", "evidence", "noted_by", "noted_at", "claimed_by")

List = Callable[[Any, str], Iterable[str]]


def namespaces(found: NamespaceQuerySet, site: str) -> Iterator[Told]:
    """Yield what the API tells of each namespace in a list."""
    return (namespace_listed(each, site) for each in found.iterator(AT_ONCE))


def requests(found: RequestQuerySet, site: str) -> Iterator[Told]:
    """Yield what the API tells of each request in a list."""
    for some in portions(found):
        waiting = queries.waiting_for_all(some)
        yield from (request_listed(each, site, waiting[each.pk]) for each in some)


def portions(found: RequestQuerySet) -> Iterator[list[RegistrationRequest]]:
    """Yield requests, some at a time."""
    count = found.count()
    for first in range(0, count, AT_ONCE):
        yield list(found[first : first + AT_ONCE])


def organizations(found: QuerySet[Organization], site: str) -> Iterator[Told]:
    """Yield what is told of each organization."""
    return (organization_listed(each, site) for each in found.iterator(AT_ONCE))


def sightings(found: QuerySet[Sighting], site: str) -> Iterator[Told]:
    """Yield what the API tells of each sighting."""
    return (sighting_told(each, site) for each in rows(list(found)))


def flat(
    name: str,
    told: Callable[[Any, str], Iterator[Told]],
    columns: tuple[str, ...],
    txt: Callable[[Any], Iterable[str]],
) -> dict[str, List]:
    """Return the forms that every list has."""
    return {
        "json": lambda found, site: listed(found.count(), told(found, site)),
        "xml": lambda found, site: [markup(name, list(told(found, site)))],
        "csv": lambda found, site: table(columns, told(found, site)),
        "txt": lambda found, _site: txt(found),
    }


NAMESPACES: Final[Mapping[str, List]] = {
    **flat("namespaces", namespaces, OF_NAMESPACES, lambda found: [iana.txt(entries(found))]),
    "xml": lambda found, _site: [iana.xml(entries(found))],
    "jsonld": lambda found, site: jsonld(scheme(entries(found), site), site),
    "ttl": lambda found, site: turtle(scheme(entries(found), site), site),
}
REQUESTS: Final[Mapping[str, List]] = {
    **flat("requests", requests, OF_REQUESTS, plain.requests),
    "jsonld": lambda found, site: jsonld(activities(found, site), site),
    "ttl": lambda found, site: turtle(activities(found, site), site),
}
ORGANIZATIONS: Final[Mapping[str, List]] = flat(
    "organizations", organizations, OF_ORGANIZATIONS, plain.organizations
)
SIGHTINGS: Final[Mapping[str, List]] = flat("sightings", sightings, OF_SIGHTINGS, plain.sightings)
