from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import apsw
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stepwell.text.search import (
    FTS_TOKENIZE,
    MAX_TOKEN_CHARS,
    match_expression,
    query_tokens,
    search_tokens,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

any_text = st.text(st.characters(codec=None, exclude_categories=()))
gluey_text = st.text(
    st.sampled_from("aB1é端テ현ส/\\.:-_@+#'\u2019\u200b\u0301\ud800\x00\x1b[m \n\t\"*^()")
)


def index_of(*texts: str) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE found USING fts5(body, {FTS_TOKENIZE})")
    connection.executemany(
        "INSERT INTO found(body) VALUES (?)", [(" ".join(search_tokens(text)),) for text in texts]
    )
    return connection


def rows(connection: apsw.Connection, tokens: Iterable[str]) -> list[int]:
    expression = match_expression(tokens)
    if not expression:
        return []
    query = "SELECT rowid - 1 FROM found WHERE found MATCH ? ORDER BY rowid"
    return [row for (row,) in connection.execute(query, (expression,))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "src/FooBar_baz.py",
            ["src/foobar_baz.py", "src", "foobar_baz.py", "py", "foo", "bar", "baz"],
        ),
        ("src/app/main.py:42:", ["src/app/main.py", "main.py", "main", "42"]),
        (r"C:\x\y.txt", [r"c:\x\y.txt", r"x\y.txt", "x", "y.txt", "y", "txt"]),
        ("pkg.mod.func()", ["pkg.mod.func", "pkg", "mod", "func"]),
        ("v1.2.3", ["v1.2.3", "v1", "2", "3"]),
        ("getHTTPResponse", ["get", "http"]),
        ("--error-on-warnings", ["error-on-warnings", "error", "on", "warn"]),
        ("MAX_TOKENS", ["max_tokens", "max", "token"]),
        ("550E8400-e29b-41d4-a716-446655440000", ["550e8400-e29b-41d4-a716-446655440000", "e29b"]),
        ("2026-11-29T21:25:03Z", ["2026-11-29", "21", "25"]),
        ("https://ex.com:80/a?q=1", ["https://ex.com:80/a", "ex.com", "80", "q", "1"]),
        ("me@ex.com", ["me@ex.com", "me", "ex.com"]),
        ("C++ and C#", ["c++", "c#", "c"]),
        (r"done\nnext", ["done", "next"]),
        ("don't you\u2019re user's", ["don't", "user"]),
        ("Straße CAFÉ İzmir", ["strass", "café", "cafe", "izmir"]),
        ("\uff26\uff35\uff2c\uff2c ﬁne ①", ["full", "fine", "1"]),
        ("Привет שלום مُحَمَّد हिन्दी", ["привет", "שלום", "محمد", "हिन्दी"]),
        ("สวัสดีครับ", ["สวัสดีครับ", "สว"]),
        ("端口", ["端", "口", "端口"]),
        ("re\u00adset pass\u200bword \ufeffflag", ["reset", "password", "flag"]),
        ("pass\x1b[01;31m\x1b[Kword\x1b[m", ["password"]),
        ("deployed deployments", ["deploy"]),
    ],
)
def test_text_is_found_by(text: str, expected: list[str]) -> None:
    assert set(expected) <= set(search_tokens(text))


@pytest.mark.parametrize(
    "text", ["", "   ", "\x00", "... --- !!!", "____", "\u200b\u202e", "\ud800", "\U000e0041"]
)
def test_nothing_to_find_gives_no_tokens(text: str) -> None:
    assert search_tokens(text) == []
    assert match_expression(search_tokens(text)) == ""


def test_reading_order_and_repeats_are_kept() -> None:
    assert search_tokens("b a\nb") == ["b", "a", "b"]


def test_words_glued_to_characters_are_separate() -> None:
    tokens = search_tokens("重跑gen-itgc后提交")
    assert {"gen-itgc", "itgc", "重跑", "提交", "后"} <= set(tokens)
    assert "跑g" not in tokens


