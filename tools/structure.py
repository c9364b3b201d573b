"""Counts what a stranger meets in the code: modules, folders, and names that say too little.

`python -m tools.structure [FOLDER]` prints the figures of the checkout in FOLDER, by default this
one. `docs/ARCHITECTURE.md` has them before and after.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

# A guess by suffix, and the English participles with other suffixes.
PARTICIPLE = re.compile(r"[a-z]{2,}(?:ed|ing)|told|said|kept|shown|seen|known|left|given|made|held")
NO_PARTICIPLES = {"need", "seed", "feed", "string", "thing", "embed", "proceed", "exceed"}


def modules(folder: Path) -> dict[str, Path]:
    """Return the modules of the registry by dotted name, without migrations."""
    found = {}
    for path in sorted((folder / "registry").rglob("*.py")):
        if "migrations" in path.parts:
            continue
        parts = path.relative_to(folder).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(tree: ast.Module, known: dict[str, Path]) -> Iterator[str]:
    """Yield our own modules that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in known else node.module


def header_lines(tree: ast.Module) -> int:
    """Return how many lines the docstring and the imports take at the head of a module."""
    last = 0
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            last = node.end_lineno or last
        else:
            break
    return last


def is_participle(name: str) -> bool:
    """Whether a name ends in a participle, such as `rounds_shown`."""
    last = name.strip("_").rsplit("_", 1)[-1]
    return last not in NO_PARTICIPLES and PARTICIPLE.fullmatch(last) is not None


def figures(folder: Path) -> dict[str, str]:
    """Return the figures of the checkout at `folder`, by name."""
    known = modules(folder)
    trees = {name: ast.parse(path.read_text("utf-8")) for name, path in known.items()}
    functions = [
        node.name
        for tree in trees.values()
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    public = defaultdict(set)
    for name, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                public[node.name].add(name)
    importers: dict[str, set[str]] = defaultdict(set)
    for name, tree in trees.items():
        for target in imported(tree, known):
            importers[target].add(name)
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in known.values())
    counted = Counter(functions)
    tops = [
        path
        for path in (folder / "registry").iterdir()
        if not path.name.startswith("__") and (path.is_dir() or path.suffix == ".py")
    ]

    def share(part: int, whole: int = len(functions)) -> str:
        return f"{100 * part / whole:.0f} %"

    return {
        "modules": f"{len(known):,}",
        "lines of Python": f"{lines:,}",
        "entries at the top of registry/": str(len(tops)),
        "top-level functions": f"{len(functions):,}",
        "… named by one word": share(sum("_" not in name.strip("_") for name in functions)),
        "… that end in a participle": share(sum(map(is_participle, functions))),
        "… that share their name with one in another module": share(
            sum(count for count in counted.values() if count > 1)
        ),
        "public names defined in three modules or more": str(
            sum(
                len(where) > 2 and not name.startswith("_") and name != "Command"
                for name, where in public.items()
            )
        ),
        "modules imported by exactly one other": str(
            sum(len(importers[name]) == 1 for name in known)
        ),
        "share of lines that are docstring and imports of a module": share(
            sum(map(header_lines, trees.values())), lines
        ),
    }


def main(arguments: list[str]) -> None:
    """Print the figures of one checkout, or of several side by side."""
    folders = [Path(argument) for argument in arguments] or [Path(__file__).resolve().parent.parent]
    columns = [figures(folder) for folder in folders]
    for name in columns[0]:
        print(f"{name:<60}", *(f"{column[name]:>9}" for column in columns))


if __name__ == "__main__":
    main(sys.argv[1:])
