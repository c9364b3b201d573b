"""Reading the registry's files and loading them: a file is good or refused as a whole."""

from registry.loading.defects import BadFiles, Defect
from registry.loading.loading import load_namespaces
from registry.loading.reading import NAMESPACES, PROVENANCE, SHIPPED_SOURCE, Entry, read
from registry.loading.reserved import load_reserved_names, read_reserved_names
from registry.loading.services import SERVICES, load_services, read_services
from registry.loading.tally import Tally
from registry.loading.vocabularies import load_vocabularies

__all__ = [
    "NAMESPACES",
    "PROVENANCE",
    "SERVICES",
    "SHIPPED_SOURCE",
    "BadFiles",
    "Defect",
    "Entry",
    "Tally",
    "load_namespaces",
    "load_reserved_names",
    "load_services",
    "load_vocabularies",
    "read",
    "read_reserved_names",
    "read_services",
]
