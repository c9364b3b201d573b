"""Long reading."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from registry.choices import Role, Status
from registry.queries.waiting import listing
from registry.template import BESIDE_SYNTAX, FIELDS, PAGES
from registry.workflow import TRANSITIONS


@dataclass(frozen=True, slots=True)
class Chapter:
    """One part of the guide: its place in the address, its title, and what it answers."""

    slug: str
    title: str | Promise
    answers: str | Promise


CHAPTERS = (
    Chapter(
        "how-it-works",
        _("How registration works"),
        _("From an idea to a namespace, step by step, and what each step costs in time."),
    ),
    Chapter(
        "paths",
        _("Paths, and who decides"),
        _("Formal, informal, fast track, and names that are to become part of a standard."),
    ),
    Chapter(
        "template",
        _("The template, field by field"),
        _("What reviewers look for in each of the thirteen fields, with a good answer for each."),
    ),
    Chapter(
        "identifiers",
        _("Choosing an identifier"),
        _("Which identifiers can be had, which cannot, and which will be questioned."),
    ),
    Chapter(
        "urns",
        _("What a URN is"),
        _("The parts of a name, what each is for, and when two names are the same."),
    ),
    Chapter(
        "decisions",
        _("Decisions and turn-round"),
        _("Whose turn it is, by when an answer is promised, and what to do about a refusal."),
    ),
    Chapter(
        "programs",
        _("For programs"),
        _("The registry as data, feeds and webhooks, resolution, and acting by the API."),
    ),
    Chapter(
        "glossary",
        _("Words we use"),
        _("Round, version, state, status and the others, each in a sentence."),
    ),
)
BY_SLUG = {chapter.slug: chapter for chapter in CHAPTERS}


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the chapters."""
    return render(request, "guide/index.html", {"chapters": CHAPTERS})


@require_safe
def section(request: HttpRequest, section: str) -> HttpResponse:
    """Show one chapter."""
    if section not in BY_SLUG:
        raise Http404
    here = CHAPTERS.index(BY_SLUG[section])
    context = {
        "chapters": CHAPTERS,
        "chapter": CHAPTERS[here],
        "following": CHAPTERS[here + 1] if here + 1 < len(CHAPTERS) else None,
        "fields": FIELDS,
        "beside_syntax": BESIDE_SYNTAX,
        "pages": PAGES,
        "transitions": TRANSITIONS,
        "statuses": Status.choices,
        "comment_days": settings.REGISTRY_COMMENT_DAYS,
        "decision_days": settings.REGISTRY_DECISION_DAYS,
        "publish_days": settings.REGISTRY_PUBLISH_DAYS,
        "first_answer_days": settings.REGISTRY_FIRST_ANSWER_WORKING_DAYS,
        "direction_days": settings.REGISTRY_DIRECTION_DAYS,
        "escalation_days": settings.REGISTRY_ESCALATION_DAYS,
        "reminder_days": listing(map(str, settings.REGISTRY_REMINDER_DAYS)),
        "expire_days": settings.REGISTRY_EXPIRE_DAYS,
        "quorum": settings.REGISTRY_QUORUM,
    }
    return render(request, f"guide/{section}.html", context)


@require_safe
def components(request: HttpRequest) -> HttpResponse:
    """Show every component of the pages in its states."""
    return render(request, "design/components.html", {"offices": [Role.REGISTRAR]})


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Say what this registry is and is not."""
    return render(request, "guide/about.html")


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    """Say how the site is meant to be usable by everyone."""
    return render(request, "guide/accessibility.html")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Say what is kept of whom, and for how long."""
    return render(request, "guide/privacy.html")
