"""Tags of `templates/components/`, and filters for states, dates, documents and letters."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

from django import template
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from registry import permissions
from registry.actions.discussion import may_read_message
from registry.actions.follows import FollowTarget, find_follow
from registry.enums import NamespaceStatus, Role, State, UnapprovedState
from registry.forms.filters import inspect_url, resolve_url
from registry.grammar import describe_statements, parse_statement
from registry.models import Message, Namespace, Registration, RegistrationRequest, User
from registry.permissions import Person
from registry.presenters.resolution import find_ways
from registry.resolution import services_in_use
from registry.resolution.resolver import iterate_example_names
from registry.resolution.sources import has_locators
from registry.selectors.accounts import list_dead_addresses
from registry.selectors.case import RequestCase, open_case
from registry.selectors.counts import MAX_COUNTED
from registry.selectors.shown_states import ShownState, find_shown_state
from registry.selectors.turns import DatedSentence
from registry.template import PAGES, Template
from registry.templatetags import prose, script_words, urn_markup
from registry.urn import URN, Severity

register = template.Library()

_PARTIAL_DATE_PATTERN: Final = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")


def human_date(value: date | str | None) -> str:
    """ "4 December 2018", or as precise as known: "October 2018", "2018".

    The year is always shown: pages are read years later, and printed. An empty value is "not
    known"; a text that is no date is shown as it is.
    """
    if not value:
        return _("not known")
    if isinstance(value, str):
        return _format_partial_date(value)
    return date_format(_convert_to_day(value), "j F Y")


def near_date(value: date | str | None) -> str:
    """Date as "4 December" within the current year, else as `human_date`: for current lists."""
    if not value or isinstance(value, str):
        return human_date(value)
    day = _convert_to_day(value)
    return date_format(day, "j F") if day.year == timezone.localdate().year else human_date(day)


def human_time(value: datetime | None) -> str:
    """Time as "4 December 2018, 14:32 UTC": public pages name the time zone."""
    if not value:
        return _("not known")
    return _("%(day)s, %(time)s UTC") % {
        "day": human_date(value),
        "time": f"{_convert_to_utc(value):%H:%M}",
    }


def age(value: date | None) -> str:
    """How long ago, or in how long, in days: "today", "1 day", "3 days", "in 3 days"."""
    if not value:
        return ""
    days = (timezone.localdate() - _convert_to_day(value)).days
    if days == 0:
        return _("today")
    if days < 0:
        return ngettext("in %(days)d day", "in %(days)d days", -days) % {"days": -days}
    return ngettext("%(days)d day", "%(days)d days", days) % {"days": days}


def dated(sentence: DatedSentence) -> str:
    """The sentence with its day in it."""
    return str(sentence.words) % {"day": near_date(sentence.day)}


def _format_partial_date(text: str) -> str:
    match = _PARTIAL_DATE_PATTERN.fullmatch(text)
    if not match:
        return text
    year, month, day = match.groups()
    try:
        if day:
            return human_date(date.fromisoformat(text))
        return date_format(date(int(year), int(month), 1), "F Y") if month else year
    except ValueError:
        return text


def _convert_to_day(value: date) -> date:
    return timezone.localdate(value) if isinstance(value, datetime) else value


def _convert_to_utc(value: datetime) -> datetime:
    return value.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class StatusStyle:
    """An icon of Bootstrap Icons, a tone (`ok`, `warn`, `bad`, `info` or none), and a word."""

    icon: str = ""
    tone: str = ""
    word: str | Promise = ""


PLAIN_STYLE: Final = StatusStyle()
STATUS_STYLES: Final[dict[str, StatusStyle]] = {
    State.DRAFT: PLAIN_STYLE,
    State.IN_REVIEW: StatusStyle("chat-left-text", "info"),
    State.CHANGES_REQUESTED: StatusStyle("pencil", "warn"),
    State.APPROVED: StatusStyle("check2", "ok"),
    State.REPORTED: StatusStyle("send", "info"),
    State.ADVISORY: StatusStyle("chat-left-text", "info"),
    State.DECLINED: StatusStyle("x-lg", "bad"),
    State.APPEALED: StatusStyle("arrow-counterclockwise", "warn"),
    UnapprovedState.WAITING_FOR_HOLDER: StatusStyle("hourglass-split", "warn"),
    UnapprovedState.WITH_REGISTRAR: StatusStyle("send", "info"),
    State.REGISTERED: StatusStyle("bookmark-check", "ok"),
    State.WITHDRAWN: PLAIN_STYLE,
    State.REFUSED: StatusStyle("x-lg", "bad"),
    State.EXPIRED: PLAIN_STYLE,
    NamespaceStatus.ACTIVE: StatusStyle("check2", "ok"),
    NamespaceStatus.DEPRECATED: StatusStyle("exclamation-triangle-fill", "warn"),
    NamespaceStatus.OBSOLETE: StatusStyle("archive"),
    "revising": StatusStyle("arrow-repeat", "info"),
    Severity.BLOCK: StatusStyle("x-octagon-fill", "bad", gettext_lazy("Must fix")),
    Severity.WARN: StatusStyle("exclamation-triangle-fill", "warn", gettext_lazy("Consider")),
    Severity.NOTE: StatusStyle("info-circle-fill", "info", gettext_lazy("Note")),
    "passed": StatusStyle("check-circle-fill", "ok", gettext_lazy("Passed")),
    # Progress of a page of the editor.
    "done": StatusStyle("check2", "ok", gettext_lazy("Done")),
    "to_fix": StatusStyle("x-octagon-fill", "bad", gettext_lazy("To fix")),
    "question": StatusStyle("chat-left-text", "warn", gettext_lazy("Question")),
    "changed": StatusStyle("arrow-repeat", "info", gettext_lazy("Changed")),
    "not_started": StatusStyle("", "", gettext_lazy("Not started")),
    "optional": StatusStyle("", "", gettext_lazy("Optional")),
    "not_needed": StatusStyle("", "", gettext_lazy("Not needed")),
    # Levels of Django's messages.
    "success": StatusStyle("check-circle-fill", "ok"),
    "warning": StatusStyle("exclamation-triangle-fill", "warn"),
    "error": StatusStyle("x-octagon-fill", "bad"),
    "info": StatusStyle("info-circle-fill", "info"),
}


def face(value: str) -> StatusStyle:
    """The style of a stored value; a plain one for a value without any."""
    return STATUS_STYLES.get(value, PLAIN_STYLE)


register.simple_tag(urn_markup.urn)
register.simple_tag(script_words.write_script_words, name="script_words")
register.filter("visible", urn_markup.visible)
register.filter("human_date", human_date)
register.filter("near_date", near_date)
register.filter("human_time", human_time)
register.filter("age", age)
register.filter("dated", dated)
register.filter("prose", prose.prose)
register.filter("with_notes", prose.with_notes)
register.filter("highlighted", prose.highlighted)
register.filter("face", face)


@register.filter
def shown_state(subject: RequestCase | RegistrationRequest) -> ShownState:
    """The state that readers are told; its `value` and `label` are for `components/status.html`.

    Lists give cases, which they open together.
    """
    return find_shown_state(subject if isinstance(subject, RequestCase) else open_case(subject))


@register.inclusion_tag("components/status.html")
def request_state(subject: RequestCase | RegistrationRequest) -> dict[str, object]:
    """The badge of a request's state."""
    shown = shown_state(subject)
    return {"value": shown.value, "label": shown.label}


