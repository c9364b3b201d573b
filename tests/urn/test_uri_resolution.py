"""From a reference to its target (RFC 3986, section 5)."""

from __future__ import annotations

import pytest

from registry.urn import Severity, uri

BASE = "http://a/b/c/d;p?q"
NORMAL = {
    "g:h": "g:h",
    "g": "http://a/b/c/g",
    "./g": "http://a/b/c/g",
    "g/": "http://a/b/c/g/",
    "/g": "http://a/g",
    "//g": "http://g",
    "?y": "http://a/b/c/d;p?y",
    "g?y": "http://a/b/c/g?y",
    "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s",
    "g?y#s": "http://a/b/c/g?y#s",
    ";x": "http://a/b/c/;x",
    "g;x": "http://a/b/c/g;x",
    "g;x?y#s": "http://a/b/c/g;x?y#s",
    "": "http://a/b/c/d;p?q",
    ".": "http://a/b/c/",
    "./": "http://a/b/c/",
    "..": "http://a/b/",
    "../": "http://a/b/",
    "../g": "http://a/b/g",
    "../..": "http://a/",
    "../../": "http://a/",
    "../../g": "http://a/g",
}
ABNORMAL = {
    "../../../g": "http://a/g",
    "../../../../g": "http://a/g",
    "/./g": "http://a/g",
    "/../g": "http://a/g",
    "g.": "http://a/b/c/g.",
    ".g": "http://a/b/c/.g",
    "g..": "http://a/b/c/g..",
    "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g",
    "./g/.": "http://a/b/c/g/",
    "g/./h": "http://a/b/c/g/h",
    "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y",
    "g;x=1/../y": "http://a/b/c/y",
    "g?y/./x": "http://a/b/c/g?y/./x",
    "g?y/../x": "http://a/b/c/g?y/../x",
    "g#s/./x": "http://a/b/c/g#s/./x",
    "g#s/../x": "http://a/b/c/g#s/../x",
    "http:g": "http:g",
}
OTHERS = {
    "5.2.3-base-without-path": ("http://a?q", "b", "http://a/b"),
    "5.2.3-base-without-authority": ("s:a/b", "c", "s:a/c"),
    "5.2.3-base-without-slash": ("s:a", "b", "s:b"),
    "5.2.2-query-empty": (BASE, "?", "http://a/b/c/d;p?"),
    "5.2.2-fragment-of-base-is-dropped": ("http://a/b#c", "", "http://a/b"),
    "5.2.2-authority-empty": (BASE, "///x", "http:///x"),
    "5.2.4-other-scheme": (BASE, "s:/a/../b/./c", "s:/b/c"),
    "5.2.4-no-climbing-out-of-an-authority": (BASE, "//h/../x", "http://h/x"),
    "3.3-dots-leave-no-authority-behind": ("s:a/b", "/.//x", "s:/.//x"),
    "3.3-nor-do-two-dots": ("s:/a", "x/..//y", "s:/.//y"),
    "urn-base": ("urn:example:a/b/c", "../d", "urn:example:a/d"),
}


@pytest.mark.parametrize(
    ("reference", "target"),
    [*NORMAL.items(), *ABNORMAL.items()],
    ids=[f"5.4.1-{r}" for r in NORMAL] + [f"5.4.2-{r}" for r in ABNORMAL],
)
def test_example_of_the_rfc_has_the_target_of_the_rfc(reference: str, target: str) -> None:
    assert uri.resolve_reference(BASE, reference) == target


@pytest.mark.parametrize(("base", "reference", "target"), OTHERS.values(), ids=OTHERS)
def test_reference_has_the_target_of_the_algorithm(base: str, reference: str, target: str) -> None:
    assert uri.resolve_reference(base, reference) == target


def test_scheme_of_the_base_is_passed_over_on_request() -> None:
    assert uri.resolve_reference(BASE, "http:g", strict=False) == "http://a/b/c/g"
    assert uri.resolve_reference(BASE, "HTTP:g", strict=False) == "http://a/b/c/g"
    assert uri.resolve_reference(BASE, "ftp:g", strict=False) == "ftp:g"


def test_base_without_a_scheme_is_refused() -> None:
    with pytest.raises(uri.URISyntaxError) as refusal:
        uri.resolve_reference("a/b", "c")

    assert (refusal.value.component, refusal.value.position) == ("scheme", 0)


@pytest.mark.parametrize(
    ("path", "without"),
    [
        ("/a/b/c/./../../g", "/a/g"),
        ("mid/content=5/../6", "mid/6"),
        ("", ""),
        (".", ""),
        ("..", ""),
        ("../a", "a"),
        ("./a", "a"),
        ("..//a", "/a"),
        ("/..", "/"),
        ("/.", "/"),
        ("//..", "/"),
        ("/a//../b", "/a/b"),
        ("a/..", "/"),
        ("a/../b", "/b"),
        ("/../../a", "/a"),
        ("/a/.../b", "/a/.../b"),
    ],
)
def test_dot_segments_go_as_in_section_5_2_4(path: str, without: str) -> None:
    assert uri.remove_dot_segments(path) == without


def test_relative_reference_against_a_urn_is_advised_against() -> None:
    resolution = uri.resolve_with_advice("urn:example:a", "b")

    assert resolution.target == "urn:b"
    assert [(finding.severity, finding.source) for finding in resolution.findings] == [
        (Severity.WARN, "RFC 8141, section 4.3"),
        (Severity.NOTE, "draft-ietf-urnbis-rfc2141bis-urn-12, section 5.3"),
    ]


def test_reference_within_the_document_is_not_warned_of() -> None:
    resolution = uri.resolve_with_advice("URN:example:a", "#b")

    assert resolution.target == "URN:example:a#b"
    assert [finding.severity for finding in resolution.findings] == [Severity.NOTE]


@pytest.mark.parametrize(("base", "reference"), [(BASE, "g"), ("urn:example:a", "urn:example:b")])
def test_nothing_is_advised_where_no_urn_lends_its_path(base: str, reference: str) -> None:
    assert uri.advise_on_reference(base, reference) == ()
