"""Home, the search box, the theme, the sitemap, robots.txt, and the demonstration's letters."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.sitemaps import Sitemap
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from registry import selectors
from registry.demonstration import mailbox
from registry.enums import LetterDelivery, Theme
from registry.forms.filters import SearchBoxForm, interpret_search, is_meant_as_urn
from registry.http.csrf import trust_same_origin
from registry.http.redirects import is_own_path
from registry.inspection import inspect_text
from registry.models import Letter, Namespace
from registry.selectors.public_pages import PublicPage, list_public_pages
from registry.web.resolve.views import answer_query_errors, read_uris

EXAMPLE_URN = "urn:nbn:fi-fe201003181510"
MAX_LATEST_CHANGES = 5
MAX_OPEN_FOR_COMMENT = 5
THEME_COOKIE_AGE = datetime.timedelta(days=365)


@dataclass(frozen=True, slots=True)
class LatestChange:
    """One line of what is new in the registry; `version` is none of an imported namespace."""

    namespace: Namespace
    date: str
    version: int | None = None

    @property
    def year(self) -> str:
        """The year alone: some dates are known no better."""
        return self.date[:4]


@require_safe
@answer_query_errors(is_page=True)
def show_home(request: HttpRequest) -> HttpResponse:
    """Show the search box, what is open for comment and what is new."""
    return render_home(request, SearchBoxForm(read_search_box(request) or None))


def read_search_box(request: HttpRequest) -> dict[str, str]:
    """Return what was typed into the search box; a URN in it is read as one.

    Words are read as forms send them, where a `+` is the blank between two of them.
    """
    typed = request.GET.getlist("q")
    if any(is_meant_as_urn(each) for each in typed):
        return read_uris(request, "q")
    return {"q": typed[-1]} if typed else {}


def render_home(request: HttpRequest, form: SearchBoxForm) -> HttpResponse:
    """Draw the page around the search box with what was typed."""
    typed = form["q"].value() or ""
    context = {
        "form": form,
        "open_for_comment": selectors.requests_open_for_comment()[:MAX_OPEN_FOR_COMMENT],
        "latest": list_latest_changes(),
    }
    if not typed or form.is_valid():
        context |= describe_search_reading(typed)
    return render(request, "home/index.html", context)


def list_latest_changes() -> list[LatestChange]:
    """Return what was published or registered last, as far as that is known for certain."""
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
    """Lead what was typed to where it belongs; what cannot be looked up is shown again."""
    form = SearchBoxForm(read_search_box(request))
    if not form.is_valid():
        return render_home(request, form)
    reading = interpret_search(form.cleaned_data["q"])
    if reading.kind == "nothing":
        messages.info(request, _("Type an identifier, a URN or words to look up."))
    return redirect(reading.url)


@require_safe
@answer_query_errors(is_page=True)
def show_search_reading(request: HttpRequest) -> HttpResponse:
    """Say how the text in the box is read, as part of the page while somebody types."""
    form = SearchBoxForm(read_search_box(request))
    context = describe_search_reading(form.cleaned_data["q"]) if form.is_valid() else {"form": form}
    return render(request, "home/reading.html", context)


def describe_search_reading(typed: str) -> dict[str, object]:
    """Return how `typed` is read; for nothing, how an example is."""
    taken = interpret_search(typed)
    name = EXAMPLE_URN if taken.kind == "nothing" else taken.text
    context: dict[str, object] = {"reading": taken}
    if taken.kind in ("urn", "nothing"):
        context["inspection"] = inspect_text(name)
    elif taken.kind == "nid":
        context["namespace"] = Namespace.objects.filter(nid=taken.text).first()
    else:
        context["count"] = Namespace.objects.search(taken.text).count()
    return context


@trust_same_origin
@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keep the colours a person chose in a cookie, and go back to the page they came from."""
    back = request.POST.get("next", "")
    response = HttpResponseRedirect(back if is_own_path(back) else reverse("home:index"))
    if request.POST.get("theme") in Theme.values:
        response.set_cookie(
            "theme",
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


LETTERS_PER_PAGE = 50


@never_cache
@require_safe
def list_demonstration_letters(request: HttpRequest) -> HttpResponse:
    """List the letters that would have been sent, or those `to` one address, the newest first."""
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
    """Show one letter."""
    require_demonstration()
    found = mailbox.find_letter(name)
    if found is None:
        raise Http404
    return render(request, "demonstration/letter.html", {"letter": found})


def require_demonstration() -> None:
    """Have the page be not found anywhere else."""
    if not settings.DEMONSTRATION:
        raise Http404


class PublicPageSitemap(Sitemap[PublicPage]):
    """Public pages, at the address that the settings give the site, whoever asks where."""

    def items(self) -> list[PublicPage]:
        """Return the pages, in an order that stays."""
        return list(list_public_pages())

    def location(self, item: PublicPage) -> str:
        """Return the path of a page."""
        return item.path

    def lastmod(self, item: PublicPage) -> datetime.date | None:
        """Return the day on which it changed last, as far as that is known."""
        return item.changed_on

    def get_protocol(self, protocol: str | None = None) -> str:
        """Return the scheme of the site."""
        return urlsplit(settings.SITE).scheme

    def get_domain(self, site: object = None) -> str:
        """Return the host of the site, with its port."""
        return urlsplit(settings.SITE).netloc
