"""Tables of the registry."""

from registry.models.account import IdempotencyRecord, SignInSource, Token, User
from registry.models.discussion import Message, Remark
from registry.models.event import Counter, Event, RateLimit
from registry.models.namespace import Namespace, Provenance, Registration, ReservedName, Sighting
from registry.models.notification import (
    Follow,
    Letter,
    Reminder,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
)
from registry.models.organization import Organization, Proof, Recognition
from registry.models.request import Invitation, RegistrationRequest, Round
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
    ReadMarker,
)

__all__ = [
    "Absence",
    "Assignment",
    "ChecklistAnswer",
    "ConflictOfInterest",
    "Counter",
    "Event",
    "Follow",
    "IdempotencyRecord",
    "Invitation",
    "Letter",
    "Locator",
    "LocatorTable",
    "Message",
    "Namespace",
    "Organization",
    "Proof",
    "Provenance",
    "QueryKeyword",
    "RateLimit",
    "ReadMarker",
    "Recognition",
    "Registration",
    "RegistrationRequest",
    "Remark",
    "Reminder",
    "ReservedName",
    "ResolutionService",
    "Round",
    "ServiceDesignator",
    "Sighting",
    "SignInSource",
    "Token",
    "User",
    "Webhook",
    "WebhookAttempt",
    "WebhookDelivery",
]
