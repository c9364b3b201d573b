"""Letters about an event, one per recipient, and their headers."""

from __future__ import annotations

import hashlib
import re
import secrets
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import formataddr
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core import signing
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.html import conditional_escape
from django.utils.translation import gettext as _

from registry import enums, permissions, selectors
from registry.enums import (
    LIVE_STATES,
    LetterDelivery,
    LetterReason,
    MessageChannel,
    ObstacleKind,
    State,
    Turn,
    VerbKind,
)
from registry.journal.event_messages import describe_event
from registry.journal.openness import HOLD_VERBS
from registry.models import (
    Event,
    Follow,
    Letter,
    MailedTemplate,
    Message,
    Namespace,
    RegistrationRequest,
    User,
)
from registry.models.notification import LetterQuerySet
from registry.notifications import recipients
from registry.notifications.holder_links import build_objection_url
from registry.notifications.recipients import Recipient, find_carried_message
from registry.selectors import CurrentTurn
from registry.selectors.consent import find_missing_consent
from registry.selectors.events import RECOGNITION_VERBS
from registry.selectors.publication import explain_own_stay
from registry.selectors.request_clock import read_request_clock
from registry.template import field

UNFOLLOW_SALT = "registry.notices.everything"


def find_letter_host() -> str:
    """Return the host name that Message-IDs end with."""
    return urlsplit(settings.SITE).hostname or "localhost"


def build_general_headers() -> dict[str, str]:
    """Return the headers of every letter: its list, and that a program wrote it."""
    return {
        "List-Id": f"URN Namespace Registry <requests.{find_letter_host()}>",
        "Auto-Submitted": "auto-generated",
    }


def build_letter_id(event: Event, address: str) -> str:
    """Return the Message-ID of a letter: the same, however often it is sent."""
    subject = event.registration_request.reference if event.registration_request else "registry"
    mark = salted_hmac("registry.notices.headers", address.lower()).hexdigest()[:12]
    return f"<{subject}.event-{event.number}.{mark}@{find_letter_host()}>"


def build_message_headers(message: Message) -> dict[str, str]:
    """Return the headers of a letter that is itself a message of the discussion."""
    name = _("%(who)s, by the URN Namespace Registry") % {"who": message.author_name}
    return {
        "From": formataddr((name, settings.DEFAULT_FROM_EMAIL)),
        "Message-ID": message.message_id,
    }


def build_thread_headers(letter: Letter) -> dict[str, str]:
    """Return the place of a letter in the thread of its request (RFC 5322, section 3.6.4).

    Call it when sending: it names only letters that were really sent, to this reader or by somebody
    else to the list, so that the reader's mail program finds them.
    """
    event = letter.event
    if event is None or event.registration_request is None:
        return {}
    earlier = find_earlier_letters(letter, event.registration_request)
    places = [find_first_id(letter, event.registration_request, earlier)]
    references = list(dict.fromkeys(filter(None, [*places, find_answered_id(event, earlier)])))
    if not references:
        return {}
    return {"In-Reply-To": references[-1], "References": " ".join(references)}


def find_earlier_letters(
    letter: Letter, registration_request: RegistrationRequest
) -> LetterQuerySet:
    """Return earlier letters to the same reader about a request, in order."""
    told = Letter.objects.filter(event__registration_request=registration_request)
    reader = (
        told.filter(recipient=letter.recipient_id)
        if letter.recipient_id
        else told.filter(recipient=None, address=letter.address)
    )
    sent = reader.filter(delivery=LetterDelivery.AT_ONCE, sent_at__isnull=False)
    return sent.exclude(pk=letter.pk).order_by("sent_at", "pk")