@register.inclusion_tag("components/specimen.html")
def specimen(text: str, nss_label: str = "") -> dict[str, object]:
    """The name in large type, with a word under each part."""
    return {"parts": urn_markup.split_specimen(text, nss_label)}


@register.inclusion_tag("components/pinpoint.html")
def pinpoint(text: str, position: int) -> dict[str, object]:
    """The text with the character at `position` boxed; counted from 0, as `URNSyntaxError` does."""
    return {
        "before": urn_markup.colour_parts(urn_markup.split_beginning(text[:position])),
        "wrong": urn_markup.visible(text[position : position + 1]),
        "number": position + 1,
        "last": position,
        "rest": urn_markup.visible(text[position + 1 :]),
    }


@register.simple_tag
def find_dead_addresses(person: User) -> list[str]:
    """Return the addresses of a person that returned letters as undeliverable."""
    return list_dead_addresses(person)


@register.simple_tag
def person(name: object, roles: Iterable[str] = ()) -> SafeString:
    """The name of somebody, with a badge for each office they hold in the registry.

    People choose their names; the badges are outside of the name.
    """
    context = {"name": name, "offices": [role.label for role in Role if role in set(roles)]}
    # In running text a comma may follow directly.
    return SafeString(render_to_string("components/person.html", context).strip())


@register.simple_block_tag
def note(content: str, tone: str = "", title: str = "", id: str = "") -> SafeString:  # noqa: A002
    """A verdict or warning around its content; `tone` is ok, warn, bad, info or none."""
    context = {"content": content, "tone": tone, "title": title, "id": id}
    return render_to_string("components/note.html", context)


@register.simple_block_tag
def panel(content: str, title: str, id: str = "", level: int = 2) -> SafeString:  # noqa: A002
    """A section under a 2 px rule, named by its heading."""
    context = {"content": content, "title": title, "id": id, "level": level}
    return render_to_string("components/panel.html", context)


