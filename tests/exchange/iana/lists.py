"""Fictional states of IANA's list, in its format: a known one, and three that follow it."""

from __future__ import annotations

HEAD = """<?xml version='1.0' encoding='UTF-8'?>
<?xml-stylesheet type="text/xsl" href="urn-namespaces.xsl"?>
<registry xmlns="http://www.iana.org/assignments" id="urn-namespaces">
  <title>Uniform Resource Names (URN) Namespaces</title>
  <created>2001-10-02</created>
  <updated>{updated}</updated>
  <xref type="rfc" data="rfc8141"/>
"""
TAIL = """  <people>
    <person id="Otto_Oakum"><name>Otto Oakum</name></person>
  </people>
</registry>
"""


def record(nid: str, *references: str, date: str = "", template: str = "") -> str:
    """Return one record: `references` are RFCs, keys of people with `_`, or words."""
    xrefs = "".join(map(xref, references))
    file = f'<file type="template">{template}</file>' if template else ""
    dated = f' date="{date}"' if date else ""
    return f"    <record{dated}><name>{nid}</name>{xrefs}{file}</record>\n"


def xref(reference: str) -> str:
    """Return one reference as IANA writes it."""
    if reference.startswith("RFC"):
        return f'<xref type="rfc" data="{reference.lower()}"/>'
    if "_" in reference:
        return f'<xref type="person" data="{reference}"/>'
    return f'<xref type="text">{reference}</xref>'


def listing(formal: list[str], informal: list[str], updated: str = "2026-06-01") -> bytes:
    """Return the list with these records."""
    parts = [HEAD.format(updated=updated)]
    for number, (title, records) in enumerate(
        (("Formal URN Namespaces", formal), ("Informal URN Namespaces", informal)), start=1
    ):
        parts += [
            f'  <registry id="urn-namespaces-{number}">\n    <title>{title}</title>\n',
            *records,
            "  </registry>\n",
        ]
    return "".join([*parts, TAIL]).encode()


OAKUM = record("oakum", "Otto_Oakum", template="urn-formal/oakum")
TAR = record("tar", "RFC9990", date="2004-05")
ROPE = record("rope", "RFC9991", "RFC9992", date="2009-03-01")
FIRST_INFORMAL = record("urn-1", "Otto_Oakum", template="urn-informal/urn-1")

KNOWN = listing([OAKUM, TAR, ROPE], [FIRST_INFORMAL])
GROWN = listing(
    [
        OAKUM,
        record("pitch", "RFC9993", date="2026-06-02", template="urn-formal/pitch"),
        record("tar", "RFC9990", "RFC9994", date="2004-05-17"),
        ROPE,
    ],
    [FIRST_INFORMAL, record("urn-2", "Tilda_Twine", date="2026-06-02")],
    "2026-06-02",
)
"""Two are new, one has another date and another RFC."""
CONFLICTING = listing(
    [
        record("oakum", "Hilda_Hemp", template="urn-formal/oakum"),
        record("pitch", "RFC9993", date="2026-06-02", template="urn-formal/pitch"),
        record("seedbank", "RFC9995", date="2026-06-03"),
        record("tar", "RFC9990", "RFC9994", date="2004-05-17"),
    ],
    [FIRST_INFORMAL, record("urn-2", "Tilda_Twine", date="2026-06-02")],
    "2026-06-03",
)
"""One has another registrant, one is gone, and one is new that a request here asks for."""
UPSET = listing(
    [record(f"new{number}", "RFC9999", date="2026-06-04") for number in range(12)],
    [],
    "2026-06-04",
)
"""Everything is different."""
