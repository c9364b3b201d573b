"""Atom feeds of requests and namespaces (RFC 4287), with conditional answers."""

from __future__ import annotations

import datetime
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.utils.xmlutils import SimplerXMLGenerator
from django.views.decorators.http import require_safe

from registry.forms.filters import NamespaceFilter
from registry.models import Event, Namespace, Registration, RegistrationRequest
from registry.pages.feeds import entries
from registry.queries.acts import acts_about, acts_on_namespaces, acts_on_requests, acts_since
from registry.views.delivery import answer
from registry.views.links import filters
from registry.views.machine import in_form
from registry.views.moved import moved
from registry.views.namespaces import canonical
from registry.views.requests import filtered

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


@in_form("requests", "atom")
@require_safe
def requests(request: HttpRequest) -> HttpResponseBase:
    """Every public act on any request that the filters in the address let through."""
    acts = acts_on_requests()
    if request.GET:
        acts = acts.filter(registration_request__in=filtered(request.GET).qs.order_by())
    return feed(request, _("Requests for URN namespaces"), "/requests/", acts)


@in_form("request", "atom")
@require_safe
def request(request: HttpRequest, reference: str) -> HttpResponseBase:
    """Every public act on one request."""
    public = RegistrationRequest.objects.public()
    found = get_object_or_404(public, reference=reference.upper())
    if reference != found.slug:
        return moved(request, "feeds:request", found.slug)
    acts = acts_on_requests().filter(registration_request=found)
    title = _("Request %(name)s") % {"name": found}
    return feed(request, title, found.get_absolute_url(), acts)


@in_form("namespaces", "atom")
@require_safe
def namespaces(request: HttpRequest) -> HttpResponseBase:
    """What is new and changed among the namespaces that the filters let through."""
    acts = acts_on_namespaces()
    if request.GET:
        through = NamespaceFilter(request.GET).qs.order_by().values("pk")
        acts = acts.filter(namespace__in=through)
    return feed(request, _("URN namespaces"), "/namespaces/", acts)


@in_form("namespace", "atom")
@require_safe
def namespace(request: HttpRequest, nid: str) -> HttpResponseBase:
    """What happens to one namespace, and what is asked for it."""
    if nid != canonical(nid):
        return moved(request, "feeds:namespace", canonical(nid))
    found = get_object_or_404(Namespace, nid=nid)
    title = _("Namespace urn:%(nid)s") % {"nid": nid}
    return feed(request, title, found.get_absolute_url(), acts_about(found))


@in_form("version", "atom")
@require_safe
def version(request: HttpRequest, nid: str, number: str) -> HttpResponseBase:
    """That a version was published, and which versions replaced it since."""
    if nid != canonical(nid):
        return moved(request, "feeds:version", canonical(nid), number)
    found = get_object_or_404(Registration, namespace__nid=nid, number=number)
    title = _("Version %(number)d of urn:%(nid)s") % {"number": found.number, "nid": nid}
    return feed(request, title, found.get_absolute_url(), acts_since(found))


def feed(request: HttpRequest, title: str, path: str, acts: QuerySet[Event]) -> HttpResponseBase:
    """Write the newest of `acts`; whoever has them already is told so.

    The address of the feed is that of its form, also where Accept asked for it at the page.
    """
    query = filters(request.GET)
    own = f"{path[:-1]}.atom{query}"
    written = Feed(
        title=title,
        link=settings.SITE + path + query,
        description=None,
        language=settings.LANGUAGE_CODE,
        feed_url=settings.SITE + own,
        feed_guid=settings.SITE + own,
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
    latest, name = written.latest_post_date(), path.strip("/").replace("/", "-")
    return answer(request, "atom", written.writeString("utf-8"), name=name, changed_at=latest)