def test_canonically_equal_texts_have_equal_tokens() -> None:
    assert search_tokens("cafe\u0301 \u1112\u1167\u11ab") == search_tokens("café 현")


def test_threads_read_alike() -> None:
    """Words that no cache knows yet, so that threads meet in the stemmer."""
    texts = [
        f"{a}{b}ations{a} {b}{a}ingly" for a in "bcdfghklmnprst" for b in ("ab", "oper", "und")
    ]
    with ThreadPoolExecutor(max_workers=8) as pool:
        together = list(pool.map(search_tokens, texts * 4))
    assert together == [search_tokens(text) for text in texts] * 4


def test_blob_is_found_by_itself_and_does_not_explode() -> None:
    blob = "Zm9vYmFyMTIz" * 5000
    tokens = search_tokens(blob)
    assert len(tokens) <= 2 * len(blob) / MAX_TOKEN_CHARS
    assert search_tokens(blob) == tokens


def test_parts_of_a_long_path_are_found() -> None:
    path = "/".join(f"folder{n}" for n in range(50)) + "/needle.py"
    assert {"needle.py", "needl", "folder49"} <= set(search_tokens(path))


@settings(max_examples=300)
@given(any_text | gluey_text)
@example("\u037a\u0345\ufdfa\u00b4")
def test_tokens_are_fit_for_the_index(text: str) -> None:
    for token in search_tokens(text):
        assert 1 <= len(token) <= MAX_TOKEN_CHARS
        assert len(token.split()) == 1
        assert token.split()[0] == token
        assert "\x00" not in token
        assert token.encode()


@settings(max_examples=200, deadline=None)
@given(any_text | gluey_text)
def test_every_token_is_found_where_it_was_indexed(text: str) -> None:
    connection = index_of(text, "unrelated")
    for token in search_tokens(text):
        assert 0 in rows(connection, [token])


@given(any_text | gluey_text, any_text)
def test_surroundings_do_not_change_tokens(text: str, other: str) -> None:
    assert search_tokens(f"{text}\n{other}") == search_tokens(text) + search_tokens(other)


@settings(max_examples=200, deadline=None)
@given(any_text | gluey_text | st.text("\"*^-+:;(){}'NEARANDORT abody"))
@example('" OR 1=1; DROP TABLE found; --')
@example("NEAR(a b, 2) ^a body:x {body}: -x + a*")
def test_any_question_is_a_safe_query(question: str) -> None:
    connection = index_of("near and or not a body")
    rows(connection, query_tokens(question))
    assert connection.execute("SELECT count(*) FROM found").get == 1


@given(st.lists(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1)))
def test_expression_quotes_each_token_once(tokens: list[str]) -> None:
    connection = index_of("x")
    expression = match_expression(tokens)
    assert isinstance(rows(connection, tokens), list)
    assert expression.count(" OR ") == max(len(set(tokens)) - 1, 0)


def test_expression_of_a_long_question_is_accepted() -> None:
    connection = index_of("word9999")
    assert rows(connection, [f"word{n}" for n in range(10_000)]) == [0]


def test_index_splits_at_blanks_only() -> None:
    connection = index_of("C:\\x\\y a.b/c-d_e@f", "x")
    assert rows(connection, ["a.b/c-d_e@f"]) == [0]
    assert rows(connection, ["b/c"]) == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the port of the database?", ["port", "databas"]),
        ("What's in src/app.py?", ["src/app.py", "src", "app.py", "app", "py"]),
        ("did it not deploy?", ["not", "deploy"]),
        ("what is it", ["what", "is", "it"]),
        ("端口", ["端口"]),
        ("口", ["口"]),
        ("", []),
    ],
)
def test_question_keeps_what_it_is_about(question: str, expected: list[str]) -> None:
    assert query_tokens(question) == expected


@given(any_text | gluey_text)
def test_question_tokens_are_search_tokens(question: str) -> None:
    tokens = search_tokens(question)
    asked = query_tokens(question)
    assert set(asked) <= set(tokens)
    assert bool(asked) == bool(tokens)


