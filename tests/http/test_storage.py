"""Collected static files: compressed, and named by their content."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from pathlib import Path

import brotli
import pytest
from django.conf import settings as settings_now
from django.core.management import call_command
from django.test import override_settings

SOURCE = Path(settings_now.BASE_DIR) / "static"
STYLE = "css/registry.css"
SCRIPTS = sorted(f"js/{each.name}" for each in (SOURCE / "js").glob("*.js"))
OURS = [STYLE, *SCRIPTS]
OTHERS = ["vendor/bootstrap.min.css", "vendor/htmx.min.js"]

DIGEST = re.compile(r"\.[0-9a-f]{12}(?=\.\w+[\"'])")
IMPORTED = re.compile(r'^import .* from "\./(\w+\.js)";$', re.M)
TOO_SMALL = {"js/words.js"}
"""Files that hardly get smaller are not compressed: WhiteNoise requires a twentieth."""
PRELOADED = re.compile(r"""<link rel="modulepreload" href="{% static 'js/(\w+\.js)' %}">""")


def collect(folder: Path, root: Path) -> dict[str, str]:
    """Collect the files in `folder` into `root` like a server; return the manifest."""
    with override_settings(
        STATIC_ROOT=root,
        STATICFILES_DIRS=[folder],
        STATICFILES_FINDERS=["django.contrib.staticfiles.finders.FileSystemFinder"],
        STORAGES={
            **settings_now.STORAGES,
            "staticfiles": {"BACKEND": "registry.http.storage.HashedStaticFilesStorage"},
        },
    ):
        call_command("collectstatic", interactive=False, verbosity=0)
    paths: dict[str, str] = json.loads((root / "staticfiles.json").read_text("utf-8"))["paths"]
    return paths


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each file that a page may link to, as it is served."""
    root = tmp_path_factory.mktemp("collected")
    return {name: root / hashed for name, hashed in collect(SOURCE, root).items()}


@pytest.mark.parametrize("name", sorted({*OURS, *OTHERS} - TOO_SMALL))
def test_each_style_and_script_lies_packed_beside_itself(
    collected: dict[str, Path], name: str
) -> None:
    served = collected[name].read_bytes()
    packed = Path(f"{collected[name]}.br"), Path(f"{collected[name]}.gz")

    assert brotli.decompress(packed[0].read_bytes()) == served
    assert gzip.decompress(packed[1].read_bytes()) == served
    assert packed[0].stat().st_size < packed[1].stat().st_size < len(served)


@pytest.mark.parametrize("name", [*OURS, *OTHERS])
def test_collected_file_differs_from_its_source_in_the_names_of_others_only(
    collected: dict[str, Path], name: str
) -> None:
    served = DIGEST.sub("", collected[name].read_text("utf-8"))

    assert served == (SOURCE / name).read_text("utf-8")


def test_name_follows_the_content(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SOURCE, tmp_path / "static"))
    first = collect(folder, tmp_path / "first")

    (folder / "js/copy.js").write_text((folder / "js/copy.js").read_text() + "\nlet more = 1;\n")
    changed = collect(folder, tmp_path / "changed")

    assert {name for name in OURS if changed[name] != first[name]} == {"js/copy.js", "js/app.js"}


def test_page_names_all_modules_so_that_none_waits_for_another() -> None:
    frame = Path("templates/base.html").read_text("utf-8")
    needed, waiting = set[str](), ["app.js"]

    while waiting:
        for name in IMPORTED.findall((SOURCE / "js" / waiting.pop()).read_text("utf-8")):
            if name not in needed:
                needed.add(name)
                waiting.append(name)

    assert PRELOADED.findall(frame) == sorted(needed)
    assert needed | {"app.js"} == {Path(name).name for name in SCRIPTS}
