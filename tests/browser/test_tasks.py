"""Twelve tasks of real people, with limits for the pages and clicks of each."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Frame, Page, expect
from pytest_django import Settings

from registry import workflow
from registry.enums import RequestPath
from registry.models import PendingComment, RegistrationRequest, Report, User
from registry.template import PAGES, Template, write
from tests.browser import acts
from tests.browser.conftest import Browse
from tests.browser.scene import named
from tests.factories import OrganizationFactory, let_speak_for, start
from tests.template.samples import FORMAL, INFORMAL

LIMITS = {
    "new account to sent request": (20, 18),
    "pasted mail to sent request": (5, 5),
    "three remarks and a decision by keyboard": (6, 18),
    "publish": (3, 2),
    "a wrong ISBN mended": (3, 1),
    "what is urn:nbn": (2, 0),
    "report a wrong contact": (3, 2),
    "find an open request by its text": (3, 1),
    "the CSV and a token": (3, 3),
    "lead finds what is late": (2, 1),
    "read and comment on a phone": (3, 2),
    "new account to sent request, without script": (20, 0),
}
"""Maximum pages and clicks; by keyboard the second is how often Tab is pressed."""

LETTER = """\
From: Runa Registrant <runa@northlight.example>
To: Identifier desk <desk@northlight.example>
Date: Tue, 3 Nov 2026 10:11:12 +0100
Subject: Re: Our template
Content-Type: text/plain; charset=utf-8

Hello,

this is what we agreed on. Please send it in.

Runa

On Mon, 2 Nov 2026 at 16:20, Dagny Delegate wrote:
{quoted}

