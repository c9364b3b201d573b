"""How states, statuses and findings look: an icon, a tone, and a word where none is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.choices import State, Status
from registry.urn import Severity


@dataclass(frozen=True, slots=True)
class Face:
    """An icon of Bootstrap Icons, a tone (`ok`, `warn`, `bad`, `info` or none), and a word."""

    icon: str = ""
    tone: str = ""
    word: str | Promise = ""


PLAIN: Final = Face()
FACES: Final[dict[str, Face]] = {
    State.DRAFT: PLAIN,
    State.IN_REVIEW: Face("chat-left-text", "info"),
    State.CHANGES_REQUESTED: Face("pencil", "warn"),
    State.APPROVED: Face("check2", "ok"),
    State.REPORTED: Face("send", "info"),
    State.ADVISORY: Face("chat-left-text", "info"),
    State.DECLINED: Face("x-lg", "bad"),
    State.APPEALED: Face("arrow-counterclockwise", "warn"),
    State.REGISTERED: Face("bookmark-check", "ok"),
    State.WITHDRAWN: PLAIN,
    State.REFUSED: Face("x-lg", "bad"),
    State.EXPIRED: PLAIN,
    Status.ACTIVE: Face("check2", "ok"),
    Status.DEPRECATED: Face("exclamation-triangle-fill", "warn"),
    Status.OBSOLETE: Face("archive"),
    "revising": Face("arrow-repeat", "info"),
    Severity.BLOCK: Face("x-octagon-fill", "bad", _("Must fix")),
    Severity.WARN: Face("exclamation-triangle-fill", "warn", _("Consider")),
    Severity.NOTE: Face("info-circle-fill", "info", _("Note")),
    "passed": Face("check-circle-fill", "ok", _("Passed")),
    # How far a page of the editor has come.
    "done": Face("check2", "ok", _("Done")),
    "to_fix": Face("x-octagon-fill", "bad", _("To fix")),
    "question": Face("chat-left-text", "warn", _("Question")),
    "changed": Face("arrow-repeat", "info", _("Changed")),
    "not_started": Face("", "", _("Not started")),
    "optional": Face("", "", _("Optional")),
    "not_needed": Face("", "", _("Not needed")),
    # The levels of Django's messages.
    "success": Face("check-circle-fill", "ok"),
    "warning": Face("exclamation-triangle-fill", "warn"),
    "error": Face("x-octagon-fill", "bad"),
    "info": Face("info-circle-fill", "info"),
}


def face(value: str) -> Face:
    """The face of a stored value; a plain one for a value without any."""
    return FACES.get(value, PLAIN)
