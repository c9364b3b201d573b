"""The admin site: access, what is read-only for everyone, and what the journal records."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import Group
from django.core.serializers import serialize
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from registry import journal, workflow
from registry.actions import discussion
from registry.admin import (
    EditableAdmin,
    ReadOnlyAdmin,
    site,
)
from registry.enums import RequestPath, ReservedList, Role
from registry.models import (
    Absence,
    AccountEvent,
    BuiltExport,
    ChecklistAnswer,
    ClockPosition,
    ConflictOfInterest,
    ContactConfirmation,
    Counter,
    Dates,
    DismissedFinding,
    Dispute,
    DocumentSource,
    Enquiry,
    EntryLink,
    Erratum,
    Event,
    Follow,
    HeldNid,
    IANASnapshot,
    IdempotencyRecord,
    ImportedRecord,
    Invitation,
    Letter,
    Locator,
    LocatorTable,
    MailedTemplate,
    Message,
    Namespace,
    OfficerChange,
    Organization,
    PendingComment,
    Provenance,
    QueryKeyword,
    RateLimit,
    ReadMarker,
    Recognition,
    RecordContact,
    RegistrationRequest,
    Remark,
    Reminder,
    Report,
    RequestCheck,
    ReservedName,
    ResolutionService,
    SchedulerDay,
    SearchWord,
    ServiceDesignator,
    Sighting,
    SignInSource,
    SourceDocument,
    Speaker,
    Token,
    User,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
)
from registry.workflow import drafts
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_speak_for,
)
from tests.recorded_rows import recorded
from tools.sign_in import give_factor

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
READ_ONLY = sorted(
    (model for model, shown in site._registry.items() if isinstance(shown, ReadOnlyAdmin)),
    key=lambda model: model._meta.label,
)
ENTRANTS = ["administrator", "superuser"]


@pytest.fixture
def superuser(db: None) -> User:
    root: User = UserFactory.create(
        email="root@people.example", name="Rut Root", is_staff=True, is_superuser=True
    )
    give_factor(root)
    return root


@pytest.fixture
@recorded
def row_of_every_model(approved: RegistrationRequest, registrar: User) -> None:
    """A registry with at least one row of every model."""
    workflow.perform(approved, "register", actor=registrar)
    namespace = NamespaceFactory.create(nid="imported")
    Provenance.objects.create(namespace=namespace, source="A list")
    ReservedName.objects.create(list=ReservedList.SYSTEM, name="isbn")
    Dates().save()
    SchedulerDay.objects.record(timezone.localdate())
    what_was_read_elsewhere(namespace, registrar)
    people_and_what_they_said(approved, registrar)
    what_programs_use(namespace, registrar)
    what_the_registrar_keeps(namespace, registrar)
    BuiltExport.objects.create(
        name="registry.ttl",
        path="a-registry.ttl",
        size=1,
        line=1,
        built_at=timezone.now(),
        seconds=1,
    )


def what_was_read_elsewhere(namespace: Namespace, person: User) -> None:
    """A row of everything read from documents of record and IANA's list."""
    now = timezone.now()
    document = SourceDocument.objects.create(name="RFC 1", text="A text.", read_at=now)
    DocumentSource.objects.create(name="RFC 1", document=document, asked_at=now)
    span = {"first_line": 1, "last_line": 1, "first_page": 1, "last_page": 1}
    record = ImportedRecord.objects.create(
        namespace=namespace, document=document, number=1, read_at=now, **span
    )
    confirmed: dict[str, Any] = {"confirmed_by": person, "confirmed_at": now}
    RecordContact.objects.create(
        namespace=namespace, record=record, address="a@b.example", **confirmed
    )
    IANASnapshot.objects.create(address="https://a.example/", content=b"One", read_at=now)


