"""How sample texts are written down: wrapped in the source, whole paragraphs on the page."""

from __future__ import annotations

import re
from textwrap import dedent

from registry.template import Template

AS_WRITTEN = frozenset({"grammar"})


def text(**values: str | tuple[str, ...]) -> Template:
    """Return the template with these fields, the lines of each paragraph joined."""
    return Template.from_dict(
        {
            name: value if isinstance(value, tuple) else flow(value, wrapped=name in AS_WRITTEN)
            for name, value in values.items()
        }
    )


def flow(value: str, *, wrapped: bool = False) -> str:
    """Return `value` without its indent and, unless `wrapped`, without breaks in a paragraph.

    A line that begins with a hyphen stays an item of a list.
    """
    value = dedent(value).strip()
    return value if wrapped else re.sub(r"(?<!\n)\n(?!\n|- )", " ", value)
