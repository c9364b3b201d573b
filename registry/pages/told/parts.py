"""What programs are told of the parts of a request: rounds, remarks, messages, and waiting."""

from __future__ import annotations

from registry.discussion.moderation import may_read
from registry.models import Message, Remark, Round
from registry.pages.told.written import Told, at, day, moment, template_told
from registry.queries import Waiting
from registry.rules import Person


def round_told(sent: Round, slug: str, site: str) -> Told:
    """Return a text that was sent, and is frozen since."""
    return {
        "number": sent.number,
        "submitted_at": moment(sent.submitted_at),
        "sha256": sent.sha256,
        "template": template_told(sent.template),
        "facts": dict(sent.facts),
        "findings": [finding_told(each) for each in sent.findings],
        "url": at(site, "api:round", slug, sent.number),
    }


def finding_told(finding: Told) -> Told:
    """Return what the machine had to say of a text."""
    names = ("check", "severity", "message", "source", "mend", "section")
    return {name: str(finding.get(name, "")) for name in names}


def remark_told(remark: Remark) -> Told:
    """Return what an expert remarked on a passage, and what has become of it."""
    return {
        "number": remark.number,
        "round": remark.round.number,
        "section": remark.section,
        "quote": remark.quote,
        "start": remark.start,
        "weight": remark.weight,
        "text": remark.text,
        "author": remark.author.name,
        "made_at": moment(remark.made_at),
        "settlement": remark.settlement,
        "answer": remark.answer,
        "answered_by": remark.answered_by.name if remark.answered_by else None,
        "answered_in": remark.answered_in.number if remark.answered_in else None,
    }


def message_told(message: Message, reader: Person) -> Told:
    """Return a message; of one that a moderator hid the text is for them and its author."""
    return {
        "number": message.number,
        "author_name": message.author_name,
        "posted_at": moment(message.posted_at),
        "channel": message.channel,
        "is_sender_verified": message.is_sender_verified,
        "section": message.section or None,
        "answers": message.answers.number if message.answers else None,
        "text": message.text if may_read(reader, message) else None,
        "hidden_at": moment(message.hidden_at),
        "hidden_by": message.hidden_by.name if message.hidden_by else None,
        "hidden_reason": message.hidden_reason or None,
    }


def waiting_told(waiting: Waiting) -> Told:
    """Return for whom a request waits, since when, promised by when, and what happens then."""
    return {
        "turn": waiting.turn.value,
        "who": waiting.who,
        "since": moment(waiting.since),
        "promised_by": day(waiting.promised_by),
        "days_late": waiting.days_late,
        "late": waiting.late,
        "then": str(waiting.then),
        "otherwise": [
            {"words": str(each.words) % {"day": each.day.isoformat()}, "day": day(each.day)}
            for each in waiting.otherwise
        ],
        "alarm": waiting.alarm,
    }
