"""The sample requests: who asks for what, and the cast's steps on each."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final
from unittest import mock

from django.db import transaction
from django.utils import timezone

from registry import workflow
from registry.actions import discussion, remarks, speakers
from registry.demonstration.cast import NORTHLIGHT, SALTMARSH, Cast
from registry.demonstration.sample_texts import SampleTexts, read_sample_texts
from registry.enums import MessageMark, RemarkWeight, RequestPath, Settlement
from registry.models import Letter, Namespace, Organization, RegistrationRequest, User
from registry.notifications.outbox import send_letter
from registry.selectors.publication import propose_contact
from registry.selectors.speakers import find_offer
from registry.template import Template
from registry.workflow import drafts


@dataclass(frozen=True, slots=True)
class PastAct:
    """Something done a number of days ago."""

    days_ago: float
    do: Callable[[], object]


def perform_in_the_past(acts: Iterable[PastAct]) -> None:
    """Do all of `acts`, oldest first, each as if on its day.

    The journal is written in this order, so its numbers follow the dates. The clock is changed for
    this process only: the demonstration is created before anyone is served.
    """
    now = timezone.now()
    for act in sorted(acts, key=lambda act: act.days_ago, reverse=True):
        then = now - datetime.timedelta(act.days_ago)
        with mock.patch("django.utils.timezone.now", lambda then=then: then):
            act.do()


class SampleCourse:
    """The course of a request, described first and done later: `acts`, each on its day.

    It begins `days_ago` days ago; `wait` lets days pass.
    """

    def __init__(
        self,
        begin: Callable[[], RegistrationRequest],
        author: User,
        cast: Cast,
        texts: SampleTexts,
        days_ago: float,
    ) -> None:
        self.author = author
        self.cast = cast
        self.texts = texts
        self.days_ago = days_ago
        self.acts: list[PastAct] = []
        self.begun: list[RegistrationRequest] = []
        self.then(lambda: self.begun.append(begin()))

    @property
    def registration_request(self) -> RegistrationRequest:
        """The request, once it was begun."""
        return self.begun[0]

    def then(self, do: Callable[[], object]) -> None:
        """Do something on this day."""
        self.acts.append(PastAct(self.days_ago, do))

    def wait(self, days: float) -> None:
        """Let some days pass before what follows."""
        self.days_ago -= days

    def write(self, text: Template) -> None:
        """Write `text` into the draft."""

        def saved() -> None:
            draft = self.registration_request.rounds.get(submitted_at__isnull=True)
            drafts.save_draft(draft, text.to_dict(), seen=draft.edition)
            self.registration_request.refresh_from_db()

        self.then(saved)

    def step(self, verb: str, by: str = "", comment: str = "", **data: Any) -> None:
        """Take one step: by the author, or the member of the cast named by `by`."""
        actor = self.cast[by] if by else self.author
        self.then(
            lambda: workflow.perform(
                self.registration_request, verb, actor=actor, comment=comment, **data
            )
        )

    def accept_offer(self) -> None:
        """Let the author speak for the new namespace alone, if that is offered to them."""

        def accepted() -> None:
            namespace = self.registration_request.namespace
            if namespace and find_offer(namespace) == self.author:
                speakers.accept_offer(namespace, actor=self.author)

        self.then(accepted)

    def remark(self, section: str, quote: str, weight: RemarkWeight, text: str, by: str) -> None:
        """Let an expert remark on a passage of the current round."""

        def made() -> None:
            last = self.registration_request.rounds.sent().latest("number")
            remarks.add_remark(
                self.registration_request,
                actor=self.cast[by],
                round_number=last.number,
                section=section,
                weight=weight,
                text=text,
                quote=quote,
                start=last.template[section].index(quote),
            )

        self.then(made)

    def answer(self, number: int, settlement: str, text: str = "") -> None:
        """Let the author prepare the answer to a remark."""

        def answered() -> None:
            asked = self.registration_request.remarks.get(number=number)
            remarks.answer_remark(
                asked, actor=self.author, settlement=settlement, text=text, seen=":"
            )

        self.then(answered)

    def approve(self, days: float = 4) -> None:
        """Submit it, have it taken, and approved after some days."""
        self.step("submit")
        self.wait(1)
        self.step("assign", by="expert")
        self.wait(days)
        reasons = self.texts.comments["approve"]
        self.step("approve", by="expert", comment=reasons, **EXPLANATIONS)

    def send_text(self) -> None:
        """Send the letter with the last text to the discussion list."""

        def sent() -> None:
            text = self.registration_request.last_round
            for letter in Letter.objects.filter(round=text):
                send_letter.call(letter.pk)

        self.then(sent)


def leave_as_draft(course: SampleCourse) -> None:
    """Only its author knows of it."""


def submit_for_review(course: SampleCourse) -> None:
    """In review, and nobody has taken it."""
    course.step("submit")


def put_expert_on(course: SampleCourse) -> None:
    """In review, taken by the second expert."""
    course.step("submit")
    course.wait(1)
    course.step("assign", by="second-expert")


def return_with_changes(course: SampleCourse) -> None:
    """In review for the second time, after changes were requested."""
    comments = course.texts.comments
    course.step("submit", comment=comments["submit"])
    course.wait(1)
    course.step("assign", by="expert")
    course.wait(1)
    course.step("assign", by="second-expert")
    course.wait(6)
    for remark in course.texts.remarks:
        course.remark(remark.section, remark.quote, remark.weight, remark.text, by="expert")
    course.step("request_changes", by="expert", comment=comments["request_changes"])
    course.wait(9)
    course.write(course.texts.rounds[1])
    course.answer(1, Settlement.CHANGED)
    course.answer(2, Settlement.EXPLAINED, course.texts.remarks[1].answer)
    course.step("submit", comment=comments["submit_again"])


def approve_sample(course: SampleCourse) -> None:
    """Approved, and waiting for the registrar."""
    course.approve()


def publish_sample(course: SampleCourse) -> None:
    """Approved once comments were no longer invited, and published with documents of record."""
    course.approve(days=28)
    course.wait(2)
    course.send_text()
    contact = propose_contact(course.texts.rounds[-1].registrant)
    course.step(
        "register", by="registrar", references=list(course.texts.references), contact=contact
    )
    course.accept_offer()


def decline_sample(course: SampleCourse) -> None:
    """Declined, with advice on what would succeed."""
    course.step("submit")
    course.wait(2)
    course.step("assign", by="expert")
    course.wait(8)
    course.step("decline", by="expert", comment=course.texts.comments["decline"])


def withdraw_sample(course: SampleCourse) -> None:
    """Withdrawn by its author after the first round."""
    course.step("submit")
    course.wait(1.5)
    course.step("withdraw", comment=course.texts.comments["withdraw"])


def advise_on_sample(course: SampleCourse) -> None:
    """On the fast track, with a first piece of advice."""
    course.then(lambda: recognise_sample_body(course.registration_request.organization))
    course.step("submit")
    course.wait(1)
    course.step("assign", by="expert")
    course.wait(3)
    course.then(
        lambda: discussion.add_comment(
            course.registration_request,
            author=course.cast["expert"],
            text=course.texts.comments["advise"],
            key=uuid.uuid4(),
            mark=MessageMark.ADVICE,
        )
    )


def recognise_sample_body(organization: Organization) -> None:
    """Recognise the body, as before it made the request."""
    organization.recognised_on = datetime.date(2026, 2, 3)
    organization.recognition_source = "https://standards.example/minutes/2026-02-03"
    organization.save()


def report_sample(course: SampleCourse) -> None:
    """With the standards body, after the expert's report."""
    course.step("submit")
    course.wait(1)
    course.step("assign", by="second-expert")
    course.wait(11)
    reasons = course.texts.comments["report"]
    course.step("report", by="second-expert", comment=reasons, **EXPLANATIONS)


