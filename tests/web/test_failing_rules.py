"""A rule that fails leaves its name undecided, and everything around it answers."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from registry.inspection.result import ResultKind
from registry.namespace_rules import rules, spellings
from tests.factories import NamespaceFactory, ServiceFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

FAULTY_RULE = """
document = "A document"
grammar = "nss = 1*pchar"
check = "issn"
merges = ["number"]
preferred = ["isbn"]
examples = ["20701722"]
counter_examples = [""]
"""
"""It lets letters through to what expects digits: the check and the comparison."""
NAME = "urn:faulty:urn:faulty:a"


@pytest.fixture(autouse=True)
def faulty_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hold only the rule of `faulty`, a namespace with a service."""
    (tmp_path / "faulty.toml").write_text(FAULTY_RULE, "utf-8")
    monkeypatch.setattr(rules, "_DATA", tmp_path)
    monkeypatch.setattr(spellings, "MERGES", {"number": ("anything but the number", int)})
    caches = (rules.list_ruled_nids, rules._load_rule)
    for each in caches:
        each.cache_clear()
    ServiceFactory.create(
        namespace=NamespaceFactory.create(nid="faulty"),
        template="https://names.example/{preferred}",
    )
    NamespaceFactory.create(nid="sound")
    yield
    for each in caches:
        each.cache_clear()


@pytest.mark.parametrize(
    "address",
    [
        f"/inspect/?urn={NAME}",
        f"/inspect/compare/?a={NAME}&b=urn:faulty:b",
        f"/namespaces/faulty/?name={NAME}",
        f"/resolve/{NAME}?s=I2Ls",
        f"/?q={NAME}",
        f"/find/reading/?q={NAME}",
        f"/api/v1/urn/parse/?urn={NAME}",
        f"/api/v1/urn/compare/?a={NAME}&b=urn:faulty:b",
    ],
)
def test_page_with_a_failing_rule_answers(
    address: str, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    response = client.get(
        address, headers={"accept": "text/html, application/json;q=0.5"}, follow=True
    )

    assert response.status_code == 200
    assert "registry.namespace_rules" in {
        record.name.rpartition(".")[0] for record in caplog.records
    }


def test_name_that_could_not_be_checked_is_not_decided(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    page = client.get("/inspect/", {"urn": NAME})

    result = page.context["inspection"].result
    assert result.kind == ResultKind.NOT_DECIDED
    assert result.title in text_of(page)
    assert {record.levelno for record in caplog.records} == {logging.ERROR}
    ((_message, nid), (_other, merge)) = sorted(
        {(record.msg, record.args) for record in caplog.records}
    )
    assert {nid, merge} == {("faulty",), ("number",)}


def test_drawing_that_fails_is_left_out(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("registry.web.inspect.views.display", int)

    page = client.get("/inspect/", {"urn": "urn:sound:%D0%B6"})

    assert page.context["inspection"].result.kind == ResultKind.UNCHECKED
    assert "For reading" not in text_of(page)


def test_two_names_that_could_not_be_compared_are_different(client: Client) -> None:
    query = {"a": "urn:faulty:a", "b": "urn:faulty:b"}

    comparison = client.get("/api/v1/urn/compare/", query).json()["by_namespace"]

    assert comparison["equivalent"] is False
    assert "A document" in comparison["message"]


def test_redirect_leads_where_it_would_without_a_rule(client: Client) -> None:
    response = client.get(f"/resolve/{NAME}")

    assert response.status_code == 303
    assert response["Location"] == "https://names.example/urn%3Afaulty%3Aa"


@pytest.mark.parametrize(
    ("operation", "member", "answers"),
    [
        ("check", "result", ["unchecked", "not decided", "unchecked"]),
        ("resolve", "status", [404, 303, 404]),
    ],
)
def test_batch_answers_for_the_other_names(
    operation: str, member: str, answers: list[str | int], client: Client
) -> None:
    body = f"urn:sound:1\n{NAME}\nurn:sound:2"

    response = client.post(f"/api/v1/urn/{operation}/", body, content_type="text/plain")

    lines = [json.loads(line) for line in response.getvalue().decode().splitlines()]
    assert [line[member] for line in lines] == answers


@pytest.mark.parametrize("result", ["", "csv", "json"])
def test_list_answers_for_the_other_names(result: str, client: Client) -> None:
    names = f"urn:sound:1\n{NAME}\nurn:sound:2"

    response = client.post("/inspect/list/", {"names": names, "result": result})

    body = response.getvalue() if response.streaming else response.content
    assert response.status_code == 200
    assert all(name in body.decode() for name in ("urn:sound:1", "urn:sound:2"))
    assert "not decided" in body.decode() or "could not be checked" in body.decode()
