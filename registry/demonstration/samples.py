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
    """One request: who asks for what, and what has happened to it since."""

    name: str
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
        "delegate",
        "Watermill Survey Society",
        "Sites of watermills",
        watermill.FIRST,
        is_published(watermill.APPROVAL, watermill.SURVEY),
    ),
    Sample(
        "watermill-2",
        "delegate",
        "Watermill Survey Society",
        "Sites of watermills and their wheels",
        watermill.REVISION,
        is_published(watermill.REVISION_APPROVAL, watermill.SURVEY),
        revises="watermill",
    ),
    Sample(
        "universal-name",
        "delegate",
        "Everyname Bureau",
        "Anything",
        universal.FIRST,
        is_declined,
    ),
    Sample(
        "kitepattern",
        "registrant",
        "Kite Makers’ Circle of Windhallow",
        "Patterns from which kites are made",
        kitepattern.FIRST,
        is_withdrawn,
    ),
    Sample(
        "buoylight",
        "delegate",
        "Harbour Lights Conference",
        "Rhythms and colours of lights at sea",
        buoylight.FIRST,
        is_reported,
        standards_action=True,
    ),
    Sample(
        "seedbank",
        "registrant",
        NORTHLIGHT,
        "Accessions held by federated seed vaults",
        seedbank.FIRST,
        came_back_with_changes,
    ),
    Sample(
        "seed-bank",
        "delegate",
        "Growers’ Exchange of Harrow",
        "Packets of seed that gardeners exchange",
        seed_exchange.FIRST,
        waits_for_an_expert,
    ),
    Sample(
        "lanternslide",
        "registrant",
        "Magic Lantern Cataloguing Society",
        "Lantern slides in public collections",
        lanternslide.FIRST,
        is_approved(lanternslide.APPROVAL),
    ),
    Sample(
        "peals",
        "registrant",
        "Ringers’ Ledger of Ostermark",
        "Performances of bell ringers",
        peals.FIRST,
        is_approved(peals.APPROVAL),
        path=Path.INFORMAL,
    ),
    Sample(
        "tidechart",
        "delegate",
        SALTMARSH,
        "Editions of tidal prediction charts",
        tidechart.FIRST,
        is_advised_on,
        path=Path.FAST_TRACK,
    ),
    Sample(
        "fixtures",
        "registrant",
        "Skyfixture Group",
        "Test fixtures shared between telescope simulators",
        fixtures.FIRST,
        is_read_by_an_expert,
        path=Path.INFORMAL,
    ),
    Sample(
        "glyphset",
        "delegate",
        "Typeface Archive of Lumen",
        "Sets of characters that typefaces held",
        glyphset.FIRST,
        waits_for_an_expert,
    ),
    Sample(
        "seedtrial",
        "registrant",
        NORTHLIGHT,
        "Germination trials of stored seed",
        trials.DRAFT,
        stays_a_draft,
    ),
)


def make_samples(cast: Cast) -> int:
    """Make the samples that are not there yet, each as a whole; return how many that were."""
    known = set(RegistrationRequest.objects.values_list("start_key", flat=True))
    missing = [sample for sample in SAMPLES if sample.key not in known]
    for sample in missing:
        make(sample, cast)
    return len(missing)


@transaction.atomic
def make(sample: Sample, cast: Cast) -> None:
    """Start the request, write its text, and take it where it stands."""
    author = cast[sample.author]
    namespace = Namespace.objects.get(nid=sample.revises) if sample.revises else None
    registration_request = drafting.start(
        author=author,
        path=sample.path,
        organization=Organization.objects.named(sample.organization),
        summary=sample.summary,
        nid="" if sample.path == Path.INFORMAL else sample.text.nid,
        namespace=namespace,
        standards_action=sample.standards_action,
        key=sample.key,
    )
    course = Course(registration_request, author, cast)
    course.write(sample.text)
    sample.course(course)
