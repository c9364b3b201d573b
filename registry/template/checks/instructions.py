"""What was meant for those who write or edit the text, and not for those who read it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.characters import position
from registry.template.checks.context import Context, finding
from registry.template.fields import ORDER, field
from registry.template.template import Template
from registry.urn.characters import excerpt
from registry.urn.finding import Finding, Severity

# Beginnings of the sentences by which the templates of RFC 8141 and RFC 3406 say what to write.
_INSTRUCTION: Final = re.compile(
    r"described in section 6\.4\.[1-7] of this document"
    r"|starting with 1 and incrementing by 1"
    r"|the date when the registration is requested"
    r"|the person or organization that has registered the NID"
    r"|unless the registration explicitly describes the semantics"
    r"|a pointer to an RFC, a specification"
    r"|description of changes from prior version\(s\)"
    r"|assigned by IANA \(informal\)"
    r"|this section should (?:outline|list|address|describe|include|detail)"
    r"|[\[<{](?:insert|your|enter|describe|fill in|replace)\b[^\]>}\n]{0,60}[\]>}]"
    r"|lorem ipsum",
    re.I,
)
_ASKING: Final = (
    *("in section 6.4", "starting with 1", "the date when", "the person or", "unless the"),
    *("a pointer to", "prior version", "by iana", "this section", "lorem", "[", "<", "{"),
)
_EDITOR: Final = re.compile(
    r"\bnotes? to (?:the )?(?:rfc )?editors?\b|\brfc editor\b ?[:,]|\beditor[’']?s? notes?\b ?:?"
    r"|\bed\. note\b|\bnote to (?:iana|reviewers?)\b"
    r"|\b(?:please|to be) (?:remove|delete)d? (?:this|before|prior to)\b|\[\[[^\]\n]{1,80}",
    re.I,
)
_EDITING: Final = ("editor", "ed. note", "note to", "remove", "delete", "[[")


def no_instruction_is_left_in(template: Template, context: Context) -> Iterator[Finding]:
    """A section holds an answer and not the words that asked for it (Appendix A)."""
    for name, text, index in _found(_INSTRUCTION, _ASKING, template):
        yield finding(
            name,
            "placeholder.instruction",
            Severity.WARN,
            f"{field(name).label} still has words of the form itself, {excerpt(text)}, in"
            f" {position(template[name], index)}.",
            "Replace them by your answer.",
            "RFC 8141, Appendix A",
        )


def no_note_to_an_editor_is_left_in(template: Template, context: Context) -> Iterator[Finding]:
    """Nothing is said to editors in a text that stays as it is (ours)."""
    for name, text, index in _found(_EDITOR, _EDITING, template):
        yield finding(
            name,
            "placeholder.editor",
            Severity.WARN,
            f"{field(name).label} has a note for an editor, {excerpt(text)}, in"
            f" {position(template[name], index)}.",
            "Settle what it says and take it out. The registry publishes the text as it is.",
            "local rule",
        )


def _found(
    pattern: re.Pattern[str], anchors: tuple[str, ...], template: Template
) -> Iterator[tuple[str, str, int]]:
    """Where the pattern is first found in each field; without an anchor it is not looked for."""
    for name in ORDER:
        text = template[name].lower()
        match = any(each in text for each in anchors) and pattern.search(template[name])
        if match:
            yield name, match[0], match.start()
