"""Dumps of earlier days have addresses of their own, whose content never changes."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.test import Client
from pytest_django import Settings

from registry import journal
from registry.actions import discussion
from registry.exchange.exports import EXPORT_FILES, builder
from registry.models import BuiltExport, Namespace, RegistrationRequest, User
from registry.models.export import DUMP_NAME
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db

DUMP = f"/exports/{DUMP_NAME}"
DAY = datetime.timedelta(days=1)


def build(notice: str) -> BuiltExport:
    """Change the registry, and build the dump of that."""
    Namespace.objects.filter(nid="first").update(notice=notice)
    file = EXPORT_FILES[DUMP_NAME]
    return builder.build_export(file, notice)


def move_back(built: BuiltExport, days: int) -> None:
    """Make a dump some days old."""
    then = built.built_at - days * DAY
    BuiltExport.objects.filter(pk=built.pk).update(built_at=then, changed_at=then)


@pytest.fixture(autouse=True)
def first() -> None:
    NamespaceFactory.create(nid="first")


def test_dump_says_at_which_address_it_stays(client: Client) -> None:
    built = build("One.")

    answer = client.get(DUMP)
    dated = client.get(answer["Content-Location"])

    day = built.changed_at.date().isoformat() if built.changed_at else ""
    assert answer["Content-Location"] == f"/exports/{day}-{built.sha256[:12]}/{DUMP_NAME}"
    assert dated.getvalue() == answer.getvalue()
    assert dated["Cache-Control"] == "public, max-age=86400, immutable"
    assert dated["ETag"] == answer["ETag"]


def test_its_address_keeps_it_while_the_dump_becomes_another(client: Client) -> None:
    build("One.")
    before = client.get(DUMP)
    build("Two.")

    now, then = client.get(DUMP), client.get(before["Content-Location"])

    assert b"Two." in now.getvalue()
    assert b"One." in then.getvalue()
    assert now["Content-Location"] != before["Content-Location"]


def test_last_dump_of_each_day_is_kept_for_some_days(client: Client, settings: Settings) -> None:
    settings.REGISTRY_DATED_DUMPS = 3
    places = {}
    for days, notice in ((5, "Five."), (2, "Two, first."), (2, "Two."), (1, "One."), (0, "Now.")):
        move_back(build(notice), days)
        places[notice] = client.get(DUMP)["Content-Location"]
    build("Last.")

    status = {notice: client.get(place).status_code for notice, place in places.items()}
    page = client.get("/exports/", headers={"Accept": "text/html"}).text

    assert status == {"Five.": 404, "Two, first.": 404, "Two.": 200, "One.": 200, "Now.": 200}
    assert places["Two."] in page
    assert places["Two, first."] not in page


def test_none_is_kept_where_the_setting_says_so(client: Client, settings: Settings) -> None:
    settings.REGISTRY_DATED_DUMPS = 0
    for days, notice in ((3, "One."), (2, "Two."), (1, "Three.")):
        move_back(build(notice), days)

    assert BuiltExport.objects.filter(name=DUMP_NAME).count() == builder.MAX_BUILDS_KEPT
    assert b"Dumps by day" not in client.get("/exports/").content


def test_dated_dump_is_gone_once_its_message_is_hidden(
    sent: RegistrationRequest, outsider: User, registrar: User, client: Client
) -> None:
    message = discussion.add_comment(sent, author=outsider, text="Secret.", key=uuid.uuid4())
    build("One.")
    place = client.get(DUMP)["Content-Location"]
    assert client.get(place).status_code == 200

    discussion.hide_message(message, moderator=registrar, reason="Private.")
    hidden = client.get(place)

    assert hidden.status_code == 410


def test_dated_dump_is_gone_once_an_account_is_forgotten(outsider: User, client: Client) -> None:
    build("One.")
    place = client.get(DUMP)["Content-Location"]
    assert client.get(place).status_code == 200

    journal.append(outsider, actor=None, verb="admin.forget", data={"account_id": outsider.pk})

    assert client.get(place).status_code == 410
    assert client.get(DUMP).status_code == 503


def test_other_files_have_no_days(client: Client) -> None:
    file = EXPORT_FILES["urn-namespaces.txt"]
    built = builder.build_export(file, "x")

    answer = client.get("/exports/urn-namespaces.txt")

    assert not answer.has_header("Content-Location")
    assert built.changed_at is not None
    dated = f"{built.changed_at.date().isoformat()}-{built.sha256[:12]}"
    assert client.get(f"/exports/{dated}/urn-namespaces.txt").status_code == 404