def find_first_id(
    letter: Letter, registration_request: RegistrationRequest, earlier: LetterQuerySet
) -> str:
    """Return the Message-ID that begins the reader's thread, or empty if this letter begins it.

    On the list that is the mailed template, if there was one.
    """
    if letter.reason == LetterReason.LIST:
        mailed = MailedTemplate.objects.filter(
            registration_request=registration_request, is_from_list=True
        )
        if known := mailed.values_list("message_id", flat=True).first():
            return known
    headers = earlier.values_list("headers", flat=True).first() or {}
    return str(headers.get("Message-ID", ""))


def find_answered_id(event: Event, earlier: LetterQuerySet) -> str:
    """Return the Message-ID of the message that the one of `event` answers, if it was sent.

    A message from the list was; a message written here was if the reader got its letter.
    """
    message = find_carried_message(event)
    answered = message.answers if message else None
    if answered is None:
        return ""
    was_sent = (
        answered.channel == MessageChannel.LIST
        or earlier.filter(**{"headers__Message-ID": answered.message_id}).exists()
    )
    return answered.message_id if was_sent else ""


def build_unsubscribe_headers(address: str) -> dict[str, str]:
    """Return the headers for one-click unsubscribing, without signing in (RFC 8058)."""
    return {
        "List-Unsubscribe": f"<{address}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def build_unfollow_url(watch: Follow) -> str:
    """Return the address at which a person stops following one thing."""
    return settings.SITE + reverse("following:leave", args=[watch.key])


def build_unfollow_all_url(person: User) -> str:
    """Return the address at which a person stops following everything."""
    return settings.SITE + reverse("following:leave_all", args=[sign_person(person)])


def sign_person(person: User) -> str:
    """Return a signature for `person` that only the registry can make."""
    return signing.Signer(salt=UNFOLLOW_SALT).sign(str(person.pk))


def find_signed_person(word: str) -> User | None:
    """Return the person that `word` was made for, or None for an invalid word."""
    try:
        key = signing.Signer(salt=UNFOLLOW_SALT).unsign(word)
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=key).first()


LETTER_WIDTH: Final = 72
MAX_SUBJECT_LENGTH: Final = 200


def shorten_subject(subject: str) -> str:
    """Return a subject on one line, cut if it is too long for a list of mails."""
    return textwrap.shorten(subject, MAX_SUBJECT_LENGTH, placeholder="…")


def wrap_letter(text: str) -> str:
    """Wrap plain text to lines that mail programs show whole; a long word stays whole."""
    lines = [wrap_letter_line(line) for line in text.strip().splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def wrap_letter_line(line: str) -> str:
    """Wrap a line to `LETTER_WIDTH`, keeping its indentation."""
    if len(line) <= LETTER_WIDTH:
        return line
    margin = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line, LETTER_WIDTH, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
    )


def build_letter_context(event: Event) -> dict[str, Any]:
    """Return the context that all letters about `event` share."""
    registration_request, message = event.registration_request, find_carried_message(event)
    return {
        "event": event,
        "sentence": build_event_sentence(event, message),
        "registration_request": registration_request,
        "message": message,
        "remarks": list_open_remarks(event),
        "rivals": event.data.get("contended_with", ()),
        "facts": list_changed_facts(event),
        "missing_consent": find_missing_consent(read_request_clock(registration_request).case)
        if registration_request
        else None,
        "link": settings.SITE + find_letter_path(event) + (f"#{message.anchor}" if message else ""),
    }


def build_event_sentence(event: Event, message: Message | None) -> str:
    """Say who did what, without a full stop."""
    if message:
        return _("%(who)s wrote") % {"who": message.author_name}
    return _("%(who)s %(what)s") % {"who": event.actor_name, "what": describe_event(event)}


def list_changed_facts(event: Event) -> list[tuple[str, str, str]]:
    """Return the changed facts of a namespace: what, before and after."""
    before, after = event.data.get("before"), event.data.get("after")
    if not isinstance(before, dict) or not isinstance(after, dict):
        return []
    labels = {field.name: str(field.verbose_name) for field in Namespace._meta.fields}
    return [
        (labels[name], format_fact(before.get(name)), format_fact(now))
        for name, now in after.items()
    ]


