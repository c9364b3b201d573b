"""Thousands of names, sent and answered line by line."""

from __future__ import annotations

import io
import json
import re
import tracemalloc
from typing import Any, cast

import pytest
from django.http import StreamingHttpResponse
from django.test import Client, RequestFactory
from pytest_django import DjangoAssertNumQueries, Settings

from registry import rate_limits
from registry.api.urns import CheckView
from registry.inspection.batch import CHECK_COLUMNS
from registry.models import User
from registry.rate_limits import (
    MAX_CHECKED_NAMES,
    MAX_CHECKED_OCTETS,
    MAX_COMPARED_NIDS,
)
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db

ADDRESS = "/api/v1/urn/check/"
LINES = "application/x-ndjson"
FOLLOWING = "urn:isbn:978-0-395-36341-6"
SAID = "“urn:isbn:978-0-395-36341-6” follows the rule of “isbn”."


class Endless(io.RawIOBase):
    """An endless body generated while it is read, counting its octets."""

    def __init__(self) -> None:
        self.read_so_far = 0

    def read(self, size: int = -1, /) -> bytes:
        """Return `size` more octets."""
        assert size >= 0, "nobody reads such a body to its end"
        self.read_so_far += size
        return b"a" * size


def check(client: Client, body: bytes | str, kind: str = "text/plain", **headers: str) -> str:
    """Return the response to the lines of `body`."""
    response = client.post(ADDRESS, body, content_type=kind, headers=headers)
    assert response.status_code == 200, response.content
    return response.getvalue().decode()


def read_json_lines(answer: str) -> list[dict[str, Any]]:
    """Return the objects in JSON lines."""
    return [json.loads(line) for line in answer.splitlines()]


