"""A URN as a value."""

from __future__ import annotations

import copy
import pickle

import pytest

from registry.urn import URN, URNSyntaxError, parse

WHOLE = "URN:Example:a%2cb?+r?=q#f"


def test_equality_and_hash_are_by_spelling() -> None:
    spellings = {parse("urn:example:a"), parse("urn:example:a"), parse("URN:example:a")}

    assert {str(urn) for urn in spellings} == {"urn:example:a", "URN:example:a"}


def test_urn_is_not_equal_to_its_text() -> None:
    assert parse("urn:example:a") != "urn:example:a"


def test_class_reads_a_text_as_parse_does() -> None:
    assert URN(WHOLE) == parse(WHOLE)
    with pytest.raises(URNSyntaxError):
        URN("urn:example:")


@pytest.mark.parametrize("name", ["text", "nid", "_match", "other"])
def test_urn_cannot_be_changed(name: str) -> None:
    urn = parse(WHOLE)

    with pytest.raises(AttributeError):
        setattr(urn, name, "urn:example:b")
    with pytest.raises(AttributeError):
        delattr(urn, name)

    assert urn.text == WHOLE


def test_urn_survives_copying_and_pickling() -> None:
    urn = parse(WHOLE)

    assert [copy.copy(urn), copy.deepcopy(urn), pickle.loads(pickle.dumps(urn))] == [urn] * 3


def test_error_survives_pickling() -> None:
    with pytest.raises(URNSyntaxError) as refusal:
        parse("urn:example:a b")

    again = pickle.loads(pickle.dumps(refusal.value))

    assert (str(again), again.position) == (str(refusal.value), 13)


def test_text_of_a_subclass_of_str_is_given_back_as_plain_text() -> None:
    class Marked(str):
        """A str subclass, as web frameworks use for safe markup."""

        __slots__ = ()

    assert type(parse(Marked("urn:example:a")).text) is str


def test_repr_reads_as_what_makes_it() -> None:
    assert repr(parse("urn:example:a")) == "URN('urn:example:a')"


def test_parts_can_be_exchanged_and_left_out() -> None:
    urn = parse(WHOLE)

    assert urn.replace() == urn
    assert str(urn.replace(nid="ab", q_component=None)) == "URN:ab:a%2cb?+r#f"
    assert str(urn.replace(nss="x/y", r_component=None, f_component="")) == "URN:Example:x/y?=q#"


# The replacement, and the component and position (in the whole) at which it is refused.
MISPLACED = {
    "2.3.1-q-mark-in-r": ({"r_component": "a?=b"}, "r", 20),
    "2-r-mark-in-nss": ({"nss": "a?+b"}, "nss", 13),
    "2-q-mark-in-nss": ({"nss": "a?=b"}, "nss", 13),
    "2-hash-in-nss": ({"nss": "a#b"}, "nss", 13),
    "2-nss-empty": ({"nss": ""}, "nss", 12),
    "2.3.1-r-empty": ({"r_component": ""}, "r", 19),
    "2.3.2-q-empty": ({"q_component": ""}, "q", 22),
    "2.3.2-hash-in-q": ({"q_component": "a#b"}, "q", 23),
    "2.3.3-hash-in-f": ({"f_component": "a#b"}, "f", 25),
    "2.3.3-f-begins-with-hash": ({"f_component": "#y"}, "f", 24),
    "2-colon-in-nid": ({"nid": "ab:c"}, "nid", 6),
    "2-nid-too-short": ({"nid": "a"}, "nid", 5),
}


@pytest.mark.parametrize(("parts", "component", "position"), MISPLACED.values(), ids=MISPLACED)
def test_part_that_would_be_read_as_another_is_refused(
    parts: dict[str, str], component: str, position: int
) -> None:
    urn = parse(WHOLE)

    with pytest.raises(URNSyntaxError) as refusal:
        urn.replace(**parts)

    assert (refusal.value.component, refusal.value.position) == (component, position)
