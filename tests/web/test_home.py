"""The home page, the search box and the theme."""

from __future__ import annotations

import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from lxml import html
from pytest_django import DjangoAssertNumQueries, Settings

from registry import workflow
from registry.enums import ReservedList
from registry.forms.filters import SearchInterpretation, inspect_url, interpret_search
from registry.inspection import inspect_text
from registry.inspection.result import ResultKind
from registry.models import Provenance, RegistrationRequest, ReservedName, Round, User
from registry.search import rebuild_index
from tests.factories import NamespaceFactory, RequestFactory, ServiceFactory
from tests.web.pages import rows_of, text_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("typed", "reading"),
    [
        ("isbn", SearchInterpretation("nid", "isbn")),
        ("  ISBN ", SearchInterpretation("nid", "isbn")),
        ("urn:isbn", SearchInterpretation("nid", "isbn")),
        ("URN:Isbn:", SearchInterpretation("nid", "isbn")),
        ("urn:isnb", SearchInterpretation("nid", "isnb")),
        ("isnb", SearchInterpretation("words", "isnb")),
        ("books and serials", SearchInterpretation("words", "books and serials")),
        ("urn:isbn:978-951", SearchInterpretation("urn", "urn:isbn:978-951")),
        ("urn:isbn: 978", SearchInterpretation("urn", "urn:isbn: 978")),
        ("urn:", SearchInterpretation("urn", "urn:")),
        ("urn:-a", SearchInterpretation("urn", "urn:-a")),
        ("ISBN\u017f", SearchInterpretation("words", "ISBN\u017f")),
        (" \t ", SearchInterpretation("nothing", "")),
    ],
)
def test_text_is_told_apart_as_identifier_urn_or_words(
    typed: str, reading: SearchInterpretation
) -> None:
    NamespaceFactory.create(nid="isbn")

    assert interpret_search(typed) == reading


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("ISBN", "/namespaces/isbn/"),
        ("urn:isbn:1?=a#b", "/inspect/?urn=urn%3Aisbn%3A1%3F%3Da%23b"),
        ("", "/"),
    ],
)
def test_lookup_leads_to_where_the_text_belongs(client: Client, typed: str, address: str) -> None:
    NamespaceFactory.create(nid="isbn")

    response = client.get("/find/", {"q": typed})

    assert (response.status_code, response.headers["Location"]) == (302, address)


def test_lookup_of_nothing_leads_nowhere(client: Client) -> None:
    response = client.get("/find/", {"q": "  "}, follow=True)

    assert response.redirect_chain == [("/", 302)]
    assert [each.level_tag for each in response.context["messages"]] == ["info"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            "library\x1bbooks",
            "There is a control character (U+001B) in line 1, column 8. Delete it.",
        ),
        ("library\x00", "Null characters are not allowed."),
        ("a" * 2_001, "That is 2001 characters; the limit is 2000."),
        ("urn:x:" + "a" * 3_000, "That is 3006 characters; the limit is 2000"),
    ],
    ids=["escape", "NUL", "too long", "too long a URN"],
)
def test_invalid_lookup_stays_in_the_box_and_is_explained(
    client: Client, typed: str, said: str
) -> None:
    response = client.get("/find/", {"q": typed})

    assert response.status_code == 200
    assert said in text_of(response)
    assert 'aria-invalid="true"' in response.content.decode()
    assert typed.replace("\x00", "")[:20] in response.content.decode()


def test_urn_with_a_control_character_goes_where_the_character_is_shown(client: Client) -> None:
    response = client.get("/find/", {"q": "urn:isbn:1\t2"})

    assert response.headers["Location"] == "/inspect/?urn=urn%3Aisbn%3A1%092"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("urn:isbn:978-0-395-36341-6", "A valid ISBN. Inspect it, or open the isbn namespace."),
        (
            "urn:isbn:978-0-395-36341-5",
            "Not a valid ISBN: the check digit should be 6, not 5."
            " Did you mean: urn:isbn:978-0-395-36341-6. Inspect it, or open the isbn namespace.",
        ),
        ("urn:isnb:1", "No namespace “isnb” is registered. Inspect it."),
        ("urn:isbn:9 8", "Not a URN yet. A space cannot stand in the NSS (character 11)."),
        ("Isbn", "Reads as the identifier of a namespace: isbn, Book numbers."),
        ("urn:isnb", "Reads as an unregistered identifier."),
        ("book", "Reads as words. 1 result. First: isbn."),
        ("quixotic", "Reads as words. No results."),
        ("0-395-36341-1", "Looks like a name of isbn: urn:isbn:978-0-395-36341-6."),
        ("", "This is how a name is read."),
        ("a\x1b", "There is a control character (U+001B) in line 1, column 2. Delete it."),
    ],
)
def test_box_says_how_it_reads_what_is_typed(client: Client, typed: str, said: str) -> None:
    NamespaceFactory.create(nid="isbn", summary="Book numbers")
    rebuild_index()

    response = client.get("/find/reading/", {"q": typed})

    assert said in text_of(response)
    assert "<html" not in response.content.decode()


