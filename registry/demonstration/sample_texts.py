"""The texts of the sample requests, read from `texts/`: a folder each, named like the sample.

`round-1.txt` is the template as the registry writes it, and as anyone might upload it;
`round-2.txt` is what was sent after changes were requested. `sample.toml` has what people said:
comments on the steps, remarks, and the documents of record.

In both kinds of file lines are wrapped for editing: a paragraph is one line on the page.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from registry.enums import RemarkWeight
from registry.template import Template, read

SAMPLE_TEXTS_FOLDER: Final = Path(__file__).resolve().parent / "texts"
PREFORMATTED_FIELDS: Final = frozenset({"grammar"})
# Indented lines, and those that begin with a hyphen, stay separate.
BREAK_IN_PARAGRAPH: Final = re.compile(r"(?<!\n)\n(?![\n ]|- )")


@dataclass(frozen=True, slots=True)
class SampleRemark:
    """An expert's remark on the passage `quote` of `section`, and the author's answer."""

    section: str
    quote: str
    weight: RemarkWeight
    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class SampleTexts:
    """The template of each round, and what people said."""

    rounds: tuple[Template, ...]
    comments: Mapping[str, str]
    remarks: tuple[SampleRemark, ...]
    references: tuple[str, ...]


def read_sample_texts(name: str) -> SampleTexts:
    """Return the texts of the sample of that name; only its first round is required."""
    folder = SAMPLE_TEXTS_FOLDER / name
    later = sorted({*folder.glob("round-*.txt")} - {folder / "round-1.txt"})
    path = folder / "sample.toml"
    said: dict[str, Any] = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    return SampleTexts(
        rounds=tuple(map(read_sample_template, (folder / "round-1.txt", *later))),
        comments={step: join_lines(text) for step, text in said.get("comments", {}).items()},
        remarks=tuple(map(make_sample_remark, said.get("remarks", ()))),
        references=tuple(said.get("references", ())),
    )


def read_sample_template(path: Path) -> Template:
    """Return the template in a file; raise ValueError if a line belongs to no field of it."""
    reading = read(path.read_text("utf-8"))
    if reading.left_over:
        raise ValueError(
            f"{path}, line {reading.left_over[0].first}: this belongs to no field of the template. "
            "Indent it by three blanks, below a label spelled as in RFC 8141, Appendix A."
        )
    return reading.template.replace(
        **{
            name: join_lines(value)
            for name, value in reading.template.to_dict().items()
            if isinstance(value, str) and name not in PREFORMATTED_FIELDS
        }
    )


def make_sample_remark(values: Mapping[str, str]) -> SampleRemark:
    """Return a remark from `sample.toml`."""
    return SampleRemark(
        section=values["section"],
        quote=values["quote"],
        weight=RemarkWeight(values["weight"]),
        text=join_lines(values["text"]),
        answer=join_lines(values.get("answer", "")),
    )


def join_lines(text: str) -> str:
    """Return `text` with each paragraph on one line."""
    return BREAK_IN_PARAGRAPH.sub(" ", text.strip())
