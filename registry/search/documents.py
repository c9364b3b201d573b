"""The index entries of everything public, described from its rows.

Each `describe_…` returns what an anonymous reader can open, and nothing more. What only some people
may read has no document: `None`.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

from django.conf import settings
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from registry.batches import batched
from registry.enums import SearchKind
from registry.guide import GUIDE_CHAPTERS, GuideChapter
from registry.journal.openness import public_organizations
from registry.models import (
    Namespace,
    Organization,
    QueryKeyword,
    Registration,
    RegistrationRequest,
    Round,
    ServiceDesignator,
)
from registry.namespace_descriptions import find_description
from registry.selectors.imported_records import ImportedTemplate, map_imported_templates
from registry.template import FIELDS, Template

M = TypeVar("M", Registration, Round)
ROWS_IN_MEMORY: Final = 50
FIELD_NAMES: Final = ("names", "keywords", "facts", "text")
"""The fields of a document, most important first."""


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The searchable text of one thing.

    `names` are what it is called: identifiers, references, titles. `keywords` are phrases that
    people use for it, `facts` what lists say about it, and `text` everything else.
    """

    kind: SearchKind
    key: str
    url: str
    title: str
    summary: str
    names: tuple[str, ...]
    keywords: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    text: tuple[str, ...] = ()

    def read_field(self, name: str) -> tuple[str, ...]:
        """Return the phrases of one of `FIELD_NAMES`."""
        phrases: tuple[str, ...] = getattr(self, name)
        return phrases


def describe_everything() -> Iterator[DocumentText]:
    """Yield a document for everything public."""
    yield from (describe_chapter(each) for each in GUIDE_CHAPTERS)
    yield from (describe_static_page(name) for name in STATIC_PAGES)
    namespaces = Namespace.objects.for_lists().order_by("nid")
    yield from describe_namespaces(namespaces.iterator(ROWS_IN_MEMORY))
    requests = RegistrationRequest.objects.public().select_related("organization", "namespace")
    yield from describe_requests(requests.order_by("pk").iterator(ROWS_IN_MEMORY))
    organizations = public_organizations().order_by("pk")
    yield from describe_organizations(organizations.iterator(ROWS_IN_MEMORY))
    yield from map(describe_designator, ServiceDesignator.objects.all())
    yield from map(describe_keyword, QueryKeyword.objects.all())


def describe_namespaces(namespaces: Iterable[Namespace]) -> Iterator[DocumentText]:
    """Yield the document of each of these namespaces; two queries for each batch."""
    for batch in batched(namespaces, ROWS_IN_MEMORY):
        current = map_newest(Registration.objects.all(), "namespace", batch)
        imported = map_imported_templates(batch)
        for each in batch:
            yield describe_namespace(each, current.get(each.pk) or imported.get(each.nid))


def map_newest(rows: QuerySet[M], owner: str, owners: Sequence[Model]) -> dict[int, M]:
    """Return the row with the highest number of each of the owners, by the key of the owner."""
    later = rows.filter(**{owner: OuterRef(owner), "number__gt": OuterRef("number")})
    newest = rows.filter(~Exists(later), **{f"{owner}__in": owners})
    return {getattr(each, f"{owner}_id"): each for each in newest.order_by()}


def describe_namespace(
    namespace: Namespace, text: Registration | ImportedTemplate | None
) -> DocumentText:
    """Return the document of a namespace: facts, curated words, and its text in force.

    If we do not hold the text, `text` is what its documents of record say together.
    """
    described = find_description(namespace.nid)
    return DocumentText(
        SearchKind.NAMESPACE,
        namespace.nid,
        namespace.get_absolute_url(),
        namespace.nid_as_registered,
        namespace.summary or (described.paragraph.partition(". ")[0] if described else ""),
        names=(
            namespace.nid,
            f"urn:{namespace.nid}",
            *map(str, namespace.references),
            *(described.formerly if described else ()),
        ),
        keywords=described.keywords if described else (),
        facts=(
            namespace.summary,
            str(namespace.registrant or ""),
            namespace.get_kind_display(),
            described.paragraph if described else "",
        ),
        text=(*(read_template_texts(text.template) if text else ()), namespace.notice),
    )


def read_template_texts(template: Template) -> Iterator[str]:
    """Yield the sections of a template, except the registry's own."""
    yield from (template[field.name] for field in FIELDS if field.name not in ("version", "date"))


def describe_requests(requests: Iterable[RegistrationRequest]) -> Iterator[DocumentText]:
    """Yield the document of each of these requests that a round was sent of; drafts are never
    included. One query for each batch.
    """
    for batch in batched(requests, ROWS_IN_MEMORY):
        last = map_newest(Round.objects.sent(), "registration_request", batch)
        for each in batch:
            if each.pk in last:
                yield describe_request(each, last[each.pk])


def describe_request(registration_request: RegistrationRequest, last: Round) -> DocumentText:
    """Return the document of a request; its text is the last that was sent."""
    template, namespace = last.template, registration_request.namespace
    return DocumentText(
        SearchKind.REQUEST,
        registration_request.reference,
        registration_request.get_absolute_url(),
        f"{registration_request.reference} {template.nid}".strip(),
        registration_request.summary,
        names=(
            registration_request.reference,
            template.nid,
            namespace.nid if namespace else "",
        ),
        facts=(
            registration_request.summary,
            str(registration_request.organization),
            registration_request.get_change_display(),
        ),
        text=tuple(read_template_texts(template)),
    )


