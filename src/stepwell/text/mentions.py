"""What a question is about: the names and words in it that its evidence should hold.

Words that any question has, of several languages, are none of them, nor are those for the run
itself ("agent", "step") and for what is done in every run ("command", "failed").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from stepwell.text.question import without_places
from stepwell.text.search import search_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Kind", "Mention", "is_about_run", "mentions_in"]

Kind: TypeAlias = Literal["name", "word", "number"]

_READ: Final = 2_000
"""Characters of a question that are read: what is pasted behind them is no question."""

_LONG_NUMBER: Final = 5
"""Digits from which a number is a name, such as an order's: shorter ones are counts and years."""

_INFLECTED: Final = 6
"""Letters from which the last two may be an ending; of a word of five it is the last alone."""

_FUNCTION_WORDS: Final = (
    # What English questions are searched without, and what stands in them besides.
    "what which who whom whose when where why how the this that these those there its are was "
    "were been being did does done have has had can could will would shall should may might must "
    "our your you his him she her they them their for from with and please tell not any some all "
    "each every both many much more most about into over under after before during between than "
    "then but out now ever still yet again first last next previous other another same such only "
    "just also too very get got make made use used using let like one two "
    # French
    "que quoi quel quelle quels quelles qui quand pourquoi comment combien les une des aux est "
    "sont était étaient été sera ont avait avons avez peut doit moi mon mes nous notre nos vous "
    "votre vos ton tes elle ils elles cet cette ces dans sur sous avec pour par sans pas plus "
    "est-ce "
    # Spanish, Portuguese, Italian
    "qué cuál cuáles quién quiénes cuándo dónde para cómo cuánto cuántos los las unos unas del "
    "era eran fue fueron ser está están han había puede debe mis nosotros nuestro sus con sin "
    "nos qual quais quem quando onde como quanto uma dos das foi são tem não che cosa chi quale "
    "quali dove perché come gli dei nel nella sono stato non per "
    # Dutch
    "wat welk wie wanneer waar waarom hoe het een zijn werd heeft hebben kan moet mijn wij onze "
    "van naar voor met niet "
    # Russian, Ukrainian
    "что какой какая какое какие каком какую кто когда почему как сколько над под для при или "
    "был была было были есть это этот эту меня мне мой моя нас нам наш вас она они сейчас "
    "який яка хто коли чому"
)
_GERMAN: Final = (
    "welche welcher welches welchen welchem wer wen wem wann warum wieso wie viel viele der das "
    "den dem eine einen einem einer eines ist sind war waren wird wurde wurden hat habe haben "
    "hatte hatten kann konnte soll sollte muss darf ich mich mir mein meine meinen wir uns unser "
    "unsere dein sie ihr ihre ihm ihn von zum zur auf bei mit aus nach über für und oder wenn "
    "nicht kein keine noch schon jetzt bitte alle dass es im"
)
"""Apart, because in German a capital inside a sentence makes a noun and no name."""

_OF_THE_RUN: Final = (
    "agent agents step steps turn turns action actions observation observations trajectory "
    "trajectories task tasks loop loops pattern patterns schritt schritte aufgabe étape étapes "
    "tâche paso pasos tarea agente шаг шаге задача агент"
)
"""A question with one of these may be asked in an analyst's words, which no log holds."""

_OF_ANY_RUN: Final = (
    "run session conversation log user assistant command call tool file edit change error failure "
    "fail message prompt request answer reply ask say said told mention decide decision happen "
    "fix work find found show see go went time count number list total day week month year date "
    "january february march april june july august september october november december monday "
    "tuesday wednesday thursday friday saturday sunday today yesterday tomorrow latest current "
    "currently exact exactly specific kind type thing reason summarize summary describe explain "
    "identify compare "
    "jan feb mar apr jun jul aug sep oct nov dec state index occur prior history e.g i.e etc"
)
"""What is done in every run, and how a question says what it wants of it: a log that shows it need
not say so in this word."""

