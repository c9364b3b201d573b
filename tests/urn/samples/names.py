"""A program that reads, compares, sorts and stores URNs, as a user would write it."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable

import rfc8141
from rfc8141 import URN, URNSyntaxError, nid, spec, uri


def read_all(texts: Iterable[str]) -> tuple[dict[str, URN], list[URNSyntaxError]]:
    """The URNs by their assigned names, and what is wrong with the others."""
    read: dict[str, URN] = {}
    refused: list[URNSyntaxError] = []
    for text in texts:
        try:
            urn = rfc8141.parse(text)
        except URNSyntaxError as error:
            refused.append(error)
        else:
            read.setdefault(urn.assigned_name, urn)
    return read, refused


def describe(urn: URN) -> str:
    """The kind of name."""
    match urn:
        case URN("isbn" | "ISBN", number):
            return f"book {number}"
        case URN(nid=identifier, q_component=str(query)):
            return f"{identifier} asked {query}"
        case URN(identifier):
            return identifier


def main() -> None:
    """Use each part of the library once."""
    texts = ["urn:isbn:1", "URN:ISBN:1#p", "urn:example:a?=q", "urn:example:", "urn:b-c:d"]
    read, refused = read_all(texts)
    assert [describe(urn) for urn in sorted(read.values())] == ["b-c", "example asked q", "book 1"]
    assert [(error.position, error.component) for error in refused] == [(12, "nss")]
    changed: URN = read["urn:isbn:1"].replace(f_component="p", r_component=None)
    assert max(changed, read["urn:isbn:1"]) == changed
    comparison: rfc8141.Comparison = rfc8141.compare(changed, read["urn:isbn:1"])
    assert (comparison.is_equivalent, comparison.ignored) == (True, ("f",))
    found: list[rfc8141.Found] = list(rfc8141.find("see urn:isbn:1."))
    values: list[object] = [
        changed,
        comparison,
        found[0],
        rfc8141.display(changed),
        rfc8141.repairs("isbn:1")[0],
        rfc8141.advise_on_urn(rfc8141.parse("urn:ab:%41"))[0],
        nid.check("x-a")[0],
        spec.read_by("urn:ab:c?a=b", spec.DRAFT_03),
        spec.list_changes("urn:ab:c?+r")[0],
        uri.split_reference("http://h/a"),
        uri.compare_uris("http://h:80/", "http://h/"),
        uri.parse_locator("gopher://h.example/00/About"),
        uri.establish_base(retrieval="http://h/a"),
    ]
    for value in values:
        assert pickle.loads(pickle.dumps(value)) == value
        assert hash(value) == hash(pickle.loads(pickle.dumps(value)))
        assert json.loads(json.dumps(rfc8141.to_json_form(value)))


main()
print("as expected")
