"""The trial page: a rule is read and tried, with and without script, by anyone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from registry.models import RegistrationRequest, User
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
BENCH = "/inspect/grammar/"
RULE = 'nss = vault "/" accession\nvault = 3(%x41-5A)\naccession = 1*6DIGIT'
HTMX = {"HX-Request": "true"}


def brought(**changes: str) -> dict[str, str]:
    """Return the form filled in, with `changes`."""
    return {
        "grammar_kind": "abnf",
        "grammar": RULE,
        "nid": "seedbank",
        "examples": "urn:seedbank:NVF/0042\nurn:seedbank:NVF/0042b",
        "counter_examples": "urn:seedbank:NVF-0042",
        **changes,
    }


def test_names_are_tried_and_the_wrong_character_is_marked(client: Client) -> None:
    response = client.get(BENCH, brought())

    trials = response.context["bench"].trials
    assert [(each.fits, each.agrees, each.wrong) for each in trials] == [
        (True, True, ""),
        (False, False, "b"),
        (False, True, "-"),
    ]
    assert b'NVF/0042<b class="is-bad misfit">b</b>' in response.content


@pytest.mark.parametrize(
    ("kind", "rule", "line", "column"),
    [
        pytest.param("abnf", 'nss = 3ALPHA "/\nx = y', 1, 14, id="5234-2.3-quotation-mark"),
        pytest.param("regex", "(a", 1, 1, id="regex-open-group"),
    ],
)
def test_rule_that_cannot_be_read_is_pointed_at(
    client: Client, kind: str, rule: str, line: int, column: int
) -> None:
    response = client.get(BENCH, brought(grammar_kind=kind, grammar=rule))

    error = response.context["bench"].misread.error
    assert (error.line, error.column) == (line, column)
    assert error.message in text_of(response)
    assert error.mend in text_of(response)


def test_name_beyond_rfc_8141_is_shown_with_what_it_breaks(client: Client) -> None:
    page = client.get(BENCH, brought(grammar='nss = 1*2DIGIT "^"'))

    assert page.context["bench"].outside == "0^"
    assert '<code class="text-break">0^</code>' in page.content.decode()


def test_two_rules_are_told_apart_by_a_name(client: Client) -> None:
    page = client.get(BENCH, brought(other_kind="regex", other="[A-Z]{3}/[0-9]+"))

    comparison = page.context["bench"].comparison
    assert (comparison.answer, comparison.name) == ("no", "AAA/0000000")
    assert comparison.accepted_by == "second"
    assert "AAA/0000000" in text_of(page)


def test_two_rules_with_the_same_names_agree(client: Client) -> None:
    page = client.get(BENCH, brought(other_kind="regex", other="[A-Z]{3}/[0-9]{1,6}"))

    assert page.context["bench"].comparison.answer == "yes"


def test_comparison_says_that_it_was_given_up(client: Client) -> None:
    rules = {"grammar": "(a|b)*a(a|b){200}", "other": "(a|b)*b(a|b){200}"}

    page = client.get(BENCH, brought(grammar_kind="regex", other_kind="regex", **rules))

    comparison = page.context["bench"].comparison
    assert comparison.answer == "not decided"
    assert comparison.reason in text_of(page)


def test_short_rule_that_is_posted_gets_an_address_to_share(client: Client) -> None:
    posted = client.post(BENCH, brought())

    assert posted.status_code == 302
    shared = client.get(posted["Location"])
    assert len(shared.context["bench"].trials) == 3


def test_long_rule_is_answered_on_the_page_itself(client: Client) -> None:
    long = RULE + "\n; " + "x" * 3_000

    response = client.post(BENCH, brought(grammar=long))

    assert response.status_code == 200
    assert response.context["address"] == ""
    assert len(response.context["bench"].trials) == 3


def test_typing_is_answered_with_a_part_of_the_page(client: Client) -> None:
    response = client.post(BENCH, brought(), headers=HTMX)

    assert b"<html" not in response.content
    bench = response.context["bench"]
    assert bench.disagreeing == 1
    assert bench.summary in text_of(response)


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
def test_too_much_text_is_refused_on_the_page(
    client: Client, settings: Settings, headers: dict[str, str]
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000

    response = client.post(BENCH, brought(grammar="a" * 20_000), headers=headers)

    assert response.context["is_too_long"]
    assert response.context["bench"] is None


@pytest.mark.parametrize("kind", ["opaque", "algorithmic", "", "other"])
def test_kinds_without_a_rule_are_not_tried(client: Client, kind: str) -> None:
    response = client.post(BENCH, brought(grammar_kind=kind), headers=HTMX)

    assert response.status_code == 200
    assert response.context["bench"].is_silent


def test_name_with_components_is_tried_without_them(client: Client) -> None:
    response = client.get(BENCH, brought(examples="urn:seedbank:NVF/42?=x#y", counter_examples=""))

    assert [each.agrees for each in response.context["bench"].trials] == [True]


def test_syntax_page_tries_what_the_draft_says(
    sign_in: SignIn, registrant: User, draft: RegistrationRequest
) -> None:
    response = sign_in(registrant).get(reverse("requests:edit", args=[draft.slug, "syntax"]))

    assert [each.agrees for each in response.context["bench"].trials] == [True] * 4


def test_editor_tries_without_script_and_saves_nothing(
    sign_in: SignIn, registrant: User, draft: RegistrationRequest
) -> None:
    address = reverse("requests:edit", args=[draft.slug, "syntax"])
    before = draft.draft
    assert before is not None
    browser = sign_in(registrant)
    form = browser.get(address).context["form"]
    typed = {name: form[name].value() for name in form.fields}

    response = browser.post(
        address, {**typed, "grammar": "nss = 1*DIGIT", "other": "[0-9]+", "try_rule": "1"}
    )

    bench = response.context["bench"]
    assert [each.agrees for each in bench.trials] == [False, False, True, True]
    assert bench.comparison.answer == "yes"
    after = draft.draft
    assert after is not None
    assert after.template == before.template


def test_findings_of_the_rule_lead_to_the_page_about_syntax(
    sign_in: SignIn, registrant: User, draft: RegistrationRequest
) -> None:
    text = draft.draft
    assert text is not None
    text.grammar = 'nss = "a" "b'
    text.save()

    response = sign_in(registrant).get(reverse("requests:send", args=[draft.slug]))

    found = {
        each.finding.check: each.page.slug for each in response.context["findings"].to_consider
    }
    assert found["grammar.unreadable"] == "syntax"


def test_more_names_than_there_is_time_for_are_counted(client: Client) -> None:
    many = "\n".join(["urn:seedbank:NVF/42"] * 120)

    response = client.post(BENCH, brought(examples=many), headers=HTMX)

    assert len(response.context["bench"].trials) == 101
    assert response.context["bench"].beyond == 20
    assert "20 more names" in text_of(response)