def test_home_reads_what_stands_in_its_address_without_script(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    response = client.get("/", {"q": "urn:isbn:978"})

    result = response.context["inspection"].result
    assert result.kind == ResultKind.INVALID
    assert result.title in text_of(response)
    assert f'href="{inspect_url("urn:isbn:978")}"' in response.content.decode()
    assert 'value="urn:isbn:978"' in response.content.decode()


def test_specimen_names_each_part(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    page = html.fromstring(client.get("/find/reading/", {"q": "urn:isbn:978"}).content)

    names = {part.findtext("code"): part.findtext("span") for part in page.iter("li")}
    assert names["isbn"] == "NID"
    assert str(names["978"]).startswith("NSS, ")


def test_typed_markup_is_shown_as_text(client: Client) -> None:
    for address in ("/", "/find/reading/"):
        page = client.get(address, {"q": "urn:<script>alert(1)</script>"}).content.decode()

        assert "<script>alert" not in page
        assert "“&lt;”" in page


@pytest.mark.parametrize("typed", ["ark", "ARK", "ARKs", "ark identifiers"])
def test_search_for_a_system_that_is_no_namespace_says_so(client: Client, typed: str) -> None:
    system = ReservedName.objects.create(
        list=ReservedList.SYSTEM, name="ark", note="Archival Resource Keys"
    )

    page = client.get("/find/", {"q": typed}, follow=True)

    assert page.context["system"] == system
    assert "ARK is not a URN namespace" in text_of(page)


def test_search_for_a_system_that_is_registered_says_nothing_of_the_kind(client: Client) -> None:
    ReservedName.objects.create(list=ReservedList.SYSTEM, name="handle", note="Handles")
    NamespaceFactory.create(nid="handle")

    assert client.get("/find/", {"q": "handle names"}).context["system"] is None


def test_home_counts_namespaces_and_those_with_services(client: Client) -> None:
    resolved = NamespaceFactory.create(nid="isbn", registered_on="1999-05")
    NamespaceFactory.create(nid="issn", registered_on="2001")
    for template in ("https://books.example/{nss}", "https://covers.example/{nss}"):
        ServiceFactory.create(namespace=resolved, template=template)

    page = client.get("/")

    assert page.context["figures"] == {"namespaces": 2, "since": "1999", "resolved": 1}
    assert "2 namespaces since 1999, 1 of which resolves here." in text_of(page)


def test_request_in_review_is_open_for_comment_with_its_last_day(
    client: Client, in_review: RegistrationRequest, inviting_comments: None
) -> None:
    close = timezone.localdate() + datetime.timedelta(days=28)

    page = text_of(client.get("/"))

    assert f"Round 1, comments until {close.day} " in page
    assert f"{in_review.summary}. {in_review.organization}." in page
    assert in_review.reference in page


def test_draft_is_not_shown_as_open_for_comment(
    client: Client, draft: RegistrationRequest, registrant: User
) -> None:
    assert draft.reference not in text_of(client.get("/"))

    workflow.perform(draft, "submit", actor=registrant)

    assert draft.reference in text_of(client.get("/"))


def test_approved_request_is_no_longer_open_for_comment(
    client: Client, approved: RegistrationRequest
) -> None:
    assert approved.last_round is not None

    assert approved.reference not in text_of(client.get("/"))


def test_request_whose_days_for_comment_are_over_is_not_open(
    client: Client, inviting_comments: None
) -> None:
    asked = RequestFactory.create(state="in_review")
    long_ago = timezone.now() - datetime.timedelta(days=29)
    Round.objects.filter(registration_request=asked).update(
        submitted_at=long_ago, comments_since=long_ago, sha256="0"
    )

    assert asked.reference not in text_of(client.get("/"))

    day_later = long_ago + datetime.timedelta(days=1)
    other = RequestFactory.create(state="in_review")
    Round.objects.filter(registration_request=other).update(
        submitted_at=day_later, comments_since=day_later, sha256="0"
    )

    assert other.reference in text_of(client.get("/"))


def test_informal_request_is_listed_without_a_number(
    client: Client, informal_draft: RegistrationRequest, registrant: User
) -> None:
    workflow.perform(informal_draft, "submit", actor=registrant)

    page = client.get("/")
    assert list(page.context["open_for_comment"]) == [informal_draft]
    assert f'href="{informal_draft.get_absolute_url()}"' in page.content.decode()
    assert "Informal, number" in text_of(page)


def test_latest_publication_stands_first_with_its_year(
    client: Client, approved: RegistrationRequest, registrar: User
) -> None:
    NamespaceFactory.create(
        nid="older", registered_on="2019-02", references=["RFC8515"], summary="Things"
    )
    workflow.perform(approved, "register", actor=registrar)

    rows = rows_of(client.get("/"))

    assert rows == [
        ["seedbank", f"{approved.summary}. Registered", str(timezone.localdate().year)],
        ["older", "Things. Registered, RFC 8515", "2019"],
    ]


def test_date_that_was_only_remembered_is_no_news(client: Client) -> None:
    for nid, source in (("read", "iana-record"), ("remembered", "rfc-month-memory")):
        namespace = NamespaceFactory.create(nid=nid, registered_on="2020-01", summary="Things")
        Provenance.objects.create(namespace=namespace, source="A list", registered_source=source)

    page = client.get("/")

    assert rows_of(page) == [["read", "Things. Registered", "2020"]]
    assert "remembered" not in text_of(page)


def test_home_takes_as_many_queries_for_many_as_for_few(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(8):
        NamespaceFactory.create(registered_on=f"2020-0{number + 1}")
        asked = RequestFactory.create(state="in_review")
        Round.objects.filter(registration_request=asked).update(
            submitted_at=timezone.now(), comments_since=timezone.now(), sha256="0"
        )

    # Two each for the figures, the calendar, the open requests and what is new, one for the
    # example, and five for whose consent the open requests lack.
    with django_assert_max_num_queries(14):
        client.get("/")


def test_cookie_of_the_theme_has_the_name_of_the_settings(
    client: Client, settings: Settings
) -> None:
    settings.THEME_COOKIE_NAME = "__Host-theme"  # As in production.

    client.post("/theme/", {"theme": "dark", "next": "/about/"})

    assert list(client.cookies) == ["__Host-theme"]
    assert 'data-bs-theme="dark"' in client.get("/about/").text


@pytest.mark.parametrize("theme", ["system", "light", "dark"])
def test_chosen_theme_is_kept_in_a_cookie_and_used(client: Client, theme: str) -> None:
    response = client.post("/theme/", {"theme": theme, "next": "/about/"})

    assert response.headers["Location"] == "/about/"
    assert response.cookies["theme"].value == theme
    page = client.get("/about/").content.decode()
    assert (f'data-bs-theme="{theme}"' in page) == (theme != "system")


@pytest.mark.parametrize(
    "back",
    [
        "https://elsewhere.example/",
        "//elsewhere.example",
        "/\\elsewhere.example",
        "javascript:alert(1)",
        "",
        "\\\\x",
        "x",
        "home:index",
        "http://[::1",
        "//[::1",
        "/" + "a" * 20_000,
    ],
)
def test_choice_of_a_theme_leads_to_pages_of_this_site_alone(client: Client, back: str) -> None:
    response = client.post("/theme/", {"theme": "dark", "next": back})

    assert response.headers["Location"] == "/"


def test_unknown_theme_is_not_set(client: Client) -> None:
    response = client.post("/theme/", {"theme": '"><script>', "next": "/"})

    assert (response.status_code, dict(response.cookies)) == (302, {})


def test_theme_is_chosen_by_posting_alone(client: Client) -> None:
    assert client.get(reverse("home:theme")).status_code == 405


def test_answers_about_a_urn_are_of_three_kinds() -> None:
    NamespaceFactory.create(nid="isbn")

    verdicts = [inspect_text(text).verdict for text in ("urn:isbn:1", "urn:isnb:1", "urn:isbn")]

    assert verdicts == ["registered", "unregistered", "malformed"]
