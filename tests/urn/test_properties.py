"""Properties of every URN and of every text."""

from __future__ import annotations

from ipaddress import IPv6Address
from typing import Any
from urllib.parse import quote, unquote

import pytest
from hypothesis import assume, example, given, strategies as st

from registry.urn import (
    URN,
    URNSyntaxError,
    build,
    display,
    find,
    is_valid,
    nid,
    parse,
    problems,
    repairs,
    spec,
    uri,
)
from registry.urn.equivalence import fold_percent_octets
from registry.urn.uri.hosts import find_ipv6_fault
from registry.urn.urn import URNParts
from tests.urn import oracle
from tests.urn.strategies import (
    FORBIDDEN,
    f_components,
    near_urns,
    nids,
    nsses,
    optional_parts,
    q_components,
    r_components,
    schemes,
    urns,
    written,
)

anything = st.text() | st.text(FORBIDDEN + "urn:ab?+=#%/0") | near_urns | urns
uri_like = st.builds(
    lambda beginning, rest: beginning + rest,
    st.sampled_from(["http://", "HTTP://", "x://[", "http://a@[::1]", "urn:", "URN:ab:", "<"]),
    st.text('urnURNaS:/?#[]@.%24eE \t\n<>"é8\u017f\u212a-+=', max_size=16),
)
references = st.from_regex(r"(s:)?(//[a-c@:]{0,5})?[a-c./:%41]{0,12}(\?q?)?(#f?)?", fullmatch=True)


@given(schemes, nids, nsses, optional_parts)
def test_generated_urn_parses_into_its_parts(
    scheme: str, nid: str, nss: str, optional: tuple[str | None, str | None, str | None]
) -> None:
    text = written(scheme, nid, nss, optional)

    urn = parse(text)

    assert str(urn) == text
    assert (urn.nid, urn.nss) == (nid, nss)
    assert (urn.r_component, urn.q_component, urn.f_component) == optional


@given(urns, st.sampled_from(FORBIDDEN), st.data())
def test_one_forbidden_character_anywhere_is_refused_there(
    text: str, forbidden: str, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(text)))
    broken = text[:place] + forbidden + text[place:]

    (first, *_) = problems(broken)

    assert not is_valid(broken)
    # A triplet that is cut in two is invalid from its percent sign on, a mark from its question
    # mark.
    assert place - 2 <= first.position <= place


@given(urns, st.sampled_from(["%", "%g0", "%0", "%é1"]))
def test_percent_sign_without_its_digits_is_refused(text: str, end: str) -> None:
    assert not is_valid(text + end)


@given(urns, f_components)
def test_second_hash_is_refused(text: str, rest: str) -> None:
    name = text.partition("#")[0]

    assert not is_valid(f"{name}#a#{rest}")


@given(nids, nsses, q_components)
def test_bare_question_mark_is_refused(nid: str, nss: str, rest: str) -> None:
    assume(rest[0] not in "+=")

    assert not is_valid(f"urn:{nid}:{nss}?{rest}")


@given(anything)
def test_every_text_is_read_as_a_second_reading_of_the_rfc_reads_it(text: str) -> None:
    expected = oracle.read(text)

    assert is_valid(text) is (expected is not None)
    if expected is not None:
        urn = parse(text)
        components = (urn.r_component, urn.q_component, urn.f_component)
        assert (urn.nid, urn.nss, *components) == expected


@given(anything)
def test_refusal_is_complete_and_fit_to_show(text: str) -> None:
    found = problems(text)

    assert bool(found) is not is_valid(text)
    positions = [problem.position for problem in found]
    assert positions == sorted(set(positions))
    assert all(0 <= position <= len(text) for position in positions)
    assert all(str(problem).endswith(".") and "{" not in problem.mend for problem in found)


@given(anything)
def test_first_problem_is_the_one_that_parse_raises(text: str) -> None:
    assume(not is_valid(text))

    with pytest.raises(URNSyntaxError) as refusal:
        parse(text)

    first = problems(text)[0]
    assert (refusal.value.position, refusal.value.rule) == (first.position, first.rule)


@given(urns, st.sampled_from(FORBIDDEN + "#?%"), st.data())
def test_text_before_the_error_can_be_completed_to_a_urn(
    text: str, forbidden: str, data: st.DataObject
) -> None:
    behind_nid = text.index(":", 4) + 1
    place = data.draw(st.integers(behind_nid, len(text)))
    broken = text[:place] + forbidden + text[place:]

    good = [broken[: problem.position] for problem in problems(broken)[:1]]

    assert all(is_valid(start) or is_valid(f"{start}a") for start in good)


