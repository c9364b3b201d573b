"""The JSON of a request and its parts: rounds, remarks, messages, events; and of the figures."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import AnonymousUser

from registry import journal, permissions, selectors
from registry.actions.discussion import may_read_message
from registry.enums import ChangeKind, State
from registry.journal.event_messages import describe_event
from registry.models import Event, Message, RegistrationRequest, Remark, Round
from registry.permissions import Person
from registry.presenters.requests import find_reopened_request
from registry.selectors import CurrentTurn
from registry.selectors.as_of import Moment, find_path_as_of
from registry.selectors.durations import DurationRow
from registry.selectors.holder_consent import explain_missing_consent
from registry.serializers.base import JSONObject, build_url
from registry.serializers.values import format_date, format_datetime, serialize_template

PUBLIC_EVENT_MEMBERS: Final = (
    "line",
    "at",
    "actor",
    "verb",
    "what",
    "subject",
    "request",
    "nid",
    "source",
    "target",
    "comment",
    "data",
)
"""What a line says that everybody may read."""


def serialize_act(event: Event) -> JSONObject:
    """Return a line of the journal as the page of its request tells it."""
    return {
        "number": event.number,
        "at": format_datetime(event.at),
        "actor": event.actor_name,
        "verb": event.verb,
        "what": describe_event(event),
        "source": event.source or None,
        "target": event.target or None,
        "comment": event.comment or None,
        "round": event.data.get("round"),
        "sha256": event.data.get("sha256"),
        "checklist": dict(event.data.get("checklist", {})),
        "digest": event.digest,
    }


def serialize_public_event(event: Event) -> JSONObject:
    """Return a line of the whole journal, by which outsiders verify the chain of digests.

    Of a line that is not for everybody only its place in the chain is told.
    """
    chain = {
        "number": event.number,
        "previous": event.previous or None,
        "digest": event.digest,
    }
    if not vars(event)["is_open"]:
        return chain | dict.fromkeys(PUBLIC_EVENT_MEMBERS)
    asked, namespace = event.registration_request, event.namespace
    said = {
        "line": journal.canonicalize_event(event),
        "at": format_datetime(event.at),
        "actor": event.actor_name,
        "verb": event.verb,
        "what": describe_event(event),
        "subject": event.subject,
        "request": asked.reference if asked else None,
        "nid": namespace.nid if namespace else None,
        "source": event.source or None,
        "target": event.target or None,
        "comment": event.comment or None,
        "data": event.data,
    }
    return chain | {name: said[name] for name in PUBLIC_EVENT_MEMBERS}


def serialize_round(sent: Round, slug: str, site: str) -> JSONObject:
    """Return a text that was sent, and is frozen since."""
    return {
        "number": sent.number,
        "submitted_at": format_datetime(sent.submitted_at),
        "sha256": sent.sha256,
        "template": serialize_template(sent.template),
        "facts": dict(sent.facts),
        "findings": [serialize_text_finding(each) for each in sent.findings],
        "url": build_url(site, "api:round", slug, sent.number),
    }


def serialize_text_finding(finding: JSONObject) -> JSONObject:
    """Return what the machine had to say of a text."""
    names = ("check", "severity", "message", "source", "mend", "section")
    return {name: str(finding.get(name, "")) for name in names}


def serialize_remark(remark: Remark) -> JSONObject:
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
        "made_at": format_datetime(remark.made_at),
        "settlement": remark.settlement,
        "answer": remark.answer,
        "answered_by": remark.answered_by.name if remark.answered_by else None,
        "answered_in": remark.answered_in.number if remark.answered_in else None,
    }


def serialize_message(message: Message, reader: Person) -> JSONObject:
    """Return a message; of one that a moderator hid the text is for them and its author."""
    return {
        "number": message.number,
        "author_name": message.author_name,
        "posted_at": format_datetime(message.posted_at),
        "channel": message.channel,
        "is_sender_verified": message.is_sender_verified,
        "section": message.section or None,
        "answers": message.answers.number if message.answers else None,
        "text": message.text if may_read_message(reader, message) else None,
        "hidden_at": format_datetime(message.hidden_at),
        "hidden_by": message.hidden_by.name if message.hidden_by else None,
        "hidden_reason": message.hidden_reason or None,
    }


def serialize_waiting(waiting: CurrentTurn) -> JSONObject:
    """Return for whom a request waits, since when, promised by when, and what happens then."""
    return {
        "turn": waiting.turn.value,
        "who": waiting.who,
        "since": format_datetime(waiting.since),
        "promised_by": format_date(waiting.promised_by),
        "days_late": waiting.days_late,
        "late": waiting.late,
        "then": str(waiting.then),
        "otherwise": [
            {"words": str(each.words) % {"day": each.day.isoformat()}, "day": format_date(each.day)}
            for each in waiting.otherwise
        ],
        "alarm": waiting.alarm,
    }


REMARK_RELATIONS = ("round", "author", "answered_by", "answered_in")
ANYBODY = AnonymousUser()


def serialize_listed_request(
    registration_request: RegistrationRequest, site: str, waiting: CurrentTurn | None
) -> JSONObject:
    """Return a request as lists show it; `waiting` says for whom it waits."""
    slug, namespace = registration_request.slug, registration_request.namespace
    return {
        "reference": registration_request.reference,
        "nid": registration_request.nid or None,
        "summary": registration_request.summary,
        "change": registration_request.change,
        "path": registration_request.path,
        "standards_action": registration_request.standards_action,
        "state": registration_request.state,
        "state_word": registration_request.get_state_display(),
        "state_since": format_datetime(registration_request.state_since),
        "revision": registration_request.revision,
        "organization": registration_request.organization.name,
        "author": registration_request.author.name,
        "namespace": namespace.nid if namespace else None,
        "created_at": format_datetime(registration_request.created_at),
        "waiting": serialize_waiting(waiting) if waiting else None,
        "url": build_url(site, "api:request", slug),
        "page": build_url(site, "requests:detail", slug),
    }


def serialize_request(
    registration_request: RegistrationRequest, site: str, reader: Person = ANYBODY
) -> JSONObject:
    """Return a request with its rounds, and what was said and done, as `reader` may see it."""
    waiting, before = (
        selectors.find_current_turn(registration_request),
        find_reopened_request(registration_request, reader),
    )
    slug = registration_request.slug
    rounds = registration_request.rounds.sent()
    remarks = registration_request.remarks.select_related(*REMARK_RELATIONS)
    messages = registration_request.messages.public().select_related("answers", "hidden_by")
    events = registration_request.events.order_by("number")
    return {
        **serialize_listed_request(registration_request, site, waiting),
        "missing_holder_word": explain_missing_consent(registration_request) or None,
        "contended_with": [
            each.reference for each in selectors.list_rival_requests(registration_request)
        ],
        "reopens": before.reference if before else None,
        "reopened_as": list_successor_references(registration_request, reader),
        "rounds": [serialize_round(each, slug, site) for each in rounds],
        "remarks": [serialize_remark(each) for each in remarks],
        "messages": [serialize_message(each, reader) for each in messages],
        "events": [serialize_act(each) for each in events],
        "links": serialize_request_links(registration_request, site, reader),
    }


def list_successor_references(
    registration_request: RegistrationRequest, reader: Person
) -> list[str]:
    """Return the requests that go on from this one, those that the reader may know of."""
    found = selectors.requests_visible_to(reader).filter(reopens=registration_request)
    return list(found.order_by("created_at").values_list("reference", flat=True))


def serialize_request_links(
    registration_request: RegistrationRequest, site: str, reader: Person
) -> JSONObject:
    """Return where there is more; null where there is nothing, or nothing for the reader."""
    slug, namespace = registration_request.slug, registration_request.namespace
    may_edit = permissions.may_edit(reader, registration_request)
    sent = registration_request.rounds.sent().exists()
    return {
        "template": build_url(site, "requests:template", slug) if sent else None,
        "draft": build_url(site, "api:draft", slug) if may_edit else None,
        "namespace": build_url(site, "api:namespace", namespace.nid) if namespace else None,
        "rounds": build_url(site, "api:rounds", slug),
        "messages": build_url(site, "api:messages", slug),
        "remarks": build_url(site, "api:remarks", slug),
        "history": build_url(site, "requests:history", slug),
        "feed": build_url(site, "feeds:request", slug),
    }


def serialize_listed_request_as_of(
    registration_request: RegistrationRequest, site: str, then: Moment
) -> JSONObject:
    """Return one of `selectors.as_of.requests_as_of` as it was; what belongs to now is null."""
    was, state = vars(registration_request), vars(registration_request)["state_then"]
    path, standards_action = find_path_as_of(registration_request, then)
    registered = was["state_then"] == State.REGISTERED
    is_new = registration_request.change == ChangeKind.NEW
    namespace = registration_request.namespace
    return {
        **serialize_listed_request(registration_request, site, None),
        "nid": (was["nid_then"] or "").lower() or None,
        "path": path,
        "standards_action": standards_action,
        "state": state,
        "state_word": str(State(state).label),
        "state_since": format_datetime(was["since_then"]),
        "revision": None,
        "namespace": namespace.nid if namespace and (registered or not is_new) else None,
        "as_of": format_datetime(then.at),
    }


def serialize_request_as_of(
    registration_request: RegistrationRequest, site: str, then: Moment
) -> JSONObject:
    """Return a request as it was, with the rounds sent until then and what had been done."""
    slug = registration_request.slug
    rounds = registration_request.rounds.sent().filter(submitted_at__lt=then.at)
    events = registration_request.events.filter(at__lt=then.at).order_by("number")
    return {
        **serialize_listed_request_as_of(registration_request, site, then),
        "rounds": [serialize_round(each, slug, site) for each in rounds],
        "events": [serialize_act(each) for each in events],
    }


def serialize_figure(row: DurationRow) -> JSONObject:
    """Return how long stays take in a state, with a party or altogether; in days."""
    by, key = row.track
    return {
        "by": by,
        "key": str(key) or None,
        "name": str(row.label),
        "ended": row.closed.number,
        "median_days": round_days(row.closed.median),
        "percentile_95_days": round_days(row.closed.percentile),
        "waiting": row.open.number,
        "waiting_median_days": round_days(row.open.median),
        "waiting_longest_days": round_days(row.open.longest),
    }


def round_days(days: float | None) -> float | None:
    """Return days with two decimals, as pages and the CSV file have them."""
    return None if days is None else round(days, 2)
