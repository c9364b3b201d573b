"""Every form works without script, including the whole process."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser import acts
from tests.browser.conftest import Browse
from tests.browser.scene import Scene
from tests.factories import PASSWORD, UserFactory
from tests.letters import send_account_letters
from tests.template.samples import INFORMAL


@pytest.fixture
def plain(browse: Browse, the_scene: Scene) -> Callable[..., Page]:
    """Return a function that opens a window without script for one of the cast, or a stranger."""

    def window(name: str = "") -> Page:
        return browse(the_scene.people.get(name), java_script_enabled=False)

    return window


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("isbn", "/namespaces/isbn/"),
        ("URN:ISBN:0451450523", "/inspect/?urn=URN:ISBN:0451450523"),
        ("library", "/find/?q=library"),
    ],
)
def test_search_box_leads_to_what_was_typed(
    typed: str, address: str, plain: Callable[..., Page]
) -> None:
    page = plain()
    for start in ("/", "/about/"):
        page.goto(start)
        page.get_by_role("search").get_by_role("textbox").fill(typed)
        page.keyboard.press("Enter")

        page.wait_for_url(re.compile(r"/namespaces/|/inspect/|/find/"))
        assert unquote(page.url).endswith(address)


def test_lists_are_narrowed_down(plain: Callable[..., Page]) -> None:
    page = plain("expert")

    page.goto("/namespaces/")
    page.get_by_role("checkbox", name=re.compile("^Informal")).check()
    acts.press(page, "Apply filters")
    expect(page.get_by_role("status")).to_contain_text("8 namespaces")

    page.goto("/requests/")
    page.get_by_label("State").select_option(label="Declined")
    acts.press(page, "Filter")
    expect(page.get_by_role("table")).to_contain_text("1 request")

    page.goto("/review/?tab=open")
    acts.box(page, "Words").fill("secondround")
    acts.press(page, "Apply")
    expect(page.get_by_role("row")).to_have_count(2)


def test_names_are_inspected_compared_built_and_checked(plain: Callable[..., Page]) -> None:
    page = plain()

    page.goto("/inspect/")
    page.get_by_role("main").get_by_role("search").get_by_role("textbox").fill("urn:isbn:%")
    acts.press(page, "Inspect")
    expect(page).to_have_title(re.compile("^Not a valid URN"))

    page.goto("/inspect/compare/")
    acts.box(page, "First URN").fill("urn:isbn:0451450523")
    acts.box(page, "Second URN").fill("URN:ISBN:0451450523#page=1")
    acts.press(page, "Compare")
    expect(page.get_by_role("main")).to_contain_text("The same name")

    page.goto("/inspect/build/")
    acts.box(page, "Identifier of the namespace").fill("example")
    acts.box(page, "Name").fill("Kalevala (1835)")
    acts.press(page, "Build it")
    expect(page.get_by_role("link", name="Inspect it")).to_have_attribute(
        "href", re.compile("Kalevala")
    )

    page.goto("/inspect/list/")
    acts.box(page, "Names, one on each line").fill("urn:isbn:0451450523\nurn:nobody")
    acts.press(page, "Check the list")
    expect(page.get_by_role("table").first).to_contain_text("urn:nobody")


def test_theme_is_chosen(plain: Callable[..., Page]) -> None:
    page = plain()
    page.goto("/namespaces/isbn/")

    acts.press(page, "Dark")

    expect(page).to_have_url(re.compile("/namespaces/isbn/$"))
    expect(page.locator("html")).to_have_attribute("data-bs-theme", "dark")


def test_nid_is_checked_before_it_is_asked_for(plain: Callable[..., Page]) -> None:
    page = plain("outsider")
    page.goto("/requests/new/")
    page.get_by_label("3. Who asks?").fill("Somebody")
    page.get_by_label("2. Which identifier?").fill("x-seeds")

    acts.press(page, "Check")
    expect(page.get_by_text("Cannot be requested.")).to_be_visible()
    acts.press(page, "seeds")

    expect(page.get_by_text("Can be requested")).to_be_visible()
    expect(page.get_by_label("2. Which identifier?")).to_have_value("seeds")
    expect(page.get_by_label("3. Who asks?")).to_have_value("Somebody")


def test_typed_answers_survive_signing_in(plain: Callable[..., Page]) -> None:
    page = plain()
    page.goto("/requests/new/")
    page.get_by_label("2. Which identifier?").fill("seedlings")
    page.get_by_label("3. Who asks?").fill("Somebody")
    page.get_by_label("4. What will the names name?").fill("seedlings in trays")

    acts.press(page, "Continue to the template")
    acts.fill_in_sign_in(page, "outsider@people.example")
    expect(page.get_by_label("2. Which identifier?")).to_have_value("seedlings")
    acts.press(page, "Continue to the template")

    expect(page.get_by_role("heading", level=1)).to_have_text("Identifier and version")
    expect(acts.box(page, "Namespace Identifier")).to_have_value("seedlings")


def test_request_goes_its_whole_course(plain: Callable[..., Page]) -> None:
    registrant, reviewer, publisher = plain(), plain("expert"), plain("registrar")
    acts.sign_up(registrant, "Tilda Tide", "tilda@tidewater.example")

    registrant.goto("/requests/new/")
    acts.choose(registrant, "A new informal namespace")
    registrant.get_by_label("3. Who asks?").fill("Tidewater Buoy Cooperative")
    registrant.get_by_label("4. What will the names name?").fill("stations at sea")
    acts.press(registrant, "Continue to the template")
    acts.write(registrant, INFORMAL)
    acts.press(registrant, "Send")
    expect(registrant.get_by_text("Round 1 of")).to_contain_text("is sent")
    reference = acts.reference(registrant)

    reviewer.goto(f"/review/{reference}/")
    acts.press(reviewer, "Take")
    acts.decide(reviewer, "Approve", "Sound.")
    expect(reviewer.get_by_text("Recorded for")).to_contain_text("Approve")

    publisher.goto(f"/publish/{reference}/")
    publisher.get_by_label(f"Type {reference.upper()} to confirm").fill(reference)
    acts.press(publisher, "Register and publish")
    expect(publisher.get_by_text("Registered: urn:urn-9, version 1.")).to_be_visible()


def test_steps_aside_from_the_course_are_taken(
    plain: Callable[..., Page], the_scene: Scene
) -> None:
    registrant, second = plain("registrant"), plain("second")

    registrant.goto(the_scene.address("/requests/{declined}/"))
    acts.follow(registrant, "Withdraw")
    acts.box(registrant, "Reason").fill("We use another system.")
    acts.press(registrant, "Withdraw")
    expect(registrant.get_by_text("We use another system.")).to_be_visible()

    second.goto(the_scene.address("/review/{in-review}/"))
    second.get_by_text("Recuse yourself", exact=True).first.click()
    acts.press(second, "Recuse yourself")
    expect(second.get_by_text("You stepped back from this request.")).to_be_visible()


def test_account_is_kept_up(plain: Callable[..., Page]) -> None:
    UserFactory.create(email="lova@people.example", name="Lova")
    page = plain()
    page.goto("/accounts/login/code/")
    acts.box(page, "Email address").fill("lova@people.example")
    page.get_by_role("main").get_by_role("button").first.click()
    acts.box(page, "Code").fill(code_of_last_letter(plain()))
    page.get_by_role("main").get_by_role("button").first.click()

    page.goto("/account/")
    acts.box(page, "Your name").fill("Lova of the cast")
    acts.press(page, "Save")
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()

    page.goto("/accounts/email/")
    acts.box(page, "Email address").fill("lova@elsewhere.example")
    acts.press(page, "Add this address")
    expect(page.get_by_role("group")).to_contain_text("lova@elsewhere.example Not confirmed")
    page.get_by_role("radio", name=re.compile("^lova@elsewhere")).check()
    acts.press(page, "Remove it")
    expect(page.get_by_role("group")).not_to_contain_text("lova@elsewhere.example")

    page.goto("/accounts/password/change/")
    acts.box(page, "Your current password").fill(PASSWORD)
    acts.box(page, "New password").fill(f"{PASSWORD}, still")
    acts.box(page, "New password again").fill(f"{PASSWORD}, still")
    acts.press(page, "Change the password")
    expect(page.get_by_role("status")).to_contain_text("password")

    acts.press(page, "Sign out")
    expect(page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()


def test_forgotten_password_is_replaced(plain: Callable[..., Page]) -> None:
    page, letters = plain(), plain()
    page.goto("/accounts/sign-in/")
    acts.follow(page, "Forgot your password?")
    acts.box(page, "Email address").fill("standards@people.example")
    page.get_by_role("main").get_by_role("button").first.click()
    expect(page).to_have_url(re.compile("/accounts/password/reset/done/$"))

    page.goto(path_in_last_letter(letters, "standards@people.example"))
    acts.press(page, "Continue")
    acts.box(page, "New password").fill(f"{PASSWORD}, anew")
    acts.box(page, "New password again").fill(f"{PASSWORD}, anew")
    page.get_by_role("main").get_by_role("button").first.click()

    expect(page).to_have_url(re.compile("/accounts/password/reset/key/done/$"))


def path_in_last_letter(page: Page, reader: str) -> str:
    """Return the path of the link in the last letter to somebody."""
    send_account_letters()
    page.goto("/demonstration/mail/")
    page.get_by_role("row").filter(has_text=reader).first.get_by_role("link").first.click()
    return urlsplit(page.get_by_role("main").get_by_role("link").last.inner_text()).path


def code_of_last_letter(page: Page) -> str:
    """Return the code in the last letter of the demonstration."""
    send_account_letters()
    page.goto("/demonstration/mail/")
    page.get_by_role("row").nth(1).get_by_role("link").first.click()
    letter = page.get_by_role("main").inner_text()
    match = re.search(r"(?m)^([A-Z0-9-]{6,})$", letter)
    assert match is not None, letter
    return match[1]