_PIECE: Final = re.compile(r"[^\s()\[\]{}\"“”`,;!?<>|\u2018\u2019:=*¿¡。、？！]+")  # noqa: RUF001
_PARTS: Final = re.compile(r"(?<=[a-z])/(?=[a-z])|(?<=[A-Za-z])-(?=[A-Za-z])")
_BREAKS: Final = ".?!:;\"'“\u2018(`-—¿¡。？！"  # noqa: RUF001
_QUOTED: Final = re.compile(
    r"(?<!\w)'[^']{1,80}'(?!\w)|\"[^\"]{1,80}\"|“[^”]{1,80}”|\u2018[^\u2019]{1,80}\u2019"
)
"""Words of a title have capitals all the same, and so do an analyst's own terms."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_POSSESSIVE: Final = re.compile(r"(?<=\w)'s$")
_NUMBER: Final = re.compile(r"[-+]?[\d.,]*\d(?:%|s|ms|x|k|m|h|st|nd|rd|th|min)?")
_NAME: Final = re.compile(r"(?=.*\d)(?=.*[^\W\d_])|[_/\\@]|\w\.\w|[a-z][A-Z]")
_ABBREVIATION: Final = 3
_SHORTEST: Final = 3
"""Letters of a word: shorter ones are prepositions and pronouns in any language with blanks."""

_CJK: Final = re.compile(r"[㐀-䶿一-鿿ァ-ヿ가-힣]")
# Between words of Chinese and Japanese: question words, particles, and Japanese endings in kana.
_BETWEEN_CJK: Final = re.compile(
    "为什么|什么|甚麼|怎么样|怎么|怎样|哪个|哪里|哪些|哪|谁|多少|几|现在|我们|你们|他们|[是的了吗呢在我你他她有把被到和与对"
    "这那这]|何|誰|教えて|[ぁ-ゟ]+|(?:무엇|언제|어디|누구|누가|어떻|얼마|어떤)[가-힣]*"
)


def _tokens_of(words: str) -> frozenset[str]:
    return frozenset(token for word in words.split() for token in search_tokens(word))


_EMPTY: Final = _tokens_of(_FUNCTION_WORDS) | _tokens_of(_GERMAN) | _tokens_of(_OF_ANY_RUN)
_RUN: Final = frozenset(_OF_THE_RUN.split())
_ENGLISH_TOO: Final = frozenset({"den", "die", "war"})
_IS_GERMAN: Final = frozenset(_GERMAN.split()) - _ENGLISH_TOO


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A name or word of a question.

    Attributes:
        text: As the question writes it.
        whole: The search token of all of it; empty in scripts without blanks.
        parts: The search tokens of its parts, if it has several.
        kind: A `name` is an identifier, a path, or a word with a capital inside a sentence.
    """

    text: str
    whole: str
    parts: tuple[str, ...]
    kind: Kind

    @property
    def beginning(self) -> str:
        """The search token without what may be an ending; empty where nothing may."""
        size = len(self.whole)
        if not self.whole.isalpha() or size < _INFLECTED - 1:
            return ""
        return self.whole[: size - (2 if size >= _INFLECTED else 1)]


def is_about_run(question: str) -> bool:
    """Tell whether a question speaks of the run as such: its agent, its steps, its task.

    >>> is_about_run("Which loop did the agent enter?"), is_about_run("Which port is it?")
    (True, False)
    """
    return not _RUN.isdisjoint(_WORD.findall(question[:_READ].casefold()))


def mentions_in(question: str) -> list[Mention]:
    """Return what a question is about, in its order, each once.

    >>> [(one.text, one.kind) for one in mentions_in("Which port did Anna give to api_server?")]
    [('port', 'word'), ('Anna', 'name'), ('give', 'word'), ('api_server', 'name')]
    """
    text = without_places(question[:_READ])
    is_german = not _IS_GERMAN.isdisjoint(text.casefold().split())
    titles = [match.span() for match in _QUOTED.finditer(text)]
    found: dict[tuple[str, ...], Mention] = {}
    for piece in _PIECE.finditer(text):
        before = text[: piece.start()].rstrip()
        in_title = any(first <= piece.start() < last for first, last in titles)
        starts = is_german or in_title or not before or before[-1] in _BREAKS
        for word in _words(piece[0]):
            mention = _mention(word, starts=starts)
            starts = is_german or in_title
            if mention is not None:
                found.setdefault((mention.whole, *mention.parts), mention)
    return list(found.values())


def _words(piece: str) -> Iterator[str]:
    """Yield the words of a piece: both sides of a hyphen, names in a phrase without blanks."""
    for word in _PARTS.split(piece):
        for part in _BETWEEN_CJK.split(word) if _CJK.search(word) else (word,):
            plain = _POSSESSIVE.sub("", part.strip("'."))
            if plain:
                yield plain


def _mention(word: str, *, starts: bool) -> Mention | None:
    tokens = search_tokens(word)
    if not tokens or tokens[0] in _EMPTY or is_about_run(word):
        return None
    is_unspaced = bool(_CJK.match(word))
    if len(word) < _SHORTEST and not is_unspaced and (word.islower() or starts):
        return None
    pairs = [token for token in tokens if len(token) > 1] or tokens
    return Mention(
        text=word,
        whole="" if is_unspaced else tokens[0],
        parts=tuple(pairs if is_unspaced else tokens[1:]),
        kind=_kind(word, starts=starts),
    )


def _kind(word: str, *, starts: bool) -> Kind:
    if _NUMBER.fullmatch(word):
        return "name" if sum(char.isdigit() for char in word) >= _LONG_NUMBER else "number"
    if _NAME.search(word):
        return "name"
    is_short = word.isupper() and len(word) <= _ABBREVIATION
    return "name" if word[:1].isupper() and not starts and not is_short else "word"