--\x20
Northlight Seed Vault Federation
"""
"""A reply with a template in it, as a mail program shows it in full."""

# On the document, which a click that is tried again because its button moved does not reach.
COUNT_CLICKS = """
document.addEventListener("click", (event) => {
  if (event.detail > 0) globalThis.countClick();
}, true);
"""


class Walk:
    """Counts the pages that a person sees, and their clicks."""

    def __init__(self, page: Page, *, script: bool = True) -> None:
        self.page = page
        self.pages = self.clicks = 0
        page.on("framenavigated", self.note)
        if script:
            page.expose_function("countClick", self.count)
            page.add_init_script(COUNT_CLICKS)

    def note(self, frame: Frame) -> None:
        """Count a page that was not merely scrolled."""
        if frame == self.page.main_frame and "about:blank" not in frame.url:
            self.pages += 1

    def count(self) -> None:
        """Count a click."""
        self.clicks += 1

    def is_within(self, task: str) -> bool:
        """Whether the task stayed within its limits, printing the counts."""
        most_pages, most_clicks = LIMITS[task]
        print(f"| {task} | {self.pages} | {self.clicks} |")
        return self.pages <= most_pages and self.clicks <= most_clicks


@pytest.fixture(scope="module", autouse=True)
def registry_of_today(transactional_db: None) -> None:
    """The currently registered namespaces."""
    call_command("load_registry", verbosity=0)


@pytest.fixture
def in_review(people: dict[str, User]) -> RegistrationRequest:
    """A request for this test only, in review and taken by the expert."""
    text = named(FORMAL, f"taskbank{RegistrationRequest.objects.count()}")
    body = OrganizationFactory.create()
    let_speak_for(body, people["registrant"])
    asked = start(people["registrant"], body, text, RequestPath.COMMUNITY)
    workflow.perform(asked, "submit", actor=people["registrant"])
    workflow.perform(asked, "assign", actor=people["expert"])
    return asked


def send_informal(page: Page, name: str, email: str) -> None:
    """Go from no account to a submitted request, as everyone does."""
    acts.sign_up(page, name, email)
    page.goto("/requests/new/")
    acts.choose(page, "A new informal namespace")
    page.get_by_label("3. Who asks?").fill(f"{name} Cooperative")
    page.get_by_label("4. What will the names name?").fill("stations at sea")
    acts.press(page, "Continue to the template")
    acts.write(page, INFORMAL)
    acts.press(page, "Send")
    expect(page.get_by_text("Round 1 of")).to_contain_text("is sent")


@pytest.mark.whole(sample=True)
def test_new_account_sends_a_request(browse: Browse) -> None:
    walk = Walk(browse())

    send_informal(walk.page, "Tilda Tide", "tilda@tide.example")
    walk.clicks += len(PAGES)  # These are saved by keyboard.

    assert walk.is_within("new account to sent request")


@pytest.mark.whole
def test_new_account_sends_a_request_without_script(browse: Browse) -> None:
    walk = Walk(browse(java_script_enabled=False), script=False)

    send_informal(walk.page, "Wanda Wave", "wanda@wave.example")

    assert walk.is_within("new account to sent request, without script")


def quote(text: Template) -> str:
    """Return a mail that quotes a template."""
    lines = write(text).splitlines()
    return LETTER.format(quoted="\n".join(f"> {line}".rstrip() for line in lines))


def words(text: Template) -> dict[str, list[str]]:
    """Return the words of each field that people write, ignoring line breaks."""
    written = set(text.to_dict()) - acts.BY_REGISTRY
    return {name: text[name].split() for name in written}


@pytest.mark.whole(sample=True)
def test_template_quoted_in_a_pasted_mail_is_sent(browse: Browse, registrant: User) -> None:
    walk = Walk(browse(registrant))
    text = named(FORMAL, "pastebank")

    walk.page.goto("/requests/new/")
    walk.page.get_by_text("I have a template already").click()
    acts.box(walk.page, "Text of the template").fill(quote(text))
    acts.press(walk.page, "Read it")
    expect(walk.page.get_by_text("Your template is read")).to_be_visible()
    acts.choose(walk.page, "A new formal namespace You choose")
    walk.page.get_by_label("4. What will the names name?").fill("Accessions")
    acts.press(walk.page, "Continue to the template")
    acts.press(walk.page, "Write into the draft")
    acts.press(walk.page, "Send")

    expect(walk.page.get_by_text("Round 1 of")).to_contain_text("is sent")
    sent = RegistrationRequest.objects.get(nid="pastebank").rounds.get()
    assert words(sent.template) == words(text)
    assert walk.is_within("pasted mail to sent request")


@pytest.mark.whole(sample=True)
def test_three_remarks_and_a_decision_by_keyboard_alone(
    browse: Browse, expert: User, in_review: RegistrationRequest
) -> None:
    walk = Walk(browse(expert))
    page, tabs = walk.page, 0

    def tab(times: int = 1) -> None:
        nonlocal tabs
        tabs += times
        for _each in range(times):
            page.keyboard.press("Tab")

    page.goto(f"/review/{in_review.slug}/")
    for number, section in enumerate(("purpose", "syntax", "assignment"), start=1):
        while page.evaluate("document.activeElement.id") != section:
            page.keyboard.press("n")
        page.keyboard.press("r")
        page.keyboard.press("Shift+Tab")
        tabs += 1
        page.keyboard.press("Space")
        tab()
        page.keyboard.type(f"Say more of {section}.")
        tab()
        page.keyboard.press("Enter")
        expect(page.locator(f"#m{number}")).to_contain_text(f"Say more of {section}.")
        page.wait_for_load_state()
    page.keyboard.press("d")
    expect(page.get_by_role("radio", name=re.compile("^Ask for changes"))).to_be_focused()
    page.keyboard.press("Space")
    while page.evaluate("document.activeElement.name") != "comment":
        tab()
    page.keyboard.type("Three sections say too little.")
    tab()
    page.keyboard.press("Enter")
    expect(acts.head(page, "Check your decision")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("d")
    expect(page.get_by_role("button", name="Record decision")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.get_by_text("Recorded for")).to_be_visible()
    assert walk.clicks == 0
    walk.clicks = tabs
    assert walk.is_within("three remarks and a decision by keyboard")
    assert in_review.remarks.count() == 3


@pytest.mark.whole(sample=True)
def test_approved_request_is_published(
    browse: Browse, registrar: User, expert: User, in_review: RegistrationRequest
) -> None:
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    walk = Walk(browse(registrar))

    walk.page.goto("/publish/")
    walk.page.get_by_role("link", name=in_review.nid, exact=True).click()
    walk.page.get_by_label(f"Type {in_review.nid} to confirm").fill(in_review.nid)
    acts.press(walk.page, "Register and publish")

    expect(walk.page.get_by_text(f"Registered: urn:{in_review.nid}, version 1.")).to_be_visible()
    assert walk.is_within("publish")


@pytest.mark.whole(sample=True)
def test_wrong_isbn_is_mended(browse: Browse) -> None:
    walk = Walk(browse())

    walk.page.goto("/inspect/")
    walk.page.locator("main form input[name=urn]").fill("urn:isbn:0-395-36341-2")
    walk.page.locator("main form input[name=urn]").press("Enter")
    expect(walk.page.get_by_text("Not a valid ISBN").first).to_be_visible()
    walk.page.locator("main").get_by_role("link", name="0-395-36341-1").first.click()

    expect(walk.page.get_by_text("Valid ISBN").first).to_be_visible()
    assert walk.is_within("a wrong ISBN mended")


@pytest.mark.whole(sample=True)
def test_reader_finds_out_what_urn_nbn_is(browse: Browse) -> None:
    walk = Walk(browse())

    walk.page.goto("/")
    walk.page.locator("main input[name=q]").fill("urn:nbn")
    walk.page.locator("main input[name=q]").press("Enter")

    expect(walk.page.get_by_role("heading", level=1)).to_contain_text("nbn")
    expect(walk.page.get_by_text("National Bibliography Number").first).to_be_visible()
    assert walk.is_within("what is urn:nbn")


@pytest.mark.whole(sample=True)
def test_wrong_contact_is_reported_without_an_account(browse: Browse) -> None:
    walk = Walk(browse())
    before = Report.objects.count()

    walk.page.goto("/namespaces/nbn/")
    acts.follow(walk.page, "Something wrong here?")
    walk.page.locator("main textarea").first.fill("The contact has retired.")
    # The form requires a few seconds, which people take anyway.
    walk.page.wait_for_timeout(5_000)
    walk.page.locator("main form button").first.click()

    expect(walk.page.get_by_role("heading", level=1)).to_be_visible()
    expect(walk.page).not_to_have_url(re.compile("about="))
    assert Report.objects.count() == before + 1
    assert walk.is_within("report a wrong contact")


@pytest.mark.whole(sample=True)
def test_open_request_is_found_by_a_word_of_its_text(
    browse: Browse, in_review: RegistrationRequest
) -> None:
    walk = Walk(browse())

    walk.page.goto("/")
    walk.page.locator("main input[name=q]").fill("accessions seed vaults")
    walk.page.locator("main input[name=q]").press("Enter")
    walk.page.locator("main").get_by_role("link", name=re.compile(in_review.nid)).first.click()

    expect(walk.page).to_have_url(re.compile(in_review.slug))
    assert walk.is_within("find an open request by its text")


@pytest.mark.whole(sample=True)
def test_csv_and_a_token_are_fetched(browse: Browse, outsider: User, tmp_path: Path) -> None:
    walk = Walk(browse(outsider))

    walk.page.goto("/namespaces/")
    with walk.page.expect_download() as download:
        walk.page.locator("main").get_by_role("link", name="CSV", exact=True).first.click()
    download.value.save_as(tmp_path / "namespaces.csv")
    acts.follow(walk.page, "Tokens for your programs")
    walk.page.locator("main input[name=name]").fill("Nightly list")
    walk.page.locator("main form button").first.click()

    expect(walk.page.get_by_text("Nightly list").first).to_be_visible()
    assert "isbn" in (tmp_path / "namespaces.csv").read_text("utf-8")
    assert walk.is_within("the CSV and a token")


@pytest.mark.whole(sample=True)
def test_lead_finds_what_is_late(
    browse: Browse, people: dict[str, User], in_review: RegistrationRequest
) -> None:
    workflow.perform(in_review, "approve", actor=people["expert"], comment="Sound.")

    with time_machine.travel(timezone.now() + datetime.timedelta(days=60), tick=True):
        walk = Walk(browse(people["lead"]))
        walk.page.goto("/review/")
        walk.page.get_by_role("link", name=re.compile("^For the lead")).click()

        late = walk.page.get_by_role("region", name="Overdue at other offices")
        expect(late).to_contain_text(in_review.reference)
        expect(late).to_contain_text("days late")
    assert walk.is_within("lead finds what is late")


@pytest.fixture
def a_minute(settings: Settings) -> None:
    """Comments wait, as they do on the real site."""
    settings.REGISTRY_COMMENT_SECONDS = 60


@pytest.mark.whole
def test_phone_reads_and_comments_and_takes_it_back(
    browse: Browse, outsider: User, in_review: RegistrationRequest, a_minute: None
) -> None:
    walk = Walk(browse(outsider, viewport={"width": 380, "height": 800}))

    walk.page.goto(f"/requests/{in_review.slug}/")
    acts.follow(walk.page, "Write a comment")
    box = acts.box(walk.page, "Your comment")
    expect(box).to_be_in_viewport()
    box.fill("Who may join?")
    acts.press(walk.page, "Send the comment")
    waiting = walk.page.get_by_role("region", name="Your comment, not public yet")
    expect(waiting).to_contain_text("Until then only you see it")
    assert walk.is_within("read and comment on a phone")

    acts.press(walk.page, "Take it back")

    expect(walk.page.get_by_text("Nobody saw it")).to_be_visible()
    expect(acts.box(walk.page, "Your comment")).to_have_value("Who may join?")
    assert not PendingComment.objects.exists()


@pytest.mark.whole(sample=True)
def test_keys_are_listed_and_switched_off_in_the_browser(browse: Browse) -> None:
    page = browse()
    page.goto("/namespaces/")

    page.keyboard.press("/")
    expect(page.locator(".masthead input[name=q]")).to_be_focused()
    page.locator("h1").click()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys on this page")
    expect(dialog).to_contain_text("Search")
    acts.press(page, "Switch these keys off in this browser")
    page.keyboard.press("?")

    expect(dialog).to_have_count(0)


@pytest.mark.whole(sample=True)
def test_document_says_what_each_task_may_take() -> None:
    text = Path("docs/ux.md").read_text("utf-8")

    assert [
        task
        for task, (pages, clicks) in LIMITS.items()
        if f"| {task} | {pages} | {clicks} |" not in text
    ] == []


LIST_FONTS_IN_WINDOW = """() => {
  const fonts = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect();
    if (!walker.currentNode.data.trim() || !box.width || box.top > innerHeight) continue;
    const style = getComputedStyle(walker.currentNode.parentElement);
    fonts.add(`${style.fontFamily.split(",")[0].replaceAll('"', "")} ${style.fontWeight}`);
  }
  return [...fonts];
}"""


@pytest.mark.whole
@pytest.mark.parametrize("address", ["/", "/namespaces/", "/namespaces/isbn/", "/guide/paths/"])
def test_fonts_are_asked_for_early_where_the_first_screen_is_set_in_them(
    browse: Browse, address: str
) -> None:
    page = browse(viewport={"width": 1280, "height": 800})

    page.goto(address)

    used = set(page.evaluate(LIST_FONTS_IN_WINDOW))
    named = page.locator("link[rel=preload][as=font]").evaluate_all("all => all.map(a => a.href)")
    found = [re.search(r"plex-(\w+)-latin-(\d+)-", each) for each in named]
    early = {f"Plex {each[1].title()} {each[2]}" for each in found if each}
    assert len(early) == len(named) < 6
    assert early <= used
    # What is read first: the name of the registry, and the title of the page.
    for first in (".brand", ".brand code", "h1"):
        font = page.locator(first).first.evaluate(
            "each => { const style = getComputedStyle(each);"
            " return `${style.fontFamily.split(',')[0].replaceAll('\"', '')} ${style.fontWeight}` }"
        )
        assert font in early, first


@pytest.mark.whole
def test_rails_of_a_review_stay_inside_the_window_and_can_be_read_to_their_end(
    browse: Browse, expert: User, in_review: RegistrationRequest
) -> None:
    page = browse(expert, viewport={"width": 1280, "height": 700})
    page.goto(f"/review/{in_review.slug}/")
    rails = page.locator(".sticky--rail")
    expect(rails).to_have_count(2)

    page.evaluate("scrollTo(0, 900)")

    assert page.evaluate("scrollY") > 600
    for rail in rails.all():
        top, bottom = rail.evaluate(
            "each => [each.getBoundingClientRect().top, each.getBoundingClientRect().bottom]"
        )
        assert 0 <= top < bottom <= 700
        rail.evaluate("each => each.scrollTo(0, each.scrollHeight)")
        last = rail.evaluate("each => each.lastElementChild.getBoundingClientRect().bottom")
        assert last <= 701
