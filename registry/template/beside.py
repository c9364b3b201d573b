"""What is kept beside the Syntax text as data, so that machines can use it (local to us)."""

from __future__ import annotations

from typing import Final

from registry.template.definition import Field, Required

GRAMMAR_KINDS: Final[tuple[str, ...]] = ("", "abnf", "regex", "opaque", "algorithmic")

GRAMMAR_KIND: Final = Field(
    name="grammar_kind",
    label="Kind of rule",
    section="6.4.2",
    guidance=(
        "Choose how the rule below is written.",
        "A rule is welcome and not demanded. Say that names are opaque if nobody should read"
        " anything into them, or that they follow an algorithm if a calculation makes them.",
    ),
    good_answer="ABNF",
    required=Required.NEVER,
    rows=1,
)

GRAMMAR: Final = Field(
    name="grammar",
    label="Rule a machine can check",
    section="6.4.2",
    guidance=(
        "Describe the part of a name that follows your identifier.",
        "With a rule on file, anyone can check names of your namespace here, and so can programs.",
        "The rule and the words above have to say the same.",
    ),
    good_answer='nss = vault "/" accession\nvault = 3ALPHA\naccession = 1*6DIGIT',
    required=Required.NEVER,
    rows=6,
)

EXAMPLES: Final = Field(
    name="examples",
    label="Examples",
    section="6.4.2",
    guidance=(
        "Give at least two names that are right, one on each line.",
        "Write them in full, beginning with urn: and your identifier. Choose names that differ:"
        " the shortest, the longest, one with every part.",
        "In an informal namespace, write urn:urn-N: in front.",
    ),
    good_answer="urn:seedbank:NVF/42\nurn:seedbank:ISB/120455/B",
    required=Required.NEVER,
    rows=4,
)

COUNTER_EXAMPLES: Final = Field(
    name="counter_examples",
    label="Counter-examples",
    section="6.4.2",
    guidance=(
        "Give at least one name that looks right and is wrong, one on each line.",
        "The mistakes people really make serve best: a missing part, a wrong separator.",
    ),
    good_answer="urn:seedbank:NVF-42",
    required=Required.NEVER,
    rows=3,
)

PRIOR_USE: Final = Field(
    name="prior_use",
    label="Prior use",
    section="6.4.1",
    guidance=(
        "Have such names been in use without being registered?",
        "Say since when, by whom and in how many places. Earlier use is no obstacle; hiding it"
        " may be.",
    ),
    good_answer=(
        "Three vaults have printed these names on labels since 2023, about 40,000 of them. All"
        " fit the rule above."
    ),
    required=Required.NEVER,
    rows=3,
)

BESIDE_SYNTAX: Final[tuple[Field, ...]] = (
    GRAMMAR_KIND,
    GRAMMAR,
    EXAMPLES,
    COUNTER_EXAMPLES,
    PRIOR_USE,
)
