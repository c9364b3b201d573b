"""Tables of the registry."""

from registry.models.account import User
from registry.models.event import Event
from registry.models.namespace import Namespace, Provenance, Registration
from registry.models.number import Counter
from registry.models.organization import Organization
from registry.models.request import RegistrationRequest, Round
from registry.models.reserved import ReservedName
from registry.models.review import Assignment

__all__ = [
    "Assignment",
    "Counter",
    "Event",
    "Namespace",
    "Organization",
    "Provenance",
    "Registration",
    "RegistrationRequest",
    "ReservedName",
    "Round",
    "User",
]
