"""A dump that is loaded makes the same registry: dumped again, it is the same octets."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from registry import journal
from registry.models import RegistrationRequest, User

pytestmark = pytest.mark.django_db(transaction=True)


def test_dump_loaded_and_dumped_again_is_the_same_octets(
    approved: RegistrationRequest, registrar: User, tmp_path: Path
) -> None:
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    call_command("dump", str(before), complete=True)
    call_command("flush", interactive=False, verbosity=0)

    call_command("load_dump", str(before))
    call_command("dump", str(after), complete=True)

    assert before.read_bytes() == after.read_bytes()
    assert RegistrationRequest.objects.get().author.email == "registrant@people.example"
    assert list(journal.verify()) == []
