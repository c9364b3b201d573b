"""What modules below the workflow know of its verbs, and what the records refer to above it."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.module_loading import import_string

from registry import enums, workflow
from registry.enums import State, VerbKind
from registry.models import Event, RegistrationRequest
from registry.workflow.transitions import describe_extension

EACH = pytest.mark.parametrize("transition", workflow.TRANSITIONS, ids=lambda each: each.verb)


@EACH
def test_form_that_a_record_names_can_be_made(transition: workflow.Transition) -> None:
    assert callable(import_string(transition.form))


@EACH
def test_page_that_a_record_names_has_an_address(transition: workflow.Transition) -> None:
    for state in transition.sources:
        page = transition.find_page(RegistrationRequest(state=state)) or "requests:act"
        args = ["req-1", transition.verb] if page == "requests:act" else ["req-1"]

        assert reverse(page, args=args).startswith("/")


@EACH
def test_journal_knows_every_verb(transition: workflow.Transition) -> None:
    assert enums.find_verb(transition.verb) is transition


@pytest.mark.parametrize("kind", VerbKind, ids=lambda kind: kind.name)
def test_every_kind_has_its_verbs(kind: VerbKind) -> None:
    found = enums.list_verbs_of_kind(kind)

    assert found == [each.verb for each in workflow.TRANSITIONS if kind in each.kinds]
    assert all(enums.is_verb_of_kind(verb, kind) for verb in found)


KINDS = {
    VerbKind.SENDS_ROUND: "submit",
    VerbKind.ASKS_FOR_ROUND: "submit complete",
    VerbKind.BEGINS_REVIEW: "assign extend",
    VerbKind.BRINGS_EXPERT: "assign",
    VerbKind.TAKES_EXPERT_OFF: "recuse",
    VerbKind.EXPERT_DECISION: "request_changes approve report decline",
    VerbKind.RULING: "direct decide_appeal",
    VerbKind.APPEAL_OUTCOME: "decide_appeal",
    VerbKind.FAVOURABLE: "approve report direct complete",
    VerbKind.ASKS_FOR_CHANGES: "request_changes decline",
    VerbKind.APPROVAL: "approve",
    VerbKind.REPORT: "report",
    VerbKind.DIRECTION: "direct",
    VerbKind.APPEAL: "appeal",
    VerbKind.CONSENT: "consent",
    VerbKind.EVIDENCE: "record_evidence",
    VerbKind.OBJECTION: "object",
    VerbKind.SECOND_OFFICER: "countersign",
    VerbKind.PUBLICATION: "register",
}
"""The kinds of these verbs, listed separately from the table."""


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_verbs_are_of_the_kinds_that_they_are(kind: VerbKind) -> None:
    known = {verb for verbs_of_kind in KINDS.values() for verb in verbs_of_kind.split()}

    assert {each for each in enums.list_verbs_of_kind(kind) if each in known} == set(
        KINDS[kind].split()
    )


EXPLAINED = (
    "extend request_changes approve report decline direct complete record_evidence appeal "
    "decide_appeal reconsider"
)
UNEXPLAINED = "submit assign recuse register reroute withdraw expire reopen"


def test_decisions_give_reasons_and_other_steps_need_not() -> None:
    explained = {each.verb for each in workflow.TRANSITIONS if each.explains}

    assert explained >= set(EXPLAINED.split())
    assert explained.isdisjoint(UNEXPLAINED.split())


def test_act_that_is_no_step_is_of_no_kind() -> None:
    assert enums.find_verb("comment") is None
    assert not any(enums.is_verb_of_kind("comment", kind) for kind in VerbKind)


def test_nobody_is_told_of_no_verbs_where_none_is_registered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(enums, "_REGISTERED", {})

    with pytest.raises(LookupError, match="workflow"):
        enums.list_verbs_of_kind(VerbKind.RULING)


def test_extension_of_a_stay_reads_otherwise_than_that_of_a_decision() -> None:
    stay, decision = (
        describe_extension(Event(source=state, target=state))
        for state in (State.APPROVED, State.IN_REVIEW)
    )

    assert "appeal" in str(stay)
    assert "appeal" not in str(decision)