EXPLANATIONS: Final = {
    "haste": "The list answered within days, and nobody had anything against it.",
    "unanswered": "The discussion has answered them.",
    "acts_for": "Their address is on the organization’s own page of contacts.",
}
SAMPLE_KEYS = uuid.UUID("6d6b3f0c-2c1d-4b0e-9a53-0f1b7a5d9e21")


@dataclass(frozen=True, slots=True)
class Sample:
    """One request: how long ago who asked for what, and what has happened to it since."""

    name: str
    days_ago: float
    author: str
    organization: str
    summary: str
    course: Callable[[SampleCourse], None]
    path: RequestPath = RequestPath.COMMUNITY
    standards_action: bool = False
    revises: str = ""

    @property
    def key(self) -> uuid.UUID:
        """The key that finds the request again, however often the command is run."""
        return uuid.uuid5(SAMPLE_KEYS, self.name)

    @property
    def texts(self) -> SampleTexts:
        """Its texts, read from its files."""
        return read_sample_texts(self.name)


SAMPLES = (
    Sample(
        "watermill",
        96,
        "delegate",
        "Watermill Survey Society",
        "Sites of watermills",
        publish_sample,
    ),
    Sample(
        "watermill-2",
        40,
        "delegate",
        "Watermill Survey Society",
        "Sites of watermills and their wheels",
        publish_sample,
        revises="watermill",
    ),
    Sample(
        "universal-name",
        75,
        "delegate",
        "Everyname Bureau",
        "Anything",
        decline_sample,
    ),
    Sample(
        "kitepattern",
        30,
        "registrant",
        "Kite Makers’ Circle of Windhallow",
        "Patterns from which kites are made",
        withdraw_sample,
    ),
    Sample(
        "buoylight",
        21,
        "delegate",
        "Harbour Lights Conference",
        "Rhythms and colours of lights at sea",
        report_sample,
        standards_action=True,
    ),
    Sample(
        "seedbank",
        19,
        "registrant",
        NORTHLIGHT,
        "Accessions held by federated seed vaults",
        return_with_changes,
    ),
    Sample(
        "seed-bank",
        1,
        "delegate",
        "Growers’ Exchange of Harrow",
        "Packets of seed that gardeners exchange",
        submit_for_review,
    ),
    Sample(
        "lanternslide",
        15,
        "registrant",
        "Magic Lantern Cataloguing Society",
        "Lantern slides in public collections",
        approve_sample,
    ),
    Sample(
        "peals",
        9,
        "registrant",
        "Ringers’ Ledger of Ostermark",
        "Performances of bell ringers",
        approve_sample,
        path=RequestPath.INFORMAL,
    ),
    Sample(
        "tidechart",
        6,
        "delegate",
        SALTMARSH,
        "Editions of tidal prediction charts",
        advise_on_sample,
        path=RequestPath.FAST_TRACK,
    ),
    Sample(
        "fixtures",
        10,
        "registrant",
        "Skyfixture Group",
        "Test fixtures shared between telescope simulators",
        put_expert_on,
        path=RequestPath.INFORMAL,
    ),
    Sample(
        "glyphset",
        0.5,
        "delegate",
        "Typeface Archive of Lumen",
        "Sets of characters that typefaces held",
        submit_for_review,
    ),
    Sample(
        "seedtrial",
        3,
        "registrant",
        NORTHLIGHT,
        "Germination trials of stored seed",
        leave_as_draft,
    ),
)


def make_samples(cast: Cast) -> int:
    """Create the missing samples, all or none; return how many."""
    known = set(RegistrationRequest.objects.values_list("start_key", flat=True))
    missing = [sample for sample in SAMPLES if sample.key not in known]
    if missing:
        with transaction.atomic():
            perform_in_the_past(act for sample in missing for act in plan_course(sample, cast).acts)
    return len(missing)


def plan_course(sample: Sample, cast: Cast) -> SampleCourse:
    """Return the course of a sample: begun, written, and taken to its state."""
    author = cast[sample.author]
    texts = sample.texts
    first = texts.rounds[0]

    def begin() -> RegistrationRequest:
        return drafts.start_request(
            author=author,
            path=sample.path,
            organization=Organization.objects.named(sample.organization),
            summary=sample.summary,
            nid="" if sample.path == RequestPath.INFORMAL else first.nid,
            namespace=Namespace.objects.get(nid=sample.revises) if sample.revises else None,
            standards_action=sample.standards_action,
            key=sample.key,
        )

    course = SampleCourse(begin, author, cast, texts, sample.days_ago)
    course.write(first)
    sample.course(course)
    return course
