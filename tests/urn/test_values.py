"""Every public value is frozen, can be hashed and pickled, and has a form for JSON."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from registry.urn import (
    URN,
    advise_on_urn,
    compare,
    display,
    find,
    nid,
    parse,
    problems,
    repairs,
    spec,
    to_json_form,
    uri,
)

VALUES: dict[str, Any] = {
    "urn": parse("URN:Example:a?+r?=q#f"),
    "comparison": compare(parse("urn:ab:c"), parse("urn:AB:d")),
    "display-form": display(parse("urn:ab:%D0%B6")),
    "found": next(find("<urn:ab:c-\nd>")),
    "repair": repairs("urn:ab:c d")[0],
    "finding": nid.check("x-a")[0],
    "advice": advise_on_urn(parse("urn:ab:%ff"))[0],
    "profile": spec.DRAFT_03,
    "reading": spec.read_by("urn:ab:c?s=I2L", spec.DRAFT_03),
    "change": spec.list_changes("urn:ab:c?+r")[0],
    "directive": spec.parse_directives("s=I2L")[0],
    "reference": uri.split_reference("http://u@h:8/a?b#c"),
    "authority": uri.split_authority("u@h:8"),
    "uri-comparison": uri.compare_uris("http://h:80", "http://h/"),
    "locator": uri.parse_locator("prospero://h.example/n%001at"),
    "resolution": uri.resolve_with_advice("urn:ab:c", "d"),
    "base": uri.establish_base(default="http://h/"),
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_value_comes_back_from_pickling_equal_and_with_its_hash(value: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))

        assert again == value
        assert hash(again) == hash(value)


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_value_is_frozen(value: Any) -> None:
    name = "text" if isinstance(value, URN) else next(iter(to_json_form_of_members(value)))

    with pytest.raises(AttributeError):
        setattr(value, name, "another")


def to_json_form_of_members(value: Any) -> list[str]:
    """The names of the members of a value."""
    return list(getattr(value, "_fields", None) or getattr(value, "__slots__", None) or ["name"])


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_value_has_a_form_for_json(value: Any) -> None:
    form = to_json_form(value)

    assert json.loads(json.dumps(form)) == form


def test_form_of_a_urn_has_its_parts_and_is_read_again_by_its_text() -> None:
    urn = VALUES["urn"]

    form = to_json_form(urn)

    assert form == {
        "text": "URN:Example:a?+r?=q#f",
        "nid": "Example",
        "nss": "a",
        "r_component": "r",
        "q_component": "q",
        "f_component": "f",
        "assigned_name": "urn:example:a",
    }
    assert parse(form["text"]) == urn


def test_form_of_an_error_says_what_and_where() -> None:
    [error] = problems("urn:ab:c d")

    assert to_json_form([error]) == [
        {
            "text": "urn:ab:c d",
            "position": 8,
            "component": "nss",
            "rule": 'NSS = pchar *(pchar / "/") (RFC 8141, section 2)',
            "message": str(error),
        }
    ]


def test_no_form_holds_a_lone_surrogate() -> None:
    written = json.dumps(to_json_form([*problems("urn:ab:\udcff\ud800"), "\ud800\udc80"]))

    assert "\\ud800" not in json.loads(json.dumps(written)).replace("\\\\ud800", "")
    assert json.loads(written)[0]["text"] == "urn:ab:\\xff\\ud800"


def test_foreign_value_has_no_json_form() -> None:
    with pytest.raises(TypeError, match="this library"):
        to_json_form(object())


def test_urns_are_ordered_by_their_spelling() -> None:
    texts = ["urn:ab:c", "URN:ab:c", "urn:ab:b#f", "urn:aa:z"]
    one, other = parse("urn:ab:b"), parse("urn:ab:c")

    assert [urn.text for urn in sorted(map(parse, texts))] == sorted(texts)
    assert (one < other, one <= one, other > one, other >= other) == (True, True, True, True)
    text: Any = "urn:ab:c"
    with pytest.raises(TypeError, match="ordered among URNs"):
        assert one < text


@pytest.mark.parametrize(
    ("text", "kind"),
    [("urn:isbn:1", "book 1"), ("urn:ab:c?=q", "asked for q"), ("urn:ab:c", "ab")],
)
def test_urn_is_taken_apart_by_match(text: str, kind: str) -> None:
    match parse(text):
        case URN("isbn", number):
            found = f"book {number}"
        case URN(q_component=str(query)):
            found = f"asked for {query}"
        case URN(identifier):
            found = identifier

    assert found == kind
