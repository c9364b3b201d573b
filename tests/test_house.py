"""The code keeps to its plan: imports run downhill, and each layer knows only what it may."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "registry"

LAYERS = (
    ("urls", "api_urls", "settings", "wsgi", "apps"),
    ("disputes", "held_nids", "sightings"),
    ("acts",),
    ("web", "api", "admin", "management", "templatetags"),
    ("serializers",),
    ("presenters",),
    ("http",),
    ("forms", "inspection", "demonstration", "scheduler"),
    ("actions", "exchange"),
    ("workflow",),
    ("notifications", "resolution", "search", "due_requests"),
    ("selectors",),
    ("rate_limits", "background", "permissions", "assurance"),
    ("journal",),
    ("models",),
    ("validators", "lookalikes"),
    ("transparency",),
    ("template", "namespace_rules", "namespace_descriptions"),
    ("grammar",),
    ("urn",),
    (
        "enums",
        "env",
        "guide",
        "database",
        "key_paths",
        "safe_http",
        "content_negotiation",
        "licences",
        "replicas",
        "secret_box",
    ),
    ("errors", "batches"),
)
"""The order of imports: each line imports from those below it, never from its own or above."""
INTERFACES = frozenset({"Command"})
"""Names that Django looks for in many modules."""
HEIGHT = {name: -level for level, names in enumerate(LAYERS) for name in names}
MODULES = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if "migrations" not in path.parts and path != PACKAGE / "__init__.py"
)


@cache
def parse_module(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def name_of(path: Path) -> str:
    """Return the unit below `registry` that a file belongs to, such as `models`."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted names that a module imports, including those inside functions.

    The URN library's own imports are relative, since its files are also a distribution of another
    name; `test_only_the_library_of_urns_imports_what_is_relative` allows them only there.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                continue
            if node.module == "registry":
                yield from (f"registry.{alias.name}" for alias in node.names)
            else:
                yield node.module or ""


def in_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the imports that are not at the top of a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from (
                inner for inner in ast.walk(node) if isinstance(inner, ast.Import | ast.ImportFrom)
            )


def test_every_unit_has_its_place_in_the_plan() -> None:
    assert {name_of(path) for path in MODULES} - HEIGHT.keys() == set()


def test_imports_run_downhill() -> None:
    uphill = {
        (str(path.relative_to(ROOT)), name)
        for path in MODULES
        for name in imports(parse_module(path))
        if name.startswith("registry.")
        and (unit := name.split(".")[1]) != name_of(path)
        and HEIGHT[unit] >= HEIGHT[name_of(path)]
    }

    assert uphill == set()


def test_only_the_library_of_urns_imports_what_is_relative() -> None:
    library = PACKAGE / "urn"

    guilty = {
        str(path.relative_to(ROOT))
        for path in MODULES
        for node in ast.walk(parse_module(path))
        if isinstance(node, ast.ImportFrom)
        and node.level
        > (len(path.relative_to(library).parts) if path.is_relative_to(library) else 0)
    }

    assert guilty == set()


def test_library_of_urns_never_names_the_registry() -> None:
    named = {
        name
        for path in (PACKAGE / "urn").rglob("*.py")
        for name in imports(parse_module(path))
        if name.split(".")[0] == "registry"
    }

    assert named == set()


def test_imports_stand_at_the_top() -> None:
    guilty = {
        (str(path.relative_to(ROOT)), ast.unparse(node))
        for path in MODULES
        for node in in_functions(parse_module(path))
    }

    assert guilty == set()


def test_nothing_below_http_has_heard_of_an_http_request() -> None:
    guilty = {
        str(path.relative_to(ROOT))
        for path in MODULES
        if HEIGHT[name_of(path)] < HEIGHT["http"] and "HttpRequest" in path.read_text("utf-8")
    }

    assert guilty == set()


@pytest.mark.parametrize("unit", ["template", "grammar", "transparency"])
def test_template_and_its_grammars_and_the_log_know_no_django(unit: str) -> None:
    known = {
        name.split(".")[0]
        for path in (PACKAGE / unit).rglob("*.py")
        for name in imports(parse_module(path))
    }

    assert not known & {"django", "rest_framework"}


