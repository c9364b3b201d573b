"""Mail of the demonstration."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.mail import EmailMessage
from pytest_django import Settings


@pytest.fixture(autouse=True)
def demonstration(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "registry.demonstration.mailbox.DemonstrationMailBackend"


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({}, "Mail to somebody@people.example: A code to sign in\n"),
        ({"Auto-Submitted": "auto-generated"}, ""),
    ],
    ids=["waited for", "about a request"],
)
def test_console_is_told_of_mail_that_somebody_waits_for(
    headers: dict[str, str],
    said: str,
    settings: Settings,
    capsys: pytest.CaptureFixture[str],
) -> None:
    mail = EmailMessage(
        "A code to sign in", "1234", to=["somebody@people.example"], headers=headers
    )

    mail.send()

    assert capsys.readouterr().err == said
    assert len(list(Path(settings.EMAIL_FILE_PATH).glob("*.eml"))) == 1
