"""The processor time of checks is counted for whoever sends them."""

from __future__ import annotations

import time

import pytest
from django.test import Client, RequestFactory
from pytest_django import Settings

from registry import rate_limits
from registry.http.processor_time import count_stream
from registry.models import RateLimit

pytestmark = pytest.mark.django_db

CHECK = "/api/v1/urn/check/"
RESERVED = rate_limits.RESERVED_MILLISECONDS


def count_used() -> int:
    """Return the milliseconds that the only caller has used."""
    return RateLimit.objects.get(key__startswith="check:").used


def test_list_counts_as_what_it_took_once_its_answer_was_read(client: Client) -> None:
    response = client.post(CHECK, "urn:aa:b\n" * 100, content_type="text/plain")
    before = count_used()
    response.getvalue()

    assert before == RESERVED
    assert 1 <= count_used() < RESERVED


def test_list_counts_also_when_nobody_reads_its_answer_to_the_end() -> None:
    environ = RequestFactory().post(CHECK).environ
    rate_limits.begin_check(environ)
    stream = count_stream(iter([b"a", b"b"]), environ[rate_limits.CHECK_USAGE], time.thread_time())

    next(stream)
    stream.close()

    assert 1 <= count_used() < RESERVED


@pytest.mark.parametrize(
    ("address", "form"),
    [("/inspect/list/", {"names": "urn:aa:b"}), ("/inspect/find/", {"text": "urn:aa:b"})],
)
def test_page_counts_as_what_it_took(address: str, form: dict[str, str], client: Client) -> None:
    client.post(address, form)

    assert 1 <= count_used() < RESERVED


def test_time_that_was_used_up_is_refused_until_the_minute_is_over(
    client: Client, settings: Settings
) -> None:
    settings.REGISTRY_CHECK_SECONDS_PER_MINUTE = 6
    client.post(CHECK, "urn:aa:b", content_type="text/plain").getvalue()
    used = RateLimit.objects.filter(key__startswith="check:")

    used.update(used=5_999)
    last = client.post(CHECK, "urn:aa:b", content_type="text/plain")
    last.getvalue()
    refused = client.post(CHECK, "urn:aa:b", content_type="text/plain")

    assert last["RateLimit-Policy"] == '"processor-ms";q=6000;w=60'
    assert (last.status_code, refused.status_code) == (200, 429)


def test_checks_at_the_same_time_get_no_more_than_the_budget(settings: Settings) -> None:
    settings.REGISTRY_CHECK_SECONDS_PER_MINUTE = 3
    environ = RequestFactory().post(CHECK).environ

    waits = [rate_limits.begin_check(environ) for _time in range(4)]

    assert waits[:3] == [None] * 3
    assert waits[3] is not None
