"""Namespaces and their versions at the other addresses of their pages, for programs.

Nobody's session is looked at: everybody is told the same.
"""

from __future__ import annotations

import datetime
from typing import Final

from django.conf import settings
from django.db.models import OuterRef, Subquery, Value
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from registry import queries
from registry.exports.entries import Entry, entry
from registry.exports.forms import FORMS
from registry.models import Event, Namespace, ResolutionService
from registry.models.namespace import NamespaceQuerySet
from registry.pages.endings import NAMESPACE, VERSION, Version
from registry.queries import Prepared
from registry.views.delivery import answer
from registry.views.links import link
from registry.views.machine import in_form
from registry.views.moved import moved
from registry.views.namespaces import canonical
from registry.views.refusing import refusal
from registry.views.versions import of_namespace, of_version

NEEDS_TEXT: Final = frozenset({"md", "rfc.xml"})


@in_form("namespace")
@require_safe
def file(request: HttpRequest, nid: str, form: str) -> HttpResponseBase:
    """Return a namespace in one of its forms; its text is that of the version in force.

    Where no text is held, a section of a draft has nothing to show: `.txt` says what is known.
    """
    if nid != canonical(nid):
        return moved(request, "namespaces:file", canonical(nid), form)
    shown = entry(found(nid))
    if form in NEEDS_TEXT and shown.current is None:
        return see_other("namespaces:file", nid, "txt")
    text = NAMESPACE[form](shown, settings.SITE)
    response = answer(request, form, text, name=nid, changed_at=changed_at(shown.namespace))
    link(response, of_namespace(list(shown.versions)))
    return response


@in_form("version")
@require_safe
def version_file(request: HttpRequest, nid: str, number: str, form: str) -> HttpResponseBase:
    """Return one version in one of its forms, at an address that stays."""
    if nid != canonical(nid):
        return moved(request, "namespaces:version_file", canonical(nid), number, form)
    shown = version_of(entry(found(nid)), int(number))
    text = VERSION[form](shown, settings.SITE)
    name, changed = f"{nid}-version-{shown.registration.number}", changed_at(shown.entry.namespace)
    response = answer(request, form, text, name=name, changed_at=changed)
    link(response, of_version(list(shown.entry.versions), shown.registration))
    return response


@require_safe
def no_form(request: HttpRequest, nid: str, form: str) -> HttpResponseBase:
    """Say of an ending that nothing has which endings there are."""
    every = ", ".join(f".{ending}" for ending in FORMS)
    return refusal(
        "",
        404,
        _("Nothing here ends in .%(form)s. %(every)s is what there is.")
        % {"form": form, "every": every},
    )


def dated(nid: Value) -> NamespaceQuerySet:
    """Return the namespace of that NID with when something was last said of it."""
    acts = Event.objects.filter(namespace=OuterRef("pk")).order_by("-number")
    probed = ResolutionService.objects.filter(namespace=OuterRef("pk"), probed_at__isnull=False)
    return (
        Namespace.objects.for_lists()
        .annotate(
            acted_at=Subquery(acts.values("at")[:1]),
            probed_at=Subquery(probed.order_by("-probed_at").values("probed_at")[:1]),
        )
        .filter(nid=nid)
    )


FOUND: Final = Prepared(dated)


def found(nid: str) -> Namespace:
    """Return the namespace of that NID with what is told of it, or raise `Http404`."""
    namespace = FOUND.first(nid)
    if namespace is None:
        raise Http404(unknown(nid))
    return namespace


def unknown(nid: str) -> str:
    """Return what there is to say of a NID that is not registered."""
    near = ", ".join(each.nid for each in queries.nids_near(nid)[:5])
    said = _("No namespace “%(nid)s” is registered.") % {"nid": nid}
    return f"{said} {_('Close to it: %(near)s.') % {'near': near}}" if near else said


def version_of(shown: Entry, number: int) -> Version:
    """Return the version of that number, or raise `Http404`."""
    for each in shown.versions:
        if each.number == number:
            return Version(shown, each)
    raise Http404(
        _("No version %(number)d of “%(nid)s” is held here.") % {"number": number, "nid": shown.nid}
    )


def changed_at(namespace: Namespace) -> datetime.datetime:
    """Return when what is told of a namespace of `found` last changed; acts are in the journal."""
    moments = (namespace.updated_at, vars(namespace)["acted_at"], vars(namespace)["probed_at"])
    return max(each for each in moments if each)


def see_other(view: str, *args: object) -> HttpResponseRedirect:
    """Lead to what there is instead (RFC 9110, section 15.4.4)."""
    response = HttpResponseRedirect(reverse(view, args=args))
    response.status_code = 303
    return response
