"""An informal namespace's number replaces the registrant's placeholder (5.2)."""

from __future__ import annotations

import pytest

from registry.template import Template, field, number, occurrences
from tests.template.samples import FORMAL, INFORMAL


@pytest.mark.parametrize(
    ("text", "numbered"),
    [
        ("urn-N", "urn-9"),
        ("urn:urn-N:salt", "urn:urn-9:salt"),
        ('"urn:urn-N:" nss', '"urn:urn-9:" nss'),
        ("urn-N, urn-N.", "urn-9, urn-9."),
        ("urn-n", "urn-n"),
        ("urn-Nx", "urn-Nx"),
        ("xurn-N", "xurn-N"),
        ("URN-N", "URN-N"),
        ("urn-N1", "urn-N1"),
    ],
)
def test_placeholder_is_replaced_as_a_whole_word_with_a_capital_n(text: str, numbered: str) -> None:
    assert number(Template(purpose=text), "urn-9").purpose == numbered


def test_number_reaches_every_field_the_grammar_and_the_examples() -> None:
    written = [name for name in Template.blank().to_dict() if not field(name).choices]
    everywhere = Template.from_dict(dict.fromkeys(written, "urn-N"))

    numbered = number(everywhere, "urn-12")

    assert occurrences(everywhere) == dict.fromkeys(written, 1)
    assert occurrences(numbered) == {}
    assert {numbered[name] for name in occurrences(everywhere)} == {"urn-12"}


def test_real_template_is_numbered_and_otherwise_kept() -> None:
    numbered = number(INFORMAL, "urn-9")

    assert numbered.nid == "urn-9"
    assert numbered.examples[0] == "urn:urn-9:salt:0007"
    assert numbered.resolution == INFORMAL.resolution
    assert number(FORMAL, "urn-9") == FORMAL


@pytest.mark.parametrize("nid", ["seedbank", "urn-0", "urn-09", "urn-N", ""])
def test_only_an_informal_identifier_can_be_put_in(nid: str) -> None:
    with pytest.raises(ValueError, match="informal namespace"):
        number(INFORMAL, nid)
