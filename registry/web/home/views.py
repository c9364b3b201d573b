"""The home page, search, theme, sitemap, robots.txt, and the demonstration's letters."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import x_robots_tag
from django.core.paginator import Paginator
from django.db.models import Count, Exists, Min, OuterRef, Q
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    JsonResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from registry import search, selectors
from registry.demonstration import mailbox
from registry.enums import LetterDelivery, ReservedList, Theme
from registry.forms.filters import (
    NAMESPACE_FILTER_CHOICES,
    SearchBoxForm,
    interpret_search,
    is_meant_as_urn,
)
from registry.http.csrf import trust_same_origin
from registry.http.formats import negotiate_addresses
from registry.http.redirects import is_own_path
from registry.inspection import inspect_text
from registry.models import Letter, Namespace, ReservedName, ResolutionService
from registry.selectors.namespace_facets import HOLDING_CONDITIONS
from registry.selectors.public_pages import (
    SITEMAP_PAGE_SIZE,
    PublicPage,
    PublicPages,
    list_public_pages,
)
from registry.web.resolve.views import answer_query_errors, read_uris

EXAMPLE_URN = "urn:nbn:fi-fe201003181510"
MAX_LATEST_CHANGES = 5
MAX_NEAR_NIDS = 5
OTHER_WORDS_PATTERN: Final = re.compile(r"\s+(?:ids?|identifiers?|names?|numbers?|codes?|keys?)\Z")
"""What people type after the name of an identifier system."""
SEARCH_FILTERS = {
    value: label for value, label in NAMESPACE_FILTER_CHOICES["has"] if value != "revision"
}
MAX_OPEN_FOR_COMMENT = 5
THEME_COOKIE_AGE = datetime.timedelta(days=365)


@dataclass(frozen=True, slots=True)
class LatestChange:
    """A line of the registry's news; an imported namespace has no `version`."""

    namespace: Namespace
    date: str
    version: int | None = None

    @property
    def year(self) -> str:
        """The year alone: some dates are known only to the year."""
        return self.date[:4]


HOME_BY_MEDIA_TYPE: Final = {
    "application/json": ("api:root",),
    "application/ld+json": ("exports:file", "catalogue.jsonld"),
    "text/turtle": ("exports:file", "catalogue.ttl"),
}
"""Where programs start, by media type."""


@require_safe
@answer_query_errors(is_page=True)
def show_home(request: HttpRequest) -> HttpResponseBase:
    """Show the search box, what is open for comment and what is new.

    A search is answered on this page; programs that search for nothing are redirected to their own
    starting point.
    """
    typed = read_search_box(request)
    return render_home(request, SearchBoxForm(typed)) if typed else show_start(request)


@negotiate_addresses(HOME_BY_MEDIA_TYPE)
def show_start(request: HttpRequest) -> HttpResponse:
    """Show the page with an empty search box."""
    return render_home(request, SearchBoxForm())


def read_search_box(request: HttpRequest) -> dict[str, str]:
    """Return what was typed into the search box; a URN in it is read as one.

    Words are decoded as forms send them, with `+` for a space.
    """
    typed = request.GET.getlist("q")
    if any(is_meant_as_urn(each) for each in typed):
        return read_uris(request, "q")
    return {"q": typed[-1]} if typed else {}


def render_home(request: HttpRequest, form: SearchBoxForm) -> HttpResponse:
    """Draw the page around the search box, which holds what was typed."""
    typed = form["q"].value() or ""
    context = {
        "form": form,
        "figures": count_namespaces(),
        "open_for_comment": selectors.list_requests_open_for_comment(MAX_OPEN_FOR_COMMENT),
        "latest": list_latest_changes(),
    }
    if not typed or form.is_valid():
        context |= describe_search_reading(typed)
    return render(request, "home/index.html", context)


def count_namespaces() -> dict[str, Any]:
    """Return how many there are, since which year, and how many of them have services here."""
    counted = Namespace.objects.aggregate(
        namespaces=Count("pk"), first=Min("registered_on", filter=~Q(registered_on=""))
    )
    services = ResolutionService.objects.in_use()
    return {
        "namespaces": counted["namespaces"],
        "since": (counted["first"] or "")[:4],
        "resolved": services.aggregate(Count("namespace", distinct=True))["namespace__count"],
    }


