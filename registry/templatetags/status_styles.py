"""How states, statuses and findings look: an icon, a tone, and a word where none is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.enums import NamespaceStatus, State
from registry.urn import Severity


@dataclass(frozen=True, slots=True)
class StatusStyle:
    """An icon of Bootstrap Icons, a tone (`ok`, `warn`, `bad`, `info` or none), and a word."""

    icon: str = ""
    tone: str = ""
    word: str | Promise = ""


PLAIN_STYLE: Final = StatusStyle()
STATUS_STYLES: Final[dict[str, StatusStyle]] = {
    State.DRAFT: PLAIN_STYLE,
    State.IN_REVIEW: StatusStyle("chat-left-text", "info"),
    State.CHANGES_REQUESTED: StatusStyle("pencil", "warn"),
    State.APPROVED: StatusStyle("check2", "ok"),
    State.REPORTED: StatusStyle("send", "info"),
    State.ADVISORY: StatusStyle("chat-left-text", "info"),
    State.DECLINED: StatusStyle("x-lg", "bad"),
    State.APPEALED: StatusStyle("arrow-counterclockwise", "warn"),
    State.REGISTERED: StatusStyle("bookmark-check", "ok"),
    State.WITHDRAWN: PLAIN_STYLE,
    State.REFUSED: StatusStyle("x-lg", "bad"),
    State.EXPIRED: PLAIN_STYLE,
    NamespaceStatus.ACTIVE: StatusStyle("check2", "ok"),
    NamespaceStatus.DEPRECATED: StatusStyle("exclamation-triangle-fill", "warn"),
    NamespaceStatus.OBSOLETE: StatusStyle("archive"),
    "revising": StatusStyle("arrow-repeat", "info"),
    Severity.BLOCK: StatusStyle("x-octagon-fill", "bad", _("Must fix")),
    Severity.WARN: StatusStyle("exclamation-triangle-fill", "warn", _("Consider")),
    Severity.NOTE: StatusStyle("info-circle-fill", "info", _("Note")),
    "passed": StatusStyle("check-circle-fill", "ok", _("Passed")),
    # How far a page of the editor has come.
    "done": StatusStyle("check2", "ok", _("Done")),
    "to_fix": StatusStyle("x-octagon-fill", "bad", _("To fix")),
    "question": StatusStyle("chat-left-text", "warn", _("Question")),
    "changed": StatusStyle("arrow-repeat", "info", _("Changed")),
    "not_started": StatusStyle("", "", _("Not started")),
    "optional": StatusStyle("", "", _("Optional")),
    "not_needed": StatusStyle("", "", _("Not needed")),
    # The levels of Django's messages.
    "success": StatusStyle("check-circle-fill", "ok"),
    "warning": StatusStyle("exclamation-triangle-fill", "warn"),
    "error": StatusStyle("x-octagon-fill", "bad"),
    "info": StatusStyle("info-circle-fill", "info"),
}


def face(value: str) -> StatusStyle:
    """The face of a stored value; a plain one for a value without any."""
    return STATUS_STYLES.get(value, PLAIN_STYLE)