def nasty(shared_dir: Path, name: str) -> dict[str, Any]:
    case: dict[str, Any] = json.loads((shared_dir / "formats/nasty" / name).read_bytes())
    return case


def contents(case: dict[str, Any]) -> list[str]:
    return [message["content"] for message in case["messages"]]


@pytest.mark.parametrize(
    ("question", "turn"),
    [("端口", 0), ("数据", 0), ("itgc", 0), ("口", 0), ("テスト", 1), ("현재", 1), ("보유현황", 1)],
)
def test_mixed_scripts_each_find_their_turn(shared_dir: Path, question: str, turn: int) -> None:
    connection = index_of(*contents(nasty(shared_dir, "90-cjk-mixed.json")))
    assert rows(connection, query_tokens(question)) == [turn]


@pytest.mark.parametrize(
    ("question", "turn"),
    [
        ("password", 3),
        ("reset", 3),
        ("flag", 3),
        ("سارة", 0),
        ("דנה", 1),
        ("check", 2),
        ("grant", 2),
    ],
)
def test_invisible_characters_hide_nothing(shared_dir: Path, question: str, turn: int) -> None:
    connection = index_of(*contents(nasty(shared_dir, "91-rtl-bidi-zero-width.json")))
    assert rows(connection, query_tokens(question)) == [turn]


def test_metasyntax_is_searched_literally(shared_dir: Path) -> None:
    case = nasty(shared_dir, "93-query-metasyntax.json")
    connection = index_of(*contents(case))
    found = {question: rows(connection, query_tokens(question)) for question in case["queries"]}
    literal = ["don't", "src/auth.rs", "pre-edit", "v2.1", 'say "hi', "(python", "memory:safe"]
    assert all(found[question] == [0] for question in [*literal, "--error-on-warnings", "C++"])
    assert found[""] == found["   "] == found["\x00"] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "src/FooBar_baz.py",
            "src/foobar_baz.py src foobar_baz.py foobar_baz py foobar baz foo bar",
        ),
        ("getHTTPResponse", "gethttprespons get http respons"),
        ("HTMLParser2Go", "htmlparser2go html parser2 go"),
        ("v2Final", "v2final v2 final"),
        ("Ab1", "ab1"),
        ("aB", "ab a b"),
        ("C++", "c++ c"),
        ("c#", "c# c"),
        ("C#x", "c x"),
        ("a.b#c", "a.b a b c"),
        ("a+b", "a b"),
        ("it's don't he'd they've", "it don't he'd they'v"),
        ("o'clock x'sy", "o clock x sy"),
        ("user:42", "user 42"),
        ("12:30", "12:30 12 30"),
        ("file.py:12:5", "file.py file py 12:5 12 5"),
        ("host:80/a", "host:80/a host 80/a 80 a"),
        ("a::b a--b a...b", "a::b a b a--b a b a...b a b"),
        ("a----b", "a b"),
        (r"x\ny", r"x\ny x ny y"),
        (r"foo\tbar \n", r"foo\tbar foo tbar bar n"),
        ("2026-03-02T08:00", "2026-03-02t08:00 2026-03-02 08 00 2026 03 02"),
        ("__init__ _x_ a_", "__init__ init _x_ x a_ a"),
        ("端端端", "端 端 端 端端 端端"),
        ("สวัส", "สวัส สว วั ัส"),
        ("Ⅷ ² ß ﬃ", "viii 2 ss ffi"),
        ("é\u2019s", "é's e"),
    ],
)
def test_text_gives_these_tokens_and_no_others(text: str, expected: str) -> None:
    assert search_tokens(text) == expected.split()


