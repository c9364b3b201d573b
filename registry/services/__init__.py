"""Keeping resolution services, asking whether they answer, and the two registries about them."""

from registry.services.keeping import SAID, add, change, edition, fault_in, withdraw
from registry.services.probing import is_due, probe, request_probe, services_being_asked

__all__ = [
    "SAID",
    "add",
    "change",
    "edition",
    "fault_in",
    "is_due",
    "probe",
    "request_probe",
    "services_being_asked",
    "withdraw",
]
