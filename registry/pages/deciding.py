"""What an expert should weigh before a decision: what is open, and what is not answered yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from registry.choices import Weight
from registry.pages.remarks import Carried
from registry.template.checklist import Question

Words = str | Promise

ENDS_THE_REVIEW: Final = ("approve", "report")
NAMED_AT_MOST: Final = 6


@dataclass(frozen=True, slots=True)
class Checklist:
    """The questions that are asked of a round, and which of them an expert has answered."""

    questions: Sequence[Question]
    answers: Mapping[str, str]

    @property
    def count(self) -> int:
        """How many questions there are."""
        return len(self.questions)

    @property
    def unanswered(self) -> list[Question]:
        """The questions without an answer."""
        return [each for each in self.questions if each.slug not in self.answers]

    @property
    def done(self) -> int:
        """How many questions are answered."""
        return self.count - len(self.unanswered)


def points(remarks: Iterable[Carried], checklist: Checklist) -> dict[str, tuple[Words, ...]]:
    """Return what to weigh before each decision, by verb; none of it bars the decision."""
    still_open = [each for each in remarks if each.is_open]
    lesser = [each for each in still_open if each.remark.weight != Weight.MUST_FIX]
    before_the_end = (*open_remarks(lesser), *open_questions(checklist))
    return {
        "request_changes": tuple(going_along(still_open)),
        **dict.fromkeys(ENDS_THE_REVIEW, before_the_end),
    }


def going_along(remarks: Sequence[Carried]) -> list[SafeString]:
    """Name the open remarks, which the registrant is asked to answer."""
    if not remarks:
        return []
    words = ngettext(
        "{count} open remark goes along: {links}",
        "{count} open remarks go along: {links}",
        len(remarks),
    )
    return [format_html(words, count=len(remarks), links=links_to(remarks))]


def open_remarks(remarks: Sequence[Carried]) -> list[SafeString]:
    """Name the remarks that would stay open."""
    if not remarks:
        return []
    words = ngettext(
        "{count} remark is open: {links}",
        "{count} remarks are open: {links}",
        len(remarks),
    )
    return [format_html(words, count=len(remarks), links=links_to(remarks))]


def links_to(remarks: Iterable[Carried]) -> SafeString:
    """Return links to remarks, each named by its number, weight and section."""
    return format_html_join(
        ", ",
        '<a href="#{}">{}, {} ({})</a>',
        (
            (each.anchor, each.remark.number, each.remark.get_weight_display(), each.label)
            for each in remarks
        ),
    )


def open_questions(checklist: Checklist) -> list[SafeString]:
    """Name the questions of the checklist that have no answer; many of them by their number."""
    missing = checklist.unanswered
    if not missing:
        return []
    if len(missing) > NAMED_AT_MOST:
        words = ngettext(
            '<a href="#checklist">{count} checklist question has no answer</a>',
            '<a href="#checklist">{count} checklist questions have no answer</a>',
            len(missing),
        )
        return [format_html(words, count=len(missing))]
    links = format_html_join(
        ", ", '<a href="#div_check_{}">{}</a>', ((each.slug, each.text) for each in missing)
    )
    words = ngettext(
        "{count} checklist question has no answer: {links}",
        "{count} checklist questions have no answer: {links}",
        len(missing),
    )
    return [format_html(words, count=len(missing), links=links)]
