"""Documents of record: where they are published, how they are fetched, and what they say."""

from registry.exchange.records.corrections import (
    confirm_contact,
    correct_record,
    withdraw_contact,
)
from registry.exchange.records.importer import (
    ImportOutcome,
    ImportResult,
    import_records,
    read_template_record,
)
from registry.exchange.records.sources import (
    IANA_SITE,
    DocumentLibrary,
    DocumentUnavailable,
    FolderLibrary,
    PublishedDocument,
    WebLibrary,
    list_published_documents,
)

__all__ = [
    "IANA_SITE",
    "DocumentLibrary",
    "DocumentUnavailable",
    "FolderLibrary",
    "ImportOutcome",
    "ImportResult",
    "PublishedDocument",
    "WebLibrary",
    "confirm_contact",
    "correct_record",
    "import_records",
    "list_published_documents",
    "read_template_record",
    "withdraw_contact",
]
