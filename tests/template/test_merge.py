"""A text is brought up to date with a newer version, field by field."""

from __future__ import annotations

from registry.template import Merge
from tests.template.samples import FORMAL

MINE = FORMAL.replace(purpose="Mine.", resolution="Mine too.", revision_information="I did.")
NEWER = FORMAL.replace(version="2", syntax="Newer.", resolution="Newer too.")


def test_merge_takes_what_only_one_of_the_two_changed() -> None:
    merge = Merge(FORMAL, MINE, NEWER)

    assert merge.template == MINE.replace(syntax="Newer.")
    assert set(merge.changes_of_mine) == {"purpose", "resolution"}
    assert set(merge.changes_of_newer) == {"syntax", "resolution"}


def test_merge_leaves_to_people_what_both_changed_differently() -> None:
    assert Merge(FORMAL, MINE, NEWER).conflicts == ("resolution",)
    assert Merge(FORMAL, MINE, NEWER.replace(resolution="Mine too.")).conflicts == ()
