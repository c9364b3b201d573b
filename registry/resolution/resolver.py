"""Which addresses a name leads to, best first; and from an address back to names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.content_negotiation import weigh_language, weigh_media_type
from registry.models import Registration, ResolutionService
from registry.namespace_rules import Outcome, Ruling, find_namespace_rule as rule_of
from registry.resolution import uri_templates as templates
from registry.resolution.sources import (
    FoldedName,
    ResolvableNamespace,
    ServiceOffer,
    find_locator,
    load_offers,
)
from registry.resolution.uri_templates import (
    TemplateSubject,
    UriExpression,
    UriTemplate,
    compute_variables,
)
from registry.selectors.name_rules import find_equivalences
from registry.urn import URN, URNSyntaxError, parse
from registry.urn.spec import SERVICE_DESIGNATORS, Directive, parse_directives

# Section 2.3 of draft -03, v-pchar.
DIRECTIVE_VALUE_PATTERN: Final = re.compile(r"(?:[A-Za-z0-9\-._~!$'()*+,;=:@/?]|%[0-9A-Fa-f]{2})+")
SERVICE_KEYWORD: Final = "s"
COMPONENT_KEYWORD: Final = "c"

IGNORED_REPEATED: Final = _("It is repeated, so all of them are ignored (draft -03, 2.3).")
IGNORED_KEYWORD: Final = _("No such keyword is understood here (draft -03, 2.3).")
IGNORED_VALUE: Final = _("No such value is understood here (draft -03, 2.3).")


@dataclass(frozen=True, slots=True)
class IgnoredDirective:
    """A directive that is ignored, and why."""

    directive: Directive
    why: str | Promise


@dataclass(frozen=True, slots=True)
class ResolutionQuery:
    """What somebody wants. Without a `service` it is the namespace's first.

    `falls_back` says that this one is also acceptable if the requested one does not exist.
    """

    service: str = ""
    component: str = ""
    accept: str = ""
    languages: str = ""
    ignored: tuple[IgnoredDirective, ...] = ()
    falls_back: bool = False


def parse_resolution_query(query: str, *, accept: str = "", languages: str = "") -> ResolutionQuery:
    """Read the directives of draft -03 in a query (2.3); unknown ones are ignored.

    If the namespace does not have a service, it falls back to the one that it has (2.3.1).
    """
    heeded: dict[str, str] = {}
    ignored: list[IgnoredDirective] = []
    written = parse_directives(query) if query else ()
    times = Counter(directive.keyword for directive in written)
    for directive in written:
        if times[directive.keyword] > 1:
            ignored.append(IgnoredDirective(directive, IGNORED_REPEATED))
        elif directive.keyword not in (SERVICE_KEYWORD, COMPONENT_KEYWORD):
            ignored.append(IgnoredDirective(directive, IGNORED_KEYWORD))
        elif not is_directive_understood(directive):
            ignored.append(IgnoredDirective(directive, IGNORED_VALUE))
        else:
            heeded[directive.keyword] = directive.value
    service, component = heeded.get(SERVICE_KEYWORD, ""), heeded.get(COMPONENT_KEYWORD, "")
    return ResolutionQuery(service, component, accept, languages, tuple(ignored), falls_back=True)


def is_directive_understood(directive: Directive) -> bool:
    """Whether the keyword has that value; a comparison has two names and is requested elsewhere."""
    if directive.keyword == SERVICE_KEYWORD:
        return directive.value in SERVICE_DESIGNATORS and directive.value != "I=I"
    return DIRECTIVE_VALUE_PATTERN.fullmatch(directive.value) is not None


class ComponentHandling(Enum):
    """One thing that was done with a component; the value says what."""

    q_copied = _("The q-component is the query of the address (RFC 8141, section 2.3.2).")
    q_appended = _(
        "The address had a query already; the q-component is appended to it with “&” (RFC 8141,"
        " section 2.3.2)."
    )
    q_taken = _("The service takes the q-component itself.")
    q_follows = _(
        "The q-component follows the r-component, as the URN spells them (RFC 8141, section 2)."
    )
    f_copied = _("The f-component is the fragment of the address (RFC 8141, section 2.3.3).")
    f_taken = _("The service takes the f-component itself.")
    f_dropped = _("The address has a fragment of its own, so the f-component is left out.")
    r_taken = _("The r-component is handed to the service (RFC 8141, section 2.3.1).")
    r_dropped = _("The service takes no r-component, so it is left out.")
    c_taken = _("The service is asked for the component that c= names.")
    c_dropped = _("The service takes no directive c=, so it is left out.")

    @property
    def words(self) -> str | Promise:
        words: str | Promise = self.value
        return words


def carry_components(
    address: str,
    urn: URN,
    taken: Collection[str] = (),
    component: str = "",
    *,
    ends_with_r: bool = False,
) -> tuple[str, tuple[ComponentHandling, ...]]:
    """Return `address` with the components that it does not contain yet, and what was done.

    `taken` are the variables that the address was made with; `ends_with_r` says that it ends with
    the URN and its r-component, if there is one.
    """
    said: list[ComponentHandling] = []
    if urn.r_component is not None:
        said.append(ComponentHandling.r_taken if "r" in taken else ComponentHandling.r_dropped)
    if component:
        said.append(ComponentHandling.c_taken if "c" in taken else ComponentHandling.c_dropped)
    if urn.q_component is not None and urn.r_component is not None and ends_with_r:
        # After “&” it would be read as the rest of the r-component.
        address = f"{address}?={urn.q_component}"
        said.append(ComponentHandling.q_follows)
    elif urn.q_component is not None:
        address, done = append_query(address, urn.q_component, is_taken="q" in taken)
        said.append(done)
    if urn.f_component is not None:
        address, done = append_fragment(address, urn.f_component, is_taken="f" in taken)
        said.append(done)
    return address, tuple(said)


def append_query(address: str, query: str, *, is_taken: bool) -> tuple[str, ComponentHandling]:
    """Copy the q-component to the query, before a fragment."""
    if is_taken:
        return address, ComponentHandling.q_taken
    base, mark, fragment = address.partition("#")
    if "?" not in base:
        return f"{base}?{query}{mark}{fragment}", ComponentHandling.q_copied
    joint = "" if base.endswith(("?", "&")) else "&"
    return f"{base}{joint}{query}{mark}{fragment}", ComponentHandling.q_appended


def append_fragment(
    address: str, fragment: str, *, is_taken: bool
) -> tuple[str, ComponentHandling]:
    """Copy the f-component to the fragment, if the address has none."""
    if is_taken:
        return address, ComponentHandling.f_taken
    if "#" in address:
        return address, ComponentHandling.f_dropped
    return f"{address}#{fragment}", ComponentHandling.f_copied


WEB_ADDRESS_PATTERN: Final = re.compile(
    r"https?://(?:[!#$&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~]|%[0-9A-Fa-f]{2})+"
)
ALIAS_SERVICES: Final = frozenset({"I2N", "I2Ns"})
DESCRIPTION_SERVICES: Final = frozenset({"I2C", "I2Cs"})

SUBSTITUTE_SERVICES: Final[Mapping[str, tuple[str, ...]]] = {
    "I2L": ("I2L", "I2R"),
    "I2Ls": ("I2L", "I2R", "I2Ls", "I2Rs"),
    "I2R": ("I2R", "I2L"),
    "I2Rs": ("I2R", "I2L", "I2Rs", "I2Ls"),
    "I2C": ("I2C",),
    "I2Cs": ("I2C", "I2Cs"),
    "I2N": ("I2N",),
    "I2Ns": ("I2N", "I2Ns"),
}
"""Which services answer a request: an address also comes from one that returns the resource."""
DEFAULT_SERVICES: Final = (("I2L", "I2R"), ("I2Ls", "I2Rs"), ("I2C", "I2Cs"))
"""Where a name leads without a request for a service: the first of these that exists."""
LIST_SERVICES: Final = frozenset({"I2Ls", "I2Rs", "I2Cs", "I2Ns"})
"""Services whose answer is a list (RFC 2483)."""

Rank = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ResolutionTarget:
    """Where a name leads: an address, or for I2N another URN.

    `offer` is the service that leads there, None for a row of the namespace's own table. A smaller
    `rank` is better.
    """

    address: str
    service: str
    offer: ServiceOffer | None
    carried: tuple[ComponentHandling, ...]
    rank: Rank

    @property
    def is_description(self) -> bool:
        """Whether what is there describes the named thing instead of being it."""
        return self.service in DESCRIPTION_SERVICES

    @property
    def is_address(self) -> bool:
        """Whether it is a web address, and not another name."""
        return self.service not in ALIAS_SERVICES


@dataclass(frozen=True, slots=True)
class TargetChoice:
    """All addresses for a request, best first; without a `service`, none was requested."""

    service: str
    targets: tuple[ResolutionTarget, ...] = ()

    @property
    def best(self) -> ResolutionTarget | None:
        """The one that is better than all others, None if several are equally good."""
        if not self.targets or self.is_undecided:
            return None
        return self.targets[0]

    @property
    def is_undecided(self) -> bool:
        """Whether no address is better than all others."""
        return len(self.targets) > 1 and self.targets[0].rank == self.targets[1].rank

    @property
    def is_for_several(self) -> bool:
        """Whether a list was requested."""
        return self.service in LIST_SERVICES


def choose_targets(known: ResolvableNamespace, urn: URN, wanted: ResolutionQuery) -> TargetChoice:
    """Return where `urn`, a name of that namespace, leads.

    The locator in the namespace's own table, for exactly this name, comes before services, which
    know it only by its form; then the service for the longest matching prefix, then the client's
    preferences, then the order set by the services' keeper.
    """
    for name in iterate_spellings(urn):
        for order in list_service_orders(wanted):
            if targets := tuple(iterate_targets(known, name, wanted, order)):
                return TargetChoice(wanted.service, tuple(iterate_distinct_targets(targets)))
    return TargetChoice(wanted.service)


def find_descriptions(known: ResolvableNamespace, urn: URN) -> tuple[ResolutionTarget, ...]:
    """Return the descriptions of what `urn` names, best first, without contacting other servers."""
    if not any(offer.service in DESCRIPTION_SERVICES for offer in known.offers):
        return ()
    return choose_targets(known, urn, ResolutionQuery("I2Cs")).targets


def iterate_spellings(urn: URN) -> Iterator[URN]:
    """Yield a name as it is written, then as its document has it, if that is known to differ.

    Tolerance comes from rules that we ship; a published grammar tolerates nothing.
    """
    yield urn
    rule = rule_of(urn.nid)
    respelled = rule.respell(urn) if rule and rule.practices else None
    if respelled:
        yield respelled


def find_rule_objection(known: ResolvableNamespace, urn: URN) -> Ruling | None:
    """Return why `urn` breaks the rule of its namespace, or None if it may be valid."""
    ruling = known.rule.check(urn) if known.rule else None
    return ruling if ruling and ruling.outcome is Outcome.AGAINST else None


def list_service_orders(wanted: ResolutionQuery) -> tuple[tuple[str, ...], ...]:
    """Return the acceptable kinds of service, the requested ones first."""
    if not wanted.service:
        return DEFAULT_SERVICES
    asked = (SUBSTITUTE_SERVICES[wanted.service],)
    return (*asked, *DEFAULT_SERVICES) if wanted.falls_back else asked


def iterate_targets(
    known: ResolvableNamespace, urn: URN, wanted: ResolutionQuery, order: tuple[str, ...]
) -> Iterator[ResolutionTarget]:
    """Yield the targets of some kinds of service."""
    if known.has_table and "I2L" in order:
        yield from iterate_table_targets(known, urn, wanted)
    name = FoldedName.of(known.equivalence, urn.nss)
    for offer in known.offers:
        if offer.service in order and (target := find_target(offer, urn, wanted, order, name)):
            yield target


def iterate_distinct_targets(targets: tuple[ResolutionTarget, ...]) -> Iterator[ResolutionTarget]:
    """Yield targets in order, each address once."""
    seen: set[str] = set()
    for target in sorted(targets, key=lambda each: each.rank):
        if target.address not in seen:
            seen.add(target.address)
            yield target


def iterate_table_targets(
    known: ResolvableNamespace, urn: URN, wanted: ResolutionQuery
) -> Iterator[ResolutionTarget]:
    """Yield the locator in the namespace's table for this name."""
    locator = find_locator(known.namespace, urn, known.equivalence, known.table)
    if locator is not None and is_web_address(locator):
        address, carried = carry_components(locator, urn, component=wanted.component)
        yield ResolutionTarget(address, "I2L", None, carried, (0.0,))


