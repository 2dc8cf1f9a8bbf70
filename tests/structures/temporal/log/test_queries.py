"""What SQL statements change and read."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.log.queries import is_query, query_states, tables_of


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("CREATE TABLE a (x int)", [("a", "created")]),
        ("create or replace temp view a as select 1", [("a", "created")]),
        ("CREATE TEMPORARY TABLE IF NOT EXISTS a", [("a", "created")]),
        ("ALTER TABLE IF EXISTS a ADD c", [("a", "altered")]),
        ("DROP TABLE a", [("a", "dropped")]),
        ("DROP VIEW IF EXISTS a", [("a", "dropped")]),
        ("DROP ball 3", []),
        ("TRUNCATE a", [("a", "emptied")]),
        ("TRUNCATE TABLE a", [("a", "emptied")]),
        ("INSERT INTO main.`a` VALUES (1)", [("main.a", "rows inserted")]),
        ("INSERT OR REPLACE INTO [a] VALUES (1)", [("a", "rows inserted")]),
        ('DELETE FROM "a" WHERE 1', [("a", "rows deleted")]),
        ("UPDATE a SET x = 1", [("a", "rows updated")]),
        ("UPDATE a x", []),
        ("-- DELETE FROM b\nDELETE FROM a", [("a", "rows deleted")]),
        ("DELETE FROM b; CREATE TABLE a (x)", [("a", "created"), ("b", "rows deleted")]),
        ("SELECT 1", []),
    ],
)
def test_a_statement_changes_a_table(query: str, expected: list[tuple[str, str]]) -> None:
    states = list(query_states(query, 3))
    assert [(one.slot, one.value) for one in states] == expected
    assert all(one.is_event and one.act == 3 for one in states)


@pytest.mark.parametrize(
    ("query", "tables"),
    [
        ('SELECT * FROM a.b JOIN "c" ON 1 = 1', ["a.b", "c"]),
        ("select 1 from a, b", ["a"]),
        ("SELECT 1 FROM a JOIN a", ["a"]),
        ("WITH x AS (SELECT 1 FROM t), Y AS (SELECT 2 FROM x) SELECT * FROM y", ["t"]),
        ("DELETE FROM a", []),
        ("SELECT 1 -- FROM b\nFROM c", ["c"]),
        ("", []),
    ],
)
def test_a_query_reads_tables(query: str, tables: list[str]) -> None:
    assert tables_of(query) == tables


def test_queries_are_read_within_bounds() -> None:
    assert len(tables_of("SELECT 1 " + " ".join(f"FROM t{n}" for n in range(50)))) == 40
    assert list(query_states(" " * 7_988 + "DELETE FROM a", 0)) == []
    assert len(list(query_states(" " * 7_987 + "DELETE FROM a", 0))) == 1
    assert tables_of(" " * 7_987 + "SELECT FROM a") == ["a"]
    assert tables_of(" " * 7_988 + "SELECT FROM a") == []


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("SELECT 1", True),
        ("  with a as (", True),
        ("drop table x", True),
        ("CREATE OR REPLACE VIEW v", True),
        ("create index i", True),
        ("insert or ignore into t", True),
        ("delete from t", True),
        ("update t set x", True),
        ("DROP ball 3", False),
        ("selection", False),
        ("please SELECT", False),
        ("", False),
    ],
)
def test_a_query_is_told_by_its_beginning(text: str, *, is_one: bool) -> None:
    assert is_query(text) is is_one
