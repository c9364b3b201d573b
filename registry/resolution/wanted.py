"""What is asked of a resolver beside the name: a service, a component, media types, languages."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.urn.spec.directives import SERVICES, Directive, directives

# Section 2.3 of draft -03, v-pchar.
VALUE: Final = re.compile(r"(?:[A-Za-z0-9\-._~!$'()*+,;=:@/?]|%[0-9A-Fa-f]{2})+")
SERVICE: Final = "s"
COMPONENT: Final = "c"

REPEATED: Final = _("It is there more than once, so all of them are ignored (draft -03, 2.3).")
UNKNOWN: Final = _("No such keyword is understood here (draft -03, 2.3).")
NO_VALUE: Final = _("No such value is understood here (draft -03, 2.3).")


@dataclass(frozen=True, slots=True)
class Ignored:
    """A directive that is not heeded, and why."""

    directive: Directive
    why: str | Promise


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants. No `service` is the one that the namespace has first.

    `falls_back` says that this one will do as well where there is none that was asked for.
    """

    service: str = ""
    component: str = ""
    accept: str = ""
    languages: str = ""
    ignored: tuple[Ignored, ...] = ()
    falls_back: bool = False


def read_wanted(query: str, *, accept: str = "", languages: str = "") -> Wanted:
    """Read the directives of draft -03 in a query (2.3); what is not understood is ignored.

    A service that the namespace has not falls back to the one that it has (2.3.1).
    """
    heeded: dict[str, str] = {}
    ignored: list[Ignored] = []
    written = directives(query) if query else ()
    times = Counter(directive.keyword for directive in written)
    for directive in written:
        if times[directive.keyword] > 1:
            ignored.append(Ignored(directive, REPEATED))
        elif directive.keyword not in (SERVICE, COMPONENT):
            ignored.append(Ignored(directive, UNKNOWN))
        elif not is_understood(directive):
            ignored.append(Ignored(directive, NO_VALUE))
        else:
            heeded[directive.keyword] = directive.value
    service, component = heeded.get(SERVICE, ""), heeded.get(COMPONENT, "")
    return Wanted(service, component, accept, languages, tuple(ignored), falls_back=True)


def is_understood(directive: Directive) -> bool:
    """Whether the value is one of its keyword; a comparison has two names and stands elsewhere."""
    if directive.keyword == SERVICE:
        return directive.value in SERVICES and directive.value != "I=I"
    return VALUE.fullmatch(directive.value) is not None
