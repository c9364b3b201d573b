"""The whole API description, tried by schemathesis on a running server as each role.

Nothing fails, and every response is in the description. `make test-all` tries a share of it; `make
attack` tries 5,000 cases, or as many as `REGISTRY_TEST_ATTACK_CASES` says: each role tries each
operation, and the rest goes to operations that were granted at first. An operation that is always
refused is hardly tested, so that many cases must succeed at least a third of the time. The share of
`make test-all` covers few operations, perhaps none that are granted, and is exempt.
"""

from __future__ import annotations

import datetime
import os
import uuid
from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener

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

from registry import sightings, workflow
from registry.actions import discussion, enquiries, remarks
from registry.enums import RemarkWeight
from registry.models import (
    Enquiry,
    Namespace,
    Organization,
    RegistrationRequest,
    ResolutionService,
    ServiceDesignator,
    Sighting,
    Token,
    User,
)
from tests.factories import (
    NamespaceFactory,
    let_speak_for,
)
from tests.live.servers import AnyAnswer, gunicorn
from tests.sign_in import ALL_SCOPES
from tests.template.samples import FORMAL

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
CASES: Final = int(os.environ.get("REGISTRY_TEST_ATTACK_CASES", "280"))
AT_ONCE: Final = 4
"""The minimum number of cases for each chosen role and operation."""
AT_FIRST: Final = 3
"""How often a role tries an operation before we know whether it can succeed."""
TURNS: Final = 4
"""The maximum number of rounds: an operation may run out of other cases."""
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
MANY: Final = 1000
"""From this many cases on a third must succeed: fewer depend on chance."""
OF_ADDRESS: Final[Mapping[str, Any]] = {
    "organizations": Organization,
    "services": ResolutionService,
    "sightings": Sighting,
    "enquiries": Enquiry,
}
"""What the numbers in addresses of a part of the API refer to."""
URNS: Final = ("urn:isbn:0395363411", "urn:old:1", "urn:nothing:1")
WORDS: Final = ("A word on it.",)
LATER: Final = str(datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=90))
LEFT_OUT: Final = (None,)
KNOWN_QUERY: Final[Mapping[str, Sequence[object]]] = {
    **dict.fromkeys(("cursor", "fields", "since", "until", "sort", "r", "f"), LEFT_OUT),
    **dict.fromkeys(("urn", "uri", "a", "b", "base"), URNS),
    "nid": ("old", "seedbank"),
    "reference": ("r-2026-0001",),
    "request": ("r-2026-0001", None),
    "registrant": (1, None),
    "organization": (1, None),
    "id": ("1", "1,2"),
    "name": ("1",),
    "text": ("See urn:isbn:0395363411.",),
    "verb": ("submit",),
    "year": (2026,),
}
"""Query parameters of a program that has read before; `None` leaves one out."""
KNOWN_BODY: Final[Mapping[str, Sequence[object]]] = {
    **dict.fromkeys(("urn", "uri", "a", "b", "base"), URNS),
    **dict.fromkeys(("until", "first_day", "last_day", "due_on"), (LATER,)),
    **dict.fromkeys(("address", "expert"), ("expert@people.example", "registrant@people.example")),
    **dict.fromkeys(("answer", "comment", "ending", "evidence", "question", "quote"), WORDS),
    **dict.fromkeys(("reason", "reasons", "source", "statement", "text", "unanswered"), WORDS),
    "edition": (1, 2, 3),
    "namespace": ("old",),
    "references": (["RFC 8141"],),
    "request": ("r-2026-0001",),
    "round": (1,),
    "url": ("https://hooks.example/",),
}
SENT: Final[Mapping[str, Mapping[str, object]]] = {
    "absence_note": {"first_day": LATER, "last_day": LATER},
    "account_change": {"has_shortcuts": True},
    "draft_write": {"template": {"purpose": FORMAL["purpose"]}},
    "enquiry_ask": {"question": "Is this a namespace?", "is_public": True},
    "follow": {"everything": True},
    "message_write": {"text": "A word."},
    "note_write": {"text": "A word among us."},
    "organization_website": {"website": "https://northlight.example/", "source": "A letter."},
    "remark_write": {"round": 1, "section": "purpose", "weight": "must_fix", "text": "Why?"},
    "request_start": {
        "path": "community",
        "organization": "Northlight Seed Vault Federation",
        "nid": "vaults",
        "summary": "Vaults",
        "standards_action": False,
    },
    "service_change": {"operator": "Another office"},
    "sighting_note": {"nid": "seen-2", "evidence": "In a catalogue."},
    "template_read": {"text": "Namespace Identifier: seedbank\n\nPurpose: Seeds.\n"},
    "urn_build_long": {"nid": "old", "name": "1"},
    "urn_find_long": {"text": "See urn:isbn:0395363411."},
}
"""Bodies of well-behaved programs, by operation."""
READ_AT: Final[Mapping[str, str]] = {
    "request_step": "/api/v1/requests/{reference}/",
    "request_rota": "/api/v1/requests/{reference}/",
    "held_nid_renew": "/api/v1/held-nids/{id}/",
}
"""Where to read the ETag that an operation requires, if not at its own address."""
# JSON lines are described as plain text.
schemathesis.serializer.alias("application/x-ndjson", "text/plain")
SEEN: Final = "as it is read now"
TAGS: Final = st.sampled_from([SEEN] * 9 + ['"1"', '"9"', "*", 'W/"1"', "nonsense"])


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
    registrar: User,
) -> None:
    """Something of everything: two requests, namespaces, messages, sightings and enquiries."""
    workflow.perform(informal_approved, "register", actor=registrar)
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
    let_speak_for(organization, registrant)
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
    sightings.note_sighting(nid="seen-1", actor=expert, evidence="In a letter.")
    enquiries.ask_enquiry("Is it open?", actor=registrant, is_public=True)


