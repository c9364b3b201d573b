"""A request that a program sends twice under one key is done once, and answered twice."""

from __future__ import annotations

import datetime
import uuid
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, Final

import pytest
from django.db import connection, connections
from django.test import Client
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory

from registry import scheduler
from registry.actions import discussion
from registry.api import idempotency
from registry.models import (
    IdempotencyRecord,
    Message,
    RegistrationRequest,
    User,
)
from tests.api.clients import ACTS_FOR, JSON, Program

pytestmark = pytest.mark.django_db

PATIENCE: Final = 30.0

STARTED: Final = {
    "path": "community",
    "organization": "Some Body",
    "nid": "somebody",
    "summary": "Things of some body",
    "standards_action": False,
}


def start(program: Program, key: str, **changes: Any) -> Any:
    """Start a request under a key."""
    headers = {"idempotency-key": key}
    return program.client.post("/api/v1/requests/", {**STARTED, **changes}, JSON, headers=headers)


def test_second_answer_is_the_first_one_again(registrant: User) -> None:
    program = Program.of(registrant)

    first, second = (start(program, "one") for _ in range(2))

    assert (first.status_code, second.status_code) == (201, 201)
    assert second.json() == first.json()
    assert second.headers["Location"] == first.headers["Location"]
    assert second.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert RegistrationRequest.objects.count() == 1


def test_request_without_a_key_is_done_twice(registrant: User) -> None:
    program = Program.of(registrant)

    first, second = (program.post("", STARTED) for _ in range(2))

    assert first.json()["reference"] != second.json()["reference"]


def test_key_may_stand_in_quotation_marks(registrant: User) -> None:
    program = Program.of(registrant)

    first, second = start(program, "one"), start(program, '"one"')

    assert second.json() == first.json()


def test_key_used_for_something_else_is_refused(registrant: User) -> None:
    program = Program.of(registrant)
    start(program, "one")

    other = start(program, "one", summary="Other things")

    assert other.status_code == 422
    assert other.headers["Content-Type"] == "application/problem+json"
    assert other.json()["type"].endswith("#key-reused")
    assert RegistrationRequest.objects.count() == 1


def test_another_precondition_is_another_request(
    in_review: RegistrationRequest, expert: User
) -> None:
    client, path = Program.of(expert).client, f"/api/v1/requests/{in_review.slug}/verbs/approve/"
    said = {"comment": "Sound.", "unanswered": "The text answers them.", **ACTS_FOR}

    def approve(seen: int) -> Any:
        headers = {"idempotency-key": "one", "if-match": f'"{seen}"'}
        return client.post(path, said, JSON, headers=headers)

    first, again, other = approve(2), approve(2), approve(3)

    assert [each.status_code for each in (first, again, other)] == [200, 200, 422]
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["ETag"] == first.headers["ETag"]


def test_keys_of_two_people_are_two(registrant: User, outsider: User) -> None:
    first, second = start(Program.of(registrant), "one"), start(Program.of(outsider), "one")

    assert first.json()["reference"] != second.json()["reference"]


def test_refused_request_leaves_its_key_free(registrant: User) -> None:
    program = Program.of(registrant)

    refused = start(program, "one", nid="x-no")
    mended = start(program, "one")

    assert [refused.status_code, mended.status_code] == [400, 201]
    assert RegistrationRequest.objects.count() == 1


@pytest.mark.parametrize("key", ["", "a b", "é", "x" * 256, '"'])
def test_invalid_key_is_pointed_at(key: str, registrant: User) -> None:
    refused = start(Program.of(registrant), key)

    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["Idempotency-Key"])
    assert not RegistrationRequest.objects.exists()


def test_idempotency_key_is_not_claimed_without_an_account(client: Client) -> None:
    refused = start(Program(client), "one")

    assert refused.status_code == 401
    assert not IdempotencyRecord.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_second_program_waits_or_is_told_that_the_first_is_still_at_it(
    registrant: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, is_acting, may_end = Program.of(registrant), Event(), Event()

    def hold_up(claim: IdempotencyRecord, response: Response) -> None:
        is_acting.set()
        assert may_end.wait(PATIENCE)
        store_response(claim, response)

    def start_elsewhere() -> Any:
        try:
            return start(program, "one")
        finally:
            connections.close_all()

    store_response = idempotency.store_response
    with ThreadPoolExecutor(2) as pool:
        monkeypatch.setattr(idempotency, "store_response", hold_up)
        first = pool.submit(start_elsewhere)
        assert is_acting.wait(PATIENCE)
        second = pool.submit(start_elsewhere)
        if connection.vendor == "postgresql":
            told = second.result(PATIENCE)
            assert (told.status_code, told.headers["Retry-After"]) == (409, "1")
        may_end.set()

    answers = [first.result().status_code, start(program, "one").status_code]
    assert answers == [201, 201]
    assert RegistrationRequest.objects.count() == 1


def test_claim_that_was_cut_off_is_free_at_once(registrant: User) -> None:
    program = Program.of(registrant)
    start(program, "one")
    IdempotencyRecord.objects.update(status=None)

    done = start(program, "one")

    assert (done.status_code, "Idempotency-Replayed" in done.headers) == (201, False)
    assert IdempotencyRecord.objects.get().status == 201


def test_act_and_answer_are_saved_together_or_not_at_all(
    sent: RegistrationRequest, outsider: User
) -> None:
    request = Request(APIRequestFactory().post("/", {}, headers={"idempotency-key": "one"}))
    request.user = outsider

    def comment(request: Request) -> Response:
        discussion.add_comment(sent, author=outsider, text="A word.", key=uuid.uuid4())
        assert Message.objects.exists()
        return Response({"no JSON": object()})

    with pytest.raises(TypeError):
        idempotency.handle_idempotently(comment, request)

    assert not Message.objects.exists()
    assert not IdempotencyRecord.objects.exists()


def test_clock_forgets_answers_after_a_day(registrant: User) -> None:
    start(Program.of(registrant), "one")
    now = timezone.now()

    scheduler.tick(now + datetime.timedelta(hours=23))
    kept = IdempotencyRecord.objects.count()
    tally = scheduler.tick(now + datetime.timedelta(hours=25))

    assert (kept, IdempotencyRecord.objects.count()) == (1, 0)
    assert tally.done["forget"] == 1
