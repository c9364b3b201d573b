"""The main process, end to end: from no account to a version that everyone can find."""

from __future__ import annotations

import hashlib
import re

import pytest
from django.core.management import call_command
from playwright.sync_api import Locator, Page, expect

from registry.models import User
from registry.template import PAGES, Template, field
from registry.template.fields import Required
from registry.template.template import LIST_FIELDS
from tests.browser import acts
from tests.browser.conftest import Browse
from tests.template.samples import FORMAL, INFORMAL, REVISION

ASKED_FOR = "Say under Assignment who decides when two claim the same thing."
ANSWER = "\n\nWhere two claim the same thing, the one who claimed it first has it."
WITH_THE_EXPERT = "the designated expert Expert of the cast"
SOUND = "Uniqueness is plain, and somebody answers for it."

# Prose of a template that must be found word for word on the page of a namespace.
PROSE = [
    name
    for each in PAGES
    for name in each.fields
    if field(name).required is not Required.REGISTRY and not field(name).choices and name != "nid"
]


@pytest.fixture(scope="module", autouse=True)
def registry_of_today(transactional_db: None) -> None:
    """The currently registered namespaces."""
    call_command("load_registry", verbosity=0)


def test_formal_request_goes_from_a_new_account_to_two_versions_that_everybody_finds(
    browse: Browse, expert: User, registrar: User
) -> None:
    registrant, anybody, reviewer, publisher = browse(), browse(), browse(), browse()
    make_account(registrant, "Runa Registrant", "runa@northlight.example")
    acts.sign_in_officer(reviewer, expert.email)
    acts.sign_in_officer(publisher, registrar.email)

    start_formal(registrant)
    acts.write(registrant, FORMAL)
    reference = preview_and_send(registrant, FORMAL)
    through_review(registrant, reviewer, anybody, reference, FORMAL)
    publish(publisher, reference, "seedbank")

    expect(publisher.get_by_text("Registered: urn:seedbank, version 1.")).to_be_visible()
    finds(anybody, "seedbank", "Accessions held by seed vaults")
    sees_version(anybody, "seedbank", 1, with_answer(FORMAL))
    anybody.goto(f"/requests/{reference}/")
    acts.follow(anybody, "Open the namespace urn:seedbank")
    expect(anybody).to_have_url(re.compile("/namespaces/seedbank/$"))

    registrant.goto("/namespaces/seedbank/holder/")
    acts.press(registrant, "Speak for this namespace")
    start_revision(registrant, "seedbank")
    acts.rewrite(registrant, acts.reference(registrant), FORMAL, REVISION)
    revision = preview_and_send(registrant, REVISION)
    take(reviewer, revision)
    acts.decide(reviewer, "Approve", SOUND)
    publish(publisher, revision, "seedbank")

    expect(publisher.get_by_text("Registered: urn:seedbank, version 2.")).to_be_visible()
    sees_version(anybody, "seedbank", 2, REVISION)
    sees_version(anybody, "seedbank", 1, with_answer(FORMAL))
    expect(anybody.get_by_text("Version 1 has been replaced by version 2")).to_be_visible()


def test_two_informal_requests_side_by_side_are_published_under_consecutive_numbers(
    browse: Browse, expert: User, registrar: User
) -> None:
    registrant, anybody, reviewer, publisher = browse(), browse(), browse(), browse()
    make_account(registrant, "Tilda Tide", "tilda@tidewater.example")
    acts.sign_in_officer(reviewer, expert.email)
    acts.sign_in_officer(publisher, registrar.email)

    # Of one body, the second would wait for the body to consent.
    references = []
    for body in ("Tidewater Buoy Cooperative", "Saltmouth Harbour Authority"):
        start_informal(registrant, body)
        acts.write(registrant, INFORMAL)
        references.append(preview_and_send(registrant, INFORMAL))
    for reference in references:
        through_review(registrant, reviewer, anybody, reference, INFORMAL)

    # The later one is published first: a number is assigned when it is used.
    for number, reference in ((9, references[1]), (10, references[0])):
        publish(publisher, reference, reference.upper())
        expect(publisher.get_by_text(f"Registered: urn:urn-{number}, version 1.")).to_be_visible()
        finds(anybody, f"urn-{number}", "Stations where waves and tides are measured")
        numbered = {
            name: text.replace("urn-N", f"urn-{number}")
            for name, text in texts(with_answer(INFORMAL)).items()
        }
        sees_version(anybody, f"urn-{number}", 1, INFORMAL.replace(**numbered))
        text = anybody.get_by_role("article")
        expect(text).not_to_contain_text(re.compile(r"\burn-N\b"))


