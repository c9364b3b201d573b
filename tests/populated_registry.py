"""A registry with something in every table, and a word that only its private parts contain."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Final

from allauth.account.models import EmailConfirmation
from allauth.socialaccount.models import SocialAccount, SocialApp
from django.contrib.admin.models import ADDITION, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from registry import journal, sightings, workflow
from registry.actions import discussion, resolution_services
from registry.enums import (
    RequestPath,
    Role,
    SpeakerBasis,
    SpeakerState,
    TableState,
    WebhookTopic,
)
from registry.exchange import seed
from registry.exchange.records import correct_record
from registry.exchange.records.importer import save_record
from registry.journal.row_digests import NEW_ROW, build_row_key, digest_locators
from registry.models import (
    Absence,
    Assignment,
    ChecklistAnswer,
    ConflictOfInterest,
    ContactConfirmation,
    Dates,
    DismissedFinding,
    Dispute,
    DocumentSource,
    Enquiry,
    EntryLink,
    Erratum,
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
    ReadMarker,
    Recognition,
    RecordContact,
    RegistrationRequest,
    Remark,
    Reminder,
    Report,
    SchedulerDay,
    SourceDocument,
    Speaker,
    Token,
    User,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
)
from registry.workflow import drafts
from tests.cast import record_cast
from tests.factories import (
    UserFactory,
    formal_text,
    let_speak_for,
    start,
)

SECRET: Final = "quillwort"
"""A word in everything private, and in nothing else."""
ODD: Final = f'{SECRET} \u2028 \x85 \N{SEEDLING} \\ " \n'
"""What somebody might split lines at, or escape once too often."""


@dataclass(frozen=True, slots=True)
class Cast:
    """The actors, and their bodies."""

    registrant: User
    expert: User
    lead: User
    registrar: User
    outsider: User
    organization: Organization


def populate(cast: Cast) -> None:
    """Do everything that leaves rows behind."""
    seed.load_vocabularies()
    seed.load_reserved_names({("country", "fr"): "France", ("scheme", "https"): ""})
    Dates().save()
    SchedulerDay.objects.record(timezone.localdate())
    registered = publish(cast)
    discussed = discuss(cast)
    write_in_private(cast, registered)
    judge_in_private(cast, discussed)
    follow(cast, discussed)
    serve(cast, registered)
    keep_office(cast, registered)
    keep_programs(cast)
    record_cast()


def publish(cast: Cast) -> Namespace:
    """Register a namespace, and import another."""
    registration_request = start(
        cast.registrant, cast.organization, formal_text("seedbank"), RequestPath.COMMUNITY
    )
    workflow.perform(registration_request, "submit", actor=cast.registrant)
    workflow.perform(registration_request, "assign", actor=cast.expert)
    workflow.perform(registration_request, "approve", actor=cast.expert, comment="Sound. Жёлтый 🌱")
    workflow.perform(registration_request, "register", actor=cast.registrar)
    registration_request.refresh_from_db()
    assert registration_request.namespace
    known = Namespace.objects.create(nid="known", nid_as_registered="Known", kind="formal")
    Provenance.objects.create(namespace=known, source="A list")
    with transaction.atomic():
        journal.append(known, actor=None, verb="import", rows={build_row_key(known): NEW_ROW})
    import_text(cast, known)
    return registration_request.namespace


def import_text(cast: Cast, known: Namespace) -> None:
    """Read a document of record, and correct its reading."""
    text = f"Namespace Identifier: known\n\nPurpose:\n   Of {ODD.replace(SECRET, 'moss')}\n"
    document = SourceDocument.objects.create(
        name="RFC 9999",
        address="https://www.rfc-editor.org/rfc/rfc9999.txt",
        read_from="rfc9999.txt",
        sha256="0" * 64,
        text=text,
        read_at=timezone.now(),
    )
    DocumentSource.objects.create(
        name="RFC 9999", document=document, asked_from=SECRET, asked_at=timezone.now()
    )
    record = ImportedRecord(
        namespace=known,
        document=document,
        read_at=timezone.now(),
        reader="1",
        first_line=1,
        last_line=4,
        first_page=1,
        last_page=1,
        text=text,
        sha256="0" * 64,
        nid="known",
        purpose="Of moss",
    )
    with transaction.atomic():
        save_record(record)
    corrected = correct_record(
        record, actor=cast.registrar, changes={"purpose": ""}, reason="It says nothing."
    )
    RecordContact.objects.create(
        namespace=known,
        address=f"{SECRET}@moss.example",
        record=corrected,
        source=SECRET,
        confirmed_by=cast.registrar,
        confirmed_at=timezone.now(),
    )
    IANASnapshot.objects.create(
        sha256="0" * 64,
        address="https://www.iana.org/",
        content=b"<registry/>\x00",
        read_at=timezone.now(),
    )


def discuss(cast: Cast) -> RegistrationRequest:
    """Send another request, and discuss it: in public, among experts, and hidden."""
    registration_request = start(
        cast.registrant, cast.organization, formal_text("watermill"), RequestPath.COMMUNITY
    )
    workflow.perform(registration_request, "submit", actor=cast.registrant)
    workflow.perform(registration_request, "assign", actor=cast.expert)
    question = say(cast.expert, registration_request, "Which mills?")
    say(cast.registrant, registration_request, "Those that turn.", answers=question)
    hidden = say(cast.registrant, registration_request, SECRET)
    say(cast.outsider, registration_request, "Mine is one of them.")
    User.objects.filter(pk=cast.outsider.pk).update(name=f"Married {SECRET}")
    discussion.hide_message(hidden, moderator=cast.lead, reason="Off topic.")
    discussion.add_note(registration_request, author=cast.expert, text=SECRET, key=uuid.uuid4())
    Message.objects.filter(pk=question.pk).update(message_id=f"<{SECRET}@people.example>")
    Remark.objects.create(
        registration_request=registration_request,
        round=registration_request.rounds.get(),
        number=1,
        author=cast.expert,
        made_at=timezone.now(),
        section="purpose",
        weight="advice",
        text="Say for whom.",
        draft_settlement="explained",
        draft_answer=SECRET,
    )
    return registration_request


def say(
    author: User,
    registration_request: RegistrationRequest,
    text: str,
    answers: Message | None = None,
) -> Message:
    """Write a public message."""
    return discussion.add_comment(
        registration_request, author=author, text=text, key=uuid.uuid4(), answers=answers
    )


def write_in_private(cast: Cast, registered: Namespace) -> None:
    """Write a draft with a co-editor, and give the body a delegate who never acts in public."""
    somebody = UserFactory.create(name=f"Somebody {SECRET}", email=f"{SECRET}@people.example")
    SocialApp.objects.create(provider="orcid", name=SECRET, client_id=SECRET, secret=SECRET)
    SocialAccount.objects.create(user=somebody, provider="orcid", uid=SECRET)
    EmailConfirmation.objects.create(
        email_address=somebody.emailaddress_set.get(), key=SECRET, sent=timezone.now()
    )
    text = formal_text(SECRET).replace(purpose=f"Of {SECRET} alone.")
    draft = start(cast.registrant, cast.organization, text, RequestPath.COMMUNITY)
    RegistrationRequest.objects.filter(pk=draft.pk).update(summary=SECRET)
    draft.co_editors.add(somebody)
    let_speak_for(cast.organization, somebody)
    Invitation.objects.create(
        registration_request=draft,
        address=f"{SECRET}@elsewhere.example",
        invited_by=cast.registrant,
        invited_at=timezone.now(),
    )
    DismissedFinding.objects.create(
        registration_request=draft,
        check_name="nid.near",
        section="nid",
        word=SECRET,
        person=somebody,
        at=timezone.now(),
        round_number=1,
    )
    PendingComment.objects.create(
        registration_request=draft,
        author=somebody,
        text=SECRET,
        key=uuid.uuid4(),
        written_at=timezone.now(),
        publish_at=timezone.now(),
    )
    MailedTemplate.objects.create(
        message_id=f"<{SECRET}@elsewhere.example>",
        is_from_list=True,
        address=f"{SECRET}@elsewhere.example",
        subject=SECRET,
        text=SECRET,
        received_at=timezone.now(),
    )
    now = timezone.now()
    Speaker.objects.create(
        namespace=registered,
        person=somebody,
        basis=SpeakerBasis.MAIL,
        state=SpeakerState.ASKED,
        state_since=now,
        asked_at=now,
        address=f"{SECRET}@people.example",
        evidence=SECRET,
        finding=SECRET,
        objection=SECRET,
        objected_by=SECRET,
    )
    Reminder.objects.create(
        registration_request=draft, kind=SECRET, since=timezone.now(), at=timezone.now()
    )
    given_up = drafts.start_request(
        author=cast.registrant,
        path=RequestPath.COMMUNITY,
        organization=cast.organization,
        summary=SECRET,
        namespace=registered,
    )
    workflow.perform(given_up, "withdraw", actor=cast.registrant, comment=SECRET)
    # A public request may continue a private one, and a row may refer to a later one.
    RegistrationRequest.objects.public().filter(nid="watermill").update(reopens=draft)


def judge_in_private(cast: Cast, registration_request: RegistrationRequest) -> None:
    """Record what experts keep to themselves."""
    ChecklistAnswer.objects.create(
        round=registration_request.rounds.get(), expert=cast.expert, question=SECRET, answer="yes"
    )
    Absence.objects.create(expert=cast.lead, first_day="2026-01-01", last_day="2026-01-02")
    ConflictOfInterest.objects.create(
        expert=cast.lead,
        organization=Organization.objects.create(name="Saltmarsh Charts Cooperative"),
        reason=SECRET,
        declared_at=timezone.now(),
    )
    Assignment.objects.filter(expert=cast.expert).update(reason=SECRET)
    Recognition.objects.create(
        organization=cast.organization,
        asked_by=cast.registrant,
        asked_at=timezone.now(),
        statement="A body of standards.",
    )
    sightings.note_sighting(
        nid="millstone", actor=cast.expert, evidence="A paper.", address=f"{SECRET}@mills.example"
    )


def follow(cast: Cast, registration_request: RegistrationRequest) -> None:
    """Follow and read, and get letters."""
    Follow.objects.create(person=cast.registrant, nid=SECRET, since=timezone.now())
    ReadMarker.objects.create(
        person=cast.expert, registration_request=registration_request, at=timezone.now()
    )
    Letter.objects.create(
        key=SECRET,
        recipient=cast.registrant,
        address=cast.registrant.email,
        reason="registrant",
        subject=SECRET,
        text=ODD,
        headers={"b": SECRET, "a": [1, 2.5, None], "10": {}},
        written_at=timezone.now(),
    )


def serve(cast: Cast, registered: Namespace) -> None:
    """Add resolution: a service, and a table."""
    resolution_services.add_service(
        registered,
        actor=cast.registrar,
        service="I2L",
        prefix="",
        template="https://seeds.example/{nss}",
        media_type="",
        language="",
        priority=10,
        operator="The vaults",
        source="Their site",
    )
    rows = [
        (key, f"{SECRET}:{number}", f"https://{SECRET}.example")
        for number, key in enumerate((b"\xff" * 16, b"\x00" * 16, b"\x00\x7f" * 8))
    ]
    table = LocatorTable.objects.create(
        namespace=Namespace.objects.get(nid="known"),
        locators_sha256=digest_locators(sorted(rows)),
        loaded_by=cast.registrant,
        file_name=f"{SECRET}.csv",
        state=TableState.CURRENT,
        rows=3,
        started_at=timezone.now(),
        moved_at=timezone.now(),
    )
    Locator.objects.bulk_create(
        Locator(table=table, key=key, name=name, locator=locator) for key, name, locator in rows
    )
    record_row(table, table.namespace, "load_locators")


def record_row(row: Model, subject: Model, verb: str) -> None:
    """Write the public event of a row that no act made."""
    with transaction.atomic():
        journal.append(subject, actor=None, verb=verb, rows={build_row_key(row): NEW_ROW})


def keep_office(cast: Cast, registered: Namespace) -> None:
    """Add records besides namespaces: public ones, and private ones."""
    now, today = timezone.now(), timezone.localdate()
    held_nid = HeldNid.objects.create(
        nid="millrace",
        ground="court",
        reasons="Two bodies are before the court.",
        source="Order of 3 May",
        until=today,
        held_by=cast.registrar,
        held_at=now,
    )
    record_row(held_nid, held_nid, "hold_nid")
    Dispute.objects.create(
        namespace=registered,
        kind="agreement",
        parties="The vaults and the mills",
        text="They share the prefix.",
        source="Their letter of 4 May",
        recorded_by=cast.registrar,
        recorded_at=now,
    )
    ContactConfirmation.objects.create(
        namespace=registered, address=f"{SECRET}@vaults.example", asked_at=now
    )
    OfficerChange.objects.create(
        person=cast.expert, kind="give_role", role=Role.LEAD, reason=SECRET, asked_at=now
    )
    EntryLink.objects.create(
        namespace=registered,
        url=f"https://{SECRET}.example/",
        result="silent",
        note=SECRET,
        checked_at=now,
    )
    for question, is_public in (("Do mills need a namespace?", True), (SECRET, False)):
        Enquiry.objects.create(
            question=question,
            is_public=is_public,
            asked_by=cast.registrant,
            asked_at=now,
            answer="Only if they name things." if is_public else SECRET,
            answered_by=cast.expert,
            answered_at=now,
        )
    Erratum.objects.create(namespace=registered, text=SECRET, sent_at=now)
    Erratum.objects.create(
        namespace=registered,
        text="The year is wrong.",
        sent_at=now,
        answer="It is mended.",
        answered_at=now,
        is_shown=True,
    )
    Report.objects.create(
        page="/namespaces/seedbank/", text=SECRET, address="reader@people.example", sent_at=now
    )


def keep_programs(cast: Cast) -> None:
    """Let people's programs, and administrators, do what they do."""
    Token.objects.create(user=cast.registrant, name=SECRET, form_key=uuid.uuid4())
    IdempotencyRecord.objects.create(
        person=cast.registrant, key=SECRET, digest="0" * 64, body=SECRET
    )
    hook = Webhook.objects.create(
        owner=cast.registrant,
        name=SECRET,
        url=f"https://{SECRET}.example/",
        topic=WebhookTopic.REQUESTS,
        form_key=uuid.uuid4(),
    )
    delivery = WebhookDelivery.objects.create(hook=hook, written_at=timezone.now())
    WebhookAttempt.objects.create(delivery=delivery, at=timezone.now(), note=SECRET)
    may_add = Permission.objects.get(codename="add_reservedname")
    cast.lead.user_permissions.add(may_add)
    Group.objects.get_or_create(name=Role.ADMINISTRATOR)[0].permissions.add(may_add)
    LogEntry.objects.create(
        user=cast.lead,
        content_type=ContentType.objects.get_for_model(User),
        object_id="1",
        object_repr=SECRET,
        action_flag=ADDITION,
    )
