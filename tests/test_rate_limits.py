"""A limit allows exactly its number, however many ask at once."""

from __future__ import annotations

import datetime
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.utils import timezone

from registry import rate_limits
from registry.models import RateLimit
from registry.rate_limits import ONE_MINUTE

LIMIT = 10


def consume_in_a_thread(key: str) -> bool:
    try:
        return rate_limits.consume(key, LIMIT, ONE_MINUTE) is not None
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_over", [False, True])
def test_fifty_at_once_are_let_through_as_one_after_another(is_over: bool) -> None:
    if is_over:
        past = timezone.now() - ONE_MINUTE
        RateLimit.objects.create(key="door", used=LIMIT, expires_at=past)

    with ThreadPoolExecutor(25) as threads:
        let_through = list(threads.map(consume_in_a_thread, ["door"] * 50))

    assert let_through.count(True) == LIMIT
    assert RateLimit.objects.get().used == LIMIT


@pytest.mark.django_db
def test_each_key_has_a_limit_of_its_own_and_begins_anew_after_its_span() -> None:
    uses = [rate_limits.consume("one", 1, ONE_MINUTE) for _time in range(2)]
    other = rate_limits.consume("other", 1, ONE_MINUTE)

    RateLimit.objects.filter(pk="one").update(expires_at=timezone.now())
    later = rate_limits.consume("one", 1, ONE_MINUTE)

    assert uses[0] is not None
    assert uses[1] is None
    assert other is not None
    assert later is not None
    assert rate_limits.is_limit_exhausted("one", 1)


@pytest.mark.django_db
def test_use_is_given_back_to_the_span_it_was_taken_from_alone() -> None:
    usage = rate_limits.consume("door", 1, ONE_MINUTE)
    assert usage is not None
    rate_limits.return_usage(usage)
    assert not rate_limits.is_limit_exhausted("door", 1)

    rate_limits.consume("door", 1, ONE_MINUTE)
    RateLimit.objects.update(expires_at=timezone.now() + 2 * ONE_MINUTE)
    rate_limits.return_usage(usage)

    assert rate_limits.is_limit_exhausted("door", 1)


@pytest.mark.django_db
def test_expired_limits_are_deleted_and_others_stay() -> None:
    rate_limits.consume("over", 1, ONE_MINUTE)
    rate_limits.consume("long", 1, datetime.timedelta(days=1))

    deleted = rate_limits.delete_expired_limits(timezone.now() + datetime.timedelta(hours=2))

    assert deleted == 1
    assert list(RateLimit.objects.values_list("key", flat=True)) == ["long"]
