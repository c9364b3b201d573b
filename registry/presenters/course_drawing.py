"""The states of a request and the steps between them, drawn from the table of verbs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from registry.enums import END_STATES, State
from registry.workflow import VERBS

BOX_WIDTH: Final = 150
BOX_HEIGHT: Final = 40
WIDTH: Final = 960
HEIGHT: Final = 400

PLACES: Final[dict[State, tuple[int, int]]] = {
    State.DRAFT: (10, 130),
    State.ADVISORY: (230, 20),
    State.IN_REVIEW: (230, 130),
    State.APPROVED: (520, 130),
    State.REGISTERED: (795, 130),
    State.CHANGES_REQUESTED: (230, 240),
    State.REPORTED: (520, 240),
    State.REFUSED: (795, 240),
    State.DECLINED: (230, 340),
    State.APPEALED: (520, 340),
    State.WITHDRAWN: (10, 240),
    State.EXPIRED: (10, 340),
}
"""The upper left corner of each state's box."""


@dataclass(frozen=True, slots=True)
class CourseArrow:
    """A step from one state to another: its line, and the position of its label.

    `line` is an SVG path, `at` the position of the label, `anchor` says which part of it is there:
    middle, start or end.
    """

    verb: str
    source: State
    target: State
    line: str
    at: tuple[int, int]
    anchor: str = "middle"

    @property
    def label(self) -> str:
        """The label of its button."""
        return str(VERBS[self.verb].label)


ARROWS: Final = (
    CourseArrow("submit", State.DRAFT, State.IN_REVIEW, "M160 150H230", (195, 143)),
    CourseArrow("submit", State.DRAFT, State.ADVISORY, "M85 130V40H230", (195, 33)),
    CourseArrow("complete", State.ADVISORY, State.APPROVED, "M380 40H595V130", (487, 33)),
    CourseArrow("approve", State.IN_REVIEW, State.APPROVED, "M380 150H520", (450, 143)),
    CourseArrow("register", State.APPROVED, State.REGISTERED, "M670 150H795", (732, 143)),
    CourseArrow(
        "request_changes",
        State.IN_REVIEW,
        State.CHANGES_REQUESTED,
        "M300 170V240",
        (292, 215),
        "end",
    ),
    CourseArrow(
        "submit", State.CHANGES_REQUESTED, State.IN_REVIEW, "M350 240V170", (358, 215), "start"
    ),
    CourseArrow(
        "report", State.IN_REVIEW, State.REPORTED, "M380 160H410V260H520", (416, 215), "start"
    ),
    CourseArrow("direct", State.REPORTED, State.APPROVED, "M595 240V170", (603, 215), "start"),
    CourseArrow("decline", State.REPORTED, State.REFUSED, "M670 260H795", (732, 253)),
    CourseArrow(
        "decline", State.IN_REVIEW, State.DECLINED, "M230 160H190V360H230", (184, 310), "end"
    ),
    CourseArrow("appeal", State.DECLINED, State.APPEALED, "M380 360H520", (450, 353)),
)
"""The steps of the main course; withdrawals, repeated appeals and steps back are in the table."""


def draw_course() -> SafeString:
    """Return the states and steps as SVG; `describe_course` says the same in words."""
    boxes = format_html_join(
        "",
        '<g class="course__state{}"><rect x="{}" y="{}" width="{}" height="{}" rx="3"/>'
        '<text x="{}" y="{}">{}</text></g>',
        (
            (
                " course__state--end" if state in END_STATES else "",
                x,
                y,
                BOX_WIDTH,
                BOX_HEIGHT,
                x + BOX_WIDTH // 2,
                y + BOX_HEIGHT // 2 + 4,
                state.label,
            )
            for state, (x, y) in PLACES.items()
        ),
    )
    arrows = format_html_join(
        "",
        '<path class="course__arrow" d="{}" marker-end="url(#course-tip)"/>'
        '<text class="course__label" x="{}" y="{}" text-anchor="{}">{}</text>',
        ((each.line, *each.at, each.anchor, each.label) for each in ARROWS),
    )
    return format_html(
        '<svg class="course" role="img" aria-labelledby="course-title" aria-describedby='
        '"course-words" width="{}" height="{}" viewBox="0 0 {} {}">'
        '<title id="course-title">{}</title><defs><marker id="course-tip" viewBox="0 0 8 8" '
        'refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0L8 4L0 8z"/></marker></defs>{}{}</svg>',
        WIDTH,
        HEIGHT,
        WIDTH,
        HEIGHT,
        _("The states of a request, and the steps that lead from one to another"),
        arrows,
        boxes,
    )


def describe_course() -> list[str]:
    """Return the drawing in sentences, one per arrow."""
    words = _("%(source)s: “%(label)s” leads to %(target)s.")
    return [
        words % {"source": each.source.label, "label": each.label, "target": each.target.label}
        for each in ARROWS
    ]
