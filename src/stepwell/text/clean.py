r"""Readable text: what a person would have seen, without what a terminal or a font would hide.

Logs hold escape sequences, progress bars, NUL bytes and half surrogate pairs. `readable` is the
text that is indexed, quoted and counted; `visible` is the text that is printed, where characters
that reorder or hide other characters are written out.
"""

from __future__ import annotations

import re

__all__ = ["readable", "visible"]

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

_HIDDEN = re.compile(
    "[\x80-\x9f\xad"  # C1 controls, soft hyphen
    "\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f"  # zero width, marks, bidi
    "\u180e\ufeff\ufff9-\ufffb\u2028\u2029"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef]"  # tags, variation selectors beyond emoji's
)


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
    if text.isascii():
        return text
    return _HIDDEN.sub(lambda match: f"<U+{ord(match[0]):04X}>", text)


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
