"""The registry as it stood at another time, put together from the journal and the versions."""

from registry.queries.past.moments import Moment, NoSuchMoment, first_fact, moment_of
from registry.queries.past.namespaces import Then, namespace_then, namespaces_then
from registry.queries.past.requests import path_then, requests_then

__all__ = [
    "Moment",
    "NoSuchMoment",
    "Then",
    "first_fact",
    "moment_of",
    "namespace_then",
    "namespaces_then",
    "path_then",
    "requests_then",
]
