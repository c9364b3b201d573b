"""Tags of the components in `templates/components/`, and how states and findings look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django import template
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from registry.enums import NamespaceStatus, Role, State
from registry.templatetags import (
    dates,
    prose,
    urn_markup,
)
from registry.urn import Severity


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
    State.REGISTERED: StatusStyle("bookmark-check", "ok"),
    State.WITHDRAWN: PLAIN_STYLE,
    State.REFUSED: StatusStyle("x-lg", "bad"),
    State.EXPIRED: PLAIN_STYLE,
    NamespaceStatus.ACTIVE: StatusStyle("check2", "ok"),
    NamespaceStatus.DEPRECATED: StatusStyle("exclamation-triangle-fill", "warn"),
    NamespaceStatus.OBSOLETE: StatusStyle("archive"),
    "revising": StatusStyle("arrow-repeat", "info"),
    Severity.BLOCK: StatusStyle("x-octagon-fill", "bad", _("Must fix")),
    Severity.WARN: StatusStyle("exclamation-triangle-fill", "warn", _("Consider")),
    Severity.NOTE: StatusStyle("info-circle-fill", "info", _("Note")),
    "passed": StatusStyle("check-circle-fill", "ok", _("Passed")),
    # How far a page of the editor has come.
    "done": StatusStyle("check2", "ok", _("Done")),
    "to_fix": StatusStyle("x-octagon-fill", "bad", _("To fix")),
    "question": StatusStyle("chat-left-text", "warn", _("Question")),
    "changed": StatusStyle("arrow-repeat", "info", _("Changed")),
    "not_started": StatusStyle("", "", _("Not started")),
    "optional": StatusStyle("", "", _("Optional")),
    "not_needed": StatusStyle("", "", _("Not needed")),
    # The levels of Django's messages.
    "success": StatusStyle("check-circle-fill", "ok"),
    "warning": StatusStyle("exclamation-triangle-fill", "warn"),
    "error": StatusStyle("x-octagon-fill", "bad"),
    "info": StatusStyle("info-circle-fill", "info"),
}


def face(value: str) -> StatusStyle:
    """The face of a stored value; a plain one for a value without any."""
    return STATUS_STYLES.get(value, PLAIN_STYLE)


register = template.Library()
register.simple_tag(urn_markup.urn)
register.filter("visible", urn_markup.visible)
register.filter("human_date", dates.human_date)
register.filter("human_time", dates.human_time)
register.filter("age", dates.age)
register.filter("dated", dates.dated)
register.filter("prose", prose.prose)
register.filter("with_notes", prose.with_notes)
register.filter("highlighted", prose.highlighted)
register.filter("face", face)


@register.inclusion_tag("components/specimen.html")
def specimen(text: str, nss_label: str = "") -> dict[str, object]:
    """The name large, with a word under each part."""
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
def person(name: object, roles: Iterable[str] = ()) -> SafeString:
    """The name of somebody, with a badge for each office of the registry that they hold.

    The name is text that its bearer chose; the badges stand outside of it.
    """
    context = {"name": name, "offices": [role.label for role in Role if role in set(roles)]}
    # In running text a comma may follow.
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
def empty(content: str, title: str = "") -> SafeString:
    """Nothing here: what is missing, and around it what to do next."""
    return render_to_string("components/empty.html", {"content": content, "title": title})


@register.simple_block_tag
def actionbar(content: str) -> SafeString:
    """The bar at the foot of a working screen: state on the left, next step in a `.push`."""
    return render_to_string("components/actionbar.html", {"content": content})
