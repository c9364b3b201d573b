"""The discussion list gets the text of each round, in one thread (RFC 8141, 6.2, step 2)."""

from __future__ import annotations

import datetime
import uuid
from email.message import EmailMessage

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from registry import workflow
from registry.actions import discussion
from registry.enums import RequestPath
from registry.models import (
    Letter,
    MailedTemplate,
    Organization,
    RegistrationRequest,
    User,
)
from registry.template import read, write
from registry.workflow import drafts
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    start,
)
from tests.notifications.conftest import work
from tests.notifications.smtp import MailServer
from tests.template.samples import FORMAL, REVISION

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mailing_list")]

NEW_TEXT = "No other system names seeds by vault."

LIST = "urn-list@lists.example"


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.SITE = "https://registry.example"


def texts() -> list[Letter]:
    """Return the letters with texts, in the order of their rounds."""
    return list(Letter.objects.filter(round__isnull=False).order_by("round__number", "pk"))


def on_the_list(mail_server: MailServer) -> list[EmailMessage]:
    """Return what was sent to the list."""
    return [letter for to, letter in mail_server.taken if to == [LIST]]


def body(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def send_next_round(sent: RegistrationRequest, expert: User, **changes: str) -> None:
    """Let an expert ask for changes, and the author send them."""
    sent.refresh_from_db()
    if not sent.assignments.exists():
        workflow.perform(sent, "assign", actor=expert)
    workflow.perform(sent, "request_changes", actor=expert, comment="Say more.")
    sent.refresh_from_db()
    draft = sent.draft
    assert draft is not None
    drafts.save_draft(draft, changes, seen=draft.edition)
    workflow.perform(sent, "submit", actor=sent.author)


def let_a_day_pass() -> None:
    """Move what was written, sent and scheduled a day back."""
    day = datetime.timedelta(days=1, minutes=1)
    for letter in Letter.objects.all():
        for name in ("written_at", "sent_at", "not_before"):
            if getattr(letter, name):
                setattr(letter, name, getattr(letter, name) - day)
        letter.save()
    DBTaskResult.objects.filter(run_after__gt=timezone.now()).update(run_after=timezone.now())


def test_first_round_goes_to_the_list_whole_as_plain_text(
    draft: RegistrationRequest, registrant: User, mail_server: MailServer
) -> None:
    workflow.perform(draft, "submit", actor=registrant)

    work()

    (letter,) = on_the_list(mail_server)
    sent = draft.rounds.get()
    assert letter.get_content_type() == "text/plain"
    assert letter["Subject"].startswith("[R-2026-0001] seedbank: ")
    assert (letter["In-Reply-To"], letter["References"]) == (None, None)
    text = body(letter)
    assert text.startswith("Runa Registrant sent round 1.\n")
    assert write(sent.template) in text
    assert "What differs" not in text
    assert f"SHA-256 {sent.sha256}\n" in text
    assert "https://registry.example/requests/r-2026-0001/\n" in text
    assert "https://registry.example/requests/r-2026-0001/rounds/1/\n" in text
    assert read(text).template.purpose.split() == sent.template.purpose.split()


def test_later_round_begins_with_the_differences_and_has_the_whole_text_too(
    in_review: RegistrationRequest, expert: User, mail_server: MailServer
) -> None:
    work()
    let_a_day_pass()

    send_next_round(in_review, expert, interoperability=NEW_TEXT)
    work()

    first, *others, letter = on_the_list(mail_server)
    text = body(letter)
    differences = text.index("What differs")
    whole = text.index("The template of round 2")
    assert differences < whole
    assert "Interoperability\n- " in text[differences:whole]
    assert f"\n+ {NEW_TEXT}" in text[differences:whole]
    assert write(in_review.rounds.get(number=2).template) in text[whole:]
    assert [each["References"] for each in (*others, letter)] == [first["Message-ID"]] * 2
    assert [each["In-Reply-To"] for each in (*others, letter)] == [first["Message-ID"]] * 2


def test_no_letter_refers_to_one_that_was_not_sent(
    in_review: RegistrationRequest, expert: User, outsider: User, mail_server: MailServer
) -> None:
    asked = discussion.add_comment(in_review, author=outsider, text="Who?", key=uuid.uuid4())
    discussion.add_comment(
        in_review, author=expert, text="The desk.", key=uuid.uuid4(), answers=asked
    )
    workflow.perform(in_review, "decline", actor=expert, comment="Not yet.")

    work()

    seen: dict[str, set[str]] = {}
    for to, letter in mail_server.taken:
        known = seen.setdefault(to[0], set())
        assert set((letter["References"] or "").split()) <= known
        known.add(letter["Message-ID"])
    assert len(seen[LIST]) == 4
    answer = next(each for each in on_the_list(mail_server) if "The desk." in body(each))
    first = on_the_list(mail_server)[0]["Message-ID"]
    assert answer["References"].split() == [first, asked.message_id]
    assert answer["In-Reply-To"] == asked.message_id


def test_thread_begins_with_the_next_letter_where_the_first_never_went(
    in_review: RegistrationRequest, expert: User, mail_server: MailServer
) -> None:
    Letter.objects.filter(address=LIST).update(sent_at=None, attempts=9)
    DBTaskResult.objects.all().delete()
    workflow.perform(in_review, "decline", actor=expert, comment="Not yet.")

    work()

    (letter,) = on_the_list(mail_server)
    assert (letter["In-Reply-To"], letter["References"]) == (None, None)


def test_last_of_several_rounds_in_a_day_goes_to_the_list_a_day_after_the_first(
    in_review: RegistrationRequest, expert: User, mail_server: MailServer
) -> None:
    work()
    send_next_round(in_review, expert, interoperability=NEW_TEXT)
    send_next_round(in_review, expert, interoperability="No other system names seeds at all.")

    work()
    at_once = [body(each) for each in on_the_list(mail_server)]
    first, second, third = texts()
    let_a_day_pass()
    work()

    texts_of_rounds = [write(in_review.rounds.get(number=number).template) for number in (2, 3)]
    assert not any(text in each for text in texts_of_rounds for each in at_once)
    assert second.dropped_at is not None
    assert first.sent_at is not None
    assert third.not_before is not None
    assert third.not_before - first.sent_at == datetime.timedelta(days=1)
    text = body(on_the_list(mail_server)[-1])
    assert "What differs" in text
    assert "round 2, https://registry.example/requests/r-2026-0001/rounds/2/\n" in text
    assert write(in_review.rounds.get(number=3).template) in text


def test_text_that_waits_is_not_sent_of_a_request_that_was_withdrawn(
    in_review: RegistrationRequest, expert: User, mail_server: MailServer
) -> None:
    work()
    send_next_round(in_review, expert, interoperability=NEW_TEXT)
    in_review.refresh_from_db()
    workflow.perform(in_review, "withdraw", actor=in_review.author)
    let_a_day_pass()

    work()

    assert texts()[-1].dropped_at is not None
    second = write(in_review.rounds.get(number=2).template)
    assert second not in "".join(map(body, on_the_list(mail_server)))


def test_round_is_on_the_list_once_whatever_happens(in_review: RegistrationRequest) -> None:
    (letter,) = texts()
    letter.pk, letter.key = None, "another"

    with pytest.raises(IntegrityError), transaction.atomic():
        letter.save()


def test_fast_track_is_read_on_the_list_too(registrant: User, organization: Organization) -> None:
    asked = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)

    workflow.perform(asked, "submit", actor=registrant)

    assert [each.round.number for each in texts() if each.round] == [1]