def list_latest_changes() -> list[LatestChange]:
    """Return the latest publications and registrations whose date is certain."""
    published = [
        LatestChange(version.namespace, version.registered_on.isoformat(), version.number)
        for version in selectors.latest_versions()[:MAX_LATEST_CHANGES]
    ]
    imported = [
        LatestChange(namespace, namespace.registered_on)
        for namespace in selectors.latest_imported_namespaces()[:MAX_LATEST_CHANGES]
    ]
    return sorted(published + imported, key=lambda change: change.date, reverse=True)[
        :MAX_LATEST_CHANGES
    ]


@require_safe
@answer_query_errors(is_page=True)
def redirect_search(request: HttpRequest) -> HttpResponse:
    """Redirect an identifier or a URN to its page, and show search results for words.

    What cannot be looked up is shown again.
    """
    form = SearchBoxForm(read_search_box(request))
    if not form.is_valid():
        return render_home(request, form)
    reading = interpret_search(form.cleaned_data["q"])
    if reading.kind == "nothing":
        messages.info(request, _("Type an identifier, a URN or words to look up."))
    if reading.kind == "words":
        return render_results(request, reading.text)
    return redirect(reading.url)


def render_results(request: HttpRequest, text: str) -> HttpResponse:
    """Draw the results for words: the best first, then the others in groups."""
    held = [each for each in request.GET.getlist("has") if each in SEARCH_FILTERS]
    context = {
        "typed": text,
        "results": find_results(text, held),
        "held": held,
        "filters": [(value, label, value in held) for value, label in SEARCH_FILTERS.items()],
        "near": selectors.find_similar_nids(text)[:MAX_NEAR_NIDS],
        "system": find_other_system(text),
    }
    return render(request, "home/results.html", context)


def find_other_system(text: str) -> ReservedName | None:
    """Return the identifier system that `text` names, such as ARK, if it is no namespace."""
    name = OTHER_WORDS_PATTERN.sub("", text.strip().lower())
    registered = Namespace.objects.filter(nid=OuterRef("name"))
    systems = ReservedName.objects.filter(~Exists(registered), list=ReservedList.SYSTEM)
    return systems.filter(name__in={name, name.removesuffix("s")}).first()


def find_results(text: str, held: Sequence[str]) -> search.SearchResults:
    """Return the results for words; with filters `held`, only namespaces that match all of them."""
    found = search.search_index(text)
    if not held:
        return found
    namespaces = selectors.namespaces_for_filters()
    for value in held:
        namespaces = namespaces.filter(HOLDING_CONDITIONS[value])
    return found.only_namespaces(frozenset(namespaces.values_list("nid", flat=True)))


@require_safe
@answer_query_errors(is_page=True)
def list_suggestions(request: HttpRequest) -> HttpResponse:
    """Suggest what the text in the box may mean, as options of a list."""
    form = SearchBoxForm(read_search_box(request))
    typed = form.cleaned_data["q"].strip() if form.is_valid() else ""
    offered = search.suggest_results(typed) if typed and not is_meant_as_urn(typed) else None
    return render(request, "home/suggestions.html", {"results": offered})


@require_safe
@answer_query_errors(is_page=True)
def show_search_reading(request: HttpRequest) -> HttpResponse:
    """Say how the text in the box is understood, as a page fragment while somebody types."""
    form = SearchBoxForm(read_search_box(request))
    context = describe_search_reading(form.cleaned_data["q"]) if form.is_valid() else {"form": form}
    return render(request, "home/reading.html", context)


def describe_search_reading(typed: str) -> dict[str, object]:
    """Describe how `typed` is understood; if it is empty, how an example is."""
    taken = interpret_search(typed)
    name = EXAMPLE_URN if taken.kind == "nothing" else taken.text
    context: dict[str, object] = {"reading": taken}
    if taken.kind in ("urn", "nothing"):
        context["inspection"] = inspect_text(name)
    elif taken.kind == "nid":
        context["namespace"] = Namespace.objects.filter(nid=taken.text).first()
    else:
        context["results"] = search.search_index(taken.text)
    return context


@trust_same_origin
@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Store a person's choice of colours in a cookie, and return to the page they came from."""
    back = request.POST.get("next", "")
    response = HttpResponseRedirect(back if is_own_path(back) else reverse("home:index"))
    if request.POST.get("theme") in Theme.values:
        response.set_cookie(
            settings.THEME_COOKIE_NAME,
            request.POST["theme"],
            max_age=THEME_COOKIE_AGE,
            secure=not settings.DEMONSTRATION,
            httponly=True,
            samesite="Lax",
        )
    return response


DISALLOWED_PATHS: Final = (
    "/account/",
    "/accounts/",
    "/admin/",
    "/contact/",
    "/demonstration/",
    "/direction/",
    "/find/",
    "/publish/",
    "/requests/new/",
    "/resolve/",
    "/review/",
    "/theme/",
    "/uri-res/",
)
"""Working screens, and addresses without end."""


