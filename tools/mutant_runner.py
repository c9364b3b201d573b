"""Runs tests on changed code, by replacing functions in a fork of a process with everything loaded.

Tests are first run without a change, recording which of them call which function. For each change
the process is forked, the functions get their changed code, and the tests that call them are run,
fast ones first, until one fails. Anything else, such as a table or a decorator, is evaluated when a
module is loaded: such a change is tried in a process of its own, which loads this module as a
pytest plugin and reads the changed text instead of the file.
"""

from __future__ import annotations

import ast
import gc
import importlib.util
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from itertools import accumulate, chain
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final

import hypothesis
import pytest
from _pytest.runner import runtestprotocol

ROOT: Final = Path(__file__).resolve().parent.parent
TIMEOUT_SECONDS: Final = 1_800
PROCESSOR_SECONDS: Final = 120
"""Limits after which a change counts as endless: of wall-clock time, which other load may slow, and
of CPU time.
"""
SECONDS_PER_CHANGE: Final = 60
"""How long the tests run for one change may take together."""
CHANGED_MODULE: Final = "REGISTRY_MUTANT_MODULE"
CHANGED_TEXT: Final = "REGISTRY_MUTANT_TEXT"
PLAIN_PYTEST: Final = (
    *("-q", "-x", "--tb=short", "--reuse-db", "-o", "addopts=--import-mode=importlib"),
    *("-p", "pytest_django.plugin"),
)
"""Without the plugins of a full run, which take longer to start than most of these tests."""

CALLED: Final[set[tuple[str, str]]] = set()
"""The functions called since it was emptied: path of the module, and name in it."""


class SourceLoader(SourceFileLoader):
    """Loads a module from its text, ignoring compiled files."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return compile(self.prepare(self.get_data(path).decode(), path), path, "exec")

    def prepare(self, text: str, path: str) -> Any:
        """Return what to compile instead of the text."""
        return text


class RecordingLoader(SourceLoader):
    """Makes each function of a module record that it is called."""

    def prepare(self, text: str, path: str) -> Any:
        tree = ast.parse(text)
        for name, function in find_functions(tree):
            call = ast.parse(f"__record_call__(({path!r}, {name!r}))").body
            has_words = ast.get_docstring(function) is not None
            function.body[has_words:has_words] = call
        return ast.fix_missing_locations(tree)

    def exec_module(self, module: Any) -> None:
        module.__record_call__ = CALLED.add
        super().exec_module(module)


class ChangedLoader(SourceLoader):
    """Loads the changed text of a module."""

    def prepare(self, text: str, path: str) -> Any:
        return Path(os.environ[CHANGED_TEXT]).read_text(encoding="utf-8")


class ModuleFinder(MetaPathFinder):
    """Finds some modules by their paths, and loads them with our own loader."""

    def __init__(self, paths: Sequence[str], loader: type[SourceLoader]) -> None:
        self.paths = {path.removesuffix(".py").replace("/", "."): path for path in paths}
        self.loader = loader

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if fullname not in self.paths:
            return None
        file = str(ROOT / self.paths[fullname])
        return importlib.util.spec_from_file_location(
            fullname, file, loader=self.loader(fullname, file)
        )


if CHANGED_MODULE in os.environ:
    sys.meta_path.insert(0, ModuleFinder([os.environ[CHANGED_MODULE]], ChangedLoader))


def find_functions(
    node: ast.AST, before: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the functions of a module and the methods of its classes, by name."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield before + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from find_functions(child, f"{before}{child.name}.")
        else:
            yield from find_functions(child, before)


def find_changed_code(path: str, before: str, after: str) -> dict[str, CodeType] | None:
    """Return the new code of the functions that differ, or nothing if other things do too."""
    old, new = compile(before, path, "exec"), compile(after, path, "exec")
    names = {name for name, _function in find_functions(ast.parse(before))}
    had, has = (dict(iterate_code(each, names)) for each in (old, new))
    if had.keys() != has.keys() or describe_code(old, had) != describe_code(new, has):
        return None
    changed = {
        name: code for name, code in has.items() if describe_code(code) != describe_code(had[name])
    }
    return changed or None


def iterate_code(code: CodeType, names: set[str]) -> Iterator[tuple[str, CodeType]]:
    """Yield the code of functions and methods."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            if each.co_qualname in names:
                yield each.co_qualname, each
            else:
                yield from iterate_code(each, names)


