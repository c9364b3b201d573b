"""What those below the workflow know of its verbs, and what the records name above it."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.module_loading import import_string

from registry import enums, workflow
from registry.enums import VerbKind

EACH = pytest.mark.parametrize("transition", workflow.TRANSITIONS, ids=lambda each: each.verb)


@EACH
def test_the_form_that_a_record_names_can_be_made(transition: workflow.Transition) -> None:
    assert callable(import_string(transition.form))


@EACH
def test_the_page_that_a_record_names_has_an_address(transition: workflow.Transition) -> None:
    page = transition.page or "requests:act"
    args = ["req-1"] if transition.page else ["req-1", transition.verb]

    assert reverse(page, args=args).startswith("/")


@EACH
def test_the_journal_knows_every_verb(transition: workflow.Transition) -> None:
    assert enums.find_verb(transition.verb) is transition


@pytest.mark.parametrize("kind", VerbKind, ids=lambda kind: kind.name)
def test_every_kind_has_its_verbs(kind: VerbKind) -> None:
    found = enums.list_verbs_of_kind(kind)

    assert found == [each.verb for each in workflow.TRANSITIONS if kind in each.kinds]
    assert all(enums.is_verb_of_kind(verb, kind) for verb in found)


def test_an_act_that_is_no_step_is_of_no_kind() -> None:
    assert enums.find_verb("comment") is None
    assert not any(enums.is_verb_of_kind("comment", kind) for kind in VerbKind)


def test_nobody_is_told_of_no_verbs_where_none_is_registered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(enums, "_REGISTERED", {})

    with pytest.raises(LookupError, match="is the workflow loaded"):
        enums.list_verbs_of_kind(VerbKind.RULING)
