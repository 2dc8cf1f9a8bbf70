"""Policy files: what is written is read again, and what is wrong is named with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import PolicyError
from stepwell.policy.describe import lines_of, unknown_in
from stepwell.policy.files import PolicyFile, diff, digest, dumps, load, loads, save
from stepwell.policy.kinds import All, Kind, Program, Single
from support.policies import kinds

if TYPE_CHECKING:
    from pathlib import Path

RULES = """\
name = "mine"
kind = "rules"
default = ["vector"]
[[rule]]
when = ["asks count"]
read = ["temporal"]
"""

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"))
origins = st.dictionaries(
    texts, st.one_of(texts, st.integers(-(2**60), 2**60), st.floats(allow_nan=False)), max_size=3
)


@given(kinds(), texts, origins, st.integers(1, 10**6))
def test_what_is_written_is_read_again(
    policy: Kind, description: str, origin: dict[str, str | int | float], version: int
) -> None:
    file = PolicyFile(
        name="mine", policy=policy, version=version, description=description, origin=origin
    )
    again = loads(dumps(file))
    assert again == file
    assert digest(again) == digest(file)
    assert list(lines_of(policy))


@given(texts.filter(str.strip))
def test_a_program_is_read_as_it_is_written(source: str) -> None:
    file = PolicyFile(name="mine", policy=Program(source=source))
    assert loads(dumps(file)) == file


def test_a_program_is_written_without_escapes() -> None:
    source = 'def select(question, context):\n\treturn ["vector"]\n'
    assert source in dumps(PolicyFile(name="mine", policy=Program(source=source)))


def test_half_a_surrogate_pair_in_a_program_is_written_as_a_mark() -> None:
    file = PolicyFile(name="mine", policy=Program(source="# \ud800\n"))
    assert loads(dumps(file)).policy == Program(source="# ?\n")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("name = ", "no TOML"),
        ("[" * 50_000, "no TOML"),
        ('kind = "all"', "`name`"),
        ('name = "a/b"\nkind = "all"', "`name`"),
        ('name = "a"\nkind = "python"', "`kind`"),
        ('name = "a"\nkind = ["all"]', "`kind`"),
        ('name = "a"\nkind = "all"\nversion = 0', "`version`"),
        ('name = "a"\nkind = "all"\nversion = true', "`version`"),
        ('name = "a"\nkind = "all"\nversion = 1000000000', "`version`"),
        ('name = "a"\nkind = "all"\nversion = ' + "9" * 5_000, "no TOML"),
        ('name = "a"\nkind = "all"\ndescription = 3', "`description`"),
        ('name = "a"\nkind = "all"\n[origin]\nof = [1]', "`origin`"),
        ('name = "a"\nkind = "all"\nread = ["vector"]', "`read` means nothing"),
        ('name = "a"\nkind = "single"', "`structure`"),
        ('name = "a"\nkind = "fixed"\nstructures = []', "`structures`"),
        ('name = "a"\nkind = "fixed"\nstructures = [1]', "`structures`"),
        ('name = "a"\nkind = "table"', "`default`"),
        ('name = "a"\nkind = "table"\ndefault = ["x"]\ncell = 3', "`cell`"),
        ('name = "a"\nkind = "table"\ndefault = ["x"]\n[[cell]]\nread = 3', "cell 1: `read`"),
        (
            (
                'name = "a"\nkind = "table"\ndefault = ["x"]\n[[cell]]\nread = ["x"]\n'
                '[[cell]]\nread = ["y"]'
            ),
            "cell 2: there is one",
        ),
        ('name = "a"\nkind = "program"', "`source`"),
        (RULES + 'tokens = { temporal = "many" }', "rule 1: `tokens`"),
        (RULES + "tokens = { temporal = 0 }", "rule 1: `tokens`"),
        (RULES + "reads = 3", "rule 1: `reads` means nothing"),
        (RULES.replace("asks count", "asks counts"), "rule 1: `asks counts`"),
        (RULES.replace('["asks count"]', '"asks count"'), "rule 1: `when`"),
    ],
)
def test_what_is_wrong_is_named(text: str, place: str) -> None:
    with pytest.raises(PolicyError, match=place) as caught:
        loads(text, where="mine.toml")
    assert "mine.toml" in str(caught.value)
    assert caught.value.hint


@given(
    st.text() | st.permutations(RULES.splitlines()).map("\n".join),
    st.integers(0, 90),
    st.sampled_from(["", "\n", '"', "]", "name", "\0", "=", "1"]),
)
def test_any_text_is_a_policy_that_reads_the_same_or_a_policy_error(
    text: str, at: int, put_in: str
) -> None:
    for tried in (text, f"{text[:at]}{put_in}{text[at:]}"):
        try:
            file = loads(tried)
        except PolicyError:
            continue
        assert loads(dumps(file)) == file


def test_a_saved_policy_is_loaded_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "new" / "mine.toml"
    file = loads(RULES)
    save(file, path)
    assert load(path) == file
    with pytest.raises(PolicyError, match="there already"):
        save(file, path)


def test_a_file_with_other_line_ends_is_the_same_policy(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    file = PolicyFile(name="mine", policy=Program(source="def select(q, c):\n    return ['a']\n"))
    path.write_bytes(dumps(file).replace("\n", "\r\n").encode())
    assert load(path) == file


@pytest.mark.parametrize(
    ("raw", "said"),
    [(b"\xff", "no UTF-8"), (b"#" * 1_000_001, "too large"), (None, "cannot be read")],
)
def test_a_file_that_cannot_be_read_is_an_error(
    raw: bytes | None, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    if raw is not None:
        path.write_bytes(raw)
    with pytest.raises(PolicyError, match=said):
        load(path)


def test_a_file_with_a_byte_order_mark_is_the_same_policy(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(RULES, encoding="utf-8-sig")
    assert load(path) == loads(RULES)


def test_a_diff_shows_what_differs_and_nothing_else() -> None:
    one, other = loads(RULES), loads(RULES.replace("temporal", "graph"))
    said = diff(one, other).splitlines()
    assert [line for line in said if line.startswith(("+", "-"))][2:] == [
        '-    "temporal",',
        '+    "graph",',
    ]
    assert diff(one, one) == ""


def test_names_of_no_structure_are_told_apart() -> None:
    assert unknown_in(loads(RULES.replace("temporal", "diary")).policy) == ["diary"]
    assert unknown_in(All()) == []
    assert unknown_in(Single(structure="glossary")) == ["glossary"]