@given(urns)
def test_normalizing_twice_is_normalizing_once(text: str) -> None:
    once = parse(text).assigned_name

    assert parse(once).assigned_name == once


@given(urns, urns, urns)
def test_equivalence_is_an_equivalence(first: str, second: str, third: str) -> None:
    one, other, last = parse(first), parse(second.lower()), parse(third)

    assert one.is_equivalent_to(one)
    assert one.is_equivalent_to(other) is other.is_equivalent_to(one)
    if one.is_equivalent_to(other) and other.is_equivalent_to(last):
        assert one.is_equivalent_to(last)


@given(urns, optional_parts, schemes)
def test_components_and_case_never_make_another_name(
    text: str, optional: tuple[str | None, str | None, str | None], scheme: str
) -> None:
    urn = parse(text)

    other = parse(written(scheme, urn.nid.swapcase(), urn.nss, optional))

    assert urn.is_equivalent_to(other)
    assert hash(other.assigned_name) == hash(urn.assigned_name)


@given(urns, st.none() | r_components)
def test_replacing_a_component_can_be_taken_back(text: str, part: str | None) -> None:
    urn = parse(text)

    replaced = urn.replace(r_component=part)

    assert replaced.r_component == part
    assert replaced.replace(r_component=urn.r_component) == urn


@given(urns, st.sampled_from(["", "/", "?", "a?=", "a?=b", "a#b", "%", "é"]))
def test_component_that_cannot_be_is_never_put_in(text: str, part: str) -> None:
    urn = parse(text)

    with pytest.raises(URNSyntaxError) as refusal:
        urn.replace(r_component=part)

    assert refusal.value.component == "r"


@given(
    urns,
    st.dictionaries(
        st.sampled_from(["nid", "nss", "r_component", "q_component", "f_component"]),
        st.text("a0#?+=%/:- é\ud800", max_size=6) | st.text(max_size=40),
        min_size=1,
    ),
)
@example("urn:example:a", {"f_component": "#y"})
@example("urn:example:a", {"f_component": "?="})
def test_any_text_put_in_for_parts_becomes_these_parts_or_is_a_syntax_error(
    text: str, parts: URNParts
) -> None:
    try:
        replaced = parse(text).replace(**parts)
    except URNSyntaxError:
        return

    assert {name: getattr(replaced, name) for name in parts} == parts


@given(
    urns,
    st.dictionaries(
        st.sampled_from(["nid", "nss", "r_component", "q_component", "f_component"]),
        st.none() | st.binary(max_size=3) | st.integers() | st.text("a:-\ud800", max_size=3),
        min_size=1,
    ),
)
@example("urn:example:a", {"nid": None})
@example("urn:example:a", {"nss": None})
def test_replace_raises_nothing_but_a_syntax_error(text: str, parts: dict[str, Any]) -> None:
    try:
        replaced = parse(text).replace(**parts)
    except URNSyntaxError:
        return

    assert {name: getattr(replaced, name) for name in parts} == parts


@given(st.none() | st.binary() | st.integers() | st.lists(st.text()) | urns.map(parse))
def test_value_that_is_no_str_is_refused_by_every_reader(given: Any) -> None:
    for read in (parse, is_valid, problems, repairs, find, URN, uri.normalize_uri):
        with pytest.raises(TypeError) as refusal:
            read(given)

        assert isinstance(refusal.value, URNSyntaxError)
        assert "read from a str" in str(refusal.value)


@given(nids, st.text(min_size=1))
def test_any_text_that_has_utf_8_can_be_a_name(identifier: str, name: str) -> None:
    assume(name.encode("utf-8", "ignore").decode() == name)

    urn = build(identifier, name)

    assert unquote(urn.nss, errors="strict") == name


@given(urns)
def test_display_can_be_encoded_into_the_urn_again(text: str) -> None:
    shown = display(parse(text))

    again = "".join(c if c.isascii() else quote(c) for c in shown.text)

    assert fold_percent_octets(again) == fold_percent_octets(text)
    assert shown.text.isascii() is shown.is_exact


@given(st.text() | nids)
def test_suggested_nids_are_always_free(text: str) -> None:
    taken = {"isbn"}

    assert all(nid.check(offer, taken) == () for offer in nid.suggestions(text, taken))
    assert (nid.kind(text) == "formal") is (nid.check(text) == ())


@given(anything)
def test_every_repair_is_a_urn(text: str) -> None:
    assert all(is_valid(repair.text) for repair in repairs(text))