@register.simple_block_tag
def one_line(content: str) -> SafeString:
    """The content without line ends; with `as`, for showing it in several places."""
    return SafeString(" ".join(content.split()))


@register.simple_block_tag
def empty(content: str, title: str = "") -> SafeString:
    """An empty state: what is missing, and around it what to do next."""
    return render_to_string("components/empty.html", {"content": content, "title": title})


@register.simple_block_tag
def actionbar(content: str) -> SafeString:
    """The bar at the foot of a working screen: state on the left, next step in a `.push`."""
    return render_to_string("components/actionbar.html", {"content": content})


register.simple_tag(inspect_url)
register.simple_tag(resolve_url)

_RFC_PATTERN: Final = re.compile(r"RFC ?([1-9][0-9]{0,4})")


@dataclass(frozen=True, slots=True)
class DocumentReference:
    """A document of record: its name, and its address if known."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class TemplateSection:
    """A part of a published template: its anchor, its title and its text."""

    slug: str
    title: str
    text: str


@register.filter
def badge_count(count: int | str) -> int | str:
    """Return a count of `count_for_badge` as a badge shows it: "999+" if there are more.

    A text stays as it is.
    """
    is_bounded = isinstance(count, int) and count >= MAX_COUNTED
    return f"{MAX_COUNTED - 1}+" if is_bounded else count


@register.filter
def equivalence_words(statements: Iterable[str]) -> str:
    """What declared statements ignore in comparing names."""
    return describe_statements(map(parse_statement, statements))


@register.filter
def references(names: Iterable[str]) -> list[DocumentReference]:
    """The documents by name, RFCs with their address at the RFC Editor."""
    return [_link_document(name) for name in names]


def _link_document(name: str) -> DocumentReference:
    rfc = _RFC_PATTERN.fullmatch(name)
    if not rfc:
        return DocumentReference(name)
    return DocumentReference(f"RFC\xa0{rfc[1]}", f"https://www.rfc-editor.org/info/rfc{rfc[1]}")


@register.filter
def sections(text: Template) -> list[TemplateSection]:
    """The parts of `text` as the editor divides it, without empty ones."""
    return [
        TemplateSection(page.slug, page.title, text[page.fields[0]])
        for page in PAGES
        if any(text[name] for name in page.fields)
    ]


@register.filter
def letter(nid: str) -> str:
    """The place of a NID in the alphabet bar: `a` to `z`, or `0` for any digit."""
    return "0" if nid[:1].isdigit() else nid[:1]


@register.filter
def may_keep_entries(person: Person) -> bool:
    """Whether a person edits the entries of namespaces, as the registrar."""
    return permissions.may_keep_entries(person)


@register.filter
def may_confirm_contact(person: Person, namespace: Namespace) -> bool:
    """Whether a person may confirm the contact of a namespace."""
    return permissions.may_confirm_contact(person, namespace)


@register.filter
def may_read(person: Person, message: Message) -> bool:
    """Whether a person may read the text of a message, even if it is hidden."""
    return may_read_message(person, message)


@register.inclusion_tag("follows/button.html", takes_context=True)
def follow_button(
    context: template.Context,
    registration_request: RegistrationRequest | None = None,
    nid: str = "",
) -> dict[str, Any]:
    """A button to follow the request, the NID or, without either, everything; or to stop."""
    reader = context.get("user")
    thing = FollowTarget(registration_request, nid)
    follow = find_follow(reader, thing) if isinstance(reader, User) else None
    return {
        "thing": thing,
        "follow_id": follow.pk if follow else None,
        "is_signed_in": isinstance(reader, User),
        "csrf_token": context.get("csrf_token"),
    }


@register.filter
def indented(text: str) -> str:
    """Indent a quotation in plain text."""
    return textwrap.indent(text, "  ")


MAX_SERVICES_SHOWN: Final = 6


@register.inclusion_tag("services/panel.html")
def where_names_resolve(namespace: Namespace, current: Registration | None) -> dict[str, object]:
    """The best services of a namespace, and a name to try them with.

    `current` is the version in force, None if we do not hold its text.
    """
    services = list(services_in_use(namespace))
    return {
        "namespace": namespace,
        "services": services[:MAX_SERVICES_SHOWN],
        "more": max(0, len(services) - MAX_SERVICES_SHOWN),
        "has_table": has_locators(namespace),
        "example": next(iterate_example_names(namespace.nid, current), None) if services else None,
    }


@register.inclusion_tag("resolve/panel.html")
def where_it_resolves(urn: URN, namespace: Namespace) -> dict[str, object]:
    """The addresses of one name, without contacting other servers."""
    return {"urn": urn, "namespace": namespace, "ways": find_ways(urn)}
