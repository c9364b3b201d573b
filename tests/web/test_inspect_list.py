"""The page that checks a list of URNs."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from registry.forms.inspect import TOO_LARGE_CODE
from registry.inspection.batch import CHECK_COLUMNS
from registry.rate_limits import MAX_CHECKED_NAMES, MAX_CHECKED_OCTETS
from tests.endless import stopped_if_endless
from tests.factories import NamespaceFactory
from tests.web.pages import Page, error_codes, text_of

pytestmark = pytest.mark.django_db

ADDRESS = "/inspect/list/"
NAMES = "urn:isbn:1\nurn:isnb:2\n\nurn:isbn:a b\nURN:isbn:1"


@pytest.fixture(autouse=True)
def isbn() -> None:
    NamespaceFactory.create(nid="isbn")


def check(client: Client, names: str = "", **data: Any) -> Any:
    """Return the page's response to pasted names."""
    return client.post(ADDRESS, {"names": names, **data})


def upload(client: Client, octets: bytes, **data: Any) -> Any:
    """Return the page's response to a file."""
    return check(client, file=SimpleUploadedFile("names.txt", octets), **data)


def rows(response: Page) -> list[tuple[str, str]]:
    """Return the number and the result of each line of the table."""
    page = response.content.decode()
    cells = re.findall(r'<td data-label="(?:Line|Result)">(.*?)</td>', page, re.DOTALL)
    plain = [re.sub(r"<[^>]*>", "", cell).strip() for cell in cells]
    return list(zip(plain[::2], plain[1::2], strict=True))


def tallied(response: Page) -> list[int]:
    """Return the numbers in the line that counts the names."""
    line = response.content.decode().partition('id="counts"')[2].partition("</p>")[0]
    plain = re.sub(r"<[^>]*>", "", line)
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", plain)]


def test_page_asks_for_names(client: Client) -> None:
    page = client.get(ADDRESS).content.decode()

    assert 'name="names"' in page
    assert "<table" not in page


def test_problems_come_first_with_line_character_and_message(client: Client) -> None:
    response = check(client, NAMES)

    assert rows(response) == [
        ("4", "Not valid"),
        ("1", "Not valid"),
        ("5", "Not valid"),
        ("2", "Unregistered"),
    ]
    assert tallied(response) == [4, 0, 1, 3, 1]
    page = text_of(response)
    results = [row.result for row in response.context["result"].rows]
    assert results[0].position == 10
    assert results[0].detail in page
    assert results[3].title in page
    assert "Canonical: urn:isbn:1" in page


def test_names_have_one_result_which_the_worst_finding_decides(client: Client) -> None:
    for nid in ("nbn", "unruled"):
        NamespaceFactory.create(nid=nid)
    names = (
        "urn:isbn:9780395363416",
        "urn:isbn:9780395363417",
        "urn:nbn:hr:217:395837",
        "urn:unruled:1",
    )

    response = check(client, "\n".join((*names, "urn:isnb:9780395363416", "x")), order="given")

    assert [result for _number, result in rows(response)] == [
        "Valid",
        "Not valid",
        "Doubtful",
        "Well formed",
        "Unregistered",
        "Not valid",
    ]
    page = text_of(response)
    assert response.context["result"].rows[1].result.title in page
    assert page.count("you mean: urn:isbn:9780395363416") == 2


def test_names_against_their_rule_come_after_what_is_no_name_and_before_the_others(
    client: Client,
) -> None:
    NamespaceFactory.create(nid="nbn")
    NamespaceFactory.create(nid="unruled")
    names = "urn:isbn:9780395363416\nurn:unruled:1\nurn:nbn:hr:217:395837\nurn:isbn:9780395363417"

    response = check(client, f"{names}\nurn:isnb:1\nurn:isbn:a b")

    assert [number for number, _result in rows(response)] == ["6", "4", "5", "3", "1", "2"]
    assert tallied(response) == [6, 2, 1, 1, 2]


def test_name_against_its_rule_is_found_behind_many_that_follow(client: Client) -> None:
    response = check(client, "urn:isbn:9780395363416\n" * 300 + "urn:isbn:9780395363417")

    assert rows(response)[0] == ("301", "Not valid")


def test_lines_can_be_shown_in_the_order_given(client: Client) -> None:
    response = check(client, NAMES, order="given")

    assert [number for number, _result in rows(response)] == ["1", "2", "4", "5"]


def test_file_is_checked_and_its_text_shown_in_the_box(client: Client) -> None:
    response = upload(client, "\ufeffurn:isbn:1\r\nurn:isbn:é\r\n".encode())

    assert rows(response) == [("2", "Not valid"), ("1", "Not valid")]
    assert "\nurn:isbn:1\nurn:isbn:é\n</textarea>" in response.content.decode()


def test_results_are_downloaded_as_csv_in_the_order_given(client: Client) -> None:
    response = check(client, NAMES, result="csv")

    assert response.streaming
    assert response["Content-Disposition"] == 'attachment; filename="checked-names.csv"'
    table = list(csv.reader(io.StringIO(response.getvalue().decode(), newline="")))
    assert tuple(table[0]) == CHECK_COLUMNS
    assert [(*row[:4], row[5], *row[9:12]) for row in table[1:]] == [
        ("1", "urn:isbn:1", "True", "True", "", "", "against", "10"),
        ("2", "urn:isnb:2", "True", "False", "", "isbn", "", ""),
        ("4", "urn:isbn:a b", "False", "", "10", "", "", ""),
        ("5", "URN:isbn:1", "True", "True", "", "", "against", "10"),
    ]


