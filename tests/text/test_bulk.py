"""Bulk: what is no text, and what only looks like it."""

from __future__ import annotations

import base64
import textwrap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.text.bulk import BULK_HEAD, bulk_spans, without_bulk

RNG = np.random.default_rng(7)
RAW = RNG.bytes(900)
BASE64 = base64.b64encode(RAW).decode()
LINES = "\n".join(textwrap.wrap(BASE64, 64))
FLAT_PICTURE = base64.b64encode(b"BM6\x10\0\0\0\0\0\x006\0\0\0(\0\0\0@\0" + bytes(2000)).decode()
VECTOR = "0.5, " + ", ".join(f"{number:.5f}" for number in RNG.normal(size=383))
MINIFIED = (
    "!function(e,t){var n=e.a||{};for(var r=0;r<t.length;r++){n[r]=t(r,e)}return n}(x,y);" * 20
)
STYLES = ".nav>li{color:#fff;margin:0}.a:hover{padding:2px;border:0}" * 30

BULK = {
    "base64": BASE64,
    "base64 for addresses": base64.urlsafe_b64encode(RAW).decode(),
    "base64 in lines": LINES,
    "base64 in escaped lines": LINES.replace("\n", "\\n"),
    "base64 in indented lines": LINES.replace("\n", "\n    "),
    "a picture of one colour": FLAT_PICTURE,
    "base32": base64.b32encode(RAW).decode(),
    "hexadecimal": RAW.hex(),
    "a vector": VECTOR,
    "a vector, a number a line": VECTOR.replace(", ", ",\n  "),
    "minified code": MINIFIED,
    "minified styles": STYLES,
}

TEXT = {
    "hashes, one a line": "\n".join(RNG.bytes(32).hex() for _ in range(40)),
    "hashes, one after the other": " ".join(RNG.bytes(64).hex() for _ in range(9)),
    "checksums of a lock file": "\n".join(f'"sha512-{BASE64[:86]}==",' for _ in range(9)),
    "a long path": "/home/ana/" + "a-long-directory-name/" * 20,
    "a constant": "A_VERY_LONG_CONSTANT_" * 20,
    "a name in camel case": "SomeVeryLongFactoryName" * 20,
    "a rule": "=" * 600,
    "cells": "row," * 600,
    "a table of numbers": "\n".join("1, 2, 3, 4, 5, 6, 7, 8, 9, 10" for _ in range(90)),
    "compact JSON": '{"id":"AF1","region":{"id":"NA","value":"Africa"},"n":1.5},' * 60,
    "escaped JSON": '{\\"id\\":\\"AF1\\",\\"region\\":{\\"id\\":\\"NA\\"},\\"n\\":1.5},' * 60,
    "code as an argument": "for (var i = 0; i < n; i++) { print(i); }\\n" * 60,
    "addresses": "https://a.test/wiki/The_Story_of_Sigurd [12](/wiki/Sigurd_(name)) " * 60,
    "Chinese": "我们把端口改成了八千零八十然后重新启动了服务。" * 60,
}


@pytest.mark.parametrize("kind", BULK)
def test_bulk_is_found_whole_wherever_it_stands(kind: str) -> None:
    before, after = 'we saw\n{"png": "', '"}\nand went on'
    if kind.startswith("minified"):
        before, after = "we saw\n", "\nand went on"
    text = f"{before}{BULK[kind]}{after}"
    (first, last), *others = bulk_spans(text)
    assert others == []
    assert (first, len(text) - last) == (len(before), len(after))


@pytest.mark.parametrize("kind", TEXT)
def test_what_somebody_may_ask_for_is_no_bulk(kind: str) -> None:
    assert list(bulk_spans(TEXT[kind])) == []


def test_a_key_that_somebody_names_is_no_bulk_and_a_little_more_is() -> None:
    assert list(bulk_spans(f"key {BASE64[:199]} end")) == []
    assert list(bulk_spans(f"key {BASE64[:200]} end")) == [(4, 204)]


def test_two_hundred_and_fifty_six_numbers_are_a_vector() -> None:
    numbers = VECTOR.split(", ")
    assert list(bulk_spans(", ".join(numbers[:255]))) == []
    assert len(list(bulk_spans(", ".join(numbers[:256])))) == 1


def test_of_bulk_its_beginning_is_left() -> None:
    assert without_bulk(f"a {BASE64} b") == f"a {BASE64[:BULK_HEAD]}… b"
    assert without_bulk("nothing of it") == "nothing of it"


@given(st.lists(st.sampled_from([*BULK.values(), *TEXT.values(), " ", "\n", "no"]), max_size=5))
def test_spans_are_in_order_apart_and_within_the_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    spans = list(bulk_spans(text))
    ends = [0, *(last for _, last in spans)]
    assert all(
        end <= first < last <= len(text) for end, (first, last) in zip(ends, spans, strict=False)
    )
