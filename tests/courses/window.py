"""A browser without script: it reads pages, and fills in and sends their forms."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from django.http import HttpResponse
from django.test import Client
from lxml import html

from registry.models import User
from tests.web.pages import text_of


class Window:
    """One person's browser. It posts nothing that the page did not offer."""

    def __init__(self, person: User | None = None) -> None:
        self.client = Client()
        self.person = person
        self.url = "/"
        self.response: HttpResponse = HttpResponse()

    def go(self, path: str) -> Window:
        """Open `path`, following redirects; sign in again after a long time."""
        self.sign_in_again()
        return self.took(self.client.get(path, follow=True), path)

    def sign_in_again(self) -> None:
        """Begin a new session, since an officer's expires within a day; the page stays open."""
        if self.person:
            self.client.force_login(self.person)

    def took(self, response: object, path: str) -> Window:
        """Keep a response, and its address."""
        chain = getattr(response, "redirect_chain", [])
        self.url = urlsplit(chain[-1][0]).path if chain else path
        assert isinstance(response, HttpResponse)
        self.response = response
        return self

    @property
    def text(self) -> str:
        """The words of the page."""
        return text_of(self.response)

    @property
    def page(self) -> html.HtmlElement:
        """The page as a tree."""
        return html.document_fromstring(self.response.content.decode())

    def press(self, button: str, **typed: object) -> Window:
        """Fill in the form that has `button`, by the names of its fields, and press it.

        A list chooses several; a field that the form does not have is a mistake in the test.
        """
        form, pressed = self.form_with(button)
        for name, value in typed.items():
            fill(form, name, value)
        sent = [(name, value) for name, value in form.form_values()]
        if pressed.get("name"):
            sent.append((pressed.get("name", ""), pressed.get("value", "")))
        return self.send(form, pressed, sent)

    def send(
        self, form: html.FormElement, pressed: html.HtmlElement, sent: list[tuple[str, str]]
    ) -> Window:
        """Send a form's data to its address."""
        action = pressed.get("formaction") or form.get("action") or ""
        path = urljoin(self.url, action) if action else self.url
        data: dict[str, list[str]] = {}
        for name, value in sent:
            data.setdefault(name, []).append(value)
        method = self.client.get if form.method == "GET" else self.client.post
        return self.took(method(path, data, follow=True), path)

    def form_with(self, button: str) -> tuple[html.FormElement, html.HtmlElement]:
        """Return the form that has a button of that name, and the button."""
        page, seen = self.page, []
        for each in page.xpath("//button | //input[@type='submit']"):
            said = " ".join(each.text_content().split()) or each.get("value", "")
            seen.append(said)
            if said.startswith(button) or button == each.get("aria-label"):
                named = page.xpath("//form[@id=$id]", id=each.get("form") or "")
                return (named or list(each.iterancestors("form")))[0], each
        raise AssertionError(f"No button “{button}” at {self.url}, only {seen}: {self.text[:2000]}")

    def follow(self, words: str) -> Window:
        """Follow the first link with these words."""
        for link in self.page.xpath("//a[@href]"):
            if " ".join(link.text_content().split()) == words:
                return self.go(urljoin(self.url, link.get("href")))
        raise AssertionError(f"No link “{words}” at {self.url}: {self.text[:2000]}")

    def offers(self, button: str) -> bool:
        """Whether the page has a button of that name."""
        try:
            self.form_with(button)
        except AssertionError:
            return False
        return True


def fill(form: html.FormElement, name: str, value: object) -> None:
    """Type `value` into a field, tick it, or choose it."""
    assert name in form.fields, f"The form has no field {name}, only {sorted(form.fields.keys())}"
    field = form.inputs[name]
    if isinstance(field, html.CheckboxGroup):
        field.value = {str(each) for each in value} if isinstance(value, list) else {str(value)}
    elif isinstance(field, html.InputElement) and field.type == "checkbox":
        field.checked = bool(value)
    elif isinstance(field, html.SelectElement) and field.multiple:
        chosen = value if isinstance(value, list) else [value]
        field.value = {str(each) for each in chosen}
    elif isinstance(value, list):
        field.value = "\n".join(str(each) for each in value)
    else:
        field.value = str(value)
