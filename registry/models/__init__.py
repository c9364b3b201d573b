"""Tables of the registry."""

from registry.models.account import User
from registry.models.answered import Answered
from registry.models.discussion import Message, Remark
from registry.models.event import Event
from registry.models.hook import Hook, HookAttempt, HookDelivery
from registry.models.invitation import Invitation
from registry.models.letter import Letter, Nudge, Watch
from registry.models.locator import Locator, LocatorTable
from registry.models.namespace import Namespace, Provenance, Registration
from registry.models.number import Counter
from registry.models.organization import Organization, Proof, Recognition
from registry.models.rate_limit import RateLimit
from registry.models.request import RegistrationRequest, Round
from registry.models.reserved import ReservedName
from registry.models.resolution import QueryKeyword, ResolutionService, ServiceDesignator
from registry.models.review import Absence, Assignment, ChecklistAnswer, Conflict, Visit
from registry.models.sighting import Sighting
from registry.models.sign_in import SignInSource
from registry.models.token import Token

__all__ = [
    "Absence",
    "Answered",
    "Assignment",
    "ChecklistAnswer",
    "Conflict",
    "Counter",
    "Event",
    "Hook",
    "HookAttempt",
    "HookDelivery",
    "Invitation",
    "Letter",
    "Locator",
    "LocatorTable",
    "Message",
    "Namespace",
    "Nudge",
    "Organization",
    "Proof",
    "Provenance",
    "QueryKeyword",
    "RateLimit",
    "Recognition",
    "Registration",
    "RegistrationRequest",
    "Remark",
    "ReservedName",
    "ResolutionService",
    "Round",
    "ServiceDesignator",
    "Sighting",
    "SignInSource",
    "Token",
    "User",
    "Visit",
    "Watch",
]
