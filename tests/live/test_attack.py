"""The whole description of the API, tried by schemathesis against a running server as each role.

Nothing fails, and nothing is answered that the description does not say. `make tests` tries a
share of it; `make attack` tries 5,000 cases, or as many as `REGISTRY_ATTACK_CASES` says.
"""

from __future__ import annotations

import os
import uuid
from collections import Counter as Tally
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings, strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from registry import workflow
from registry.actions import discussion, remarks, sightings
from registry.enums import RemarkWeight
from registry.models import (
    Organization,
    RegistrationRequest,
    ResolutionService,
    ServiceDesignator,
    Token,
    User,
)
from tests.factories import NamespaceFactory
from tests.live.servers import gunicorn

pytestmark = pytest.mark.django_db(transaction=True)

ROLES: Final = (
    "anonymous",
    "registrant",
    "expert",
    "lead",
    "registrar",
    "standards_body",
    "administrator",
)
CASES: Final = int(os.environ.get("REGISTRY_ATTACK_CASES", "280"))
AT_ONCE: Final = 8
"""So often at least is a role tried on an operation: the first of its cases are the plainest."""
SEED: Final = 8141
PATIENCE: Final = 60
CREDENTIALS: Final = frozenset({"Authorization", "sessionid"})
CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
KNOWN: Final = {
    "reference": st.sampled_from(["r-2026-0001", "R-2026-0002", "r-2026-0003", "r-2026-9999"]),
    "nid": st.sampled_from(["SEEDBANK", "old", "nothing"]),
    "id": st.integers(0, 3),
    "number": st.integers(0, 3),
    "delegate": st.integers(1, 9),
}
"""Parts of addresses as they are, beside those that schemathesis makes up."""
TAGS: Final = st.sampled_from([f'"{n}"' for n in range(6)] + ["*", 'W/"1"', "nonsense"])


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("REGISTRY_API_WRITES_PER_MINUTE", "1000000")
    with gunicorn(tmp_path) as url:
        yield url


@pytest.fixture
def registry_in_use(
    draft: RegistrationRequest,
    informal_approved: RegistrationRequest,
    organization: Organization,
    registrant: User,
    expert: User,
    lead: User,
) -> None:
    """Something of everything: three requests, namespaces, what was said, seen and asked."""
    workflow.perform(draft, "submit", actor=registrant)
    workflow.perform(draft, "assign", actor=expert)
    remarks.add_remark(
        draft,
        actor=expert,
        round_number=1,
        section="purpose",
        weight=RemarkWeight.MUST_FIX,
        text="Why?",
    )
    discussion.add_comment(draft, author=lead, text="A word.", key=uuid.uuid4())
    organization.delegates.add(registrant)
    old = NamespaceFactory.create(nid="old", registered_on="2004", registrant=organization)
    of_rfc = {"purpose": "URI to URL", "reference": "RFC 2483"}
    designator, _made = ServiceDesignator.objects.get_or_create(name="I2L", defaults=of_rfc)
    ResolutionService.objects.create(
        namespace=old,
        service=designator,
        template="https://old.example/{nss}",
        operator="Body",
        source="Letter",
    )
    sightings.note_sighting("seen-1", actor=expert, evidence="In a letter.")


def headers_of(role: str, request: pytest.FixtureRequest) -> dict[str, str]:
    """Return the headers with which a role shows who it is."""
    if role == "anonymous":
        return {}
    person: User = request.getfixturevalue(role)
    _token, shown = Token.objects.create(user=person, name=role, form_key=uuid.uuid4())
    return {"Authorization": f"Token {shown}"}


def cases(operation: Any, mode: GenerationMode) -> st.SearchStrategy[tuple[Any, dict[str, Any]]]:
    """Return cases of an operation, some with addresses and tags that there are."""
    names = [each.name for each in operation.path_parameters if each.name in KNOWN]
    known = st.fixed_dictionaries(
        {name: st.one_of(KNOWN[name], KNOWN[name], KNOWN[name], st.none()) for name in names}
    )
    made = [operation.as_strategy(generation_mode=mode)]
    if mode is GenerationMode.POSITIVE:
        made += operation.get_strategies_from_examples()
    return st.tuples(
        st.one_of(made),
        st.fixed_dictionaries({"known": known, "tag": st.none() | TAGS}),
    )


