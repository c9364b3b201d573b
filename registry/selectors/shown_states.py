"""Which state of a request readers are told: on pages, in letters, feeds and files, everywhere."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.functional import Promise

from registry.enums import State, UnapprovedState
from registry.models import RegistrationRequest
from registry.selectors.holder_consent import find_missing_consent
from registry.selectors.publication import ObstacleKind, PublicationObstacle


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


def find_shown_state(
    registration_request: RegistrationRequest,
    obstacles: Collection[PublicationObstacle] | None = None,
) -> ShownState:
    """Return the state that readers are told; `obstacles` of a request save queries.

    A change of facts is stored as approved once it is sent, whoever sent it, and a revision stays
    approved while the holder objects: neither can be published before the holder agrees.
    """
    state = State(registration_request.state)
    lacking = find_lacking_consent(registration_request, obstacles)
    if state != State.APPROVED:
        return ShownState(state, lacking)
    if lacking:
        return ShownState(UnapprovedState.WAITING_FOR_HOLDER, lacking)
    is_unjudged = registration_request.changes_facts
    return ShownState(UnapprovedState.WITH_REGISTRAR if is_unjudged else state)


def find_lacking_consent(
    registration_request: RegistrationRequest,
    obstacles: Collection[PublicationObstacle] | None,
) -> str | Promise:
    """Return what the last round lacks of the holder in a few words; empty if nothing."""
    if obstacles is None:
        missing = find_missing_consent(registration_request)
        return missing.label if missing else ""
    return next((each.label for each in obstacles if each.kind == ObstacleKind.HOLDER), "")
