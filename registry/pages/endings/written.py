"""How facts become text, whatever they are about."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from registry.template import Template, kramdown, rfcxml

Told = Mapping[str, Any]


def dumped(told: Told) -> str:
    """Return facts as JSON, in one line."""
    return json.dumps(told, ensure_ascii=False) + "\n"


def listed(count: int, told: Iterable[Told]) -> Iterator[str]:
    """Yield a list as JSON, an entry in each line."""
    yield f'{{"count": {count}, "results": ['
    before = "\n"
    for each in told:
        yield before + json.dumps(each, ensure_ascii=False)
        before = ",\n"
    yield "\n]}\n"


TEXTS = {"md": kramdown, "rfc.xml": rfcxml}
"""A template as a section of an Internet-Draft."""


def section(template: Template, ending: str) -> str:
    """Return a template as a section of an Internet-Draft."""
    return TEXTS[ending](template)
