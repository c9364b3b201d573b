"""The command that proves the journal."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from registry.models import Event, RegistrationRequest
from tests.test_journal import without_guard

pytestmark = pytest.mark.django_db


def test_a_whole_journal_is_counted_and_nothing_is_said_against_it(
    in_review: RegistrationRequest,
) -> None:
    out = io.StringIO()

    call_command("verify_journal", stdout=out)

    assert out.getvalue() == "Lines in the journal: 3.\n"


def test_each_broken_line_is_printed_and_the_command_fails(in_review: RegistrationRequest) -> None:
    out = io.StringIO()
    without_guard("UPDATE registry_event SET comment = %s WHERE number IN (1, 3)", "Forged.")

    with pytest.raises(CommandError, match="broken in 2 places"):
        call_command("verify_journal", stdout=out)

    assert out.getvalue().splitlines() == [
        "Line 1 was changed.",
        "Line 3 was changed.",
        "Lines in the journal: 3.",
    ]
    assert Event.objects.count() == 3
