"""What people do in the browser, by the words on the page; nothing here needs script."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from registry.template import PAGES, Template, field
from tests.factories import PASSWORD
from tests.letters import send_account_letters
from tests.sign_in import make_totp_code

BY_REGISTRY = {"nid", "version", "date"}

# What a favourable decision explains, by how the label of its field begins.
EXPLANATIONS = {
    "Why (this question stays|these questions stay) open": "The text answers them.",
    "Why you decide before": "Its users have waited for a year.",
    "How it is known that": "They sign the letters of the organization.",
}


def press(page: Page, name: str) -> None:
    """Press the button of exactly that name."""
    page.get_by_role("button", name=name, exact=True).click()


def save(page: Page, name: str | re.Pattern[str] = "Save") -> None:
    """Press the button that saves, and wait until it is done.

    By keyboard, since a click is lost if the button moves under it, as on a busy machine.
    """
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).press("Enter")


def follow(page: Page, name: str) -> None:
    """Follow the first link of exactly that name."""
    page.get_by_role("link", name=name, exact=True).first.click()


def head(page: Page, title: str) -> Locator:
    """Return the title of the page, which is `title`."""
    return page.get_by_role("heading", level=1, name=title)


def choose(page: Page, name: str) -> None:
    """Choose the option whose name and consequences begin with that."""
    page.get_by_role("radio", name=re.compile(f"^{name}")).check()


def box(page: Page, label: str) -> Locator:
    """Return the field with that label, optional or not."""
    return page.get_by_label(re.compile(rf"^\s*{re.escape(label)}(\s+optional)?\s*$"))


def sign_up(page: Page, name: str, email: str) -> None:
    """Create an account and confirm its address with the letter that the demonstration shows."""
    page.goto("/accounts/sign-up/")
    box(page, "Your name").fill(name)
    box(page, "Email address").fill(email)
    box(page, "Password").fill(PASSWORD)
    press(page, "Create the account")
    expect(page.get_by_role("heading", level=1)).to_have_text("Confirm your email address")
    send_account_letters()
    follow(page, "read the letter here")
    page.get_by_role("row").filter(has_text=email).first.get_by_role("link").first.click()
    link = page.get_by_role("link").filter(has_text="confirm-email").inner_text()
    page.goto(urlsplit(link).path)
    press(page, "Confirm this address")


def sign_in(page: Page, email: str) -> None:
    """Sign in with mail address and password, and land where something is waiting."""
    page.goto("/accounts/sign-in/")
    fill_in_sign_in(page, email)


def sign_in_officer(page: Page, email: str) -> None:
    """Sign in with mail address, password and a code from an app."""
    page.goto("/accounts/sign-in/")
    fill_in_sign_in(page, email)
    box(page, "Code").fill(make_totp_code())
    press(page, "Sign in")
    expect(page.get_by_role("button", name="Sign out", exact=True)).to_be_visible()


def fill_in_sign_in(page: Page, email: str) -> None:
    """Sign in on the page that asks for it, and continue from there."""
    box(page, "Email address").fill(email)
    box(page, "Password").fill(PASSWORD)
    press(page, "Sign in")


def write(page: Page, template: Template) -> None:
    """Write all pages of the editor in order."""
    for each in PAGES:
        expect(page.get_by_role("heading", level=1)).to_have_text(each.title)
        for name in each.fields:
            write_field(page, name, template[name])
        save(page, re.compile("^Save and (go|check)"))
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Check and send"))


def rewrite(page: Page, reference: str, old: Template, new: Template) -> None:
    """Write those pages of the editor on which `new` differs from `old`, and check everything."""
    for each in PAGES:
        changed = [name for name in each.fields if new[name] != old[name]]
        if changed:
            page.goto(f"/requests/{reference}/edit/{each.slug}/")
        for name in changed:
            write_field(page, name, new[name])
        if changed:
            save(page)
    page.goto(f"/requests/{reference}/send/")


def write_field(page: Page, name: str, text: str) -> None:
    """Write a field of the template, if the request has it."""
    if name == "equivalence":
        assert not text, "The samples declare nothing."
        return
    asked = box(page, field(name).label)
    if name in BY_REGISTRY and not asked.count():
        return
    if name == "equivalence" and not text:
        return  # A field of several boxes, with nothing declared.
    if field(name).choices:
        asked.select_option(text)
    else:
        asked.fill(text)


def reference(page: Page) -> str:
    """Return the reference of the request on this page, as addresses write it."""
    match = re.search("r-[0-9]{4}-[0-9]+", page.url)
    assert match is not None, page.url
    return match[0]


def decide(page: Page, verb: str, reasons: str) -> None:
    """Choose a decision on the review page, with reasons, and confirm the preview."""
    choose(page, verb)
    box(page, "Reasons, public").fill(reasons)
    press(page, "Check your decision")
    answers = re.compile("^(Check your decision|Someone acted on this)")
    page.get_by_role("heading", level=1, name=answers).wait_for()
    if head(page, "Someone acted on this after you opened it").count():
        return
    explain(page)
    press(page, "Record decision")


def explain(page: Page) -> None:
    """Explain a decision as its preview asks."""
    page.get_by_role("button", name="Record decision").wait_for()
    for label, text in EXPLANATIONS.items():
        explanation = page.get_by_label(re.compile(f"^{label}"))
        if explanation.count():
            explanation.fill(text)
