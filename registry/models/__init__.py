"""Tables of the registry."""

from registry.models.account import User
from registry.models.discussion import Message, Remark
from registry.models.event import Event
from registry.models.invitation import Invitation
from registry.models.letter import Letter, Nudge, Watch
from registry.models.namespace import Namespace, Provenance, Registration
from registry.models.number import Counter
from registry.models.organization import Organization, Proof, Recognition
from registry.models.request import RegistrationRequest, Round
from registry.models.reserved import ReservedName
from registry.models.review import Absence, Assignment, ChecklistAnswer, Conflict, Visit
from registry.models.sighting import Sighting
from registry.models.token import Token

__all__ = [
    "Absence",
    "Assignment",
    "ChecklistAnswer",
    "Conflict",
    "Counter",
    "Event",
    "Invitation",
    "Letter",
    "Message",
    "Namespace",
    "Nudge",
    "Organization",
    "Proof",
    "Provenance",
    "Recognition",
    "Registration",
    "RegistrationRequest",
    "Remark",
    "ReservedName",
    "Round",
    "Sighting",
    "Token",
    "User",
    "Visit",
    "Watch",
]