@dataclass
class Tried:
    """How often what was tried, what it was answered, and what was not as described."""

    statuses: Tally[int] = field(default_factory=Tally)
    failures: list[str] = field(default_factory=list)

    def attack(self, operation: Any, role: str, url: str, headers: dict[str, str], n: int) -> None:
        """Try an operation `n` times, half of them with what the description does not allow."""
        for mode, count in modes(operation, n):

            @seed(SEED)
            @settings(
                max_examples=count,
                deadline=None,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case_and_more=cases(operation, mode))
            def one(case_and_more: tuple[Any, dict[str, Any]]) -> None:
                answer = as_they_are(*case_and_more).call(
                    base_url=url, headers=headers, timeout=PATIENCE
                )
                self.statuses[answer.status_code] += 1
                case_and_more[0].validate_response(answer, checks=CHECKS)

            try:
                one()
            except (Exception, BaseExceptionGroup) as failure:
                self.failures.append(f"{role}: {operation.label}\n{in_words(failure)}")


def as_they_are(case: Any, more: dict[str, Any]) -> Any:
    """Return the case with parts of addresses, and a tag, that there are."""
    known = {name: value for name, value in more["known"].items() if value is not None}
    case.path_parameters = {**(case.path_parameters or {}), **known}
    if more["tag"] and "If-Match" in (case.headers or {}):
        case.headers["If-Match"] = more["tag"]
    return case


def modes(operation: Any, n: int) -> list[tuple[GenerationMode, int]]:
    """Return how often to send what the description allows, and how often what it does not."""
    if is_plain(operation):
        return [(GenerationMode.POSITIVE, 1)]
    if not can_be_wrong(operation):
        return [(GenerationMode.POSITIVE, n)]
    return [(GenerationMode.POSITIVE, n - n // 2), (GenerationMode.NEGATIVE, n // 2)]


def is_plain(operation: Any) -> bool:
    """Whether there is only one way to ask."""
    return not operation.body and not list(operation.iter_parameters())


def can_be_wrong(operation: Any) -> bool:
    """Whether something can be sent that the description does not allow: any text is a part of an
    address."""
    texts = {
        each.name
        for each in operation.path_parameters
        if each.definition["schema"] == {"type": "string"}
    }
    every = {each.name for each in operation.iter_parameters()} - CREDENTIALS
    return bool(operation.body) or every != texts


def in_words(failure: BaseException) -> str:
    """Return what failed, and how to see it again."""
    inner = failure.exceptions if isinstance(failure, BaseExceptionGroup) else [failure]
    return "\n".join(f"{type(each).__name__}: {each}"[:1500] for each in inner)


def chosen(operations: list[Any]) -> list[tuple[str, Any, int]]:
    """Return roles and operations, spread over all of them, with how often to try each."""
    every = [(role, operation) for role in ROLES for operation in operations]
    pairs = min(CASES // AT_ONCE, len(every))
    found = [every[n * len(every) // pairs] for n in range(pairs)]
    rich = [pair for pair in found if not is_plain(pair[1])]
    left = CASES - (len(found) - len(rich))
    shares = {id(pair): left // len(rich) + (n < left % len(rich)) for n, pair in enumerate(rich)}
    return [(*pair, shares.get(id(pair), 1)) for pair in found]


@pytest.mark.usefixtures("registry_in_use")
def test_the_whole_description_is_true_for_every_role(
    site: str, request: pytest.FixtureRequest
) -> None:
    schema: Any = schemathesis.openapi.from_url(f"{site}/api/schema/")
    headers = {role: headers_of(role, request) for role in ROLES}
    tried = Tried()

    for role, operation, count in chosen([each.ok() for each in schema.get_all_operations()]):
        tried.attack(operation, role, site, headers[role], count)

    print(f"{tried.statuses.total()} cases: {dict(sorted(tried.statuses.items()))}")
    print(*tried.failures, sep="\n\n")
    assert tried.failures == []
    assert tried.statuses.total() >= CASES
