# No `from __future__ import annotations`: typer reads the annotations of commands and groups.
import inspect
from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from stepwell_bench.options import command_group, grouped


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    left: Annotated[str, typer.Option("--left", metavar="TEXT")]
    count: Annotated[int, typer.Option("--number", min=1, help="How many.")] = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Third:
    loud: Annotated[bool, typer.Option("--loud")] = False


@grouped
def show(
    word: Annotated[str, typer.Argument()],
    pair: Pair,
    third: Third,
    seed: Annotated[int, typer.Option("--seed")] = 7,
) -> None:
    """Show what was given."""
    typer.echo(f"{word} {pair} {third} {seed}")


def ran(*words: str) -> tuple[int, str]:
    app = command_group("Things to run.")
    app.command()(show)
    app.command("other")(lambda: None)
    done = CliRunner().invoke(app, words)
    return done.exit_code, done.output


def test_a_group_stands_where_its_parameter_stood() -> None:
    taken = inspect.signature(show).parameters
    assert list(taken) == ["word", "left", "count", "loud", "seed"]
    defaults = {name: one.default for name, one in taken.items()}
    assert defaults["left"] is inspect.Parameter.empty
    assert (defaults["count"], defaults["loud"], defaults["seed"]) == (3, False, 7)


def test_a_command_is_called_with_its_groups() -> None:
    given = ("show", "hello", "--left", "a", "--number", "2", "--loud", "--seed", "1")
    expected = f"hello {Pair(left='a', count=2)} {Third(loud=True)} 1\n"
    assert ran(*given) == (0, expected)


def test_what_is_not_given_has_the_default_of_its_field() -> None:
    expected = f"hello {Pair(left='a', count=3)} {Third(loud=False)} 7\n"
    assert ran("show", "hello", "--left", "a") == (0, expected)


def test_a_field_without_a_default_is_required() -> None:
    code, output = ran("show", "hello")
    assert code == 2
    assert "Missing option '--left'" in output


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_the_bounds_of_a_field_hold(number: str) -> None:
    assert ran("show", "hello", "--left", "a", "--number", number)[0] == 2


def test_help_is_the_docstring_and_the_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    code, output = ran("show", "-h")
    assert code == 0
    assert "Show what was given." in output
    assert "--left TEXT" in output
    assert "How many." in output


def test_a_group_of_commands_alone_shows_its_help() -> None:
    code, output = ran()
    assert "Things to run." in output
    assert "--install-completion" not in output
    assert code == 2
