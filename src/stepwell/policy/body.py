"""The part of a policy file that depends on its kind: from a TOML document to a value and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from stepwell.errors import PolicyError
from stepwell.policy.conditions import parse_condition
from stepwell.policy.kinds import ANY, All, Fixed, Program, Rule, Rules, Single, Table
from stepwell.trajectory.fields import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from stepwell.policy.kinds import Kind

__all__ = ["body_of", "document_of"]

_NAME_CHARS: Final = 100
_MOST_TOKENS: Final = 10**9


def body_of(document: Mapping[str, Any], where: str) -> Kind:
    """Return the policy that the keys of a document describe.

    Args:
        document: Without the keys that every kind has, but with `kind`.
        where: What messages call it.

    Raises:
        PolicyError: A key is missing, unknown, or not as it has to be.
    """
    kind = document.get("kind")
    read = _READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        raise _wrong(where, "kind", f"one of {', '.join(_READERS)}")
    keys, build = read
    _check_keys(document, ("kind", *keys), where)
    return build(document, where)


def document_of(policy: Kind) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
    """Return the keys of a policy, and the tables of which it has several."""
    match policy:
        case All():
            return {}, {}
        case Single(structure=structure):
            return {"structure": structure}, {}
        case Fixed(structures=structures):
            return {"structures": list(structures)}, {}
        case Table(cells=cells, default=default):
            rows = [
                {"domain": domain, "question": kind, "read": list(read)}
                for (domain, kind), read in sorted(cells.items())
            ]
            return {"default": list(default)}, {"cell": rows}
        case Rules(rules=rules, default=default):
            return {"default": list(default)}, {"rule": [_document_of_rule(r) for r in rules]}
        case Program(source=source):
            return {"source": source}, {}


def _document_of_rule(rule: Rule) -> dict[str, Any]:
    document: dict[str, Any] = {"when": [str(c) for c in rule.when], "read": list(rule.read)}
    if rule.tokens:
        document["tokens"] = dict(sorted(rule.tokens.items()))
    return document


def _all(document: Mapping[str, Any], where: str) -> Kind:  # noqa: ARG001  (as its siblings)
    return All()


def _single(document: Mapping[str, Any], where: str) -> Kind:
    (structure,) = _names([document.get("structure")], where, "structure")
    return Single(structure=structure)


def _fixed(document: Mapping[str, Any], where: str) -> Kind:
    return Fixed(structures=_names(document.get("structures"), where, "structures"))


def _table(document: Mapping[str, Any], where: str) -> Kind:
    cells: dict[tuple[str, str], tuple[str, ...]] = {}
    for number, row in enumerate(_tables(document.get("cell", []), where, "cell"), start=1):
        place = f"{where}, cell {number}"
        _check_keys(row, ("domain", "question", "read"), place)
        cell = (
            _text(row.get("domain", ANY), place, "domain"),
            _text(row.get("question", ANY), place, "question"),
        )
        if cell in cells:
            raise PolicyError(f"{place}: there is one for {cell} already.", hint="Leave one out.")
        cells[cell] = _names(row.get("read"), place, "read")
    return Table(cells=cells, default=_names(document.get("default"), where, "default"))


def _rules(document: Mapping[str, Any], where: str) -> Kind:
    tables = _tables(document.get("rule", []), where, "rule")
    return Rules(
        rules=tuple(
            _rule(row, f"{where}, rule {number}") for number, row in enumerate(tables, start=1)
        ),
        default=_names(document.get("default"), where, "default"),
    )


def _rule(row: Mapping[str, Any], where: str) -> Rule:
    _check_keys(row, ("when", "read", "tokens"), where)
    when, tokens = row.get("when"), row.get("tokens", {})
    if not is_list(when) or not all(isinstance(condition, str) for condition in when):
        raise _wrong(where, "when", "a list of conditions; an empty one always holds")
    if not is_object(tokens) or not all(map(_is_limit, tokens.values())):
        raise _wrong(where, "tokens", "names of structures with whole numbers from 1")
    try:
        conditions = tuple(parse_condition(text) for text in when)
    except PolicyError as error:
        raise PolicyError(f"{where}: {error.args[0]}", hint=error.hint) from error
    return Rule(when=conditions, read=_names(row.get("read"), where, "read"), tokens=tokens)


def _program(document: Mapping[str, Any], where: str) -> Kind:
    return Program(source=_text(document.get("source"), where, "source"))


_READERS: Final[dict[str, tuple[tuple[str, ...], Callable[[Mapping[str, Any], str], Kind]]]] = {
    All.name: ((), _all),
    Single.name: (("structure",), _single),
    Fixed.name: (("structures",), _fixed),
    Table.name: (("default", "cell"), _table),
    Rules.name: (("default", "rule"), _rules),
    Program.name: (("source",), _program),
}


def _check_keys(document: Mapping[str, Any], known: Collection[str], where: str) -> None:
    for key in document:
        if key not in known:
            raise PolicyError(
                f"{where}: `{key}` means nothing here.", hint=f"There are: {', '.join(known)}."
            )


def _names(value: object, where: str, key: str) -> tuple[str, ...]:
    """Return names of structures, each once."""
    names = value if is_list(value) else []
    if not names or not all(
        isinstance(name, str) and name.strip() and len(name) <= _NAME_CHARS for name in names
    ):
        raise _wrong(where, key, 'names of structures, such as "vector"')
    return tuple(dict.fromkeys(names))


def _tables(value: object, where: str, key: str) -> list[dict[str, Any]]:
    if not is_list(value) or not all(map(is_object, value)):
        raise _wrong(where, key, f"tables, each under [[{key}]]")
    return value


def _is_limit(value: object) -> bool:
    return type(value) is int and 0 < value <= _MOST_TOKENS


def _text(value: object, where: str, key: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _wrong(where, key, "text")
    return value


def _wrong(where: str, key: str, wanted: str) -> PolicyError:
    return PolicyError(
        f"{where}: `{key}` is missing or not as it has to be.", hint=f"Give {wanted}."
    )
