"""What documents of record decide about names, one sentence per row, and names in use."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from registry.namespace_rules import NAMESPACE_RULES, Outcome
from registry.urn import is_valid

FOLLOWS, AGAINST, DOUBTFUL = Outcome.FOLLOWS, Outcome.AGAINST, Outcome.DOUBTFUL

# Each name with what decides about it: the document, its section, and a short quotation.
JUDGED = [
    ("RFC 7467, section 2.4: a type alone is a name", "nato", "mtf", FOLLOWS),
    ("RFC 7467, section 2.4: no slash", "nato", "stanag/4774:x", AGAINST),
    ("RFC 7467, section 2.4: no ampersand", "nato", "a&b:c", AGAINST),
    ("RFC 7467, section 2.4: no tilde", "nato", "a~b:c", AGAINST),
    ("RFC 8464, section 3: other specifiers", "3gpp2", "uimid:80A1B2C3", FOLLOWS),
    ("RFC 8464, section 3: other specifiers alone", "3gpp2", "meid-list", FOLLOWS),
    ("RFC 8464, section 3: an MEID has one form", "3gpp2", "meid:A04B0D5602A7E3", AGAINST),
    ("RFC 7972, section 2: prefixes to come", "eidr", "10.9999:AB_C.d", FOLLOWS),
    ("RFC 7972, section 2: prefixes that begin alike", "eidr", "10.52401:X", FOLLOWS),
    ("RFC 7972, section 2: 10.5240 has one form", "eidr", "10.5240:7791-8534", AGAINST),
    ("RFC 5119, section 2: a label of two words", "smpte", "ul:060E2B34.04010103", FOLLOWS),
    ("RFC 5119, section 2: subspaces to come", "smpte", "newnss:future-urn-2105", FOLLOWS),
    ("RFC 5119, section 2: a word has eight digits", "smpte", "ul:060E2B34.0401", AGAINST),
    ("RFC 6050, section 4.4: any top-level label", "urn-7", "example-service.voice", FOLLOWS),
    ("RFC 6050, section 4.4: a label may stand alone", "urn-7", "3gpp-service", FOLLOWS),
    ("RFC 6050, section 4.4: at most 27 characters", "urn-7", "a" * 28, AGAINST),
    ("RFC 7254, section 3: future specifiers", "gsma", "rcs:chatbot", FOLLOWS),
    ("RFC 7254, section 3: future parameters", "gsma", "eid:8900;profile=2;x", FOLLOWS),
    ("RFC 7254, section 4.1: version 0 is this format", "gsma", "imei:90420156;vers=0", AGAINST),
    ("RFC 7254, section 4.1: later versions", "gsma", "imei:90420156ab;vers=1", FOLLOWS),
    ("RFC 7254, section 3: a version is one digit", "gsma", "imei:9-0;vers=10", AGAINST),
    ("RFC 7254, section 4.2.3: the spare digit is 0", "gsma", "imei:49015420-323751-8", DOUBTFUL),
    ("RFC 5141, section 2.4.1: amendments", "iso", "std:iso:9999:-1:ed-2:en:amd:1", FOLLOWS),
    ("RFC 5141, section 2.4.1: committees’ own names", "iso", "std:iso:20022:tech:xsd:a", FOLLOWS),
    ("RFC 5141, section 2.4.1: ISO’s own additions", "iso", "std:iso:9999:anything", DOUBTFUL),
    ("RFC 5141, section 2.4.1: originators", "iso", "std:din:9999", AGAINST),
    ("RFC 4729, section 3: an example of its own", "nfc", "schema:manifest", FOLLOWS),
    ("RFC 4729, section 3: another", "nfc", "wkt:Uri", FOLLOWS),
    ("RFC 4729, section 2: a string behind the resource", "nfc", "wkt", AGAINST),
    ("RFC 8458, appendix A: prefixes are country codes", "nbn", "loc-12", AGAINST),
    ("RFC 8458, section 4.2: a hyphen should delimit", "nbn", "hr:217:395837", DOUBTFUL),
    ("RFC 5279, section 2: whatever section 2 of 2141 has", "3gpp", "acme.foo-serv", FOLLOWS),
    ("RFC 4854, section 2: subtrees", "xmpp", "jingle:apps:rtp:1", FOLLOWS),
    ("RFC 2648, section 2: a draft without its “draft-”", "ietf", "id:ietf-urn-ietf-06", FOLLOWS),
    ("RFC 2648, section 2: letters, digits, hyphens", "ietf", "id:a.b", AGAINST),
    ("RFC 2648, section 3: minutes of a meeting", "ietf", "mtg:41-urn", FOLLOWS),
    ("RFC 2648, section 2: no slash in a meeting", "ietf", "mtg:41/urn", AGAINST),
    ("RFC 6924, section 2: families of names", "ietf", "wg:urnbis", DOUBTFUL),
    ("RFC 3121, section 2: members", "oasis", "member:A00024:x", FOLLOWS),
    ("RFC 3061, section 2: any arcs", "oid", "3.1", DOUBTFUL),
    ("RFC 3151, section 2: no two blanks on end", "publicid", "a++b", AGAINST),
    ("RFC 5328, section 2: any NSS", "dvb", "metadata", FOLLOWS),
    ("RFC 5165, section 2: any string behind the resource", "ogc", "def:crs:EPSG:", FOLLOWS),
    ("RFC 9517, section 3.1.2: two labels", "ddi", "int:TopicClassification:4.1", AGAINST),
    ("RFC 9517, section 3.1.2: slashes", "ddi", "us.ddia1:a/b:1/2", FOLLOWS),
    ("RFC 6588, section 2: capital letters alone", "ucode", "_" + "0000000a" * 4, AGAINST),
    ("RFC 9676, section 8: dots in a jurisdiction", "lex", "un.org:a:b:2001-01-01;1", FOLLOWS),
    ("RFC 3085, section 2: no update “N”", "newsml", "iptc.org:20001006:a:1N", DOUBTFUL),
    ("RFC 4198, section 3: a date", "fdc", "example.com:20021301:a", AGAINST),
    ("RFC 7738, section 3.4: a subspace is like an NID", "ccsds", "-a:b", AGAINST),
    ("RFC 7207, section 4: no slash", "eurosystem", "a/b", AGAINST),
    ("RFC 4688, section 2: the issue stands first", "s1000d", "DMC-A_L-EN_I-001", AGAINST),
]


@pytest.mark.parametrize(
    ("nid", "nss", "outcome"), [row[1:] for row in JUDGED], ids=[row[0] for row in JUDGED]
)
def test_name_is_judged_by_its_document(nid: str, nss: str, outcome: Outcome) -> None:
    assert is_valid(f"urn:{nid}:{nss}")

    assert NAMESPACE_RULES[nid].check(f"urn:{nid}:{nss}").outcome is outcome


# Two names, the sentence about them, and whether it makes them one.
COMPARED = [
    ("RFC 8107, section 2", "adid", "ABCD0001000H", "abcd0001000h", True),
    (
        "RFC 7254, section 3",
        "gsma",
        "imei:90420156-025763-0;vers=0",
        "IMEI:90420156-025763-0",
        True,
    ),
    (
        "RFC 7254, section 3",
        "gsma",
        "imei:90420156-025763-0;SVN=42",
        "imei:90420156-025763-0;svn=42",
        True,
    ),
    (
        "RFC 7254, section 3: parameters count",
        "gsma",
        "imei:90420156-025763-0;svn=42",
        "imei:90420156-025763-0",
        False,
    ),
    ("RFC 7254, section 3: IMEIs alone", "gsma", "rcs:Chatbot", "rcs:chatbot", False),
    (
        "RFC 6050, section 4.4",
        "urn-7",
        "3gpp-service.ims.ICSI.mmtel",
        "3gpp-service.ims.icsi.mmtel",
        True,
    ),
    ("RFC 7972, section 2", "eidr", "10.9999:ab", "10.9999:AB", True),
    ("RFC 5119, section 2", "smpte", "ul:060e2b34.04010103", "UL:060E2B34.04010103", True),
    ("RFC 5119, section 2: labels alone", "smpte", "newnss:A", "newnss:a", False),
    ("RFC 7467, section 2.10", "nato", "MTF", "mtf", False),
    ("RFC 2648, section 2", "ietf", "RFC:2141", "rfc:2141", True),
    ("RFC 2648, section 2", "ietf", "id:IETF-urn-ietf-06", "id:ietf-urn-ietf-06", True),
    (
        "RFC 3553, section 3: exact for parameters",
        "ietf",
        "params:oauth:x",
        "params:OAuth:x",
        False,
    ),
    (
        "RFC 5141, section 2.9",
        "iso",
        "std:iso:9999:-A02:ed-1:en",
        "std:iso:9999:-a02:ed-1:EN",
        True,
    ),
    ("RFC 4152, section 2", "clei", "D4CE18B7AA", "d4ce18b7aa", True),
    ("RFC 5328, section 2", "dvb", "cs:ZappingTypeCS:2001", "cs:zappingtypecs:2001", True),
    ("RFC 5174, section 2", "ebu", "Metadata-CS:EscortCS_2007", "metadata-cs:EscortCS_2007", True),
    ("RFC 5174, section 2: the string counts", "ebu", "metadata-cs:A", "metadata-cs:a", False),
    ("RFC 3614, section 2", "mpeg", "MPEG7:schema:2001", "mpeg7:schema:2001", True),
    ("RFC 3614, section 2: the rest counts", "mpeg", "mpeg7:Schema", "mpeg7:schema", False),
    ("RFC 4195, section 2", "tva", "Metadata:2002", "metadata:2002", True),
    ("RFC 8069, section 2", "ieee", "std:802.1Q:yang", "STD:802.1q:YANG", True),
    ("RFC 3085, section 2", "newsml", "IPTC.org:20001006:a:1U", "iptc.org:20001006:A:1u", True),
    ("RFC 9517, section 3.7", "ddi", "US.ddia1:R-V1:1", "us.ddia1:R-V1:1", True),
    ("RFC 9517, section 3.7: the rest counts", "ddi", "us.ddia1:R-V1:1", "us.ddia1:r-v1:1", False),
    (
        "RFC 9676, section 3.3",
        "lex",
        "it:Stato:legge:2003-09-21;456",
        "it:stato:legge:2003-09-21;456",
        True,
    ),
    ("RFC 7738, section 3.10", "ccsds", "Schema:ndm", "schema:ndm", True),
    ("RFC 7738, section 3.10: the rest counts", "ccsds", "schema:NDM", "schema:ndm", False),
    ("RFC 6453, section 2.10", "ogf", "GFD:136", "gfd:136", True),
    ("RFC 4198, section 3", "fdc", "Example.com:2002:a", "example.com:2002:a", True),
    ("RFC 4179, section 2", "uci", "i700-A", "I700-A", True),
    ("RFC 4179, section 2: the rest counts", "uci", "I700-A", "I700-a", False),
    ("RFC 8515, section 2", "etsi", "YANG:etsi-nfv", "yang:ETSI-NFV", True),
    ("RFC 8458, section 4.3", "nbn", "DE:101:1-20a", "de:101:1-20a", True),
    ("RFC 6588, section 2", "ucode", "_" + "0000000A" * 4, "_" + "0000000B" * 4, False),
    ("RFC 4926, section 2", "geant", "DFN.de", "dfn.de", False),
    ("RFC 9039, section 3.2.1", "dev", "org:32473-Foo", "org:32473-foo", False),
]


@pytest.mark.parametrize(
    ("nid", "first", "second", "is_one"),
    [row[1:] for row in COMPARED],
    ids=[f"{row[0]}-{row[1]}-{row[2]}" for row in COMPARED],
)
def test_two_names_are_compared_by_their_document(
    nid: str, first: str, second: str, is_one: bool
) -> None:
    rule = NAMESPACE_RULES[nid]

    equivalence = rule.are_equivalent(first, second)

    assert equivalence.is_equivalent is is_one
    assert equivalence.source == (rule.comparison if is_one else "RFC 8141, section 3.1")


@pytest.mark.parametrize(
    ("nid", "document"),
    [
        ("3gpp", "RFC 5279, section 2"),
        ("xmpp", "RFC 4854, section 2"),
        ("nato", "RFC 7467, section 2.4"),
        ("gsma", "RFC 7254, section 3"),
        ("urn-7", "RFC 6050, section 4.4"),
        ("3gpp2", "RFC 8464, section 3"),
        ("alert", "RFC 7462, section 7"),
        ("service", "RFC 5031, section 3"),
    ],
)
def test_rule_cites_the_section_that_has_the_grammar(nid: str, document: str) -> None:
    assert NAMESPACE_RULES[nid].document == document


REAL_NAMES = Path(__file__).with_name("real_names.csv")


def read_real_names() -> list[dict[str, str]]:
    """Return names found in public code and in RFCs, each with its source and verdict."""
    with REAL_NAMES.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize(
    "row", read_real_names(), ids=[f"{row['source']}-{row['name']}" for row in read_real_names()]
)
def test_name_that_is_in_use_is_judged_by_its_document(row: dict[str, str]) -> None:
    nid = row["name"].split(":")[1].lower()

    ruling = NAMESPACE_RULES[nid].check(row["name"])

    assert ruling.outcome == row["judged"]
    assert bool(row["decided_by"]) is (row["judged"] != "follows")


def test_names_in_use_are_many_and_of_many_namespaces() -> None:
    rows = read_real_names()
    names = {row["name"] for row in rows}
    in_code = [row for row in rows if row["source"].startswith("github.com/")]

    assert len(names) == len(rows) >= 300
    assert len(in_code) >= 100
    assert len({name.split(":")[1].lower() for name in names}) >= 60
    assert [row["name"] for row in rows if row["judged"] == "against"] == [
        "URN:ISAN:0123-1230-3210-2310-1",
        "URN:ISAN:1881-66C7-3420-6541-9-9F3A-0245-U",
        "urn:oid:1:0:7852:2:3",
    ]
