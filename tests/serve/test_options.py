"""An option that commands share reads the same, and takes the same, wherever it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, get_args

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from stepwell.serve import options
from stepwell.serve.cli import app
from stepwell.serve.options import option

if TYPE_CHECKING:
    from collections.abc import Iterator


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command below one, with its name."""
    below = getattr(command, "commands", {})
    for name, one in below.items():
        yield from leaves(one, (*path, name))
    if not below:
        yield path, command


COMMANDS = dict(leaves(get_command(app)))


def test_json_reads_the_same_in_every_command_and_none_names_it_otherwise() -> None:
    said = [
        (parameter.opts, parameter.help)
        for path, command in COMMANDS.items()
        for parameter in command.params
        if parameter.name == "as_json"
    ]
    assert len(said) > 10
    assert {(*opts, text) for opts, text in said} == {
        ("--json", "Print one JSON document and nothing else.")
    }


def test_every_option_of_every_command_says_what_it_is() -> None:
    silent = [
        (" ".join(path), parameter.name)
        for path, command in COMMANDS.items()
        for parameter in command.params
        if parameter.param_type_name == "option" and not parameter.hidden and not parameter.help
    ]
    assert silent == []


def test_an_option_takes_a_value_under_its_metavar() -> None:
    tiny = typer.Typer()

    @tiny.command()
    def echo(n: Annotated[int, option("--n", "NUMBER", "How many.", min=2)] = 3) -> None:
        typer.echo(n)

    runner = CliRunner()
    assert runner.invoke(tiny, []).stdout == "3\n"
    assert runner.invoke(tiny, ["--n", "5"]).stdout == "5\n"
    assert runner.invoke(tiny, ["--n", "1"]).exit_code == 2
    said = runner.invoke(tiny, ["--help"]).stdout
    assert "NUMBER" in said
    assert "How many." in said


@pytest.mark.parametrize("mode", ["adaptive", "coverage", "flat", "paper", "plus"])
def test_the_modes_of_the_option_are_those_of_a_recall(mode: str) -> None:
    from stepwell.memory.arguments import check_mode  # noqa: PLC0415  (only this test)

    assert mode in str(get_args(options.Mode)[0])
    assert check_mode(mode) == mode
