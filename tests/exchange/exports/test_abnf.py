"""Grammars as files of ABNF, read by the registry's own reader."""

from __future__ import annotations

import pytest

from registry import grammar
from registry.exchange.exports.plain_text import has_own_grammar, write_abnf
from registry.grammar import Answer
from registry.models import Registration
from registry.namespace_rules import find_namespace_rule, list_ruled_nids


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("abnf", 'assigned-name = "urn:seedbank:" 1*DIGIT', "version 3."),
        ("regex", "[0-9]+", "a grammar that is not ABNF; its .txt has it."),
        ("opaque", "", "Version 3 of urn:seedbank gives no grammar."),
        ("", "", "Version 3 of urn:seedbank gives no grammar."),
    ],
)
def test_version_gives_its_grammar_or_that_of_all_namespaces(
    kind: str, text: str, said: str
) -> None:
    registration = Registration(number=3, grammar_kind=kind, grammar=text)

    written = write_abnf("seedbank", registration, may_stand_in=False)

    comment = " ".join(line[2:] for line in written.splitlines() if line.startswith(";"))
    assert said in comment
    assert has_own_grammar("seedbank", registration) is (kind == "abnf")
    assert grammar.read(written, "abnf", nid="seedbank").matches("urn:seedbank:123").answer is (
        Answer.YES
    )


def test_registrys_rule_stands_in_for_a_missing_text() -> None:
    written = write_abnf("isbn", None)

    comment = " ".join(line[2:] for line in written.splitlines() if line.startswith("; "))
    assert "Left open: " in comment
    assert has_own_grammar("isbn", None)


@pytest.mark.parametrize("nid", list_ruled_nids())
def test_every_rule_is_written_so_that_it_can_be_read(nid: str) -> None:
    held = find_namespace_rule(nid)
    assert held is not None

    read = grammar.read(write_abnf(nid, None), "abnf", nid=nid)

    names = held.examples if held.kind == "abnf" else ()
    assert {read.matches(each).answer for each in names} <= {Answer.YES}
