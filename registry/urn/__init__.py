"""URNs by RFC 8141 and URIs by RFC 3986, with the standard library alone."""

from importlib import import_module

from .version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import nid, spec, uri
    from .advice import advise_on_urn
    from .diagnosis import problems
    from .equivalence import Comparison, compare
    from .errors import URNSyntaxError, URNTypeError
    from .finding import Finding, Severity
    from .json_form import to_json_form
    from .repair import Repair, repairs
    from .running_text import Found, find
    from .urn import URN, DisplayForm, build, display, is_valid, parse

__all__ = [
    "URN",
    "Comparison",
    "DisplayForm",
    "Finding",
    "Found",
    "Repair",
    "Severity",
    "URNSyntaxError",
    "URNTypeError",
    "__version__",
    "advise_on_urn",
    "build",
    "compare",
    "display",
    "find",
    "is_valid",
    "nid",
    "parse",
    "problems",
    "repairs",
    "spec",
    "to_json_form",
    "uri",
]

_MODULES = {
    "advice": ("advise_on_urn",),
    "diagnosis": ("problems",),
    "equivalence": ("Comparison", "compare"),
    "errors": ("URNSyntaxError", "URNTypeError"),
    "finding": ("Finding", "Severity"),
    "json_form": ("to_json_form",),
    "repair": ("Repair", "repairs"),
    "running_text": ("Found", "find"),
    "urn": ("URN", "DisplayForm", "build", "display", "is_valid", "parse"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import what is asked for, so that nobody waits for the rest."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name not in _HOMES:
        return import_module(f".{name}", __name__)
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
