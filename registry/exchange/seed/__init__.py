"""Reading the seed files and loading them: a file is accepted or refused as a whole."""

from registry.exchange.seed.csv_files import Defect, InvalidSeedFiles, LoadCounts
from registry.exchange.seed.namespaces import (
    NAMESPACES_FILE,
    PROVENANCE_FILE,
    SHIPPED_SOURCE,
    SeedNamespace,
    load_namespaces,
    load_reserved_names,
    load_vocabularies,
    read_namespaces,
    read_reserved_names,
)
from registry.exchange.seed.services import SERVICES_FILE, load_services, read_services
from registry.exchange.seed.sightings import (
    SIGHTINGS_FILE,
    SeedSighting,
    load_sightings,
    read_sightings,
)

__all__ = [
    "NAMESPACES_FILE",
    "PROVENANCE_FILE",
    "SERVICES_FILE",
    "SHIPPED_SOURCE",
    "SIGHTINGS_FILE",
    "Defect",
    "InvalidSeedFiles",
    "LoadCounts",
    "SeedNamespace",
    "SeedSighting",
    "load_namespaces",
    "load_reserved_names",
    "load_services",
    "load_sightings",
    "load_vocabularies",
    "read_namespaces",
    "read_reserved_names",
    "read_services",
    "read_sightings",
]