def headers_of(role: str, request: pytest.FixtureRequest) -> dict[str, str]:
    """Return the headers that authenticate a role."""
    if role == "anonymous":
        return {}
    person: User = request.getfixturevalue(role)
    _token, shown = Token.objects.create(
        user=person, name=role, form_key=uuid.uuid4(), scopes=ALL_SCOPES
    )
    return {"Authorization": f"Token {shown}"}


def list_parts(operation: Any) -> dict[str, list[Any]]:
    """Return existing values for each part of an address, likely ones more often, and bad ones."""
    of = OF_ADDRESS.get(operation.path.split("/")[3])
    requests = RegistrationRequest.objects.order_by("pk").values_list("reference", flat=True)[:2]
    namespaces = Namespace.objects.order_by("pk").values_list("nid", flat=True)
    there: dict[str, list[Any]] = {
        "reference": [*(each.lower() for each in requests), requests[0]],
        "nid": [*namespaces, "OLD"],
        "id": list(of.objects.values_list("pk", flat=True)[:2]) if of else [1],
        "number": [1],
        "delegate": list(User.objects.values_list("pk", flat=True)[:1]),
    }
    nothing: dict[str, Any] = {
        "reference": "r-2026-9999",
        "nid": "nothing",
        "id": 0,
        "number": 0,
        "delegate": 0,
    }
    names = [each.name for each in operation.path_parameters if each.name in there]
    return {name: [*there[name] * 4, nothing[name]] for name in names}


def cases(operation: Any, mode: GenerationMode) -> st.SearchStrategy[tuple[Any, dict[str, Any]]]:
    """Return cases of an operation, most with existing addresses, ETags and values."""
    made = [operation.as_strategy(generation_mode=mode)]
    is_allowed = mode is GenerationMode.POSITIVE
    if is_allowed:
        made += operation.get_strategies_from_examples()
    parts = {name: st.sampled_from(values) for name, values in list_parts(operation).items()}
    more: dict[str, st.SearchStrategy[Any]] = {"parts": st.fixed_dictionaries(parts), "tag": TAGS}
    for name, values in {"query": KNOWN_QUERY, "body": KNOWN_BODY}.items():
        choice = st.fixed_dictionaries({key: st.sampled_from(each) for key, each in values.items()})
        more[name] = st.one_of(choice, choice, choice, st.just({})) if is_allowed else st.just({})
    more["sent"] = st.sampled_from([is_allowed, False])
    return st.tuples(st.one_of(made), st.fixed_dictionaries(more))


@dataclass
class Tried:
    """How often something was tried, the responses, and deviations from the description."""

    statuses: Tally[int] = field(default_factory=Tally)
    failures: list[str] = field(default_factory=list)

    @property
    def succeeded(self) -> int:
        """How often a request succeeded."""
        return sum(number for status, number in self.statuses.items() if status < 400)

    def attack(
        self, operation: Any, role: str, url: str, headers: dict[str, str], n: int, turn: int
    ) -> bool:
        """Try an operation `n` times, a quarter with what the description does not allow.

        Each round invents its own cases. Returns whether any of them succeeded.
        """
        before = self.succeeded
        for mode, count in modes(operation, n):

            @seed(SEED + turn)
            @settings(
                max_examples=count,
                deadline=None,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case_and_more=cases(operation, mode))
            def one(case_and_more: tuple[Any, dict[str, Any]]) -> None:
                case = as_they_are(*case_and_more)
                if (case.headers or {}).get("If-Match") == SEEN:
                    case.headers["If-Match"] = read_tag(case, url, headers)
                answer = case.call(base_url=url, headers=headers, timeout=PATIENCE)
                self.statuses[answer.status_code] += 1
                case_and_more[0].validate_response(answer, checks=CHECKS)

            try:
                one()
            except (Exception, BaseExceptionGroup) as failure:
                self.failures.append(f"{role}: {operation.label}\n{in_words(failure)}")
        return self.succeeded > before


