"""The sample requests: who asks for what, and where each of them stands."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from registry.demonstration.cast import NORTHLIGHT, SALTMARSH, Cast
from registry.demonstration.course import (
    SampleCourse,
    advise_on_sample,
    approve_sample,
    decline_sample,
    leave_as_draft,
    perform_in_the_past,
    publish_sample,
    put_expert_on,
    report_sample,
    return_with_changes,
    submit_for_review,
    withdraw_sample,
)
from registry.demonstration.sample_texts import SampleTexts, read_sample_texts
from registry.enums import RequestPath
from registry.models import Namespace, Organization, RegistrationRequest
from registry.workflow import drafts

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
        """What the request is found again by, however often the command is run."""
        return uuid.uuid5(SAMPLE_KEYS, self.name)

    @property
    def texts(self) -> SampleTexts:
        """What is written and said in it, read from its files."""
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
    """Make the samples that are not there yet, all or none; return how many that were."""
    known = set(RegistrationRequest.objects.values_list("start_key", flat=True))
    missing = [sample for sample in SAMPLES if sample.key not in known]
    if missing:
        with transaction.atomic():
            perform_in_the_past(act for sample in missing for act in plan_course(sample, cast).acts)
    return len(missing)


def plan_course(sample: Sample, cast: Cast) -> SampleCourse:
    """Return what happens to a sample: begun, written, and taken where it stands."""
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
