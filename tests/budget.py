"""What a test may cost, counted in statements, steps, requests and processes instead of seconds.

A test above the limit of its layer fails. `tests/budget.toml` has the layers, and the sum that the
tests of each folder may reach in `make test`.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.costs import not_counting, spent, start_counting

BUDGET: Final = Path(__file__).with_suffix(".toml")
SUMMED: Final = ("statements", "requests")
TOLERANCE: Final = 1.03
"""How far a sum may rise before its line in the file has to be changed."""
COST: Final = "cost"

spent_before = pytest.StashKey[Counter[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("budget")
    group.addoption(
        "--whole",
        choices=["all", "sample", "rest"],
        default="all",
        help="tests marked `whole`: all, one of each kind, or only those that a sample leaves out",
    )
    group.addoption("--sums", action="store_true", help="hold folders to tests/budget.toml")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "whole(sample=False): may cost anything; `make test` runs those with sample=True alone",
    )
    config.addinivalue_line("markers", "pages: opens pages, although its folder is about rules")
    config.pluginmanager.register(Budget(config), "registry-budget")


class Budget:
    """Counts in each process, and adds up in the one that reports."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.limits: dict[str, dict[str, int]]
        self.folders: dict[str, list[str]]
        self.allowed: dict[str, dict[str, int]]
        budget = tomllib.loads(BUDGET.read_text("utf-8"))
        self.limits, self.folders, self.allowed = (
            budget[name] for name in ("limits", "folders", "sums")
        )
        self.sums: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def find_layer(self, item: pytest.Item) -> str:
        """Return a test's layer: by its mark, its folder, or whether it asks for the database."""
        folder = find_folder(item.nodeid)
        if item.get_closest_marker("whole") or folder in self.folders["whole"]:
            return "whole"
        fixtures = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
        if not fixtures and not item.get_closest_marker("django_db"):
            return "plain"
        opens_pages = folder not in self.folders["rules"] or item.get_closest_marker("pages")
        return "pages" if opens_pages else "rules"

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        choice = self.config.getoption("whole")
        if choice == "all":
            return

        def is_in_sample(item: pytest.Item) -> bool:
            return self.find_layer(item) != "whole" or any(
                mark.kwargs.get("sample") for mark in item.iter_markers("whole")
            )

        chosen: dict[bool, list[pytest.Item]] = {True: [], False: []}
        for item in items:
            chosen[is_in_sample(item) == (choice == "sample")].append(item)
        self.config.hook.pytest_deselected(items=chosen[False])
        items[:] = chosen[True]

    def pytest_collection_finish(self) -> None:
        start_counting()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        if fixturedef.scope == "function":
            return (yield)
        with not_counting():
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        item.stash[spent_before] = spent.copy()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Fail a test of `make test` that costs more than its layer may."""
        try:
            return (yield)
        finally:
            cost = spent - item.stash[spent_before]
            item.user_properties.append((COST, dict(cost)))
            layer = self.find_layer(item)
            excess = [
                f"{cost[kind]} {kind}, at most {limit}"
                for kind, limit in self.limits.get(layer, {}).items()
                if self.config.getoption("whole") == "sample" and cost[kind] > limit
            ]
            if excess:
                pytest.fail(
                    f"{'; '.join(excess)} in {layer}: write rows, or mark it `whole`.",
                    pytrace=False,
                )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        cost = dict(report.user_properties).get(COST)
        if report.when == "call" and isinstance(cost, dict):
            self.sums[find_folder(report.nodeid)].update(cost)

    def list_exceeded(self) -> list[str]:
        """List the lines of the file that folders have outgrown, as they would have to be."""
        return [
            f"{folder} = {{ {', '.join(f'{kind} = {sums[kind]}' for kind in SUMMED)} }}"
            for folder, sums in sorted(self.sums.items())
            if folder not in self.folders["whole"]
            and any(
                sums[kind] > TOLERANCE * self.allowed.get(folder, {}).get(kind, 0)
                for kind in SUMMED
            )
        ]

    def is_reporting(self) -> bool:
        return bool(self.config.getoption("sums")) and not hasattr(self.config, "workerinput")

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.is_reporting() and self.list_exceeded():
            session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.is_reporting() and self.list_exceeded():
            terminalreporter.section("above tests/budget.toml")
            terminalreporter.line("Make it cheaper, or change these lines in the same commit:")
            for line in self.list_exceeded():
                terminalreporter.line(line)


def find_folder(nodeid: str) -> str:
    """Return the folder below `tests/` in which a test lies, or "tests" for `tests/` itself."""
    parts = nodeid.partition("::")[0].split("/")
    return parts[1] if len(parts) > 2 else parts[0]