@pytest.mark.parametrize(
    ("glued", "plain"),
    [
        ("x\ufe00y", "xy"),
        ("x\ufe0fy", "xy"),
        ("x\u034fy", "xy"),
        ("x\u115fy", "xy"),
        ("a\u180bb", "ab"),
        ("a\u180fb", "ab"),
        ("ab\u064b\u0652", "ab"),
        ("ש\u0591\u05c7", "ש"),
        ("x\U000e0000y\U000e0fffz", "xyz"),
        ("سـارة", "سارة"),
    ],
)
def test_marks_that_nobody_types_do_not_count(glued: str, plain: str) -> None:
    assert search_tokens(glued) == search_tokens(plain)


@pytest.mark.parametrize(
    ("marked", "typed"),
    [
        ("Ещё отчёт", "еще отчет"),
        ("được đổi", "duoc doi"),
        ("Κωδικός", "κωδικος"),
        ("IĞDIR", "\u0131ğd\u0131r"),
        ("\u0131ğd\u0131r İzmir", "igdir izmir"),
        ("Ødegaard Łódź", "odegaard lodz"),
        ("Straße Æsir œuvre", "strasse aesir oeuvre"),
        ("þing Ñandú ħaż", "thing nandu haz"),
        ("أحمد مدرسة", "احمد مدرسه"),
    ],
)
def test_words_without_their_marks_find_those_with(marked: str, typed: str) -> None:
    for asked, held in zip(typed.split(), marked.split(), strict=True):
        assert set(search_tokens(asked)) & set(search_tokens(held))


@pytest.mark.parametrize("word", ["мой", "हिन्दी", "שלום"])
def test_marks_that_make_a_letter_of_its_own_stay(word: str) -> None:
    assert search_tokens(word) == [word]


@pytest.mark.parametrize("apart", ["a\u00b7b", "a\u2022b", "a\u20acb", "a\u3000b", "a\u00a0b"])
def test_symbols_and_blanks_of_any_script_part_words(apart: str) -> None:
    assert search_tokens(apart) == ["a", "b"]


@pytest.mark.parametrize("char", ["x", "X", "5", "é"])
def test_a_word_longer_than_a_token_is_cut_into_tokens(char: str) -> None:
    folded = char.casefold()
    assert folded * MAX_TOKEN_CHARS in search_tokens(char * MAX_TOKEN_CHARS)
    longer = search_tokens(char * (MAX_TOKEN_CHARS + 1))
    assert folded * MAX_TOKEN_CHARS in longer
    assert folded in longer
    assert max(map(len, longer)) == MAX_TOKEN_CHARS == 64


def test_humps_of_what_looks_random_are_no_words() -> None:
    assert search_tokens("a1b2c3Dx") == ["a1b2c3dx"]
    assert search_tokens("aB1cD2eF3") == ["ab1cd2ef3"]
    assert search_tokens("a1bcDx") == ["a1bcdx", "a1bc", "dx"]


def test_only_words_of_ordinary_length_are_stemmed() -> None:
    assert search_tokens("q" * 20 + "ings") == ["q" * 20 + "ing"]
    assert search_tokens("q" * 21 + "ings") == ["q" * 21 + "ings"]


@pytest.mark.parametrize("text", ["Connections", "99", "端口 déjà", "x" * 100])
def test_a_text_read_again_has_the_same_tokens(text: str) -> None:
    fresh = search_tokens(text)
    assert all(search_tokens(text) == fresh for _ in range(3))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("the", ["the"]),
        ("What\u2019s THE port?", ["port"]),
        ("(please) show me!", ["show"]),
        ("who-is", ["who-is", "who", "is"]),
        ("port port", ["port", "port"]),
        ("现在端口", ["现在", "在端", "端口"]),
        ("before and after, under 3", ["befor", "after", "under", "3"]),
    ],
)
def test_a_question_loses_only_the_words_of_any_question(
    question: str, expected: list[str]
) -> None:
    assert query_tokens(question) == expected


def test_quotes_in_tokens_are_doubled_and_the_first_of_equal_tokens_stays() -> None:
    assert match_expression(['a"b', "x", 'a"b']) == '"a""b" OR "x"'
