from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.structures.units.references import names_in


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("see /usr/lib/python3/site.py:12", ["python3/site.py"]),
        ("./a/b.py and src/a/b.py, b.py", ["a/b.py", "b.py"]),
        (r"C:\Users\me\notes.txt", ["me/notes.txt"]),
        ("~/notes/report.md", ["notes/report.md"]),
        ("and/or, he/she, 1/2", []),
        ("call load_config then np.linalg.norm", ["load_config", "np.linalg.norm"]),
        ("getUser makes a UserStore", ["getuser", "userstore"]),
        ("DB-12 #4711 67c3a0e W2378156", ["db-12", "#4711", "67c3a0e", "w2378156"]),
        ("https://www.example.org/a/b?c=d#e.", ["example.org/a/b"]),
        ("SELECT a FROM orders o JOIN `shop.items` i", ["shop.items", "orders"]),
        ("update the file from the folder", []),
        ("INSERT INTO log VALUES; CREATE TABLE t1 (x)", ["log", "t1"]),
        ("raise app.errors.QuotaError: ENOENT", ["quotaerror", "enoent"]),
        ("HTTP/1.1 503, status code: 404, HTTP 99", ["http 503", "http 404", "http 99"]),
        ("take plate 2 from cabinet 13", ["plate 2", "cabinet 13"]),
        ("An ordinary sentence, with Words. And 42 more.", []),
        ("e.g. this, i.e. that", []),
        ("", []),
    ],
)
def test_names_are_found(text: str, names: list[str]) -> None:
    assert names_in(text) == names


def test_a_long_text_is_read_at_both_ends() -> None:
    text = (
        "first_name " + "plain words " * 100_000 + "middle_name " + "words " * 9_000 + "LastError"
    )
    assert names_in(text) == ["first_name", "lasterror"]


def test_a_listing_gives_its_first_names() -> None:
    names = names_in(" ".join(f"file{n}.txt" for n in range(400)))
    assert names == [f"file{n}.txt" for n in range(32)]


@pytest.mark.parametrize(
    "piece", ["a:1", "/a", "a_", "Aa", "1a", "HTTP/1", "FROM ", "~/", "..", "#"]
)
def test_hostile_text_gives_short_names(piece: str) -> None:
    names = names_in(piece * 50_000)
    assert all(2 <= len(name) <= 120 for name in names)


@given(st.text())
def test_any_text_gives_names_without_repeats_in_lower_case(text: str) -> None:
    names = names_in(text)
    assert len(set(names)) == len(names)
    assert all(name == name.lower() for name in names)
