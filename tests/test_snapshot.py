"""Snapshots of the demonstration: what is masked, and the output of a comparison."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.snapshot import addresses_in, compare, main, name_file, show_body, show_header


def write(folder: Path, **answers: str) -> Path:
    """Create a snapshot of these responses."""
    folder.mkdir()
    for name, text in answers.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            '<input type="hidden" name="csrfmiddlewaretoken" value="gH0kQ7">',
            '<input type="hidden" name="csrfmiddlewaretoken" value="…">',
        ),
        ('<script nonce="r4Nd0m+/=">', '<script nonce="…">'),
        ("key: 0f0e5f5c-6f6a-4b8e-9d57-3f1b1f0f5a77.", "key: …uuid…."),
        (
            "key: 6d6b3f0c-2c1d-5b0e-9a53-0f1b7a5d9e21.",
            "key: 6d6b3f0c-2c1d-5b0e-9a53-0f1b7a5d9e21.",
        ),
        ("/static/css/registry.0123456789ab.css", "/static/css/registry.css"),
    ],
)
def test_values_that_differ_in_each_snapshot_are_masked(said: str, kept: str) -> None:
    assert show_body(said.encode(), "text/html; charset=utf-8") == kept


def test_json_has_one_member_a_line() -> None:
    assert show_body(b'{"b":1,"a":["\\u00e9"]}', "application/json") == (
        '{\n "b": 1,\n "a": [\n  "é"\n ]\n}'
    )


def test_binary_body_is_shown_by_its_digest() -> None:
    assert show_body(b"\xff\xfe", "image/png").startswith("2 octets, SHA-256 ")


def test_entity_tag_keeps_only_its_kind() -> None:
    assert show_header("ETag", 'W/"0123"') == 'ETag: W/"…"'
    assert show_header("Content-Type", "text/html") == "Content-Type: text/html"


def test_addresses_are_found_in_pages_members_and_headers() -> None:
    page = (
        '200\nLink: </namespaces.json>; rel="alternate"\n\n'
        '<!doctype html><a href="/requests/?state=draft&amp;page=2">'
        '<a href="?page=3"><a href="mailto:a@b.example"><p data-kind="plain">'
    )
    members = '200\n\n{"url": "http://127.0.0.1:8000/exports/", "next": "/api/v1/events/"}'

    assert list(addresses_in(page)) == [
        "/namespaces.json",
        "/requests/?state=draft&page=2",
        "?page=3",
    ]
    assert list(addresses_in(members)) == ["/api/v1/events/", "/exports/"]


def test_names_of_files_differ_where_addresses_do() -> None:
    long = "/inspect/?urn=" + "a" * 300
    addresses = ["/a/b", "/a│b", "/a%2Fb", "/a b", "/a%20b", long, f"{long}a"]

    assert len({name_file(each) for each in addresses}) == len(addresses)
    assert [each for each in addresses if len(name_file(each).encode()) > 255] == []


def test_comparison_says_each_change_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = write(tmp_path / "a", one="200\nold\nx", two="200\nold\ny", same="200", gone="200")
    after = write(tmp_path / "b", one="200\nnew\nx", two="200\nnew\ny", same="200", come="200")

    status = main(["compare", str(before), str(after)])

    assert status == 1
    assert capsys.readouterr().out.splitlines() == [
        "== 1 added",
        "+ come.txt",
        "== 1 removed",
        "- gone.txt",
        "== 2 changed, by 1 different changes",
        "@@ 2 × one.txt, two.txt",
        "-old",
        "+new",
    ]


def test_long_change_shows_its_first_lines(tmp_path: Path) -> None:
    before = write(tmp_path / "a", one="1\n2\n3")
    after = write(tmp_path / "b", one="")

    assert list(compare(before, after).lines(most=2))[2:] == ["-1", "-2", "-… 1 more lines", "+"]


def test_equal_snapshots_are_equal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [write(tmp_path / name, one="200\nx") for name in "ab"]

    assert main(["compare", *map(str, folders)]) == 0
    assert capsys.readouterr().out == "No difference.\n"
