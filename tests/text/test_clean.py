from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.text.clean import readable, visible

any_text = st.text(st.characters(codec=None, exclude_categories=()))


@pytest.mark.parametrize(
    "text", ["", "plain\n\tindented", "سارة 端口 naïve", "a\u202eb\u200bc\U000e0041", "👩\u200d🚀"]
)
def test_ordinary_text_and_hidden_characters_stay(text: str) -> None:
    assert readable(text) == text


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("a\r\nb\r\n", "a\nb\n"),
        ("a\r\r\nb", "a\nb"),
        ("\r", "\n"),
        ("done\r", "done\n"),
        ("\r 0%\r50%\r99%\nnext", "99%\nnext"),
        ("keep\n 0%\rdone\r\nkeep", "keep\ndone\nkeep"),
    ],
)
def test_one_kind_of_line_end_and_the_last_frame_of_a_progress_line(raw: str, clean: str) -> None:
    assert readable(raw) == clean


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("\x1b[31mFAIL\x1b[0m tests/\x1b[1mtest_login\x1b[0m.py", "FAIL tests/test_login.py"),
        ("\x1b]8;;https://a.test\x07link\x1b]8;;\x07", "link"),
        ("\x1b]8;;https://a.test\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b[?25l\x1b[2K\x1b[1Gdone", "done"),
        ("\x1b(B\x1b7\x1b=x", "x"),
        ("\x1bP+q544e\x1b\\x", "x"),
        ("\x1b]0;title never ends", "\u241b]0;title never ends"),
    ],
)
def test_escape_sequences_go_and_what_is_none_is_shown(raw: str, clean: str) -> None:
    assert readable(raw) == clean


def test_controls_are_shown_and_nothing_is_cut_at_a_nul() -> None:
    assert readable("\x7fELF\x00\x02 \b\v\f end") == "\u2421ELF\u2400\u2402 \u2408\u240b\u240c end"


def test_lone_surrogates_are_replaced_and_pairs_joined() -> None:
    assert readable("a\ud83d b \ud83d\ude80 \ude00") == "a\ufffd b 🚀 \ufffd"


def test_hidden_characters_are_written_out_for_a_terminal() -> None:
    assert visible("a\u202eb\u200bc\U000e0041\x9bd\x1b[1m") == (
        "a<U+202E>b<U+200B>c<U+E0041><U+009B>d"
    )


def test_long_runs_of_what_hides_text_are_read_once() -> None:
    assert readable("\r" * 3_000_000) == "\n"
    assert readable("a" + "\r" * 1_000_000 + "b" + "\r" * 1_000_000 + "\n") == "b\n"
    assert readable("\x1b[" * 100_000) == "\u241b[" * 100_000


@given(any_text)
def test_readable_text_has_no_controls_and_is_readable_already(text: str) -> None:
    clean = readable(text)
    assert clean.encode("utf-8", "strict") is not None
    assert not any(ord(char) < 32 and char not in "\t\n" for char in clean)
    assert readable(clean) == clean


@given(any_text)
def test_visible_text_is_safe_to_print(text: str) -> None:
    shown = visible(text)
    assert not any(char in shown for char in "\x1b\r\x9b\u202e\u2066\u200b\ufeff\U000e0041")