def format_fact(fact: object) -> str:
    """Return a fact as one line."""
    parts = fact if isinstance(fact, list) else str(fact or "").split("\n")
    return ", ".join(str(part).strip() for part in parts) or _("(nothing)")


def list_open_remarks(event: Event) -> list[tuple[str, str, str]]:
    """Return what a decision points to: section, passage and text of each open remark."""
    registration_request, numbers = event.registration_request, event.data.get("remarks")
    if registration_request is None or not numbers:
        return []
    found = registration_request.remarks.filter(number__in=numbers)
    return [(field(each.section).label, each.quote, each.text) for each in found]


def find_letter_path(event: Event) -> str:
    """Return the address on this site that a letter links to."""
    if event.registration_request:
        return event.registration_request.get_absolute_url()
    if event.verb in HOLD_VERBS:
        return reverse("held:index")
    if "enquiry" in event.data:
        return reverse("enquiries:detail", args=[event.data["enquiry"]])
    if "speaker" in event.data:
        return reverse("organizations:speaker", args=[event.data["speaker"]])
    if "organization_id" in event.data:
        return reverse("organizations:detail", args=[event.data["organization_id"]])
    return event.namespace.get_absolute_url() if event.namespace else reverse("home:index")


TURN_PAGES: Final[dict[tuple[State, Turn], str]] = {
    (State.IN_REVIEW, Turn.EXPERTS): "review:detail",
    (State.IN_REVIEW, Turn.LEAD): "review:assign",
    (State.IN_REVIEW, Turn.STANDARDS_BODY): "review:assign",
    (State.REPORTED, Turn.LEAD): "review:recuse",
    (State.APPROVED, Turn.LEAD): "review:recuse",
    (State.APPROVED, Turn.REGISTRAR): "publish:detail",
    (State.APPROVED, Turn.STANDARDS_BODY): "publish:detail",
    (State.REPORTED, Turn.STANDARDS_BODY): "direction:detail",
    (State.APPEALED, Turn.STANDARDS_BODY): "direction:detail",
}
"""Where people whose turn it is find their buttons, if not on the request's page."""


def find_turn_url(registration_request: RegistrationRequest, waiting: CurrentTurn) -> str:
    """Return the page with the buttons for those whose turn it is; opening it changes nothing."""
    if waiting.turn == Turn.HOLDER:
        return settings.SITE + find_consent_path(registration_request)
    state = State(registration_request.state)
    page = TURN_PAGES.get((state, waiting.turn))
    if waiting.challenges and waiting.turn != Turn.EXPERTS:
        page = "requests:comment"
    is_for_body = waiting.turn == Turn.STANDARDS_BODY
    is_new = registration_request.namespace_id is None
    if is_for_body and is_new and (hold := waiting.case.find_hold(registration_request.nid)):
        return settings.SITE + hold.get_absolute_url()
    if is_for_body and explain_own_stay(waiting.case):
        page = "direction:detail"
    # What two offices can do about it, such as publish it or hear an appeal, is on its own page.
    is_appealed = waiting.case.has_pending_appeal and page == "publish:detail"
    is_of_two = registration_request.change in permissions.SECOND_OFFICER_CHANGES
    if not page or (is_for_body and (is_of_two or is_appealed)):
        return settings.SITE + registration_request.get_absolute_url()
    return settings.SITE + reverse(page, args=[registration_request.slug])


def find_consent_path(registration_request: RegistrationRequest) -> str:
    """Return where somebody who speaks for a body consents to the last round."""
    missing = find_missing_consent(read_request_clock(registration_request).case)
    if missing and missing.kind == ObstacleKind.CONSENT:
        return reverse("requests:act", args=[registration_request.slug, "consent"])
    return registration_request.get_absolute_url()


