r"""Search tokens: one way to read text for the index, for a question and for choosing excerpts.

Full-text tokenizers that ship with databases lose two-character Chinese queries, glue `pass` and
`word` wrongly at invisible characters, and fail on ordinary questions as query syntax. So text is
cut here, and the database only splits at blanks:

- NFKC, casefolded; invisible characters (zero width, bidirectional, tags) and terminal colours go;
- an identifier is kept whole and split, level by level: `src/FooBar_baz.py` is findable as itself,
  by its file name, and by `foo`, `bar`, `baz`;
- plain English words are stemmed (Porter 2), other words stay as they are, and stand beside
  themselves without marks: `Ødegaard` is findable as `odegaard`, `ещё` as `еще`;
- scripts written without blanks become single characters and overlapping pairs.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import chain, pairwise
from threading import Lock
from typing import TYPE_CHECKING

import Stemmer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = [
    "FTS_TOKENIZE",
    "MAX_TOKEN_CHARS",
    "content_of",
    "match_beginning",
    "match_expression",
    "query_tokens",
    "search_tokens",
]

MAX_TOKEN_CHARS = 64
"""Long enough for a SHA-256 in hex and nearly every path. A longer word is encoded data, or a path
that is found by its parts."""

_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

FTS_TOKENIZE = "tokenize = \"ascii tokenchars '{}'\"".format(
    _PUNCTUATION.replace("'", "''").replace('"', '""')
)
"""The option of `CREATE VIRTUAL TABLE ... USING fts5(...)` that makes FTS5 split at blanks only."""

_STEMMING = Lock()
"""Threads must not use the stemmer at the same time. It is asked once per word, so waiting for it
costs nothing."""

_CACHED_PIECES = 1 << 16
"""Entries per cache: enough for the words of a language and of a project, about 20 MB when full."""

_MAX_STEMMED_CHARS = 24
"""Longer words are not stemmed: English words are shorter, stemming one takes up to a tenth of a
millisecond, and encoded data holds millions."""

_CACHED_CODE_POINTS = 1 << 14

# Scripts written without blanks. Han, kana, bopomofo and Hangul are indexed as characters and
# pairs; Thai, Lao, Burmese and Khmer as pairs beside the whole run.
_EAST_ASIAN = (
    "\u1100-\u11ff\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3041-\u3096\u3099-\u309f"
    "\u30a1-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f"
    "\uac00-\ud7ff\uf900-\ufaff\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
_SOUTH_EAST_ASIAN = "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"

# Everything but ASCII that is neither letter, digit nor underscore; the rest was cleaned before.
_LETTER = rf"[^\x00-/:-@\[-^`{{-\x7f{_EAST_ASIAN}]"
_NO_PLACE = r"(?!(?<=[^\W\d]):\d+(?::\d+)?(?![:/]?\w))"
_WORD = re.compile(
    rf"[{_EAST_ASIAN}]+"
    # A path, a version, a URL, a kebab; but the line or port behind a colon is a word of its own:
    # nearly every one is new, and the name before it is not.
    rf"|{_LETTER}+(?:(?:{_NO_PLACE}[-./\\:@]{{1,3}}{_LETTER}+)+"
    rf"|'(?:[sStTdDmM]|re|ve|ll)(?!{_LETTER})"  # an English contraction
    rf"|\+\+|\#(?!{_LETTER}))?"  # C++, C#
)
_ASCII_WORD = re.compile(
    rf"\w+(?:(?:{_NO_PLACE}[-./\\:@]{{1,3}}\w+)+|'(?:[sStTdDmM]|re|ve|ll)(?!\w)|\+\+|\#(?!\w))?",
    re.ASCII,
)
_UNSPACED = re.compile(rf"[{_EAST_ASIAN}]")
_SOUTH_EAST_ASIAN_RUN = re.compile(rf"[{_SOUTH_EAST_ASIAN}]{{2,}}")
# Each with the characters of which it needs one, which is much faster to tell than a search.
_JOINERS = tuple(
    (characters, re.compile(joiner))
    for characters, joiner in (
        (":@T", r":[/\\]*|@|(?<=\d)T(?=\d\d:)"),
        ("/\\", r"[/\\]+"),
        (".+#", r"[.+#]+"),
        ("-", r"-+"),
        ("_", r"_+"),
    )
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Digits in three places: base64 or an id, whose humps are no words, and many.
_RANDOM = re.compile(r"\d[A-Za-z]+\d[A-Za-z]+\d")
_ESCAPED = re.compile(r"\\[nrt](\w+)")
_COLOUR = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")

# Letters that Unicode does not part into a plain one and a mark, and that are typed as these; the
# last three are Arabic.
_PLAIN_LETTERS = str.maketrans("\u0131øđłðħŧŋ\u0649\u0629\u0671", "iodldhtn\u064a\u0647\u0627") | {
    ord(letter): letters for letter, letters in {"æ": "ae", "œ": "oe", "þ": "th", "ĳ": "ij"}.items()
}
# Accents of Latin, Greek and Cyrillic, and Arabic's hamza and madda. A breve on the Cyrillic i
# stays: that letter has a key of its own. Elsewhere combining marks are vowels or join letters.
_MARK = re.compile("(?<!\u0438)\u0306|[\u0300-\u0305\u0307-\u036f\u0653-\u0655]")

# The words of a question that say how it asks, not about what. Prepositions of place and time
# stay out of the list ("before", "after", "under" tell steps apart), and so does "not".
_QUESTION_WORDS = (
    "what which who whom whose when where why how what's who's where's when's how's "
    "a an the this that these those there it its it's "
    "is are was were be been being am do does did have has had "
    "can could will would shall should may might must "
    "i me my we us our you your he him his she her they them their "
    "of to in on at by for from with as and or if "
    "please tell"
)
_STOP_WORDS = frozenset(_QUESTION_WORDS.split())


def search_tokens(text: str) -> list[str]:
    """Return the tokens by which text is found, in reading order, repeats included.

    A token holds no blank, no NUL and no lone surrogate, and at most `MAX_TOKEN_CHARS` characters.
    Any text is accepted.

    >>> search_tokens("Deployed src/FooBar_baz.py")[:4]
    ['deploy', 'src/foobar_baz.py', 'src', 'foobar_baz.py']
    >>> search_tokens("端口5433")
    ['端', '口', '端口', '5433']
    """
    if "\x1b" in text:
        text = _COLOUR.sub("", text)
    if text.isascii():  # no blank and no chunk to clean first: logs are mostly this
        return list(chain.from_iterable(map(_words.__getitem__, _ASCII_WORD.findall(text))))
    return list(chain.from_iterable(map(_chunks.__getitem__, text.split())))


def query_tokens(question: str) -> list[str]:
    """Return the tokens of a question, without the words any question has.

    English stop words go if anything else remains. A character that is also part of a pair goes
    too: the pair says more, and the single character is indexed for questions of one character.

    >>> query_tokens("What did the 端口 tests say?")
    ['端口', 'test', 'say']
    """
    tokens = search_tokens(content_of(question)) or search_tokens(question)
    paired = set("".join(t for t in tokens if len(t) == 2 and _UNSPACED.match(t)))  # noqa: PLR2004 -- a pair
    return [token for token in tokens if token not in paired]


def content_of(question: str) -> str:
    """Return a question without the English words any question has.

    >>> content_of("What did it say of me?"), content_of("What is it?")
    ('say', '')
    """
    return " ".join(chunk for chunk in question.split() if not _is_stop_word(chunk))


def match_expression(tokens: Iterable[str]) -> str:
    """Return an FTS5 expression that matches any of the tokens; empty if there is none.

    The table must be made with `FTS_TOKENIZE`. An empty expression is an error in FTS5: the caller
    answers it without asking.

    >>> match_expression(["near", "c++", "near"])
    '"near" OR "c++"'
    """
    return " OR ".join('"' + token.replace('"', '""') + '"' for token in dict.fromkeys(tokens))


def match_beginning(beginning: str) -> str:
    """Return an FTS5 expression that matches the tokens that begin so.

    >>> match_beginning("auberg")
    '"auberg" *'
    """
    return f"{match_expression([beginning])} *"


class _Read(dict[str, tuple[str, ...]]):
    """A cache of tokens by piece of text, which `read` fills when a piece is asked for.

    It is emptied when it is full, and long pieces are never kept.
    """

    def __init__(self, read: Callable[[str], Iterable[str]]) -> None:
        self._read = read

    def __missing__(self, piece: str) -> tuple[str, ...]:
        tokens = tuple(self._read(piece))
        if len(piece) <= MAX_TOKEN_CHARS and not piece.isdigit():  # numbers are many and cheap
            if len(self) >= _CACHED_PIECES:
                self.clear()
            self[piece] = tokens
        return tokens


class _Cleaning(dict[int, str]):
    """A table for `str.translate` that says which characters stay, vanish or separate words."""

    def __missing__(self, code_point: int) -> str:
        cleaned = _clean(chr(code_point))
        if len(self) < _CACHED_CODE_POINTS:
            self[code_point] = cleaned
        return cleaned


def _clean(char: str) -> str:
    if char.isascii():
        return char
    if char == "\u2019":
        return "'"
    category = unicodedata.category(char)
    if category == "Cf" or _is_ignorable(char):
        return ""
    return char if category[0] in "LNM" else " "


def _is_ignorable(char: str) -> bool:
    """Tell fillers, variation selectors, and the vowel points Arabic and Hebrew leave out."""
    return (
        char in "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u0640\u0670"
        or "\ufe00" <= char <= "\ufe0f"
        or "\u180b" <= char <= "\u180f"
        or "\u064b" <= char <= "\u0652"
        or "\u0591" <= char <= "\u05c7"
        or "\U000e0000" <= char <= "\U000e0fff"
    )


_cleaning = _Cleaning()


@lru_cache(maxsize=_CACHED_PIECES)
def _stem(word: str) -> str:
    with _STEMMING:
        return _stemmer().stemWord(word)


@cache
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")


def _of_chunk(chunk: str) -> Iterable[str]:
    if not chunk.isascii():
        # Cleaned first, so that marks parted by an invisible character compose.
        chunk = unicodedata.normalize("NFKC", chunk.translate(_cleaning)).translate(_cleaning)
    return chain.from_iterable(map(_words.__getitem__, _WORD.findall(chunk)))


def _of_word(word: str) -> Iterable[str]:
    if word.isalnum() and word.isascii() and len(word) <= MAX_TOKEN_CHARS and word.islower():
        return _forms(word)
    if word.isdigit() and len(word) <= MAX_TOKEN_CHARS:
        return (word,)
    if _UNSPACED.match(word):
        return chain(word, map("".join, pairwise(word)))
    return dict.fromkeys(chain.from_iterable(map(_known_forms.__getitem__, _parts(word))))


def _parts(word: str) -> list[str]:
    """Return a word, then its parts, joiner by joiner, the humps of camel case last."""
    found = [word[:MAX_TOKEN_CHARS]] if len(word) <= MAX_TOKEN_CHARS or not word.isalnum() else []
    parts = [word]
    if not word.isalnum() and "'" not in word:
        for characters, joiner in _JOINERS:
            if any(map(word.__contains__, characters)) and joiner.search(word):
                parts = [part for whole in parts for part in joiner.split(whole) if part]
                found += (part[:MAX_TOKEN_CHARS] for part in parts)
        if "\\" in word:  # a log inside a log writes a line end as two characters: "done\nnext"
            found += (part[:MAX_TOKEN_CHARS] for part in _ESCAPED.findall(word))
    for part in parts:
        if not part.islower() or len(part) > MAX_TOKEN_CHARS:
            found += _humps(part)
    return found


def _humps(part: str) -> Iterator[str]:
    if len(part) > MAX_TOKEN_CHARS:
        yield from (part[at : at + MAX_TOKEN_CHARS] for at in range(0, len(part), MAX_TOKEN_CHARS))
    elif not part.islower() and not _RANDOM.search(part):
        humps = _CAMEL.split(part)
        if len(humps) > 1:
            yield from humps


def _forms(part: str) -> tuple[str, ...]:
    r"""Return the tokens of one part: folded, stemmed or without accents as fits it."""
    folded = part.lower() if part.isascii() else _fold(part)
    if folded.isascii():
        plain = folded.replace("'", "") if "'" in folded else folded
        if plain.isalpha():
            return (_stem(folded) if len(folded) <= _MAX_STEMMED_CHARS else folded,)
        return (folded,) if plain.strip("_") else ()
    runs = _SOUTH_EAST_ASIAN_RUN.findall(folded)
    pairs = ("".join(pair) for run in runs for pair in pairwise(run))
    bare = _without_marks(folded)
    if bare == folded:
        return (folded, *pairs)
    return (folded, *(_forms(bare) if bare.isascii() else (bare,)), *pairs)


def _without_marks(folded: str) -> str:
    """Return a folded word in the letters of who types none with marks."""
    parted = unicodedata.normalize("NFD", folded.translate(_PLAIN_LETTERS))
    return unicodedata.normalize("NFC", _MARK.sub("", parted))[:MAX_TOKEN_CHARS]


def _fold(part: str) -> str:
    # Folding can expand (`ß`, `ﬃ`) and undo composition: compose again, keep the cap.
    return unicodedata.normalize("NFKC", part.casefold())[:MAX_TOKEN_CHARS]


def _is_stop_word(chunk: str) -> bool:
    return chunk.strip(_PUNCTUATION).replace("\u2019", "'").casefold() in _STOP_WORDS


_known_forms = _Read(_forms)
_words = _Read(_of_word)
_chunks = _Read(_of_chunk)