def iterate_nested_code(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function, and of those it creates, which a decorator has created already.

    Several lambdas may share a name, so they are left alone.
    """
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType) and not each.co_name.startswith("<"):
            yield from iterate_nested_code(each)


def describe_code(code: CodeType, functions: Mapping[str, CodeType] | None = None) -> Any:
    """Return what code does, regardless of line numbers; `functions` within it by name only."""
    consts = [
        each
        if not isinstance(each, CodeType)
        else each.co_qualname
        if each.co_qualname in (functions or ())
        else describe_code(each, functions)
        for each in code.co_consts
    ]
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, repr(consts)


class MutantRunner:
    """A plugin that runs the tests once, and then for each change those that it affects."""

    def __init__(self, database: Path, try_changes: Callable[[MutantRunner], None]) -> None:
        self.database, self.try_changes = database, try_changes
        self.seconds: dict[pytest.Item, float] = {}
        self.tests: dict[tuple[str, str], list[pytest.Item]] = {}
        self.functions: dict[tuple[str, str], list[FunctionType]] = {}
        self.session: Any = None
        self.failure = ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests without a change, then try the changes."""
        if session.testsfailed:
            raise session.Interrupted("The tests cannot be collected.")
        self.session = session
        self.run_unchanged()
        self.functions = find_live_functions({path for path, _name in self.tests})
        self.try_changes(self)
        return True

    def run_unchanged(self) -> None:
        """Record which tests call which function, and how long they take."""
        for item in self.session.items:
            CALLED.clear()
            began = time.process_time()
            reports = self.run_test(item)
            if not all(each.passed for each in reports):
                said = "\n".join(each.longreprtext for each in reports if not each.passed)
                self.failure = f"{item.nodeid} fails without any change:\n{said}"
                raise self.session.Failed(item.nodeid)
            self.seconds[item] = time.process_time() - began
            for called in CALLED:
                self.tests.setdefault(called, []).append(item)

    def choose_tests(
        self, tests: Iterable[pytest.Item], files: Collection[str]
    ) -> list[pytest.Item]:
        """Return the tests to run for a change, from these files, fast ones first."""
        concerned = {each for each in tests if each.nodeid.partition("::")[0] in files}
        ordered = sorted(concerned, key=self.seconds.__getitem__)
        taken = accumulate(self.seconds[test] for test in ordered)
        return [
            test
            for test, sum_so_far in zip(ordered, taken, strict=True)
            if sum_so_far <= SECONDS_PER_CHANGE
        ]

    def run_test(self, item: pytest.Item) -> list[pytest.TestReport]:
        """Run a test and return its reports; session fixtures are kept for the next."""
        return runtestprotocol(item, log=False, nextitem=self.session)

    def passes(self, item: pytest.Item) -> bool:
        return all(each.passed for each in self.run_test(item))

    def can_change(self, path: str, changed: Mapping[str, CodeType]) -> bool:
        """Whether there is a function for each changed code; one that no test calls counts too."""
        return all((path, name) in self.functions for name in changed)

    def is_noticed(
        self, path: str, changed: Mapping[str, CodeType], files: Collection[str]
    ) -> bool:
        """Whether a test fails with the functions changed, or nothing ends any more."""
        from django.db import connections

        concerned = (self.tests.get((path, name), []) for name in changed)
        tests = self.choose_tests(chain.from_iterable(concerned), files)
        connections.close_all()
        renew_database(self.database)
        child = os.fork()
        if not child:
            self.run_changed(path, changed, tests)
        _child, status = os.waitpid(child, 0)
        return status != 0

    def is_noticed_when_loaded(self, path: str, text: str, files: Collection[str]) -> bool:
        """Whether a test in these files fails if a module is loaded with this text."""
        chosen = [each.nodeid for each in self.choose_tests(self.session.items, files)]
        return fails_when_loaded(path, text, chosen, self.database)

    def run_changed(
        self, path: str, changed: Mapping[str, CodeType], tests: Sequence[pytest.Item]
    ) -> None:
        """Run tests with the functions changed, and end the process: successfully if all pass."""
        noticed = True
        try:
            signal.alarm(TIMEOUT_SECONDS)
            resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
            for code in chain.from_iterable(map(iterate_nested_code, changed.values())):
                for function in self.functions.get((path, code.co_qualname), ()):
                    function.__code__ = code
            noticed = not all(self.passes(test) for test in tests)
        finally:
            os._exit(noticed)


def find_live_functions(paths: Collection[str]) -> dict[tuple[str, str], list[FunctionType]]:
    """Return the functions created from the code of these modules, by path and name."""
    functions: dict[tuple[str, str], list[FunctionType]] = {}
    gc.unfreeze()  # Tests leave loaded modules out of garbage collection, and out of its lists.
    for found in gc.get_objects():
        # `isinstance` would ask a weak reference for what it refers to.
        if type(found) is FunctionType and found.__code__.co_filename in paths:
            key = found.__code__.co_filename, found.__code__.co_qualname
            functions.setdefault(key, []).append(found)
    return functions


def renew_database(database: Path) -> None:
    """Reset the database to its initial state, which is recorded the first time."""
    fresh = database.with_suffix(".fresh")
    if not fresh.exists():
        shutil.copyfile(database, fresh)
    for suffix in ("-journal", "-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    shutil.copyfile(fresh, database)


def run_session(tests: Sequence[str], paths: Sequence[str], runner: MutantRunner) -> int:
    """Run pytest in this process with a runner; return its exit status."""
    sys.meta_path.insert(0, ModuleFinder(paths, RecordingLoader))
    # Failures need not be minimized, and must be reproducible.
    hypothesis.settings.register_profile(
        "mutants", derandomize=True, phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate]
    )
    hypothesis.settings.load_profile("mutants")
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ["REGISTRY_TEST_DATABASE"] = str(runner.database)
    return int(pytest.main([*PLAIN_PYTEST, *tests], plugins=[runner]))


def fails_when_loaded(path: str, text: str, tests: Sequence[str], database: Path) -> bool:
    """Whether a test fails, in a process of its own, if a module is loaded with this text."""
    renew_database(database)
    changed = database.with_name("changed.py")
    changed.write_text(text, encoding="utf-8")
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", __name__, *PLAIN_PYTEST, *tests],
            cwd=ROOT,
            env={**os.environ, CHANGED_MODULE: path, CHANGED_TEXT: str(changed)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    return ended.returncode != 0
