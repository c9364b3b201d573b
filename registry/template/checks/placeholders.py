"""What no field should contain: placeholders, invisible characters, obsolete RFCs, broken links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, build_finding
from registry.template.checks.prose import join_words
from registry.template.fields import FIELDS, ORDER, field
from registry.template.template import Template
from registry.urn.characters import quote_excerpt
from registry.urn.finding import Finding, Severity

LONGEST: Final = 100_000

CONTROL_CHARACTERS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_DIRECTION: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
_LOCAL_RULE: Final = "local rule"


def no_control_characters(template: Template, context: Context) -> Iterator[Finding]:
    """Text has no control characters except line ends and tabs."""
    for name, where in _find_characters(CONTROL_CHARACTERS, template):
        yield build_finding(
            name,
            "characters.control",
            Severity.BLOCK,
            f"{field(name).label} has a control character {where}.",
            "Delete it. It often comes with text copied from a PDF or a terminal.",
            _LOCAL_RULE,
        )


def no_hidden_turns_of_direction(template: Template, context: Context) -> Iterator[Finding]:
    """No invisible mark makes text read differently from how it is stored."""
    for name, where in _find_characters(_DIRECTION, template):
        yield build_finding(
            name,
            "characters.direction",
            Severity.WARN,
            f"{field(name).label} has an invisible mark {where}. It changes the order in which"
            " characters are shown.",
            "Delete it, unless the text needs it to be read rightly.",
            _LOCAL_RULE,
        )


def no_field_is_endless(template: Template, context: Context) -> Iterator[Finding]:
    """A field keeps within what the registry stores and compares."""
    for name in ORDER:
        length = len(template[name])
        if length > LONGEST:
            yield build_finding(
                name,
                "field.length",
                Severity.BLOCK,
                f"{field(name).label} has {length:,} characters; {LONGEST:,} is the most.",
                "Shorten it, or move the details to a document and name it under Documentation.",
                _LOCAL_RULE,
            )


def describe_position(text: str, index: int) -> str:
    """The position of the character in `text`, as people count: "line 3, column 12"."""
    line = text.count("\n", 0, index) + 1
    column = index - text.rfind("\n", 0, index)
    return f"line {line}, column {column}"


def _find_characters(pattern: re.Pattern[str], template: Template) -> Iterator[tuple[str, str]]:
    """Each field that matches, with the first matching character, its place, and the count."""
    for name in ORDER:
        text = template[name]
        first = pattern.search(text)
        if first:
            more = len(pattern.findall(text)) - 1
            point = f"U+{ord(first[0]):04X}"
            also = f", and {more:,} more" if more else ""
            yield name, f"({point}) in {describe_position(text, first.start())}{also}"


# In quotation marks a word is mentioned, not used; after a colon, dot, slash or hyphen it is part
# of a name.
_BEFORE: Final = r"(?<![\w\"“‘'`:./-])"
_AFTER: Final = r"(?![\w\"”’'`-])"
_LEFT: Final = re.compile(
    rf"""
    {_BEFORE} (?: (?i:TBD) | TB[ACS] | TODO | FIXME | \?{{3,}} | (?i:Requested[ ]of[ ]IANA) )
      {_AFTER}
    | (?<=\[) (?i:TB[ACDS] | TODO | to[ ]be[ ](?:\w+[ ]?){{1,3}}) (?=\])
    | (?i:\b (?:coming[ ]soon | more[ ]details[ ]to[ ](?:follow|come) | details[ ]to[ ]follow
        | (?:to|will)[ ]be[ ](?:added|supplied|filled[ ]in|completed|provided|written|specified
          |defined)
          [ ](?:later|soon|in[ ]a[ ](?:later|future)[ ](?:version|revision|draft)|here) ) \b)
    | {_BEFORE} (?i:YYYY-MM-DD | RFC-to-be | draft-(?:\w+-){{0,4}}xxx+) {_AFTER}
    | (?i:\b more[ ](?:text|work|details?|words)[ ](?:is[ ]|are[ ])?needed \b)
    | {_BEFORE} (?i:xxx) x* X* {_AFTER} (?![:/])
    | {_BEFORE} RFC[ -]?(?:X{{3,5}}|N{{3,5}}|n{{3,5}}|\#{{3,5}}) {_AFTER} | \[(?:THIS|this)[ ]RFC\]
    | (?i: (?: ^ | [(\[:;,.][ ]? | \b(?:is|are|remains?|still|yet)[ ] )
        (?P<phrase>to[ ]be[ ](?:determined|decided|confirmed|announced|supplied|completed|provided
          |added|defined|specified|written|filled[ ]in))
        (?= [ ]* (?: [.,;:)\]] | $ ) ) )
    """,
    re.X | re.M,
)
_LEFT_WORDS: Final = (
    *("tbd", "tba", "tbc", "tbs", "todo", "fixme", "???", "iana", "to be ", "to\nbe", "be "),
    *("coming", "details", "yyyy", "xxx", "rfc", "needed"),
)
_SKIPPED: Final = frozenset({"nid", "version", "date", "grammar_kind"})
_MAX_PLACEHOLDERS_REPORTED: Final = 5


def nothing_is_left_for_later(template: Template, context: Context) -> Iterator[Finding]:
    """No field contains a placeholder; while the text is being written, that is a reminder."""
    for name in ORDER:
        if name not in _SKIPPED:
            yield from _find_placeholders(name, template[name], context)


def _find_placeholders(name: str, text: str, context: Context) -> Iterator[Finding]:
    lowered = text.lower()
    if not any(each in lowered for each in _LEFT_WORDS):
        return
    counts: Counter[str] = Counter()
    first: dict[str, int] = {}
    for match in _LEFT.finditer(text):
        words, start = match["phrase"] or match[0], match.start("phrase")
        counts[words[:30]] += 1
        first.setdefault(words[:30], match.start() if start < 0 else start)
    for words, index in list(first.items())[:_MAX_PLACEHOLDERS_REPORTED]:
        times = f", {counts[words]:,} times" if counts[words] > 1 else ""
        yield build_finding(
            name,
            "placeholder.left",
            context.unfinished,
            f"{field(name).label} still says “{words}” in {describe_position(text, index)}{times}.",
            "Replace it by what is meant. If the text speaks of the word itself, put the word in"
            " quotation marks.",
        )


# Beginnings of the sentences with which the templates of RFC 8141 and RFC 3406 say what to write.
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
    r"|[\[<{](?:insert|your|enter|describe|fill in|replace|(?:name|address|date|title|list"
    r"|number) of"
    r"|(?:organi[sz]ation|company|contact) (?:name|address)|give)\b[^\]>}\n]{0,60}[\]>}]"
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
    r"|\b(?:please|to be) (?:remove|delete)d? (?:this|before|prior to)\b|\[\[(?=\w)[^\]\n]{1,80}",
    re.I,
)
_EDITING: Final = ("editor", "ed. note", "note to", "remove", "delete", "[[")


def no_instruction_is_left_in(template: Template, context: Context) -> Iterator[Finding]:
    """A section contains an answer and not the words that asked for it (Appendix A)."""
    for name, text, index in _find_instructions(_INSTRUCTION, _ASKING, template):
        yield build_finding(
            name,
            "placeholder.instruction",
            Severity.WARN,
            f"{field(name).label} still has words of the form itself, {quote_excerpt(text)}, in"
            f" {describe_position(template[name], index)}.",
            "Replace them by your answer.",
            "RFC 8141, Appendix A",
        )


def no_note_to_an_editor_is_left_in(template: Template, context: Context) -> Iterator[Finding]:
    """Nothing is addressed to editors in a text that stays as it is (ours)."""
    for name, text, index in _find_instructions(_EDITOR, _EDITING, template):
        yield build_finding(
            name,
            "placeholder.editor",
            Severity.WARN,
            f"{field(name).label} has a note for an editor, {quote_excerpt(text)}, in"
            f" {describe_position(template[name], index)}.",
            "Settle what it says and take it out. The registry publishes the text as it is.",
            "local rule",
        )


def _find_instructions(
    pattern: re.Pattern[str], anchors: tuple[str, ...], template: Template
) -> Iterator[tuple[str, str, int]]:
    """The first match of the pattern in each field, tried only if an anchor is present."""
    for name in ORDER:
        text = template[name].lower()
        match = any(each in text for each in anchors) and pattern.search(template[name])
        if match:
            yield name, match[0], match.start()


_SUCCESSORS: Final = {
    "1738": "3986",
    "1808": "3986",
    "2068": "9110",
    "2141": "8141",
    "2234": "5234",
    "2279": "3629",
    "2396": "3986",
    "2434": "8126",
    "2445": "5545",
    "2611": "8141",
    "2616": "9110",
    "2717": "7595",
    "2718": "7595",
    "2732": "3986",
    "2818": "9110",
    "2822": "5322",
    "3044": "8254",
    "3066": "5646",
    "3187": "8254",
    "3188": "8458",
    "3406": "8141",
    "3548": "4648",
    "4122": "9562",
    "4234": "5234",
    "4395": "7595",
    "4646": "5646",
    "5226": "8126",
    "5246": "8446",
    "7230": "9110",
    "7231": "9110",
    "7159": "8259",
}
"""Documents that texts about names cite, and those that replaced them."""
_OBSOLETE: Final = re.compile(rf"\bRFC[ -]?({'|'.join(_SUCCESSORS)})\b", re.I)
_TELLS_HISTORY: Final = re.compile(
    r"\b(?:obsolet\w+|replac\w+|supersed\w+|formerly|previously|originally|earlier|used to"
    r"|historic\w*|was (?:first )?(?:registered|published|defined|specified)"
    r"|were (?:first )?defined"
    r"|updated? by|in (?:19|20)[0-9]{2}|no longer)\b",
    re.I,
)
# A text may describe its own history.
_HISTORY: Final = frozenset({"prior_use", "additional_information", "revision_information"})
_EXPERIMENTAL: Final = re.compile(
    r"\burn:x-[a-z0-9]|\bexperimental (?:urn |uri )(?:namespaces?|names?)\b"
    r"|\bexperimental (?:NIDs?|namespace (?:identifiers?|IDs?))\b"
    r"|[\"“‘'`]X-[\"”’'`]|\bX-(?: prefix| namespaces?| NIDs?)\b",
    re.I,
)


def obsolete_documents_are_not_cited(template: Template, context: Context) -> Iterator[Finding]:
    """Rules are cited from documents in force (RFC 8141, header and appendix C)."""
    cited: dict[str, tuple[str, int]] = {}
    for name in ORDER:
        for match in _OBSOLETE.finditer(template[name]) if name not in _HISTORY else ():
            if match[1] not in cited and not _is_history(template[name], match.start()):
                cited[match[1]] = name, match.start()
    if cited:
        name, start = next(iter(cited.values()))
        listed = join_words([f"RFC {number}" for number in cited])
        instead = join_words([f"RFC {each}" for each in dict.fromkeys(map(_SUCCESSORS.get, cited))])
        yield build_finding(
            name,
            "citation.obsolete",
            Severity.WARN,
            f"The text cites {listed}, which {'is' if len(cited) == 1 else 'are'} obsolete, first"
            f" under {field(name).label} in {describe_position(template[name], start)}.",
            f"Cite {instead}, and check whether what you cite still holds.",
            "RFC 8141, header" if {"2141", "2611", "3406"} & cited.keys() else "local rule",
        )


def _is_history(text: str, start: int) -> bool:
    """Whether the sentence around `start` is about the past."""
    begins = max(text.rfind(". ", 0, start), text.rfind("\n\n", 0, start), start - 300)
    ends = text.find(". ", start)
    sentence = text[max(begins, 0) : ends if 0 <= ends < start + 300 else start + 300]
    return _TELLS_HISTORY.search(sentence) is not None


def experimental_names_are_not_advised(template: Template, context: Context) -> Iterator[Finding]:
    """Experimental namespaces, which began with X-, no longer exist (RFC 8141, appendix C)."""
    for name in ORDER:
        lowered = "" if name in _HISTORY else template[name].lower()
        spoken = "x-" in lowered or "experimental" in lowered
        match = _EXPERIMENTAL.search(template[name]) if spoken else None
        if match:
            yield build_finding(
                name,
                "citation.experimental",
                Severity.WARN,
                f"{field(name).label} speaks of experimental names (“{match[0]}”) in"
                f" {describe_position(template[name], match.start())}; there are none any more.",
                "Use the namespace “example” for examples, and names of this namespace otherwise.",
                "RFC 8141, appendix C",
            )


_LINK: Final = re.compile(r"\b(?:https?|hhtps?|htt?ps?|ttps?)(?::|;)/{0,3}[^\s<>\"“”]*", re.I)
_FORM: Final = re.compile(
    r"https?://(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,63}(?::[0-9]{1,5})?(?:[/?#].*)?",
    re.I,
)
_SPARE: Final = ".,;:!?'’)]}>*_`"
_MAX_LINKS_REPORTED: Final = 3


def links_can_be_followed(template: Template, context: Context) -> Iterator[Finding]:
    """An address has a scheme, a host with a domain, and nothing doubled."""
    for each in FIELDS:
        broken = [
            (start, link)
            for start, link in _find_links(template[each.name])
            if not _is_whole_link(link)
        ]
        for start, link in broken[:_MAX_LINKS_REPORTED]:
            yield build_finding(
                each.name,
                "link.broken",
                Severity.WARN,
                f"{each.label} has an address that cannot be followed, {quote_excerpt(link)}, in"
                f" {describe_position(template[each.name], start)}.",
                "Write it as https://, the host and the path, without blanks or line breaks.",
                _LOCAL_RULE,
            )


def links_are_not_repeated(template: Template, context: Context) -> Iterator[Finding]:
    """The same address twice in one section was often meant to be two."""
    for each in FIELDS:
        counts = Counter(link for _, link in _find_links(template[each.name]))
        for link, count in counts.most_common(_MAX_LINKS_REPORTED):
            if count > 1:
                yield build_finding(
                    each.name,
                    "link.repeated",
                    Severity.NOTE,
                    f"{each.label} gives {quote_excerpt(link)} {count:,} times.",
                    "Make sure that no other address was meant.",
                    _LOCAL_RULE,
                )


def _find_links(text: str) -> Iterator[tuple[int, str]]:
    for match in _LINK.finditer(text):
        yield match.start(), match[0][:2_000].rstrip(_SPARE)


def _is_whole_link(link: str) -> bool:
    return _FORM.fullmatch(link) is not None and link.lower().count("://") == 1 + _count_carried(
        link
    )


def _count_carried(link: str) -> int:
    """How many addresses are in the path or query, as in archives and look-up services."""
    return link[8:].lower().count("://") if "/" in link[8:].partition("://")[0] else 0