def describe_organizations(organizations: Iterable[Organization]) -> Iterator[DocumentText]:
    """Yield the document of each of these organizations, which are public; one query a batch."""
    for batch in batched(organizations, ROWS_IN_MEMORY):
        held = defaultdict[int | None, list[str]](list)
        namespaces = Namespace.objects.filter(registrant__in=batch).order_by("nid")
        for registrant, nid in namespaces.values_list("registrant", "nid"):
            held[registrant].append(nid)
        for each in batch:
            yield describe_organization(each, held[each.pk])


def describe_organization(organization: Organization, held: Sequence[str]) -> DocumentText:
    """Return the document of an organization; `held` has the NIDs of its namespaces."""
    summary = _("Registrant of %(nids)s") % {"nids": ", ".join(held)} if held else ""
    return DocumentText(
        SearchKind.ORGANIZATION,
        str(organization.pk),
        organization.get_absolute_url(),
        organization.name,
        summary,
        names=(*organization.names, abbreviate_name(organization.name)),
        facts=(" ".join(held),),
    )


def abbreviate_name(name: str) -> str:
    """Return the initials of a name of three words or more, as which many bodies are known."""
    initials = [word[0] for word in re.findall(r"[^\W\d_]+", name) if word[0].isupper()]
    return "".join(initials) if len(initials) >= 3 else ""


def describe_designator(designator: ServiceDesignator) -> DocumentText:
    return DocumentText(
        SearchKind.VOCABULARY,
        f"designator {designator.name}",
        reverse("vocabularies:detail", args=["service-designators"]),
        designator.name,
        designator.purpose,
        names=(designator.name, designator.reference),
        keywords=(str(_("resolution service designator")),),
        facts=(designator.purpose,),
    )


def describe_keyword(keyword: QueryKeyword) -> DocumentText:
    return DocumentText(
        SearchKind.VOCABULARY,
        f"keyword {keyword.keyword}",
        reverse("vocabularies:detail", args=["query-keywords"]),
        keyword.keyword,
        keyword.purpose,
        names=(f"{keyword.keyword}=", keyword.reference),
        keywords=(str(_("query keyword")), str(_("query directive"))),
        facts=(keyword.purpose,),
    )


def describe_chapter(chapter: GuideChapter) -> DocumentText:
    """Return the document of a chapter: its title, the question it answers, and its text."""
    page = read_page_text(f"guide/{chapter.slug}.html")
    return DocumentText(
        SearchKind.GUIDE,
        chapter.slug,
        reverse("guide:section", args=[chapter.slug]),
        str(chapter.title),
        str(chapter.answers),
        names=(str(chapter.title),),
        keywords=(*chapter.keywords, *page.headings),
        facts=(str(chapter.answers),),
        text=(page.text,),
    )


STATIC_PAGES: Final = {
    "about": ("guide:about", _("About"), _("What this registry is, and who runs it")),
    "accessibility": ("guide:accessibility", _("Accessibility"), _("How this site can be used")),
    "privacy": ("guide:privacy", _("Privacy"), _("What we keep about you, and for how long")),
    "exports": ("exports:index", _("Downloads"), _("The whole registry as files")),
    "api": ("api:index", _("API"), _("The registry for programs")),
}
"""Pages besides the chapters, by key: the URL name, the title, and the question they answer."""
PAGE_TEMPLATES: Final = {
    "about": "guide/about.html",
    "accessibility": "guide/accessibility.html",
    "privacy": "guide/privacy.html",
    "exports": "exports/index.html",
    "api": "api/index.html",
}


def describe_static_page(key: str) -> DocumentText:
    """Return the document of a single page."""
    view, title, answers = STATIC_PAGES[key]
    page = read_page_text(PAGE_TEMPLATES[key])
    return DocumentText(
        SearchKind.GUIDE,
        key,
        reverse(view),
        str(title),
        str(answers),
        names=(str(title),),
        keywords=page.headings,
        facts=(str(answers),),
        text=(page.text,),
    )


@dataclass(frozen=True, slots=True)
class PageText:
    """The words of a page: its headings, and its whole text."""

    headings: tuple[str, ...]
    text: str


_HEADING: Final = re.compile(r"<h[23][^>]*>(.*?)</h[23]>", re.DOTALL)
_COMMENT: Final = re.compile(r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}", re.DOTALL)
_QUOTED: Final = re.compile(r'\{% translate "([^"]*)"[^%]*%\}')
_MARKUP: Final = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|<[^>]*>", re.DOTALL)


@cache
def read_page_text(template: str) -> PageText:
    """Return the words of a template of the guide, which do not depend on its context."""
    source = (Path(settings.BASE_DIR) / "templates" / template).read_text("utf-8")
    source = _QUOTED.sub(r"\1", _COMMENT.sub("", source))
    headings = tuple(map(strip_markup, _HEADING.findall(source)))
    return PageText(headings, strip_markup(source))


def strip_markup(source: str) -> str:
    """Return the text of a piece of a template, without its tags."""
    return " ".join(html.unescape(_MARKUP.sub(" ", source)).split())
