"""From a URN to where the resource it names can be found."""

from registry.resolution.resolver import (
    ComponentHandling,
    IgnoredDirective,
    ResolutionQuery,
    ResolutionTarget,
    TargetChoice,
    choose_targets,
    find_descriptions,
    find_names_of_locator,
    find_rule_objection,
    is_web_address,
    parse_resolution_query,
)
from registry.resolution.sources import (
    ResolvableNamespace,
    ServiceOffer,
    find_resolvable_namespace,
    load_services,
    map_services_in_use,
    services_in_use,
)
from registry.resolution.uri_templates import (
    TEMPLATE_VARIABLES,
    VARIABLE_DESCRIPTIONS,
    UriTemplate,
    UriTemplateError,
)

__all__ = [
    "TEMPLATE_VARIABLES",
    "VARIABLE_DESCRIPTIONS",
    "ComponentHandling",
    "IgnoredDirective",
    "ResolutionQuery",
    "ResolutionTarget",
    "ResolvableNamespace",
    "ServiceOffer",
    "TargetChoice",
    "UriTemplate",
    "UriTemplateError",
    "choose_targets",
    "find_descriptions",
    "find_names_of_locator",
    "find_resolvable_namespace",
    "find_rule_objection",
    "is_web_address",
    "load_services",
    "map_services_in_use",
    "parse_resolution_query",
    "services_in_use",
]