def test_thread_goes_on_from_the_letter_with_which_the_template_came_to_the_list(
    draft: RegistrationRequest, registrant: User, expert: User, mail_server: MailServer
) -> None:
    MailedTemplate.objects.create(
        message_id="<one@elsewhere.example>",
        is_from_list=True,
        received_at=timezone.now(),
        registration_request=draft,
    )
    workflow.perform(draft, "submit", actor=registrant)
    workflow.perform(draft, "assign", actor=expert)
    workflow.perform(draft, "decline", actor=expert, comment="Not yet.")

    work()

    sent = on_the_list(mail_server)
    assert [each["In-Reply-To"] for each in sent] == ["<one@elsewhere.example>"] * 2
    assert [each["References"] for each in sent] == ["<one@elsewhere.example>"] * 2
    others = [letter for to, letter in mail_server.taken if to != [LIST]]
    assert others
    assert not any("elsewhere" in (each["References"] or "") for each in others)


# Not by the holder


@pytest.fixture
def seized(registrant: User, organization: Organization) -> RegistrationRequest:
    """A revision of somebody else's namespace, sent."""
    holder = OrganizationFactory.create(name="Seedling Council")
    namespace = NamespaceFactory.create(nid="seedbank", last_known_version="1", registrant=holder)
    begun = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Accessions",
        namespace=namespace,
    )
    draft = begun.draft
    assert draft is not None
    drafts.save_draft(draft, REVISION.to_dict(), seen=draft.edition)
    workflow.perform(begun, "submit", actor=registrant)
    return begun


def test_request_that_lacks_a_consent_goes_to_the_list_at_once_and_says_so(
    seized: RegistrationRequest, mail_server: MailServer
) -> None:
    work()

    (letter,) = on_the_list(mail_server)
    assert "not confirmed by Seedling Council" in body(letter)
    assert write(seized.rounds.get().template) in body(letter)