def as_they_are(case: Any, more: dict[str, Any]) -> Any:
    """Return the case with existing parts of addresses, values and an ETag."""
    case.path_parameters = {**(case.path_parameters or {}), **more["parts"]}
    if "If-Match" in (case.headers or {}):
        case.headers["If-Match"] = more["tag"]
    if case.query:
        case.query = with_known(case.query, more["query"])
    name = case.operation.definition.raw["operationId"]
    if more["sent"] and name in SENT:
        case.body = dict(SENT[name])
    elif isinstance(case.body, dict):
        case.body = with_known(case.body, more["body"])
    return case


def with_known(made: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the invented values replaced by known ones, without those known to be left out."""
    values = {name: known.get(name, value) for name, value in made.items()}
    return {name: value for name, value in values.items() if value is not None or name not in known}


def read_tag(case: Any, url: str, headers: dict[str, str]) -> str:
    """Return the ETag of the case's subject, as its role reads it now."""
    operation = case.operation
    place = READ_AT.get(operation.definition.raw["operationId"], operation.path)
    path = place.format(**{name: quote(str(part)) for name, part in case.path_parameters.items()})
    asked = Request(f"{url}{path}", headers=headers)
    with build_opener(ProxyHandler({}), AnyAnswer()).open(asked, timeout=PATIENCE) as answer:
        return str(answer.headers.get("ETag", '"1"'))


def modes(operation: Any, n: int) -> list[tuple[GenerationMode, int]]:
    """Return how often to send what the description allows, and how often what it does not."""
    if is_plain(operation):
        return [(GenerationMode.POSITIVE, 1)]
    if not can_be_wrong(operation):
        return [(GenerationMode.POSITIVE, n)]
    wrong = (n + 1) // 4
    counts = [(GenerationMode.POSITIVE, n - wrong), (GenerationMode.NEGATIVE, wrong)]
    return [(mode, count) for mode, count in counts if count]


def is_plain(operation: Any) -> bool:
    """Whether there is only one possible request."""
    return not operation.body and not list(operation.iter_parameters())


def can_be_wrong(operation: Any) -> bool:
    """Whether something can be sent that the description rules out: addresses can be any text."""
    texts = {
        each.name
        for each in operation.path_parameters
        if each.definition["schema"] == {"type": "string"}
    }
    every = {each.name for each in operation.iter_parameters()} - CREDENTIALS
    return bool(operation.body) or every != texts


def in_words(failure: BaseException) -> str:
    """Return what failed, and how to reproduce it."""
    inner = failure.exceptions if isinstance(failure, BaseExceptionGroup) else [failure]
    return "\n".join(f"{type(each).__name__}: {each}"[:1500] for each in inner)


def chosen(operations: list[Any]) -> list[tuple[str, Any]]:
    """Return roles and operations, spread over all of them."""
    every = [(role, operation) for role in ROLES for operation in operations]
    pairs = min(CASES // AT_ONCE, len(every))
    return [every[n * len(every) // pairs] for n in range(pairs)]


@pytest.mark.usefixtures("registry_in_use")
def test_whole_description_is_true_for_every_role(
    site: str, request: pytest.FixtureRequest
) -> None:
    schema: Any = schemathesis.openapi.from_url(f"{site}/api/schema/")
    headers = {role: headers_of(role, request) for role in ROLES}
    tried = Tried()

    granted: list[tuple[str, Any]] = []
    rich: list[tuple[str, Any]] = []
    for pair in chosen([each.ok() for each in schema.get_all_operations()]):
        role, operation = pair
        count = 1 if is_plain(operation) else AT_FIRST
        is_granted = tried.attack(operation, role, site, headers[role], count, turn=0)
        if count == AT_FIRST:
            rich.append(pair)
            granted += [pair] * is_granted
    for turn in range(1, TURNS):
        left = max(CASES - tried.statuses.total(), 0)
        several = granted or rich
        for n, (role, operation) in enumerate(several):
            if count := left // len(several) + (n < left % len(several)):
                tried.attack(operation, role, site, headers[role], count, turn)

    print(f"{tried.statuses.total()} cases: {dict(sorted(tried.statuses.items()))}")
    print(f"{tried.succeeded / tried.statuses.total():.1%} succeeded")
    print(*tried.failures, sep="\n\n")
    assert tried.failures == []
    assert tried.statuses.total() >= CASES
    assert CASES < MANY or tried.succeeded * 3 >= tried.statuses.total()
