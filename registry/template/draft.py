"""The template as a section of an Internet-Draft, to be pasted among the others.

Both forms are a definition list with the labels of RFC 8141, Appendix A. What is empty is left
out. RFCXML is that of RFC 7991, kramdown the dialect that kramdown-rfc turns into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.blocks import Block, Items, Paragraph, Preformatted, blocks
from registry.template.fields import FIELDS
from registry.template.template import Template
from registry.template.text import (
    COUNTER_EXAMPLES_LABEL,
    EXAMPLES_LABEL,
    GRAMMAR_LABELS,
    PRIOR_USE_LABEL,
)

_TITLE: Final = "URN Namespace Registration"
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9]+")
_NOT_IN_XML: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_XML: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_KRAMDOWN: Final = {
    **{sign: f"\\{sign}" for sign in "\\*_`[]|$"},
    "&": "&amp;",
    "<": "&lt;",
    "{": "&#123;",
    "}": "&#125;",
}
_MARK_OF_LINE: Final = re.compile(r"([0-9]{0,9})([#>+=~:^.)-])")


def rfcxml(template: Template) -> str:
    """A `<section>` of RFCXML version 3, well-formed whatever the template holds."""
    lines = [f'<section anchor="{_anchor(template)}">', f"  <name>{_TITLE}</name>"]
    lines.append('  <dl newline="true">')
    for label, value in _values(template):
        lines += [f"    <dt>{label}:</dt>", "    <dd>"]
        lines += [f"      {_xml(block)}" for block in value]
        lines.append("    </dd>")
    return "\n".join([*lines, "  </dl>", "</section>", ""])


def kramdown(template: Template) -> str:
    """A section in kramdown, its signs escaped so that nothing is taken for a mark."""
    parts = [f"# {_TITLE} {{#{_anchor(template)}}}"]
    for label, value in _values(template):
        below = "\n\n".join(map(_kramdown, value)).split("\n")
        moved = [f"  {line}" if line else "" for line in below]
        parts.append("\n".join([f"{label}:", f": {moved[0].lstrip()}", *moved[1:]]))
    return "\n\n".join(parts) + "\n"


def _anchor(template: Template) -> str:
    name = _NOT_IN_A_NAME.sub("-", template.nid.lower()).strip("-")
    return f"urn-namespace-{name}" if name else "urn-namespace"


def _values(template: Template) -> Iterator[tuple[str, list[Block]]]:
    for each in FIELDS:
        value = list(blocks(template[each.name]))
        if each.name == "syntax":
            value += _beside_syntax(template)
        if value:
            yield each.label, value


def _beside_syntax(template: Template) -> Iterator[Block]:
    if template.grammar or template.grammar_kind:
        yield Paragraph((GRAMMAR_LABELS[template.grammar_kind],))
    if template.grammar:
        yield Preformatted(template.grammar, template.grammar_kind)
    for label, names in (
        (EXAMPLES_LABEL, template["examples"]),
        (COUNTER_EXAMPLES_LABEL, template["counter_examples"]),
    ):
        if names:
            yield Paragraph((label,))
            yield Preformatted(names)
    if template.prior_use:
        yield Paragraph((PRIOR_USE_LABEL,))
        yield from blocks(template.prior_use)


def _xml(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f"<t>{'<br/>'.join(map(_xml_text, block.lines))}</t>"
    if isinstance(block, Items):
        tag = "ol" if block.numbered else "ul"
        entries = "".join(f"<li>{_xml_text(entry)}</li>" for entry in block.entries)
        return f"<{tag}>{entries}</{tag}>"
    if block.language == "abnf":
        return f'<sourcecode type="abnf">\n{_xml_text(block.text)}\n</sourcecode>'
    return f"<artwork>\n{_xml_text(block.text)}\n</artwork>"


def _xml_text(text: str) -> str:
    plain = _NOT_IN_XML.sub("\ufffd", text)
    return "".join(_XML.get(sign, sign) for sign in plain)


def _kramdown(block: Block) -> str:
    if isinstance(block, Paragraph):
        # Two blanks at its end keep a line apart from the next.
        return "  \n".join(map(_kramdown_text, block.lines))
    if isinstance(block, Items):
        return "\n".join(
            f"{f'{number}.' if block.numbered else '*'} {_kramdown_text(entry)}"
            for number, entry in enumerate(block.entries, start=1)
        )
    fence = "~" * max(3, 1 + max(map(len, re.findall("~+", block.text)), default=0))
    language = " abnf" if block.language == "abnf" else ""
    return f"{fence}{language}\n{block.text}\n{fence}"


def _kramdown_text(text: str) -> str:
    escaped = "".join(_KRAMDOWN.get(sign, sign) for sign in text)
    return _MARK_OF_LINE.sub(r"\1\\\2", escaped, count=1) if _MARK_OF_LINE.match(text) else escaped