def people_and_what_they_said(registered: RegistrationRequest, person: User) -> None:
    """A row of everything that is said, followed and written about a request."""
    now, today = timezone.now(), timezone.localdate()
    last = registered.rounds.sent().latest("number")
    about: dict[str, Any] = {"registration_request": registered}
    body = registered.organization
    Absence.objects.create(expert=person, first_day=today, last_day=today)
    ConflictOfInterest.objects.create(expert=person, organization=body, declared_at=now)
    ChecklistAnswer.objects.create(round=last, expert=person, question="lasting", answer="yes")
    ReadMarker.objects.create(person=person, at=now, **about)
    RequestCheck.objects.schedule({registered.pk: now})
    ClockPosition.objects.create(last_line=1, settings_sha256="0" * 64)
    said: dict[str, Any] = {"number": 1, "author": person, "text": "A word.", **about}
    Remark.objects.create(round=last, made_at=now, section="purpose", weight="advice", **said)
    Message.objects.create(posted_at=now, author_name="R", message_id="<1@a.example>", **said)
    Follow.objects.create(person=person, since=now, **about)
    Letter.objects.create(key="a letter", address="a@b.example", subject="One", written_at=now)
    DismissedFinding.objects.create(
        check_name="nid.near",
        section="nid",
        word="Not so.",
        person=person,
        at=now,
        round_number=1,
        **about,
    )
    PendingComment.objects.create(
        author=person, text="Soon.", key=uuid.uuid4(), written_at=now, publish_at=now, **about
    )
    MailedTemplate.objects.create(message_id="<2@a.example>", text="One.", received_at=now)
    Reminder.objects.create(kind="expert", since=now, at=now, **about)
    asked: dict[str, Any] = {"organization": body, "asked_at": now}
    Recognition.objects.create(asked_by=person, statement="One.", **asked)
    Invitation.objects.create(address="a@b.example", invited_by=person, invited_at=now, **about)
    Report.objects.create(text="A mistake.", sent_at=now)
    Sighting.objects.create(nid="seen", evidence="In a letter.", noted_by=person, noted_at=now)
    Token.objects.create(user=person, name="A program", form_key=uuid.uuid4())


def what_the_registrar_keeps(namespace: Namespace, person: User) -> None:
    """A row of everything recorded besides namespaces."""
    now, today = timezone.now(), timezone.localdate()
    recorded: dict[str, Any] = {"source": "Minutes of 3 May"}
    HeldNid.objects.create(
        nid="barred",
        ground="court",
        reasons="One.",
        until=today,
        held_by=person,
        held_at=now,
        **recorded,
    )
    Dispute.objects.create(
        namespace=namespace,
        kind="dispute",
        parties="Two bodies",
        text="A name.",
        recorded_by=person,
        recorded_at=now,
        **recorded,
    )
    ContactConfirmation.objects.create(namespace=namespace, address="a@b.example", asked_at=now)
    EntryLink.objects.create(
        namespace=namespace, url="https://a.example/", result="silent", checked_at=now
    )
    Erratum.objects.create(namespace=namespace, text="One.", sent_at=now)
    Enquiry.objects.create(question="Do I?", is_public=False, asked_by=person, asked_at=now)


def what_programs_use(namespace: Namespace, person: User) -> None:
    """A row of everything that resolves names and notifies programs."""
    now = timezone.now()
    of_rfc = {"purpose": "One", "reference": "RFC 2483"}
    designator, _ = ServiceDesignator.objects.get_or_create(name="I2L", defaults=of_rfc)
    let_speak_for(namespace, person)
    QueryKeyword.objects.get_or_create(keyword="s", defaults=of_rfc)
    ResolutionService.objects.create(namespace=namespace, service=designator, template="{urn}")
    dates = {"started_at": now, "moved_at": now}
    LocatorTable.objects.create(namespace=namespace, loaded_by=person, **dates)
    hook = Webhook.objects.create(owner=person, url="https://a.example/", form_key=uuid.uuid4())
    told = WebhookDelivery.objects.create(hook=hook, event=last_event(), written_at=now)
    WebhookAttempt.objects.create(delivery=told, at=now, status=200)
    IdempotencyRecord.objects.create(person=person, key="one", digest="0")
    RateLimit.objects.create(key="writing:1", expires_at=now, used=1)
    SignInSource.objects.create(user=person, digest="0", used_at=now)
    AccountEvent.objects.create(user=person, kind="signed_in")
    OfficerChange.objects.create(person=person, kind="reset_factor", asked_at=now)


