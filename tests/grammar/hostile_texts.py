"""Texts made to take long: each is read within bounds, or refused with a message."""

from __future__ import annotations

NESTED = 24
CORE = "ALPHA BIT CHAR CR CRLF CTL DIGIT DQUOTE HEXDIG HTAB LF LWSP OCTET SP VCHAR WSP".split()


def _doubling(end: str) -> str:
    """Each rule is twice the next one."""
    return "\n".join([*(f"a{i} = a{i + 1} a{i + 1}" for i in range(100)), f"a100 = {end}"])


ABNF = {
    "optional-in-a-row": "a = " + " ".join(['["a"]'] * 390),
    "optional-5000-times": 'a = 5000["a"]',
    "starred-in-a-row": "a = " + " ".join(f'*"{i % 7}"' for i in range(590)),
    "starred-in-a-row-starred": "a = *(" + " ".join(f'*"{i % 7}"' for i in range(580)) + ")",
    "starred-inside-out": "a = " + "*(" * NESTED + '"a" "b"' + ")" * NESTED,
    "thrice-inside-out": "a = " + "3(" * NESTED + '"a"' + ")" * NESTED,
    "nothing-inside-out": "a = " + "5000(" * NESTED + '""' + ")" * NESTED,
    "optional-inside-out": "a = " + '["b" *[' * (NESTED // 2) + '"a"' + "]]" * (NESTED // 2),
    "doubling": _doubling('"x"'),
    "doubling-nothing": _doubling('""'),
    "a-chain": "\n".join([*(f"a{i} = a{i + 1}" for i in range(390)), 'a390 = "x"']),
    "a-circle": "\n".join([*(f"a{i} = a{i + 1}" for i in range(390)), "a390 = a0"]),
    "alternatives": "a = " + " / ".join(f'"{i}x"' for i in range(590)),
    "names": "a = " + " ".join(["b"] * 1190),
    "groups": "a = " + " ".join(['( "a" / [ "b" ] )'] * 140),
    "ranges": "a = " + " ".join(f"%x0-{i:X}" for i in range(1, 1190)),
    "numbers": "a = %x" + "1." * 9000 + "1",
    "literal": 'a = "' + "x" * 4990 + '"',
    "literals": "a = " + " / ".join('"' + "x" * i + '"' for i in range(1, 95)),
    "core-rules": "\n".join(f'{name} = *60(*"x" / *"y" / 1*10WSP)' for name in CORE),
    "core-rules-long": "\n".join(f'{name} = *"x" *"y" 1*1000"z"' for name in CORE),
    "left-recursion": 'a = a a / a "b" / "x"',
    "signs": "a = " + "*" * 19_000 + "b",
    "digits": "a = " + "1" * 19_000 + "b",
    "underscores": "a_" * 9_000,
    "blanks": " " * 19_990,
    "footers": "[Page " * 2_800,
    "headers": "\fRFC 1 " + " 1" * 2_800,
    "quotation-marks": '"' * 19_000,
    "entities": "a = &" + "a" * 9_000,
}
REGEX = {
    "doubling-when-deterministic": "(a|b)*a(a|b){2000}",
    "doubling-again-and-again": "((a|b)*a(a|b){20}){20}",
    "optional-in-a-row": "a?" * 4_900,
    "any-optional-in-a-row": ".?" * 4_900,
    "any-starred-in-a-row": ".*" * 2_400,
    "optional-then-needed": "(a?){2000}a{2000}",
    "one-or-two": "((a|aa){0,30}){0,40}",
    "pairs": "(ab)?" * 2_000,
    "quantified-inside-out": "(" * NESTED + "a?" + "){0,3}" * NESTED,
    "starred-inside-out": "(" * NESTED + "a*" + ")*" * NESTED,
    "many-characters": "".join(chr(0x4E00 + i) for i in range(4_990)),
    "a-large-class": "[" + "".join(chr(0x4E00 + 2 * i) for i in range(19_000)) + "]{4000}",
    "many-classes": "".join(
        "[" + "".join(chr(0x4E00 + 2 * i) for i in range(50)) + chr(0x4E01 + 2 * j) + "]"
        for j in range(350)
    ),
    "alternatives": "|" * 19_900,
    "groups": "()" * 9_900,
    "brackets": "[" * 19_900,
    "anchors": "^$" * 9_900,
    "braces": "a{1," + "1" * 19_000,
    "braces-again": "a{" * 9_900,
    "flags": "(?" + "a" * 19_000,
    "a-name": "(?P<" + "a" * 19_000,
    "slashes": "/^" + "$/a" * 6_000,
}
NAMES = ("a" * 100_000, "x" * 2_000, "ab" * 20_000, "\u4e00" * 4_000, "a?=" * 30_000)