def test_each_line_that_holds_anything_is_answered_with_its_number(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    answer = read_json_lines(check(client, f"{FOLLOWING}\r\n\nURN:isnb:%c3#x\nurn:isbn:a b"))

    assert answer == [
        dict(
            zip(
                CHECK_COLUMNS,
                (
                    1,
                    FOLLOWING,
                    True,
                    True,
                    FOLLOWING,
                    *([None] * 4),
                    [],
                    "follows",
                    None,
                    SAID,
                    "valid",
                    None,
                ),
                strict=True,
            )
        ),
        dict(
            zip(
                CHECK_COLUMNS,
                (
                    3,
                    "URN:isnb:%c3#x",
                    True,
                    False,
                    "urn:isnb:%C3",
                    *([None] * 4),
                    ["isbn"],
                    *([None] * 3),
                    "unregistered",
                    None,
                ),
                strict=True,
            )
        ),
        {
            "line": 4,
            "text": "urn:isbn:a b",
            "valid": False,
            "registered": None,
            "canonical": None,
            "position": 10,
            "component": "nss",
            "rule": 'NSS = pchar *(pchar / "/") (RFC 8141, section 2)',
            "message": "A space cannot stand in the NSS (character 11). If it belongs to the name,"
            " write it as %20; if not, remove it.",
            "near": [],
            "finding": None,
            "finding_position": None,
            "finding_message": None,
            "result": "malformed",
            "repaired": None,
        },
    ]


def test_prefix_written_twice_ends_no_list(client: Client) -> None:
    for nid in ("isbn", "issn"):
        NamespaceFactory.create(nid=nid)

    answer = read_json_lines(
        check(client, f"{FOLLOWING}\nurn:issn:urn:issn:1050-124X\n{FOLLOWING}")
    )

    assert [line["result"] for line in answer] == ["valid", "invalid", "valid"]


def test_rule_of_its_namespace_is_a_finding_beside_validity(client: Client) -> None:
    for nid in ("isbn", "nbn", "unruled"):
        NamespaceFactory.create(nid=nid)

    names = "urn:isbn:9780395363417\nurn:nbn:hr:217:395837\nurn:unruled:1\nurn:isnb:1"

    answer = read_json_lines(check(client, names))

    assert [(line["valid"], line["finding"], line["finding_position"]) for line in answer] == [
        (True, "against", 21),
        (True, "doubtful", None),
        (True, "no rule", None),
        (True, None, None),
    ]
    assert "would be “6”, not “7”" in answer[0]["finding_message"]
    assert answer[2]["finding_message"] is None
    assert [(line["result"], line["repaired"]) for line in answer] == [
        ("invalid", "urn:isbn:9780395363416"),
        ("doubtful", None),
        ("unchecked", None),
        ("unregistered", None),
    ]


def test_rules_are_left_out_for_whoever_does_not_ask_about_them(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")
    body = "urn:isbn:978-0-395-36341-7\nurn:nobody:1\n"

    answered = client.post(f"{ADDRESS}?rules=no", body, content_type="text/plain")
    refused = client.post(f"{ADDRESS}?rules=maybe", body, content_type="text/plain")

    lines = read_json_lines(b"".join(cast("StreamingHttpResponse", answered)).decode())
    assert [(line["valid"], line["registered"], line["finding"]) for line in lines] == [
        (True, True, None),
        (True, False, None),
    ]
    assert read_json_lines(check(client, body))[0]["finding"] == "against"
    assert refused.status_code == 400
    assert "rules" in refused.text


def test_json_lines_are_strings_or_objects_and_what_is_neither_says_so(client: Client) -> None:
    body = '"urn:example:1"\n{"urn": "urn:example:\\ud800"}\n{"name": 1}\n[\n"a\n' + "[" * 9_000

    answer = read_json_lines(check(client, body, LINES))

    assert [(line["line"], line["valid"]) for line in answer] == [
        (1, True),
        (2, False),
        (3, None),
        (4, None),
        (5, None),
        (6, None),
    ]
    assert len({line["message"] for line in answer[2:]}) == 1


def test_text_is_answered_where_text_is_asked_for(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    answer = check(
        client, b"urn:ISBN:0395363411\nurn:isnb:2\nx\x1b\xff\nurn:isbn:1", accept="text/plain"
    )

    assert answer.splitlines() == [
        "1\tregistered\turn:isbn:0395363411",
        "2\tunregistered\turn:isnb:2 (near: isbn)",
        "3\tmalformed\t“x\\u{1B}\\u{DCFF}”: “x” stands where a URN has its scheme, “urn:”"
        " (character 1). A URN begins with “urn:”, in upper or lower case.",
        "4\tregistered\turn:isbn:1 (against: “urn:isbn:1” is no name of “isbn”: it ends after"
        " character 10, where we expected “-” (by “hyphen”) or a digit (by “isbn-10”).)",
    ]


def test_only_a_line_feed_ends_a_line(client: Client) -> None:
    ends = "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"

    answer = read_json_lines(check(client, "".join(f"urn:isbn:1{end}2" for end in ends)))

    assert [(line["line"], line["valid"], line["position"]) for line in answer] == [(1, False, 10)]


def test_byte_order_mark_is_no_part_of_the_first_name(client: Client) -> None:
    answer = read_json_lines(check(client, "\ufeffurn:isbn:1\n\ufeffurn:isbn:1"))

    assert [line["valid"] for line in answer] == [True, False]


def test_line_too_long_to_be_read_is_passed_over_and_said(client: Client) -> None:
    answer = read_json_lines(check(client, "urn:isbn:" + "a" * 1_000_000 + "\nurn:isbn:1"))

    assert [(line["line"], line["valid"], "65,536" in str(line["message"])) for line in answer] == [
        (1, None, True),
        (2, True, False),
    ]


def test_line_of_just_the_length_is_read(client: Client) -> None:
    longest = "urn:isbn:" + "a" * (65_536 - 9)

    answers = [
        read_json_lines(check(client, body))[0]["valid"] for body in (longest, longest + "\n")
    ]

    assert answers == [True, True]


@pytest.mark.parametrize(
    "kind", ["application/json", "text/csv", "", "text/plain; charset=latin-1"]
)
def test_other_media_types_are_refused_in_json(client: Client, kind: str) -> None:
    response = client.post(
        ADDRESS, "urn:isbn:1", content_type=kind, headers={"accept": "text/plain"}
    )

    assert (response.status_code, response["Content-Type"]) == (415, "application/problem+json")
    assert response.json()["status"] == 415


def test_answer_of_another_kind_is_not_to_be_had(client: Client) -> None:
    response = client.post(
        ADDRESS, "urn:isbn:1", content_type="text/plain", headers={"accept": "text/html"}
    )

    assert (response.status_code, response["Content-Type"]) == (406, "application/problem+json")


def test_list_at_the_limit_is_answered_and_one_more_refused(client: Client) -> None:
    names = "urn:isbn:1\n" * MAX_CHECKED_NAMES

    answer = check(client, names)
    refused = client.post(ADDRESS, f"{names}urn:isbn:1", content_type="text/plain")

    assert answer.count("\n") == MAX_CHECKED_NAMES
    assert (refused.status_code, refused["Content-Type"]) == (413, "application/problem+json")
    assert re.findall(r"[\d,]+\d", refused.json()["detail"]) == ["20,001", "20,000"]


def test_empty_lines_count_too(client: Client) -> None:
    refused = client.post(ADDRESS, "\n" * (MAX_CHECKED_NAMES + 1), content_type="text/plain")

    assert refused.status_code == 413


def test_more_octets_than_are_checked_at_once_are_refused(client: Client) -> None:
    line = "urn:isbn:" + "a" * 1_014 + "\n"
    fits = line * (MAX_CHECKED_OCTETS // len(line))

    answer = check(client, fits)
    refused = client.post(ADDRESS, f"{fits}\n", content_type="text/plain")

    assert len(fits) == MAX_CHECKED_OCTETS
    assert answer.count("\n") == len(fits) // len(line)
    assert (refused.status_code, refused["Content-Type"]) == (413, "application/problem+json")
    assert f"{MAX_CHECKED_OCTETS:,}" in refused.json()["detail"]


def test_body_of_unannounced_length_is_read_to_the_limit() -> None:
    body = Endless()

    response = asked(body)

    assert response.status_code == 413
    assert body.read_so_far == MAX_CHECKED_OCTETS + 1


def test_body_of_unannounced_length_is_answered() -> None:
    NamespaceFactory.create(nid="isbn")

    answer = cast("StreamingHttpResponse", asked(io.BytesIO(FOLLOWING.encode()))).getvalue()

    assert [line["registered"] for line in read_json_lines(answer.decode())] == [True]


@pytest.mark.parametrize(
    "line",
    [
        "a\n",
        *(
            pytest.param(line, marks=pytest.mark.whole)
            for line in ("\n", "\x00\n", "urn:isbn:1 2 3\n", "urn:isbn:9780395363417\n")
        ),
    ],
)
def test_neither_memory_nor_the_answer_grows_beyond_a_bound(client: Client, line: str) -> None:
    NamespaceFactory.create(nid="isbn")
    check(client, line)
    tracemalloc.start()

    response = client.post(ADDRESS, line * MAX_CHECKED_NAMES, content_type="text/plain")
    octets = sum(map(len, cast("StreamingHttpResponse", response)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert octets < 12_000_000
    assert peak < 12_000_000


def asked(body: io.IOBase) -> Any:
    """Return the response to a body without a declared length."""
    request = RequestFactory().post(ADDRESS)
    request.META |= {
        "CONTENT_TYPE": "text/plain",
        "CONTENT_LENGTH": "",
        "wsgi.input": body,
        "wsgi.input_terminated": True,
    }
    response = CheckView.as_view()(request)
    return response if response.streaming else response.render()


def test_near_nids_are_looked_for_up_to_the_limit(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")
    others = "\n".join(f"urn:z{number}:1" for number in range(MAX_COMPARED_NIDS - 1))

    answer = read_json_lines(
        check(client, f"urn:isnb:1\n{others}\nurn:isnb:2\nurn:ibsn:1\nurn:isbn:1")
    )

    assert [line["near"] for line in answer[-3:]] == [["isbn"], None, []]


def test_names_of_ever_other_namespaces_are_answered(
    client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # If a period ends between two lists, beginning another takes one more statement.
    monkeypatch.setattr(rate_limits, "CHECK_SPAN", rate_limits.ONE_DAY)
    for number in range(100):
        NamespaceFactory.create(nid=f"isb{number}")
    names = "\n".join(f"urn:z{number}:x" for number in range(10_000))
    check(client, "urn:z:x")

    # One for the NIDs, three to count the list, and one to say how much is left.
    with django_assert_num_queries(5):
        answer = check(client, names)

    assert answer.count("\n") == 10_000


def test_address_that_sends_many_lists_is_told_when_to_send_the_next(
    client: Client, settings: Settings
) -> None:
    settings.REGISTRY_CHECK_SECONDS_PER_MINUTE = 0.001

    answered, refused = (
        client.post(ADDRESS, "urn:isbn:1", content_type="text/plain") for _time in range(2)
    )
    elsewhere = client.post(
        ADDRESS, "urn:isbn:1", content_type="text/plain", REMOTE_ADDR="192.0.2.7"
    )

    assert [answered.status_code, elsewhere.status_code] == [200, 200]
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert f"{refused['Retry-After']} second" in refused.json()["detail"]


def test_page_and_the_api_count_the_lists_of_an_address_together(
    client: Client, settings: Settings
) -> None:
    settings.REGISTRY_CHECK_SECONDS_PER_MINUTE = 0.001

    check(client, "urn:isbn:1")
    page = client.post("/inspect/list/", {"names": "urn:isbn:kept"})

    assert page.status_code == 429
    assert 1 <= int(page["Retry-After"]) <= 60
    assert "urn:isbn:kept</textarea>" in page.text


def test_signed_in_person_is_counted_apart_from_their_address(
    client: Client, registrant: User, settings: Settings
) -> None:
    settings.REGISTRY_CHECK_SECONDS_PER_MINUTE = 0.001
    check(client, "urn:isbn:1")
    client.force_login(registrant)

    statuses = [
        client.post("/inspect/list/", {"names": "urn:isbn:1"}).status_code for _time in range(2)
    ]

    assert statuses == [200, 429]
