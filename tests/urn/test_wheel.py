"""The library as others install it: its own wheel, in an environment with nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from registry.urn import __version__

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "registry" / "urn" / "README.md"
SAMPLES = Path(__file__).parent / "samples"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def list_pythons() -> Iterator[str]:
    """This machine's Pythons that the library supports: ours, and others."""
    yield sys.executable
    ours = f"{sys.version_info.major}.{sys.version_info.minor}"
    for version in VERSIONS:
        beside = sorted(Path(sys.base_prefix).parent.glob(f"{version}.*/bin/python{version}"))
        installed = Path(f"/usr/bin/python{version}")
        found = [*beside, *([installed] if installed.exists() else [])]
        if version != ours and found:
            yield str(found[-1])


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel."""
    return build("wheel", tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def environment(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of this Python with the wheel installed, and nothing downloaded."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    run_pip(folder, "install", "--quiet", "--no-index", str(built))
    return folder


def build(target: str, folder: Path) -> Path:
    """Build the wheel or the `sdist` as `make wheel` does, and return its file."""
    run(
        sys.executable,
        *("-m", "hatchling", "build", "--target", target, "--directory", str(folder)),
        cwd=ROOT,
    )
    [file] = folder.iterdir()
    return file


def run_pip(environment: Path, *arguments: str) -> str:
    """Run our pip for an environment that has none of its own."""
    python = environment / "bin" / "python"
    return run(sys.executable, "-m", "pip", "--python", str(python), *arguments)


def run(program: Path | str, *arguments: str, cwd: Path = Path("/")) -> str:
    """Run a program in an environment where nothing of the checkout can be found."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    finished = subprocess.run(
        [str(program), *arguments], capture_output=True, text=True, cwd=cwd, env=clean, check=False
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def test_wheel_holds_the_library_and_nothing_of_the_site(built: Path) -> None:
    with zipfile.ZipFile(built) as archive:
        names = archive.namelist()
        sources = [archive.read(name).decode() for name in names if name.endswith(".py")]

    assert {name.split("/")[0] for name in names} == {
        "rfc8141",
        f"rfc8141-{__version__}.dist-info",
    }
    assert {"rfc8141/py.typed", "rfc8141/vectors.json", "rfc8141/uri/reference.py"} <= set(names)
    assert not any(name.endswith(".pyc") for name in names)
    assert not any("registry.urn" in source or "import registry" in source for source in sources)


def test_version_of_the_distribution_is_that_of_the_library() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    assert project["version"] == __version__
    assert "dependencies" not in project


@pytest.mark.whole
@pytest.mark.parametrize("python", list(list_pythons()))
def test_ten_examples_of_the_readme_run_from_the_wheel(python: str, built: Path) -> None:
    program = (
        "import sys, doctest; sys.path.insert(0, sys.argv[1]); import rfc8141;"
        "result = doctest.testfile(sys.argv[2], module_relative=False, encoding='utf-8');"
        "print(result.attempted, 'django' in sys.modules, rfc8141.__file__);"
        "sys.exit(result.failed)"
    )

    attempted, has_django, file = run(python, "-I", "-c", program, str(built), str(README)).split()

    assert int(attempted) > 25
    assert (has_django, file.startswith(str(built))) == ("False", True)
    assert README.read_text("utf-8").count("\n**") == 10


@pytest.mark.whole
def test_wheel_installs_into_an_empty_environment_with_its_command(environment: Path) -> None:
    urn = environment / "bin" / "urn"

    assert run(urn, "--version") == f"urn {__version__}\n"
    assert run(urn, "normalize", "URN:Example:a?+r") == "urn:example:a\n"
    assert run(environment / "bin" / "python", "-m", "rfc8141", "convert", "urn:ab:c??r") == (
        "urn:ab:c?+r\n"
    )
    assert run_pip(environment, "list", "--format=freeze").split() == [f"rfc8141=={__version__}"]


@pytest.mark.whole
def test_installed_command_names_itself_in_its_help(environment: Path) -> None:
    assert run(environment / "bin" / "urn", "--help").startswith("usage: urn ")


@pytest.mark.whole
def test_folder_itself_can_be_installed(tmp_path: Path) -> None:
    target = tmp_path / "site"

    run(
        sys.executable,
        *("-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation"),
        *("--target", str(target), str(ROOT)),
    )

    assert (target / "rfc8141" / "__init__.py").exists()
    assert not (target / "registry").exists()


@pytest.mark.whole
def test_sources_are_those_of_the_library_alone(tmp_path: Path) -> None:
    with tarfile.open(build("sdist", tmp_path)) as sources:
        names = {name.partition("/")[2] for name in sources.getnames()}

    assert {"registry/urn/README.md", "registry/urn/uri/hosts.py"} <= names
    assert {name for name in names if not name.startswith("registry/urn/")} == {
        *("pyproject.toml", "PKG-INFO", "LICENSE", ".gitignore"),
    }


@pytest.mark.whole
def test_sample_programs_are_clean_to_a_strict_checker_of_types(environment: Path) -> None:
    checked = run(
        sys.executable,
        *("-m", "mypy", "--strict", "--no-incremental", "--config-file="),
        *("--python-executable", str(environment / "bin" / "python")),
        *map(str, sorted(SAMPLES.glob("*.py"))),
    )

    assert checked.startswith("Success: ")


@pytest.mark.whole
@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_sample_programs_run_from_the_installed_wheel(sample: Path, environment: Path) -> None:
    assert run(environment / "bin" / "python", str(sample)) == "as expected\n"
