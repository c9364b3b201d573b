"""The course of a request: one table, one way to take a step, and the writing of drafts."""

from registry.workflow.perform import offers, perform
from registry.workflow.registering import expected_text
from registry.workflow.step import Refused, Superseded, Transition
from registry.workflow.table import TRANSITIONS, VERBS

__all__ = [
    "TRANSITIONS",
    "VERBS",
    "Refused",
    "Superseded",
    "Transition",
    "expected_text",
    "offers",
    "perform",
]
