"""Atom feeds of requests and namespaces (RFC 4287), with conditional answers."""

from __future__ import annotations

import datetime
import hashlib
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import http_date, quote_etag
from django.utils.translation import gettext as _
from django.utils.xmlutils import SimplerXMLGenerator
from django.views.decorators.http import require_safe

from registry.models import Event, Namespace, RegistrationRequest
from registry.pages.feeds import acts_about, acts_on_namespaces, acts_on_requests, entries
from registry.views.namespaces import canonical

NEVER: Final = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


class Feed(Atom1Feed):
    """A feed whose entries carry their whole text."""

    def add_item_elements(self, handler: SimplerXMLGenerator, item: dict[str, Any]) -> None:
        """Write one entry, with its text as content."""
        super().add_item_elements(handler, item | {"description": None})
        handler.addQuickElement("content", item["description"], {"type": "html"})

    def latest_post_date(self) -> datetime.datetime:
        """When it changed last; a feed without entries never has."""
        return super().latest_post_date() if self.items else NEVER


@require_safe
def requests(request: HttpRequest) -> HttpResponseBase:
    """Every public act on any request."""
    return feed(request, _("Requests for URN namespaces"), "/requests/", acts_on_requests())


@require_safe
def request(request: HttpRequest, reference: str) -> HttpResponseBase:
    """Every public act on one request."""
    public = RegistrationRequest.objects.public()
    found = get_object_or_404(public, reference=reference.upper())
    if reference != found.slug:
        return redirect("feeds:request", found.slug, permanent=True)
    acts = acts_on_requests().filter(registration_request=found)
    title = _("Request %(name)s") % {"name": found}
    return feed(request, title, found.get_absolute_url(), acts)


@require_safe
def namespaces(request: HttpRequest) -> HttpResponseBase:
    """What is new and changed among the registered namespaces."""
    return feed(request, _("URN namespaces"), "/namespaces/", acts_on_namespaces())


@require_safe
def namespace(request: HttpRequest, nid: str) -> HttpResponseBase:
    """What happens to one namespace, and what is asked for it."""
    if nid != canonical(nid):
        return redirect("feeds:namespace", canonical(nid), permanent=True)
    found = get_object_or_404(Namespace, nid=nid)
    title = _("Namespace urn:%(nid)s") % {"nid": nid}
    return feed(request, title, found.get_absolute_url(), acts_about(found))


def feed(request: HttpRequest, title: str, path: str, acts: QuerySet[Event]) -> HttpResponseBase:
    """Write the newest of `acts`; whoever has them already is told so."""
    written = Feed(
        title=title,
        link=settings.SITE + path,
        description=None,
        language=settings.LANGUAGE_CODE,
        feed_url=settings.SITE + request.path,
        feed_guid=settings.SITE + request.path,
    )
    for each in entries(acts):
        written.add_item(
            title=each.title,
            link=each.url,
            description=each.content,
            unique_id=each.id,
            pubdate=each.at,
            updateddate=each.at,
            author_name=each.author,
        )
    return conditional(request, written)


def conditional(request: HttpRequest, written: Feed) -> HttpResponseBase:
    """Return the feed, or only that it is as it was."""
    latest = written.latest_post_date()
    octets = written.writeString("utf-8").encode()
    etag = quote_etag(hashlib.sha256(octets).hexdigest())
    response = HttpResponse(octets, content_type="application/atom+xml; charset=utf-8")
    response["ETag"], response["Last-Modified"] = etag, http_date(latest.timestamp())
    response["Cache-Control"] = "max-age=0, must-revalidate"
    answer = get_conditional_response(request, etag, int(latest.timestamp()), response)
    return answer or response
