"""The registrar's screens: what is ready, what will be published, and publishing it once."""

from __future__ import annotations

import html
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.contrib.messages import get_messages
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from registry import workflow
from registry.enums import (
    NamespaceKind,
    RequestPath,
    Role,
    State,
)
from registry.forms.steps import build_step_form
from registry.models import (
    Counter,
    Letter,
    Namespace,
    Organization,
    Registration,
    RegistrationRequest,
    User,
)
from registry.presenters.reviewers import STAKE_REASONS
from registry.selectors.publication import propose_contact
from registry.workflow import VERBS, drafts
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    RequestFactory,
    UserFactory,
    let_speak_for,
    start,
)
from tests.small_changes import record_consent
from tests.template.samples import FORMAL, INFORMAL, REVISION
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
DEFECT = "The email address bounces."


def address(registration_request: RegistrationRequest) -> str:
    return reverse("publish:detail", args=[registration_request.slug])


def registering(registration_request: RegistrationRequest, **changes: object) -> dict[str, object]:
    """Return what the form posts if everything is filled in correctly."""
    return {
        "verb": "register",
        "seen": registration_request.revision,
        "references": "Accession names\r\nRFC 8141",
        "confirmation": registration_request.nid or registration_request.reference,
        **changes,
    }


def bring_to_registrar(
    registration_request: RegistrationRequest, registrant: User, expert: User
) -> RegistrationRequest:
    workflow.perform(registration_request, "submit", actor=registrant)
    record_consent(registration_request)
    workflow.perform(registration_request, "assign", actor=expert)
    workflow.perform(registration_request, "approve", actor=expert, comment="Sound.")
    return registration_request


def revise(namespace: Namespace, registrant: User, expert: User) -> RegistrationRequest:
    """Bring a revision of `namespace` to the registrar."""
    registration_request = drafts.start_request(
        author=registrant,
        path=RequestPath.INFORMAL if namespace.informal_number else RequestPath.COMMUNITY,
        organization=namespace.registrant or OrganizationFactory.create(),
        summary="Accessions, with duplicates",
        namespace=namespace,
    )
    draft = registration_request.draft
    assert draft is not None
    examples = [f"urn:{namespace.nid}:NVF/42", f"urn:{namespace.nid}:ISB/120455/B"]
    text = REVISION.replace(nid=namespace.nid, examples=examples)
    drafts.save_draft(draft, text.to_dict(), seen=draft.edition)
    return bring_to_registrar(registration_request, registrant, expert)


def verbs(registration_request: RegistrationRequest) -> list[str]:
    return [event.verb for event in registration_request.events.all()]