def find_target(
    offer: ServiceOffer,
    urn: URN,
    wanted: ResolutionQuery,
    order: tuple[str, ...] = (),
    name: FoldedName | None = None,
) -> ResolutionTarget | None:
    """Return where a service leads, or None if it does not cover the name or cannot take it.

    `order` are the acceptable kinds of service, best first, and `name` the NSS in its form for
    comparison, if the caller has it.
    """
    if name is None:
        name = FoldedName.of(find_equivalences({offer.nid})[offer.nid], urn.nss)
    rest = name.behind(offer.begins)
    if rest is None:
        return None
    subject, rank = TemplateSubject(urn, rest, wanted.component), rank_offer(offer, wanted, order)
    if offer.service in ALIAS_SERVICES:
        other = expand_alias(offer.template, subject)
        return ResolutionTarget(other, offer.service, offer, (), rank) if other else None
    template = templates.parse_uri_template(offer.template)
    values = compute_variables(template.names, subject)
    address = template.expand(values, urn.r_component)
    if address is None or not is_web_address(address):
        return None
    taken = template.names | {"r"} if template.r_place else template.names
    ends_with_r = template.r_place is templates.ResolverComponentPlace.END
    address, carried = carry_components(
        address, urn, taken, wanted.component, ends_with_r=ends_with_r
    )
    return ResolutionTarget(address, offer.service, offer, carried, rank)