@require_safe
def serve_robots_txt(request: HttpRequest) -> HttpResponse:
    """Say where robots have nothing to look for (RFC 9309)."""
    barred = "".join(f"Disallow: {path}\n" for path in DISALLOWED_PATHS)
    text = f"User-agent: *\n{barred}\nSitemap: {settings.SITE}/sitemap.xml\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def serve_opensearch(request: HttpRequest) -> HttpResponse:
    """Describe our search to browsers (OpenSearch 1.1)."""
    return render(
        request,
        "home/opensearch.xml",
        {"site": settings.SITE},
        content_type="application/opensearchdescription+xml; charset=utf-8",
    )


@require_safe
def serve_manifest(request: HttpRequest) -> JsonResponse:
    """Give the site's name and icons for people who install it as an app."""
    drawn = {"src": static("img/favicon.svg"), "sizes": "any", "type": "image/svg+xml"}
    icons = [
        {"src": static(f"img/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    said = {
        "name": "URN Namespace Registry",
        "short_name": "URN Registry",
        "start_url": reverse("home:index"),
        "display": "browser",
        "background_color": "#ffffff",
        "theme_color": "#0b4f78",
        "icons": [drawn, *icons],
    }
    return JsonResponse(said, content_type="application/manifest+json")


LETTERS_PER_PAGE = 50


@never_cache
@require_safe
def list_demonstration_letters(request: HttpRequest) -> HttpResponse:
    """List the letters that would have been sent, or only those `to` one address, newest first."""
    require_demonstration()
    to = request.GET.get("to", "")
    names = mailbox.list_letter_names_to(to) if to else mailbox.list_letter_names()
    page = Paginator(names, LETTERS_PER_PAGE).get_page(request.GET.get("page"))
    shown = [letter for name in page if (letter := mailbox.find_letter(name))]
    unsent = Letter.objects.ripe(timezone.now()).filter(delivery=LetterDelivery.AT_ONCE).count()
    context = {"page": page, "letters": shown, "to": to, "unsent": unsent}
    return render(request, "demonstration/mail.html", context)


@never_cache
@require_safe
def show_demonstration_letter(request: HttpRequest, name: str) -> HttpResponse:
    require_demonstration()
    found = mailbox.find_letter(name)
    if found is None:
        raise Http404
    return render(request, "demonstration/letter.html", {"letter": found})


def require_demonstration() -> None:
    """Answer 404 outside the demonstration."""
    if not settings.DEMONSTRATION:
        raise Http404


class PublicPageSitemap(Sitemap[PublicPage]):
    """Public pages, at the site address of the settings whatever host was requested."""

    limit = SITEMAP_PAGE_SIZE

    def __init__(self) -> None:
        self.pages = list_public_pages()

    def items(self) -> PublicPages:
        """Return the pages in a stable order."""
        return self.pages

    def location(self, item: PublicPage) -> str:
        return item.path

    def lastmod(self, item: PublicPage) -> datetime.date | None:
        """Return the day on which it last changed, if known."""
        return item.changed_on

    def get_protocol(self, protocol: str | None = None) -> str:
        return urlsplit(settings.SITE).scheme

    def get_domain(self, site: object = None) -> str:
        """Return the host of the site, with its port."""
        return urlsplit(settings.SITE).netloc


@require_safe
@x_robots_tag
def serve_sitemap(request: HttpRequest, number: int | None = None) -> HttpResponse:
    """List the public pages for search engines: all of them, or the addresses of the parts.

    A map too long for one file is split; each part reads only its own rows.
    """
    site_map = PublicPageSitemap()
    pages = site_map.paginator
    if number is None and pages.num_pages > 1:
        parts = [
            {"location": settings.SITE + reverse("robots:sitemap_page", args=[each])}
            for each in pages.page_range
        ]
        return render_map(request, "sitemap_index.xml", {"sitemaps": parts})
    if number is not None and number not in pages.page_range:
        raise Http404(_("The sitemap has fewer parts."))
    return render_map(request, "sitemap.xml", {"urlset": site_map.get_urls(number or 1)})


def render_map(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Return a part of the map, or the list of its parts."""
    return render(request, template, context, content_type="application/xml; charset=utf-8")


@require_safe
def redirect_favicon(request: HttpRequest) -> HttpResponse:
    """Redirect programs that look for the icon where browsers once did."""
    return redirect(static("img/icon-48.png"))
