"""The page of a namespace's locators."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from registry.exchange import locator_tables
from registry.models import Event, LocatorTable, Namespace, User
from tests.exchange.locator_tables.conftest import Load, found
from tests.notifications.conftest import work

pytestmark = pytest.mark.django_db

A, B = "https://a.example/", "https://b.example/"
PAGE = "/namespaces/lantern/locators/"
SignIn = Callable[[User], Client]


def send(client: Client, text: str, seen: object = "", name: str = "table.csv") -> str:
    """Send a table from the page; return the page's text after that."""
    file = SimpleUploadedFile(name, text.encode())
    return client.post(PAGE, {"file": file, "seen": seen}, follow=True).content.decode()


def test_delegate_loads_a_table_and_reads_that_it_is_in_use(
    namespace: Namespace, delegate: User, sign_in: SignIn
) -> None:
    client = sign_in(delegate)

    send(client, f"a,{A}\nb,{B}\n")
    waiting = LocatorTable.objects.get().state
    work()
    done = client.get(PAGE).content.decode()

    assert (waiting, LocatorTable.objects.get().state) == ("waiting", "current")
    assert "<dt>Names</dt><dd>2</dd>" in done
    assert found(namespace, "a", "b") == [A, B]
    assert Event.objects.get(verb="load_locators").actor == delegate


def test_refused_table_is_told_line_by_line_and_its_report_is_a_file(
    namespace: Namespace, registrar: User, sign_in: SignIn
) -> None:
    client = sign_in(registrar)

    send(client, f"a,{A}\nwrong\na,{B}\n")
    work()
    page = client.get(PAGE).content.decode()
    refused = LocatorTable.objects.get()
    report = client.get(f"{PAGE}refused-{refused.pk}.csv")

    assert refused.report[1]["what"] in page
    rows = list(csv.reader(io.StringIO(report.content.decode())))
    assert [row[:2] for row in rows] == [
        ["line", "what"],
        ["2", refused.report[0]["what"]],
        ["3", refused.report[1]["what"]],
    ]


def test_progress_is_drawn_as_a_part_and_the_end_draws_the_page_anew(
    namespace: Namespace, registrar: User, sign_in: SignIn
) -> None:
    client = sign_in(registrar)
    send(client, f"a,{A}\n")
    LocatorTable.objects.update(state="loading", bytes_read=10, rows_read=1_234, refused=2)

    part = client.get(PAGE, headers={"HX-Request": "true"})
    LocatorTable.objects.update(state="stopped")
    end = client.get(PAGE, headers={"HX-Request": "true"})

    text = part.content.decode()
    assert "1,234 rows" in text
    assert "2 lines" in text
    assert 'value="47"' in text
    assert "<html" not in text
    assert (part.get("HX-Refresh"), end.get("HX-Refresh")) == (None, "true")


def test_table_that_came_into_use_meanwhile_is_not_replaced_unseen(
    load: Load, namespace: Namespace, registrar: User, sign_in: SignIn
) -> None:
    seen = load(f"a,{A}\n")
    load(f"b,{B}\n")

    send(sign_in(registrar), f"c,{A}\n", seen=seen.pk)

    assert found(namespace, "a", "b", "c") == [None, B, None]


def test_second_of_two_clicks_is_told_that_a_table_is_being_loaded(
    namespace: Namespace, registrar: User, sign_in: SignIn, uploads: Path
) -> None:
    client = sign_in(registrar)
    send(client, f"a,{A}\n")

    send(client, f"a,{A}\n")

    assert LocatorTable.objects.count() == len(list(uploads.iterdir())) == 1


def test_form_without_a_file_and_with_an_empty_one_is_told(
    namespace: Namespace, registrar: User, sign_in: SignIn
) -> None:
    client = sign_in(registrar)

    without, empty = client.post(PAGE).content.decode(), send(client, "")

    assert "Choose the file." in without
    assert "file is empty" in empty


def test_file_that_is_too_large_is_told(
    namespace: Namespace, registrar: User, sign_in: SignIn, settings: Settings, uploads: Path
) -> None:
    settings.REGISTRY_LOCATOR_BYTES = 10

    page = send(sign_in(registrar), f"a,{A}\n")

    assert " 10 octets" in page
    assert list(uploads.iterdir()) == []


def test_table_in_use_can_be_downloaded_and_loaded_again(
    load: Load, namespace: Namespace, registrar: User, sign_in: SignIn
) -> None:
    table = load(f"a%2c,{A}\nb,{B}\n")
    client = sign_in(registrar)

    answer = client.get(f"{PAGE}table.csv")
    text = b"".join(answer).decode()
    send(client, text, seen=table.pk)
    work()

    assert sorted(text.splitlines()) == [
        "name,locator",
        f"urn:lantern:a%2c,{A}",
        f"urn:lantern:b,{B}",
    ]
    assert found(namespace, "a%2C", "b") == [A, B]
    assert locator_tables.find_current_table(namespace) != table


def test_table_is_taken_away_once_and_only_the_one_that_was_seen(
    load: Load, namespace: Namespace, registrar: User, sign_in: SignIn
) -> None:
    old, new = load(f"a,{A}\n"), load(f"b,{B}\n")
    client = sign_in(registrar)

    client.post(f"{PAGE}drop/", {"seen": old.pk})
    kept = found(namespace, "b")
    answers = [client.post(f"{PAGE}drop/", {"seen": new.pk}).status_code for _click in range(2)]

    assert kept == [B]
    assert answers == [302, 302]
    assert found(namespace, "b") == [None]
    assert Event.objects.filter(verb="drop_locators").count() == 1


def test_loading_is_stopped(namespace: Namespace, registrar: User, sign_in: SignIn) -> None:
    client = sign_in(registrar)
    send(client, f"a,{A}\n")

    client.post(f"{PAGE}stop/", {"seen": LocatorTable.objects.get().pk})
    work()

    assert LocatorTable.objects.get().state == "stopped"
    assert found(namespace, "a") == [None]


def test_others_read_which_table_is_in_use_and_nothing_else(
    load: Load, client: Client, outsider: User, sign_in: SignIn
) -> None:
    load("wrong\n")
    table = load(f"a,{A}\n")

    for reader in (client, sign_in(outsider)):
        page = reader.get(PAGE).content.decode()

        assert "<dt>Names</dt><dd>1</dd>" in page
        assert table.sha256 in page
        assert "table.csv" not in page
        assert 'type="file"' not in page


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("post", ""),
        ("post", "stop/"),
        ("post", "drop/"),
        ("get", "table.csv"),
        ("get", "refused-{}.csv"),
    ],
)
def test_only_those_who_keep_locators_do_anything(
    method: str, path: str, load: Load, client: Client, outsider: User, sign_in: SignIn
) -> None:
    table = load(f"a,{A}\n")
    address = PAGE + path.format(table.pk)

    stranger = getattr(client, method)(address)
    other = getattr(sign_in(outsider), method)(address, {"seen": table.pk})

    assert (stranger.status_code, other.status_code) == (302, 403)
    table.refresh_from_db()
    assert table.state == "current"


def test_address_has_the_nid_in_lower_case(namespace: Namespace, client: Client) -> None:
    answers = (
        client.get("/namespaces/Lantern/locators/"),
        client.get("/namespaces/nobody/locators/"),
    )

    assert (answers[0].status_code, answers[0]["Location"]) == (301, PAGE)
    assert answers[1].status_code == 404
