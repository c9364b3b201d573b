"""What a check needs to know besides the text, and the finding it creates."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from registry.template.fields import Field, Required, field as field_named
from registry.template.template import Template
from registry.urn.finding import Finding, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What is requested, by which rules, and when.

    `change` is "new" or "revision", `path` "community", "fast_track" or "informal"; `version` is
    the number this text would be published under, None if unknown. `taken` has the registered NIDs
    in lower case. With `publishing`, the text is the one that will be in the registry, numbers
    filled in, and unfinished parts are no longer accepted. `previous` is the last published
    version, and `last_date` its date, if known. `host` is where the registry's own pages are.
    """

    change: str = "new"
    path: str = "community"
    version: int | None = None
    taken: Container[str] = frozenset()
    today: datetime.date = field(default_factory=datetime.date.today)
    publishing: bool = False
    last_date: datetime.date | None = None
    previous: Template | None = None
    host: str = ""

    @property
    def is_new(self) -> bool:
        """Whether the request is for a namespace that is not registered yet."""
        return self.change == "new"

    @property
    def is_revision(self) -> bool:
        """Whether there is a previous version to compare with (6.2)."""
        return self.change == "revision" or (self.version or 1) > 1

    @property
    def is_informal(self) -> bool:
        """Whether the registry numbers the namespace (5.2)."""
        return self.path == "informal"

    @property
    def is_fast_track(self) -> bool:
        """Whether a standards body decides for itself (6.3)."""
        return self.path == "fast_track"

    @property
    def unfinished(self) -> Severity:
        """The severity of leaving something for later."""
        return Severity.BLOCK if self.publishing else Severity.WARN

    def requires(self, each: Field) -> bool:
        """Whether the registrant must fill in this field."""
        if each.required is Required.REVISION:
            return self.is_revision
        return each.required is Required.ALWAYS


Check: TypeAlias = Callable[[Template, Context], Iterator[Finding]]
"""A small function that checks one thing about a template; it yields nothing if all is well."""


def build_finding(
    name: str, check: str, severity: Severity, message: str, mend: str, source: str = ""
) -> Finding:
    """A finding on the field `name`, by default citing the section of the RFC that describes it."""
    return Finding(check, severity, message, source or field_named(name).source, mend, name)