@given(anything)
def test_profile_of_rfc_8141_says_what_the_library_says(text: str) -> None:
    reading = spec.read_by(text, spec.RFC_8141)

    assert reading.is_valid is is_valid(text)
    if reading.is_valid:
        urn = parse(text)
        names = {"r": urn.r_component, "q": urn.q_component, "f": urn.f_component}
        given_parts = {name: part for name, part in names.items() if part is not None}
        assert dict(reading.parts) == {"nid": urn.nid, "nss": urn.nss, **given_parts}


@given(urns)
def test_conversion_leaves_a_urn_as_it_is(text: str) -> None:
    assert str(spec.convert_to_urn(text)).partition(":")[2] == text.partition(":")[2]


@given(
    st.lists(urns.filter(lambda text: text[-1].isalnum()), max_size=4),
    st.sampled_from([" {} ", "\n{}\n", "<{}>", " <URL:{}>, ", '"{}"; ', "“{}” ", " {}. ", " {}, "]),
)
def test_planted_urns_are_found(planted: list[str], wrapping: str) -> None:
    text = "Words".join(wrapping.format(urn) for urn in planted)

    assert [uri.text for uri in find(text)] == planted


@given(anything | uri_like)
@example("http://[")
@example("see http://[zz]/a, <http://[>")
def test_found_uri_stands_at_its_offsets_and_is_valid(text: str) -> None:
    reached = 0
    for found in find(text):
        assert reached <= found.start < found.end
        assert "".join(text[found.start : found.end].split()) == found.text
        for each in filter(None, (found.text, found.without_hyphens)):
            assert is_valid(each) if found.is_urn else uri.validate_reference(each, "uri") == ()
        reached = found.end


@given(st.text() | st.text("a:/?#[]@%. \n") | references)
def test_splitting_and_recomposing_gives_the_same_text(text: str) -> None:
    assert uri.recompose_reference(uri.split_reference(text)) == text


@given(references)
def test_target_is_absolute_and_resolves_to_itself(reference: str) -> None:
    target = uri.resolve_reference("http://a/b/c/d;p?q", reference)

    assert uri.split_reference(target).scheme is not None
    assert uri.resolve_reference("http://x/", target) == target


@given(anything | references | uri_like, st.sampled_from(uri.Rung))
def test_normal_form_is_its_own_normal_form(text: str, rung: uri.Rung) -> None:
    once = uri.normalize_uri(text, rung)

    assert uri.normalize_uri(once, rung) == once


@given(st.text("uUrRnN:%5275 \t/.aA", max_size=16), st.sampled_from(uri.Rung))
@example(" urn:example:%41", uri.Rung.DOTS)
@example("%75rn:example:%41", uri.Rung.PERCENT)
def test_normalizing_makes_no_urn_of_what_is_none(text: str, rung: uri.Rung) -> None:
    normal = uri.normalize_uri(text, rung)

    assert normal[:4].lower() != "urn:" or text[:4].lower() == "urn:"


@given(anything | references | uri_like)
def test_each_rung_of_the_ladder_is_the_form_made_for_it_alone(text: str) -> None:
    climbed = uri.compare_uris(text, f"{text}x")

    assert [step.first for step in climbed.steps] == [
        uri.normalize_uri(text, step.rung) for step in climbed.steps
    ]


@given(st.text("12:.af", max_size=20) | st.text("0123456789abcdefg:.%", max_size=40))
@example("1:2:3:4:5:6:7::8")
def test_address_in_brackets_is_one_of_ipv6_where_the_standard_library_says_so(text: str) -> None:
    try:
        IPv6Address(text)
    except ValueError:
        is_address = False
    else:
        is_address = "%" not in text

    fault = find_ipv6_fault(text)

    assert (fault is None) is is_address
    assert fault is None or 0 <= fault <= len(text)


@given(schemes, nids, st.text("aB%4cC2eE/. ?+=#é", max_size=12), st.sampled_from(uri.Rung))
@example("URN", "Example", "a b/../c", uri.Rung.DOTS)
@example("URN", "Example", "a%41B/../c", uri.Rung.DOTS)
def test_normalizing_neither_decodes_nor_climbs_nor_folds_in_a_urn_and_leaves_what_is_none(
    scheme: str, nid: str, rest: str, rung: uri.Rung
) -> None:
    text = f"{scheme}:{nid}:{rest}"

    normal = uri.normalize_uri(text, rung)

    if is_valid(text):
        assert fold_percent_octets(parse(normal).nss) == fold_percent_octets(parse(text).nss)
    else:
        assert normal == text


@given(urns)
def test_every_urn_is_a_uri(text: str) -> None:
    assert uri.validate_reference(text, "uri") == ()
