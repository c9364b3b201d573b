"""The steps that the cast takes with a sample request, each by the real workflow."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from registry import workflow
from registry.choices import Settlement, Weight
from registry.demonstration.cast import Cast
from registry.demonstration.texts import buoylight, kitepattern, seedbank, tidechart, universal
from registry.models import RegistrationRequest, User
from registry.reviewing import remarks
from registry.template import Template
from registry.workflow import drafting


class Course:
    """A request on its way; each step is taken by one of the cast."""

    def __init__(self, registration_request: RegistrationRequest, author: User, cast: Cast) -> None:
        self.registration_request = registration_request
        self.author = author
        self.cast = cast

    def write(self, text: Template) -> None:
        """Write `text` into the draft."""
        draft = self.registration_request.rounds.get(submitted_at__isnull=True)
        drafting.save(draft, text.to_dict(), seen=draft.edition)
        self.registration_request.refresh_from_db()

    def step(self, verb: str, by: str = "", comment: str = "", **data: Any) -> None:
        """Take one step: the author, or the one of the cast named by `by`."""
        actor = self.cast[by] if by else self.author
        workflow.perform(self.registration_request, verb, actor=actor, comment=comment, **data)

    def remark(self, section: str, quote: str, weight: Weight, text: str, by: str) -> None:
        """Have an expert remark on a passage of the round in hand."""
        last = self.registration_request.rounds.sent().latest("number")
        remarks.make(
            self.registration_request,
            actor=self.cast[by],
            round_number=last.number,
            section=section,
            weight=weight,
            text=text,
            quote=quote,
            start=last.template[section].index(quote),
        )

    def answer(self, number: int, settlement: str, text: str = "") -> None:
        """Have the author answer a remark beside the draft."""
        asked = self.registration_request.remarks.get(number=number)
        remarks.answer(asked, actor=self.author, settlement=settlement, text=text, seen=":")

    def approve(self, comment: str) -> None:
        """Have it sent, taken and approved."""
        self.step("submit")
        self.step("assign", by="expert")
        self.step("approve", by="expert", comment=comment)


def stays_a_draft(course: Course) -> None:
    """Nobody but its author knows of it."""


def waits_for_an_expert(course: Course) -> None:
    """In review, and nobody has taken it."""
    course.step("submit")


def is_read_by_an_expert(course: Course) -> None:
    """In review, taken by the second expert."""
    course.step("submit")
    course.step("assign", by="second-expert")


def came_back_with_changes(course: Course) -> None:
    """In review for the second time, after changes were asked for."""
    course.step("submit", comment="We look forward to your questions.")
    course.step("assign", by="expert")
    course.step("assign", by="second-expert")
    for section, quote, weight, words in seedbank.REMARKS:
        course.remark(section, quote, weight, words, by="expert")
    course.step("request_changes", by="expert", comment=seedbank.CHANGES_ASKED_FOR)
    course.write(seedbank.SECOND)
    course.answer(1, Settlement.CHANGED)
    course.answer(2, Settlement.EXPLAINED, seedbank.EXPLANATION)
    course.step("submit", comment=seedbank.WHAT_CHANGED)


def is_approved(comment: str) -> Callable[[Course], None]:
    """Approved for these reasons, and waiting for the registrar."""

    def approve(course: Course) -> None:
        course.approve(comment)

    return approve


def is_published(comment: str, reference: str) -> Callable[[Course], None]:
    """Approved for these reasons, and published with this document of record."""

    def publish(course: Course) -> None:
        course.approve(comment)
        course.step("register", by="registrar", references=[reference])

    return publish


def is_declined(course: Course) -> None:
    """Declined, with what would succeed."""
    course.step("submit")
    course.step("assign", by="expert")
    course.step("decline", by="expert", comment=universal.REASONS)


def is_withdrawn(course: Course) -> None:
    """Withdrawn by its author after the first round."""
    course.step("submit")
    course.step("withdraw", comment=kitepattern.REASON)


def is_advised_on(course: Course) -> None:
    """On the fast track, with a first piece of advice."""
    organization = course.registration_request.organization
    organization.recognised_on = datetime.date(2026, 2, 3)
    organization.recognition_source = "https://standards.example/minutes/2026-02-03"
    organization.save()
    course.step("submit")
    course.step("assign", by="expert")
    course.step("advise", by="expert", comment=tidechart.ADVICE)


def is_reported(course: Course) -> None:
    """With the standards body, after the expert's report."""
    course.step("submit")
    course.step("assign", by="second-expert")
    course.step("report", by="second-expert", comment=buoylight.REPORT)
