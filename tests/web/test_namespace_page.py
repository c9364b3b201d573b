"""One namespace: its facts, its text, its versions; and an unregistered NID."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertTemplateNotUsed, assertTemplateUsed

from registry import workflow
from registry.enums import (
    ChangeKind,
    NamespaceStatus,
    RequestPath,
)
from registry.inspection import ResultKind
from registry.models import (
    Namespace,
    Organization,
    Provenance,
    Registration,
    RegistrationRequest,
    User,
)
from registry.template import FIELDS
from registry.urn import Severity
from registry.workflow import drafts
from tests.endless import stopped_if_endless
from tests.factories import NamespaceFactory, OrganizationFactory, RequestFactory
from tests.small_changes import record_consent
from tests.template.samples import REVISION
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def registered(approved: RegistrationRequest, registrar: User) -> Namespace:
    """The namespace `seedbank`, version 1."""
    workflow.perform(approved, "register", actor=registrar)
    return Namespace.objects.get(nid="seedbank")


@pytest.fixture
def revision(
    registered: Namespace, registrant: User, organization: Organization
) -> RegistrationRequest:
    """A request to revise `seedbank`, in review."""
    asked = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Accessions held by federated seed vaults",
        namespace=registered,
    )
    assert asked.draft is not None
    drafts.save_draft(asked.draft, REVISION.to_dict(), seen=0)
    workflow.perform(asked, "submit", actor=registrant)
    return asked


@pytest.fixture
def revised(revision: RegistrationRequest, expert: User, registrar: User) -> Namespace:
    """The namespace `seedbank` with two versions."""
    record_consent(revision)
    workflow.perform(revision, "assign", actor=expert)
    workflow.perform(revision, "approve", actor=expert, comment="Sound.")
    workflow.perform(revision, "register", actor=registrar)
    return Namespace.objects.get(nid="seedbank")


def imported(nid: str = "old", **provenance: object) -> Namespace:
    """Return a namespace imported from a list, checked unless told otherwise."""
    namespace = NamespaceFactory.create(
        nid=nid, registered_on="2001-10", references=["RFC8458", "An Agency"]
    )
    facts = {"source": "A list", "is_verified": True, "registered_source": "iana-record"}
    Provenance.objects.create(namespace=namespace, **{**facts, **provenance})
    return namespace


@pytest.mark.parametrize(
    ("address", "lower"),
    [
        ("/namespaces/SeedBank/", "/namespaces/seedbank/"),
        ("/namespaces/UNKNOWN/", "/namespaces/unknown/"),
        ("/namespaces/SEEDBANK/versions/1/", "/namespaces/seedbank/versions/1/"),
        ("/namespaces/SEEDBANK/compare/1..2/", "/namespaces/seedbank/compare/1..2/"),
        ("/namespaces/seedbank/compare/2..1/", "/namespaces/seedbank/compare/1..2/"),
    ],
)
def test_address_leads_for_good_to_its_lower_case_form(
    client: Client, revised: Namespace, address: str, lower: str
) -> None:
    response = client.get(address)

    assert (response.status_code, response.headers["Location"]) == (301, lower)


def test_imported_namespace_shows_its_facts_without_a_text(
    client: Client,
) -> None:
    imported()

    response = client.get("/namespaces/old/")

    page = text_of(response)
    assertTemplateNotUsed(response, "namespaces/registration.html")
    assert "Reference RFC\xa08458, An Agency" in page
    assert "Registered October 2001" in page
    assert "Registrant not known" in page
    assert "version not known" in page
    markup = response.content.decode()
    assert '<a href="https://www.rfc-editor.org/info/rfc8458">RFC\xa08458</a>' in markup
    assert 'href="/requests/new/?namespace=old"' in markup


def test_facts_are_marked_unless_they_were_verified(client: Client) -> None:
    imported("checked")
    imported("heard", is_verified=False, registered_source="rfc-month-memory")

    checked = text_of(client.get("/namespaces/checked/"))
    heard = text_of(client.get("/namespaces/heard/"))

    assert "not verified" not in checked
    assert "An Agency (not verified)" in heard
    assert "October 2001 (not verified)" in heard


def test_namespace_without_contact_says_where_its_registrant_is_found(client: Client) -> None:
    body = OrganizationFactory.create(website="https://vault.example/")
    imported("by-website")
    Namespace.objects.filter(nid="by-website").update(registrant=body)
    imported("by-rfc")
    imported("by-iana", template_url="https://www.iana.org/assignments/urn-formal/by-iana")
    Namespace.objects.filter(nid="by-iana").update(references=["An Agency"])
    NamespaceFactory.create(nid="unheard")

    contacts = {
        nid: text_of(client.get(f"/namespaces/{nid}/")).partition(" Contact ")[2]
        for nid in ("by-website", "by-rfc", "by-iana", "unheard")
    }

    assert contacts["by-website"].startswith("None on record. See the registrant’s website.")
    assert contacts["by-rfc"].startswith("None on record. See RFC\xa08458.")
    assert contacts["by-iana"].startswith("None on record. See the template at IANA.")
    assert contacts["unheard"].startswith("not known")


def test_background_of_a_namespace_is_told_by_its_page_and_its_files(client: Client) -> None:
    imported("isbn")
    known = "First registered by RFC 3187, which is Historic since 2017 (RFC 8254)."
    Namespace.objects.filter(nid="isbn").update(background=known)

    page = text_of(client.get("/namespaces/isbn/"))
    text = client.get("/namespaces/isbn.txt").content.decode()

    assert f"Background {known}" in page
    assert known in " ".join(text.split())
    assert client.get("/namespaces/isbn.json").json()["background"] == known


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("2001", "Registered: 2001"),
        ("2001-10", "Registered: October 2001"),
        ("2001-10-05", "Registered: 5 October 2001"),
        ("", "Registered: not known"),
    ],
)
def test_date_is_shown_as_precisely_as_it_is_known(client: Client, stored: str, shown: str) -> None:
    NamespaceFactory.create(nid="old", registered_on=stored)

    assert shown in text_of(client.get("/namespaces/old/"))


@pytest.mark.parametrize(
    ("status", "notice"),
    [(NamespaceStatus.DEPRECATED, "is deprecated"), (NamespaceStatus.OBSOLETE, "is obsolete")],
)
def test_namespace_out_of_use_stays_at_its_address_with_a_notice(
    client: Client, status: NamespaceStatus, notice: str
) -> None:
    namespace = NamespaceFactory.create(nid="old")
    assert notice not in text_of(client.get("/namespaces/old/"))

    Namespace.objects.filter(pk=namespace.pk).update(status=status)

    assert notice in text_of(client.get("/namespaces/old/"))


def test_published_text_is_shown_field_by_field(client: Client, registered: Namespace) -> None:
    response = client.get("/namespaces/seedbank/")

    page, markup = text_of(response), response.content.decode()
    registration = registered.registrations.get()
    for field in FIELDS:
        line = getattr(registration, field.name).partition("\n")[0]
        assert field.name in {"date", "version"} or line.replace("  ", " ") in page
    anchors = re.findall(r'<(?:section class="tsection[^"]*"|dt) id="([^"]+)"', markup)
    assert anchors == [
        "identifier",
        "nid",
        "version",
        "date",
        "registrant",
        "purpose",
        "syntax",
        "assignment",
        "security-and-privacy",
        "interoperability",
        "resolution",
        "documentation",
        "additional-information",
    ]
    assert "Version 1 of 1" in page
    assert registration.sha256 in page


def test_grammar_and_examples_are_shown_with_the_syntax(
    client: Client, registered: Namespace
) -> None:
    markup = client.get("/namespaces/seedbank/").content.decode()

    assert f"<pre>{escape(registered.registrations.get().grammar)}" in markup
    assert 'data-copy="urn:seedbank:NVF/42"' in markup
    assert 'href="/inspect/?urn=urn%3Aseedbank%3ANVF%2F42"' in markup
    assert "about 40,000" in markup


def test_printed_page_says_where_it_is_from_and_which_version(
    client: Client, registered: Namespace
) -> None:
    page = text_of(client.get("/namespaces/seedbank/"))

    today = timezone.localdate()
    assert "Printed from http://127.0.0.1:8000/namespaces/seedbank/" in page
    assert f"{today.day} {today:%B %Y}. Version 1." in page


@pytest.mark.parametrize(
    ("typed", "kind", "shown"),
    [
        ("urn:nbn:FI-fe1", ResultKind.VALID, "Country FI, Finland."),
        ("FI-fe1#page", ResultKind.VALID, "Country FI, Finland."),
        ("f1-x", ResultKind.INVALID, "character 10"),
        (" hr:217:395837 ", ResultKind.DOUBTFUL, "NBN"),
        ("fi-a b", ResultKind.MALFORMED, "character 13"),
        ("urn:isbn:1", ResultKind.OTHER_NAMESPACE, "“isbn”"),
    ],
    ids=["in full", "NSS alone", "against", "doubtful", "malformed", "elsewhere"],
)
def test_name_is_checked_by_the_rule_of_its_namespace_with_and_without_script(
    client: Client, typed: str, kind: ResultKind, shown: str
) -> None:
    NamespaceFactory.create(nid="nbn")

    whole = client.get("/namespaces/nbn/", {"name": typed})
    part = client.get("/namespaces/nbn/", {"name": typed}, headers={"hx-request": "true"})

    for response in (whole, part):
        result = response.context["checked"].result
        assert result.kind == kind
        verdict = text_of(response).partition(result.title)[2]
        assert shown in result.title + verdict
        assert result.detail in verdict
    assert f'value="{typed.strip()}"' in whole.content.decode()
    assert "<html" not in part.content.decode()
    assert "HX-Request" in whole["Vary"]


def test_form_asks_the_page_itself_and_offers_examples_of_the_rule(client: Client) -> None:
    NamespaceFactory.create(nid="nbn")

    markup = client.get("/namespaces/nbn/").content.decode()

    assert (
        'action="/namespaces/nbn/" data-hx-get="/namespaces/nbn/" data-hx-target="#verdict"'
        in markup
    )
    assert 'name="name" value="urn:nbn:"' in markup
    assert 'href="/namespaces/nbn/?name=fi-fe201003181510"' in markup


def test_rule_is_shown_with_what_it_merges_and_its_document(client: Client) -> None:
    for nid in ("nbn", "old"):
        NamespaceFactory.create(nid=nid)

    ruled, unruled = (client.get(f"/namespaces/{nid}/") for nid in ("nbn", "old"))

    page, equivalence = text_of(ruled), ruled.context["equivalence"]
    assert f"{equivalence.words}. ({equivalence.document})" in page
    assert equivalence.document == "RFC 8458, section 4.3"
    assert page.count(f"From: {ruled.context['rule'].document}") == 1
    assert (unruled.context["equivalence"], unruled.context["rule"]) == (None, None)
    assert "no rule for names in old" in text_of(unruled)


def test_name_without_a_rule_is_checked_as_a_urn_alone(client: Client) -> None:
    NamespaceFactory.create(nid="old")

    response = client.get("/namespaces/old/", {"name": "x"})

    assert response.context["checked"].result.kind == ResultKind.UNCHECKED
    assert response.context["rule"] is None
    assert "Names to try" not in text_of(response)


def test_grammar_of_the_version_in_force_is_the_rule_of_its_names(
    client: Client, registered: Namespace
) -> None:
    right, wrong = (
        client.get("/namespaces/seedbank/", {"name": name})
        for name in ("NVF/42", "URN:SeedBank:NVF-42")
    )
    inspected = client.get("/inspect/", {"urn": "urn:seedbank:NVF/42"})

    assert right.context["checked"].result.kind == ResultKind.VALID
    assert right.context["checked"].result.source in text_of(right)
    assert right.context["checked"].result.source.endswith("seedbank, version 1")
    assert wrong.context["checked"].result.kind == ResultKind.INVALID
    assert wrong.context["checked"].result.position == 16
    assert "character 17" in text_of(wrong)
    assert inspected.context["inspection"].result.kind == ResultKind.VALID


def test_page_of_an_old_version_checks_by_the_rule_in_force(
    client: Client, revised: Namespace
) -> None:
    response = client.get("/namespaces/seedbank/versions/1/", {"name": "NVF/42"})

    drawn, used = response.context["explanation"].rule, response.context["rule"]
    assert drawn.document.endswith("seedbank, version 1")
    assert used.document.endswith("seedbank, version 2")
    page = text_of(response)
    assert f"From: {drawn.document}" in page
    assert f"in force: {used.document}." in page


@pytest.mark.parametrize("typed", ["a" * 200_000, "%" * 50_000, "\x00\u202e<b>", "urn:"])
def test_hostile_names_are_answered(client: Client, typed: str) -> None:
    NamespaceFactory.create(nid="nbn")

    with stopped_if_endless():
        response = client.get("/namespaces/nbn/", {"name": typed})

    assert response.status_code == 200


def test_open_request_is_shown_and_a_draft_is_not(
    client: Client, revision: RegistrationRequest, registered: Namespace
) -> None:
    hidden = RequestFactory.create(namespace=registered, change=ChangeKind.REVISION)

    page = text_of(client.get("/namespaces/seedbank/"))

    assert f"{revision.reference}, Revision" in page
    assert hidden.reference not in page


def test_versions_are_listed_the_newest_first_and_can_be_compared(
    client: Client, revised: Namespace
) -> None:
    response = client.get("/namespaces/seedbank/")

    page, markup = text_of(response), response.content.decode()
    assert page.index("Version 2, current") < page.index("Compare with version 2")
    assert "Version 2 of 2" in page
    assert 'href="/namespaces/seedbank/compare/1..2/"' in markup
    assert 'href="/namespaces/seedbank/versions/1/"' in markup


def test_older_version_stays_at_its_address_and_says_that_it_was_replaced(
    client: Client, revised: Namespace
) -> None:
    old, new = (client.get(f"/namespaces/seedbank/versions/{n}/") for n in (1, 2))

    assert '<div class="note warn"' in old.content.decode()
    assert "replaced by version 2" in text_of(old)
    assert "31 vaults" in text_of(old)
    assert '<div class="note info"' in new.content.decode()
    assert "replaced by" not in text_of(new)
    assert "36 vaults" in text_of(new)


@pytest.mark.whole
def test_text_of_a_version_is_as_it_was_published(
    client: Client, registered: Namespace, revised: Namespace
) -> None:
    first = Registration.objects.get(namespace=registered, number=1)

    page = text_of(client.get(first.get_absolute_url()))

    assert first.canonical_sha256 == first.sha256
    assert first.sha256 in page


def test_comparison_marks_the_words_that_changed(client: Client, revised: Namespace) -> None:
    response = client.get("/namespaces/seedbank/compare/1..2/")

    markup = response.content.decode()
    assert "<del>31 </del>" in markup
    assert "<ins>36 </ins>" in markup
    assert 'href="/namespaces/seedbank/versions/1/"' in markup
    assert 'href="/namespaces/seedbank/versions/2/"' in markup
    assert response.context["comparison"].unchanged == 11
    assert "11 sections" in text_of(response)
    assert 'id="diff-version"' not in markup


def test_version_compared_with_itself_is_that_version(
    client: Client, registered: Namespace
) -> None:
    response = client.get("/namespaces/seedbank/compare/1..1/")

    assert response.headers["Location"] == "/namespaces/seedbank/versions/1/"


@pytest.mark.parametrize(
    "address",
    [
        "/namespaces/seedbank/versions/0/",
        "/namespaces/seedbank/versions/7/",
        "/namespaces/seedbank/versions/99999999999999999999/",
        "/namespaces/seedbank/compare/1..7/",
        "/namespaces/seedbank/compare/0..1/",
        "/namespaces/seedbank/compare/1..99999999999999999999/",
        "/namespaces/nowhere/versions/1/",
        "/namespaces/nowhere/compare/1..2/",
    ],
)
def test_version_that_is_not_there_is_plainly_not_found(
    client: Client, registered: Namespace, address: str
) -> None:
    response = client.get(address)

    assert response.status_code == 404
    assertTemplateUsed(response, "404.html")


def test_namespace_page_makes_no_more_queries_for_many_versions(
    client: Client, revised: Namespace, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    # Five of them read the namespace, and one finds the entry of the log.
    with django_assert_max_num_queries(15):
        client.get("/namespaces/seedbank/")


def test_unknown_identifier_shows_what_is_near_and_why(client: Client) -> None:
    NamespaceFactory.create(nid="isbn", summary="book numbers")
    NamespaceFactory.create(nid="unlike")

    response = client.get("/namespaces/isnb/")

    page = text_of(response)
    assert response.status_code == 404
    (alike,) = response.context["near"]
    assert alike.nid == "isbn"
    assert f"isbn Book numbers {alike.reason}" in page
    assert not response.context["is_barred"]
    assert 'href="/requests/new/?nid=isnb"' in response.content.decode()


def test_unknown_identifier_names_the_requests_for_it_and_near_it(
    client: Client, in_review: RegistrationRequest
) -> None:
    exact, close = (client.get(f"/namespaces/{nid}/") for nid in ("seedbank", "seedbnak"))

    assert list(exact.context["requests"]) == [in_review]
    assert in_review.reference in text_of(exact)
    assert f'<td class="nid"><a href="{in_review.get_absolute_url()}">seedbank</a>' in (
        close.content.decode()
    )


def test_unknown_identifier_makes_no_more_queries_for_many_similar_ones(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(30):
        NamespaceFactory.create(nid=f"isb{number}")

    with django_assert_max_num_queries(17):
        client.get("/namespaces/isb/")


def test_draft_for_an_unknown_identifier_is_not_given_away(
    client: Client, draft: RegistrationRequest
) -> None:
    for nid in ("seedbank", "seedbnak"):
        page = text_of(client.get(f"/namespaces/{nid}/"))

        assert "no request asks" in page
        assert draft.reference not in page
        assert "Accessions" not in page


@pytest.mark.parametrize(
    ("nid", "check"),
    [
        ("ab", "nid.two-letters"),
        ("fi-names", "nid.country"),
        ("urn-77", "nid.informal"),
        ("x-ray", "nid.experimental"),
        ("urn", "nid.urn"),
    ],
)
def test_unknown_identifier_that_cannot_be_had_says_which_rule_bars_it(
    client: Client, nid: str, check: str
) -> None:
    response = client.get(f"/namespaces/{nid}/")

    findings = {finding.check: finding for finding in response.context["findings"]}
    assert findings[check].severity is Severity.BLOCK
    assert findings[check].message in text_of(response)
    assert "/requests/new/?nid=" not in response.content.decode()


@pytest.mark.parametrize(
    "nid", ["a", "-ab", "ab-", "a_b", "a" * 33, "café", "%00", "a%0Ab", "a%09", "<b>", "аbс"]
)
def test_text_that_cannot_be_an_identifier_is_plainly_not_found(client: Client, nid: str) -> None:
    response = client.get(f"/namespaces/{nid}/")

    assert response.status_code == 404
    assertTemplateUsed(response, "404.html")


def test_registrant_and_its_website_are_escaped(client: Client) -> None:
    body = OrganizationFactory.create(name="<b>Body</b>", website="https://body.example/?a=1&b=2")
    NamespaceFactory.create(nid="old", registrant=body)

    markup = client.get("/namespaces/old/").content.decode()

    assert "&lt;b&gt;Body&lt;/b&gt;" in markup
    assert 'href="https://body.example/?a=1&amp;b=2"' in markup
