"""Simultaneous changes to the registry of service designators."""

from __future__ import annotations

from functools import partial

import pytest

from registry import journal
from registry.actions import resolution_services
from registry.actions.resolution_services import DESIGNATOR_VOCABULARY
from registry.models import Event, ServiceDesignator, User
from tests.workflow.test_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_word_that_is_entered_twice_at_one_moment_is_entered_once(registrar: User) -> None:
    said = {"purpose": "URI to summary", "status": "exp", "reference": "RFC 9901"}
    click = partial(
        resolution_services.add_entry, DESIGNATOR_VOCABULARY, actor=registrar, key="I2S", **said
    )

    results = at_once([click] * 6)

    assert set(results) == {ServiceDesignator.objects.get()}
    assert Event.objects.filter(verb="add_designator").count() == 1
    assert list(journal.verify()) == []
