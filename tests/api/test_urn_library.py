"""Everything that the URN library answers is available in the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from registry.exchange.exports import refresh_exports
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db


def ask(client: Client, question: str, **asked: str) -> Any:
    """Return the answer to a question in the address."""
    response = client.get(f"/api/v1/urn/{question}/", asked)
    assert response.status_code == 200, response.content
    return response.json()


def test_uri_of_another_scheme_is_told_to_be_one(client: Client) -> None:
    answer = ask(client, "parse", urn="FTP://u@[2001:db8::7]:021/a?b")

    assert answer["valid"] is False
    assert answer["uri"] == {
        "text": "FTP://u@[2001:db8::7]:021/a?b",
        "valid": True,
        "scheme": "FTP",
        "authority": "u@[2001:db8::7]:021",
        "path": "/a",
        "query": "b",
        "fragment": None,
        "host_kind": "IPv6address",
        "normal": "ftp://u@[2001:db8::7]/a?b",
        "problems": [],
    }
    assert ask(client, "parse", urn="urn:ab:c d")["uri"] is None


def test_urn_is_told_what_is_advised_against(client: Client) -> None:
    advice = ask(client, "parse", urn="urn:ab:%41%ff")["advice"]

    assert [(each["check_id"], each["severity"], each["rule"]) for each in advice] == [
        ("urn.not-utf-8", "warn", "RFC 8141, section 2.2"),
        ("urn.needless-encoding", "note", "RFC 3986, section 2.3; RFC 8141, section 3.1"),
        ("urn.not-ascii", "note", "RFC 8141, section 2.2"),
    ]


def test_two_are_compared_on_the_ladder_and_by_each_specification(client: Client) -> None:
    answer = ask(client, "compare", a="urn:ab:c?a=1&b=2", b="URN:ab:c?b=2&a=1")

    assert (answer["rung"], answer["ladder"][0]["equal"]) == (None, False)
    assert [(each["name"], each["equivalent"]) for each in answer["specifications"]] == [
        ("RFC 2141", None),
        ("draft -03, step 5a", True),
        ("draft -03, step 5b", True),
        ("draft -12", True),
        ("RFC 8141", None),
    ]
    assert all(each["why"] for each in answer["specifications"])
    assert ask(client, "compare", a="http://h:80", b="http://h/")["rung"] == "scheme-based"


@pytest.mark.parametrize(
    ("asked", "normal"),
    [
        ({"uri": "URN:Ab:%2c?+r"}, "urn:ab:%2C"),
        ({"uri": "HTTP://h:080/%7Ea/../b"}, "http://h/b"),
        ({"uri": "HTTP://h:080/%7Ea", "rung": "case"}, "http://h:080/%7Ea"),
        ({"uri": "http://[::g]/"}, None),
        ({"uri": "urn:ab:"}, None),
    ],
)
def test_uri_is_normalized_up_to_a_rung(
    asked: dict[str, str], normal: str | None, client: Client
) -> None:
    assert ask(client, "normalize", **asked)["normal"] == normal


def test_text_is_validated_as_what_is_asked_for(client: Client) -> None:
    relative = ask(client, "validate", uri="a/b")
    wrong = ask(client, "validate", uri="http://[1::2::3]/")

    assert [problem["component"] for problem in relative["problems"]] == ["scheme"]
    assert ask(client, "validate", uri="a/b", form="reference")["valid"] is True
    assert [problem["position"] for problem in wrong["problems"]] == [13]


def test_text_of_a_draft_is_written_by_rfc_8141(client: Client) -> None:
    refused = ask(client, "convert", urn="urn:ab:c d")
    assert ask(client, "convert", urn="urn:ab:c??r") == {
        "converted": "urn:ab:c?+r",
        "problem": None,
    }
    assert ask(client, "convert", urn="urn:ab:c?=q", by="draft -12")["converted"] == "urn:ab:c?==q"
    assert (refused["converted"], refused["problem"]["position"]) == (None, 8)


def test_urn_is_built_of_parts_that_are_not_encoded(client: Client) -> None:
    built = ask(client, "build", nid="ab", name="c d+e", q="lang=fi")

    assert built == {"converted": "urn:ab:c%20d+e?=lang=fi", "problem": None, "finding": None}
    assert ask(client, "build", nid="a", name="b")["problem"]["component"] == "nid"


def test_urn_that_its_namespace_calls_wrong_is_not_built(client: Client) -> None:
    for nid in ("isbn", "unruled"):
        NamespaceFactory.create(nid=nid)

    right = ask(client, "build", nid="isbn", name="0-395-36341-1")
    wrong = ask(client, "build", nid="ISBN", name="0-395-36341-2")
    unruled = ask(client, "build", nid="unruled", name="a b")

    assert (right["converted"], right["finding"]["standing"]) == (
        "urn:isbn:0-395-36341-1",
        "follows",
    )
    assert (wrong["converted"], wrong["problem"], wrong["finding"]["standing"]) == (
        None,
        None,
        "against",
    )
    assert (unruled["converted"], unruled["finding"]["standing"]) == (
        "urn:unruled:a%20b",
        "no rule",
    )


def test_locator_of_1993_is_taken_apart(client: Client) -> None:
    located = ask(client, "locate", uri="gopher://h.example/00/About")["located"]

    assert located["parts"] == {"host": "h.example", "type": "0", "selector": "0/About"}
    assert ask(client, "locate", uri="http://h/%zz")["problem"]["position"] == 9
    assert ask(client, "locate", uri="urn:ab:c") == {"located": None, "problem": None}


def test_identifier_is_held_against_the_rules_and_the_registry(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    broken = ask(client, "identifier", nid="X-Seeds")

    assert [finding["check_id"] for finding in broken["findings"]] == ["nid.experimental"]
    assert (broken["kind"], broken["suggestions"]) == (None, ["seeds"])
    assert ask(client, "identifier", nid="seeds")["findings"] == []
    taken = ask(client, "identifier", nid="ISBN")["findings"]
    assert [finding["check_id"] for finding in taken] == ["nid.registered"]


def test_list_with_octets_that_are_not_utf_8_is_answered_with_the_octet(client: Client) -> None:
    response = client.post(
        "/api/v1/urn/check/", b"urn:ab:b\xfccher\n", content_type="text/plain; charset=utf-8"
    )

    (line,) = response.getvalue().decode().splitlines()
    assert "0xFC" in line
    assert "(octet 9)" in line
    assert r'"text": "urn:ab:b\\xfccher"' in line
    assert "udc" not in line


def test_vectors_are_published_as_they_stand_in_the_sources(client: Client) -> None:
    refresh_exports()

    response = client.get("/exports/urn-vectors.json")

    assert response.status_code == 200
    vectors = response.json()["vectors"]
    assert vectors["urn_valid"][0]["text"] == "urn:example:foo"
    assert all(each["section"] for group in vectors.values() for each in group)