def is_recognition_awaited(event: Event) -> bool:
    """Whether an event is about an organization that waits to be recognised or refused."""
    return "recognition" in event.data and event.verb not in RECOGNITION_VERBS


def build_subject(event: Event, sentence: str) -> str:
    """Return the subject, which begins with the reference so that people can sort and search."""
    asked = event.registration_request
    reference = f"[{asked.reference}] " if asked else ""
    nid = f"{asked.nid}: " if asked and asked.nid else ""
    return shorten_subject(reference + nid + sentence)


def explain_reason(concern: Recipient) -> str:
    if concern.follow:
        return describe_follow(concern.follow)
    if concern.registration_request:
        return _("You write or review %(reference)s, which asks for the same identifier.") % {
            "reference": concern.registration_request.reference
        }
    return str(concern.reason.label)


def describe_follow(watch: Follow) -> str:
    if watch.registration_request:
        reference = watch.registration_request.reference
        return _("You follow the request %(reference)s.") % {"reference": reference}
    if watch.nid:
        return _("You follow urn:%(nid)s.") % {"nid": watch.nid}
    return _("You follow everything in the registry.")


MAX_LETTER_KEY_LENGTH: Final = 200


class LetterWriter:
    """Writes the letters about one event, rendering each wording only once."""

    def __init__(self, event: Event) -> None:
        self.event = event
        asked = event.registration_request
        self.said: dict[str, Any] = build_letter_context(event)
        waiting = selectors.find_current_turn(asked) if asked else None
        self.said["waiting"] = waiting
        self.turn_reason: LetterReason | None = None
        self.actors: frozenset[User] | None = None
        if asked and waiting:
            self.turn_reason = recipients.REASON_BY_TURN.get(waiting.turn)
            self.actors = frozenset(read_request_clock(asked).actors.people)
            self.said["turn_url"] = find_turn_url(asked, waiting)
        elif is_recognition_awaited(event):
            self.turn_reason = LetterReason.STANDARDS_BODY
            page = reverse("direction:recognition", args=[event.data["recognition"]])
            self.said["turn_url"] = settings.SITE + page
        elif "speaker" in event.data and event.data.get("to"):
            self.turn_reason = LetterReason(event.data["to"][0])
            self.said["turn_url"] = settings.SITE + find_letter_path(event)
        self.wordings: dict[tuple[bool, bool, bool], tuple[str, str]] = {}
        # Placeholder for one reader's unsubscribe address; nobody can have typed it.
        self.leave = secrets.token_hex(16)
        # Placeholder for the address where one published contact objects.
        self.objection = secrets.token_hex(16)
        # Placeholder for the reason why one reader gets the letter.
        self.why = secrets.token_hex(16)

    def letter(self, concern: Recipient) -> Letter:
        """Return the letter to one recipient, not saved."""
        leave = build_unfollow_url(concern.follow) if concern.follow else ""
        objection, why = self.find_objection_url(concern), explain_reason(concern)
        text, html = self.wording(concern, bool(objection))
        own = {self.leave: leave, self.objection: objection}
        text = fill_in(text, own | {self.why: wrap_letter_line(why)})
        html = fill_in(html, own | {self.why: conditional_escape(why)})
        return Letter(
            key=build_letter_key(self.event, concern.address),
            recipient=concern.person,
            address=concern.address,
            reason=concern.reason,
            event=self.event,
            registration_request=concern.registration_request or self.event.registration_request,
            follow=concern.follow,
            delivery=concern.delivery(self.event),
            subject=build_subject(self.event, self.said["sentence"]),
            text=text,
            html=html,
            headers=build_letter_headers(self.event, concern, self.said["message"], leave),
            written_at=self.event.at,
        )

    def find_objection_url(self, concern: Recipient) -> str:
        """Return where an address on record can object, while there is anything to object to."""
        asked = self.event.registration_request
        if (
            concern.reason not in {LetterReason.CONTACT, LetterReason.BODY}
            or asked is None
            or asked.state not in LIVE_STATES
            or enums.is_verb_of_kind(self.event.verb, VerbKind.PUBLICATION)
        ):
            return ""
        return build_objection_url(asked, concern.address)

    def wording(self, concern: Recipient, may_object: bool) -> tuple[str, str]:
        """Return text and HTML with placeholders, rendered once for all readers who get the same.

        They do if it is their turn or not, and if they can unsubscribe or object or not.
        """
        may_leave = concern.follow is not None
        is_your_turn = concern.reason == self.turn_reason and (
            self.actors is None or concern.person in self.actors
        )
        kind = (is_your_turn, may_leave, may_object)
        if kind not in self.wordings:
            own = {
                "is_your_turn": is_your_turn,
                "why": self.why,
                "leave": self.leave if may_leave else "",
                "objection": self.objection if may_object else "",
                "follows": settings.SITE + reverse("following:index") if may_leave else "",
            }
            self.wordings[kind] = render_letter("letter", self.said | own)
        return self.wordings[kind]


