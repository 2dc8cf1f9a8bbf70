"""The triples of a step: what it calls, what it finds, what it says."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

from stepwell.structures.graph.code import addressed, defined, elements, queried, settings, traced
from stepwell.structures.graph.model import WEAK, Triple, key_of, name_of
from stepwell.structures.graph.placing import listed, moved, placed
from stepwell.structures.graph.talk import dated, mentioned, told
from stepwell.structures.reading import faults_in, has_any, head_and_tail, read_call, results_read
from stepwell.structures.units.references import names_in
from stepwell.text.clean import readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from stepwell.structures.reading import Fault, Spoken
    from stepwell.trajectory.model import Result, Step

__all__ = ["triples_of"]

_MOST: Final = 48
"""Triples of a step; a megabyte is about no more things than that."""

_MOST_SAID: Final = 24
"""Of them, what was said and called, so that results have room."""

_MOST_SHOWN: Final = 8
"""Names taken of a result, as units do."""

_ENOUGH_TOLD: Final = 4

_NAMING: Final = 400
"""Characters of a text that are searched for names of any kind: that is the dearest search."""

_LONGEST_VALUE: Final = 120
"""Characters of an argument that names something; longer ones are content."""

_LONGEST_RELATION: Final = 40

_WORTH_QUOTING: Final = 12
"""Characters from which an object is more than a name."""


def triples_of(step: Step) -> list[Triple]:
    """Return what a step says, at most 48 triples.

    >>> from stepwell.trajectory.model import Call, Step
    >>> call = Call(uid="c", name="open", args={"path": "src/app.py"})
    >>> triples_of(Step(index=0, uid="s", kind="agent", actor="agent", calls=(call,)))
    [Triple(subject='open', relation='path', object='src/app.py', is_verbatim=False)]
    """
    spoken = [read_call(call) for call in step.calls[:_MOST]]
    texts = [head_and_tail(text) for text in (step.message, step.thought)]
    said = islice(_said(step, spoken, texts), _MOST_SAID)
    found = chain.from_iterable(_found(result, step, spoken) for result in step.results[:_MOST])
    windows = [*texts, *(call.text for call in spoken)]
    windows += map(results_read, step.results[:_MOST])
    return list(_named(islice(chain(said, found), _MOST), windows))


def _named(triples: Iterable[Triple], windows: Sequence[str]) -> Iterator[Triple]:
    """Yield triples with proper names, once each."""
    seen: set[tuple[str, str, str]] = set()
    joined: set[tuple[str, str]] = set()
    for triple in triples:
        subject, value = name_of(triple.subject), name_of(triple.object)
        relation = triple.relation[:_LONGEST_RELATION]
        ends = (key_of(subject), key_of(value))
        # That two names stand together goes without saying where another triple joins them.
        is_known = (*ends, relation) in seen or (relation in WEAK and ends in joined)
        if not subject or not value or ends[0] == ends[1] or is_known:
            continue
        seen.add((*ends, relation))
        joined.update((ends, (ends[1], ends[0])))
        is_long = len(value) >= _WORTH_QUOTING
        yield Triple(subject, relation, value, is_long and any(value in text for text in windows))


def _said(step: Step, spoken: Sequence[Spoken], texts: Sequence[str]) -> Iterator[Triple]:
    """Yield what calls, message and thought say."""
    for call in spoken:
        yield from _called(call)
    speaker = readable(step.actor) or step.kind
    message, thought = texts
    if message and step.kind == "user":
        yield from told(message, by=speaker)
        yield from dated(message, by=speaker)
        yield from mentioned(message, by=speaker)
    for text in filter(None, (message, thought)):
        yield from placed(text)
        for name in _names(text[:_NAMING])[:_MOST_SHOWN]:
            yield Triple(speaker, "mentions", name)


def _called(call: Spoken) -> Iterator[Triple]:
    for key, value in islice(call.args.items(), _MOST):
        text = _scalar(value)
        if text:
            yield Triple(call.tool, readable(key), text)
    if not call.args:
        yield from moved(call.said)
        yield from elements(call.said)
        rest = call.said.removeprefix(call.tool).strip(" :()\"'")
        if "\n" not in rest and len(rest) <= _LONGEST_VALUE:
            yield Triple(call.tool, "does", rest)
    yield from queried(call.said, by=call.tool)
    yield from addressed(call.said)
    for name in _names(call.said[:_NAMING])[:_MOST_SHOWN]:
        yield Triple(call.tool, "names", name)


def _scalar(value: Any) -> str:
    """Return a short value as text; nothing for what is long, empty or nested."""
    if isinstance(value, str):
        return readable(value) if len(value) <= _LONGEST_VALUE and "\n" not in value else ""
    if isinstance(value, bool | float):
        return repr(value)
    is_small = isinstance(value, int) and abs(value) < 2**64
    return str(value) if is_small else ""


def _found(result: Result, step: Step, spoken: Sequence[Spoken]) -> Iterator[Triple]:
    """Yield what a result says."""
    text = results_read(result)
    if not text:
        return
    uids = [call.uid for call in step.calls[: len(spoken)]]
    call = spoken[uids.index(result.call_uid)] if result.call_uid in uids else None
    tool = "unknown" if call is None else call.tool
    focus = tool if call is None else _file(call) or tool
    for fault in faults_in(text, is_error=result.is_error):
        yield from _raised(fault, tool=tool, focus=focus)
    n_told = 0
    for triples in (
        *(traced(text), listed(text), moved(text), placed(text), elements(text)),
        *(defined(text, file=focus), queried(text, by=tool), settings(text, of=focus)),
        addressed(text),
    ):
        for triple in triples:
            n_told += 1
            yield triple
    # Names that only stand there are for results that say nothing of them.
    names = _names(text[:_NAMING]) if n_told < _ENOUGH_TOLD else ()
    for name in names[:_MOST_SHOWN]:
        yield Triple(focus, "shows", name)


def _file(call: Spoken) -> str | None:
    """Return the first file or address a call names: what its result is about."""
    said = call.said[:_NAMING]
    names = _names(said) if has_any(said, "/.") else ()
    return next((name for name in names if "/" in name or "." in name), None)


@lru_cache(maxsize=1 << 10)
def _names(text: str) -> tuple[str, ...]:
    """Return the names in a text; runs repeat their actions and observations."""
    return tuple(names_in(text))


def _raised(fault: Fault, *, tool: str, focus: str) -> Iterator[Triple]:
    yield Triple(tool, "raised", fault.name or fault.line)
    if fault.name and fault.line != fault.name:
        yield Triple(fault.name, "says", fault.line.partition(":")[2])
    if focus != tool:
        yield Triple(focus, "raised", fault.name or fault.line)