def test_step_too_large_for_the_log_is_refused_next_to_its_form(
    approved: RegistrationRequest,
    registrar: User,
    sign_in: SignIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("registry.transparency.entries.MAX_LOG_ENTRY_BYTES", 500)

    page = sign_in(registrar).post(address(approved), registering(approved))

    assert page.status_code == 200
    (error,) = page.context["register"].non_field_errors()
    assert "3 records" in error
    approved.refresh_from_db()
    assert approved.state == State.APPROVED
    assert not Namespace.objects.exists()


# What is ready


@pytest.mark.parametrize("who", ["registrant", "expert", "lead", "standards_body", "outsider"])
def test_screens_are_for_the_registrar_and_others_read_so(
    who: str,
    approved: RegistrationRequest,
    registrar: User,
    request: pytest.FixtureRequest,
    sign_in: SignIn,
) -> None:
    client = sign_in(request.getfixturevalue(who))

    pages = [client.get("/publish/"), client.get(address(approved))]
    forged = client.post(address(approved), registering(approved))

    assert [page.status_code for page in (*pages, forged)] == [403, 403, 403]
    assert all("Only the registrar" in page.content.decode() for page in pages)
    assert not Namespace.objects.exists()


def test_strangers_are_asked_to_sign_in(approved: RegistrationRequest, client: Client) -> None:
    responses = [client.get("/publish/"), client.post(address(approved), registering(approved))]

    assert [response.status_code for response in responses] == [302, 302]
    assert not Namespace.objects.exists()


def test_ready_list_puts_the_longest_waiting_first_and_says_what_is_late(
    approved: RegistrationRequest,
    informal_approved: RegistrationRequest,
    registrar: User,
    sign_in: SignIn,
) -> None:
    long_ago = timezone.now() - timedelta(10)
    RegistrationRequest.objects.filter(pk=informal_approved.pk).update(state_since=long_ago)

    rows = sign_in(registrar).get("/publish/").context["rows"]

    assert [(row.registration_request, row.kind, row.is_late) for row in rows] == [
        (informal_approved, "Informal", True),
        (approved, "Formal", False),
    ]


def test_empty_list_says_so_and_what_was_registered_stays_in_sight(
    approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    client = sign_in(registrar)
    client.post(address(approved), registering(approved))

    page = client.get("/publish/")

    assert page.context["rows"] == []
    assert 'class="empty"' in page.content.decode()
    assert reverse("namespaces:version", args=["seedbank", 1]) in page.content.decode()


def test_ready_list_of_thirty_takes_no_more_queries_than_of_one(
    registrar: User, sign_in: SignIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = sign_in(registrar)
    RequestFactory.create(state=State.APPROVED)
    with CaptureQueriesContext(connection) as of_one:
        client.get("/publish/")
    RequestFactory.create_batch(30, state=State.APPROVED)

    with django_assert_num_queries(len(of_one)):
        page = client.get("/publish/")

    assert len(page.context["rows"]) == 31


# What will be published


def test_entry_is_shown_between_its_neighbours_of_the_same_kind(
    approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    for nid in ("aaa", "reports", "zzz"):
        NamespaceFactory.create(nid=nid)
    NamespaceFactory.create(nid="urn-8", kind=NamespaceKind.INFORMAL, informal_number=8)

    with time_machine.travel(timezone.now(), tick=False):
        page = sign_in(registrar).get(address(approved))
        today = timezone.localdate()

    lines = page.context["lines"]
    assert [(line.nid, line.is_new) for line in lines] == [
        ("reports", False),
        ("seedbank", True),
        ("zzz", False),
    ]
    assert (lines[1].version, lines[1].date) == ("1", today.isoformat())
    assert "Frostgata 12" in page.content.decode()
    assert "Sound." in page.content.decode()


def test_informal_request_shows_the_expected_number_and_no_page_holds_it(
    informal_approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    Counter.objects.raise_to(Counter.INFORMAL, 8)
    NamespaceFactory.create(nid="urn-8", kind=NamespaceKind.INFORMAL, informal_number=8)

    page = sign_in(registrar).get(address(informal_approved))

    entry = page.context["entry"]
    assert [line.nid for line in page.context["lines"]] == ["urn-8", "urn-9"]
    assert "Nothing is reserved" in page.content.decode()
    assert {"nid", "examples"} <= {section.field for section in entry.changes}
    assert "urn-N" not in entry.text
    assert Counter.objects.expected(Counter.INFORMAL) == 9


def test_checks_are_asked_again_of_the_text_as_it_will_stand(
    approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    client = sign_in(registrar)
    before = client.get(address(approved))
    NamespaceFactory.create(nid="seedbank")

    after = client.get(address(approved))
    forged = client.post(address(approved), registering(approved))

    assert before.context["entry"].is_blocked is False
    assert [finding.check for finding in after.context["entry"].findings][:1] == ["nid.registered"]
    assert after.context["entry"].is_blocked is True
    assert 'name="confirmation"' not in after.content.decode()
    assert forged.status_code == 200
    assert not Registration.objects.exists()


@pytest.mark.parametrize(
    ("documentation", "expected"),
    [
        ("See RFC 9987, RFC9986 and again RFC 9987.", ["RFC 9987", "RFC 9986"]),
        ("Grammar: RFC 5234. Terms: RFC 8141, RFC3986.", []),
        ("Accession names, edition 2.", []),
        (
            "Grammar: RFC 5234.\nAccession names, https://seeds.example/names",
            ["Accession names, https://seeds.example/names"],
        ),
        ("XRFC 12 is no RFC of ours.", []),
    ],
)
def test_reference_begins_with_what_the_documentation_names_or_the_organization(
    documentation: str,
    expected: list[str],
    draft: RegistrationRequest,
    registrant: User,
    expert: User,
    registrar: User,
    sign_in: SignIn,
) -> None:
    text = draft.draft
    assert text is not None
    drafts.save_draft(text, {"documentation": documentation}, seen=text.edition)
    draft.refresh_from_db()
    bring_to_registrar(draft, registrant, expert)

    page = sign_in(registrar).get(address(draft))

    references = page.context["register"].initial["references"]
    assert references == (expected or [draft.organization.name])


def test_fast_track_shows_the_representative_who_consents(
    registrant: User,
    organization: Organization,
    registrar: User,
    sign_in: SignIn,
) -> None:
    organization.recognised_on, organization.recognition_source = timezone.localdate(), "Minutes"
    organization.save()
    let_speak_for(organization, registrant)
    fast = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(fast, "submit", actor=registrant)
    workflow.perform(fast, "complete", actor=registrant, comment="All taken.")

    page = sign_in(registrar).get(address(fast))

    (backing,) = page.context["entry"].backings
    assert (backing.party.organization, backing.people) == (organization, [registrant])
    assert f"{registrant} consents" in text_of(page)


# Publishing


def test_confirmation_registers_and_publishes(
    approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    response = sign_in(registrar).post(address(approved), registering(approved))

    approved.refresh_from_db()
    namespace = Namespace.objects.get(nid="seedbank")
    event = approved.events.get(verb="register")
    assert response.headers["Location"] == "/namespaces/seedbank/"
    assert namespace.references == ["Accession names", "RFC 8141"]
    assert (approved.state, approved.namespace) == (State.REGISTERED, namespace)
    assert (event.actor, event.data["version"]) == (registrar, 1)


@pytest.mark.parametrize("typed", ["SEEDBANK", " seedbank ", "urn:seedbank", "URN:SeedBank"])
def test_confirmation_is_read_as_nids_are_compared(
    typed: str, approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    sign_in(registrar).post(address(approved), registering(approved, confirmation=typed))

    assert Namespace.objects.filter(nid="seedbank").exists()


@pytest.mark.parametrize("typed", ["seedbnak", "", "R-2026-0001", "ｓeedbank", "urn:seedbank:1"])
def test_wrong_confirmation_keeps_what_was_typed_and_registers_nothing(
    typed: str, approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    form = registering(approved, confirmation=typed, references="Names & others")

    response = sign_in(registrar).post(address(approved), form)

    page = response.content.decode()
    assert response.status_code == 200
    assert list(response.context["register"].errors) == ["confirmation"]
    code = "confirmation" if typed else "required"
    assert error_codes(response, "confirmation", "register") == [code]
    assert "Names &amp; others" in page
    assert f'value="{typed}"' in page or not typed
    assert not Namespace.objects.exists()


@pytest.mark.parametrize("references", ["", " \r\n ", "a\x07b", "x" * 301])
def test_wrong_references_are_refused_beside_the_field(
    references: str, approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    response = sign_in(registrar).post(
        address(approved), registering(approved, references=references)
    )

    assert list(response.context["register"].errors) == ["references"]
    assert not Namespace.objects.exists()


def test_informal_request_takes_the_next_number_and_its_text_is_filled_in(
    informal_approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    Counter.objects.raise_to(Counter.INFORMAL, 8)

    response = sign_in(registrar).post(address(informal_approved), registering(informal_approved))

    registration = Registration.objects.get()
    assert registration.namespace.nid == "urn-9"
    assert "urn-N" not in str(registration.template.to_dict())
    assert all(name.startswith("urn:urn-9:") for name in registration.template.examples)
    assert response["Location"] == "/namespaces/urn-9/"
    assert any("urn:urn-9" in message.message for message in get_messages(response.wsgi_request))


def test_informal_number_rises_by_one_though_two_pages_expected_the_same(
    informal_approved: RegistrationRequest,
    registrant: User,
    organization: Organization,
    expert: User,
    registrar: User,
    sign_in: SignIn,
) -> None:
    Counter.objects.raise_to(Counter.INFORMAL, 8)
    let_speak_for(organization, registrant)
    other = start(registrant, organization, INFORMAL, RequestPath.INFORMAL)
    bring_to_registrar(other, registrant, expert)
    client = sign_in(registrar)
    both = (informal_approved, other)
    expected = {client.get(address(each)).context["entry"].expected.nid for each in both}

    for each in both:
        client.post(address(each), registering(each))

    assert expected == {"urn-9"}
    assert [each.nid for each in Namespace.objects.order_by("informal_number")] == [
        "urn-9",
        "urn-10",
    ]


@pytest.mark.whole
def test_revision_shows_the_difference_and_makes_version_2_beside_version_1(
    approved: RegistrationRequest,
    registrant: User,
    expert: User,
    registrar: User,
    sign_in: SignIn,
) -> None:
    client = sign_in(registrar)
    client.post(address(approved), registering(approved))
    first = Registration.objects.get()
    revision = revise(first.namespace, registrant, expert)

    page = client.get(address(revision))
    client.post(address(revision), registering(revision))

    first.refresh_from_db()
    versions = Registration.objects.order_by("number")
    assert "syntax" in {section.field for section in page.context["entry"].changes}
    assert [each.number for each in versions] == [1, 2]
    assert first.template == FORMAL.replace(version="1", date=first.template.date)
    assert Namespace.objects.get().summary == "Accessions, with duplicates"


def test_contact_is_taken_from_the_registrant_section_once_the_registrar_confirms_it(
    approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    client = sign_in(registrar)

    proposed = client.get(address(approved)).context["register"].fields["contact"].initial
    client.post(address(approved), registering(approved, contact=f"Naming office\n{proposed}"))

    namespace = Namespace.objects.get()
    assert "identifier desk of the federation\nMail: urn@northlight.example" in proposed
    assert namespace.contact == f"Naming office\n{proposed}"
    assert namespace.contact_confirmed_on == timezone.localdate()
    assert "Naming office" in text_of(client.get("/namespaces/seedbank/"))


def test_contact_of_a_program_is_that_of_the_registrant_section_unless_it_says_another(
    approved: RegistrationRequest, registrar: User
) -> None:
    form = build_step_form(approved, VERBS["register"], registrar, registering(approved))
    other = registering(approved, contact="")

    assert form.is_valid()
    assert "urn@northlight.example" in form.step_data["contact"]
    form = build_step_form(approved, VERBS["register"], registrar, other)
    assert form.is_valid()
    assert form.step_data["contact"] == ""


@pytest.mark.whole
def test_contact_that_a_namespace_has_is_not_replaced_by_a_revision(
    registrant: User, expert: User, registrar: User, sign_in: SignIn
) -> None:
    namespace = NamespaceFactory.create(
        nid="seedbank", contact="desk@vault.example", last_known_version="1"
    )
    revision = revise(namespace, registrant, expert)
    client = sign_in(registrar)

    page = client.get(address(revision))
    client.post(address(revision), registering(revision, contact="other@vault.example"))

    namespace.refresh_from_db()
    assert "contact" not in page.context["register"].fields
    assert (namespace.current is not None, namespace.contact) == (True, "desk@vault.example")


@pytest.mark.parametrize(
    ("section", "contact"),
    [
        pytest.param(
            "Kite Circle, Hill 3. Contact: the office,\n kites@circle.example. It is old.",
            "the office, kites@circle.example",
            id="prose",
        ),
        pytest.param(
            "Kite Circle\nContact: Kim Kite\nEmail: kim@circle.example\n",
            "Kim Kite\nEmail: kim@circle.example",
            id="lines",
        ),
        pytest.param("Kite Circle, Hill 3, Windhallow.", "", id="no-address"),
    ],
)
def test_contact_is_found_in_what_a_registrant_section_says(section: str, contact: str) -> None:
    assert propose_contact(section) == contact


def test_revision_keeps_the_documents_of_record_and_adds_those_it_names(
    registrant: User, expert: User, registrar: User, sign_in: SignIn
) -> None:
    held = ["Accession names, edition 1", "RFC 8141"]
    namespace = NamespaceFactory.create(nid="seedbank", references=held, last_known_version="1")
    revision = revise(namespace, registrant, expert)

    page = sign_in(registrar).get(address(revision))

    assert page.context["register"].initial["references"][:2] == held
    assert "\n".join(held) in page.content.decode()


@pytest.mark.whole
def test_revision_of_a_namespace_of_unknown_version_asks_for_it_with_its_source(
    registrant: User, expert: User, registrar: User, sign_in: SignIn
) -> None:
    revision = revise(NamespaceFactory.create(nid="seedbank"), registrant, expert)
    client = sign_in(registrar)
    known = {"last_version": "3.1", "last_version_source": "Template at the registrant's site"}

    page = client.get(address(revision))
    wrong = client.post(address(revision), registering(revision, last_version="three"))
    client.post(address(revision), registering(revision, **known))

    registration = Registration.objects.get()
    assert "last_version_source" in page.context["register"].fields
    assert set(wrong.context["register"].errors) == {"last_version", "last_version_source"}
    assert (registration.number, registration.number_source) == (4, known["last_version_source"])


def test_version_is_not_asked_for_if_it_is_known(
    registrant: User, expert: User, registrar: User, sign_in: SignIn
) -> None:
    namespace = NamespaceFactory.create(nid="seedbank", last_known_version="2")
    revision = revise(namespace, registrant, expert)

    page = sign_in(registrar).get(address(revision))

    assert "last_version" not in page.context["register"].fields
    assert page.context["entry"].next_version == 3


@pytest.mark.whole
def test_version_is_asked_for_if_sources_disagree(
    registrant: User, expert: User, registrar: User, sign_in: SignIn
) -> None:
    namespace = NamespaceFactory.create(nid="seedbank", last_known_version="1")
    client = sign_in(registrar)
    first = revise(namespace, registrant, expert)
    client.post(address(first), registering(first))
    Namespace.objects.filter(pk=namespace.pk).update(last_known_version="5")
    second = revise(Namespace.objects.get(pk=namespace.pk), registrant, expert)

    page = client.get(address(second))
    known = {"last_version": "2", "last_version_source": "Our own page"}
    low = client.post(address(second), registering(second, **known))
    known = {"last_version": "5", "last_version_source": "IANA's page"}
    client.post(address(second), registering(second, **known))

    assert page.content.decode().count("have version 5") == 2
    assert "becomes version" not in page.content.decode()
    assert error_codes(low, "last_version", "register") == ["min_value"]
    assert Registration.objects.order_by("-number").values_list("number", "number_source")[0] == (
        6,
        "IANA's page",
    )


# People who are too late, and people who may not


def test_double_click_registers_once(
    informal_approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    client, form = sign_in(registrar), registering(informal_approved)

    answers = [client.post(address(informal_approved), form) for _ in range(2)]

    place = "/namespaces/urn-1/"
    assert [answer.headers.get("Location") for answer in answers] == [place, place]
    assert Namespace.objects.count() == Registration.objects.count() == 1


def test_second_of_two_registrars_is_refused_and_their_words_are_kept(
    approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    other = UserFactory.create(name="Other Registrar", roles=[Role.REGISTRAR])
    words = "The address is wrong."
    stale = {"verb": "request_changes", "seen": approved.revision, "comment": words}
    sign_in(registrar).post(address(approved), registering(approved))

    response = sign_in(other).post(address(approved), stale)

    assert response.status_code == 409
    assert words in response.content.decode()
    assert verbs(approved)[-1] == "register"


def test_page_of_a_registered_request_leads_to_the_namespace(
    approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    client = sign_in(registrar)
    client.post(address(approved), registering(approved))

    page = client.get(address(approved))

    assert "It is registered." in page.content.decode()
    assert "register" not in page.context


def test_request_still_in_review_cannot_be_published_by_a_forged_post(
    in_review: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    client = sign_in(registrar)

    page = client.get(address(in_review)).content.decode()
    forged = client.post(address(in_review), registering(in_review))

    assert "“In review”" in page
    assert 'name="confirmation"' not in page
    assert forged.status_code == 403
    assert not Namespace.objects.exists()


def test_registrar_with_a_stake_reads_why_another_publishes_it(
    approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    let_speak_for(approved.organization, registrar)
    client = sign_in(registrar)

    page = client.get(address(approved)).content.decode()
    forged = client.post(address(approved), registering(approved))

    reason = str(STAKE_REASONS["delegate"])
    assert reason in page
    assert (forged.status_code, reason in forged.content.decode()) == (403, True)
    assert not Namespace.objects.exists()


def test_standards_track_request_waits_for_report_and_direction(
    approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    RegistrationRequest.objects.filter(pk=approved.pk).update(standards_action=True)
    client = sign_in(registrar)

    page = client.get(address(approved))
    client.post(address(approved), registering(approved))

    assert page.context["obstacle"]
    assert 'name="confirmation"' not in page.content.decode()
    assert not Namespace.objects.exists()


@pytest.mark.parametrize("verb", ["", "approve", "withdraw", "no-such-verb"])
def test_page_does_nothing_but_register_and_ask_for_changes(
    verb: str, approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    response = sign_in(registrar).post(address(approved), registering(approved, verb=verb))

    assert response.status_code == 400
    assert verbs(approved)[-1] == "approve"


def test_typed_text_is_kept_while_signing_in_again(
    approved: RegistrationRequest, registrar: User, client: Client
) -> None:
    answer = client.post(address(approved), registering(approved, references="Edition 4"))
    client.force_login(registrar)

    page = client.get(address(approved))

    assert answer.status_code == 302
    assert page.context["register"]["references"].value() == "Edition 4"
    assert not Namespace.objects.exists()


# Asking for changes


@pytest.fixture
def taken(approved: RegistrationRequest) -> RegistrationRequest:
    """An approved request whose NID somebody else has got since."""
    NamespaceFactory.create(nid="seedbank")
    return approved


def test_page_offers_to_ask_for_changes_only_where_something_can_be_mended(
    approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    page = sign_in(registrar).get(address(approved))

    assert page.context["request_changes"] is None


def test_registrar_asks_for_changes_with_what_is_wrong(
    taken: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    form = {"verb": "request_changes", "seen": taken.revision, "comment": DEFECT}

    response = sign_in(registrar).post(address(taken), form)

    taken.refresh_from_db()
    event = taken.events.last()
    assert event is not None
    assert response.headers["Location"] == "/publish/"
    assert (taken.state, event.comment) == (State.CHANGES_REQUESTED, DEFECT)
    assert taken.draft is not None


def test_letter_that_asks_for_changes_is_read_first_and_is_the_letter_sent(
    taken: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    form = {"verb": "request_changes", "seen": taken.revision, "comment": DEFECT}
    office, before = sign_in(registrar), (Letter.objects.count(), taken.events.count())

    page = office.post(address(taken), {**form, "preview": "1"})

    taken.refresh_from_db()
    assert taken.state == State.APPROVED
    assert (Letter.objects.count(), taken.events.count()) == before
    shown = page.context["letters"]
    assert DEFECT in shown.text
    assert shown.subject in html.unescape(page.content.decode())
    assert page.context["request_changes"]["comment"].value() == DEFECT
    office.post(address(taken), form)
    sent = Letter.objects.get(event=taken.events.last(), reason="registrant")
    assert sent.text.partition("\n-- \n")[0].strip() == shown.text


def test_asking_for_changes_without_a_reason_is_refused(
    taken: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    form = {"verb": "request_changes", "seen": taken.revision, "comment": ""}

    response = sign_in(registrar).post(address(taken), form)

    taken.refresh_from_db()
    assert list(response.context["request_changes"].errors) == ["comment"]
    assert error_codes(response, "comment", "request_changes") == ["required"]
    assert taken.state == State.APPROVED