def test_library_of_urns_stands_on_the_standard_library_alone() -> None:
    foreign = {
        name
        for path in (PACKAGE / "urn").rglob("*.py")
        if path.name != "django_field.py"
        for name in imports(parse_module(path))
        if name.split(".")[0] not in sys.stdlib_module_names
    }

    assert foreign == set()


def test_nothing_in_the_library_of_urns_imports_its_column_for_django() -> None:
    importers = {
        path.name
        for path in (PACKAGE / "urn").rglob("*.py")
        if re.search(r"^\s*(?:from|import)\b.*\bdjango_field\b", path.read_text("utf-8"), re.M)
    }

    assert importers == set()


LIBRARIES = frozenset({"urn", "grammar", "template", "namespace_rules", "transparency"})
"""Packages that could be used without the site, and raise standard library errors."""


def test_all_errors_of_the_site_have_one_root() -> None:
    guilty = {
        (str(path.relative_to(ROOT)), node.name)
        for path in MODULES
        if name_of(path) not in LIBRARIES | {"errors"}
        for node in ast.walk(parse_module(path))
        if isinstance(node, ast.ClassDef)
        and any(
            isinstance(base, ast.Name)
            and isinstance(kind := getattr(builtins, base.id, None), type)
            and issubclass(kind, BaseException)
            for base in node.bases
        )
    }

    assert guilty == set()


RETIRED_WORDS = frozenset(
    "utils helpers common told said kept door shelf shapes desk dossier company ledger"
    " silence telling across endings narrowing rulebook gateway".split()
)
"""Words that say too little, or something only to their authors; the field has others."""


def test_no_module_has_a_name_that_only_its_authors_know() -> None:
    names = {path: path.relative_to(PACKAGE).with_suffix("").as_posix() for path in MODULES}

    guilty = {
        name for name in names.values() if RETIRED_WORDS.intersection(re.split(r"[/_]", name))
    }

    assert guilty == set()


def test_no_function_has_a_name_that_only_its_authors_know() -> None:
    guilty = {
        (str(path.relative_to(ROOT)), node.name)
        for path in MODULES
        for node in parse_module(path).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and RETIRED_WORDS.intersection(node.name.split("_"))
    }

    assert guilty == set()


NOT_SUBJECTS = frozenset(
    "a an the"
    " who whoever whose what whatever where when whether how that if"
    " of on onto off at with without to by for from until after before behind below in over within"
    " as once while".split()
)
"""Words that begin no test's name, since its subject stands first."""


def test_names_of_tests_begin_with_their_subject() -> None:
    guilty = {
        (str(path.relative_to(ROOT)), name)
        for path in (ROOT / "tests").rglob("*.py")
        for name in re.findall(r"\bdef test_(\w+)", path.read_text("utf-8"))
        if name.split("_")[0] in NOT_SUBJECTS
    }

    assert guilty == set()


def test_no_public_name_is_defined_in_three_modules() -> None:
    places: dict[str, set[str]] = defaultdict(set)
    for path in MODULES:
        for node in parse_module(path).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                places[node.name].add(str(path.relative_to(PACKAGE)))

    shared = {
        name: where
        for name, where in places.items()
        if len(where) > 2 and not name.startswith("_") and name not in INTERFACES
    }

    assert shared == {}


def test_templates_carry_no_inline_style_or_script() -> None:
    guilty = [
        path.relative_to(ROOT)
        for path in (ROOT / "templates").rglob("*.html")
        if " style=" in (text := path.read_text("utf-8"))
        or "<style" in text
        or "<script>" in text
        or " onclick=" in text
    ]

    assert guilty == []


def test_locked_row_may_still_be_referred_to() -> None:
    # On PostgreSQL a plain FOR UPDATE blocks the writing of events that refer to the row. Their
    # transactions hold the journal by then, which the transaction with the locked row waits for in
    # turn.
    guilty = {
        str(path.relative_to(ROOT))
        for path in MODULES
        if "select_for_update()" in path.read_text("utf-8")
    }

    assert guilty == set()
