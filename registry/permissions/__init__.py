"""Who may do what: small predicates of a person and a request.

Roles are groups; being party to a request is a fact about the request (docs/process.md, People).

The `Q` that asks the database the same question is below each predicate and shares its name: for
`is_author(person, registration_request)`, the twin `q_is_author(person)` finds the requests that a
person started, and `q_person_is_author(registration_request)` the people who started a request.
Twins join no tables, so they combine by `|`, `&` and `~`, and no row comes twice. Change them
together: `tests/test_permissions.py` compares every pair.
"""

from registry.permissions.experts import *  # noqa: F403
from registry.permissions.facts import *  # noqa: F403
from registry.permissions.namespaces import *  # noqa: F403
from registry.permissions.organizations import *  # noqa: F403
from registry.permissions.people import *  # noqa: F403
from registry.permissions.requests import *  # noqa: F403
from registry.permissions.stakes import *  # noqa: F403
