r"""Readable text: what a person would have seen, without what a terminal or a font would hide.

Logs hold escape sequences, progress bars, NUL bytes and half surrogate pairs. `readable` is the
text that is indexed, quoted and counted; `visible` is the text that is printed, where characters
that reorder or hide other characters are written out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["HIDDEN", "name_of", "readable", "spelled_out", "visible"]

_CONTROLS = "".join(chr(code) for code in (*range(9), *range(11, 32), 127))
_UNUSUAL_BYTES = _CONTROLS.encode()

_ESCAPE = re.compile(
    r"\x1b(?:"
    r"\[[0-?]*+[ -/]*+[@-~]"  # CSI: colours, cursor moves
    r"|\][^\x07\x1b]*+(?:\x07|\x1b\\)"  # OSC: titles and OSC-8 links
    r"|[PX^_][^\x1b]*+\x1b\\"  # DCS, SOS, PM, APC strings
    r"|[ -/]++[0-~]"  # character sets
    r"|[=>78cDEHMNOZ\\]"  # keypad, cursor save, reset, a stray terminator
    r")"
)
_CRLF = re.compile(r"\r(?<!\r\r)\r*+\n")
"""Matches only from the first carriage return of a run, so that a long run which no line end
follows is read once and not once per character."""

HIDDEN = (
    "\x80-\x9f\xad\u034f"  # C1 controls, soft hyphen, grapheme joiner
    "\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f"  # zero width, marks, bidi
    "\u115f\u1160\u3164\uffa0\u17b4\u17b5\u180b-\u180f"  # fillers, selectors of Mongolian
    "\ufe00-\ufe0f\ufeff\ufff0-\ufffb\u2028\u2029"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # of music; tags, more variation selectors
)
"""What hides or reorders other characters, as a class of a pattern."""

_JOINING = (  # scripts whose letters take another form beside a joiner: Arabic, Indic and their kin
    "\u0620-\u074f\u0750-\u07ff\u0840-\u0dff\u0f00-\u109f\u1780-\u17b3\u17b6-\u17ff"
    "\u1820-\u18aa\u1a00-\u1bff\ua840-\ua87f\ua8e0-\uabff\ufb50-\ufdff\ufe70-\ufefc"
)
_PICTURES = (
    "\xa9\xae\u203c\u2049\u2100-\u214f\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_NEEDED = (
    f"(?<=[{_JOINING}])[\u200c\u200d]",
    f"(?<=[{_PICTURES}\ufe0f])\u200d(?=[{_PICTURES}])",
    f"(?<=[{_PICTURES}])[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)",
    f"(?<=[{_IDEOGRAPHS}\u1000-\u109f\u2200-\u22ff])[\ufe00-\ufe02]",
    f"(?<=[{_IDEOGRAPHS}])[\U000e0100-\U000e01ef]|(?<=[\u1820-\u18aa])[\u180b-\u180f]",
    # Flags of regions, such as Scotland's.
    "(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f",
)
"""Where one of these characters is a part of how a word or an emoji is written. Of several in a
row, which could spell out a message, only the first is."""

_UNSEEN = re.compile(f"{'|'.join(_NEEDED)}|([{HIDDEN}])")


def readable(text: str) -> str:
    r"""Return text with one kind of line end, no escape sequences and visible controls.

    Carriage returns that overwrite a line leave its last frame; one that ends the text is a line
    end. Other C0 controls become control pictures (NUL is U+2400), lone surrogates U+FFFD. Zero
    width, bidi and tag characters stay: a quotation must find them in the source.

    >>> readable("\x1b[31mFAIL\x1b[0m a.py\r\n 0%\r50%\rdone\n")
    'FAIL a.py\ndone\n'
    """
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        text = _without_surrogates(text)
        encoded = text.encode()
    # Deleting the unusual bytes and comparing lengths is several times faster than a search.
    if len(encoded.translate(None, _UNUSUAL_BYTES)) == len(encoded):
        return text
    if "\x1b" in text:
        text = _ESCAPE.sub("", text)
    if "\r" in text:
        text = _last_frames(text)
    for control in _CONTROLS:
        if control in text:
            text = text.replace(control, _picture(control))
    return text


def visible(text: str) -> str:
    r"""Return readable text in which characters that hide or reorder are written as `<U+202E>`.

    >>> visible("user\u202egpj.exe")
    'user<U+202E>gpj.exe'
    """
    text = readable(text)
    return spelled_out(text, name_of)


def name_of(character: str) -> str:
    """Return how a character is written out: `<U+202E>`."""
    return f"<U+{ord(character):04X}>"


def spelled_out(text: str, write: Callable[[str], str]) -> str:
    r"""Return a text whose characters that hide or reorder others are written otherwise.

    Joiners and variation selectors stay where Persian, Indic scripts and emoji need them.

    >>> spelled_out("a\u200bb \u0645\u06cc\u200c\u062e\u0648", name_of)
    'a<U+200B>b \u0645\u06cc\u200c\u062e\u0648'
    """
    if text.isascii():
        return text
    return _UNSEEN.sub(lambda match: write(match[0]) if match[1] else match[0], text)


def _without_surrogates(text: str) -> str:
    # Through UTF-16, so that two halves that found each other again become their character.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _last_frames(text: str) -> str:
    text = _CRLF.sub("\n", text)
    if "\r" not in text:
        return text
    return "\n".join(
        _last_frame(line) if "\r" in line else line for line in text.rstrip("\r").split("\n")
    ) + ("\n" if text.endswith("\r") else "")


def _last_frame(line: str) -> str:
    return line[line.rindex("\r") + 1 :]


def _picture(control: str) -> str:
    return "\u2421" if control == "\x7f" else chr(0x2400 + ord(control))
