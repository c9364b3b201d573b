"""A registry that matches the first state of IANA's list."""

from __future__ import annotations

import pytest

from registry.models import Namespace
from tests.records import make_imported_namespace


@pytest.fixture
def known(db: None) -> None:
    """The namespaces of the known list, with their dates."""
    iana = "https://www.iana.org/assignments/"
    make_imported_namespace("oakum", "Otto Oakum", template_url=f"{iana}urn-formal/oakum")
    make_imported_namespace("tar", "RFC9990")
    make_imported_namespace("rope", "RFC9991", "RFC9992")
    first = make_imported_namespace(
        "oakum2", "Otto Oakum", template_url=f"{iana}urn-informal/urn-1"
    )
    Namespace.objects.filter(pk=first.pk).update(
        nid="urn-1", nid_as_registered="urn-1", kind="informal", informal_number=1
    )
    Namespace.objects.filter(nid="tar").update(registered_on="2004-05")
    Namespace.objects.filter(nid="rope").update(registered_on="2009-03-01")
