"""Tables of the registry."""

from registry.models.account import (
    AccountEvent,
    IdempotencyRecord,
    SignInSource,
    Token,
    User,
)
from registry.models.dates import Dates, SchedulerDay
from registry.models.discussion import Message, PendingComment, Remark
from registry.models.erratum import Erratum
from registry.models.event import Counter, Event, LogOrigin, RateLimit
from registry.models.export import BuiltExport
from registry.models.namespace import Namespace, Provenance, Registration, ReservedName, Sighting
from registry.models.notification import (
    ClockPosition,
    Follow,
    Letter,
    Reminder,
    RequestCheck,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
)
from registry.models.office import ContactConfirmation, Dispute, Enquiry, EntryLink, HeldNid
from registry.models.officers import OfficerChange
from registry.models.organization import Organization, Recognition
from registry.models.record import (
    DocumentSource,
    IANASnapshot,
    ImportedRecord,
    RecordContact,
    SourceDocument,
)
from registry.models.report import Report
from registry.models.request import Invitation, MailedTemplate, RegistrationRequest, Round
from registry.models.resolution import (
    Locator,
    LocatorTable,
    QueryKeyword,
    ResolutionService,
    ServiceDesignator,
)
from registry.models.review import (
    Absence,
    Assignment,
    ChecklistAnswer,
    ConflictOfInterest,
    DismissedFinding,
    ReadMarker,
)
from registry.models.search import SearchDocument, SearchWord
from registry.models.speaker import Speaker

__all__ = [
    "Absence",
    "AccountEvent",
    "Assignment",
    "BuiltExport",
    "ChecklistAnswer",
    "ClockPosition",
    "ConflictOfInterest",
    "ContactConfirmation",
    "Counter",
    "Dates",
    "DismissedFinding",
    "Dispute",
    "DocumentSource",
    "Enquiry",
    "EntryLink",
    "Erratum",
    "Event",
    "Follow",
    "HeldNid",
    "IANASnapshot",
    "IdempotencyRecord",
    "ImportedRecord",
    "Invitation",
    "Letter",
    "Locator",
    "LocatorTable",
    "LogOrigin",
    "MailedTemplate",
    "Message",
    "Namespace",
    "OfficerChange",
    "Organization",
    "PendingComment",
    "Provenance",
    "QueryKeyword",
    "RateLimit",
    "ReadMarker",
    "Recognition",
    "RecordContact",
    "Registration",
    "RegistrationRequest",
    "Remark",
    "Reminder",
    "Report",
    "RequestCheck",
    "ReservedName",
    "ResolutionService",
    "Round",
    "SchedulerDay",
    "SearchDocument",
    "SearchWord",
    "ServiceDesignator",
    "Sighting",
    "SignInSource",
    "SourceDocument",
    "Speaker",
    "Token",
    "User",
    "Webhook",
    "WebhookAttempt",
    "WebhookDelivery",
]
