"""URNs of mixed kinds to measure with, the same in every run."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final
from urllib.parse import quote
from uuid import UUID

_WORDS: Final = "library archive сборник καταλογος bücher schema device event fi sv 文書".split()


def valid_urns(number: int = 1000) -> list[str]:
    """URNs by RFC 8141: short and long, plain and percent-encoded, four in ten with components."""
    chance = random.Random(8141)
    return [_KINDS[index % len(_KINDS)](chance) for index in range(number)]


def invalid_urns(number: int = 200) -> list[str]:
    """Texts that are not URNs for one reason each, at all possible positions."""
    chance = random.Random(2141)
    names = [_KINDS[index % len(_KINDS)](chance) for index in range(number)]
    return [_FAULTS[index % len(_FAULTS)](name, chance) for index, name in enumerate(names)]


def mixture() -> list[str]:
    """The mixture for measuring: 1,000 URNs and 200 other texts, shuffled."""
    names = [*valid_urns(), *invalid_urns()]
    random.Random(3986).shuffle(names)
    return names


def running_text(octets: int = 500_000) -> str:
    """Prose full of URIs, with up to four words between two of them."""
    chance = random.Random(3987)
    uris = [*valid_urns(), *(_locator(chance) for _ in range(600))]
    pieces: list[str] = []
    length = 0
    while length < octets:
        written = chance.choice(_DELIMITED).format(chance.choice(uris))
        words = chance.choices(_PROSE, k=chance.randrange(5))
        pieces += [written, *words]
        length += len(written) + sum(map(len, words)) + len(words) + 1
    return " ".join(pieces)


def _locator(chance: random.Random) -> str:
    if chance.random() < 0.2:
        return f"mailto:person{chance.randrange(999)}@h{chance.randrange(99)}.example"
    page = f"https://www{chance.randrange(99)}.example/path/{chance.randrange(9999)}"
    return page if chance.random() < 0.5 else f"{page}/page.html?id={chance.randrange(99)}"


_DELIMITED: Final = ("{}", "{}", "{}.", "({}),", "<{}>", '"{}"')
_PROSE: Final = "the library says which name is registered under it see also that document".split()


def _uuid(chance: random.Random) -> str:
    return f"urn:uuid:{UUID(int=chance.getrandbits(128))}"


def _isbn(chance: random.Random) -> str:
    group, publisher, title = (chance.randrange(size) for size in (10, 10**5, 999))
    return f"URN:ISBN:978-{group}-{publisher:05}-{title}-3"


def _oid(chance: random.Random) -> str:
    return "urn:oid:" + ".".join(
        str(chance.randrange(9999)) for _ in range(chance.randrange(4, 14))
    )


def _nbn(chance: random.Random) -> str:
    return (
        f"urn:nbn:fi-fe{chance.randrange(10**12)}?+lang=sv?=format=pdf#page={chance.randrange(99)}"
    )


def _schema(chance: random.Random) -> str:
    steps = ":".join(chance.choice(_WORDS[:2] + _WORDS[5:10]) for _ in range(4))
    return f"urn:example:params:xml:{steps.replace('ü', 'ue')}:{chance.randrange(99)}.0"


def _encoded(chance: random.Random) -> str:
    return "urn:example:" + quote("-".join(chance.choices(_WORDS, k=4)))


def _path(chance: random.Random) -> str:
    steps = "/".join(str(chance.randrange(9999)) for _ in range(chance.randrange(2, 8)))
    query = f"op=map&lat={chance.randrange(90)}.56&lon=-{chance.randrange(180)}.85"
    return f"urn:Example-{chance.randrange(99)}:{steps}?={query}#a{chance.random()}"


def _law(chance: random.Random) -> str:
    language = chance.choice(("fi", "sv", "en"))
    return f"urn:lex:eu:council:directive:{chance.randrange(9999)}?=lang={language}&v=2"


def _chapter(chance: random.Random) -> str:
    return f"urn:example:book:{chance.randrange(10**6)}#section-{chance.randrange(30)}"


def _short(chance: random.Random) -> str:
    return f"urn:ietf:rfc:{chance.randrange(9999)}"


_KINDS: Final[tuple[Callable[[random.Random], str], ...]] = (
    _uuid,
    _isbn,
    _oid,
    _nbn,
    _schema,
    _encoded,
    _path,
    _short,
    _law,
    _chapter,
)


def _within(insert: str) -> Callable[[str, random.Random], str]:
    """Insert `insert` somewhere after the NID."""

    def fault(name: str, chance: random.Random) -> str:
        place = chance.randrange(name.index(":", 4) + 2, len(name) + 1)
        return name[:place] + insert + name[place:]

    return fault


_FAULTS: Final[tuple[Callable[[str, random.Random], str], ...]] = (
    _within(" "),
    _within("%g0"),
    _within("ä"),
    _within("<"),
    _within("\n"),
    lambda name, _: name.partition("?")[0].partition("#")[0] + "?lang=sv",
    lambda name, _: name.partition("#")[0] + "#one#two",
    lambda name, _: name.partition("?")[0].partition("#")[0] + "?=",
    lambda name, _: name[: name.index(":", 4) + 1],
    lambda name, _: name.replace(":", "-:", 2).replace("-:", ":", 1),
    lambda name, _: f"urn:{'long-' * 7}{name[4:]}",
    lambda name, _: f"urn:n_{name[4:]}",
    lambda name, _: name.replace(":", ":/", 2).replace(":/", ":", 1),
    lambda name, _: f"http://example.org/{name[4:]}",
    lambda name, _: f"{name}\n",
)
