"""NBN: the first revision of a namespace registered under RFC 2141."""

from __future__ import annotations

import pytest

from registry.models import Namespace, User
from tests.courses.story import Story, named, state
from tests.courses.window import Window
from tests.factories import NamespaceFactory
from tests.template.samples import REVISION

pytestmark = pytest.mark.django_db


@pytest.fixture
def natbib(db: None) -> Namespace:
    """Imported: facts and a document of record, no text, and no known version."""
    namespace: Namespace = NamespaceFactory.create(
        nid="natbib", references=["RFC 3188"], registered_on="2001-10"
    )
    return namespace


def test_first_revision_of_an_old_namespace_says_what_changed_and_counts_on(
    story: Story,
    natbib: Namespace,
    registrant: User,
    expert: User,
    registrar: User,
    standards_body: User,
) -> None:
    reference = story.start(registrant, path="revision", namespace="natbib")
    text = named(REVISION, "natbib")
    story.write(registrant, reference, text.replace(revision_information=""))
    refused = Window(registrant).go(f"/requests/{reference}/send/").press("Send")
    assert "Revision Information is empty" in refused.text
    assert state(reference) == "draft"

    story.write(registrant, reference, text)
    story.send(registrant, reference)
    said = f"Asked by {registrant}; not confirmed by the holder"
    assert said in Window().go(f"/requests/{reference}/").text
    letter = "The libraries say so: https://libraries.example/minutes/12"
    story.act(
        registrar,
        reference,
        "record_evidence",
        "Record evidence",
        about="consent",
        comment=letter,
    )
    assert said in Window().go(f"/requests/{reference}/").text, "one officer alone does not do"
    button = "Confirm as second officer"
    story.act(standards_body, reference, "countersign", button, comment="I read the minutes.")
    assert said not in Window().go(f"/requests/{reference}/").text
    story.take(expert, reference)
    story.decide(expert, reference, "approve", "Names already assigned stay valid.")
    story.publish(
        registrar,
        reference,
        "natbib",
        last_version="1",
        last_version_source="RFC 3188, section 2",
    )

    published = natbib.registrations.get()
    assert published.number == 2
    assert published.number_source == "RFC 3188, section 2"
    assert published.template.revision_information.split() == text.revision_information.split()
    natbib.refresh_from_db()
    assert natbib.references == ["RFC 3188"]
    assert "version 2 of 2" in Window().go("/namespaces/natbib/").text.lower()
