"""Tags and filters of the components in `templates/components/`."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from registry.enums import Role
from registry.templatetags import (
    dates,
    prose,
    status_styles,
    urn_markup,
)

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
register.filter("face", status_styles.face)


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