def expand_alias(text: str, subject: TemplateSubject) -> str | None:
    """Return the other name that an alias makes, or None if that is not a URN."""
    template = templates.parse_alias_template(text)
    name = template.expand(compute_variables(template.names, subject))
    try:
        return parse(name).text if name else None
    except URNSyntaxError:
        return None


def is_web_address(text: str) -> bool:
    """Whether a text is a web address, with only characters of URIs."""
    return WEB_ADDRESS_PATTERN.fullmatch(text) is not None


def rank_offer(offer: ServiceOffer, wanted: ResolutionQuery, order: tuple[str, ...]) -> Rank:
    """Return how well a service fits the request."""
    return (
        1.0,
        -len(offer.prefix),
        -weigh_media_type(wanted.accept, offer.media_type),
        -weigh_language(wanted.languages, offer.language),
        offer.priority,
        order.index(offer.service) if order else 0,
    )


def try_service(service: ResolutionService, urn: URN) -> str:
    """Return where a service leads a name, empty if it does not cover it or cannot take it."""
    target = find_target(ServiceOffer.of(service), urn, ResolutionQuery())
    return target.address if target else ""


def iterate_example_names(nid: str, current: Registration | None) -> Iterator[URN]:
    """Yield known names of a namespace: from its version in force, and from its rule."""
    rule = rule_of(nid)
    written = current.template.examples if current else ()
    held = (f"urn:{nid}:{nss}" for nss in rule.examples) if rule else ()
    for text in (*written, *held):
        try:
            urn = parse(text)
        except URNSyntaxError:
            continue
        if urn.nid.lower() == nid:
            yield urn


