"""The place of a number that is not known yet, in the text of an informal namespace (5.2).

The registrant writes `urn-N`; the registry puts the identifier there when it publishes.
"""

from __future__ import annotations

import re
from typing import Final

from registry.template.template import Template
from registry.urn.nid import PLACEHOLDER, informal_number

_WHOLE_WORD: Final = re.compile(rf"\b{PLACEHOLDER}\b")


def number(template: Template, nid: str) -> Template:
    """The template with `nid`, such as `urn-9`, wherever the placeholder stands as a whole word.

    Raises ValueError when `nid` is not the identifier of an informal namespace.
    """
    if informal_number(nid) is None:
        raise ValueError(f"“{nid}” is not the identifier of an informal namespace.")
    return template.replace(
        **{name: _WHOLE_WORD.sub(nid, template[name]) for name in occurrences(template)}
    )


def occurrences(template: Template) -> dict[str, int]:
    """How often the placeholder stands in each field that has it, in reading order."""
    counted = {name: len(_WHOLE_WORD.findall(template[name])) for name in template.to_dict()}
    return {name: count for name, count in counted.items() if count}
