"""Names that can be taken for others: identifiers, and those of bodies."""

from __future__ import annotations

import pytest

from registry.models import Namespace, User
from tests.courses.story import Story, letters, named
from tests.courses.window import Window
from tests.factories import NamespaceFactory, OrganizationFactory
from tests.template.samples import FORMAL

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


@pytest.fixture
def lookone(db: None) -> Namespace:
    body = OrganizationFactory.create(name="Looking Glass Society")
    return NamespaceFactory.create(
        nid="lookone", registrant=body, contact="Desk, desk@glass.example"
    )


def check(nid: str) -> str:
    """Return what the page says of an identifier while it is typed; the API says the same."""
    window = Window().go(f"/requests/new/nid/?nid={nid}")
    findings = window.client.get("/api/v1/urn/identifier/", {"nid": nid}).json()["findings"]
    for each in findings:
        assert " ".join(each["message"].split()) in window.text, each
    return window.text


def test_holder_of_an_identifier_hears_of_one_that_looks_like_it(
    story: Story, lookone: Namespace, registrant: User, expert: User, registrar: User
) -> None:
    assert "lookone" in check("look-one")
    reference = story.start(registrant, nid="look-one")
    story.write(registrant, reference, named(FORMAL, "look-one"))
    page = Window(registrant).go(f"/requests/{reference}/send/")
    assert "“lookone”" in page.text

    story.send(registrant, reference)
    assert letters()["desk@glass.example"] == "submit"
    story.take(expert, reference)
    story.decide(expert, reference, "approve", "The society does not mind.")
    story.publish(registrar, reference, "look-one")


def test_general_word_is_a_finding_to_consider(story: Story, registrant: User) -> None:
    for nid in ("test", "localhost", "iana", "rfc", "arpa", "null"):
        assert "many others could claim" in check(nid), nid

    reference = story.start(registrant, nid="iana")
    story.write(registrant, reference, named(FORMAL, "iana"))
    story.send(registrant, reference)


def test_identifier_that_another_withdrew_names_the_earlier_request(
    story: Story, registrant: User, outsider: User
) -> None:
    earlier = story.start(registrant, nid="shelfmark")
    story.write(registrant, earlier, named(FORMAL, "shelfmark"))
    story.send(registrant, earlier)
    story.act(registrant, earlier, "withdraw", "Withdraw", comment="Not needed.")

    reference = story.start(outsider, nid="shelfmark", organization="Shelf Society")
    story.write(outsider, reference, named(FORMAL, "shelfmark"))
    page = Window(outsider).go(f"/requests/{reference}/send/")

    assert earlier.upper() in page.text
    story.send(outsider, reference)


def test_body_is_offered_under_whichever_way_its_name_is_written(
    story: Story, lookone: Namespace, registrant: User
) -> None:
    answers = {
        "path": "community",
        "nid": "glass",
        "summary": "Panes of glass",
        "standards_action": "no",
    }
    for name in (
        "The Looking Glass Society",
        "Lóoking Glass Society.",
        "\N{FULLWIDTH LATIN CAPITAL LETTER L}ooking Glass Society",
        "LookIng GIass Society",
    ):
        window = Window(registrant).go("/requests/new/")
        window.press("Continue to the template", organization=name, **answers)
        assert "can be taken for Looking Glass Society, which is known here" in window.text, name

    window.press("Continue to the template", organization="looking glass society")
    assert "/edit/" in window.url
