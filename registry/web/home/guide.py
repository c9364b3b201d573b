"""Long reading."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from registry.enums import NamespaceStatus, Role
from registry.selectors.turns import join_names
from registry.template import BESIDE_SYNTAX, FIELDS, PAGES
from registry.workflow import TRANSITIONS


@dataclass(frozen=True, slots=True)
class GuideChapter:
    """One part of the guide: its place in the address, its title, and what it answers."""

    slug: str
    title: str | Promise
    answers: str | Promise


GUIDE_CHAPTERS = (
    GuideChapter(
        "how-it-works",
        _("How registration works"),
        _("From an idea to a namespace, step by step, and what each step costs in time."),
    ),
    GuideChapter(
        "paths",
        _("Paths, and who decides"),
        _("Formal, informal, fast track, and names that are to become part of a standard."),
    ),
    GuideChapter(
        "template",
        _("The template, field by field"),
        _("What reviewers look for in each of the thirteen fields, with a good answer for each."),
    ),
    GuideChapter(
        "identifiers",
        _("Choosing an identifier"),
        _("Which identifiers can be had, which cannot, and which will be questioned."),
    ),
    GuideChapter(
        "urns",
        _("What a URN is"),
        _("The parts of a name, what each is for, and when two names are the same."),
    ),
    GuideChapter(
        "decisions",
        _("Decisions and turn-round"),
        _("Whose turn it is, by when an answer is promised, and what to do about a refusal."),
    ),
    GuideChapter(
        "programs",
        _("For programs"),
        _("The registry as data, feeds and webhooks, resolution, and acting by the API."),
    ),
    GuideChapter(
        "glossary",
        _("Words we use"),
        _("Round, version, state, status and the others, each in a sentence."),
    ),
)
CHAPTERS_BY_SLUG = {chapter.slug: chapter for chapter in GUIDE_CHAPTERS}


@require_safe
def list_chapters(request: HttpRequest) -> HttpResponse:
    """List the chapters."""
    return render(request, "guide/index.html", {"chapters": GUIDE_CHAPTERS})


@require_safe
def show_chapter(request: HttpRequest, section: str) -> HttpResponse:
    """Show one chapter."""
    if section not in CHAPTERS_BY_SLUG:
        raise Http404
    here = GUIDE_CHAPTERS.index(CHAPTERS_BY_SLUG[section])
    context = {
        "chapters": GUIDE_CHAPTERS,
        "chapter": GUIDE_CHAPTERS[here],
        "following": GUIDE_CHAPTERS[here + 1] if here + 1 < len(GUIDE_CHAPTERS) else None,
        "fields": FIELDS,
        "beside_syntax": BESIDE_SYNTAX,
        "pages": PAGES,
        "transitions": TRANSITIONS,
        "statuses": NamespaceStatus.choices,
        "comment_days": settings.REGISTRY_COMMENT_DAYS,
        "decision_days": settings.REGISTRY_DECISION_DAYS,
        "publish_days": settings.REGISTRY_PUBLISH_DAYS,
        "first_answer_days": settings.REGISTRY_FIRST_ANSWER_WORKING_DAYS,
        "direction_days": settings.REGISTRY_DIRECTION_DAYS,
        "escalation_days": settings.REGISTRY_ESCALATION_DAYS,
        "reminder_days": join_names(map(str, settings.REGISTRY_REMINDER_DAYS)),
        "expire_days": settings.REGISTRY_EXPIRE_DAYS,
        "quorum": settings.REGISTRY_QUORUM,
    }
    return render(request, f"guide/{section}.html", context)


@require_safe
def show_components(request: HttpRequest) -> HttpResponse:
    """Show every component of the pages in its states."""
    return render(request, "guide/components.html", {"offices": [Role.REGISTRAR]})


@require_safe
def show_about(request: HttpRequest) -> HttpResponse:
    """Say what this registry is and is not."""
    return render(request, "guide/about.html")


@require_safe
def show_accessibility(request: HttpRequest) -> HttpResponse:
    """Say how the site is meant to be usable by everyone."""
    return render(request, "guide/accessibility.html")


@require_safe
def show_privacy(request: HttpRequest) -> HttpResponse:
    """Say what is kept of whom, and for how long."""
    return render(request, "guide/privacy.html")
