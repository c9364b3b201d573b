"""`urn-N`: two informal requests side by side get consecutive numbers."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from registry.enums import RequestPath
from registry.models import Namespace, User
from registry.template import Template
from tests.courses.story import Story, with_round
from tests.courses.window import Window
from tests.template.samples import INFORMAL

pytestmark = pytest.mark.django_db


def test_two_informal_requests_side_by_side_get_consecutive_numbers(
    story: Story, registrant: User, outsider: User, expert: User, registrar: User
) -> None:
    call_command("load_registry", verbosity=0)
    last = Namespace.objects.filter(kind="informal").order_by("informal_number").last()
    assert last is not None
    assert last.informal_number is not None
    first = begin(story, registrant, INFORMAL)
    second = begin(story, outsider, with_round(INFORMAL, 2))
    for reference in (first, second):
        story.take(expert, reference)
        story.decide(expert, reference, "approve", "Sound.")

    # The one that came later is published first: a number is given when it is used.
    expected = Window(registrar).go(f"/publish/{first}/").text
    story.publish(registrar, second, second.upper())
    published = story.publish(registrar, first, first.upper())

    numbers = [last.informal_number + 1, last.informal_number + 2]
    assert f"urn-{numbers[0]}" in expected
    assert f"Registered: urn:urn-{numbers[1]}" in published.text
    for number, reference in zip(numbers, (second, first), strict=True):
        namespace = Namespace.objects.get(nid=f"urn-{number}")
        registration = namespace.registrations.get()
        text = registration.template
        assert registration.registration_request.slug == reference
        assert "urn-N" not in "".join((text.grammar, text.syntax, *text.examples))
        assert all(name.startswith(f"urn:urn-{number}:") for name in text.examples)
        assert f"urn:urn-{number}:" in Window().go(f"/namespaces/urn-{number}/").text


def begin(story: Story, author: User, text: Template) -> str:
    """Send an informal request."""
    reference = story.start(
        author, path=RequestPath.INFORMAL, organization=f"Body of {author.name}"
    )
    story.write(author, reference, text)
    story.send(author, reference)
    return reference
