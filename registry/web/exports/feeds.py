"""Atom feeds of requests and namespaces (RFC 4287): public events, each with a permanent id."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.utils.xmlutils import SimplerXMLGenerator

from registry.exchange.exports.xml_documents import remove_barred_characters
from registry.forms.filters import NamespaceFilter
from registry.http.file_responses import respond_with_text
from registry.http.formats import encode_filters, serve_format
from registry.http.methods import require_reading
from registry.http.redirects import redirect_to_canonical
from registry.journal.event_messages import EventMessage, describe_events
from registry.models import Event, Message, Namespace, Registration, RegistrationRequest
from registry.selectors.events import (
    build_event_path,
    build_event_tag,
    build_message_key,
    map_event_messages,
    public_events_about,
    public_namespace_events,
    public_request_events,
    publications_since,
)
from registry.selectors.transparency_log import find_published_head
from registry.web.namespaces.views import canonicalize_nid
from registry.web.requests.views import filter_requests

MAX_FEED_ENTRIES: Final = 50
"""How many entries a feed has, newest first."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """An event as a feed reader keeps it; `id` identifies it for ever (RFC 4151)."""

    id: str
    title: str
    url: str
    at: datetime.datetime
    author: str
    content: str


def build_feed_entries(events: QuerySet[Event]) -> list[FeedEntry]:
    """Return the newest of `events` as entries, in two queries however many there are."""
    lines = describe_events(events[:MAX_FEED_ENTRIES])
    said = map_event_messages(line.event for line in lines)
    return [build_feed_entry(line, said.get(build_message_key(line.event))) for line in lines]


def build_feed_entry(line: EventMessage, message: Message | None) -> FeedEntry:
    event = line.event
    context = {"line": line, "event": event, "message": message, "site": settings.SITE}
    return FeedEntry(
        id=build_event_tag(event),
        title=remove_barred_characters(
            f"{describe_feed_subject(event)}: {event.actor_name} {line.words}"
        ),
        url=settings.SITE + build_event_path(event, message),
        at=event.at,
        author=remove_barred_characters(event.actor_name),
        content=remove_barred_characters(render_to_string("feeds/act.html", context).strip()),
    )


def describe_feed_subject(event: Event) -> str:
    """Return what the event is about, for the beginning of a title."""
    registration_request = event.registration_request
    return str(registration_request) if registration_request else f"urn:{event.namespace}"


NEVER_UPDATED: Final = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


LOG_NAMESPACE: Final = "{site}/ns#"
"""The XML namespace of `log:checkpoint`, our only element that is not Atom's."""


class FullTextFeed(Atom1Feed):
    """A feed whose entries carry their full text, and which itself carries the head of the log.

    People who keep the feed keep heads with it, which expose a log that was rewritten.
    """

    def add_root_elements(self, handler: SimplerXMLGenerator) -> None:
        super().add_root_elements(handler)
        if published := find_published_head():
            address = settings.SITE + reverse("log:checkpoint")
            link = {"rel": "related", "type": "text/plain", "href": address}
            handler.addQuickElement("link", "", {**link, "title": str(_("Head of the log"))})
            names = {"xmlns:log": LOG_NAMESPACE.format(site=settings.SITE)}
            handler.addQuickElement("log:checkpoint", str(published.note), names)

    def add_item_elements(self, handler: SimplerXMLGenerator, item: dict[str, Any]) -> None:
        super().add_item_elements(handler, item | {"description": None})
        handler.addQuickElement("content", item["description"], {"type": "html"})

    def latest_post_date(self) -> datetime.datetime:
        """When it last changed; a feed without entries never has."""
        return super().latest_post_date() if self.items else NEVER_UPDATED


@serve_format("requests", "atom")
@require_reading
def serve_requests_feed(request: HttpRequest) -> HttpResponseBase:
    """Every public event on all requests that match the filters in the address."""
    acts = public_request_events()
    if request.GET:
        acts = acts.filter(registration_request__in=filter_requests(request.GET).qs.order_by())
    return respond_with_feed(request, _("Requests for URN namespaces"), "/requests/", acts)


@serve_format("request", "atom")
@require_reading
def serve_request_feed(request: HttpRequest, reference: str) -> HttpResponseBase:
    """Every public event on one request."""
    public = RegistrationRequest.objects.public()
    found = get_object_or_404(public, reference=reference.upper())
    if reference != found.slug:
        return redirect_to_canonical(request, "feeds:request", found.slug)
    acts = public_request_events().filter(registration_request=found)
    title = _("Request %(name)s") % {"name": found}
    return respond_with_feed(request, title, found.get_absolute_url(), acts)


@serve_format("namespaces", "atom")
@require_reading
def serve_namespaces_feed(request: HttpRequest) -> HttpResponseBase:
    """What is new and changed among the namespaces that match the filters."""
    acts = public_namespace_events()
    if request.GET:
        through = NamespaceFilter(request.GET).qs.order_by().values("pk")
        acts = acts.filter(namespace__in=through)
    return respond_with_feed(request, _("URN namespaces"), "/namespaces/", acts)


@serve_format("namespace", "atom")
@require_reading
def serve_namespace_feed(request: HttpRequest, nid: str) -> HttpResponseBase:
    """What happens to one namespace, and the requests for it."""
    if nid != canonicalize_nid(nid):
        return redirect_to_canonical(request, "feeds:namespace", canonicalize_nid(nid))
    found = get_object_or_404(Namespace, nid=nid)
    title = _("Namespace urn:%(nid)s") % {"nid": nid}
    return respond_with_feed(request, title, found.get_absolute_url(), public_events_about(found))


@serve_format("version", "atom")
@require_reading
def serve_version_feed(request: HttpRequest, nid: str, number: str) -> HttpResponseBase:
    """The publication of a version, and the versions that have replaced it since."""
    if nid != canonicalize_nid(nid):
        return redirect_to_canonical(request, "feeds:version", canonicalize_nid(nid), number)
    found = get_object_or_404(Registration, namespace__nid=nid, number=number)
    title = _("Version %(number)d of urn:%(nid)s") % {"number": found.number, "nid": nid}
    return respond_with_feed(request, title, found.get_absolute_url(), publications_since(found))


def respond_with_feed(
    request: HttpRequest, title: str, path: str, acts: QuerySet[Event]
) -> HttpResponseBase:
    """Write the newest of `acts`, or 304 to clients that have them.

    A feed's address is that of its own format, even when Accept selected it at the page.
    """
    query = encode_filters(request.GET)
    own = f"{path[:-1]}.atom{query}"
    written = FullTextFeed(
        title=title,
        link=settings.SITE + path + query,
        description=None,
        language=settings.LANGUAGE_CODE,
        feed_url=settings.SITE + own,
        feed_guid=settings.SITE + own,
    )
    for each in build_feed_entries(acts):
        written.add_item(
            title=each.title,
            link=each.url,
            description=each.content,
            unique_id=each.id,
            pubdate=each.at,
            updateddate=each.at,
            author_name=each.author,
        )
    latest, name = written.latest_post_date(), path.strip("/").replace("/", "-")
    return respond_with_text(
        request, "atom", written.writeString("utf-8"), name=name, changed_at=latest
    )
