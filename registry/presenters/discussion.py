"""The discussion of a request on its page: messages, and events between them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from django.conf import settings

from registry import permissions
from registry.actions import discussion
from registry.enums import (
    MessageChannel,
    Role,
)
from registry.journal.event_messages import (
    REMARK_VERBS,
    EventMessage,
    describe_events,
)
from registry.models import Event, Message, PendingComment, RegistrationRequest, Remark, User
from registry.permissions import Person
from registry.presenters.charts import TurnPicture, picture_turns
from registry.selectors.requests import find_writer_ids
from registry.template import field as section_of

VERBS_SHOWN_ELSEWHERE: Final = (
    "start",
    "comment",
    "advise",
    "challenge",
    "answer_challenge",
    "hide_message",
    "show_message",
    *REMARK_VERBS,
)
"""Events that the discussion leaves out: it shows messages and remarks themselves."""


# Who wrote what is quoted, on up to four lines if it begins as mail programs begin it.
_ATTRIBUTION: Final = (
    r"(?:(?:On|Am|Le|El|Em|Il|Op|Den|Dne|Dana|Na|På|W dniu|In (?:message|article)|Quoting"
    r"|[0-9*\"]|[^\n>]{1,80}<[^\n<>]{3,120}$)(?=[^>]{0,400}[0-9@])[^\n]{0,200}"
    r"(?:\n(?![ ]{0,3}>)[^\n]{1,200}){0,3}?[:：]|(?![ ]{0,3}>)[^\n]{0,200}[:：])[ \u00a0]*\n+"
)
_QUOTED: Final = r"[ ]{0,3}(?:[A-Z][A-Za-z]{0,3})?>[^\n]*(?:\n|\Z)"
_QUOTE_PATTERN: Final = re.compile(
    rf"(?:^{_ATTRIBUTION})?(?:^{_QUOTED})+|^{_ATTRIBUTION}(?:^\|(?: [^\n|]*)?(?:\n|\Z))+",
    re.MULTILINE,
)
_SENDER, _DAY, _SUBJECT = (
    rf"[*]?(?:{words.replace(' ', '|')})[ ]?[:：]"
    for words in (
        "From Von De Da Van Fra Från Od Lähettäjä От 发件人",
        "Sent Date Gesendet Datum Envoyé Enviado Fecha Data Inviato Verzonden Sendt Skickat",
        "Subject Betreff Objet Asunto Assunto Oggetto Onderwerp Ämne Emne",
    )
)
# What mail programs and mailing lists put below the words of the writer: the signature, the whole
# letter that is answered or forwarded, and the list's own lines.
_TRAILER_PATTERN: Final = re.compile(
    r"^(?:-- ?$|-{3,}\s?Original Message\s?-{3,}$"
    rf"|-{{2,}}[ ]?[^\n-][^\n]{{2,50}}-{{2,}}[ ]*\n+(?={_SENDER}|{_DAY}|{_SUBJECT})"
    rf"|(?:_{{10,}}\n+)?{_SENDER}[^\n]*\n(?:[^\n:]{{1,40}}:[^\n]*\n){{0,4}}{_DAY}"
    r"|(?:[ ]{2,}|-{2,}[ ])On [^\n]{10,200} wrote(?::|[ ]-{2,})[ ]*$"
    r"|Begin forwarded message:|_{20,}\n[^\n]{0,80}(?:mailing list|\n[^\n]{0,80}@)"
    r"|(?:Sent from (?:my|Mail for)|Get Outlook for|Von meinem \S+ gesendet|Envoyé de mon)\b).*",
    re.MULTILINE | re.S,
)


@dataclass(frozen=True, slots=True)
class MessagePart:
    """A piece of a message; quotes from others are folded."""

    text: str
    is_folded: bool = False


@dataclass(frozen=True)
class DiscussionMessage:
    """One message with its answers."""

    message: Message
    roles: Sequence[Role] = ()
    is_registrant: bool = False
    answers: list[DiscussionMessage] = field(default_factory=list)

    @property
    def at(self) -> datetime.datetime:
        """When it was written."""
        return self.message.posted_at

    @property
    def section(self) -> str:
        """The name of the section it is about, if any."""
        return section_of(self.message.section).label if self.message.section else ""

    @classmethod
    def of(cls, message: Message) -> DiscussionMessage:
        """Return a message without its answers."""
        roles = User.objects.roles_of([find_author_id(message)]).get(message.author_id or 0, ())
        return cls(message, roles)

    @property
    def is_by_mail(self) -> bool:
        """Whether it came from the mailing list, so that nobody has checked who wrote it."""
        return self.message.channel == MessageChannel.LIST

    @property
    def parts(self) -> list[MessagePart]:
        """The text; in letters, quotes are folded."""
        return (
            fold_quotes(self.message.text) if self.is_by_mail else [MessagePart(self.message.text)]
        )


@dataclass(frozen=True, slots=True)
class DiscussionEvent:
    line: EventMessage

    @property
    def at(self) -> datetime.datetime:
        """When it happened."""
        return self.line.event.at


@dataclass(frozen=True)
class Discussion:
    """What one reader sees of the discussion of a request."""

    registration_request: RegistrationRequest
    reader: Person
    newest_first: bool = False

    @cached_property
    def entries(self) -> list[DiscussionMessage | DiscussionEvent]:
        """Messages with their answers, and events between them, in chronological order."""
        said = build_threads(self.registration_request, self.public)
        events = [each for each in self.events if each.verb not in VERBS_SHOWN_ELSEWHERE]
        entries: list[DiscussionMessage | DiscussionEvent] = [
            *said,
            *map(DiscussionEvent, describe_events(events)),
        ]
        return sorted(entries, key=lambda entry: entry.at, reverse=self.newest_first)

    @cached_property
    def events(self) -> list[Event]:
        """The journal of the request, in order."""
        return list(self.registration_request.events.order_by("number"))

    @cached_property
    def turns(self) -> TurnPicture | None:
        """The days of the request, split by whose turn it was; None before its first round."""
        return picture_turns(self.events)

    @cached_property
    def public(self) -> list[Message]:
        """The public messages, oldest first."""
        return list(self.registration_request.messages.public().with_people())

    @cached_property
    def questions(self) -> list[Remark]:
        """The unanswered questions of experts."""
        return list(self.registration_request.remarks.open().questions())

    @cached_property
    def why_closed(self) -> str:
        """Why the reader cannot write; empty if they can, or could after signing in."""
        closed = discussion.explain_closed_discussion(self.registration_request)
        if closed or not isinstance(self.reader, User):
            return closed
        may_write = permissions.has_confirmed_address(self.reader)
        return "" if may_write else discussion.describe_commenters()

    @cached_property
    def may_moderate(self) -> bool:
        """Whether the reader hides messages, and shows them again."""
        return permissions.may_moderate(self.reader)

    @property
    def pending(self) -> list[PendingComment]:
        """What the reader has sent and nobody else can see yet."""
        if not isinstance(self.reader, User):
            return []
        mine = self.registration_request.pending_comments.filter(author=self.reader)
        return list(mine.select_related("answers"))

    @property
    def list_address(self) -> str:
        """The address of the mailing list, empty if there is none."""
        address: str = settings.REGISTRY_LIST_ADDRESS
        return address

    @property
    def list_archive(self) -> str:
        """The archive of the list, empty if unknown."""
        archive: str = settings.REGISTRY_LIST_ARCHIVE if self.list_address else ""
        return archive


def find_expert_notes(
    reader: Person, registration_request: RegistrationRequest
) -> list[DiscussionMessage] | None:
    """Return the notes between experts; None for other readers."""
    if not permissions.may_read_expert_notes(reader, registration_request):
        return None
    found = registration_request.messages.among_experts().with_people()
    roles = User.objects.roles_of(map(find_author_id, found))
    return [DiscussionMessage(message, roles.get(message.author_id or 0, ())) for message in found]


def build_threads(
    registration_request: RegistrationRequest, public: Iterable[Message]
) -> list[DiscussionMessage]:
    """Return the messages that begin a thread, each with its answers."""
    found = list(public)
    roles, writers = (
        User.objects.roles_of(map(find_author_id, found)),
        find_writer_ids(registration_request),
    )
    shown: dict[int, DiscussionMessage] = {}
    for message in found:
        author = find_author_id(message) or 0
        shown[message.pk] = DiscussionMessage(message, roles.get(author, ()), author in writers)
    for said in shown.values():
        if said.message.answers_id:
            shown[said.message.answers_id].answers.append(said)
    return [said for said in shown.values() if not said.message.answers_id]


def find_author_id(message: Message) -> int | None:
    """Return the key of the author, if known."""
    return message.author_id if message.is_sender_verified else None


def fold_quotes(text: str) -> list[MessagePart]:
    """Return the text of a letter, with quotes separated from the author's own words."""
    rest = _TRAILER_PATTERN.search(text)
    written, tail = (text[: rest.start()], rest.group()) if rest else (text, "")
    at, parts = 0, []
    for quoted in _QUOTE_PATTERN.finditer(written):
        parts += [
            MessagePart(written[at : quoted.start()]),
            MessagePart(quoted.group(), is_folded=True),
        ]
        at = quoted.end()
    parts += [MessagePart(written[at:]), MessagePart(tail, is_folded=True)]
    return [part for part in parts if part.text.strip()]
