"""What programs are told, ready to be written as JSON: by the API, and at pages' other addresses.

`site` is where the registry is read, without a slash at its end. What is not known is null and
never left out.
"""

from registry.pages.told.acts import act_told
from registry.pages.told.namespaces import (
    namespace_listed,
    namespace_told,
    registration_listed,
    registration_told,
)
from registry.pages.told.requests import request_listed, request_told

__all__ = [
    "act_told",
    "namespace_listed",
    "namespace_told",
    "registration_listed",
    "registration_told",
    "request_listed",
    "request_told",
]
