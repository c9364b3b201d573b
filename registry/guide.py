"""The chapters of the guide: their addresses, titles, and the questions they answer."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class GuideChapter:
    """One chapter of the guide: its part of the address, its title, the question it answers.

    `keywords` are phrases that people search for it by.
    """

    slug: str
    title: str | Promise
    answers: str | Promise
    keywords: tuple[str, ...] = ()


GUIDE_CHAPTERS = (
    GuideChapter(
        "how-it-works",
        _("How registration works"),
        _("From an idea to a namespace, step by step, and what each step costs in time."),
        (
            "how to register",
            "register a namespace",
            "apply for a namespace",
            "getting started",
            "steps",
        ),
    ),
    GuideChapter(
        "paths",
        _("Paths, and who decides"),
        _("Formal, informal, fast track, and names that are to become part of a standard."),
        ("fast track", "informal or formal", "who decides", "expert review", "standards action"),
    ),
    GuideChapter(
        "template",
        _("The template, field by field"),
        _("What reviewers look for in each of the thirteen fields, with a good answer for each."),
        ("registration template", "fields of the template", "what to write", "appendix A"),
    ),
    GuideChapter(
        "identifiers",
        _("Choosing an identifier"),
        _("Which identifiers can be had, which cannot, and which will be questioned."),
        ("choose a NID", "namespace identifier", "reserved names", "which identifiers are taken"),
    ),
    GuideChapter(
        "urns",
        _("What a URN is"),
        _("The parts of a name, what each is for, and when two names are the same."),
        (
            "URN syntax",
            "uniform resource name",
            "parts of a URN",
            "when two URNs are the same",
            "equivalence",
        ),
    ),
    GuideChapter(
        "decisions",
        _("Decisions and turn-round"),
        _("Whose turn it is, by when an answer is promised, and what to do about a refusal."),
        (
            "how long it takes",
            "deadlines",
            "turn-round",
            "appeal",
            "refusal",
            "rejected request",
            "waiting time",
        ),
    ),
    GuideChapter(
        "programs",
        _("For programs"),
        _("The registry as data, feeds and webhooks, resolution, and acting by the API."),
        ("API", "webhooks", "feeds", "download data", "developers", "resolution"),
    ),
    GuideChapter(
        "glossary",
        _("Words we use"),
        _("Round, version, state, status and the others, each in a sentence."),
        ("glossary", "definitions", "terms", "vocabulary of this site", "meaning of words"),
    ),
)
CHAPTERS_BY_SLUG = {chapter.slug: chapter for chapter in GUIDE_CHAPTERS}
