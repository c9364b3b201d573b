"""The command that verifies the journal."""

from __future__ import annotations

import io
import re

import pytest
from django.core.management import CommandError, call_command

from registry import journal, workflow
from registry.models import Event, RegistrationRequest, User
from tests.cast import record_cast
from tests.journal.test_journal import without_guard

pytestmark = pytest.mark.django_db


def test_whole_journal_is_counted_and_nothing_is_said_against_it(
    in_review: RegistrationRequest,
) -> None:
    out = io.StringIO()
    record_cast()

    call_command("verify_journal", stdout=out)

    lines = out.getvalue().splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == ["4.", str(journal.find_head())]


def test_each_broken_line_is_printed_and_the_command_fails(in_review: RegistrationRequest) -> None:
    out = io.StringIO()
    record_cast()
    without_guard("UPDATE registry_event SET comment = %s WHERE number IN (1, 3)", "Forged.")

    with pytest.raises(CommandError, match=r"\b2\b"):
        call_command("verify_journal", stdout=out)

    lines = out.getvalue().splitlines()
    assert lines[:2] == ["Line 1 was changed.", "Line 3 was changed."]
    assert lines[-1].endswith(f": {journal.find_head()}")
    assert Event.objects.count() == 4


def test_head_that_it_prints_is_what_it_compares_with(in_review: RegistrationRequest) -> None:
    out = io.StringIO()
    record_cast()
    call_command("verify_journal", stdout=out)
    head = out.getvalue().split()[-1]

    call_command("verify_journal", f"--head={head}", stdout=io.StringIO())

    other = f"3:{'0' * 64}"
    with pytest.raises(CommandError, match=r"\b1\b"):
        call_command("verify_journal", f"--head={other}", stdout=out)
    assert re.search(f"^Lines 1 to 3 .*{'0' * 64}", out.getvalue(), re.MULTILINE)


@pytest.mark.parametrize("text", ["", "3", f"3:{'0' * 63}", f"x:{'0' * 64}"])
def test_malformed_head_is_refused(in_review: RegistrationRequest, text: str) -> None:
    with pytest.raises(CommandError, match="NUMBER:DIGEST"):
        call_command("verify_journal", f"--head={text}", stdout=io.StringIO())


def test_registry_into_which_nothing_was_loaded_is_not_called_whole(db: None) -> None:
    out = io.StringIO()

    with pytest.raises(CommandError, match=r"\b1\b"):
        call_command("verify_journal", stdout=out)

    assert out.getvalue().splitlines()[0].startswith("The journal is empty")


def test_row_that_was_changed_is_printed_and_the_command_fails(
    approved: RegistrationRequest, registrar: User
) -> None:
    workflow.perform(approved, "register", actor=registrar, references=["A letter"])
    record_cast()
    without_guard("UPDATE registry_registration SET purpose = %s", "Mine.")
    out = io.StringIO()

    with pytest.raises(CommandError, match=r"\b1\b"):
        call_command("verify_journal", stdout=out)

    assert re.search("“seedbank version 1” .* line 5 ", out.getvalue())
