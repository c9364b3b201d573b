"""The commands on the API page are copied, and run as they are."""

from __future__ import annotations

import os
import subprocess
import uuid
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import pytest
from lxml import html

from registry.models import Token, User
from tests.factories import NamespaceFactory
from tests.live.servers import gunicorn
from tests.programs import program

pytestmark = pytest.mark.django_db(transaction=True)


def test_every_command_of_the_page_does_what_it_says(tmp_path: Path, outsider: User) -> None:
    curl = program("curl")
    NamespaceFactory.create(nid="isbn", registered_on="2001")
    _token, shown = Token.objects.create(user=outsider, name="curl", form_key=uuid.uuid4())
    (tmp_path / "names.txt").write_text("urn:isbn:1\nurn:x y\n")
    (tmp_path / ".curlrc").write_text("silent\nfail\nnoproxy = *\n")
    own = {"TOKEN": shown, "CURL_HOME": str(tmp_path), "PATH": str(Path(curl).parent)}

    with gunicorn(tmp_path) as site:
        with build_opener(ProxyHandler({})).open(f"{site}/api/") as answer:
            page = html.fromstring(answer.read().decode())
        commands = [line for block in page.findall(".//pre") for line in lines(block)]
        done = [
            subprocess.run(
                ["/bin/sh", "-c", command],
                cwd=tmp_path,
                env=os.environ | own,
                capture_output=True,
                text=True,
                timeout=60,
            )
            for command in commands
        ]

    assert [each.returncode for each in done] == [0] * len(commands)
    assert len(commands) == 8
    assert all(each.stdout.startswith("{") for each in done)
    assert outsider.follows.get().nid == "isbn"


def lines(block: html.HtmlElement) -> list[str]:
    """Return the commands of a block."""
    return [line for line in block.text_content().splitlines() if line.strip()]
