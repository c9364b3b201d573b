"""The course of a request: one table, one way to take a step, and the writing of drafts."""

from registry.selectors.publication import preview_published_text
from registry.workflow.perform import available_transitions, perform
from registry.workflow.step import (
    ActionRefused,
    ConcurrentChange,
    LimitReached,
    Transition,
)
from registry.workflow.transitions import TRANSITIONS, VERBS

__all__ = [
    "TRANSITIONS",
    "VERBS",
    "ActionRefused",
    "ConcurrentChange",
    "LimitReached",
    "Transition",
    "available_transitions",
    "perform",
    "preview_published_text",
]
