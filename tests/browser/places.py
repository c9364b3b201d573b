"""Every page of the site: its reader, its address, and how to get to see it."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from django.urls import Resolver404, resolve
from playwright.sync_api import Locator, Page

from tests.browser import acts
from tests.factories import PASSWORD

Act = Callable[[Page], None]


@dataclass(frozen=True)
class Place:
    """A page: its address (`Scene.address` fills it in), and the member of the cast who opens it.

    `act` is done there before the page is checked; it may lead to another, whose address is
    `shows`. Nothing that is done changes the registry.
    """

    address: str
    person: str = ""
    status: int = 200
    act: Act | None = None
    shows: str = ""

    @property
    def name(self) -> str:
        """The URL name of the page; empty if the address does not exist."""
        path = (self.shows or self.address).partition("?")[0]
        for stand_in in ("1-x", "1"):
            with suppress(Resolver404):
                return resolve(re.sub("{.*?}", stand_in, path)).view_name
        return ""

    def __str__(self) -> str:
        done = f" {self.act.__name__}" if self.act else ""
        return f"{self.address}{done}{f' as {self.person}' if self.person else ''}"


def refused_sign_in(page: Page) -> None:
    acts.box(page, "Email address").fill("nobody@people.example")
    acts.box(page, "Password").fill("not the one")
    acts.press(page, "Sign in")
    summary(page).wait_for()


def enter_password(page: Page) -> None:
    acts.box(page, "Email address").fill("expert@people.example")
    acts.box(page, "Password").fill(PASSWORD)
    acts.press(page, "Sign in")
    page.get_by_role("heading", name="Second factor").wait_for()


def refused_sign_up(page: Page) -> None:
    acts.box(page, "Your name").fill("Olaf Outsider")
    acts.box(page, "Email address").fill("olaf@people.example")
    acts.box(page, "Password").fill("12345678")
    acts.press(page, "Create the account")
    summary(page).wait_for()


def ask_for_code(page: Page) -> None:
    acts.box(page, "Email address").fill("outsider@people.example")
    page.get_by_role("main").get_by_role("button").first.click()
    acts.box(page, "Code").wait_for()


def make_token(page: Page) -> None:
    acts.box(page, "What is it for?").fill("A program that asks for nothing")
    acts.press(page, "Make the token")
    page.get_by_role("heading", name="Your new token").wait_for()


def add_a_webhook_for_nothing(page: Page) -> None:
    acts.box(page, "What is it for?").fill("A program")
    acts.box(page, "Address").fill("ftp://program.example/")
    acts.choose(page, "One identifier")
    acts.press(page, "Add the webhook")
    summary(page).wait_for()


def type_bad_nid(page: Page) -> None:
    page.get_by_label("2. Which identifier?").fill("x-seeds")
    page.get_by_text("Cannot be requested.").wait_for()


def choose_informal(page: Page) -> None:
    acts.choose(page, "A new informal namespace")


def choose_revision(page: Page) -> None:
    acts.choose(page, "A revision of a registered namespace")


def choose_fast_track(page: Page) -> None:
    acts.choose(page, "A new formal namespace, fast track")


def choose_facts(page: Page) -> None:
    acts.choose(page, "A change of contact, reference, registrant or status")


def continue_with_nothing(page: Page) -> None:
    acts.press(page, "Continue to the template")
    summary(page).wait_for()


def send_unfinished(page: Page) -> None:
    acts.press(page, "Send")
    summary(page).wait_for()


def save_over_another(page: Page) -> None:
    forge(acts.box(page, "Assignment"), "seen", "0-0123456789abcdef")
    acts.box(page, "Assignment").fill("Names are assigned by the desk.")
    acts.press(page, "Save")
    acts.head(page, "Someone saved this section after you opened it").wait_for()


def save_what_was_sent(page: Page) -> None:
    """The request that was sent is the one at the end of the address."""
    sent = page.url.partition("?")[2]
    acts.box(page, "Assignment").fill("Names are assigned by the desk.")
    page.get_by_role("button", name="Save", exact=True).evaluate(
        "(button, path) => { button.formAction = path }", f"/requests/{sent}/edit/assignment/"
    )
    acts.press(page, "Save")
    acts.head(page, "The text was sent, or the request ended, while you wrote").wait_for()


def try_a_rule(page: Page) -> None:
    acts.box(page, "Rule").fill('nss = 3DIGIT "-" 1*ALPHA "^"\nunused = "x"')
    acts.box(page, "Valid examples").fill("urn:sample:123-a^\nurn:sample:12-a^")
    acts.box(page, "Invalid examples").fill("urn:sample:123-a^")
    acts.box(page, "Second rule").fill("[0-9]{3}-[a-z]+")
    page.get_by_text("They differ, first on").wait_for()


def read_nothing(page: Page) -> None:
    acts.press(page, "Read it")
    summary(page).wait_for()


def read_a_template(page: Page) -> None:
    acts.box(page, "Text of the template").fill(
        "Dear all,\n\nNamespace ID: draft\n\nDeclaration of structure:\n   Letters.\n\n"
        "Validation mechanism:\n   None.\n"
    )
    acts.press(page, "Read it")
    acts.head(page, "What was understood").wait_for()


def say_nothing(page: Page) -> None:
    acts.press(page, "Send the comment")
    summary(page).wait_for()


def hide_without_reason(page: Page) -> None:
    let_server_validate(acts.box(page, "Reason, public"))
    acts.press(page, "Hide the message")
    summary(page).wait_for()


def read_back(page: Page) -> None:
    acts.choose(page, "Decline")
    acts.box(page, "Reasons, public").fill("Another namespace serves this already.")
    acts.press(page, "Check your decision")
    acts.head(page, "Check your decision").wait_for()


def press_question_mark(page: Page) -> None:
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()


def decide_nothing(page: Page) -> None:
    let_server_validate(acts.box(page, "Reasons, public"))
    acts.press(page, "Check your decision")
    summary(page).wait_for()


def note_wrong_days(page: Page) -> None:
    acts.box(page, "First day away").fill("2099-01-02")
    acts.box(page, "Last day away").fill("2099-01-01")
    acts.press(page, "Note these days")
    page.get_by_text("The last day is before the first.").first.wait_for()


def choose_nobody(page: Page) -> None:
    let_server_validate(page.get_by_role("radio").first)
    acts.press(page, "Assign")
    page.get_by_text("Choose an expert.").first.wait_for()


def open_the_form_for_a_remark(page: Page) -> None:
    page.get_by_role("link", name=re.compile("^Remark on this section ?: Syntax")).click()
    acts.box(page, "Remark, public").wait_for()


def remark_on_what_is_not_there(page: Page) -> None:
    acts.box(page, "Section").select_option("Syntax")
    acts.box(page, "Passage").fill("words that nobody wrote")
    page.get_by_label("Question", exact=True).check()
    acts.box(page, "Remark, public").fill("Why?")
    acts.press(page, "Publish the remark")
    summary(page).wait_for()


def drop_without_a_reason(page: Page) -> None:
    acts.press(page, "Drop")
    summary(page).wait_for()


def explain_nothing(page: Page) -> None:
    page.get_by_label("I explain instead").check()
    acts.press(page, "Keep the answer")
    summary(page).wait_for()


def decide_too_late(page: Page) -> None:
    forge(acts.box(page, "Reasons, public"), "seen", "0")
    acts.decide(page, "Decline", "Not like this.")
    acts.head(page, "Someone acted on this after you opened it").wait_for()


def confirm_another_name(page: Page) -> None:
    confirmation(page).fill("another")
    acts.press(page, "Register and publish")
    summary(page).wait_for()


def send_damaged_form(page: Page) -> None:
    forge(confirmation(page), "verb", "other")
    confirmation(page).fill("another")
    acts.press(page, "Register and publish")
    acts.head(page, "The site cannot read what your browser sent").wait_for()


def withdraw_too_late(page: Page) -> None:
    forge(acts.box(page, "Reason"), "seen", "0")
    acts.press(page, "Withdraw")
    summary(page).wait_for()


def send_old_form(page: Page) -> None:
    forge(acts.box(page, "Your name"), "csrfmiddlewaretoken", "x")
    acts.press(page, "Save")
    acts.head(page, "Please send that again").wait_for()


def name_nobody(page: Page) -> None:
    acts.box(page, "Email address of their account").fill("nobody@people.example")
    acts.press(page, "Name a delegate")
    summary(page).wait_for()


def prove_by_nothing(page: Page) -> None:
    acts.press(page, "Continue")
    summary(page).wait_for()


def note_nothing(page: Page) -> None:
    acts.press(page, "Note it")
    summary(page).wait_for()


def hold_nothing(page: Page) -> None:
    acts.press(page, "Hold it back")
    page.get_by_text("Type the identifier.").first.wait_for()


def add_nothing(page: Page) -> None:
    acts.press(page, "Add the service")
    summary(page).wait_for()


def try_a_service(page: Page) -> None:
    acts.box(page, "Only for names that begin with").fill("fi-")
    acts.box(page, "Address as a URI template").fill("https://names.example/{+rest}")
    acts.box(page, "Who runs it?").fill("Names Office")
    acts.box(page, "What is your source?").fill("Its handbook")
    acts.press(page, "Show where names would lead")
    page.get_by_role("heading", name="Where it would lead").wait_for()


def write_endless_notice(page: Page) -> None:
    page.locator("textarea[name=notice]").fill("words " * 400)
    acts.press(page, "Save")
    summary(page).wait_for()


def save_facts_over_another(page: Page) -> None:
    forge(page.locator("textarea[name=contact]"), "seen", "0")
    page.locator("textarea[name=contact]").fill("Another desk, desk@northlight.example")
    acts.press(page, "Save")
    acts.head(page, "Someone saved this section after you opened it").wait_for()


def rule_nothing(page: Page) -> None:
    let_server_validate(page.locator("textarea[name=comment]"))
    acts.press(page, "Record decision")
    summary(page).wait_for()


def rule_too_late(page: Page) -> None:
    forge(page.locator("textarea[name=comment]"), "seen", "0")
    acts.choose(page, "Direct to register")
    page.locator("textarea[name=comment]").fill("Minutes of 3 May.")
    acts.press(page, "Record decision")
    acts.head(page, "Someone acted on this after you opened it").wait_for()


def publish_without_proof(page: Page) -> None:
    let_server_validate(confirmation(page))
    acts.press(page, "Publish the change")
    summary(page).wait_for()


def summary(page: Page) -> Locator:
    """Return the error summary."""
    return page.get_by_role("alert").filter(has=page.get_by_role("heading"))


def confirmation(page: Page) -> Locator:
    """Return the field that confirms publishing."""
    return page.get_by_label(re.compile(r"^\s*Type .* to confirm\s*$"))


def let_server_validate(beside: Locator) -> None:
    """Make the browser send a form without validating it, as some browsers do."""
    beside.evaluate("field => { field.form.noValidate = true }")


def forge(beside: Locator, name: str, value: str) -> None:
    """Write `value` into the hidden field `name` of a form, as if it had been open for long."""
    beside.evaluate(
        "(field, [name, value]) => { field.form.elements.namedItem(name).value = value }",
        [name, value],
    )


PLACES = (
    # Home and search results
    Place("/"),
    Place("/?q=urn:isbn:0451450523"),
    Place("/?q=isbn"),
    Place("/?q=urn:isbn"),
    Place("/find/?q=a%07b"),
    Place("/find/?q=brodcasting"),
    Place("/find/?q=0-395-36341-2"),
    Place("/nothing/at/all/", status=404),
    # Namespaces
    Place("/namespaces/"),
    Place("/namespaces/?q=library&kind=formal"),
    Place("/namespaces/?q=librarx"),
    Place("/namespaces/?since=2020&until=2010"),
    Place("/namespaces/seedbank/"),
    Place("/namespaces/isbn/"),
    Place("/namespaces/urn-1/"),
    Place("/namespaces/seedbank/versions/1/"),
    Place("/namespaces/seedbank/versions/2/"),
    Place("/namespaces/seedbank/compare/1..2/"),
    Place("/namespaces/needle/"),
    Place("/namespaces/needle/records/1/"),
    Place("/namespaces/needle/compare/r1..r2/"),
    Place("/namespaces/wickpat/"),
    Place("/namespaces/isbm/", status=404),
    Place("/namespaces/isbn/locators/"),
    Place("/namespaces/isbn/locators/", "registrar"),
    Place("/namespaces/issn/locators/", "registrar"),
    Place("/namespaces/nbn/locators/", "registrar"),
    Place("/namespaces/seedbank/locators/", "registrar"),
    Place("/namespaces/taken/", status=404),
    Place("/namespaces/x-seeds/", status=404),
    # Inspection
    Place("/inspect/"),
    Place("/inspect/?urn=urn:isbn:0451450523%3F%2Bv2%3F%3Dq%23f"),
    Place("/inspect/?urn=urn:nobody:one"),
    Place("/inspect/?urn=urn:isbn:%22"),
    Place("/inspect/compare/"),
    Place("/inspect/compare/?a=urn:isbn:0451450523&b=URN:ISBN:0451450523"),
    Place("/inspect/compare/?a=urn:isbn:0451450523&b=urn:nobody"),
    Place("/inspect/list/"),
    Place("/inspect/find/"),
    Place(
        "/inspect/build/?nid=nobody&name=a%20b&r=c&urn=urn:isbn:1%3F%3Fr&uri=http://h.example/~a"
    ),
    Place("/inspect/build/"),
    Place("/inspect/build/?nid=_&name=a&urn=a%20b&uri=mid:a"),
    Place("/inspect/?urn=ftp://h.example/a"),
    Place("/inspect/compare/?a=http://h.example:80&b=http://h.example/"),
    Place("/inspect/grammar/"),
    Place("/inspect/grammar/", act=try_a_rule),
    Place("/inspect/grammar/?grammar=nss+%3D+3ALPHA+%22"),
    # Resolution, and its vocabularies
    Place("/resolve/"),
    Place("/resolve/?urn=urn:nbn:fi-fe201003181510&s=I2Ls&x=1"),
    Place("/resolve/?urn=urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", status=404),
    Place("/resolve/?urn=urn:nobody:one", status=404),
    Place("/resolve/?urn=urn:isbn:%22", status=400),
    Place("/namespaces/nbn/services/"),
    Place("/namespaces/nbn/errata/"),
    Place("/namespaces/nbn/errata/", "registrar"),
    Place("/namespaces/isbn/services/", "registrar"),
    Place("/namespaces/uuid/services/", "outsider"),
    Place("/namespaces/nbn/services/add/", "registrar", act=add_nothing),
    Place("/namespaces/nbn/services/add/", "registrar", act=try_a_service),
    Place("/namespaces/nbn/services/{service}/change/", "registrar"),
    Place("/namespaces/nbn/services/{service}/withdraw/", "registrar"),
    Place("/namespaces/nbn/services/supported-by/", "registrar"),
    Place("/registries/"),
    Place("/registries/query-keywords/"),
    Place("/registries/resolution-services/", "registrar"),
    Place("/registries/query-keywords/enter/", "registrar"),
    Place("/registries/resolution-services/I2L/change/", "registrar"),
    # Public request pages
    Place("/requests/"),
    Place("/requests/?state=declined"),
    Place("/requests/?state=expired"),
    Place("/requests/figures/"),
    *(
        Place(f"/requests/{{{name}}}/")
        for name in (
            "in-review",
            "second-round",
            "changes-asked",
            "approved",
            "informal-approved",
            "advisory",
            "declined",
            "reported",
            "refused",
            "withdrawn",
            "revision",
        )
    ),
    Place("/requests/{in-review}/template/"),
    Place("/requests/{second-round}/template/?round=1"),
    Place("/requests/{second-round}/", "expert"),
    Place("/requests/{second-round}/", "lead"),
    Place("/requests/{second-round}/", "outsider"),
    Place("/requests/{rival}/"),
    Place("/requests/keep/{keep-word}/"),
    Place("/requests/keep/no-such-word/", status=404),
    Place("/requests/?turn=lead"),
    Place("/requests/{second-round}/comment/"),
    Place("/requests/{second-round}/comment/?answers=1", "outsider", act=say_nothing),
    Place("/requests/{withdrawn}/comment/", "outsider"),
    Place("/requests/{second-round}/messages/1/hide/", "lead", act=hide_without_reason),
    Place("/requests/{second-round}/messages/3/show/", "lead"),
    Place("/review/{second-round}/notes/", "expert"),
    Place("/requests/{second-round}/changes/1..2/"),
    Place("/requests/{second-round}/history/"),
    # Starting and writing
    Place("/requests/new/"),
    Place("/requests/new/", "registrant", act=type_bad_nid),
    Place("/requests/new/", "registrant", act=choose_informal),
    Place("/requests/new/", "registrant", act=choose_revision),
    Place("/requests/new/", "registrant", act=continue_with_nothing),
    Place("/requests/{draft}/", "registrant"),
    Place("/requests/{draft}/edit/identifier/", "registrant"),
    Place("/requests/{draft}/edit/syntax/", "registrant"),
    Place("/requests/{blank}/edit/identifier/", "registrant"),
    Place("/requests/{blank}/edit/syntax/", "registrant"),
    Place("/requests/{blank}/note/?check=section.empty&section=purpose", "registrant"),
    Place("/requests/{blank}/edit/revision-information/", "registrant"),
    Place("/requests/{changes-begun}/edit/assignment/", "registrant"),
    Place("/requests/{changes-begun}/edit/syntax/", "registrant"),
    Place("/requests/{changes-begun}/remarks/1/answer/", "registrant", act=explain_nothing),
    Place("/requests/{draft}/edit/assignment/", "registrant", 409, act=save_over_another),
    Place(
        "/requests/{draft}/edit/assignment/?{in-review}", "registrant", 409, act=save_what_was_sent
    ),
    Place("/requests/new/template/", "registrant"),
    Place("/requests/new/template/", "registrant", act=read_nothing),
    Place("/requests/{draft}/paste/", "registrant"),
    Place("/requests/{draft}/paste/", "registrant", act=read_a_template),
    Place("/requests/{draft}/preview/", "registrant"),
    Place("/requests/{changes-begun}/preview/changes/", "registrant"),
    Place("/requests/{draft}/send/", "registrant"),
    Place("/requests/{outdated}/update/", "registrant"),
    Place("/requests/{blank}/send/", "registrant", act=send_unfinished),
    Place("/requests/{changes-begun}/send/", "registrant"),
    Place("/requests/{draft}/act/withdraw/", "registrant"),
    Place("/requests/{advisory}/act/complete/", "registrant"),
    Place("/requests/{in-review}/act/reroute/", "registrant"),
    Place("/requests/{in-review}/act/return/", "lead"),
    Place("/requests/{declined}/act/appeal/", "outsider"),
    Place("/requests/{heir-unproved}/act/record_evidence/", "registrar"),
    Place("/requests/{transfer}/act/record_evidence/", "registrar"),
    Place("/requests/{withdrawn}/act/reopen/", "registrant"),
    Place("/requests/{in-review}/act/approve/", "outsider", 403),
    Place("/requests/{in-review}/act/withdraw/", "registrant", 409, act=withdraw_too_late),
    # Account
    Place("/account/", "registrant"),
    Place("/account/", "lead"),
    Place("/account/", "outsider", 403, act=send_old_form),
    Place("/account/tokens/", "registrant"),
    Place("/account/tokens/", "outsider", act=make_token),
    Place("/account/hooks/", "outsider"),
    Place("/account/hooks/", "registrant", act=add_a_webhook_for_nothing),
    Place("/account/hooks/{hook}/", "outsider"),
    Place("/account/hooks/{stopped-hook}/", "outsider"),
    Place("/account/requests/", "registrant"),
    Place("/account/requests/", "outsider"),
    Place("/account/follows/", "outsider"),
    Place("/account/follows/", "registrant"),
    Place("/account/follows/new/?nid=seedbank", "registrant"),
    Place("/account/follows/leave/{watch-key}/"),
    Place("/account/follows/leave/used-before/"),
    Place("/account/follows/leave-all/{watcher}/"),
    Place("/accounts/sign-in/"),
    Place("/accounts/sign-in/", act=refused_sign_in),
    Place("/accounts/sign-up/"),
    Place("/accounts/sign-up/", act=refused_sign_up),
    Place("/accounts/sign-out/", "outsider"),
    Place("/accounts/inactive/"),
    Place("/accounts/reauthenticate/", "outsider"),
    Place("/accounts/factors/", "outsider"),
    Place("/accounts/factors/", "expert"),
    Place("/accounts/sign-in/", act=enter_password, shows="/accounts/factors/authenticate/"),
    Place("/accounts/factors/reauthenticate/", "expert"),
    Place("/accounts/factors/totp/activate/", "outsider"),
    Place("/accounts/factors/totp/deactivate/", "expert"),
    Place("/accounts/factors/recovery-codes/", "lead"),
    Place("/accounts/factors/recovery-codes/generate/", "expert"),
    Place("/accounts/factors/webauthn/", "expert"),
    Place("/accounts/factors/webauthn/add/", "outsider"),
    Place("/accounts/factors/webauthn/keys/{passkey}/edit/", "lead"),
    Place("/accounts/factors/webauthn/keys/{passkey}/remove/", "lead"),
    Place("/account/sessions/", "outsider"),
    Place("/account/log/", "outsider"),
    Place("/account/data/", "outsider"),
    Place("/account/data/", "registrant"),
    Place("/account/confirm/", "outsider"),
    Place("/officers/"),
    Place("/officers/stop/{reset-key}/"),
    Place("/officers/{reset}/stop/", "lead"),
    Place("/officers/{stopped}/decide/", "standards"),
    Place("/accounts/email/", "outsider"),
    Place("/accounts/confirm-email/"),
    Place("/accounts/confirm-email/{confirmation-key}/"),
    Place("/accounts/confirm-email/too-old/"),
    Place("/accounts/password/change/", "outsider"),
    Place("/accounts/password/set/", "without-password"),
    Place("/accounts/password/reset/"),
    Place("/accounts/password/reset/done/"),
    Place("/accounts/password/reset/key/{password-key}/"),
    Place("/accounts/password/reset/key/1-damaged/"),
    Place("/accounts/password/reset/key/done/"),
    Place("/accounts/login/code/"),
    Place("/accounts/login/code/", act=ask_for_code, shows="/accounts/login/code/confirm/"),
    # Experts and the registrar
    Place("/review/", "expert"),
    Place("/review/?tab=unassigned", "second"),
    Place("/review/?tab=open", "lead"),
    Place("/review/?tab=decided", "expert"),
    Place("/review/?tab=lead", "lead"),
    Place("/review/away/", "second"),
    Place("/review/away/", "second", act=note_wrong_days),
    Place("/review/conflicts/", "second"),
    Place("/review/{put-on}/", "second"),
    Place("/review/{taken}/assign/", "lead"),
    Place("/review/{taken}/assign/", "lead", act=choose_nobody),
    Place("/review/{taken}/recuse/", "lead"),
    Place("/review/{taken}/invite/", "lead"),
    Place("/requests/{taken}/act/extend/", "lead"),
    Place("/review/", "registrant", 403),
    Place("/review/{in-review}/", "expert"),
    Place("/review/{taken}/", "expert"),
    Place("/review/{taken}/", "expert", act=decide_nothing),
    Place("/review/{taken}/", "expert", act=read_back),
    Place("/review/{taken}/", "expert", act=press_question_mark),
    Place("/requests/{taken}/beside/{rival}/"),
    Place("/review/{taken}/", "expert", 409, act=decide_too_late),
    Place("/review/{second-round}/", "expert"),
    Place("/review/{second-round}/?view=text", "expert"),
    Place("/review/{second-round}/", "expert", act=open_the_form_for_a_remark),
    Place("/review/{second-round}/remark/?section=syntax", "expert"),
    Place("/review/{second-round}/remark/", "expert", act=remark_on_what_is_not_there),
    Place("/review/{second-round}/remarks/1/reopen/", "expert"),
    Place("/review/{second-round}/remarks/2/drop/", "expert", act=drop_without_a_reason),
    Place("/review/{advisory}/", "expert"),
    Place("/requests/{contact}/facts/", "registrant"),
    Place("/requests/{status}/facts/", "registrant"),
    Place("/requests/{status}/facts/", "registrant", act=write_endless_notice),
    Place("/requests/{contact}/facts/", "registrant", 409, act=save_facts_over_another),
    Place("/requests/{unproved}/facts/", "outsider"),
    Place("/requests/{status}/send/", "registrant"),
    Place("/requests/{transfer}/"),
    Place("/requests/{deprecation}/"),
    Place("/requests/{in-review}/recognition/", "registrant"),
    Place("/namespaces/urn-2/"),
    Place("/inspect/?urn=urn:urn-2:one"),
    Place("/requests/new/", "registrant", act=choose_fast_track),
    Place("/requests/new/", "registrant", act=choose_facts),
    Place("/direction/", "standards"),
    Place("/direction/", "registrant", 403),
    Place("/direction/{reported}/", "standards"),
    Place("/direction/{reported}/", "standards", act=rule_nothing),
    Place("/direction/{reported}/", "standards", 409, act=rule_too_late),
    Place("/direction/{appealed}/", "standards"),
    Place("/direction/{in-review}/", "standards"),
    Place("/direction/recognitions/{asking}/", "standards"),
    Place("/direction/recognitions/{asking}/", "standards", act=rule_nothing),
    Place("/direction/recognitions/{answered}/", "standards"),
    Place("/publish/{transfer}/", "registrar"),
    Place("/publish/{heir-unproved}/", "registrar", act=publish_without_proof),
    Place("/publish/{in-review}/", "registrar"),
    Place("/publish/", "registrar"),
    Place("/publish/reports/", "registrar"),
    Place("/publish/reports/{report}/", "registrar"),
    Place("/contact/"),
    Place("/contact/sent/"),
    Place("/namespaces/lex/"),
    Place("/publish/readings/", "registrar"),
    Place("/publish/readings/wickpat/1/", "registrar"),
    Place("/publish/iana/", "registrar"),
    Place("/publish/{approved}/", "registrar"),
    Place("/publish/{approved}/", "registrar", act=confirm_another_name),
    Place("/publish/{approved}/", "registrar", 400, act=send_damaged_form),
    Place("/publish/{informal-approved}/", "registrar"),
    Place("/publish/{unknown-version}/", "registrar"),
    Place("/publish/{seedbank}/", "registrar"),
    # Organizations, co-editors and sightings
    Place("/organizations/"),
    Place("/organizations/?q=nobody"),
    Place("/organizations/{body}/"),
    Place("/organizations/{body}/", "registrant"),
    Place("/organizations/{body}/", "registrar"),
    Place("/organizations/{body}/delegates/", "registrant"),
    Place("/organizations/speakers/{speaker}/", "registrant"),
    Place("/organizations/speakers/{speaker}/letter/{speaker-word}/"),
    Place("/namespaces/seedbank/holder/"),
    Place("/namespaces/seedbank/holder/", "registrar"),
    Place("/requests/{open-revision}/object/{objection-word}/"),
    Place("/organizations/{body}/delegates/", "registrant", act=name_nobody),
    Place("/organizations/speakers/{delegate}/", "registrant"),
    Place("/organizations/{body}/evidence/", "registrar"),
    Place("/organizations/{body}/prove/", "outsider"),
    Place("/organizations/{body}/prove/", "outsider", act=prove_by_nothing),
    Place("/organizations/{body}/prove/{proof-mail}/", "outsider"),
    Place("/organizations/{body}/prove/{proof-dns}/", "outsider"),
    Place("/organizations/{body}/prove/{proof-file}/", "outsider"),
    Place("/organizations/{body}/prove/{proof-mail}/{proof-secret}/", "outsider"),
    Place("/requests/{transfer}/"),
    Place("/requests/{draft}/people/", "registrant"),
    Place("/account/templates/{template}/"),
    Place("/account/templates/{template}/", "outsider"),
    Place("/account/templates/nobody-s/", status=404),
    Place("/account/invitations/{invitation}/", "outsider"),
    Place("/account/invitations/{invitation}/", "expert"),
    Place("/sightings/"),
    Place("/sightings/", "expert"),
    Place("/sightings/new/", "expert"),
    Place("/sightings/new/", "expert", act=note_nothing),
    Place("/sightings/{sighting}/edit/", "expert"),
    Place("/sightings/{sighting}/notify/", "expert"),
    Place("/sightings/{sighting}/withdraw/", "expert"),
    Place("/namespaces/playbill/", status=404),
    Place("/requests/new/?nid=playbill"),
    # The registrar's office
    Place("/held/"),
    Place("/held/", "registrar"),
    Place("/held/", "standards"),
    Place("/held/new/", "registrar"),
    Place("/held/new/", "registrar", act=hold_nothing),
    Place("/held/{held}/renew/", "registrar"),
    Place("/held/{held}/end/", "registrar"),
    Place("/held/{held}/appeal/", "outsider"),
    Place("/held/{appealed-hold}/answer/", "standards"),
    Place("/namespaces/barred/", status=404),
    Place("/namespaces/seedbank/", "registrar"),
    Place("/namespaces/seedbank/iana-reference/", "registrar"),
    Place("/namespaces/seedbank/disputes/new/", "registrar"),
    Place("/namespaces/seedbank/disputes/{dispute}/end/", "registrar"),
    Place("/namespaces/seedbank/contact/", "registrant"),
    Place("/namespaces/seedbank/contact/{contact-secret}/"),
    Place("/publish/entries/", "registrar"),
    Place("/publish/entries/?fault=no_contact", "registrar"),
    Place("/requests/{heir-unproved}/act/countersign/", "registrar"),
    Place("/enquiries/"),
    Place("/enquiries/", "expert"),
    Place("/enquiries/new/", "outsider"),
    Place("/enquiries/{enquiry}/"),
    Place("/enquiries/{waiting-enquiry}/", "expert"),
    # Long reading
    Place("/guide/"),
    Place("/guide/components/"),
    *(
        Place(f"/guide/{section}/")
        for section in (
            "how-it-works",
            "paths",
            "template",
            "identifiers",
            "urns",
            "decisions",
            "programs",
            "glossary",
        )
    ),
    Place("/about/"),
    Place("/about/trust/"),
    Place("/about/experts/"),
    Place("/about/scheme/"),
    Place("/about/list/"),
    Place("/accessibility/"),
    Place("/privacy/"),
    Place("/api/"),
    Place("/api/problems/"),
    Place("/api/versions/"),
    Place("/exports/"),
    Place("/log/"),
    Place("/log/entries/1/"),
    Place("/log/consistency/"),
    Place("/log/consistency/?head=Hello", status=400),
    Place("/demonstration/mail/"),
    Place("/demonstration/mail/{letter}/"),
)

# Addresses that begin like this are not our pages.
NOT_PAGES = {
    "accounts/factors/webauthn/reauthenticate/": "asks a device: tests/browser/test_passkeys.py",
    "accounts/factors/webauthn/login/": "answers the script of the sign-in page",
    "accounts/factors/recovery-codes/download/": "a file, which is not offered",
    "admin/": "Django's own",
    "api/autocomplete": "for programs",
    "api/context.jsonld": "for programs",
    "api/registry": "for programs",
    "api/search": "for programs",
    "api/^reference/": "for programs",
    "api/schema/": "for programs",
    "api/v1/": "for programs",
    "api/^v1/": "for programs",
    "account/data/file/": "a file",
    "account/tokens/<uuid:key>/revoke/": "answers a form, and leads back",
    "exports/<str:name>": "files for programs",
    "log/checkpoint": "a file of the log",
    "log/key": "a file of the log",
    "log/^": "files of the log",
    "log/entries/<int:number>.tlog-proof": "a file to be kept",
    "exports/^": "files of text",
    "account/follows/<int:pk>/stop/": "answers a form, and leads back",
    "account/hooks/<int:pk>/<str:act>/": "answers a form, and leads back",
    "account/hooks/<int:pk>/deliveries/": "answers a form, and leads back",
    "namespaces/<str:nid>/locators/stop/": "answers a form, and leads back",
    "namespaces/<str:nid>/locators/drop/": "answers a form, and leads back",
    "namespaces/<str:nid>/locators/table.csv": "a file of names",
    "namespaces/<str:nid>/locators/refused-": "a file of refused lines",
    "namespaces/^": "files of text",
    "^namespaces\\.": "the list for programs",
    "^requests\\.": "the list for programs",
    "^organizations\\.": "the list for programs",
    "^sightings\\.": "the list for programs",
    "ns": "words for programs",
    "requests/<slug:reference>/rounds/<int:number>/": "leads to the text of the round",
    "namespaces.atom": "a feed",
    "^namespaces/": "feeds",
    "requests.atom": "a feed",
    "^requests/": "feeds",
    "requests/^": "files of text",
    "resolve/^": "leads on, and its pages are those of resolve/",
    "uri-res/": "for programs",
    "publish/entries/<str:nid>/check/": "answers a form, and leads back",
    "namespaces/<str:nid>/services/<int:pk>/check/": "answers a form, and leads back",
    "registries/^": "files for programs",
    "find/reading/": "a part of the first page, which is tested there",
    "requests/figures.csv": "a file of numbers",
    "requests/new/nid/": "a part of the page on which a request is started",
    "requests/<slug:reference>/fresh/": "a part of the page of a request, which is tested there",
    "requests/<slug:reference>/comment/<int:key>/back/": "answers a form, with the form for it",
    "requests/<slug:reference>/note/<int:key>/again/": "answers a form, and leads back",
    "review/<slug:reference>/checklist/": "answers a form, and leads back",
    "review/<slug:reference>/take/": "answers a form, and leads back",
    "review/<slug:reference>/assign/rota/": "answers a form, and leads back",
    "review/away/<int:key>/back/": "answers a form, and leads back",
    "review/conflicts/<int:key>/end/": "answers a form, and leads back",
    "find/suggestions/": "a part of the search box, which is tested there",
    "opensearch.xml": "for programs",
    "site.webmanifest": "for programs",
    ".well-known/security.txt": "for programs",
    "publish/readings/<str:nid>/<int:number>/contact/": "answers a form, and leads back",
    "robots.txt": "for programs",
    "reconcile/": "for programs",
    ".well-known/api-catalog": "for programs",
    "^organizations/": "files for programs",
    "organizations/^": "files for programs",
    "sitemap.xml": "for programs",
    "sitemap-<int:number>.xml": "for programs",
    "favicon.ico": "for programs",
    "theme/": "answers a form, and leads back",
}
