"""The demonstration: a cast that can sign in, and samples that went through the real process."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client, override_settings
from pytest_django import DjangoAssertNumQueries, Settings

from registry import journal, selectors
from registry.demonstration import (
    CAST,
    PASSWORD,
    make_cast,
    make_samples,
)
from registry.demonstration.sample_texts import (
    SAMPLE_TEXTS_FOLDER,
    read_sample_template,
    read_sample_texts,
)
from registry.demonstration.samples import SAMPLES, Sample
from registry.enums import Role, State
from registry.journal import row_verification
from registry.management.commands import demonstration
from registry.models import (
    Assignment,
    Counter,
    Dates,
    Event,
    Namespace,
    Organization,
    Registration,
    RegistrationRequest,
    Round,
    User,
)
from registry.selectors.explanations import list_explanations
from registry.template import diff, write
from registry.urn import Severity
from registry.workflow import conditions
from tests.recorded_rows import recorded

pytestmark = pytest.mark.django_db

NARROW = """\
Namespace Identifier: example

Purpose:
   Names
   identify things.

   - Small
   - Large

   Many use
   them.

Syntax:
   Digits.

   Formal grammar (ABNF):

      nss = 1*digit
      digit = DIGIT
"""


@pytest.fixture
def own_folder(settings: Settings, tmp_path: Path) -> Path:
    """Let the command keep its files in a test folder."""
    settings.DATA_DIR = tmp_path
    return tmp_path


def run(**options: str) -> str:
    """Run the command; return its output."""
    out = io.StringIO()
    call_command("demonstration", stdout=out, **options)
    return out.getvalue()


def everything() -> list[Any]:
    """Return everything that the command might create twice."""
    models = (
        User,
        Organization,
        RegistrationRequest,
        Round,
        Assignment,
        Namespace,
        Registration,
        Event,
        Counter,
    )
    return [list(model.objects.order_by("pk").values()) for model in models]


def sample(**facts: str) -> RegistrationRequest:
    """Return the one sample request with these facts."""
    return RegistrationRequest.objects.get(**facts)


@pytest.fixture
@recorded
def samples(db: None) -> None:
    """The cast and the sample requests, made with the settings of a demonstration."""
    cast, _made = make_cast()
    with (
        mock.patch.object(Dates, "comment_days", 28),
        mock.patch.object(conditions, "list_explanations", list_explanations),
        override_settings(REGISTRY_LIST_ADDRESS="list@lists.example"),
    ):
        make_samples(cast)


def read_numbers(printed: str) -> list[list[int]]:
    """Return the numbers of each line that has any."""
    lines = (re.findall(r"\d+", line) for line in printed.splitlines())
    return [[int(number) for number in numbers] for numbers in lines if numbers]


@pytest.mark.whole
def test_running_it_twice_keeps_the_data_and_makes_nothing_anew(own_folder: Path) -> None:
    first = run(port="8123")
    before = everything()

    second = run(port="8123")

    assert everything() == before
    counts = [104, 63, 11, 2266, 56]
    assert read_numbers(first)[:7] == [*([count, 0, 0] for count in counts), [8], [13]]
    assert read_numbers(second)[:5] == [[0, 0, count] for count in counts]


def test_database_of_an_earlier_version_is_left_alone_and_how_to_start_afresh_is_said(
    own_folder: Path, transactional_db: None
) -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("registry", "0004_process")

    try:
        with pytest.raises(CommandError, match="starts afresh") as refusal:
            call_command("demonstration", stdout=io.StringIO())
    finally:
        recorder.record_unapplied("registry", "0004_process")

    assert str(own_folder) in str(refusal.value)
    assert "earlier version" in str(refusal.value)


@pytest.mark.whole
def test_it_says_where_the_registry_is_and_how_to_sign_in_as_whom(own_folder: Path) -> None:
    told = run(port="8123")

    assert "The registry: http://127.0.0.1:8123\n" in told
    assert f"password {PASSWORD}" in told
    assert [member.email for member in CAST if member.email not in told] == []
    assert "http://127.0.0.1:8123/demonstration/mail/" in told


@pytest.mark.whole
def test_port_comes_from_the_environment(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "8124")

    assert "The registry: http://127.0.0.1:8124\n" in run()


def test_it_refuses_to_make_accounts_with_a_known_password_in_production(
    settings: Settings,
) -> None:
    settings.DEMONSTRATION = False

    with pytest.raises(CommandError, match="known password"):
        run()

    assert User.objects.count() == 0
    assert Namespace.objects.count() == 0


@pytest.mark.whole
def test_work_done_in_the_demonstration_survives_a_second_run(own_folder: Path) -> None:
    run()
    User.objects.filter(email="expert@people.example").update(name="Somebody Else")
    RegistrationRequest.objects.filter(nid="seedtrial").update(summary="Mine now")
    before = everything()

    run()

    assert everything() == before


@pytest.mark.whole
def test_front_end_packages_that_cannot_be_fetched_are_named_and_nothing_fails(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    failing = (sys.executable, "-c", "raise SystemExit('No network.')")
    monkeypatch.setattr(demonstration, "FETCH_VENDOR", failing)

    demonstration.Command().fetch_vendor_files()

    errors = capfd.readouterr().err
    assert "No network." in errors
    assert "without style" in errors


def test_each_of_the_cast_signs_in_with_the_password_that_is_printed(samples: None) -> None:
    for member in CAST:
        user = User.objects.get(email=member.email)

        assert Client().login(email=member.email, password=PASSWORD), member
        assert user.roles == ({member.role} if member.role else set())
        assert user.is_staff is (member.role == Role.ADMINISTRATOR)
        assert list(user.emailaddress_set.values_list("email", "verified", "primary")) == [
            (member.email, True, True)
        ]


def test_samples_stand_in_many_states(samples: None) -> None:
    states = {
        each.nid or str(each.organization): each.state for each in RegistrationRequest.objects.all()
    }

    assert states == {
        "watermill": State.REGISTERED,
        "universal-name": State.DECLINED,
        "kitepattern": State.WITHDRAWN,
        "buoylight": State.REPORTED,
        "seedbank": State.IN_REVIEW,
        "seed-bank": State.IN_REVIEW,
        "lanternslide": State.APPROVED,
        "Ringers’ Ledger of Ostermark": State.APPROVED,
        "tidechart": State.ADVISORY,
        "Skyfixture Group": State.IN_REVIEW,
        "glyphset": State.IN_REVIEW,
        "seedtrial": State.DRAFT,
    }


def test_text_of_every_sample_that_was_sent_keeps_the_hard_rules(samples: None) -> None:
    sent = Round.objects.sent()
    found = [
        finding
        for each in sent
        for finding in each.findings
        if finding["severity"] == Severity.BLOCK
    ]

    assert sent.count() == 13
    assert found == []


def test_requests_that_wait_for_the_registrar_may_be_published(samples: None) -> None:
    waiting = selectors.publishable_requests()

    found = [
        finding
        for each in waiting
        for finding in selectors.list_findings(each, each.rounds.sent().latest("number").template)
        if finding.severity is Severity.BLOCK
    ]

    assert waiting.count() == 2
    assert found == []


def test_private_draft_is_half_written_and_seen_by_its_writers_alone(samples: None) -> None:
    draft = sample(nid="seedtrial")
    text = draft.rounds.get().template

    assert (bool(text.purpose), bool(text.assignment)) == (True, False)
    assert draft in selectors.requests_visible_to(
        User.objects.get(email="registrant@people.example")
    )
    assert draft not in selectors.requests_visible_to(
        User.objects.get(email="expert@people.example")
    )


def test_second_round_of_seedbank_answers_what_was_asked_for(samples: None) -> None:
    first, second = sample(nid="seedbank").rounds.sent()

    changed = {each.field for each in diff(first.template, second.template)} - {"date"}

    assert changed == {
        "syntax",
        "assignment",
        "resolution",
        "resolution_intended",
        "resolution_operator",
    }
    asked = Event.objects.get(verb="request_changes")
    assert [
        word for word in ("Syntax", "Assignment", "Resolution") if word not in asked.comment
    ] == []


def test_two_samples_ask_for_nearly_the_same_identifier(samples: None) -> None:
    found = selectors.list_nid_findings("seed-bank", sample(nid="seed-bank"))

    assert [finding.check for finding in found] == ["nid.near"]


def test_sample_namespace_stands_in_two_versions(samples: None) -> None:
    watermill = Namespace.objects.get(nid="watermill")

    assert [each.number for each in watermill.registrations.all()] == [2, 1]
    assert Namespace.objects.count() == 1


def test_samples_use_no_informal_number(samples: None) -> None:
    assert Counter.objects.expected(Counter.INFORMAL) == 1


def test_journal_of_the_samples_can_be_proved(samples: None) -> None:
    assert Event.objects.count() > 40
    assert list(journal.verify()) == []
    assert list(row_verification.verify_rows()) == []


def test_second_making_of_the_samples_asks_once_for_what_is_there(
    samples: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cast, made = make_cast()

    with django_assert_num_queries(1):
        again = make_samples(cast)

    assert (made, again) == (0, 0)


def test_all_samples_are_of_example_hosts(samples: None) -> None:
    texts = [each.template for each in Round.objects.all()]
    hosts = {
        word.split("/")[2]
        for text in texts
        for name in text.to_dict()
        for word in text[name].split()
        if word.startswith(("http://", "https://"))
    }

    assert len(hosts) > 5
    assert {host for host in hosts if not host.endswith(".example")} == set()


def test_every_folder_of_texts_belongs_to_a_sample() -> None:
    assert {path.name for path in SAMPLE_TEXTS_FOLDER.iterdir()} == {each.name for each in SAMPLES}


@pytest.mark.parametrize("each", SAMPLES, ids=lambda each: each.name)
def test_file_of_a_round_is_the_text_that_the_registry_gives_of_it(each: Sample) -> None:
    files = [
        path.read_text("utf-8")
        for path in sorted((SAMPLE_TEXTS_FOLDER / each.name).glob("round-*.txt"))
    ]

    assert files == [write(template) for template in read_sample_texts(each.name).rounds]


def test_paragraph_is_one_line_however_its_file_is_wrapped(tmp_path: Path) -> None:
    path = tmp_path / "round-1.txt"
    path.write_text(NARROW, encoding="utf-8")

    template = read_sample_template(path)

    assert template.purpose == "Names identify things.\n\n- Small\n- Large\n\nMany use them."
    assert template.grammar == "nss = 1*digit\ndigit = DIGIT"


def test_line_of_a_file_that_belongs_to_no_field_is_named(tmp_path: Path) -> None:
    text = (SAMPLE_TEXTS_FOLDER / "seedbank" / "round-1.txt").read_text("utf-8")
    path = tmp_path / "round-1.txt"
    path.write_text(text.replace("\nPurpose:\n", "\nPurpos:\n"), encoding="utf-8")

    with pytest.raises(ValueError, match=r"round-1\.txt, line 15: "):
        read_sample_template(path)


def test_sample_without_a_text_is_told_which_file_is_missing() -> None:
    with pytest.raises(FileNotFoundError, match=r"nobody/round-1\.txt"):
        read_sample_texts("nobody")
