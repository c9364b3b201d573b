"""What programs are told when they ask about one URN, two, or a text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from tests.endless import stopped_if_endless
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db

QUESTIONS = {
    "parse": {"urn": "urn:isbn:1"},
    "compare": {"a": "urn:isbn:1", "b": "urn:isbn:2"},
    "resolve-reference": {"base": "http://a.example/b", "reference": "c"},
    "find": {"text": "urn:isbn:1"},
}
LINE_ENDS = ("\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")


def ask(client: Client, question: str, **asked: Any) -> Any:
    """Return the answer to a question put as JSON."""
    response = client.post(f"/api/v1/urn/{question}/", asked, content_type="application/json")
    assert response.status_code == 200, response.content
    return response.json()


def of(answer: dict[str, Any], *names: str) -> tuple[Any, ...]:
    """Return those parts of an answer."""
    return tuple(answer[name] for name in names)


def test_name_in_a_registered_namespace_is_taken_apart(client: Client) -> None:
    NamespaceFactory.create(nid="nbn", summary="national bibliography numbers")

    answer = client.get("/api/v1/urn/parse/", {"urn": "URN:NBN:fi-%c3%a4?+r=1?=q=2#"}).json()

    specifications = answer.pop("specifications")
    assert answer == {
        "text": "URN:NBN:fi-%c3%a4?+r=1?=q=2#",
        "valid": True,
        "registered": True,
        "sightings": [],
        "namespace": {
            "nid": "nbn",
            "kind": "formal",
            "status": "active",
            "notice": None,
            "summary": "national bibliography numbers",
            "url": "http://testserver/api/v1/namespaces/nbn/",
            "page": "http://testserver/namespaces/nbn/",
        },
        "near": [],
        "finding": {
            "standing": "follows",
            "check_id": "rulebook.follows",
            "message": "“URN:NBN:fi-%c3%a4?+r=1?=q=2#” follows the rule of “nbn”.",
            "document": "RFC 8458, sections 4.2 and 4.3",
            "position": None,
            "parts": [{"name": "country", "text": "fi", "meaning": "Finland"}],
            "left_open": "What a national library demands of the numbers it assigns, check digits"
            " included.",
        },
        "result": {
            "kind": "valid",
            "title": "A valid NBN",
            "detail": "This does not tell you whether the name has been assigned.",
            "position": None,
            "document": "RFC 8458, sections 4.2 and 4.3",
            "repairs": [],
        },
        "canonical": "urn:nbn:fi-%C3%A4",
        "preferred": None,
        "nid": "NBN",
        "nss": "fi-%c3%a4",
        "r_component": "r=1",
        "q_component": "q=2",
        "f_component": "",
        "position": None,
        "component": None,
        "rule": None,
        "message": None,
        "display": {"text": "URN:NBN:fi-ä?+r=1?=q=2#", "is_exact": False},
        "advice": [
            {
                "check_id": "urn.not-ascii",
                "severity": "note",
                "message": "%c3%a4 stands for what is not ASCII (character 12).",
                "rule": "RFC 8141, section 2.2",
                "mend": "Keep to ASCII letters and digits where the names of the namespace allow"
                " it.",
            }
        ],
        "uri": None,
        "problems": [],
        "repairs": [],
    }
    assert [each["name"] for each in specifications] == [
        "RFC 2141",
        "draft-ietf-urnbis-rfc2141bis-urn-03",
        "draft-ietf-urnbis-rfc2141bis-urn-12",
        "RFC 8141",
    ]


def test_invalid_urn_is_a_good_question(client: Client) -> None:
    NamespaceFactory.create(nid="nbn")

    response = client.get("/api/v1/urn/parse/", {"urn": "urn:nbn:fi 1?x"})

    answer = response.json()
    assert response.status_code == 200
    assert of(answer, "valid", "registered", "namespace", "canonical", "display") == (
        False,
        None,
        None,
        None,
        None,
    )
    assert of(answer, "position", "component", "rule", "message") == (
        10,
        "nss",
        'NSS = pchar *(pchar / "/") (RFC 8141, section 2)',
        answer["problems"][0]["message"],
    )
    assert [problem["position"] for problem in answer["problems"]] == [10, 12]
    assert answer["repairs"][0] == {
        "text": "urn:nbn:fi1?=x",
        "changes": ["space removed", "“?” read as “?=”"],
    }


def test_name_in_no_registered_namespace_is_valid_and_told_apart(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    answer = client.get("/api/v1/urn/parse/", {"urn": "urn:isnb:1"}).json()

    assert of(answer, "valid", "registered", "namespace") == (True, False, None)
    (near,) = answer["near"]
    assert (near["nid"], near["page"]) == ("isbn", "http://testserver/namespaces/isbn/")


def test_name_against_the_rule_of_its_namespace_is_valid_all_the_same(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    wrong, right = (
        client.get("/api/v1/urn/parse/", {"urn": urn}).json()
        for urn in ("URN:ISBN:0395363412#p", "URN:ISBN:0395363411#p")
    )

    assert of(wrong, "valid", "registered", "position", "preferred") == (True, True, None, None)
    assert of(wrong["finding"], "standing", "check_id", "position") == (
        "against",
        "rulebook.check-digits",
        18,
    )
    assert of(right, "canonical", "preferred") == (
        "urn:isbn:0395363411",
        "urn:isbn:978-0-395-36341-6",
    )


def test_missing_rule_is_named(client: Client) -> None:
    NamespaceFactory.create(nid="unruled")

    finding = client.get("/api/v1/urn/parse/", {"urn": "urn:unruled:1"}).json()["finding"]

    assert of(finding, "standing", "check_id", "message") == ("no rule", None, None)


def test_namespace_that_makes_two_names_one_is_another_answer_than_the_rfc(
    client: Client,
) -> None:
    for nid in ("isbn", "unruled"):
        NamespaceFactory.create(nid=nid)

    merged, apart, unruled = (
        client.get("/api/v1/urn/compare/", {"a": first, "b": second}).json()
        for first, second in (
            ("urn:isbn:0395363411", "urn:isbn:978-0-395-36341-6"),
            ("urn:isbn:0395363411", "urn:isbn:9783161484100"),
            ("urn:unruled:a", "urn:unruled:A"),
        )
    )

    assert merged["equivalent"] is False
    assert of(merged["by_namespace"], "equivalent", "merges") == (True, ["hyphens", "isbn-13"])
    assert "International ISBN Agency" in merged["by_namespace"]["rule"]
    assert of(apart["by_namespace"], "equivalent", "merges") == (False, [])
    assert of(unruled, "equivalent", "by_namespace") == (False, None)


def test_draft_forms_are_written_by_the_rfc_in_force(client: Client) -> None:
    answer = ask(client, "parse", urn="urn:example:a?q=1??r=2#f")

    said = [of(each, "name", "valid", "converted") for each in answer["specifications"]]
    assert said == [
        ("RFC 2141", True, None),
        ("draft-ietf-urnbis-rfc2141bis-urn-03", True, "urn:example:a?=q=1??r=2#f"),
        ("draft-ietf-urnbis-rfc2141bis-urn-12", True, "urn:example:a?+r=2?=q=1#f"),
        ("RFC 8141", False, None),
    ]


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("urn:example:a", "urn:example:a", (True, [], [], None, None)),
        (
            "URN:EXAMPLE:%c3",
            "urn:example:%C3#x",
            (True, ["scheme", "nid", "percent"], ["f"], None, None),
        ),
        ("urn:example:a", "urn:example:A", (False, [], [], "nss", [12, 12])),
        ("urn:example:a", "urn:examples:a", (False, [], [], "nid", [11, 11])),
        ("urn:example:a", "urn:example:", (None, [], [], None, None)),
    ],
    ids=["the same", "folded and ignored, 3.1", "NSS, 3.1", "NID, 3.1", "malformed"],
)
def test_two_urns_are_compared_with_the_rule_that_decides(
    client: Client, first: str, second: str, told: tuple[object, ...]
) -> None:
    answer = client.get("/api/v1/urn/compare/", {"a": first, "b": second}).json()

    assert of(answer, "equivalent", "folded", "ignored", "part", "positions") == told
    assert (answer["a"]["text"], answer["b"]["text"]) == (first, second)
    assert answer["b"]["valid"] is (told[0] is not None)


@pytest.mark.parametrize(
    ("base", "reference", "strict", "target"),
    [
        ("http://a/b/c/d;p?q", "../../../g", True, "http://a/g"),
        ("http://a/b/c/d;p?q", "http:g", True, "http:g"),
        ("http://a/b/c/d;p?q", "http:g", False, "http://a/b/c/g"),
        ("urn:example:a/b", "c", True, "urn:example:a/c"),
        ("nothing", "c", True, None),
        ("http://a/", "%", True, None),
    ],
    ids=["5.4.2", "strict, 5.4.2", "not strict, 5.4.2", "URN base, 4.3", "no scheme, 5.1", "2.1"],
)
def test_reference_is_resolved_and_what_cannot_be_says_why(
    client: Client, base: str, reference: str, strict: bool, target: str | None
) -> None:
    answer = ask(client, "resolve-reference", base=base, reference=reference, strict=strict)

    assert answer["target"] == target
    wrong = answer["base_problems"] + answer["reference_problems"]
    assert bool(wrong) is (target is None)
    assert bool(answer["findings"]) is base.startswith("urn:")


def test_reference_in_an_address_is_read_strictly_unless_asked_otherwise(client: Client) -> None:
    asked = {"base": "http://a/b", "reference": "http:g"}

    strict, loose = (
        client.get("/api/v1/urn/resolve-reference/", asked | more).json()["target"]
        for more in ({}, {"strict": "false"})
    )

    assert (strict, loose) == ("http:g", "http://a/g")


def test_urns_are_found_in_running_text(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    answer = client.get(
        "/api/v1/urn/find/", {"text": "See <urn:isbn:1>, urn:other:2; http://a.example/x."}
    ).json()

    assert [of(found, "text", "start", "end", "registered") for found in answer["found"]] == [
        ("urn:isbn:1", 5, 15, True),
        ("urn:other:2", 18, 29, False),
        ("http://a.example/x", 31, 49, None),
    ]


@pytest.mark.parametrize("question", QUESTIONS)
def test_question_in_the_address_and_as_json_has_one_answer(client: Client, question: str) -> None:
    NamespaceFactory.create(nid="isbn")

    in_address = client.get(f"/api/v1/urn/{question}/", QUESTIONS[question]).json()

    assert in_address == ask(client, question, **QUESTIONS[question])


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        ("{}", "application/json", 400),
        ("{", "application/json", 400),
        ("[]", "application/json", 400),
        ("\ufffe".encode("utf-16"), "application/json", 400),
        ("[" * 100_000, "application/json", 400),
        ('{"urn": 1, "a": 1, "b": [], "base": null, "text": {}}', "application/json", 400),
        ('{"urn": NaN}', "application/json", 400),
        ("urn:isbn:1", "text/plain", 415),
        ('"' + "a" * (3 << 20) + '"', "application/json", 413),
    ],
    ids=["missing", "broken", "list", "UTF-16", "deep", "no text", "NaN", "text", "too much"],
)
def test_malformed_request_is_refused_in_json(
    client: Client, question: str, body: str | bytes, kind: str, status: int
) -> None:
    response = client.post(f"/api/v1/urn/{question}/", body, content_type=kind)

    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
    assert response.json()["status"] == status


def test_missing_parameter_is_named(client: Client) -> None:
    answer = client.get("/api/v1/urn/compare/", {"a": "urn:isbn:1"}).json()

    assert answer["errors"] == {"b": ["This is missing."]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "urn:isbn:\x00",
        "urn:isbn:\ud800",
        "urn:isbn:" + "a" * 1_000_000,
        "urn:isbn:" + "%" * 10_000,
        "urn:isbn:" + "?" * 100_000,
        "urn:" + "n" * 1_000_000,
        "urn:\x00n:1",
        *(f"urn:isbn:1{end}2" for end in LINE_ENDS),
        *(f"urn:isbn:1{end}" for end in LINE_ENDS),
    ],
    ids=lambda text: f"{text[:12]!r} {len(text)}",
)
def test_hostile_text_is_answered_as_it_was_sent(client: Client, text: str) -> None:

    with stopped_if_endless():
        answers = [
            ask(client, "parse", urn=text),
            ask(client, "compare", a=text, b="urn:isbn:1")["a"],
        ]
        ask(client, "find", text=text)
        ask(client, "resolve-reference", base="urn:isbn:1", reference=text)

    assert [answer["text"] for answer in answers] == [text, text]
    assert {answer["valid"] for answer in answers} == {text.endswith("aaa")}


@pytest.mark.parametrize("question", [*QUESTIONS, "check"])
def test_pages_of_every_site_may_ask(client: Client, question: str) -> None:
    address = f"/api/v1/urn/{question}/"

    before = client.options(address, headers={"origin": "https://else.example"})
    wrong = client.post(address, "x", content_type="image/png")

    assert before["Access-Control-Allow-Origin"] == wrong["Access-Control-Allow-Origin"] == "*"
    assert "POST" in before["Access-Control-Allow-Methods"]
    assert "Content-Type" in before["Access-Control-Allow-Headers"]


def test_no_token_against_forgery_is_asked_for(outsider: object) -> None:
    client = Client(enforce_csrf_checks=True)

    assert ask(client, "parse", urn="urn:isbn:1")["valid"] is True


def test_one_question_asks_little_of_the_database(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        NamespaceFactory.create(nid=f"isb{number}")

    with django_assert_max_num_queries(7):
        ask(client, "parse", urn="urn:isb:1")
    ask(client, "find", text="urn:isb:1")
    # One for the NIDs, and three to count the text.
    with django_assert_max_num_queries(4):
        ask(client, "find", text=" ".join(f"urn:isb{number}:x" for number in range(20)))


def test_text_with_more_than_can_be_answered_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.rate_limits.MAX_CHECKED_NAMES", 20)

    most = ask(client, "find", text="urn:aa:b " * 20)
    refused = client.post("/api/v1/urn/find/", {"text": "urn:aa:b " * 21}, "application/json")

    assert len(most["found"]) == 20
    assert (refused.status_code, refused["Content-Type"]) == (413, "application/problem+json")
    assert "more than 20 URIs" in refused.json()["detail"]


def test_long_texts_are_counted_with_the_lists_of_an_address(
    client: Client, settings: Settings
) -> None:
    settings.REGISTRY_CHECK_SECONDS_PER_MINUTE = 0.001
    check = "/api/v1/urn/check/"

    ask(client, "find", text="urn:aa:b")
    refused = client.post("/api/v1/urn/find/", {"text": "urn:aa:b"}, "application/json")
    listed = client.post(check, "urn:aa:b", content_type="text/plain")
    short = client.get("/api/v1/urn/find/", {"text": "urn:aa:b"})

    assert [refused.status_code, listed.status_code, short.status_code] == [429, 429, 200]
    assert 1 <= int(refused["Retry-After"]) <= 60


def test_answers_are_ascii_so_that_every_text_can_be_sent(client: Client) -> None:
    response = client.post(
        "/api/v1/urn/parse/", json.dumps({"urn": "\ud800ä"}), content_type="application/json"
    )

    assert response.content.isascii()
    assert response.json()["text"] == "\ud800ä"


def test_asking_for_the_head_alone_is_no_malformed_request(client: Client) -> None:
    assert client.head("/api/v1/urn/parse/", {"urn": "urn:isbn:1"}).status_code == 200
    assert client.head("/api/v1/urn/parse/").status_code == 400
