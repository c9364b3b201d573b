"""A small registry that is served, for other people's programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command

from registry import workflow
from registry.models import RegistrationRequest, User
from tests.factories import NamespaceFactory, RegistrantFactory, ServiceFactory
from tests.live.servers import build_exports, gunicorn


@contextmanager
def serve_small_registry(
    home: Path, approved: RegistrationRequest, registrar: User
) -> Iterator[str]:
    """Serve a registry with a namespace of its own, one with a service, and one with only a NID."""
    workflow.perform(approved, "register", actor=registrar, references=["RFC 5328"])
    body = RegistrantFactory.create(name="Northlight Books")
    books = NamespaceFactory.create(nid="isbn", summary="book numbers", registrant=body)
    ServiceFactory.create(namespace=books)
    NamespaceFactory.create(nid="issn", summary="serial numbers")
    call_command("rebuild_search", verbosity=0)
    with gunicorn(home) as url:
        build_exports(home, url)
        yield url
