"""The guide and other long pages."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.enums import NamespaceStatus, Role
from registry.guide import CHAPTERS_BY_SLUG, GUIDE_CHAPTERS
from registry.models.dates import load_dates
from registry.presenters.course_drawing import describe_course, draw_course
from registry.selectors.experts import list_expert_terms
from registry.template import FIELDS, PAGES, SUBFIELDS
from registry.workflow import TRANSITIONS


@require_safe
def list_chapters(request: HttpRequest) -> HttpResponse:
    return render(request, "guide/index.html", {"chapters": GUIDE_CHAPTERS})


@require_safe
def show_chapter(request: HttpRequest, section: str) -> HttpResponse:
    if section not in CHAPTERS_BY_SLUG:
        raise Http404
    here = GUIDE_CHAPTERS.index(CHAPTERS_BY_SLUG[section])
    context = {
        "chapters": GUIDE_CHAPTERS,
        "chapter": GUIDE_CHAPTERS[here],
        "following": GUIDE_CHAPTERS[here + 1] if here + 1 < len(GUIDE_CHAPTERS) else None,
        "fields": [(each, SUBFIELDS.get(each.name, ())) for each in FIELDS],
        "pages": PAGES,
        "transitions": TRANSITIONS,
        "course": draw_course() if section == "paths" else "",
        "course_words": describe_course() if section == "paths" else [],
        "statuses": NamespaceStatus.choices,
        "dates": load_dates(),
    }
    return render(request, f"guide/{section}.html", context)


@require_safe
def show_components(request: HttpRequest) -> HttpResponse:
    """Show every page component in all its states."""
    return render(request, "guide/components.html", {"offices": [Role.REGISTRAR]})


@require_safe
def show_about(request: HttpRequest) -> HttpResponse:
    """Say what this registry is and is not."""
    return render(request, "guide/about.html")


@require_safe
def show_accessibility(request: HttpRequest) -> HttpResponse:
    """Say how the site is accessible to everyone."""
    return render(request, "guide/accessibility.html")


@require_safe
def show_privacy(request: HttpRequest) -> HttpResponse:
    """Say which personal data is kept, and for how long."""
    context = {
        "template_days": settings.REGISTRY_MAILED_TEMPLATE_DAYS,
        "letter_days": settings.REGISTRY_LETTER_DAYS,
    }
    return render(request, "guide/privacy.html", context)


@require_safe
def show_trust(request: HttpRequest) -> HttpResponse:
    """Explain what a registration says, and does not say, about a name (section 8)."""
    return render(request, "guide/trust.html")


@require_safe
def show_experts(request: HttpRequest) -> HttpResponse:
    """Say who the designated experts are, and since when."""
    return render(request, "guide/experts.html", {"terms": list_expert_terms()})


@require_safe
def show_scheme(request: HttpRequest) -> HttpResponse:
    """Say how the scheme `urn` itself is registered (section 7.1)."""
    return render(request, "guide/scheme.html")


@require_safe
def show_discussion_list(request: HttpRequest) -> HttpResponse:
    """Say where requests are discussed by mail, and where the archive is (section 7.3)."""
    context = {
        "address": settings.REGISTRY_LIST_ADDRESS,
        "archive": settings.REGISTRY_LIST_ARCHIVE,
        "template_days": settings.REGISTRY_MAILED_TEMPLATE_DAYS,
    }
    return render(request, "guide/discussion_list.html", context)
