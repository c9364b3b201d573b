"""Why something is refused: by its code, since words may change."""

from __future__ import annotations

import pytest
from django.utils.functional import Promise

from registry.enums import ObstacleKind
from registry.errors import RegistryError
from registry.models import RegistrationRequest
from registry.selectors.case import open_case
from registry.selectors.consent import find_missing_consent
from registry.selectors.publication import list_publication_obstacles


def expect_refusal(code: str) -> pytest.RaisesExc[RegistryError]:
    """Expect the block to be refused with `code`."""
    return pytest.raises(RegistryError, check=lambda error: error.code == code)


def list_obstacle_labels(registration_request: RegistrationRequest) -> list[str | Promise]:
    """Return in two or three words what prevents publication of the last round."""
    return [each.label for each in list_publication_obstacles(open_case(registration_request))]


def explain_missing_consent(registration_request: RegistrationRequest) -> str:
    """Return what the last round lacks of the consent of others; empty if nothing."""
    return str(find_missing_consent(open_case(registration_request)) or "")


def list_obstacle_kinds(registration_request: RegistrationRequest) -> list[ObstacleKind]:
    """Return of what kind everything is that prevents publication of the last round."""
    return [each.kind for each in list_publication_obstacles(open_case(registration_request))]
