"""One namespace: its facts, its text, its versions; and an unregistered NID."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from registry import workflow
from registry.enums import (
    ChangeKind,
    NamespaceStatus,
    RequestPath,
)
from registry.models import (
    Namespace,
    Organization,
    Provenance,
    Registration,
    RegistrationRequest,
    User,
)
from registry.template import FIELDS
from registry.workflow import drafts
from tests.endless import stopped_if_endless
from tests.factories import NamespaceFactory, OrganizationFactory, RequestFactory
from tests.small_changes import bring_holder_word
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
    bring_holder_word(revision)
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
def test_an_address_leads_for_good_to_its_lower_case_form(
    client: Client, revised: Namespace, address: str, lower: str
) -> None:
    response = client.get(address)

    assert (response.status_code, response.headers["Location"]) == (301, lower)


def test_an_imported_namespace_shows_its_facts_and_that_the_text_is_not_held(
    client: Client,
) -> None:
    imported()

    response = client.get("/namespaces/old/")

    page = text_of(response)
    assert "We do not hold the text of the template of old yet." in page
    assert "Reference RFC\xa08458, An Agency Registered October 2001 Kind Formal" in page
    assert "Registrant not known" in page
    assert "Last version not known" in page
    markup = response.content.decode()
    assert '<a href="https://www.rfc-editor.org/info/rfc8458">RFC\xa08458</a>' in markup
    assert 'href="/requests/new/?namespace=old"' in markup


def test_what_was_not_checked_says_not_verified_and_what_was_does_not(client: Client) -> None:
    imported("checked")
    imported("heard", is_verified=False, registered_source="rfc-month-memory")

    checked = text_of(client.get("/namespaces/checked/"))
    heard = text_of(client.get("/namespaces/heard/"))

    assert "not verified" not in checked
    assert "An Agency (not verified)" in heard
    assert "October 2001 (not verified)" in heard
    assert "The document of record was not checked" in heard


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("2001", "Registered: 2001"),
        ("2001-10", "Registered: October 2001"),
        ("2001-10-05", "Registered: 5 October 2001"),
        ("", "Registered: not known"),
    ],
)
def test_a_date_is_shown_as_precisely_as_it_is_known(
    client: Client, stored: str, shown: str
) -> None:
    NamespaceFactory.create(nid="old", registered_on=stored)

    assert shown in text_of(client.get("/namespaces/old/"))


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (NamespaceStatus.DEPRECATED, "This namespace is deprecated"),
        (NamespaceStatus.OBSOLETE, "This namespace is obsolete"),
    ],
)
def test_a_namespace_out_of_use_stays_at_its_address_with_a_notice(
    client: Client, status: NamespaceStatus, said: str
) -> None:
    namespace = NamespaceFactory.create(nid="old")
    assert said not in text_of(client.get("/namespaces/old/"))

    Namespace.objects.filter(pk=namespace.pk).update(status=status)

    assert said in text_of(client.get("/namespaces/old/"))


def test_a_published_text_is_shown_field_by_field(client: Client, registered: Namespace) -> None:
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


def test_what_is_kept_beside_the_syntax_is_shown_with_it(
    client: Client, registered: Namespace
) -> None:
    markup = client.get("/namespaces/seedbank/").content.decode()

    assert "<pre>nss       = vault &quot;/&quot; accession\n" in markup
    assert 'data-copy="urn:seedbank:NVF/42"' in markup
    assert 'href="/inspect/?urn=urn%3Aseedbank%3ANVF%2F42"' in markup
    assert "Not names of this namespace" in markup
    assert "about 40,000" in markup


def test_the_printed_page_says_where_it_is_from_and_which_version(
    client: Client, registered: Namespace
) -> None:
    page = text_of(client.get("/namespaces/seedbank/"))

    today = timezone.localdate()
    assert "Printed from http://127.0.0.1:8000/namespaces/seedbank/" in page
    assert f"{today.day} {today:%B %Y}. Version 1." in page


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            "urn:nbn:FI-fe1",
            "A valid NBN This does not tell you whether the name has been assigned.",
        ),
        ("FI-fe1#page", "Country FI, Finland."),
        ("f1-x", "Not a valid NBN: character 10 cannot be “1”"),
        (" hr:217:395837 ", "May not be a valid NBN"),
        ("fi-a b", "A space cannot stand in the NSS (character 13)."),
        ("urn:isbn:1", "Not a name in nbn It is a URN in the namespace “isbn”."),
    ],
    ids=["in full", "NSS alone", "against", "doubtful", "malformed", "elsewhere"],
)
def test_a_name_is_checked_by_the_rule_of_its_namespace_with_and_without_script(
    client: Client, typed: str, said: str
) -> None:
    NamespaceFactory.create(nid="nbn")

    whole = client.get("/namespaces/nbn/", {"name": typed})
    part = client.get("/namespaces/nbn/", {"name": typed}, headers={"hx-request": "true"})

    assert said in text_of(whole)
    assert said in text_of(part)
    assert f'value="{typed.strip()}"' in whole.content.decode()
    assert "<html" not in part.content.decode()
    assert "HX-Request" in whole["Vary"]


def test_the_form_asks_the_page_itself_and_offers_examples_of_the_rule(client: Client) -> None:
    NamespaceFactory.create(nid="nbn")

    markup = client.get("/namespaces/nbn/").content.decode()

    assert (
        'action="/namespaces/nbn/" data-hx-get="/namespaces/nbn/" data-hx-target="#verdict"'
        in markup
    )
    assert 'name="name" value="urn:nbn:"' in markup
    assert 'href="/namespaces/nbn/?name=fi-fe201003181510"' in markup


def test_what_the_rule_merges_and_where_it_is_from_are_facts(client: Client) -> None:
    for nid in ("nbn", "old"):
        NamespaceFactory.create(nid=nid)

    ruled, unruled = (text_of(client.get(f"/namespaces/{nid}/")) for nid in ("nbn", "old"))

    assert (
        "Beyond RFC 8141, section 3.1, these make no difference: the case of letters in “prefix”."
        " (RFC 8458, section 4.3)" in ruled
    )
    assert "From: RFC 8458, sections 4.2 and 4.3" in ruled
    assert ruled.count("RFC 8458, sections 4.2 and 4.3") == 1
    assert "Checked by RFC 8141 and by the rule above." in ruled
    assert "The namespace may declare more, which we do not know." in unruled
    assert "We hold no rule for names in old." in unruled


def test_where_no_rule_is_held_a_name_is_a_urn_and_that_is_all(client: Client) -> None:
    NamespaceFactory.create(nid="old")

    page = text_of(client.get("/namespaces/old/", {"name": "x"}))

    assert "Checked by the syntax that RFC 8141 gives every URN." in page
    assert "A well-formed URN in a registered namespace We hold no rule for names in old" in page
    assert "Names to try" not in page


def test_the_grammar_of_the_version_in_force_is_the_rule_of_its_names(
    client: Client, registered: Namespace
) -> None:
    right, wrong, inspected = (
        text_of(client.get(address, asked))
        for address, asked in (
            ("/namespaces/seedbank/", {"name": "NVF/42"}),
            ("/namespaces/seedbank/", {"name": "URN:SeedBank:NVF-42"}),
            ("/inspect/", {"urn": "urn:seedbank:NVF/42"}),
        )
    )

    assert "A valid name in seedbank" in right
    assert "Registration of seedbank, version 1" in right
    assert "Not a valid name in seedbank: character 17 cannot be “-”" in wrong
    assert "At character 17 there is" in wrong
    assert "A valid name in seedbank" in inspected


def test_a_page_of_an_old_version_checks_by_the_rule_in_force(
    client: Client, revised: Namespace
) -> None:
    page = text_of(client.get("/namespaces/seedbank/versions/1/", {"name": "NVF/42"}))

    assert "From: Registration of seedbank, version 1" in page
    assert "by the rule in force: Registration of seedbank, version 2." in page


@pytest.mark.parametrize("typed", ["a" * 200_000, "%" * 50_000, "\x00\u202e<b>", "urn:"])
def test_hostile_names_are_answered(client: Client, typed: str) -> None:
    NamespaceFactory.create(nid="nbn")

    with stopped_if_endless():
        response = client.get("/namespaces/nbn/", {"name": typed})

    assert response.status_code == 200


def test_an_open_request_is_shown_and_a_draft_is_not(
    client: Client, revision: RegistrationRequest, registered: Namespace
) -> None:
    hidden = RequestFactory.create(namespace=registered, change=ChangeKind.REVISION)

    page = text_of(client.get("/namespaces/seedbank/"))

    assert f"Open requests {revision.reference}, Revision" in page
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


def test_an_older_version_stays_at_its_address_and_says_that_it_was_replaced(
    client: Client, revised: Namespace
) -> None:
    old, new = (text_of(client.get(f"/namespaces/seedbank/versions/{n}/")) for n in (1, 2))

    assert "Version 1 has been replaced by version 2" in old
    assert "At present 31 vaults" in old
    assert "Version 2 is the current one" in new
    assert "At present 36 vaults" in new


def test_the_text_of_a_version_is_as_it_was_published(
    client: Client, registered: Namespace, revised: Namespace
) -> None:
    first = Registration.objects.get(namespace=registered, number=1)

    page = text_of(client.get(first.get_absolute_url()))

    assert first.canonical_sha256 == first.sha256
    assert first.sha256 in page


def test_a_comparison_marks_the_words_that_changed(client: Client, revised: Namespace) -> None:
    response = client.get("/namespaces/seedbank/compare/1..2/")

    markup = response.content.decode()
    assert "<del>31 </del>" in markup
    assert "<ins>36 </ins>" in markup
    assert "What changed in seedbank from version 1 to 2" in text_of(response)
    assert "8 sections are the same in both." in text_of(response)
    assert 'id="diff-version"' not in markup


def test_a_version_compared_with_itself_is_that_version(
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
def test_a_version_that_is_not_there_is_plainly_not_found(
    client: Client, registered: Namespace, address: str
) -> None:
    response = client.get(address)

    assert response.status_code == 404
    assert "There is nothing at this address" in text_of(response)


def test_a_namespace_page_asks_no_more_for_many_versions_than_for_one(
    client: Client, revised: Namespace, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    # One of them finds the entry of the log.
    with django_assert_max_num_queries(11):
        client.get("/namespaces/seedbank/")


def test_an_unknown_identifier_shows_what_is_near_and_why(client: Client) -> None:
    NamespaceFactory.create(nid="isbn", summary="book numbers")
    NamespaceFactory.create(nid="unlike")

    response = client.get("/namespaces/isnb/")

    page = text_of(response)
    assert response.status_code == 404
    assert "This identifier is not registered, and no request asks for it." in page
    assert "isbn Book numbers Two neighbouring characters are swapped" in page
    assert "unlike" not in page
    assert "urn:isnb follows the rules for identifiers and could be requested." in page
    assert 'href="/requests/new/?nid=isnb"' in response.content.decode()


def test_an_unknown_identifier_names_the_requests_for_it_and_near_it(
    client: Client, in_review: RegistrationRequest
) -> None:
    exact, close = (client.get(f"/namespaces/{nid}/") for nid in ("seedbank", "seedbnak"))

    assert "This identifier is not registered; a request asks for it." in text_of(exact)
    assert in_review.reference in text_of(exact)
    assert f'<td class="nid"><a href="{in_review.get_absolute_url()}">seedbank</a>' in (
        close.content.decode()
    )


def test_an_unknown_identifier_asks_no_more_where_many_resemble_it(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(30):
        NamespaceFactory.create(nid=f"isb{number}")

    with django_assert_max_num_queries(17):
        client.get("/namespaces/isb/")


def test_a_draft_for_an_unknown_identifier_is_not_given_away(
    client: Client, draft: RegistrationRequest
) -> None:
    for nid in ("seedbank", "seedbnak"):
        page = text_of(client.get(f"/namespaces/{nid}/"))

        assert "no request asks for it" in page
        assert draft.reference not in page
        assert "Accessions" not in page


@pytest.mark.parametrize(
    ("nid", "said"),
    [
        ("ab", "is two characters"),
        ("fi-names", "begins with “fi-”"),
        ("urn-77", "begins with “urn-”"),
        ("x-ray", "begins with “x-”"),
        ("urn", "is the name of the scheme itself"),
    ],
)
def test_an_unknown_identifier_that_cannot_be_had_says_which_rule_bars_it(
    client: Client, nid: str, said: str
) -> None:
    response = client.get(f"/namespaces/{nid}/")

    assert f"urn:{nid} cannot be requested:" in text_of(response)
    assert said in text_of(response)
    assert "Start a request" not in text_of(response)


@pytest.mark.parametrize(
    "nid", ["a", "-ab", "ab-", "a_b", "a" * 33, "café", "%00", "a%0Ab", "a%09", "<b>", "аbс"]
)
def test_what_cannot_be_an_identifier_gets_the_plain_page(client: Client, nid: str) -> None:
    response = client.get(f"/namespaces/{nid}/")

    assert response.status_code == 404
    assert "There is nothing at this address" in text_of(response)


def test_the_registrant_and_its_site_are_escaped(client: Client) -> None:
    body = OrganizationFactory.create(name="<b>Body</b>", website="https://body.example/?a=1&b=2")
    NamespaceFactory.create(nid="old", registrant=body)

    markup = client.get("/namespaces/old/").content.decode()

    assert "&lt;b&gt;Body&lt;/b&gt;" in markup
    assert 'href="https://body.example/?a=1&amp;b=2"' in markup
