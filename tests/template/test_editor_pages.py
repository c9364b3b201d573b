"""What the list of sections in the editor says."""

from __future__ import annotations

from registry.template import Context, Template, check, progress, tally
from tests.template.samples import FORMAL, REVISION


def words(template: Template, context: Context) -> dict[str, str]:
    pages = progress(template, check(template, context), context)
    return {each.page.slug: each.words for each in pages}


def counted(template: Template, context: Context) -> tuple[int, int]:
    return tally(progress(template, check(template, context), context))


def test_blank_template_is_not_started() -> None:
    said = words(Template.blank(), Context())

    assert said.pop("additional-information") == "Optional"
    assert said.pop("revision-information") == "Not needed"
    assert set(said.values()) == {"Not started"}
    assert counted(Template.blank(), Context()) == (0, 9)


def test_complete_template_is_done() -> None:
    said = words(FORMAL, Context())

    assert said.pop("revision-information") == "Not needed"
    assert set(said.values()) == {"Done"}
    assert counted(FORMAL, Context()) == (9, 9)


def test_blocking_findings_are_counted_on_their_page() -> None:
    unanswered = FORMAL.replace(interoperability="", known_issues="")
    template = unanswered.replace(examples=["urn:seedbank:a b", "urn:other:1"])

    said = words(template, Context())

    assert said["syntax"] == "2 to fix"
    assert said["interoperability"] == "Not started"
    assert counted(template, Context()) == (7, 9)


def test_warnings_do_not_keep_a_page_from_being_done() -> None:
    template = FORMAL.replace(registrant="Northlight, somewhere in the mountains", examples=[])

    assert counted(template, Context()) == (9, 9)


def test_revision_has_a_tenth_required_section() -> None:
    revision = Context(change="revision", version=2)
    untold = REVISION.replace(revision_information="")

    assert words(untold, revision)["revision-information"] == "Not started"
    assert counted(untold, revision) == (9, 10)
    assert counted(REVISION, revision) == (10, 10)


def test_version_and_date_alone_do_not_start_a_page() -> None:
    template = Template(version="1", date="2026-03-14")

    assert words(template, Context())["identifier"] == "Not started"
