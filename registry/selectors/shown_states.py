"""Which state of a request readers are told: on pages, in letters, feeds and files, everywhere."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise

from registry.enums import State, UnapprovedState
from registry.selectors.case import RequestCase
from registry.selectors.consent import find_missing_consent


@dataclass(frozen=True, slots=True)
class ShownState:
    """A state as readers are told of it.

    `lacking` is what the last round lacks of the holder, in a few words.
    """

    value: State | UnapprovedState
    lacking: str | Promise = ""

    @property
    def label(self) -> str:
        """The state in a few words."""
        return str(self.value.label)

    def __str__(self) -> str:
        return self.label

    @property
    def words(self) -> str:
        """The state in files, where nothing else says that the holder is missing."""
        if not self.lacking:
            return self.label
        lacking = str(self.lacking)
        return f"{self.label} ({lacking[:1].lower()}{lacking[1:]})"


def find_shown_state(case: RequestCase) -> ShownState:
    """Return the state that readers are told.

    A change of facts is stored as approved once it is sent, whoever sent it, and a revision stays
    approved while the holder objects: neither can be published before the holder agrees.
    """
    state, missing = State(case.request.state), find_missing_consent(case)
    lacking = missing.label if missing else ""
    if state != State.APPROVED:
        return ShownState(state, lacking)
    if lacking:
        return ShownState(UnapprovedState.WAITING_FOR_HOLDER, lacking)
    is_unjudged = case.request.changes_facts
    return ShownState(UnapprovedState.WITH_REGISTRAR if is_unjudged else state)