# Templates are applied in reverse, as far as a template can tell names apart. Locator tables are
# not searched: they are indexed by name.

URN_BUILDERS: Final[Mapping[str, Callable[[ServiceOffer, str], str]]] = {
    "urn": lambda offer, text: text,
    "nss": lambda offer, text: f"urn:{offer.nid}:{text}",
    "preferred": lambda offer, text: f"urn:{offer.nid}:{text}",
    "compact": lambda offer, text: f"urn:{offer.nid}:{text}",
    "rest": lambda offer, text: f"urn:{offer.nid}:{offer.prefix}{text}",
}
"""How to restore a name from each of the variables that contain all of it."""


def find_names_of_locator(locator: str) -> list[URN]:
    """Return the names that a service in use leads to exactly this address, each once."""
    services = ResolutionService.objects.exclude(service__in=ALIAS_SERVICES)
    found = (
        name for offer in load_offers(services) for name in iterate_names_of_offer(offer, locator)
    )
    return list(dict.fromkeys(found))


def iterate_names_of_offer(offer: ServiceOffer, locator: str) -> Iterator[URN]:
    """Yield the name that a service leads to `locator`, if it can be determined."""
    template = templates.parse_uri_template(offer.template)
    if not locator.startswith(template.literal_beginning):
        return
    pattern, variable = reverse_template(template)
    match = pattern.fullmatch(locator) if pattern else None
    if match is None:
        return
    text = match[1] if variable.operator else unquote(match[1], errors="replace")
    try:
        urn = parse(URN_BUILDERS[variable.variables[0]](offer, text))
    except URNSyntaxError:
        return
    target = find_target(offer, urn, ResolutionQuery())
    if urn.nid.lower() == offer.nid and target is not None and target.address == locator:
        yield urn


@lru_cache(maxsize=2048)
def reverse_template(template: UriTemplate) -> tuple[re.Pattern[str] | None, UriExpression]:
    """Return the pattern of the addresses that a template makes, and what its group matches.

    None if the template does not contain the whole name in one place.
    """
    found = [each for each in template.expressions if each.variables[0] in URN_BUILDERS]
    nothing = UriExpression("", (), 0, 0)
    if len(template.expressions) != 1 or not found or found[0].operator not in {"", "+"}:
        return None, nothing
    only = found[0]
    before, after = template.text[: only.start], template.text[only.end :]
    return re.compile(f"{re.escape(before)}(.+){re.escape(after)}"), only