def texts(template: Template) -> dict[str, str]:
    return {name: template[name] for name in PROSE}


def with_answer(template: Template) -> Template:
    """Return the text as it is after the expert's question was answered."""
    return template.replace(assignment=template.assignment + ANSWER)


def make_account(page: Page, name: str, email: str) -> None:
    """Create an account, and show that its password opens it."""
    acts.sign_up(page, name, email)
    acts.press(page, "Sign out")
    acts.sign_in(page, email)
    expect(page).to_have_title(re.compile("^My requests"))


def start_formal(page: Page) -> None:
    """Ask for unavailable NIDs, read why while typing, and ask for another."""
    page.goto("/")
    acts.follow(page, "Register a namespace")
    acts.choose(page, "A new formal namespace You choose")
    verdict = page.get_by_role("status").filter(has_text="requested")
    asked = page.get_by_label("2. Which identifier?")

    asked.press_sequentially("x-seedbank", delay=10)
    expect(verdict).to_contain_text("Cannot be requested.")
    expect(verdict).to_contain_text("begins with “x-”")
    asked.fill("isbn")
    expect(verdict).to_contain_text("“isbn” is registered")
    asked.fill("seedbank")
    expect(verdict).to_contain_text("Can be requested")

    page.get_by_label("3. Who asks?").fill("Northlight Seed Vault Federation")
    page.get_by_label("4. What will the names name?").fill("accessions held by seed vaults")
    acts.press(page, "Continue to the template")


def start_informal(page: Page, organization: str) -> None:
    """Ask for a number, which nobody chooses."""
    page.goto("/requests/new/")
    acts.choose(page, "A new informal namespace")
    expect(page.get_by_text("urn:urn-9").first).to_be_visible()
    expect(page.get_by_label("2. Which identifier?")).to_be_hidden()
    page.get_by_label("3. Who asks?").fill(organization)
    page.get_by_label("4. What will the names name?").fill(
        "stations where waves and tides are measured"
    )
    acts.press(page, "Continue to the template")


def start_revision(page: Page, nid: str) -> None:
    """Propose a revision from the page of the namespace."""
    page.goto(f"/namespaces/{nid}/")
    acts.follow(page, "Propose a revision")
    page.get_by_label("3. Who asks?").fill("Northlight Seed Vault Federation")
    page.get_by_label("4. What will the names name?").fill("accessions held by seed vaults")
    acts.press(page, "Continue to the template")
    expect(page.get_by_role("heading", level=1)).to_have_text("Identifier and version")


def preview_and_send(page: Page, template: Template) -> str:
    """Preview the whole text and send it; return the reference of the request."""
    expect(page.get_by_text("Nothing to fix.")).to_be_visible()
    acts.follow(page, "Read the whole text once more")
    for each in (template.purpose, template.security_privacy, template.documentation):
        expect(page.get_by_role("main")).to_contain_text(each.splitlines()[0])
    page.go_back()
    acts.press(page, "Send")
    expect(page.get_by_text("Round 1 of")).to_contain_text("is sent")
    return acts.reference(page)


def through_review(
    registrant: Page, reviewer: Page, anybody: Page, reference: str, template: Template
) -> None:
    """Have a request read, questioned, answered and approved; anyone can follow it."""
    first = reads_round(anybody, reference, 1, "the lead expert, to assign experts", template)
    take(reviewer, reference)
    acts.decide(reviewer, "Ask for changes", ASKED_FOR)
    expect(reviewer.get_by_text("Recorded for")).to_contain_text("Ask for changes")

    answer(registrant, reference, template.assignment + ANSWER)
    second = reads_round(anybody, reference, 2, WITH_THE_EXPERT, with_answer(template))
    assert first != second
    anybody.goto(f"/requests/{reference}/")
    sees_the_answer_marked(anybody, "What changed in round 2")
    expect(anybody.get_by_text(ASKED_FOR)).to_be_visible()
    reviewer.goto(f"/review/{reference}/")
    sees_the_answer_marked(reviewer, "Assignment")

    acts.decide(reviewer, "Approve", SOUND)
    expect(reviewer.get_by_text("Recorded for")).to_contain_text("Approve")
    anybody.goto(f"/requests/{reference}/")
    expect(anybody.get_by_text("Waiting for the registrar since")).to_be_visible()
    expect(anybody.get_by_text(SOUND)).to_be_visible()


