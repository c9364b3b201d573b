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
from registry.demonstration.texts import (
    buoylight,
    fixtures,
    glyphset,
    kitepattern,
    lanternslide,
    peals,
    seed_exchange,
    seedbank,
    tidechart,
    trials,
    universal,
    watermill,
)
from registry.models import Namespace, Organization, RegistrationRequest
from registry.template import Template
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
    text: Template
    course: Callable[[Course], None]
    path: Path = Path.COMMUNITY
    standards_action: bool = False
    revises: str = ""

    @property
    def key(self) -> uuid.UUID:
        """What the request is found again by, however often the command is run."""
        return uuid.uuid5(KEYS, self.name)


SAMPLES = (
    Sample(
        "watermill",
        96,
        "delegate",
        "Watermill Survey Society",
        "Sites of watermills",
        watermill.FIRST,
        is_published(watermill.APPROVAL, watermill.SURVEY),
    ),
    Sample(
        "watermill-2",
        40,
        "delegate",
        "Watermill Survey Society",
        "Sites of watermills and their wheels",
        watermill.REVISION,
        is_published(watermill.REVISION_APPROVAL, watermill.SURVEY),
        revises="watermill",
    ),
    Sample(
        "universal-name",
        75,
        "delegate",
        "Everyname Bureau",
        "Anything",
        universal.FIRST,
        is_declined,
    ),
    Sample(
        "kitepattern",
        30,
        "registrant",
        "Kite Makers’ Circle of Windhallow",
        "Patterns from which kites are made",
        kitepattern.FIRST,
        is_withdrawn,
    ),
    Sample(
        "buoylight",
        21,
        "delegate",
        "Harbour Lights Conference",
        "Rhythms and colours of lights at sea",
        buoylight.FIRST,
        is_reported,
        standards_action=True,
    ),
    Sample(
        "seedbank",
        19,
        "registrant",
        NORTHLIGHT,
        "Accessions held by federated seed vaults",
        seedbank.FIRST,
        came_back_with_changes,
    ),
    Sample(
        "seed-bank",
        1,
        "delegate",
        "Growers’ Exchange of Harrow",
        "Packets of seed that gardeners exchange",
        seed_exchange.FIRST,
        waits_for_an_expert,
    ),
    Sample(
        "lanternslide",
        15,
        "registrant",
        "Magic Lantern Cataloguing Society",
        "Lantern slides in public collections",
        lanternslide.FIRST,
        is_approved(lanternslide.APPROVAL),
    ),
    Sample(
        "peals",
        9,
        "registrant",
        "Ringers’ Ledger of Ostermark",
        "Performances of bell ringers",
        peals.FIRST,
        is_approved(peals.APPROVAL),
        path=Path.INFORMAL,
    ),
    Sample(
        "tidechart",
        6,
        "delegate",
        SALTMARSH,
        "Editions of tidal prediction charts",
        tidechart.FIRST,
        is_advised_on,
        path=Path.FAST_TRACK,
    ),
    Sample(
        "fixtures",
        10,
        "registrant",
        "Skyfixture Group",
        "Test fixtures shared between telescope simulators",
        fixtures.FIRST,
        is_read_by_an_expert,
        path=Path.INFORMAL,
    ),
    Sample(
        "glyphset",
        0.5,
        "delegate",
        "Typeface Archive of Lumen",
        "Sets of characters that typefaces held",
        glyphset.FIRST,
        waits_for_an_expert,
    ),
    Sample(
        "seedtrial",
        3,
        "registrant",
        NORTHLIGHT,
        "Germination trials of stored seed",
        trials.DRAFT,
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

    def begin() -> RegistrationRequest:
        return drafting.start(
            author=author,
            path=sample.path,
            organization=Organization.objects.named(sample.organization),
            summary=sample.summary,
            nid="" if sample.path == Path.INFORMAL else sample.text.nid,
            namespace=Namespace.objects.get(nid=sample.revises) if sample.revises else None,
            standards_action=sample.standards_action,
            key=sample.key,
        )

    course = Course(begin, author, cast, sample.days_ago)
    course.write(sample.text)
    sample.course(course)
    return course
