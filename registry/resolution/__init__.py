"""From a URN to where what it names can be had."""

from registry.resolution.backwards import names_of
from registry.resolution.carrying import Carried
from registry.resolution.choosing import Choice, Target, choose, is_address
from registry.resolution.known import Known, Offer, known, services_of
from registry.resolution.template import Template, TemplateError
from registry.resolution.variables import EXPLAINED, VARIABLES
from registry.resolution.wanted import Ignored, Wanted, read_wanted

__all__ = [
    "EXPLAINED",
    "VARIABLES",
    "Carried",
    "Choice",
    "Ignored",
    "Known",
    "Offer",
    "Target",
    "Template",
    "TemplateError",
    "Wanted",
    "choose",
    "is_address",
    "known",
    "names_of",
    "read_wanted",
    "services_of",
]