def fill_in(text: str, own: Mapping[str, str]) -> str:
    """Return a text with one reader's own words in place of the placeholders."""
    for placeholder, said in own.items():
        text = text.replace(placeholder, said)
    return text


@dataclass(frozen=True, slots=True)
class LetterBatch:
    """Letters about an event composed before it had a number, and a text for the list."""

    event: Event
    letters: Sequence[Letter] = ()
    message: Message | None = None
    text: Letter | None = None

    def number_letters(self) -> Sequence[Letter]:
        """Complete the letters with the number and time of the event, now saved; return them."""
        for letter in self.letters:
            letter.event, letter.key = self.event, build_letter_key(self.event, letter.address)
            letter.written_at = self.event.at
            if self.message is None:
                letter.headers["Message-ID"] = build_letter_id(self.event, letter.address)
        return self.letters


def compose_letters(
    event: Event, concerns: Sequence[Recipient], text: Letter | None = None
) -> LetterBatch:
    """Return a letter to each recipient, not saved, in the language of the site.

    `text` is what the mailing list gets in addition.
    """
    if not concerns:
        return LetterBatch(event, text=text)
    with translation.override(settings.LANGUAGE_CODE):
        writer = LetterWriter(event)
        letters = [writer.letter(concern) for concern in concerns]
        return LetterBatch(event, letters, writer.said["message"], text)


def render_letter(template: str, context: dict[str, Any]) -> tuple[str, str]:
    text = render_to_string(f"mail/{template}.txt", context)
    return wrap_letter(text), render_to_string(f"mail/{template}.html", context)


def write_withheld_text(letter: Letter) -> str:
    """Return only what happened, for a reader who may no longer read the letter."""
    if letter.event is None:
        return letter.text
    with translation.override(settings.LANGUAGE_CODE):
        sentence = build_event_sentence(letter.event, find_carried_message(letter.event))
        why = str(LetterReason(letter.reason).label)
        context = {"sentence": sentence, "why": why}
        return wrap_letter(render_to_string("mail/withheld.txt", context))


def build_letter_key(event: Event, address: str) -> str:
    """Return the key of a letter: its event and its address, unique to it."""
    spelled = f"{event.number}:{address.lower()}"
    if len(spelled) <= MAX_LETTER_KEY_LENGTH:
        return spelled
    return f"{event.number}:{hashlib.sha256(spelled.encode()).hexdigest()}"


def build_letter_headers(
    event: Event, concern: Recipient, message: Message | None, leave: str
) -> dict[str, str]:
    """Return the headers of a letter that not every mail has."""
    place = (
        build_message_headers(message)
        if message
        else {"Message-ID": build_letter_id(event, concern.address)}
    )
    return build_general_headers() | place | (build_unsubscribe_headers(leave) if leave else {})
