"""Lists and pages say why a request cannot be registered now, whatever was true when sent."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from registry import held_nids, workflow
from registry.enums import ChangeKind, HoldGround, ObstacleKind, RequestPath, State
from registry.models import Namespace, Organization, RegistrationRequest, User
from registry.selectors.case import open_case, open_cases
from registry.selectors.consent import PublicationObstacle
from registry.selectors.publication import (
    NID_HELD_BACK,
    NOT_RECOGNISED,
    list_publication_obstacles,
    summarize_obstacles,
)
from registry.workflow import drafts
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    formal_text,
    let_ask_often,
    let_speak_for,
    start,
)
from tests.small_changes import record_consent, send
from tests.template.samples import FORMAL, REVISION
from tests.web.experts import SignIn
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

HELD = str(NID_HELD_BACK)


def hold_back(nid: str, registrar: User) -> None:
    """Have a court hold `nid` back."""
    held_nids.hold_nid(
        actor=registrar,
        nid=nid,
        ground=HoldGround.COURT,
        source="Order 12/2026",
        until=timezone.localdate() + timedelta(90),
        reasons="Two vaults are before the court.",
    )


def send_revision(namespace: Namespace, author: User) -> RegistrationRequest:
    """Request a new version of `namespace` and submit it."""
    begun = drafts.start_request(
        author=author,
        path=RequestPath.COMMUNITY,
        organization=OrganizationFactory.create(),
        summary=namespace.summary,
        namespace=namespace,
    )
    draft = begun.draft
    assert draft is not None
    changed = REVISION.revision_information
    text = formal_text(namespace.nid).replace(revision_information=changed)
    drafts.save_draft(draft, text.to_dict(), seen=draft.edition)
    workflow.perform(begun, "submit", actor=author)
    return begun


# What lists say


def test_lists_show_that_a_name_was_held_back_since(
    in_review: RegistrationRequest,
    expert: User,
    registrar: User,
    client: Client,
    sign_in: SignIn,
) -> None:
    lists = [
        (sign_in(expert), "/review/"),
        (sign_in(expert), "/review/?tab=open"),
        (sign_in(registrar), "/publish/"),
        (client, "/requests/"),
    ]
    before = [text_of(browser.get(address)) for browser, address in lists]

    hold_back("seedbank", registrar)

    after = [text_of(browser.get(address)) for browser, address in lists]
    assert [HELD in page for page in before] == [False] * 4
    assert [HELD in page for page in after] == [True] * 4


def test_lists_show_that_a_name_was_registered_since(
    in_review: RegistrationRequest, expert: User, registrar: User, sign_in: SignIn
) -> None:
    NamespaceFactory.create(nid="seedbank")

    queue = sign_in(expert).get("/review/")

    (row,) = queue.context["rows"]
    (obstacle,) = row.obstacles
    assert (row.checks.severity, row.checks.words) == ("block", "1 to fix")
    assert "“seedbank”" in obstacle
    for page in (queue, sign_in(registrar).get("/publish/")):
        assert obstacle in text_of(page)


def test_list_of_the_registrar_shows_that_a_recognition_was_lost(
    organization: Organization,
    registrant: User,
    registrar: User,
    sign_in: SignIn,
) -> None:
    Organization.objects.filter(pk=organization.pk).update(
        recognised_on="2026-01-05", recognition_source="Minutes"
    )
    let_speak_for(organization, registrant)
    organization.refresh_from_db()
    asked = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    RegistrationRequest.objects.filter(pk=asked.pk).update(state=State.APPROVED)
    asked.rounds.update(submitted_at=timezone.now(), sha256="0" * 64)
    before = text_of(sign_in(registrar).get("/publish/"))

    Organization.objects.filter(pk=organization.pk).update(recognised_on=None)

    after = text_of(sign_in(registrar).get("/publish/"))
    assert str(NOT_RECOGNISED) not in before
    assert str(NOT_RECOGNISED) in after


def test_lists_of_the_standards_body_show_that_a_name_was_held_back_since(
    in_review: RegistrationRequest, registrar: User, standards_body: User, sign_in: SignIn
) -> None:
    RegistrationRequest.objects.filter(pk=in_review.pk).update(state=State.REPORTED)

    hold_back("seedbank", registrar)

    assert HELD in text_of(sign_in(standards_body).get("/direction/"))


def test_page_of_each_office_shows_that_a_name_was_held_back_since(
    in_review: RegistrationRequest,
    expert: User,
    registrar: User,
    standards_body: User,
    sign_in: SignIn,
) -> None:
    offices = ((expert, "review"), (registrar, "publish"), (standards_body, "direction"))
    hold_back("seedbank", registrar)

    pages = [sign_in(person).get(f"/{office}/{in_review.slug}/") for person, office in offices]

    in_review.refresh_from_db()
    (obstacle,) = list_publication_obstacles(open_case(in_review))
    assert obstacle.kind == ObstacleKind.HELD_NID
    assert [page.context["obstacles"] for page in pages] == [[obstacle.message]] * 3
    assert [obstacle.message in text_of(page) for page in pages] == [True] * 3


# Read in bulk


@pytest.mark.whole
@pytest.mark.parametrize(
    ("address", "change"),
    [
        ("/review/?tab=open", ChangeKind.REVISION),
        ("/requests/", ChangeKind.REVISION),
        ("/publish/", ChangeKind.CONTACT),
    ],
)
def test_list_of_many_changes_takes_no_more_queries_than_one_of_two(
    address: str,
    change: ChangeKind,
    expert: User,
    registrar: User,
    outsider: User,
    sign_in: SignIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    let_ask_often(outsider)

    def ask(count: int) -> None:
        for _n in range(count):
            holder = OrganizationFactory.create()
            namespace = NamespaceFactory.create(registrant=holder, last_known_version="1")
            let_speak_for(holder, UserFactory.create())
            if change == ChangeKind.REVISION:
                send_revision(namespace, outsider)
            else:
                send(namespace, change, outsider, OrganizationFactory.create())

    client = sign_in(registrar if address == "/publish/" else expert)
    ask(2)
    client.get(address)
    with CaptureQueriesContext(connection) as of_two:
        client.get(address)
    ask(6)

    with django_assert_num_queries(len(of_two)):
        page = client.get(address)

    assert [len(row.obstacles) for row in page.context["rows"]] == [1] * 8


@pytest.mark.parametrize("path", [RequestPath.COMMUNITY, RequestPath.FAST_TRACK], ids=str)
def test_list_of_many_new_names_takes_no_more_queries_than_one_of_two(
    path: RequestPath,
    expert: User,
    sign_in: SignIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    def ask(*nids: str) -> None:
        for nid in nids:
            author = UserFactory.create()
            body = OrganizationFactory.create()
            let_speak_for(body, author)
            asked = start(author, body, formal_text(nid), path)
            workflow.perform(asked, "submit", actor=author)

    client = sign_in(expert)
    ask("kiteboard", "watermill")
    client.get("/requests/")
    with CaptureQueriesContext(connection) as of_two:
        client.get("/requests/")
    ask("buoylight", "lanternfish", "stonewall")

    with django_assert_num_queries(len(of_two)):
        page = client.get("/requests/")

    assert len(page.context["rows"]) == 5


def test_obstacles_of_the_text_are_counted_before_those_of_others() -> None:
    broken, unnamed, held = (
        PublicationObstacle(kind, "A sentence.", label)
        for kind, label in (
            (ObstacleKind.TEXT, "TBD in Purpose"),
            (ObstacleKind.TEXT, "No Syntax"),
            (ObstacleKind.HELD_NID, HELD),
        )
    )

    assert summarize_obstacles([held, broken]) == ("TBD in Purpose", HELD)
    of_text, of_others = summarize_obstacles([broken, held, unnamed])
    assert (str(of_text).split()[0], of_others) == ("2", HELD)


@pytest.mark.whole
def test_obstacles_read_in_bulk_are_those_of_each_page(
    in_review: RegistrationRequest, registrar: User, outsider: User
) -> None:
    """One of each way in which the holder's consent is there, waiting or missing."""
    stranger_body, holder = OrganizationFactory.create_batch(2)
    unknown_body = OrganizationFactory.create(name="Harbour Lights Trust")
    delegate, other = UserFactory.create_batch(2)
    let_ask_often(outsider)
    let_speak_for(holder, delegate, other)
    held = start(outsider, unknown_body, formal_text("heldback"), RequestPath.COMMUNITY)
    workflow.perform(held, "submit", actor=outsider)
    hold_back("heldback", registrar)

    def namespace(registrant: Organization | None = holder) -> Namespace:
        return NamespaceFactory.create(registrant=registrant, last_known_version="1")

    objected = send(namespace(), ChangeKind.CONTACT, delegate)
    workflow.perform(objected, "object", actor=other, comment="We did not agree to that.")
    small = OrganizationFactory.create()
    taken = namespace(small)
    let_speak_for(taken, outsider)
    verified = send(namespace(None), ChangeKind.CONTACT, outsider, stranger_body)
    record_consent(verified)
    asked = {
        "a new name": (in_review, []),
        "a name held back": (held, ["held_nid"]),
        "a revision by a stranger": (send_revision(namespace(), outsider), ["consent"]),
        "a revision by a delegate": (send_revision(namespace(), delegate), []),
        "a revision where no holder is known": (
            send_revision(namespace(None), outsider),
            ["consent"],
        ),
        "a contact by a delegate": (send(namespace(), ChangeKind.CONTACT, delegate), []),
        "a transfer by a stranger": (
            send(namespace(), ChangeKind.TRANSFER, outsider, stranger_body),
            ["consent"],
        ),
        "a status by a delegate": (send(namespace(), ChangeKind.STATUS, delegate), []),
        "a contact that another delegate objects to": (objected, ["objection"]),
        "a contact by who speaks alone": (send(taken, ChangeKind.CONTACT, outsider, small), []),
        "a contact by recorded consent": (verified, []),
    }
    keys = [each.pk for each, _kinds in asked.values()]
    requests = list(RegistrationRequest.objects.filter(pk__in=keys))

    together = {each.request.pk: list_publication_obstacles(each) for each in open_cases(requests)}

    alone = {each.pk: list_publication_obstacles(open_case(each)) for each in requests}
    assert together == alone
    found = {
        name: [str(obstacle.kind) for obstacle in together[each.pk]]
        for name, (each, _kinds) in asked.items()
    }
    assert found == {name: kinds for name, (_each, kinds) in asked.items()}


def test_ended_request_has_no_obstacles_and_asks_no_query(
    sent: RegistrationRequest,
    registrant: User,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    workflow.perform(sent, "withdraw", actor=registrant, comment="Not now.")
    withdrawn = open_case(RegistrationRequest.objects.get(pk=sent.pk))

    with django_assert_num_queries(0):
        assert list_publication_obstacles(withdrawn) == ()
