"""The scheduler has entries' links checked: a few at a time, one per host, each once a month."""

from __future__ import annotations

import datetime

import pytest
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from registry import scheduler
from registry.actions import entry_links
from registry.enums import ProbeResult
from registry.models import EntryLink, Namespace, Organization
from tests.factories import NamespaceFactory
from tests.notifications.conftest import work
from tests.servers import NameServer, saying, web_server

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(1)


@pytest.fixture(autouse=True)
def three_a_tick(settings: Settings) -> None:
    settings.REGISTRY_LINKS_PER_TICK = 3


def list_given() -> list[list[str]]:
    """Return the worker's link checks, first batch first."""
    path = entry_links.check_due_links.module_path
    given = DBTaskResult.objects.filter(task_path=path).order_by("enqueued_at")
    return [each.args_kwargs["args"][0] for each in given]


def finish_work() -> None:
    """Finish the worker's tasks without contacting anyone."""
    DBTaskResult.objects.update(status=TaskResultStatus.SUCCESSFUL)


def name_documents(nid: str, *urls: str) -> None:
    NamespaceFactory.create(nid=nid, references=list(urls))


def note_answer(nid: str, url: str, at: datetime.datetime) -> None:
    EntryLink.objects.create(
        namespace=Namespace.objects.get(nid=nid),
        url=url,
        result=ProbeResult.ANSWERED,
        checked_at=at,
    )


def test_few_are_asked_at_a_time_and_one_of_a_host() -> None:
    name_documents("one", "https://a.example/1", "https://a.example/2", "https://b.example/")
    name_documents("two", "https://c.example/", "https://d.example/")

    done = scheduler.tick().done["link"]

    assert done == 3
    assert list_given() == [["https://a.example/1", "https://b.example/", "https://c.example/"]]


def test_no_more_is_asked_before_the_last_were() -> None:
    name_documents("one", "https://a.example/1", "https://a.example/2")
    now = timezone.now()

    first = entry_links.request_due_link_checks(now)
    while_asked = entry_links.request_due_link_checks(now)
    after_a_lost_worker = entry_links.request_due_link_checks(now + entry_links.LINK_PATIENCE * 2)

    assert (first, while_asked, after_a_lost_worker) == (1, 0, 1)


def test_each_is_asked_once_in_thirty_days_and_the_one_longest_ago_first(
    settings: Settings,
) -> None:
    settings.REGISTRY_LINKS_PER_TICK = 1
    now = timezone.now()
    urls = {days: f"https://host{days}.example/" for days in (29, 31, 40)}
    name_documents("one", *urls.values())
    for days, url in urls.items():
        note_answer("one", url, now - days * DAY)

    given = []
    for _tick in range(3):
        entry_links.request_due_link_checks(now)
        given = list_given()
        EntryLink.objects.filter(url__in=given[-1]).update(checked_at=now)
        finish_work()

    assert given == [[urls[40]], [urls[31]]]


def test_links_of_no_entry_any_more_are_forgotten() -> None:
    name_documents("one", "https://a.example/")
    note_answer("one", "https://old.example/", timezone.now())

    entry_links.request_due_link_checks(timezone.now())

    assert not EntryLink.objects.exists()


def test_nothing_is_asked_where_the_setting_says_so(settings: Settings) -> None:
    settings.REGISTRY_LINKS_PER_TICK = 0
    name_documents("one", "https://a.example/")

    assert entry_links.request_due_link_checks(timezone.now()) == 0
    assert list_given() == []


def test_dead_link_that_two_entries_share_is_asked_once_and_noted_for_both(
    organization: Organization, settings: Settings
) -> None:
    with NameServer() as names, web_server(saying(b"Gone.", 404)) as server:
        settings.REGISTRY_NAMESERVERS = [names.address]
        settings.REGISTRY_FETCH_NETWORKS = ["127.0.0.1/32"]
        names.say("vaults.example", "A", ["127.0.0.1"])
        url = f"http://vaults.example:{server.port}/names"
        name_documents("one", url)
        name_documents("two", url)
        scheduler.tick()
        work()

    assert list_given() == [[url]]
    found = EntryLink.objects.order_by("namespace__nid").values_list("namespace__nid", "result")
    assert list(found) == [("one", ProbeResult.SILENT), ("two", ProbeResult.SILENT)]