def reads_round(page: Page, reference: str, number: int, turn: str, template: Template) -> str:
    """Read a round in public: text, state, whose turn it is since when; return its hash."""
    page.goto(f"/requests/{reference}/")
    expect(page.get_by_text(f"Waiting for {turn} since")).to_contain_text("today")
    progress = page.get_by_role("list", name="Progress of this request")
    expect(progress.get_by_role("listitem").filter(has_text="in review")).to_contain_text(
        f"Round {number}, in review"
    )
    file = page.request.get(f"/requests/{reference}/template/?format=txt").body()
    sha256 = hashlib.sha256(file).hexdigest()
    expect(page.get_by_role("listitem").filter(has_text=sha256)).to_contain_text(f"Round {number}")

    page.get_by_role("link", name=f"Template, round {number}").click()
    assert missing(template, page.get_by_role("main")) == []
    return sha256


def missing(template: Template, shown: Locator) -> list[str]:
    """Return the paragraphs of `template` that are missing in `shown`."""
    text = as_read(shown.inner_text())
    paragraphs = [
        part
        for name, prose in texts(template).items()
        for part in prose.split("\n" if name in LIST_FIELDS else "\n\n")
    ]
    return [each for each in paragraphs if as_read(each) not in text]


def as_read(text: str) -> str:
    """Return text without list marks, with lines and spaces merged."""
    return " ".join(re.sub(r"(?m)^(- |[0-9]\. )", "", text).split())


def take(page: Page, reference: str) -> None:
    """Find an untaken request in the queue, and take it."""
    page.goto("/")
    page.get_by_role("link", name=re.compile("^Review")).click()
    page.get_by_role("link", name=re.compile("^Unassigned")).click()
    row = page.get_by_role("row").filter(has_text=reference.upper())
    row.get_by_role("button", name=re.compile("^Take")).click()
    expect(page.get_by_text("You have taken")).to_contain_text(reference.upper())


def answer(page: Page, reference: str, assignment: str) -> None:
    """Read what was asked next to the text, change it, and send the next round."""
    page.goto("/account/requests/")
    row = page.get_by_role("row").filter(has_text=reference.upper())
    row.get_by_role("link", name=re.compile("^Answer, and send the next round")).click()
    page.get_by_role("link", name=re.compile("^Assignment")).click()
    expect(page.get_by_text(ASKED_FOR)).to_be_visible()
    acts.box(page, "Assignment").fill(assignment)
    acts.save(page)
    page.goto(f"/requests/{reference}/send/")
    acts.press(page, "Send")
    expect(page.get_by_text("Round 2 of")).to_contain_text("is sent")


def sees_the_answer_marked(page: Page, heading: str) -> None:
    """Check that the answer is marked as new, and under which heading."""
    expect(page.get_by_role("heading", name=heading, level=2)).to_be_visible()
    expect(page.get_by_role("insertion").filter(has_text="claimed it first")).to_have_count(1)


def publish(page: Page, reference: str, confirmation: str) -> None:
    """Find an approved request, and publish it by typing the confirmation."""
    page.goto("/")
    page.get_by_role("link", name=re.compile("^Publish")).click()
    page.get_by_role("row").filter(has_text=reference.upper()).get_by_role("link").click()
    page.get_by_label(f"Type {confirmation} to confirm").fill(confirmation)
    acts.press(page, "Register and publish")


def finds(page: Page, nid: str, summary: str) -> None:
    """Find a namespace in the list, and with the search box of the home page."""
    page.goto("/namespaces/")
    page.get_by_role("link", name=re.compile("^Show all")).click()
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name=nid, exact=True))
    expect(row).to_contain_text(summary)
    page.goto("/")
    page.get_by_role("main").get_by_role("search").get_by_role("combobox").fill(nid)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/namespaces/{nid}/$"))
    expect(page.get_by_text("Version 1 of 1")).to_be_visible()


def sees_version(page: Page, nid: str, number: int, template: Template) -> None:
    """Check that a version is at its permanent address, with its whole text."""
    page.goto(f"/namespaces/{nid}/versions/{number}/")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"urn:{nid}")
    expect(page.get_by_text(f"Version {number} of")).to_be_visible()
    assert missing(template, page.get_by_role("article")) == []
