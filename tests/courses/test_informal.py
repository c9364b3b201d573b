"""`urn-N`: two informal requests side by side get consecutive numbers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.management import call_command
from django.db import connections

from registry import journal
from registry.enums import RequestPath, Role
from registry.models import Event, Namespace, User
from registry.template import Template
from tests.courses.story import Story, deliver, letters, with_round
from tests.courses.window import Window
from tests.factories import UserFactory
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

    # The later one is published first: a number is assigned when it is used.
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


@pytest.mark.django_db(transaction=True)
def test_two_published_in_the_same_second_from_pages_with_the_same_number_get_one_each(
    story: Story, registrant: User, outsider: User, expert: User, registrar: User
) -> None:
    second = UserFactory.create(name="Sanna Second", roles=[Role.REGISTRAR])
    asked = [begin(story, registrant, INFORMAL), begin(story, outsider, with_round(INFORMAL, 2))]
    windows = []
    for reference, officer in zip(asked, (registrar, second), strict=True):
        story.take(expert, reference)
        story.decide(expert, reference, "approve", "Sound.")
        deliver()
        windows.append(Window(officer).go(f"/publish/{reference}/"))
    assert all("urn-1" in window.text for window in windows)
    story.stand_still()
    barrier = Barrier(len(windows))

    def publish(window: Window, reference: str) -> str:
        try:
            barrier.wait()
            return window.press("Register and publish", confirmation=reference.upper()).text
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(windows)) as pool:
        pages = list(pool.map(publish, windows, asked))

    assert all("Registered: urn:urn-" in page for page in pages)
    numbered = Namespace.objects.order_by("informal_number")
    assert [each.nid for each in numbered] == ["urn-1", "urn-2"]
    assert len(set(Event.objects.filter(verb="register").values_list("at"))) == 1
    for namespace in numbered:
        text = namespace.registrations.get().template
        assert all(name.startswith(f"urn:{namespace.nid}:") for name in text.examples)
    assert list(journal.verify()) == []
    assert letters() == {
        "Olaf Outsider": "approve register",
        "Rafe Registrar": "approve*2",
        "Runa Registrant": "approve register",
        "Sanna Second": "approve*2",
        "the list": "submit*2 approve*2 register*2",
    }


def begin(story: Story, author: User, text: Template) -> str:
    """Send an informal request."""
    reference = story.start(
        author, path=RequestPath.INFORMAL, organization=f"Body of {author.name}"
    )
    story.write(author, reference, text)
    story.send(author, reference)
    return reference