def url(model: type[Model], page: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def rows(model: type[Model]) -> str:
    return str(serialize("json", model._default_manager.order_by("pk")))


def last_event() -> Event:
    event = Event.objects.last()
    assert event is not None
    return event


def account(person: User, **changes: object) -> dict[str, object]:
    """Return what the form of an account posts."""
    form = {
        "email": person.email,
        "name": person.name,
        "organization": person.organization_id or "",
        "is_active": "on" if person.is_active else None,
        "is_staff": "on" if person.is_staff else None,
        "groups": [group.pk for group in person.groups.all()],
        **changes,
    }
    return {name: value for name, value in form.items() if value is not None}


def role(name: Role) -> Group:
    return Group.objects.get(name=name)


# Access


@pytest.mark.whole
@pytest.mark.parametrize("who", ENTRANTS)
def test_administrators_and_superusers_read_every_list_and_every_row(
    who: str, row_of_every_model: None, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    client = sign_in(request.getfixturevalue(who))

    answers = {}
    for model in site._registry:
        row = model._default_manager.first()
        assert row is not None, f"there is no {model} to read"
        answers[model] = [
            client.get(url(model, "changelist") + "?q=a").status_code,
            client.get(url(model, "change", row.pk)).status_code,
        ]

    assert set(map(tuple, answers.values())) == {(200, 200)}


@pytest.mark.parametrize(
    "who", ["registrant", "expert", "lead", "registrar", "standards_body", "outsider"]
)
@pytest.mark.parametrize("is_staff", [False, True], ids=["", "though staff"])
def test_other_roles_are_refused_and_told_who_may(
    who: str, is_staff: bool, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    person = request.getfixturevalue(who)
    User.objects.filter(pk=person.pk).update(is_staff=is_staff)
    client = sign_in(User.objects.get(pk=person.pk))

    index, forged = client.get("/admin/"), client.post(url(Organization, "add"), {"name": "Ours"})

    assert (index.status_code, forged.status_code) == (403, 403)
    assert not Organization.objects.filter(name="Ours").exists()


def test_administrator_who_is_not_staff_and_one_switched_off_are_refused(
    administrator: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    assert client.get("/admin/").status_code == 200

    User.objects.filter(pk=administrator.pk).update(is_staff=False)
    not_staff = client.get("/admin/")
    User.objects.filter(pk=administrator.pk).update(is_staff=True, is_active=False)
    switched_off = client.get("/admin/")

    assert (not_staff.status_code, switched_off.status_code) == (403, 302)


def test_strangers_are_asked_to_sign_in_at_the_one_door(client: Client) -> None:
    response = client.get("/admin/", follow=True)

    door = f"{reverse('account_login')}?{urlencode({'next': '/admin/'})}"
    assert response.redirect_chain[-1] == (door, 302)


def test_every_model_of_the_registry_is_there_with_search_and_filters() -> None:
    ours = set(apps.get_app_config("registry").get_models())

    # Rows by the million are looked up by name, not browsed.
    assert (ours - {Locator}) | {Group, EmailAddress} == set(site._registry)
    # Rows without words.
    assert {model for model, shown in site._registry.items() if not shown.search_fields} == {
        Dates,
        SchedulerDay,
    }
    # These have neither states nor dates.
    assert {model for model, shown in site._registry.items() if not shown.list_filter} == {
        ClockPosition,
        Counter,
        Dates,
        Group,
        SearchWord,
    }


# Read-only


def test_models_with_a_course_of_their_own_alone_are_read_only() -> None:
    names = {model.__name__ for model in READ_ONLY}

    assert names == {
        "Absence",
        "BuiltExport",
        "AccountEvent",
        "OfficerChange",
        "IdempotencyRecord",
        "DocumentSource",
        "IANASnapshot",
        "ImportedRecord",
        "RecordContact",
        "SourceDocument",
        "Assignment",
        "ChecklistAnswer",
        "ConflictOfInterest",
        "ContactConfirmation",
        "ClockPosition",
        "Counter",
        "RequestCheck",
        "Dispute",
        "EmailAddress",
        "Enquiry",
        "Erratum",
        "EntryLink",
        "Event",
        "Group",
        "HeldNid",
        "Webhook",
        "WebhookAttempt",
        "WebhookDelivery",
        "Invitation",
        "Letter",
        "LocatorTable",
        "LogOrigin",
        "MailedTemplate",
        "PendingComment",
        "DismissedFinding",
        "Message",
        "Namespace",
        "Reminder",
        "Provenance",
        "QueryKeyword",
        "RateLimit",
        "Recognition",
        "Registration",
        "RegistrationRequest",
        "Report",
        "Remark",
        "ResolutionService",
        "Round",
        "SchedulerDay",
        "ServiceDesignator",
        "Sighting",
        "Speaker",
        "SearchDocument",
        "SearchWord",
        "SignInSource",
        "Token",
        "ReadMarker",
        "Follow",
    }
    assert {
        model for model, shown in site._registry.items() if isinstance(shown, EditableAdmin)
    } == {
        Dates,
        Organization,
        ReservedName,
        User,
    }


HIDDEN = {
    ContactConfirmation: {"secret"},
    OfficerChange: {"key"},
    Group: {"permissions"},
    IdempotencyRecord: {"key"},
    Invitation: {"key"},
    Letter: {"key", "text", "html", "headers"},
    MailedTemplate: {"key", "text"},
    PendingComment: {"key", "text"},
    Speaker: {"secret"},
    Token: {"digest", "token_key", "scopes", "form_key", "last_used_at"},
    Webhook: {"secret", "previous_secret"},
}


@pytest.mark.parametrize("model", HIDDEN, ids=lambda model: model.__name__)
def test_secrets_and_unpublished_texts_are_neither_shown_nor_searched(
    model: type[Model], rf: RequestFactory
) -> None:
    columns = {each.name for each in (*model._meta.fields, *model._meta.many_to_many)}
    shown, request = site._registry[model], rf.get("/")

    assert HIDDEN[model] <= columns
    for names in (
        shown.get_fields(request),
        shown.get_list_display(request),
        shown.get_search_fields(request),
    ):
        assert not HIDDEN[model] & set(map(str, names))


def test_drafts_and_notes_among_experts_are_not_for_administrators(
    sent: RegistrationRequest,
    expert: User,
    administrator: User,
    sign_in: SignIn,
) -> None:
    client = sign_in(administrator)
    note = discussion.add_note(sent, author=expert, text="Not for others.", key=uuid.uuid4())
    unsent = drafts.start_request(
        author=sent.author,
        path=RequestPath.COMMUNITY,
        organization=sent.organization,
        summary="Unsent",
    )
    assert unsent.draft is not None

    for row in (note, unsent, unsent.draft):
        listed = client.get(url(type(row), "changelist"))
        assert row not in listed.context["cl"].queryset
        assert client.get(url(type(row), "change", row.pk)).status_code == 302
    for kept in (sent, sent.rounds.get()):
        assert client.get(url(type(kept), "change", kept.pk)).status_code == 200


def test_read_only_table_without_named_columns_shows_none(rf: RequestFactory) -> None:
    assert ReadOnlyAdmin(Letter, site).get_fields(rf.get("/")) == []


@pytest.mark.whole
@pytest.mark.parametrize("who", ENTRANTS)
def test_no_forged_post_changes_a_read_only_row(
    who: str, row_of_every_model: None, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    client = sign_in(request.getfixturevalue(who))
    events = Event.objects.count()
    taken = set()

    for model in READ_ONLY:
        before = rows(model)
        answers = forge_posts(client, model)
        if (
            answers[:5] != [403] * 5
            or not {200, 302, 403}.issuperset(answers[5:])
            or rows(model) != before
        ):
            taken.add(model)

    assert taken == set()
    assert Event.objects.count() == events


def forge_posts(client: Client, model: type[Model]) -> list[int]:
    """Post what would add, change or delete a row of a model; return the statuses.

    The first five are of the forms of a row, the last two of the list.
    """
    row = model._default_manager.first()
    assert row is not None
    fields = [*model._meta.fields, *model._meta.many_to_many]
    forged = {field.name: "1" for field in fields}
    selected = {ACTION_CHECKBOX_NAME: [row.pk], "index": "0", "post": "yes"}
    posts: list[tuple[str, dict[str, Any]]] = [
        (url(model, "add"), forged),
        (url(model, "add"), {**forged, "_popup": "1"}),
        (url(model, "change", row.pk), forged),
        (url(model, "change", row.pk), {**forged, "_saveasnew": "1"}),
        (url(model, "delete", row.pk), {"post": "yes"}),
        (url(model, "changelist"), {**selected, "action": "delete_selected"}),
        (url(model, "changelist"), {"_save": "Save", "form-TOTAL_FORMS": "1"}),
    ]
    return [client.post(address, form).status_code for address, form in posts]


@pytest.mark.whole
@pytest.mark.parametrize("who", ENTRANTS)
def test_read_only_pages_offer_no_button(
    who: str, row_of_every_model: None, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    client = sign_in(request.getfixturevalue(who))
    offered = {}

    for model in READ_ONLY:
        row = model._default_manager.first()
        assert row is not None
        listed = client.get(url(model, "changelist")).content.decode()
        read = client.get(url(model, "change", row.pk)).content.decode()
        offered[model] = [
            *re.findall(r'name="action"', listed),
            *re.findall(re.escape(url(model, "add")), listed),
            *re.findall(r'name="_(?:save|addanother|continue|saveasnew)"', read),
            *re.findall(re.escape(url(model, "delete", row.pk)), read),
        ]

    assert {model: buttons for model, buttons in offered.items() if buttons} == {}


# What the journal records


@pytest.mark.parametrize("who", ENTRANTS)
def test_roles_and_addresses_of_officers_are_announced_and_the_rest_is_saved(
    who: str, expert: User, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    actor = request.getfixturevalue(who)
    form = account(
        expert, groups=[role(Role.LEAD).pk], name="Ede E.", email="ede@elsewhere.example"
    )

    response = sign_in(actor).post(url(User, "change", expert.pk), form)

    expert = User.objects.get(pk=expert.pk)
    changes = OfficerChange.objects.order_by("kind", "role")
    assert response.status_code == 302
    assert (expert.name, expert.email) == ("Ede E.", "expert@people.example")
    assert expert.granted_roles == {Role.EXPERT}
    assert [(each.kind, each.role, each.asked_by) for each in changes] == [
        ("change_address", "", actor),
        ("give_role", Role.LEAD, actor),
        ("take_role", Role.EXPERT, actor),
    ]
    saved = Event.objects.filter(verb="admin.change").get()
    assert saved.data["changed"] == {"name": {"from": "Ede Expert", "to": "Ede E."}}
    assert list(journal.verify()) == []


def test_moving_a_person_to_an_organization_is_told_by_name(
    outsider: User, organization: Organization, administrator: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    form = account(outsider, organization=organization.pk)
    client.post(url(User, "change", outsider.pk), form)

    client.post(url(User, "change", outsider.pk), {**form, "organization": ""})

    told = [event.data["changed"]["organization"] for event in Event.objects.order_by("number")]
    assert told == [
        {"from": None, "to": organization.name},
        {"from": organization.name, "to": None},
    ]


def test_account_is_switched_off_by_a_ban_alone(
    expert: User, administrator: User, sign_in: SignIn
) -> None:
    form = account(expert, is_active=None, name="E. Expert")

    sign_in(administrator).post(url(User, "change", expert.pk), form)

    expert.refresh_from_db()
    assert (expert.name, expert.is_active) == ("E. Expert", True)


def test_new_account_has_no_password_and_an_address_to_be_confirmed(
    administrator: User, sign_in: SignIn
) -> None:
    form = {"email": "New.Person@People.example", "name": "New Person", "is_active": "on"}

    sign_in(administrator).post(url(User, "add"), form)

    person, event = User.objects.get(name="New Person"), last_event()
    address = EmailAddress.objects.get(user=person)
    assert person.has_usable_password() is False
    assert (address.email, address.primary, address.verified) == (
        "new.person@people.example",
        True,
        False,
    )
    assert (event.verb, event.subject, Event.objects.count()) == ("admin.add", "New Person", 1)
    assert "People.example" not in str(event.data)


def test_new_address_replaces_the_old_one_and_the_journal_keeps_neither(
    outsider: User, administrator: User, sign_in: SignIn
) -> None:
    form = account(outsider, email="olaf@elsewhere.example")

    sign_in(administrator).post(url(User, "change", outsider.pk), form)

    addresses = EmailAddress.objects.filter(user=outsider).values_list("email", "verified")
    assert list(addresses) == [("olaf@elsewhere.example", False)]
    assert last_event().data == {"changed": {"email": {}}}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"email": "registrant@people.example"}, "email"),
        ({"email": "REGISTRANT@people.example"}, "__all__"),
        ({"email": "no address"}, "email"),
        ({"name": ""}, "name"),
        ({"name": "a\x07b"}, "name"),
    ],
)
def test_wrong_accounts_are_told_beside_the_field_and_nothing_is_written(
    changes: dict[str, object],
    field: str,
    registrant: User,
    outsider: User,
    administrator: User,
    sign_in: SignIn,
) -> None:
    form = account(outsider, **changes)

    response = sign_in(administrator).post(url(User, "change", outsider.pk), form)

    assert field in response.context["adminform"].form.errors
    assert not Event.objects.exists()


def test_passwords_and_superuser_rights_cannot_be_posted(
    outsider: User, administrator: User, sign_in: SignIn
) -> None:
    before = outsider.password
    form = account(outsider, password="known", is_superuser="on", user_permissions=["1"])

    sign_in(administrator).post(url(User, "change", outsider.pk), form)

    outsider.refresh_from_db()
    assert (outsider.password, outsider.is_superuser) == (before, False)
    assert not Event.objects.exists()


@pytest.mark.parametrize("who", ENTRANTS)
def test_accounts_are_never_deleted(
    who: str, outsider: User, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    client = sign_in(request.getfixturevalue(who))
    selected = {ACTION_CHECKBOX_NAME: [outsider.pk], "action": "delete_selected", "post": "yes"}

    answer = client.post(url(User, "delete", outsider.pk), {"post": "yes"})
    client.post(url(User, "changelist"), selected)

    assert answer.status_code == 403
    assert User.objects.filter(pk=outsider.pk).exists()
    assert not Event.objects.exists()


def test_nobody_locks_themselves_out(administrator: User, sign_in: SignIn) -> None:
    form = account(administrator, is_active=None, is_staff=None, name="Ada A.")

    sign_in(administrator).post(url(User, "change", administrator.pk), form)

    administrator.refresh_from_db()
    assert (administrator.is_active, administrator.is_staff) == (True, True)
    assert administrator.name == "Ada A."


def test_administrator_does_not_change_the_account_of_a_superuser(
    administrator: User, superuser: User, sign_in: SignIn
) -> None:
    form = account(superuser, email="mine@people.example")

    response = sign_in(administrator).post(url(User, "change", superuser.pk), form)

    superuser.refresh_from_db()
    assert response.status_code == 403
    assert superuser.email == "root@people.example"


@pytest.mark.parametrize("who", ENTRANTS)
def test_name_of_a_body_that_holds_nothing_is_corrected_in_one_event(
    who: str, organization: Organization, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    before = organization.name

    sign_in(request.getfixturevalue(who)).post(
        url(Organization, "change", organization.pk), {"name": "Northlight"}
    )

    organization.refresh_from_db()
    event = last_event()
    assert organization.name == "Northlight"
    assert Event.objects.count() == 1
    assert event.data["changed"] == {"name": {"from": before, "to": "Northlight"}}


def test_reserved_name_is_added_changed_and_deleted_with_an_event_each(
    administrator: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    form = {"list": ReservedList.SYSTEM, "name": "isbn", "note": ""}

    client.post(url(ReservedName, "add"), form)
    reserved = ReservedName.objects.get()
    client.post(url(ReservedName, "change", reserved.pk), {**form, "note": "Books"})
    client.post(url(ReservedName, "delete", reserved.pk), {"post": "yes"})

    told = [(event.actor, event.verb) for event in Event.objects.order_by("number")]
    assert told == [
        (administrator, "admin.add"),
        (administrator, "admin.change"),
        (administrator, "admin.delete"),
    ]
    assert last_event().data == {"was": {"list": "system", "name": "isbn", "note": "Books"}}
    assert not ReservedName.objects.exists()


def test_deleting_several_at_once_writes_an_event_for_each(
    administrator: User, sign_in: SignIn
) -> None:
    names = [
        ReservedName.objects.create(list=ReservedList.COUNTRY, name=name) for name in ("no", "se")
    ]
    chosen = [name.pk for name in names]

    sign_in(administrator).post(
        url(ReservedName, "changelist"),
        {ACTION_CHECKBOX_NAME: chosen, "action": "delete_selected", "post": "yes"},
    )

    assert [event.data["was"]["name"] for event in Event.objects.order_by("number")] == ["no", "se"]
    assert not ReservedName.objects.exists()


def hold_namespace(organization: Organization) -> None:
    """Register a namespace for it."""
    NamespaceFactory.create(nid="isbn", registrant=organization)


def be_recognised(organization: Organization) -> None:
    """Recognise it for the fast track."""
    organization.recognised_on, organization.recognition_source = "2026-03-14", "Minutes"
    organization.save()


def have_a_delegate(organization: Organization) -> None:
    """Have somebody speak for it."""
    let_speak_for(organization, UserFactory.create())


@pytest.mark.parametrize("prepare", [hold_namespace, be_recognised, have_a_delegate])
@pytest.mark.parametrize("who", ENTRANTS)
def test_body_that_could_lose_by_it_is_read_only(
    who: str,
    prepare: Callable[[Organization], None],
    organization: Organization,
    request: pytest.FixtureRequest,
    sign_in: SignIn,
) -> None:
    prepare(organization)
    client, before = sign_in(request.getfixturevalue(who)), rows(Organization)
    page = url(Organization, "change", organization.pk)

    read = client.get(page)
    answer = client.post(page, {"name": "Mallory Ltd"})

    assert (read.status_code, answer.status_code) == (200, 403)
    assert 'name="_save"' not in read.content.decode()
    assert rows(Organization) == before
    assert not Event.objects.exists()


@pytest.mark.parametrize("who", ENTRANTS)
def test_holder_of_a_namespace_cannot_be_deleted(
    who: str, organization: Organization, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    NamespaceFactory.create(nid="isbn", registrant=organization)
    client = sign_in(request.getfixturevalue(who))
    selected = {ACTION_CHECKBOX_NAME: [organization.pk], "action": "delete_selected", "post": "yes"}

    alone = client.post(url(Organization, "delete", organization.pk), {"post": "yes"})
    client.post(url(Organization, "changelist"), selected)

    assert alone.status_code == 403
    assert Organization.objects.filter(pk=organization.pk).exists()


def test_organization_with_requests_cannot_be_deleted(
    approved: RegistrationRequest, administrator: User, sign_in: SignIn
) -> None:
    before = Event.objects.count()

    sign_in(administrator).post(
        url(Organization, "delete", approved.organization_id), {"post": "yes"}
    )

    assert Organization.objects.filter(pk=approved.organization_id).exists()
    assert Event.objects.count() == before


# Under the content security policy


class Inline(HTMLParser):
    """Collects what a strict content security policy would not run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        is_data = said.get("type") in {"application/json", "text/template"}
        if tag == "style" or (tag == "script" and "src" not in said and not is_data):
            self.found.append(tag)
        self.found += [name for name in said if name == "style" or name.startswith("on")]
        self.found += [
            value for value in said.values() if value and value.startswith("javascript:")
        ]


@pytest.mark.whole
def test_no_page_needs_inline_style_or_script(
    row_of_every_model: None, administrator: User, sign_in: SignIn
) -> None:
    client, parser = sign_in(administrator), Inline()
    OrganizationFactory.create()
    UserFactory.create_batch(2)
    pages = ["/admin/", url(User, "add"), url(Organization, "add")]
    for model in site._registry:
        row = model._default_manager.first()
        assert row is not None
        pages += [url(model, "changelist"), url(model, "change", row.pk)]
        pages.append(url(model, "history", row.pk))

    for page in pages:
        response = client.get(page)
        assert "script-src 'self'" in response.headers["Content-Security-Policy"]
        parser.feed(response.content.decode())

    assert parser.found == []
