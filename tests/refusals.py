"""Why something is refused: by its code, since words may change."""

from __future__ import annotations

import pytest
from django.utils.functional import Promise

from registry.errors import RegistryError
from registry.models import RegistrationRequest
from registry.selectors.publication import list_publication_obstacles


def expect_refusal(code: str) -> pytest.RaisesExc[RegistryError]:
    """Expect the block to be refused with `code`."""
    return pytest.raises(RegistryError, check=lambda error: error.code == code)


def list_obstacle_labels(registration_request: RegistrationRequest) -> list[str | Promise]:
    """Return in two or three words what prevents publication of the last round."""
    return [each.label for each in list_publication_obstacles(registration_request)]