@pytest.mark.parametrize("count", [1, 256, 257])
def test_results_are_downloaded_as_json(client: Client, count: int) -> None:
    response = check(
        client, "\n".join(f"urn:isbn:{number}" for number in range(count)), result="json"
    )

    answers = json.loads(response.getvalue())
    assert response["Content-Type"] == "application/json"
    assert [answer["text"] for answer in answers] == [f"urn:isbn:{n}" for n in range(count)]


@pytest.mark.parametrize("result", ["csv", "json"])
def test_lines_can_be_downloaded_whatever_they_hold(client: Client, result: str) -> None:
    response = check(client, 'urn:isbn:\x00"\x85\u2028,', result=result)

    assert response.getvalue()


@pytest.mark.parametrize("names", ["", " \n\r\n ", "\n" * 1_000])
def test_empty_list_is_refused_beside_the_field(client: Client, names: str) -> None:
    response = check(client, names)

    assert error_codes(response, "names") == ["required"]
    assert 'aria-invalid="true"' in response.content.decode()


def test_list_of_too_many_lines_is_refused_and_kept(client: Client) -> None:
    names = "a:b\n" * (MAX_CHECKED_NAMES + 1)

    response = check(client, names)

    assert response.status_code == 413
    assert error_codes(response, "names") == [TOO_LARGE_CODE]
    assert f"{MAX_CHECKED_NAMES + 1:,} lines" in text_of(response)
    assert names in response.content.decode()


def test_longest_list_is_checked_and_its_first_lines_shown(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    names = "".join(f"urn:z{number}:a b\n" for number in range(MAX_CHECKED_NAMES // 2)) + "".join(
        f"urn:z{number}:x\n" for number in range(MAX_CHECKED_NAMES // 2)
    )
    check(client, "urn:z:x")

    # One for the NIDs, and three to count the list.
    with django_assert_num_queries(4):
        response = upload(client, names.encode())

    assert "first 200 of 20,000" in text_of(response)
    assert len(rows(response)) == 200


def test_longest_list_is_checked_by_the_rules_of_its_namespaces(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    names = "".join(
        f"urn:isbn:{9_780_000_000_000 + number}\n" for number in range(MAX_CHECKED_NAMES)
    )
    check(client, "urn:z:x")

    # One for the NIDs, one for the rules, and three to count the list.
    with django_assert_num_queries(5):
        response = upload(client, names.encode())

    assert tallied(response)[:2] == [20_000, 2_000]


def test_file_too_long_is_refused_beside_its_field_and_the_text_kept(client: Client) -> None:
    file = SimpleUploadedFile("names.txt", b"a" * (MAX_CHECKED_OCTETS + 1))

    response = check(client, "urn:isbn:kept", file=file)

    assert response.status_code == 413
    assert error_codes(response, "file") == [TOO_LARGE_CODE]
    assert text_of(response).count(f"{MAX_CHECKED_OCTETS:,} bytes") == 2
    assert "urn:isbn:kept</textarea>" in response.content.decode()


def test_pasted_text_up_to_the_limit_is_accepted(client: Client) -> None:
    # A line end is two octets in transit, and one in what is checked.
    line = "urn:isbn:" + "a" * 1_014 + "\n"
    most = MAX_CHECKED_OCTETS // len(line)

    fits, too_long = (check(client, line * count) for count in (most, most + 1))

    assert tallied(fits)[:4] == [most, 0, 0, most]
    assert error_codes(too_long, "names") == [TOO_LARGE_CODE]


def test_text_beyond_what_the_server_reads_is_refused_on_the_page(
    client: Client, settings: Settings
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000

    response = check(client, "urn:isbn:1\n" * 1_000)

    assert response.status_code == 413
    assert error_codes(response, "names") == [TOO_LARGE_CODE]


@pytest.mark.parametrize(
    ("octets", "place"),
    [
        (b"urn:isbn:1\nurn:isbn:caf\xe9\n", "line 2 has the byte E9"),
        (b"\xed\xa0\x80", "line 1 has the byte ED"),
        ("urn:isbn:1".encode("utf-16"), "UTF-16"),
    ],
    ids=["Latin 1", "surrogate", "UTF-16"],
)
def test_file_that_is_not_utf_8_is_refused_with_the_line(
    client: Client, octets: bytes, place: str
) -> None:
    response = upload(client, octets)

    assert error_codes(response, "file") == ["encoding"]
    assert place in text_of(response)


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_of_every_system_divide_names(client: Client, end: str) -> None:
    response = upload(client, f"urn:isbn:1{end}urn:isbn:2".encode())

    assert [number for number, _result in rows(response)] == ["1", "2"]


@pytest.mark.parametrize(
    "end", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
)
def test_line_ends_of_unicode_are_errors_within_a_name(client: Client, end: str) -> None:
    response = upload(client, f"urn:isbn:1{end}urn:isbn:2".encode())

    assert rows(response) == [("1", "Not valid")]
    assert "(character 11)" in text_of(response)


@pytest.mark.parametrize(
    "octets",
    [
        b"\x00" * 1_000_000,
        b"%" * 1_000_000,
        b"urn:isbn:" + b"%" * 10_000,
        b"urn:" + b"a" * 1_000_000,
    ],
    ids=["NULs", "percents", "percents in NSS", "long NID"],
)
def test_hostile_files_are_answered(client: Client, octets: bytes) -> None:

    with stopped_if_endless():
        response = upload(client, octets)

    assert rows(response) == [("1", "Not valid")]


def test_markup_in_a_name_is_shown_as_text(client: Client) -> None:
    page = check(client, "<script>alert(1)</script>").content.decode()

    assert "<script>alert" not in page


def test_form_needs_no_csrf_token_since_nothing_is_changed() -> None:
    client = Client(enforce_csrf_checks=True)

    assert rows(check(client, "urn:isbn:1")) == [("1", "Not valid")]
