"""Letters from the discussion list: one sent twice, a flood of them, and an officer's name."""

from __future__ import annotations

import pytest

from registry.actions.incoming_mail import UnwantedLetter, receive_letter
from registry.models import RegistrationRequest, User
from tests.actions.letters import letter
from tests.courses.story import Story
from tests.courses.window import Window

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


def receive(text: str, number: int, **headers: str) -> None:
    """Receive a letter about the request, as the mail server delivers it."""
    message_id = f"<{number}@elsewhere.example>"
    receive_letter(letter(text, message_id=message_id, **headers).as_bytes())


def test_letter_that_the_list_sends_twice_is_read_once(
    story: Story, in_review: RegistrationRequest
) -> None:
    receive("Will the codes stay?", 1)
    with pytest.raises(UnwantedLetter):
        receive("Will the codes stay?", 2)

    page = Window().go(f"/requests/{in_review.slug}/").text
    assert page.count("Will the codes stay?") == 1


def test_flood_of_letters_waits_for_a_moderator_who_shows_what_is_worth_it(
    story: Story, in_review: RegistrationRequest, lead: User
) -> None:
    place = f"/requests/{in_review.slug}/"
    for number in range(1, 13):
        receive(f"Point {number} of many.", number)
    page = Window().go(place).text
    assert "Point 10 of many." in page
    assert "Point 11 of many." not in page
    assert page.count("Waits for a moderator since") == 2

    moderator = Window(lead).go(f"{place}messages/11/show/")
    moderator.press("Show the message again")
    page = Window().go(place).text
    assert "Point 11 of many." in page
    assert "Point 12 of many." not in page

    story.later(0.1)
    receive("A point after some hours.", 13)
    assert "A point after some hours." in Window().go(place).text


def test_letter_under_the_name_of_an_officer_says_so_in_its_heading(
    story: Story, in_review: RegistrationRequest, registrar: User
) -> None:
    receive("I withdraw everything.", 1, sender=f"Rafe Registrar <{registrar.email}>")

    page = Window().go(f"/requests/{in_review.slug}/")
    (heading,) = page.page.xpath("//header[contains(., 'Rafe Registrar')]")
    assert "By mail, address not verified" in heading.text_content()
    assert "Registrar of the registry" not in heading.text_content()
