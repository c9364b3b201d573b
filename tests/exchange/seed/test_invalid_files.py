"""Invalid files are refused whole, with every error and its line, changing nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry.models import Namespace
from tests.exchange.seed.seed_files import (
    ORCHARD,
    ORCHARD_FROM,
    SEVENTH,
    SEVENTH_FROM,
    Files,
    everything,
    written,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


PEAR = {**ORCHARD, "nid": "pear"}
PEAR_FROM = {**ORCHARD_FROM, "nid": "pear"}


@pytest.mark.parametrize(
    ("row", "other", "defects"),
    [
        pytest.param(
            {"nid": "pe_ar"},
            {"nid": "pe_ar"},
            [
                "from.csv, line 4: nid: “pe_ar” is not a NID (RFC 8141, section 2).",
                "names.csv, line 4: nid: “pe_ar” is not a NID (RFC 8141, section 2).",
            ],
            id="2-not-a-nid",
        ),
        pytest.param(
            {"nid": "pear-"},
            {"nid": "pear"},
            [
                "from.csv, line 4: “pear” is not in names.csv.",
                "names.csv, line 4: nid: “pear-” is not a NID (RFC 8141, section 2).",
                "names.csv, line 4: “pear-” has no row in from.csv.",
            ],
            id="2-ends-with-a-hyphen",
        ),
        pytest.param(
            {"nid": "oRCHARD"},
            {"nid": "oRCHARD"},
            [
                "from.csv, line 4: “oRCHARD” is also in line 2; case makes no difference.",
                "names.csv, line 4: “oRCHARD” is also in line 2; case makes no difference.",
            ],
            id="2-twice-but-for-case",
        ),
        pytest.param(
            {"nid": "urn-9"},
            {"nid": "urn-9"},
            [
                "from.csv, line 4: “urn-9” is not formal by its form (RFC 8141, section 5).",
                "names.csv, line 4: “urn-9” is not formal by its form (RFC 8141, section 5).",
            ],
            id="5.2-formal-with-a-number",
        ),
        pytest.param(
            {"kind": "informal"},
            {"kind": "informal"},
            [
                "from.csv, line 4: “pear” is not informal by its form (RFC 8141, section 5).",
                "names.csv, line 4: “pear” is not informal by its form (RFC 8141, section 5).",
            ],
            id="5.2-informal-without-a-number",
        ),
        pytest.param(
            {"nid": "urn-4294967296", "kind": "informal"},
            {"nid": "urn-4294967296", "kind": "informal"},
            [
                "from.csv, line 4: nid: “urn-4294967296” has too large a number.",
                "names.csv, line 4: nid: “urn-4294967296” has too large a number.",
            ],
            id="number-too-large",
        ),
        pytest.param(
            {"kind": "Formal"},
            {},
            [
                "from.csv, line 4: kind: “formal”, but “Formal” among the namespaces.",
                "names.csv, line 4: kind: “Formal” is none of: “formal”, “informal”.",
            ],
            id="kind-unknown",
        ),
        pytest.param(
            {"registered": "2011-02-30"},
            {},
            [
                "names.csv, line 4: registered: “2011-02-30” is not a date. Write 2026-11-20, or "
                "2026-11, or leave it empty."
            ],
            id="no-such-day",
        ),
        pytest.param(
            {"registered": "April 2011"},
            {"template_date": "2010-13"},
            [
                "from.csv, line 4: template_date: “2010-13” is not a date. Write 2026-11-20, or "
                "2026-11, or leave it empty.",
                "names.csv, line 4: registered: “April 2011” is not a date. Write 2026-11-20, or "
                "2026-11, or leave it empty.",
            ],
            id="both-files-at-once",
        ),
        pytest.param(
            {"registered": ""},
            {},
            [
                "from.csv, line 4: registered_source: “rfc-month-memory”, but there is no date.",
            ],
            id="source-without-date",
        ),
        pytest.param(
            {},
            {"registered_source": "none"},
            ["from.csv, line 4: registered_source: “none”, but there is a date."],
            id="date-without-source",
        ),
        pytest.param(
            {},
            {"registered_source": "hearsay"},
            [
                "from.csv, line 4: registered_source: “hearsay” is none of: “iana-record”, "
                "“template-date”, “rfc-month-seen”, “rfc-month-memory”, “none”."
            ],
            id="source-unknown",
        ),
        pytest.param(
            {"confidence": ""},
            {},
            ["names.csv, line 4: confidence: “” is none of: “seen”, “memory”."],
            id="confidence-missing",
        ),
        pytest.param(
            {},
            {"template_url_source": ""},
            ["from.csv, line 4: template_url_source: “”, but there is an address."],
            id="address-without-source",
        ),
        pytest.param(
            {"template_url": "javascript:alert(1)"},
            {},
            [
                "names.csv, line 4: template_url: “javascript:alert(1)” is not an address in "
                "the web."
            ],
            id="not-an-address",
        ),
        pytest.param(
            {"registrant_organization": "O" * 201},
            {},
            [
                f"names.csv, line 4: registrant_organization: “{'O' * 40}…” has 201 characters; "
                "200 is the most."
            ],
            id="too-long",
        ),
        pytest.param(
            {"purpose_hint": "pear\x07trees"},
            {},
            [
                "names.csv, line 4: purpose_hint: “pear\N{REPLACEMENT CHARACTER}trees” has a "
                "character that does not show (U+0007)."
            ],
            id="control-character",
        ),
        pytest.param(
            {"purpose_hint": "pear\ntrees"},
            {},
            [
                "names.csv, line 4: purpose_hint: “pear\N{REPLACEMENT CHARACTER}trees” has a "
                "character that does not show (U+000A)."
            ],
            id="line-break-in-a-value",
        ),
    ],
)
def test_bad_row_is_refused_with_its_line_and_nothing_is_loaded(
    files: Files, row: dict[str, str], other: dict[str, str], defects: list[str]
) -> None:
    files.load()
    before = everything()
    files.write(
        [ORCHARD, SEVENTH, {**PEAR, **row}], [ORCHARD_FROM, SEVENTH_FROM, {**PEAR_FROM, **other}]
    )

    refused = files.refusal()

    assert refused == defects
    assert everything() == before


def test_row_that_bad_ones_are_made_of_is_loaded_when_it_is_good(files: Files) -> None:
    files.load()
    files.write([ORCHARD, SEVENTH, PEAR], [ORCHARD_FROM, SEVENTH_FROM, PEAR_FROM])

    assert files.load() == "1 added, 0 changed, 2 unchanged"


GOOD = written([ORCHARD, SEVENTH]).encode()


@pytest.mark.parametrize(
    ("content", "defects"),
    [
        pytest.param(b"", ["names.csv: The file is empty."], id="empty"),
        pytest.param(b"\n \n", ["names.csv: The file is empty."], id="blank"),
        pytest.param(
            GOOD.splitlines()[0],
            ["names.csv, line 1: There is no row below the names of the columns."],
            id="no-rows",
        ),
        pytest.param(
            GOOD.replace(b",kind,", b",sort,").replace(b"confidence", b"nid"),
            [
                "names.csv, line 1: The column “confidence” is missing.",
                "names.csv, line 1: The column “kind” is missing.",
                "names.csv, line 1: The column “nid” is there 2 times.",
                "names.csv, line 1: The column “sort” is not known.",
            ],
            id="other-columns",
        ),
        pytest.param(
            GOOD.replace(b"Historic.,seen", b"Historic.").replace(b"memory", b"memory,,"),
            [
                "names.csv, line 2: 8 fields where 9 are expected.",
                "names.csv, line 3: 11 fields where 9 are expected.",
                "from.csv, line 2: “orchard” is not in names.csv.",
                "from.csv, line 3: “urn-7” is not in names.csv.",
            ],
            id="too-few-and-too-many-fields",
        ),
        pytest.param(
            GOOD.decode().encode("utf-16"),
            ["names.csv, line 1: The file is in UTF-16. Save it as UTF-8."],
            id="utf-16",
        ),
        pytest.param(
            GOOD.decode().encode("utf-32"),
            ["names.csv, line 1: The file is in UTF-32. Save it as UTF-8."],
            id="utf-32",
        ),
        pytest.param(
            GOOD.replace(b"apple trees", "äpple trees".encode("latin-1")),
            [
                f"names.csv, line 2: Byte {GOOD.splitlines()[1].index(b'apple') + 1} (0xE4) is not "
                "UTF-8. The file may be in Latin-1; save it as UTF-8."
            ],
            id="latin-1",
        ),
        pytest.param(
            GOOD.replace(b"Orchard", b"Orch\0rd", 1).replace(b"urn-7", b"urn\0", 1),
            [
                "names.csv, line 2: Byte 5 is zero. The file may be in UTF-16; save it as UTF-8.",
                "names.csv, line 3: Byte 4 is zero. The file may be in UTF-16; save it as UTF-8.",
            ],
            id="nul-bytes",
        ),
    ],
)
def test_file_that_cannot_be_trusted_is_refused_and_nothing_is_loaded(
    files: Files, content: bytes, defects: list[str]
) -> None:
    files.namespaces.write_bytes(GOOD)
    files.load()
    before = everything()
    files.namespaces.write_bytes(content)

    refused = files.refusal()

    assert sorted(refused) == sorted(defects)
    assert everything() == before


def test_quotation_mark_that_never_closes_is_found(files: Files) -> None:
    files.namespaces.write_bytes(GOOD.replace(b"apple trees", b'"apple trees'))

    refused = files.refusal()

    assert refused[-1].startswith("names.csv, line 2: The row cannot be read: ")
    assert Namespace.objects.count() == 0


def test_file_that_is_not_there_is_refused(files: Files) -> None:
    files.provenance.unlink()

    assert files.refusal() == ["from.csv: It cannot be read: No such file or directory."]
    assert Namespace.objects.count() == 0


def test_namespace_needs_its_provenance_and_provenance_its_namespace(files: Files) -> None:
    files.write([ORCHARD, PEAR], [ORCHARD_FROM, SEVENTH_FROM])

    assert files.refusal() == [
        "from.csv, line 3: “urn-7” is not in names.csv.",
        "names.csv, line 3: “pear” has no row in from.csv.",
    ]
