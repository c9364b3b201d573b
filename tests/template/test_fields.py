"""The one definition of the template's fields and of the editor's pages."""

from __future__ import annotations

import pytest

from registry.template import (
    FIELDS,
    ORDER,
    PAGES,
    Field,
    Required,
    Template,
    field,
    page,
    page_of,
)


def test_fields_are_those_of_appendix_a_in_its_order() -> None:
    labels = [each.label for each in FIELDS]

    assert labels == [
        "Namespace Identifier",
        "Version",
        "Date",
        "Registrant",
        "Purpose",
        "Syntax",
        "Assignment",
        "Security and Privacy",
        "Interoperability",
        "Resolution",
        "Documentation",
        "Additional Information",
        "Revision Information",
    ]


def test_every_field_is_written_on_exactly_one_page() -> None:
    written = [name for each in PAGES for name in each.fields]

    assert sorted(written) == sorted(ORDER)
    assert len(PAGES) == 11


def test_template_has_the_defined_fields_and_no_others() -> None:
    assert tuple(Template.blank().to_dict()) == ORDER


@pytest.mark.parametrize("each", [field(name) for name in ORDER], ids=lambda each: each.name)
def test_every_field_tells_a_newcomer_what_to_write(each: Field) -> None:
    definition = field(each.name)

    assert definition is each
    assert len(definition.guidance) >= 2
    assert all(text.endswith((".", "?")) for text in definition.guidance)
    assert definition.good_answer


def test_registry_enters_version_and_date_and_nothing_else() -> None:
    entered = [each.name for each in FIELDS if each.required is Required.REGISTRY]

    assert entered == ["version", "date"]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("registrant", "RFC 8141, Appendix A"),
        ("purpose", "RFC 8141, section 6.4.1"),
        ("syntax", "RFC 8141, section 6.4.2"),
        ("assignment", "RFC 8141, section 6.4.3"),
        ("security_privacy", "RFC 8141, section 6.4.4"),
        ("interoperability", "RFC 8141, section 6.4.5"),
        ("resolution", "RFC 8141, section 6.4.6"),
        ("additional_information", "RFC 8141, section 6.4.7"),
        ("revision_information", "RFC 8141, section 6.2"),
    ],
)
def test_field_cites_where_it_is_described(name: str, source: str) -> None:
    assert field(name).source == source


def test_pages_are_found_by_slug_and_by_field() -> None:
    assert page("syntax") is page_of("examples")
    with pytest.raises(KeyError):
        page("nowhere")
    with pytest.raises(KeyError):
        page_of("nothing")
