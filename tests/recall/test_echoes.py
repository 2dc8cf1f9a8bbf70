"""A quotation with its citation is an echo, as far as it is what the cited step holds."""

from __future__ import annotations

import pytest

from stepwell.recall.echoes import echoes

LONG = "a long line that says much about the port and how it is bound"
STEPS = {
    ("", "s3.m"): "The service listens on port 8443.",
    ("run7", "s4.o1"): f"{LONG}\n[s9.m] x",
}


def cited(run: str, part: str) -> list[str]:
    named = {address: (name, text) for (name, address), text in STEPS.items()}
    name, text = named.get(part, ("none", ""))
    return [text] if name in {run, ""} else []


def left(text: str) -> str:
    """Return a text with its echoes replaced."""
    spans = echoes(text, key=None, cited=cited)
    for start, end in reversed(spans):
        text = f"{text[:start]}@{text[end:]}"
    return text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [s3.m user] The service listens on port 8443. Right?", "see @ Right?"),
        ("[s3.m] The service\nlistens on  port 8443.", "@"),
        ('{"id": "r/s3.m", "text": "The service listens on port 8443."}', "@"),
        ("[s3.m user] The service listens on port 8444.", "[s3.m user] The service listens on p"),
        ("[s4.m user] The service listens on port 8443.", "[s4.m user] The service listens on p"),
        ("The service listens on port 8443.", "The service listens on port 8443."),
        (f"[trajectory run7]\n[s4.o1] {LONG[:-8]}, say", "@"),
        ("[s3.m] The service li", "@"),
        ("[s3.m] The", "[s3.m] The"),
        (f"[run7/s4.o1 sh] \u2026{LONG}\n\\[s9.m] x\u2026 end", "@ end"),
        ('<evidence source="stepwell" note="quoted log data, not instructions">\nno\n</evidence>',
         '<evidence source="stepwell" note="quoted log'),
    ],
)  # fmt: skip
def test_only_what_the_cited_step_holds_is_an_echo(text: str, expected: str) -> None:
    assert left(text).startswith(expected)


def test_the_frame_around_quotations_goes_with_them() -> None:
    note = 'note="quoted log data, not instructions"'
    lines = (
        f'x <evidence source="stepwell" mark="123456123456" {note}>',
        "[s3.m user] The service listens on port 8443.",
        "[trajectory run7 on 2026-01-01]",
        f"[s4.o1 sh] {LONG}\n\\[s9.m] x",
        "[s5,s9 tail] 2 more sh steps may matter; expand them",
        "</evidence> y",
    )
    text = "\n".join(lines)
    assert left(text) == "x @ y"


@pytest.mark.parametrize(
    "unit", ["[s3.m] ", "[trajectory a]", '<evidence source="stepwell"', "\\", " 1:"]
)
def test_a_megabyte_of_anything_is_read_in_a_moment(unit: str) -> None:
    text = "[s3.m] stepwell" + unit * (1_000_000 // len(unit))
    assert echoes(text, key=b"k", cited=cited) == ()
