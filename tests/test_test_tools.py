"""A machine without a program that `make test-all` wants is told so."""

from __future__ import annotations

import pytest

from tests.programs import program
from tools import browser, test_tools


@pytest.fixture
def no_nginx(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine has every program but nginx."""
    places = {name: f"/usr/bin/{name}" for name in test_tools.PACKAGES if name != "nginx"}
    for module in ("tools.test_tools", "tests.programs"):
        monkeypatch.setattr(f"{module}.find_program", places.get)
    monkeypatch.setattr(test_tools, "FILES", {})
    monkeypatch.setattr(browser, "list_missing_packages", list)


@pytest.mark.usefixtures("no_nginx")
@pytest.mark.parametrize(("ci", "status"), [("", 0), ("true", 1)])
def test_list_names_what_is_missing_and_fails_in_continuous_integration(
    ci: str, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", ci)

    assert test_tools.main("--list") == status

    assert capsys.readouterr().out.endswith(": nginx-light\n")


@pytest.mark.usefixtures("no_nginx")
@pytest.mark.parametrize(
    ("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)]
)
def test_program_that_is_missing_skips_a_test_and_fails_it_in_continuous_integration(
    ci: str, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", ci)

    with pytest.raises(outcome, match="nginx"):
        program("nginx")
