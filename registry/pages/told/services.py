"""What programs are told of resolution services, and of the two registries of words about them."""

from __future__ import annotations

from registry.models import QueryKeyword, ResolutionService, ServiceDesignator
from registry.pages.told.written import Told, at, moment


def service_told(service: ResolutionService, nid: str, site: str) -> Told:
    """Return a resolution service of the namespace `nid`."""
    return {
        "id": service.pk,
        "nid": nid,
        "service": service.service_id,
        "prefix": service.prefix or None,
        "template": service.template,
        "media_type": service.media_type or None,
        "language": service.language or None,
        "priority": service.priority,
        "operator": service.operator,
        "source": service.source,
        "updated_at": moment(service.updated_at),
        "withdrawn_at": moment(service.withdrawn_at),
        "probe": service.probe,
        "probed_at": moment(service.probed_at),
        "probe_note": service.probe_note or None,
        "url": at(site, "api:service", service.pk),
    }


def designator_told(designator: ServiceDesignator) -> Told:
    """Return an entry of the registry of resolution service designators (draft -03, 9.2.2)."""
    return {
        "name": designator.name,
        "purpose": designator.purpose,
        "status": designator.status,
        "reference": designator.reference,
        "updated_at": moment(designator.updated_at),
    }


def keyword_told(keyword: QueryKeyword) -> Told:
    """Return an entry of the registry of query keywords (draft -03, section 9.2.1)."""
    return {
        "keyword": keyword.keyword,
        "purpose": keyword.purpose,
        "scope": keyword.scope,
        "reference": keyword.reference,
        "supported_by": [list(each) for each in keyword.supported_by],
        "updated_at": moment(keyword.updated_at),
    }
