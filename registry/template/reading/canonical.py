"""The text that `write` makes, read back exactly."""

from __future__ import annotations

import re
from typing import Final

from registry.template.fields import FIELDS
from registry.template.reading import beside
from registry.template.reading.result import ReadField, Source
from registry.template.template import Template
from registry.template.text import DEPTH, write

_LABELS: Final = {each.label: each.name for each in FIELDS}
_LABEL: Final = re.compile(rf"({'|'.join(map(re.escape, _LABELS))}):(?: (.+))?")
_MARGIN: Final = " " * DEPTH


def read_back(text: str) -> tuple[ReadField, ...] | None:
    """The fields of the template that would be written as this text; None where none would."""
    text = text.replace("\r\n", "\n").strip("\n") + "\n"
    found = _values(text)
    if not found:
        return None
    values, sources = found
    for parts in beside.splits(values.pop("syntax", "")):
        template = Template.from_dict({**values, **parts})
        if write(template) == text:
            return tuple(
                ReadField(name, template[name], (sources[name if name in sources else "syntax"],))
                for name in template.to_dict()
                if name in sources or template[name]
            )
    return None


def _values(text: str) -> tuple[dict[str, str], dict[str, Source]] | None:
    """What stands below and behind each label; None where anything else stands at the margin."""
    values: dict[str, list[str]] = {}
    sources: dict[str, Source] = {}
    name = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith(_MARGIN) and name:
            values[name].append(line[DEPTH:])
            sources[name] = _until(sources[name], number)
        elif not line and name:
            values[name].append("")
        else:
            label = _LABEL.fullmatch(line)
            if label is None or _LABELS[label[1]] in values:
                return None
            name = _LABELS[label[1]]
            values[name] = [label[2] or ""]
            sources[name] = Source(label[1], "", number, number)
    return {name: "\n".join(lines).strip("\n") for name, lines in values.items()}, sources


def _until(source: Source, number: int) -> Source:
    return Source(source.label, source.old_field, source.first, number)
