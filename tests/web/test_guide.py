"""Long pages, and the links of public pages."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings as site_settings
from django.test import Client

from registry import workflow
from registry.exchange.exports import refresh_exports
from registry.guide import GUIDE_CHAPTERS
from registry.journal.log_worker import build_log
from registry.models import Dates, RegistrationRequest, User
from registry.template import ORDER, field
from registry.workflow import TRANSITIONS
from tests.factories import NamespaceFactory
from tests.recorded_rows import recorded
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SAMPLES = "/guide/components/"
ABOUT = ["/about/trust/", "/about/experts/", "/about/scheme/", "/about/list/"]
PLAIN = [
    "/about/",
    *ABOUT,
    "/accessibility/",
    "/privacy/",
    "/api/",
    "/api/problems/",
    "/api/versions/",
    SAMPLES,
]
PAGES = ["/", "/namespaces/", "/inspect/", "/guide/", *PLAIN]
PAGES += [f"/guide/{chapter.slug}/" for chapter in GUIDE_CHAPTERS]
PAGES += ["/namespaces/seedbank/", "/namespaces/seedbank/versions/1/", "/namespaces/old/"]
PAGES += ["/inspect/?urn=urn:old:1", "/namespaces/?q=old&since=1x"]


@pytest.fixture
@recorded
def namespaces(approved: RegistrationRequest, registrar: User) -> None:
    """A namespace with a published text, and one without."""
    workflow.perform(approved, "register", actor=registrar)
    NamespaceFactory.create(nid="old", references=["RFC3188"], registered_on="2001-10")


@pytest.fixture
def built_files(namespaces: None) -> None:
    """The two namespaces, and the files of the registry."""
    refresh_exports(at_once=True)
    build_log()


@pytest.mark.whole
@pytest.mark.parametrize("address", [page for page in PAGES if page != SAMPLES])
@pytest.mark.usefixtures("built_files")
def test_every_link_of_a_public_page_leads_somewhere(client: Client, address: str) -> None:
    markup = client.get(address).content.decode()
    links = {unescape(link) for link in re.findall(r'<a [^>]*href="([^"]*)"', markup)}

    assert {link for link in links if link in ("", "#")} == set()
    ours = {link for link in links if link.startswith(("/", "?"))}
    dead = {
        link
        for link in ours
        if client.get(link if link.startswith("/") else f"/namespaces/{link}").status_code >= 400
    }
    assert dead == set()
    anchors = {link[1:] for link in links if link.startswith("#")}
    assert anchors <= set(re.findall(r' id="([^"]+)"', markup))


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.usefixtures("built_files")
def test_every_public_page_has_a_title_one_heading_and_no_double_id(
    client: Client, address: str
) -> None:
    response = client.get(address)

    markup = response.content.decode()
    title = re.search(r"<title>(.*?) · URN Namespace Registry</title>", markup, re.DOTALL)
    assert title is not None
    assert title[1].strip()
    assert markup.count("<h1") == 1
    ids = re.findall(r' id="([^"]+)"', markup)
    assert sorted(ids) == sorted(set(ids))


def test_guide_leads_to_each_chapter_and_each_to_the_next(client: Client) -> None:
    index = client.get("/guide/").content.decode()

    for here, following in zip(GUIDE_CHAPTERS, [*GUIDE_CHAPTERS[1:], None], strict=True):
        address = f'href="/guide/{here.slug}/"'
        assert address in index
        page = text_of(client.get(f"/guide/{here.slug}/"))
        assert str(here.title) in page
        assert (f"Next: {following.title}" in page) if following else "Next:" not in page


def test_chapter_on_the_template_gives_all_the_advice_of_the_editor(client: Client) -> None:
    page = text_of(client.get("/guide/template/"))

    for definition in map(field, ORDER):
        assert definition.label in page
        for paragraph in definition.guidance:
            assert paragraph in page
        assert " ".join(definition.good_answer.split()) in page


def test_chapter_on_paths_lists_every_step_of_the_table(client: Client) -> None:
    page = text_of(client.get("/guide/paths/"))

    for transition in TRANSITIONS:
        assert f"{transition.label} {transition.role} {transition.consequence}" in page


def test_promised_days_are_those_of_the_administration(client: Client) -> None:
    Dates(decision_days=33, first_reminder_days=44, third_reminder_days=66, idle_days=120).save()

    page = text_of(client.get("/guide/decisions/"))

    for promise in ("33 days", "44 days", "66 days", "120 days"):
        assert promise in page


def test_privacy_names_every_cookie_the_site_sets(client: Client, registrant: User) -> None:
    page = text_of(client.get("/privacy/"))

    client.force_login(registrant)
    client.get("/find/", {"q": ""})
    client.post("/theme/", {"theme": "dark"})
    client.get("/about/")
    for name in client.cookies:
        assert name in page
    assert {site_settings.SESSION_COOKIE_NAME, site_settings.CSRF_COOKIE_NAME, "theme"} <= set(
        client.cookies
    )


def test_privacy_says_in_words_what_scripts_store_in_the_browser(client: Client) -> None:
    scripts = Path(site_settings.BASE_DIR, "static", "js").glob("*.js")

    page = text_of(client.get("/privacy/"))

    storing = {
        path.stem
        for path in scripts
        if re.search("(local|session)Storage|indexedDB", path.read_text())
    }
    assert storing == {"local_drafts", "review_marks", "shortcuts"}
    assert (
        "Text that could not be saved stays in your browser until it is saved, you sign out" in page
    )
    assert "Which sections a reviewer has ticked, and whether shortcut keys are off" in page


@pytest.mark.parametrize("slug", ["nothing", "chapter", "page", "field", "index"])
def test_chapter_that_is_not_there_is_not_found(client: Client, slug: str) -> None:
    response = client.get(f"/guide/{slug}/")

    assert response.status_code == 404
    assert 'action="/find/"' in response.content.decode()


@pytest.mark.parametrize("address", PAGES[:4] + PLAIN)
def test_public_pages_are_for_reading_alone(client: Client, address: str) -> None:
    assert client.post(address).status_code == 405
