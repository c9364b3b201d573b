"""What programs are told of a request: as lists show it, and with all there is to read."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from registry import queries, rules
from registry.choices import Change, State
from registry.models import RegistrationRequest
from registry.pages.public import reopens
from registry.pages.told.acts import act_told
from registry.pages.told.parts import message_told, remark_told, round_told, waiting_told
from registry.pages.told.written import Told, at, moment
from registry.queries import Waiting
from registry.queries.holder import missing_holder_word
from registry.queries.past import Moment, path_then
from registry.rules import Person

PEOPLE = ("round", "author", "answered_by", "answered_in")
ANYBODY = AnonymousUser()


def request_listed(
    registration_request: RegistrationRequest, site: str, waiting: Waiting | None
) -> Told:
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
        "state_since": moment(registration_request.state_since),
        "revision": registration_request.revision,
        "organization": registration_request.organization.name,
        "author": registration_request.author.name,
        "namespace": namespace.nid if namespace else None,
        "created_at": moment(registration_request.created_at),
        "waiting": waiting_told(waiting) if waiting else None,
        "url": at(site, "api:request", slug),
        "page": at(site, "requests:detail", slug),
    }


def request_told(
    registration_request: RegistrationRequest, site: str, reader: Person = ANYBODY
) -> Told:
    """Return a request with its rounds, and what was said and done, as `reader` may see it."""
    waiting, before = (
        queries.waiting_for(registration_request),
        reopens(registration_request, reader),
    )
    slug = registration_request.slug
    rounds = registration_request.rounds.sent()
    remarks = registration_request.remarks.select_related(*PEOPLE)
    messages = registration_request.messages.public().select_related("answers", "hidden_by")
    events = registration_request.events.order_by("number")
    return {
        **request_listed(registration_request, site, waiting),
        "missing_holder_word": missing_holder_word(registration_request) or None,
        "contended_with": [each.reference for each in queries.rivals_of(registration_request)],
        "reopens": before.reference if before else None,
        "reopened_as": heirs(registration_request, reader),
        "rounds": [round_told(each, slug, site) for each in rounds],
        "remarks": [remark_told(each) for each in remarks],
        "messages": [message_told(each, reader) for each in messages],
        "events": [act_told(each) for each in events],
        "links": links(registration_request, site, reader),
    }


def heirs(registration_request: RegistrationRequest, reader: Person) -> list[str]:
    """Return the requests that go on from this one, those that the reader may know of."""
    found = queries.visible_to(reader).filter(reopens=registration_request)
    return list(found.order_by("created_at").values_list("reference", flat=True))


def links(registration_request: RegistrationRequest, site: str, reader: Person) -> Told:
    """Return where there is more; null where there is nothing, or nothing for the reader."""
    slug, namespace = registration_request.slug, registration_request.namespace
    may_edit = rules.may_edit(reader, registration_request)
    sent = registration_request.rounds.sent().exists()
    return {
        "template": at(site, "requests:template", slug) if sent else None,
        "draft": at(site, "api:draft", slug) if may_edit else None,
        "namespace": at(site, "api:namespace", namespace.nid) if namespace else None,
        "rounds": at(site, "api:rounds", slug),
        "messages": at(site, "api:messages", slug),
        "remarks": at(site, "api:remarks", slug),
        "history": at(site, "requests:history", slug),
        "feed": at(site, "feeds:request", slug),
    }


def request_then_told(registration_request: RegistrationRequest, site: str, then: Moment) -> Told:
    """Return one of `queries.past.requests_then` as it was; what belongs to now is null."""
    was, state = vars(registration_request), vars(registration_request)["state_then"]
    path, standards_action = path_then(registration_request, then)
    registered = was["state_then"] == State.REGISTERED
    is_new = registration_request.change == Change.NEW
    namespace = registration_request.namespace
    return {
        **request_listed(registration_request, site, None),
        "nid": (was["nid_then"] or "").lower() or None,
        "path": path,
        "standards_action": standards_action,
        "state": state,
        "state_word": str(State(state).label),
        "state_since": moment(was["since_then"]),
        "revision": None,
        "namespace": namespace.nid if namespace and (registered or not is_new) else None,
        "as_of": moment(then.at),
    }


def request_then_whole(registration_request: RegistrationRequest, site: str, then: Moment) -> Told:
    """Return a request as it was, with the rounds sent until then and what had been done."""
    slug = registration_request.slug
    rounds = registration_request.rounds.sent().filter(submitted_at__lt=then.at)
    events = registration_request.events.filter(at__lt=then.at).order_by("number")
    return {
        **request_then_told(registration_request, site, then),
        "rounds": [round_told(each, slug, site) for each in rounds],
        "events": [act_told(each) for each in events],
    }
