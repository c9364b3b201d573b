"""Our own errors: each interface handles them by their class, with their own message."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.core.management.base import CommandError

from registry.api.problems import make_problem_response
from registry.background import TaskPending
from registry.errors import RegistryError
from registry.exchange.locator_tables import UploadTooLarge
from registry.http.problems import PROBLEM_KINDS
from registry.management.base import RegistryCommand
from registry.notifications.webhooks import WebhookError
from registry.rate_limits import ListTooLarge
from registry.workflow import ActionRefused, ConcurrentChange

STATUSES: dict[type[RegistryError], int] = {
    ActionRefused: 409,
    ConcurrentChange: 412,
    TaskPending: 409,
    WebhookError: 409,
    UploadTooLarge: 413,
    ListTooLarge: 413,
}
KINDS = {409: "refused", 412: "superseded", 413: "too-large"}


@pytest.mark.parametrize("kind", STATUSES, ids=lambda kind: str(kind.__name__))
def test_api_answers_an_error_with_its_status_in_its_own_words(
    kind: type[RegistryError],
) -> None:
    answer = make_problem_response(kind("Not like this."), {})

    assert answer is not None
    assert answer.status_code == STATUSES[kind]
    assert answer.data == {
        "type": f"{settings.SITE}/api/problems/#{KINDS[STATUSES[kind]]}",
        "title": PROBLEM_KINDS[KINDS[STATUSES[kind]]].title,
        "status": STATUSES[kind],
        "detail": "Not like this.",
    }


def test_fault_of_ours_is_no_problem_of_the_program() -> None:
    assert make_problem_response(RuntimeError("Oh."), {}) is None


def test_command_that_is_refused_ends_with_the_reason() -> None:
    class Refused(RegistryCommand):
        refusal_words = "Nothing was done. "

        def handle(self, *args: Any, **options: Any) -> None:
            raise ActionRefused("Too late.")

    with pytest.raises(CommandError, match=r"\ANothing was done. Too late.\Z"):
        Refused().execute(
            force_color=False, no_color=True, skip_checks=True, stdout=None, stderr=None
        )
