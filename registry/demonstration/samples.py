"""The sample requests: who asks for what, and where each of them stands."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from registry.choices import Path
from registry.demonstration.cast import NORTHLIGHT, SALTMARSH, Cast
from registry.demonstration.course import (
    Course,
    came_back_with_changes,
    is_advised_on,
    is_approved,
    is_declined,
    is_published,
    is_read_by_an_expert,
    is_reported,
    is_withdrawn,
    stays_a_draft,
    waits_for_an_expert,
)
from registry.demonstration.past import live_through
from registry.demonstration.sample_texts import SampleTexts, read_sample_texts
from registry.models import Namespace, Organization, RegistrationRequest
from registry.workflow import drafting

KEYS = uuid.UUID("6d6b3f0c-2c1d-4b0e-9a53-0f1b7a5d9e21")


@dataclass(frozen=True, slots=True)
class Sample:
    """One request: how long ago who asked for what, and what has happened to it since."""

    name: str
    days_ago: float
    author: str
    organization: str
    summary: str
    course: Callable[[Course], None]
    path: Path = Path.COMMUNITY
    standards_action: bool = False
    revises: str = ""

    @property
    def key(self) -> uuid.UUID:
        """What the request is found again by, however often the command is run."""
        return uuid.uuid5(KEYS, self.name)

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
        is_published,
    ),
    Sample(
        "watermill-2",
        40,
        "delegate",
        "Watermill Survey Society",
        "Sites of watermills and their wheels",
        is_published,
        revises="watermill",
    ),
    Sample(
        "universal-name",
        75,
        "delegate",
        "Everyname Bureau",
        "Anything",
        is_declined,
    ),
    Sample(
        "kitepattern",
        30,
        "registrant",
        "Kite Makers’ Circle of Windhallow",
        "Patterns from which kites are made",
        is_withdrawn,
    ),
    Sample(
        "buoylight",
        21,
        "delegate",
        "Harbour Lights Conference",
        "Rhythms and colours of lights at sea",
        is_reported,
        standards_action=True,
    ),
    Sample(
        "seedbank",
        19,
        "registrant",
        NORTHLIGHT,
        "Accessions held by federated seed vaults",
        came_back_with_changes,
    ),
    Sample(
        "seed-bank",
        1,
        "delegate",
        "Growers’ Exchange of Harrow",
        "Packets of seed that gardeners exchange",
        waits_for_an_expert,
    ),
    Sample(
        "lanternslide",
        15,
        "registrant",
        "Magic Lantern Cataloguing Society",
        "Lantern slides in public collections",
        is_approved,
    ),
    Sample(
        "peals",
        9,
        "registrant",
        "Ringers’ Ledger of Ostermark",
        "Performances of bell ringers",
        is_approved,
        path=Path.INFORMAL,
    ),
    Sample(
        "tidechart",
        6,
        "delegate",
        SALTMARSH,
        "Editions of tidal prediction charts",
        is_advised_on,
        path=Path.FAST_TRACK,
    ),
    Sample(
        "fixtures",
        10,
        "registrant",
        "Skyfixture Group",
        "Test fixtures shared between telescope simulators",
        is_read_by_an_expert,
        path=Path.INFORMAL,
    ),
    Sample(
        "glyphset",
        0.5,
        "delegate",
        "Typeface Archive of Lumen",
        "Sets of characters that typefaces held",
        waits_for_an_expert,
    ),
    Sample(
        "seedtrial",
        3,
        "registrant",
        NORTHLIGHT,
        "Germination trials of stored seed",
        stays_a_draft,
    ),
)


def make_samples(cast: Cast) -> int:
    """Make the samples that are not there yet, all or none; return how many that were."""
    known = set(RegistrationRequest.objects.values_list("start_key", flat=True))
    missing = [sample for sample in SAMPLES if sample.key not in known]
    if missing:
        with transaction.atomic():
            live_through(act for sample in missing for act in course_of(sample, cast).acts)
    return len(missing)


def course_of(sample: Sample, cast: Cast) -> Course:
    """Return what happens to a sample: begun, written, and taken where it stands."""
    author = cast[sample.author]
    texts = sample.texts
    first = texts.rounds[0]

    def begin() -> RegistrationRequest:
        return drafting.start(
            author=author,
            path=sample.path,
            organization=Organization.objects.named(sample.organization),
            summary=sample.summary,
            nid="" if sample.path == Path.INFORMAL else first.nid,
            namespace=Namespace.objects.get(nid=sample.revises) if sample.revises else None,
            standards_action=sample.standards_action,
            key=sample.key,
        )

    course = Course(begin, author, cast, texts, sample.days_ago)
    course.write(first)
    sample.course(course)
    return course
