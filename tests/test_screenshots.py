"""The pictures in the documents: one of each main page, before and after, and none too large."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.screenshots import PAGES

FOLDER = Path("docs/screenshots")
SHOWN = re.compile(r"\((?:docs/)?(screenshots/[\w/.-]+)\)")


@pytest.mark.parametrize("when", ["before", "after"])
def test_each_main_page_has_a_picture_of_a_decent_size(when: str) -> None:
    sizes = {each.stem: each.stat().st_size for each in (FOLDER / when).iterdir()}

    assert sizes.keys() == PAGES.keys()
    assert len(PAGES) == 12
    assert max(sizes.values()) <= 120 * 1024


def test_documents_show_every_picture_and_no_other() -> None:
    texts = [Path(name).read_text("utf-8") for name in ("README.md", "docs/ux.md")]

    shown = {found for text in texts for found in SHOWN.findall(text)}

    there = FOLDER.rglob("*.*")
    assert shown == {str(each.relative_to(FOLDER.parent)) for each in there}
